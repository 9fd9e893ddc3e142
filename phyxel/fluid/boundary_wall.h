// SPDX-License-Identifier: MIT
// The boundary of another body as the fluid sees it. The same integrals as those over the ghosts of
// obstacles, but over points that have moved since the last step, and with a list of who gave what: that is
// to whom the push of the fluid goes.
#pragma once

#include <phyxel/core/types.h>
#include <phyxel/fluid/ghost_kernel.h>
#include <phyxel/geometry/boundary.h>
#include <phyxel/geometry/surroundings.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace phyxel {

/// A point of a boundary and what of a particle's push is its own; together these are 1.
struct BoundaryWeight {
    Index point;
    double weight;
};

/// What a place has of a boundary.
template <int Dim>
struct BoundarySight {
    double share = 0.0;                   ///< of the density there, if what the boundary hides were fluid
    Vec<Dim> push = Vec<Dim>::Zero();     ///< −∇ of that share, but for the rim of what is hidden [1/m]
    Vec<Dim> normal = Vec<Dim>::Zero();   ///< of the nearest piece that faces the place
    Vec<Dim> velocity = Vec<Dim>::Zero(); ///< [m/s]
    WallSurface<Dim> surface = {};        ///< of that piece
    double distance = std::numeric_limits<double>::infinity(); ///< of the nearest piece within reach [m]

    bool is_near() const { return distance < std::numeric_limits<double>::infinity(); }
};

/// A wall in the way of a particle.
template <int Dim>
struct BoundaryStop {
    Index point;
    Vec<Dim> normal;
    double height; ///< above it at the end of the step [m]
};

/// With d = x − y from a point y to the place x,
///
///     share(x) = ∮ M(r)/r^Dim d · n dA,   push(x) = ∮ ω_b(r) n dA
///
/// as for GhostWall, but without what faces away on the far side of a thin body: share is then what the body
/// hides from x, with all that is behind it. Fluid behind it is no neighbour of that at x, so nothing is
/// counted twice.
template <int Dim>
class BoundaryWall {
public:
    explicit BoundaryWall(double support_ratio);

    /// Takes the boundary as it is now, for particles of supports up to `support_radius` [m] within the
    /// domain. It must stay.
    void place(const Boundary<Dim>& boundary, double support_radius, const Domain<Dim>& domain = {});

    bool may_reach(const Vec<Dim>& x) const
    {
        return near_.contains(x) && is_near_cell_[cell_number(x)] != 0;
    }

    /// What a particle at x with this support has of the boundary, but for the pieces that it does not feel;
    /// `weights`, if given, gets who gave it.
    BoundarySight<Dim> at(const Vec<Dim>& x, double support_radius,
                          std::vector<BoundaryWeight>* weights = nullptr,
                          std::span<const std::uint32_t> unfelt = {}) const;

    /// The piece that a particle which saw the boundary with this normal is nearest to after a step of `dt`
    /// [s], if that is below `least` [m] above it.
    std::optional<BoundaryStop<Dim>> stop(const Vec<Dim>& x, const Vec<Dim>& velocity, const Vec<Dim>& normal,
                                          double spacing, double least, double dt,
                                          std::span<const std::uint32_t> unfelt = {}) const;

private:
    std::int64_t cell_along(const Vec<Dim>& x, int axis) const
    {
        const auto cell = static_cast<std::int64_t>((x[axis] - near_.min[axis]) / cell_edge_);
        return std::clamp<std::int64_t>(cell, 0, cells_[axis] - 1);
    }
    std::size_t cell_number(const Vec<Dim>& x) const
    {
        std::int64_t number = 0;
        for (int k = Dim - 1; k >= 0; --k) number = number * cells_[k] + cell_along(x, k);
        return static_cast<std::size_t>(number);
    }
    void find_images(double reach, const Domain<Dim>& domain);
    void sort_into_cells(double reach);
    /// Numbers in `points_` of those within `radius` [m], which is at most the reach, in a fixed order, but
    /// for those of some pieces.
    void find_near(const Vec<Dim>& x, double radius, std::span<const std::uint32_t> unfelt,
                   std::vector<Index>& near) const;
    void sum(const Vec<Dim>& x, double support_radius, const std::vector<Index>& near,
             BoundarySight<Dim>& sight, std::vector<BoundaryWeight>* weights) const;

    GhostKernel<Dim> kernel_;
    double support_ratio_;
    const Boundary<Dim>* boundary_ = nullptr;
    Box<Dim> near_; ///< what is outside has no point within reach
    // The points by cells of this box, which are at least as wide as the reach: particles are many, and most
    // of the box may be far from all points.
    Eigen::Matrix<std::int64_t, Dim, 1> cells_ = Eigen::Matrix<std::int64_t, Dim, 1>::Zero();
    double cell_edge_ = 0.0;           ///< [m]
    std::vector<Index> first_of_cell_; ///< and the end of the last
    std::vector<Index> points_;        ///< in the order of the cells, and of their numbers in each
    std::vector<Vec<Dim>> places_;     ///< of these [m]
    /// Points and their places that count: all as they are, or in a periodic domain every image in reach.
    std::vector<Index> image_of_;
    std::vector<Vec<Dim>> images_;
    std::vector<std::uint8_t> is_near_cell_; ///< it or one beside it has a point
};

extern template class BoundaryWall<2>;
extern template class BoundaryWall<3>;

} // namespace phyxel
