// SPDX-License-Identifier: MIT
// The surface of the solids as other bodies feel it.
#pragma once

#include <phyxel/geometry/boundary.h>
#include <phyxel/geometry/surface_points.h>
#include <phyxel/geometry/surroundings.h>
#include <phyxel/kinds/solid/detail/body_cracks.h>
#include <phyxel/kinds/solid/detail/body_parts.h>
#include <phyxel/solid/solid_boundary.h>
#include <phyxel/solid/solid_response.h>
#include <phyxel/solid/solid_solver.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace phyxel {

template <int Dim>
class BodyBoundary {
public:
    /// Both must outlive it.
    BodyBoundary(const BodyParts<Dim>& parts, const BodyCracks<Dim>& cracks) : parts_(parts), cracks_(cracks)
    {
    }

    void add(const std::string& part, const WallSurface<Dim>& surface)
    {
        pieces_.push_back({part, surface});
        forget();
    }
    /// After the shape at rest has changed.
    void forget()
    {
        points_.reset();
        surfaces_.clear();
    }

    /// With points this far from each other [m].
    void show(double spacing, SolidSolver<Dim>& solver, Boundary<Dim>& boundary,
              const Surroundings<Dim>& surroundings);
    /// What the phyxels are pushed with for impulses at the points, in a step of `dt` [s], [N].
    std::vector<Vec<Dim>> pushes(std::span<const Vec<Dim>> impulses, double dt) const;

private:
    void make(double spacing);
    bool have_cracks_grown() const;

    const BodyParts<Dim>& parts_;
    const BodyCracks<Dim>& cracks_;
    std::vector<SurfacePoints<Dim>> surfaces_; ///< of the parts without their cracks
    std::vector<std::uint64_t> versions_;      ///< of the cracks that are in the points
    std::vector<BoundaryPiece<Dim>> pieces_;   ///< that the parts are of the boundary
    std::optional<SolidBoundary<Dim>> points_; ///< once somebody wants to feel it
    double spacing_ = 0.0;                     ///< of the points [m]
    SolidResponse<Dim> response_;
};

extern template class BodyBoundary<2>;
extern template class BodyBoundary<3>;

} // namespace phyxel
