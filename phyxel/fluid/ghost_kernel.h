// SPDX-License-Identifier: MIT
// The kernel that solids are counted with: as radial as the kernel of the fluid, but with the density of a
// lattice instead of that of a continuum.
#pragma once

#include <phyxel/core/types.h>

#include <vector>

namespace phyxel {

/// ω_b such that its integral over a half-space at distance d is the share that a flat wall has there, which
/// is that of WallKernel: a flat solid counts exactly as the lattice that would fill it. In 3D
///
///     share(d) = ∫_d^h 2π r (r − d) ω_b(r) dr,   so   ω_b(r) = share″(r) / (2π r),
///
/// and in 2D the same with ω_b integrated along the line through the plane. What is nearer than a quarter of
/// a spacing to nothing has no share of a lattice; there ω_b is constant.
///
/// The integral of ω_b over any solid is one over its surface: F = M(r)/r^Dim · (x − y) with
/// M(r) = ∫_r^h ω_b(s) s^(Dim−1) ds has the divergence ω_b, and none of it passes the support.
///
/// In units of the support radius h of the fluid. Made for the cubic spline.
template <int Dim>
class GhostKernel {
    static_assert(Dim == 2 || Dim == 3);

public:
    /// Throws InputError unless `support_ratio`, support radius over spacing, is above 1.
    explicit GhostKernel(double support_ratio);

    /// Where ω_b becomes 0, half a spacing within the support: no lattice has a layer nearer to a wall.
    double reach() const { return reach_; }

    /// Nearer than this both functions are what they are here.
    double core() const { return core_; }

    /// What a table over u = r² has from one entry to the next: value + t · step, 0 ≤ t < 1.
    struct Entry {
        float flux, flux_step;   ///< φ(r) = M(r) / r^Dim
        float value, value_step; ///< ω_b(r)
    };

    /// Entry k begins at u = k / entries_per_square(); the last is beyond the reach and zero.
    const std::vector<Entry>& table() const { return table_; }
    double entries_per_square() const { return entries_per_square_; }

private:
    double reach_, core_, entries_per_square_;
    std::vector<Entry> table_;
};

extern template class GhostKernel<2>;
extern template class GhostKernel<3>;

} // namespace phyxel
