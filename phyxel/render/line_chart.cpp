// SPDX-License-Identifier: MIT
#include <phyxel/render/line_chart.h>

#include <phyxel/render/axis_ticks.h>
#include <phyxel/render/detail/clip_line.h>
#include <phyxel/render/detail/panels.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace phyxel::detail {
namespace {

/// Colours that are told apart with any colour vision [Wong11] and dark enough for print, so without yellow.
constexpr std::array<std::string_view, 7> colors = {"#000000", "#0072b2", "#d55e00", "#009e73",
                                                    "#cc79a7", "#e69f00", "#56b4e9"};
constexpr std::array<std::string_view, 5> dashes = {"", "7 3", "2 2.5", "9 3 2 3", "4 2"};

Stroke stroke_of(std::size_t curve)
{
    return {.color = colors[curve % colors.size()], .width = 1.8, .dash = dashes[curve % dashes.size()]};
}

constexpr std::size_t most_legend_entries = 14;
constexpr double legend_line = 17.0;
constexpr double legend_sample = 30.0;
constexpr double legend_padding = 6.0;

/// What the legend says, and how large it is.
struct Legend {
    std::vector<std::string> names;
    double width = 0.0;
    double height = 0.0;
};

Legend legend_of(const LineChart& chart, double most_width)
{
    Legend legend;
    const bool is_wanted = chart.has_legend && !chart.curves.empty() &&
                           (chart.curves.size() > 1 || !chart.curves.front().name.empty());
    if (!is_wanted) return legend;
    const std::size_t count = chart.curves.size();
    const std::size_t shown = count > most_legend_entries ? most_legend_entries - 1 : count;
    for (std::size_t k = 0; k < shown; ++k) legend.names.push_back(chart.curves[k].name);
    if (shown < count) legend.names.push_back("and " + std::to_string(count - shown) + " more");
    const double most_text = most_width - legend_sample - 2 * legend_padding - 6.0;
    double widest = 0.0;
    for (std::string& name : legend.names) {
        name = fitted_text(name, tick_size, most_text);
        widest = std::max(widest, text_width(name, tick_size));
    }
    legend.width = widest + legend_sample + 2 * legend_padding + 6.0;
    legend.height = legend_line * static_cast<double>(legend.names.size()) + 2 * legend_padding - 2.0;
    return legend;
}

/// Where numbers are on the page.
struct Frame {
    Rectangle area;
    ValueRange x;
    ValueRange y;

    Vec<2> place(double at_x, double at_y) const
    {
        return {area.x + area.width * x.fraction(at_x), area.bottom() - area.height * y.fraction(at_y)};
    }
};

/// The pieces of a curve between its gaps, on the page.
std::vector<std::vector<Vec<2>>> pieces_of(const Curve& curve, const Frame& frame)
{
    std::vector<std::vector<Vec<2>>> pieces(1);
    for (std::size_t k = 0; k < std::min(curve.x.size(), curve.y.size()); ++k) {
        if (std::isfinite(curve.x[k]) && std::isfinite(curve.y[k]))
            pieces.back().push_back(frame.place(curve.x[k], curve.y[k]));
        else if (!pieces.back().empty())
            pieces.emplace_back();
    }
    if (pieces.back().empty()) pieces.pop_back();
    return pieces;
}

/// Of all points in one column of pixels only the first, the lowest, the highest and the last: more would not
/// be seen, and a probe that is read every step may have a million. Points that go back in x are kept.
std::vector<Vec<2>> thinned(const std::vector<Vec<2>>& points)
{
    std::vector<Vec<2>> kept;
    for (std::size_t begin = 0; begin < points.size();) {
        const double column = std::floor(points[begin][0]);
        std::size_t end = begin + 1;
        std::size_t low = begin;
        std::size_t high = begin;
        while (end < points.size() && std::floor(points[end][0]) == column) {
            if (points[end][1] < points[low][1]) low = end;
            if (points[end][1] > points[high][1]) high = end;
            ++end;
        }
        std::array wanted = {begin, std::min(low, high), std::max(low, high), end - 1};
        for (std::size_t k = 0; k < wanted.size(); ++k)
            if (k == 0 || wanted[k] != wanted[k - 1]) kept.push_back(points[wanted[k]]);
        begin = end;
    }
    return kept;
}

using Pieces = std::vector<std::vector<std::vector<Vec<2>>>>; ///< of each curve

bool is_free(const Rectangle& box, const Pieces& pieces)
{
    for (const auto& curve : pieces)
        for (const auto& piece : curve)
            for (std::size_t k = 0; k < piece.size(); ++k)
                if (clip_line({box.x, box.y}, {box.right(), box.bottom()}, piece[k],
                              piece[k + 1 < piece.size() ? k + 1 : k]))
                    return false;
    return true;
}

/// A corner of the chart where the legend hides no curve; nothing if there is none.
const Rectangle* free_corner(std::array<Rectangle, 6>& corners, const Pieces& pieces)
{
    const auto found = std::find_if(corners.begin(), corners.end(), [&](const Rectangle& corner) {
        return is_free({corner.x - 4, corner.y - 4, corner.width + 8, corner.height + 8}, pieces);
    });
    return found == corners.end() ? nullptr : &*found;
}

std::array<Rectangle, 6> corners_of(const Rectangle& area, const Legend& legend)
{
    const double gap = 8.0;
    const double left = area.x + gap;
    const double middle = area.x + 0.5 * (area.width - legend.width);
    const double right = area.right() - gap - legend.width;
    const double top = area.y + gap;
    const double bottom = area.bottom() - gap - legend.height;
    const auto at = [&](double x, double y) { return Rectangle{x, y, legend.width, legend.height}; };
    return {at(right, top),   at(left, top),   at(right, bottom),
            at(left, bottom), at(middle, top), at(middle, bottom)};
}

void draw_legend(SvgWriter& svg, const Legend& legend, const Rectangle& box, std::size_t curve_count)
{
    const Stroke edge{.color = "#999999", .width = 0.7};
    svg.rectangle(box, "#ffffff", &edge);
    for (std::size_t k = 0; k < legend.names.size(); ++k) {
        const double y = box.y + legend_padding + legend_line * (static_cast<double>(k) + 0.5) - 1.0;
        const double x = box.x + legend_padding;
        const bool is_curve = k + 1 < legend.names.size() || curve_count == legend.names.size();
        if (is_curve) svg.line({x, y}, {x + legend_sample, y}, stroke_of(k));
        svg.text({x + legend_sample + 6.0, y + 4.0}, legend.names[k], {.size = tick_size});
    }
}

ValueRange range_of_curves(const LineChart& chart, const std::vector<double> Curve::*numbers,
                           const ChartAxis& axis)
{
    if (axis.range) return *axis.range;
    ValueRange range{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
    for (const Curve& curve : chart.curves)
        // Only points that are drawn: where one coordinate is missing, the other is not looked at.
        for (std::size_t k = 0; k < std::min(curve.x.size(), curve.y.size()); ++k) {
            if (!std::isfinite(curve.x[k]) || !std::isfinite(curve.y[k])) continue;
            range.min = std::min(range.min, (curve.*numbers)[k]);
            range.max = std::max(range.max, (curve.*numbers)[k]);
        }
    return range;
}

AxisTicks ticks_of(const LineChart& chart, const std::vector<double> Curve::*numbers, const ChartAxis& axis,
                   double margin, double pixels, double pixels_a_tick)
{
    AxisOptions options;
    options.most_ticks = std::max(3, static_cast<int>(pixels / pixels_a_tick));
    options.margin = axis.range ? 0.0 : margin;
    options.from_zero = axis.from_zero && !axis.range;
    options.whole_numbers = axis.whole_numbers;
    return choose_ticks(range_of_curves(chart, numbers, axis), options);
}

void draw_axes(SvgWriter& svg, const LineChart& chart, const Frame& frame, const AxisTicks& x,
               const AxisTicks& y)
{
    const Rectangle& area = frame.area;
    const Stroke grid{.color = grid_color, .width = 0.7};
    for (const double value : x.values) {
        const double at = frame.place(value, 0.0)[0];
        svg.line({at, area.y}, {at, area.bottom()}, grid);
    }
    for (const double value : y.values) {
        const double at = frame.place(0.0, value)[1];
        svg.line({area.x, at}, {area.right(), at}, grid);
    }
    for (std::size_t k = 0; k < x.values.size(); ++k)
        svg.text({frame.place(x.values[k], 0.0)[0], area.bottom() + 15.0}, x.labels[k],
                 {.size = tick_size, .anchor = TextAnchor::Middle});
    for (std::size_t k = 0; k < y.values.size(); ++k)
        svg.text({area.x - 6.0, frame.place(0.0, y.values[k])[1] + 4.0}, y.labels[k],
                 {.size = tick_size, .anchor = TextAnchor::End});
    const auto label = [](const ChartAxis& axis, int exponent, double room) {
        return fitted_text(axis_label(axis.label, axis.unit, exponent), label_size, room);
    };
    svg.text({area.x + 0.5 * area.width, area.bottom() + 33.0}, label(chart.x, x.exponent, area.width),
             {.size = label_size, .anchor = TextAnchor::Middle});
}

} // namespace

void draw_panel(SvgWriter& svg, const LineChart& chart, const Rectangle& panel)
{
    constexpr double below = 42.0;
    constexpr double edge = 16.0;
    Frame frame;
    frame.area.y = panel.y + title_height;
    frame.area.height = std::max(40.0, panel.height - title_height - below);
    const AxisTicks y = ticks_of(chart, &Curve::y, chart.y, 0.06, frame.area.height, 42.0);
    double widest = 0.0;
    for (const std::string& text : y.labels) widest = std::max(widest, text_width(text, tick_size));
    frame.area.x = panel.x + 26.0 + widest + 6.0;
    frame.area.width = std::max(40.0, panel.right() - edge - frame.area.x);

    Legend legend = legend_of(chart, 0.6 * frame.area.width);
    AxisTicks x = ticks_of(chart, &Curve::x, chart.x, 0.0, frame.area.width, 70.0);
    frame.x = x.range;
    frame.y = y.range;
    const auto pieces_on_page = [&] {
        Pieces pieces;
        for (const Curve& curve : chart.curves) {
            pieces.push_back(pieces_of(curve, frame));
            for (std::vector<Vec<2>>& piece : pieces.back()) piece = thinned(piece);
        }
        return pieces;
    };
    Pieces pieces = pieces_on_page();
    std::array<Rectangle, 6> corners = corners_of(frame.area, legend);
    const bool has_legend = !legend.names.empty();
    const bool fits = legend.height + 16.0 < frame.area.height && legend.width + 16.0 < frame.area.width;
    const Rectangle* corner = has_legend && fits ? free_corner(corners, pieces) : nullptr;
    Rectangle legend_box;
    if (corner != nullptr) {
        legend_box = *corner;
    } else if (has_legend) {
        // No room among the curves: beside them, where it must leave them some.
        legend = legend_of(chart, 0.45 * frame.area.width);
        frame.area.width -= legend.width + 10.0;
        x = ticks_of(chart, &Curve::x, chart.x, 0.0, frame.area.width, 70.0);
        frame.x = x.range;
        pieces = pieces_on_page();
        legend_box = {frame.area.right() + 10.0, frame.area.y, legend.width, legend.height};
    }

    draw_title(svg, {frame.area.x, panel.y, panel.right() - frame.area.x, panel.height}, chart.title);
    draw_axes(svg, chart, frame, x, y);
    svg.text({panel.x + 15.0, frame.area.y + 0.5 * frame.area.height},
             fitted_text(axis_label(chart.y.label, chart.y.unit, y.exponent), label_size,
                         frame.area.height + 30.0),
             {.size = label_size, .anchor = TextAnchor::Middle, .is_vertical = true});

    svg.begin_clip({frame.area.x, frame.area.y - 1.0, frame.area.width + 1.0, frame.area.height + 2.0});
    bool has_data = false;
    for (std::size_t k = 0; k < pieces.size(); ++k)
        for (const std::vector<Vec<2>>& piece : pieces[k]) {
            has_data = true;
            if (piece.size() > 1)
                svg.polyline(piece, stroke_of(k));
            else
                svg.circle(piece.front(), 2.4, stroke_of(k).color);
        }
    svg.end_clip();
    const Stroke axis{.color = "#000", .width = 1.0};
    svg.rectangle(frame.area, "none", &axis);
    if (!has_data)
        svg.text({frame.area.x + 0.5 * frame.area.width, frame.area.y + 0.5 * frame.area.height}, "no data",
                 {.size = label_size, .anchor = TextAnchor::Middle});
    if (has_legend) draw_legend(svg, legend, legend_box, chart.curves.size());
}

} // namespace phyxel::detail
