// SPDX-License-Identifier: MIT
// How the phyxels of a body moved from one moment to another, at any place beside them [MKN*04, Eq. 27]:
//
//     u(x) = Σ_i w_i (u_i + ∇u_i (x − x_i)) / Σ_i w_i
//
// Nothing of it is tied to a state of rest, so that what forgets its own can be followed as well.
#pragma once

#include <phyxel/core/types.h>
#include <phyxel/search/kd_tree.h>
#include <phyxel/surface/detail/point_grid.h>

#include <span>
#include <vector>

namespace phyxel::detail {

/// A normal of unit length after a motion with this gradient.
Vec<3> carried_normal(const Mat<3>& gradient, const Vec<3>& normal);

/// Weights are (1 − r²/reach²)³, as a Gaussian that ends at its width leaves a step.
class PhyxelMotion {
public:
    struct Displacement {
        Vec<3> way = Vec<3>::Zero();      ///< u [m]
        Mat<3> gradient = Mat<3>::Zero(); ///< ∇u, row = component
    };

    /// The same phyxels before and after.
    PhyxelMotion(std::span<const Vec<3>> before, std::span<const Vec<3>> after, double reach);

    /// Of a place of the surface before, with its outward normal. Phyxels that lie outwards, such as those of
    /// another piece, do not carry it.
    Displacement at(const Vec<3>& x, const Vec<3>& normal) const;

private:
    double reach_;
    std::vector<Vec<3>> before_;
    std::vector<Displacement> moved_; ///< of the phyxels
    PointGrid grid_;
    KdTree<3> tree_; ///< for places that no phyxel reaches
};

/// The motion of phyxels from moment to moment.
class PhyxelPath {
public:
    /// The same phyxels before, in between, one moment after the other, and after.
    PhyxelPath(std::span<const Vec<3>> before, std::span<const std::vector<Vec<3>>> between,
               std::span<const Vec<3>> after, double reach);

    struct Carried {
        Vec<3> x, normal;
        double shear = 0.0; ///< Green's strain without its trace, summed over the moments
    };
    /// A place of the surface before, with its outward normal.
    Carried carry(const Vec<3>& x, const Vec<3>& normal) const;

private:
    std::vector<PhyxelMotion> motions_;
};

} // namespace phyxel::detail
