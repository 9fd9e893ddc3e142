// SPDX-License-Identifier: MIT
#include <phyxel/core/number_text.h>
#include <phyxel/render/legend.h>
#include <phyxel/render/stroke_text.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace phyxel {
namespace {

/// Pictures smaller than this have no room for words.
constexpr int least_width = 200;
constexpr int least_height = 120;

// From the lower edge of the picture, in units of its height.
constexpr double time_top = 46.0;
constexpr double bar_top = 80.0;
constexpr double row_height = 24.0;

constexpr double edge = 28.0;        ///< left free beside the words
constexpr double upper_edge = 14.0;  ///< left free above the words
constexpr double time_width = 150.0; ///< at the right

bool has_room(int width, int height, double top)
{
    return width >= least_width && height >= least_height &&
           top * picture_unit(height) <= most_of_height * height;
}

bool has_room(const Picture& picture, double top) { return has_room(picture.width, picture.height, top); }

/// Where the words end below: at the edge of the picture, or so far from the upper one that they fit, in
/// pixels.
double lower_end(const Picture& picture, double top, LegendPlace place)
{
    return place == LegendPlace::Below ? picture.height : (top + upper_edge) * picture_unit(picture.height);
}

/// An entry and where it stands, in units from the upper left corner of the first one.
struct EntryPlace {
    double x;
    std::size_t row;
};

struct EntryTable {
    std::vector<EntryPlace> places; ///< of those that have room; one more if others are counted
    std::size_t shown;
    std::size_t rows;
};

std::string more_text(std::size_t count) { return "and " + std::to_string(count) + " more"; }

EntryTable table_of(int width, int height, const std::vector<LegendEntry>& entries)
{
    const double u = picture_unit(height);
    const double room = width / u - 2.0 * edge - time_width;
    const auto most_rows = static_cast<std::size_t>(
        std::max(1.0, std::floor((most_of_height * height / u - time_top) / row_height) + 1.0));
    EntryTable table{{}, 0, 1};
    double x = 0.0;
    // Whether something so wide has a place, which is then taken.
    const auto take = [&](double needed) {
        if (x > 0.0 && x + needed > room) {
            if (table.rows == most_rows) return false;
            ++table.rows;
            x = 0.0;
        }
        table.places.push_back({x, table.rows - 1});
        x += needed;
        return true;
    };
    for (const LegendEntry& entry : entries) {
        if (!take(text_width(entry.name, 12.0) + 48.0)) break;
        ++table.shown;
    }
    if (table.shown == entries.size()) return table;
    // The number of the others takes the place of the last ones, as many as it needs.
    const double needed = text_width(more_text(entries.size()), 12.0);
    while (table.places.size() > 1 && table.places.back().x + needed > room &&
           table.places.back().row + 1 == table.rows && table.places.back().x > 0.0)
        table.places.pop_back();
    table.shown = table.places.size() - 1;
    return table;
}

Ink ink_of(const Color& color) { return {srgb_byte(color[0]), srgb_byte(color[1]), srgb_byte(color[2])}; }

/// Numbers of a legend have a true minus sign.
std::string label_of(double value, double step)
{
    // What is left of zero after adding up steps is not a number to show.
    if (std::abs(value) < 1e-6 * step) value = 0.0;
    std::string text = number_text(value, 6);
    if (text.starts_with('-')) text = "\u2212" + text.substr(1);
    return text;
}

struct Inks {
    Ink text, edge;
};

Inks inks_of(PictureStyle style) { return {colors_of(style).text, colors_of(style).edge}; }

/// The smallest of 1, 2 and 5 times a power of ten that goes into `width` at most `most` times.
double round_step(double width, int most)
{
    const double power = std::pow(10.0, std::floor(std::log10(width / most)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (width / (factor * power) <= most) return factor * power;
    return 10.0 * power;
}

} // namespace

std::vector<double> round_numbers(const ValueRange& range, int most)
{
    const double width = range.max - range.min;
    if (!(width > 0.0) || !std::isfinite(width) || most < 1) return {range.min};
    const double step = round_step(width, most);
    std::vector<double> numbers;
    const double slack = 1e-9 * width;
    const double first = std::ceil((range.min - slack) / step);
    for (int k = 0; k <= most && (first + k) * step <= range.max + slack; ++k)
        numbers.push_back((first + k) * step);
    return numbers;
}

ValueRange rounded_range(const ValueRange& range)
{
    const double width = range.max - range.min;
    if (!(width > 0.0) || !std::isfinite(width)) return range;
    const double step = 0.5 * round_step(width, 5);
    return {step * std::floor(range.min / step + 1e-9), step * std::ceil(range.max / step - 1e-9)};
}

void draw_legend(Picture& picture, const ColorBar& bar, PictureStyle style, LegendPlace place)
{
    if (!has_room(picture, bar_top)) return;
    const auto [text_ink, edge_ink] = inks_of(style);
    const double u = picture_unit(picture.height);
    const double width = std::min(300.0 * u, 0.38 * picture.width);
    const Vec<2> min(edge * u, lower_end(picture, bar_top, place) - 52.0 * u);
    const Vec<2> max(min[0] + width, min[1] + 13.0 * u);
    draw_rectangle(picture, min.array() - u, max.array() + u, edge_ink);
    const int begin = static_cast<int>(min[0]);
    const int end = static_cast<int>(std::ceil(max[0]));
    for (int x = begin; x < end; ++x) {
        const Vec<2> low(std::max(min[0], double(x)), min[1]);
        const Vec<2> high(std::min(max[0], x + 1.0), max[1]);
        const double t = (x + 0.5 - min[0]) / width;
        draw_rectangle(picture, low, high, ink_of(map_color(bar.map, t)));
    }

    const TextStyle text{.height = 12.0 * u, .ink = text_ink};
    const std::string title = bar.unit.empty() ? bar.title : bar.title + " (" + bar.unit + ")";
    draw_text(picture, {min[0], min[1] - 9.0 * u}, title,
              {.height = 13.0 * u, .ink = text_ink, .weight = 0.14});
    const std::vector<double> numbers = round_numbers(bar.range, 4);
    const double step = numbers.size() > 1 ? numbers[1] - numbers[0] : std::abs(numbers[0]);
    for (const double value : numbers) {
        const double x = min[0] + width * bar.range.fraction(value);
        draw_rectangle(picture, {x - 0.6 * u, max[1] + u}, {x + 0.6 * u, max[1] + 5.0 * u}, edge_ink);
        const std::string label = label_of(value, step);
        const double left = std::max(4.0 * u, x - 0.5 * text_width(label, text.height));
        draw_text(picture, {left, max[1] + 22.0 * u}, label, text);
    }
}

void draw_legend(Picture& picture, const std::vector<LegendEntry>& entries, PictureStyle style,
                 LegendPlace place)
{
    if (entries.empty() || !has_room(picture, time_top)) return;
    const auto [text_ink, edge_ink] = inks_of(style);
    const double u = picture_unit(picture.height);
    const EntryTable table = table_of(picture.width, picture.height, entries);
    const double more = row_height * (double(table.rows) - 1.0);
    const double top = lower_end(picture, time_top + more, place) - (edge + more) * u;
    const auto place_of = [&](std::size_t i) {
        const EntryPlace& at = table.places[i];
        return Vec<2>(u * (edge + at.x), top + u * row_height * double(at.row));
    };
    const TextStyle text{.height = 12.0 * u, .ink = text_ink};
    for (std::size_t i = 0; i < table.shown; ++i) {
        const Vec<2> p = place_of(i);
        draw_rectangle(picture, p + u * Vec<2>(-1.0, -14.0), p + u * Vec<2>(15.0, 2.0), edge_ink);
        draw_rectangle(picture, p + u * Vec<2>(0.0, -13.0), p + u * Vec<2>(14.0, 1.0),
                       ink_of(entries[i].color));
        draw_text(picture, p + u * Vec<2>(24.0, 0.0), entries[i].name, text);
    }
    if (table.shown < entries.size())
        draw_text(picture, place_of(table.shown), more_text(entries.size() - table.shown), text);
}

double bar_height(int width, int height)
{
    return has_room(width, height, bar_top) ? bar_top * picture_unit(height) : time_height(width, height);
}

double entries_height(int width, int height, const std::vector<LegendEntry>& entries)
{
    if (entries.empty() || !has_room(width, height, time_top)) return time_height(width, height);
    const double more = row_height * (double(table_of(width, height, entries).rows) - 1.0);
    return (time_top + more) * picture_unit(height);
}

double time_height(int width, int height)
{
    return has_room(width, height, time_top) ? time_top * picture_unit(height) : 0.0;
}

void draw_time(Picture& picture, double time, PictureStyle style, LegendPlace place)
{
    if (!has_room(picture, time_top)) return;
    const double u = picture_unit(picture.height);
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "t = %.3f s", time);
    const double height = 13.0 * u;
    const double width = text_width(text.data(), height);
    draw_text(picture, {picture.width - edge * u - width, lower_end(picture, time_top, place) - edge * u},
              text.data(), {.height = height, .ink = colors_of(style).text, .weight = 0.14});
}

} // namespace phyxel
