// SPDX-License-Identifier: MIT
#include <phyxel/render/field_chart.h>

#include <phyxel/core/error.h>
#include <phyxel/core/number_text.h>
#include <phyxel/render/axis_ticks.h>
#include <phyxel/render/detail/panels.h>
#include <phyxel/render/image.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>

namespace phyxel::detail {
namespace {

/// From white to dark, in steps that look alike.
constexpr std::array<std::uint32_t, 6> blues = {0xffffff, 0xd3e5f3, 0x9dc9e3, 0x5aa3cf, 0x2676b7, 0x0b4083};
constexpr std::array<std::uint32_t, 6> oranges = {0xffffff, 0xfde3cb, 0xfdbe85, 0xf58b43, 0xd9601e, 0x8c3405};

double channel(std::uint32_t rgb, int k) { return (rgb >> (16 - 8 * k)) & 0xffu; }

std::string hex(std::uint32_t rgb)
{
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text = "#";
    for (int shift = 20; shift >= 0; shift -= 4) text += digits[(rgb >> shift) & 0xfu];
    return text;
}

void check_field(const FieldGrid& field)
{
    if (field.columns < 2 || field.rows < 2 || field.values.size() != field.index(0, field.rows) ||
        !(field.min.array() < field.max.array()).all())
        throw InputError("a field to draw needs a grid of at least 2 × 2 values and some size");
}

/// A number beside a colour or a height, with a true minus sign.
std::string value_label(double value)
{
    std::string text = number_text(value, 4);
    if (text.starts_with('-')) text = "\u2212" + text.substr(1);
    return text;
}

/// The closed curves as a path of SVG.
std::string path_of(const std::vector<std::vector<Vec<2>>>& curves, const auto& place)
{
    std::string path;
    for (const std::vector<Vec<2>>& curve : curves) {
        path += "M";
        std::string last;
        for (const Vec<2>& x : curve) {
            std::string point;
            // A tenth of a pixel is not seen, and halves the file.
            const Vec<2> rounded = (10.0 * place(x)).array().round() / 10.0;
            append_point(point, rounded);
            if (point != last) path += point;
            last = std::move(point);
        }
        path += "Z";
    }
    return path;
}

/// The bands between levels, from the lowest: what is between levels k − 1 and k has number k.
struct Bands {
    std::vector<double> levels;
    std::size_t first_positive = 0; ///< of the levels

    explicit Bands(std::vector<double> all) : levels(std::move(all))
    {
        first_positive = static_cast<std::size_t>(
            std::find_if(levels.begin(), levels.end(), [](double level) { return level > 0.0; }) -
            levels.begin());
    }

    std::string color(std::size_t band) const
    {
        const double count = static_cast<double>(std::max(first_positive, levels.size() - first_positive));
        const double number = static_cast<double>(band) - static_cast<double>(first_positive);
        return field_color(number / count);
    }
};

void draw_bands(SvgWriter& svg, const FieldGrid& field, const Bands& bands, const auto& place)
{
    const Stroke line{.color = "#3b3b3b", .width = 0.4};
    const Stroke negative{.color = "#3b3b3b", .width = 0.5, .dash = "2.5 1.5"};
    for (std::size_t k = bands.first_positive; k < bands.levels.size(); ++k)
        svg.path(path_of(contours(field, bands.levels[k]), place), bands.color(k + 1), &line);
    for (std::size_t k = bands.first_positive; k-- > 0;)
        svg.path(path_of(contours(field, bands.levels[k], true), place), bands.color(k), &negative);
}

/// A column of the colours, with the levels beside it.
void draw_bar(SvgWriter& svg, const Bands& bands, const Rectangle& area)
{
    const double step = area.height / static_cast<double>(bands.levels.size() + 1);
    for (std::size_t band = 0; band <= bands.levels.size(); ++band) {
        const double y = area.bottom() - step * static_cast<double>(band + 1);
        svg.rectangle({area.x, y, area.width, step}, bands.color(band));
        if (band < bands.levels.size())
            svg.text({area.right() + 5.0, y + 3.5}, value_label(bands.levels[band]), {.size = tick_size - 1});
    }
    const Stroke edge{.color = "#000", .width = 0.7};
    svg.rectangle(area, "none", &edge);
}

void draw_line(SvgWriter& svg, const ChartLine& line, const auto& place)
{
    const Vec<2> from = place(line.from);
    const Vec<2> to = place(line.to);
    if (line.kind == ChartLine::Kind::Crack) {
        svg.line(from, to, {.color = "#ffffff", .width = 5.0});
        svg.line(from, to, {.color = "#000000", .width = 2.6});
    } else if (line.kind == ChartLine::Kind::Sight) {
        svg.line(from, to, {.color = "#000000", .width = 1.0, .dash = "4 3"});
    } else {
        svg.line(from, to, {.color = "#000000", .width = 1.0});
        const Vec<2> way = to - from;
        const double length = way.norm();
        if (length == 0.0) return;
        const Vec<2> tick = 3.5 / length * Vec<2>(-way[1], way[0]);
        svg.line(from - tick, from + tick, {});
        svg.line(to - tick, to + tick, {});
    }
}

void draw_cross(SvgWriter& svg, const Vec<2>& at)
{
    for (const Vec<2>& arm : {Vec<2>(4, 4), Vec<2>(4, -4)}) {
        svg.line(at - arm, at + arm, {.color = "#ffffff", .width = 3.4});
        svg.line(at - arm, at + arm, {.color = "#000000", .width = 1.5});
    }
}

} // namespace

std::string field_color(double share)
{
    const auto& ramp = share < 0 ? oranges : blues;
    const double at = std::clamp(std::abs(share), 0.0, 1.0) * static_cast<double>(ramp.size() - 1);
    const auto below = std::min(static_cast<std::size_t>(at), ramp.size() - 2);
    const double weight = at - static_cast<double>(below);
    std::uint32_t rgb = 0;
    for (int k = 0; k < 3; ++k) {
        const double mixed = (1 - weight) * channel(ramp[below], k) + weight * channel(ramp[below + 1], k);
        rgb = (rgb << 8) | static_cast<std::uint32_t>(std::lround(mixed));
    }
    return hex(rgb);
}

void draw_title(SvgWriter& svg, const Rectangle& area, std::string_view title)
{
    svg.text({area.x, area.y + 17.0}, fitted_text(title, title_size, 0.92 * (area.width - 8.0)),
             {.size = title_size, .is_bold = true});
}

void draw_panel(SvgWriter& svg, const FieldChart& chart, const Rectangle& panel)
{
    check_field(chart.field);
    const FieldGrid& field = chart.field;
    constexpr double edge = 10.0;
    constexpr double bar_room = 62.0;
    const Vec<2> size = field.max - field.min;
    const double scale = std::min((panel.width - 2 * edge - bar_room) / size[0],
                                  (panel.height - title_height - edge) / size[1]);
    const Rectangle area{panel.x + edge, panel.y + title_height, scale * size[0], scale * size[1]};
    const auto place = [&](const Vec<2>& x) {
        return Vec<2>(area.x + scale * (x[0] - field.min[0]), area.bottom() - scale * (x[1] - field.min[1]));
    };

    draw_title(svg, {area.x, panel.y, panel.right() - area.x, panel.height}, chart.title);
    const Bands bands(chart.levels.empty() ? contour_levels(field) : chart.levels);
    svg.begin_clip(area);
    draw_bands(svg, field, bands, place);
    for (const Vec<2>& x : chart.points) svg.circle(place(x), 1.3, "#222222");
    const Stroke ring{.color = "#8c3405", .width = 1.1};
    for (const Vec<2>& x : chart.new_points) svg.circle(place(x), 1.9, "#ffffff", &ring);
    const Stroke dashed{.color = "#000000", .width = 0.8, .dash = "4 3"};
    for (const ChartCircle& circle : chart.circles)
        svg.circle(place(circle.center), scale * circle.radius, "none", &dashed);
    for (const ChartLine& line : chart.lines) draw_line(svg, line, place);
    if (chart.cross) draw_cross(svg, place(*chart.cross));
    svg.end_clip();
    for (const ChartNote& note : chart.notes)
        svg.text(place(note.at), note.text, {.size = label_size, .halo = "#ffffff"});
    const Stroke frame{.color = "#000", .width = 1.0};
    svg.rectangle(area, "none", &frame);
    // One level alone needs no explanation.
    if (bands.levels.size() > 1) draw_bar(svg, bands, {area.right() + 12.0, area.y, 12.0, area.height});
}

} // namespace phyxel::detail
