// SPDX-License-Identifier: MIT
#include <phyxel/core/number_text.h>
#include <phyxel/render/legend.h>
#include <phyxel/render/stroke_text.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace phyxel {
namespace {

/// Pictures smaller than this have no room for words.
constexpr int least_width = 200;
constexpr int least_height = 120;

double unit_of(const Picture& picture) { return std::max(1.0, picture.height / 720.0); }

bool has_room(const Picture& picture)
{
    return picture.width >= least_width && picture.height >= least_height;
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

void draw_legend(Picture& picture, const ColorBar& bar, PictureStyle style)
{
    if (!has_room(picture)) return;
    const auto [text_ink, edge] = inks_of(style);
    const double u = unit_of(picture);
    const double width = std::min(300.0 * u, 0.5 * picture.width);
    const Vec<2> min(28.0 * u, picture.height - 52.0 * u);
    const Vec<2> max(min[0] + width, min[1] + 13.0 * u);
    draw_rectangle(picture, min.array() - u, max.array() + u, edge);
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
        draw_rectangle(picture, {x - 0.6 * u, max[1] + u}, {x + 0.6 * u, max[1] + 5.0 * u}, edge);
        const std::string label = label_of(value, step);
        const double left = std::max(4.0 * u, x - 0.5 * text_width(label, text.height));
        draw_text(picture, {left, max[1] + 22.0 * u}, label, text);
    }
}

void draw_legend(Picture& picture, const std::vector<LegendEntry>& entries, PictureStyle style)
{
    if (!has_room(picture)) return;
    const auto [text_ink, edge] = inks_of(style);
    const double u = unit_of(picture);
    double y = picture.height - 28.0 * u - 24.0 * u * (double(entries.size()) - 1.0);
    for (const LegendEntry& entry : entries) {
        const double x = 28.0 * u;
        draw_rectangle(picture, {x - u, y - 14.0 * u}, {x + 15.0 * u, y + 2.0 * u}, edge);
        draw_rectangle(picture, {x, y - 13.0 * u}, {x + 14.0 * u, y + u}, ink_of(entry.color));
        draw_text(picture, {x + 24.0 * u, y}, entry.name, {.height = 12.0 * u, .ink = text_ink});
        y += 24.0 * u;
    }
}

void draw_time(Picture& picture, double time, PictureStyle style)
{
    if (!has_room(picture)) return;
    const double u = unit_of(picture);
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "t = %.3f s", time);
    const double height = 13.0 * u;
    const double width = text_width(text.data(), height);
    draw_text(picture, {picture.width - 28.0 * u - width, picture.height - 28.0 * u}, text.data(),
              {.height = height, .ink = colors_of(style).text, .weight = 0.14});
}

} // namespace phyxel
