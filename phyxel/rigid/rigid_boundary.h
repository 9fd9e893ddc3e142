// SPDX-License-Identifier: MIT
// The surface of rigid bodies as fluids feel it: points that move with the bodies, and a response that lets
// the bodies give way while a pressure against them is sought.
#pragma once

#include <phyxel/geometry/boundary.h>
#include <phyxel/geometry/surface_points.h>
#include <phyxel/geometry/surroundings.h>
#include <phyxel/rigid/rigid_solver.h>

#include <cstddef>
#include <span>
#include <vector>

namespace phyxel {

template <int Dim>
class RigidBoundary final : public BoundaryResponse<Dim> {
public:
    static constexpr int freedoms = Form<Dim>::freedoms;

    /// Points on the surface of one more body, about `spacing` [m] apart.
    void add(const RigidModel<Dim>& model, BoundaryPiece<Dim> piece, double spacing);

    std::size_t body_count() const { return surfaces_.size(); }

    /// Shows the bodies that are there as they are now. The boundary keeps a pointer to this.
    void place(const RigidSystem<Dim>& system, const RigidState<Dim>& state,
               const Surroundings<Dim>& surroundings, Boundary<Dim>& boundary);

    /// By its weight, as far as nothing holds a body.
    void coast(double dt, std::span<Vec<Dim>> changes) override;
    void respond(std::span<const Vec<Dim>> impulses, double dt, std::span<Vec<Dim>> changes) override;

    /// Adds what was done to the points to the loads of the bodies [N s], [N m s]: torques are about the
    /// centres of mass when the points were placed.
    void sum(std::span<const Vec<Dim>> impulses, std::span<ObstacleLoad<Dim>> loads) const;

private:
    /// A body that is shown.
    struct Shown {
        std::size_t body = 0;
        std::size_t first = 0, last = 0; ///< of its points
        Vec<Dim> center = Vec<Dim>::Zero();
        Mat<freedoms> response = Mat<freedoms>::Zero();
        Vec<freedoms> weight = Vec<freedoms>::Zero(); ///< a force and a torque
    };
    Vec<freedoms> sum_of(const Shown& shown, std::span<const Vec<Dim>> impulses) const;
    void move(const Shown& shown, const Vec<freedoms>& change, std::span<Vec<Dim>> changes) const;

    std::vector<SurfacePoints<Dim>> surfaces_; ///< of the bodies, at rest
    std::vector<BoundaryPiece<Dim>> pieces_;   ///< of these
    std::vector<Shown> shown_;
    std::vector<Vec<Dim>> arms_; ///< of the points that are shown, from the centres of mass [m]
};

extern template class RigidBoundary<2>;
extern template class RigidBoundary<3>;

} // namespace phyxel
