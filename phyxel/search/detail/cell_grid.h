// SPDX-License-Identifier: MIT
// Cells for sorting points: at least as wide as the reach of the search, numbered with x running fastest,
// so that the 3 × 3 × 3 cells around a point are nine contiguous runs of the sorted points. One and two
// dimensions are the same grid with a single layer of cells.
#pragma once

#include <phyxel/core/types.h>

#include <array>
#include <cstdint>

namespace phyxel::detail {

template <std::floating_point Real>
struct CellGrid {
    std::array<Real, 3> origin{};
    std::array<Real, 3> inverse_edge{};
    std::array<Real, 3> period{};        ///< 0 along axes that do not repeat
    std::array<std::int64_t, 3> count{}; ///< cells along each axis, without padding
    std::array<std::int64_t, 3> pad{};   ///< 1 along axes in use: a layer of empty cells on both sides
    std::array<std::uint64_t, 3> stride{};
    std::uint64_t key_count = 0; ///< cells including padding

    bool is_periodic(int axis) const { return period[axis] > 0; }
    bool is_periodic() const { return is_periodic(0) || is_periodic(1) || is_periodic(2); }

    /// Cell along one axis. Rounding in the last place may put a point just outside.
    std::int64_t cell_along(int axis, Real coordinate) const
    {
        const auto cell = static_cast<std::int64_t>((coordinate - origin[axis]) * inverse_edge[axis]);
        return cell < 0 ? 0 : cell < count[axis] ? cell : count[axis] - 1;
    }

    std::uint64_t key(std::int64_t x, std::int64_t y, std::int64_t z) const
    {
        return static_cast<std::uint64_t>(x + pad[0]) + static_cast<std::uint64_t>(y + pad[1]) * stride[1] +
               static_cast<std::uint64_t>(z + pad[2]) * stride[2];
    }

    std::uint64_t key_of(Real x, Real y, Real z) const
    {
        return key(cell_along(0, x), cell_along(1, y), cell_along(2, z));
    }

    std::array<std::int64_t, 3> cell_of(std::uint64_t key) const
    {
        const std::uint64_t z = key / stride[2];
        const std::uint64_t y = (key - z * stride[2]) / stride[1];
        const std::uint64_t x = key - z * stride[2] - y * stride[1];
        return {static_cast<std::int64_t>(x) - pad[0], static_cast<std::int64_t>(y) - pad[1],
                static_cast<std::int64_t>(z) - pad[2]};
    }
};

/// Smallest box around some points.
template <std::floating_point Real>
struct Bounds {
    std::array<Real, 3> min{};
    std::array<Real, 3> max{};
};

/// A grid over `bounds` whose cells are wide enough that points within `reach` of each other, as computed
/// in `Real`, lie in the same or in adjoining cells. Throws InputError if the extent overflows.
template <std::floating_point Real>
CellGrid<Real> make_cell_grid(int dimension, const Bounds<Real>& bounds, const std::array<Real, 3>& period,
                              Real reach);

extern template CellGrid<float> make_cell_grid(int, const Bounds<float>&, const std::array<float, 3>&, float);
extern template CellGrid<double> make_cell_grid(int, const Bounds<double>&, const std::array<double, 3>&,
                                                double);

} // namespace phyxel::detail
