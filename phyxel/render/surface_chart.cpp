// SPDX-License-Identifier: MIT
#include <phyxel/core/error.h>
#include <phyxel/render/axis_ticks.h>
#include <phyxel/render/detail/clip_line.h>
#include <phyxel/render/detail/panels.h>
#include <phyxel/render/field_chart.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace phyxel::detail {
namespace {

/// Looks at the unit square from the front and a little from the right, from above.
class View {
public:
    /// `lowest` and `highest` are heights in units of the side of the square.
    View(const Rectangle& area, double lowest, double highest)
    {
        constexpr double turn = 35.0 * std::numbers::pi / 180.0;
        constexpr double tilt = 26.0 * std::numbers::pi / 180.0;
        right_ = Vec<3>(std::cos(turn), std::sin(turn), 0.0);
        up_ = Vec<3>(-std::sin(turn) * std::sin(tilt), std::cos(turn) * std::sin(tilt), std::cos(tilt));
        Vec<2> min = Vec<2>::Constant(1e9);
        Vec<2> max = Vec<2>::Constant(-1e9);
        for (int corner = 0; corner < 8; ++corner) {
            const Vec<2> at =
                flat(Vec<3>(corner & 1, (corner >> 1) & 1, (corner & 4) != 0 ? highest : lowest));
            min = min.cwiseMin(at);
            max = max.cwiseMax(at);
        }
        scale_ = std::min(area.width / (max[0] - min[0]), area.height / (max[1] - min[1]));
        origin_ = Vec<2>(area.x + 0.5 * (area.width - scale_ * (min[0] + max[0])),
                         area.y + 0.5 * (area.height + scale_ * (min[1] + max[1])));
    }

    /// A point with x and y between 0 and 1, on the page.
    Vec<2> place(const Vec<3>& x) const
    {
        const Vec<2> at = scale_ * flat(x);
        return {origin_[0] + at[0], origin_[1] - at[1]};
    }

private:
    Vec<2> flat(const Vec<3>& x) const { return {right_.dot(x), up_.dot(x)}; }

    Vec<3> right_;
    Vec<3> up_;
    double scale_ = 1.0;
    Vec<2> origin_ = Vec<2>::Zero();
};

} // namespace

void draw_panel(SvgWriter& svg, const SurfaceChart& chart, const Rectangle& panel)
{
    const FieldGrid& field = chart.field;
    if (field.columns < 2 || field.rows < 2 || field.values.size() != field.index(0, field.rows))
        throw InputError("a surface to draw needs a grid of at least 2 × 2 values");
    draw_title(svg, {panel.x + 10.0, panel.y, panel.width - 10.0, panel.height}, chart.title);

    const AxisTicks ticks = choose_ticks(range_of(field.values), {.most_ticks = 4, .from_zero = true});
    constexpr double most_height = 0.75; // in units of the side of the square
    const double size = std::max(std::abs(ticks.range.min), std::abs(ticks.range.max));
    const double full = ticks.range.fraction(ticks.range.max) - ticks.range.fraction(0.0);
    const auto height = [&](double value) {
        if (!std::isfinite(value)) value = 0.0;
        return most_height * (ticks.range.fraction(value) - ticks.range.fraction(0.0));
    };
    const double lowest = height(ticks.range.min);
    const View view(
        {panel.x + 50.0, panel.y + title_height, panel.width - 66.0, panel.height - title_height - 10.0},
        lowest, most_height * full);

    // The ground and the axis at its left corner.
    const std::array ground = {view.place({0, 0, 0}), view.place({1, 0, 0}), view.place({1, 1, 0}),
                               view.place({0, 1, 0})};
    const Stroke thin{.color = "#888888", .width = 0.7};
    svg.polygon(ground, "#f6f6f6", &thin);

    // From the back to the front, so that what is nearer hides what is behind it.
    const Stroke mesh{.color = "#36424f", .width = 0.35};
    for (int row = field.rows - 2; row >= 0; --row)
        for (int column = 0; column + 1 < field.columns; ++column) {
            std::array<Vec<2>, 4> corners;
            double sum = 0.0;
            bool is_flat = true;
            constexpr std::array<std::array<int, 2>, 4> around = {{{0, 0}, {1, 0}, {1, 1}, {0, 1}}};
            for (std::size_t k = 0; k < 4; ++k) {
                const int c = column + around[k][0];
                const int r = row + around[k][1];
                const double value = field.at(c, r);
                corners[k] = view.place(
                    {double(c) / (field.columns - 1), double(r) / (field.rows - 1), height(value)});
                sum += std::isfinite(value) ? value / (4.0 * size) : 0.0;
                is_flat = is_flat && (value == 0.0 || std::isnan(value));
            }
            if (!is_flat) svg.polygon(corners, field_color(sum), &mesh);
        }
    for (const ChartLine& line : chart.lines) {
        const auto on_ground = [&](const Vec<2>& x) {
            const Vec<2> share = (x - field.min).cwiseQuotient(field.max - field.min);
            return view.place({share[0], share[1], 0.0});
        };
        const Vec<2> way = line.to - line.from;
        if (const auto part = clip_line(field.min, field.max, line.from, line.to))
            svg.line(on_ground(line.from + part->begin * way), on_ground(line.from + part->end * way),
                     {.color = "#000000", .width = 2.2});
    }

    const Stroke axis{.color = "#000", .width = 1.0};
    svg.line(view.place({0, 0, lowest}), view.place({0, 0, most_height * full}), axis);
    for (std::size_t k = 0; k < ticks.values.size(); ++k) {
        const Vec<2> at = view.place({0, 0, height(ticks.values[k])});
        svg.line(at, at - Vec<2>(4, 0), axis);
        svg.text(at + Vec<2>(-7, 3.5), ticks.labels[k], {.size = tick_size - 1, .anchor = TextAnchor::End});
    }
    svg.text(view.place({0, 0, most_height * full}) + Vec<2>(0, -8),
             axis_label(chart.label, "", ticks.exponent), {.size = label_size, .anchor = TextAnchor::Middle});
}

} // namespace phyxel::detail
