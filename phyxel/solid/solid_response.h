// SPDX-License-Identifier: MIT
// How the surface of solids gives way within a step, for whoever pushes against it.
#pragma once

#include <phyxel/geometry/boundary.h>
#include <phyxel/geometry/surroundings.h>
#include <phyxel/solid/solid_boundary.h>
#include <phyxel/solid/solid_solver.h>

#include <cstdint>
#include <span>
#include <vector>

namespace phyxel {

/// A guess, and symmetric: with the projection R that makes rigid motion of momentum, solid by solid, and S,
/// which lets every phyxel move by itself against the stiffness around it,
///
///     Δv = (R + (1 − R M) S (1 − M R)) J.
///
/// So a light solid as a whole gives way as it will, however stiff it is, and its surface more the softer it
/// is. What is held, or lies on a wall, stays; a solid with such a phyxel has no rigid motion.
template <int Dim>
class SolidResponse final : public BoundaryResponse<Dim> {
public:
    /// For a boundary that is shown now; all of these must outlive it.
    void show(const SolidModel<Dim>& model, const SolidState<Dim>& state, const SolidBoundary<Dim>& boundary,
              SolidSolver<Dim>& solver, const Surroundings<Dim>& surroundings);

    void focus(std::span<const Index> points) override;
    void coast(double dt, std::span<Vec<Dim>> changes) override;
    void respond(std::span<const Vec<Dim>> impulses, double dt, std::span<Vec<Dim>> changes) override;

private:
    /// Rigid motion of a solid that nothing holds.
    struct Rigid {
        bool is_free = false;
        double mass = 0.0;
        Vec<Dim> center = Vec<Dim>::Zero();
        Mat<3> inverse_inertia = Mat<3>::Zero();
    };
    void prepare();
    void move(double dt, std::span<Vec<Dim>> changes);
    void add_rigid(double factor, std::span<const Vec<Dim>> momenta, std::span<Vec<Dim>> velocities) const;

    const SolidModel<Dim>* model_ = nullptr;
    const SolidState<Dim>* state_ = nullptr;
    const SolidBoundary<Dim>* boundary_ = nullptr;
    SolidSolver<Dim>* solver_ = nullptr;
    const Surroundings<Dim>* surroundings_ = nullptr;

    typename SolidBoundary<Dim>::Selection pushed_;

    // Of the present state, once somebody asks.
    bool is_prepared_ = false;
    std::vector<Rigid> rigid_; ///< of the parts
    std::vector<std::uint8_t> is_stopped_;
    std::vector<Vec<Dim>> forces_;
    std::vector<Vec<Dim>> impulses_, velocities_, momenta_; ///< of the phyxels
};

extern template class SolidResponse<2>;
extern template class SolidResponse<3>;

} // namespace phyxel
