// SPDX-License-Identifier: MIT
#include <phyxel/search/detail/cell_grid.h>

#include <phyxel/core/error.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace phyxel::detail {
namespace {

constexpr double max_key_count = 4e18;

} // namespace

template <std::floating_point Real>
CellGrid<Real> make_cell_grid(int dimension, const Bounds<Real>& bounds, const std::array<Real, 3>& period,
                              Real reach)
{
    std::array<double, 3> extent{};
    for (int k = 0; k < dimension; ++k) {
        extent[k] = period[k] > 0 ? double(period[k]) : double(bounds.max[k]) - double(bounds.min[k]);
        if (!(extent[k] <= double(std::numeric_limits<Real>::max())))
            throw InputError("points are too far apart: their distance overflows");
    }

    // A cell number is rounded three times, each time by at most half a unit in the last place of a number
    // as large as the count of cells: cells this much wider than the reach absorb it. Cells may be wider
    // still, and are in domains so huge that they could not be numbered otherwise.
    const double epsilon = std::numeric_limits<Real>::epsilon();
    std::array<double, 3> edge{}, count{1, 1, 1};
    double width = double(reach);
    for (double keys = max_key_count; keys >= max_key_count; width *= 2) {
        keys = 1;
        for (int k = 0; k < dimension; ++k) {
            edge[k] = width * (1.0 + 4.0 * epsilon * (2.0 + extent[k] / width));
            count[k] = period[k] > 0 ? std::max(1.0, std::floor(extent[k] / edge[k]))
                                     : std::floor(extent[k] / edge[k]) + 1.0;
            if (period[k] > 0) edge[k] = extent[k] / count[k];
            keys *= count[k] + 2.0;
        }
    }

    CellGrid<Real> grid;
    grid.period = period;
    for (int k = 0; k < 3; ++k) {
        grid.count[k] = static_cast<std::int64_t>(count[k]);
        if (k >= dimension) continue;
        grid.pad[k] = 1;
        grid.origin[k] = bounds.min[k];
        grid.inverse_edge[k] = static_cast<Real>(1.0 / edge[k]);
    }
    grid.stride = {1, static_cast<std::uint64_t>(grid.count[0] + 2 * grid.pad[0]), 0};
    grid.stride[2] = grid.stride[1] * static_cast<std::uint64_t>(grid.count[1] + 2 * grid.pad[1]);
    grid.key_count = grid.stride[2] * static_cast<std::uint64_t>(grid.count[2] + 2 * grid.pad[2]);
    return grid;
}

template CellGrid<float> make_cell_grid(int, const Bounds<float>&, const std::array<float, 3>&, float);
template CellGrid<double> make_cell_grid(int, const Bounds<double>&, const std::array<double, 3>&, double);

} // namespace phyxel::detail
