// SPDX-License-Identifier: MIT
// Marching squares. Around the grid lies a rim of cells without width whose outer corners are outside, so
// that every curve is closed.
#include <phyxel/core/assert.h>
#include <phyxel/render/axis_ticks.h>
#include <phyxel/render/field_chart.h>
#include <phyxel/render/legend.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>

namespace phyxel {
namespace {

/// Contours of one level of one grid.
class ContourTracer {
public:
    ContourTracer(const FieldGrid& field, double level, bool below)
        : field_(field),
          level_(level),
          sign_(below ? -1.0 : 1.0)
    {
    }

    std::vector<std::vector<Vec<2>>> trace()
    {
        for (int row = -1; row < field_.rows; ++row)
            for (int column = -1; column < field_.columns; ++column) add_cell(column, row);
        std::vector<std::vector<Vec<2>>> curves;
        while (!next_.empty()) {
            std::vector<Vec<2>> curve;
            for (auto edge = next_.begin(); edge != next_.end();) {
                curve.push_back(place_on(edge->first));
                const std::int64_t following = edge->second;
                next_.erase(edge);
                edge = next_.find(following);
            }
            curves.push_back(std::move(curve));
        }
        return curves;
    }

private:
    bool is_outer(int column, int row) const
    {
        return column < 0 || row < 0 || column >= field_.columns || row >= field_.rows;
    }

    /// How far above the level, or below it if that is asked for; the outer corners are on the other side.
    double excess(int column, int row) const
    {
        if (is_outer(column, row)) return -1.0;
        const double value = field_.at(column, row);
        return sign_ * ((std::isnan(value) ? 0.0 : value) - level_);
    }
    bool is_inside(int column, int row) const { return excess(column, row) >= 0.0; }

    /// Number of the edge from a corner to the right (along = 0) or upwards (1).
    std::int64_t edge_id(int column, int row, int along) const
    {
        return 2 * (std::int64_t(row + 1) * (field_.columns + 2) + (column + 1)) + along;
    }

    Vec<2> corner(int column, int row) const
    {
        return field_.position(std::clamp(column, 0, field_.columns - 1),
                               std::clamp(row, 0, field_.rows - 1));
    }

    Vec<2> place_on(std::int64_t edge) const
    {
        const int along = static_cast<int>(edge % 2);
        const int row = static_cast<int>((edge / 2) / (field_.columns + 2)) - 1;
        const int column = static_cast<int>((edge / 2) % (field_.columns + 2)) - 1;
        const int other_column = column + (along == 0 ? 1 : 0);
        const int other_row = row + (along == 1 ? 1 : 0);
        // Both ends of an edge of the rim are the same place.
        if (is_outer(column, row) || is_outer(other_column, other_row)) return corner(column, row);
        const double a = excess(column, row);
        const double b = excess(other_column, other_row);
        const double t = std::isfinite(a) && std::isfinite(b) ? std::clamp(a / (a - b), 0.0, 1.0) : 0.5;
        return corner(column, row) + t * (corner(other_column, other_row) - corner(column, row));
    }

    /// The pieces of curve through the cell with this lower left corner.
    void add_cell(int column, int row)
    {
        // Corners and the edges that follow them, counterclockwise.
        const std::array inside = {is_inside(column, row), is_inside(column + 1, row),
                                   is_inside(column + 1, row + 1), is_inside(column, row + 1)};
        const std::array edges = {edge_id(column, row, 0), edge_id(column + 1, row, 1),
                                  edge_id(column, row + 1, 0), edge_id(column, row, 1)};
        std::array<int, 2> leaving{}; // edges on which one goes out of the region, walking around the cell
        int count = 0;
        for (int k = 0; k < 4; ++k)
            if (inside[static_cast<std::size_t>(k)] && !inside[static_cast<std::size_t>((k + 1) % 4)])
                leaving[static_cast<std::size_t>(count++)] = k;
        for (int n = 0; n < count; ++n) {
            const int from = leaving[static_cast<std::size_t>(n)];
            // The curve comes back where the walk, onwards or backwards, enters the region again.
            const bool goes_on = count == 1 || is_center_inside(column, row);
            int to = from;
            do to = (to + (goes_on ? 1 : 3)) % 4;
            while (inside[static_cast<std::size_t>(to)] || !inside[static_cast<std::size_t>((to + 1) % 4)]);
            next_[edges[static_cast<std::size_t>(from)]] = edges[static_cast<std::size_t>(to)];
        }
    }

    bool is_center_inside(int column, int row) const
    {
        return excess(column, row) + excess(column + 1, row) + excess(column + 1, row + 1) +
                   excess(column, row + 1) >=
               0.0;
    }

    const FieldGrid& field_;
    double level_;
    double sign_;
    std::map<std::int64_t, std::int64_t> next_; ///< from edge to edge, the region to the left
};

} // namespace

std::vector<std::vector<Vec<2>>> contours(const FieldGrid& field, double level, bool below)
{
    PHYXEL_ASSERT(field.columns >= 2 && field.rows >= 2 && field.values.size() == field.index(0, field.rows));
    return ContourTracer(field, level, below).trace();
}

std::vector<double> contour_levels(const FieldGrid& field)
{
    const ValueRange range = range_of(field.values);
    const double largest = std::max(std::abs(range.min), std::abs(range.max));
    if (!(range.min <= range.max) || largest == 0.0) return {};
    const std::vector<double> marks = round_numbers({0.0, largest}, 8);
    if (marks.size() < 2) return {};
    const double step = marks[1];
    std::vector<double> levels;
    for (const double mark : marks)
        if (-mark > range.min && mark > 0.0) levels.push_back(-mark);
    std::reverse(levels.begin(), levels.end());
    constexpr double trace = 0.1; // of a step
    if (range.min < -trace * step) levels.push_back(-trace * step);
    if (range.max > trace * step) levels.push_back(trace * step);
    for (const double mark : marks)
        if (mark < range.max && mark > 0.0) levels.push_back(mark);
    return levels;
}

} // namespace phyxel
