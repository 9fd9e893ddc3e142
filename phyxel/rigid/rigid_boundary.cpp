// SPDX-License-Identifier: MIT
#include <phyxel/rigid/rigid_boundary.h>

#include <phyxel/core/ordered_sum.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/geometry/rigid_motion.h>
#include <phyxel/rigid/rigid_response.h>

namespace phyxel {

template <int Dim>
void RigidBoundary<Dim>::add(const RigidModel<Dim>& model, BoundaryPiece<Dim> piece, double spacing)
{
    pieces_.push_back(std::move(piece));
    surfaces_.push_back(surface_points(model.shape, spacing));
}

template <int Dim>
void RigidBoundary<Dim>::place(const RigidSystem<Dim>& system, const RigidState<Dim>& state,
                               const Surroundings<Dim>& surroundings, Boundary<Dim>& boundary)
{
    shown_.clear();
    std::size_t count = 0;
    for (std::size_t n = 0; n < surfaces_.size(); ++n) {
        if (system.is_there[n] == 0) continue;
        Shown shown;
        shown.body = n;
        shown.first = count;
        shown.last = count += surfaces_[n].position.size();
        shown.center = state.position[n];
        if (system.fault != Fault::NoResponse) shown.response = response_of(system, state, n);
        shown.weight.template head<Dim>() =
            system.models[n].mass.mass * surroundings.acceleration_at(state.position[n]);
        shown_.push_back(shown);
    }
    arms_.resize(count);
    boundary.position.resize(count);
    boundary.velocity.resize(count);
    boundary.area.resize(count);
    boundary.piece.resize(count);
    boundary.pieces = pieces_;
    boundary.response = this;
    for (const Shown& shown : shown_) {
        const RigidModel<Dim>& model = system.models[shown.body];
        const SurfacePoints<Dim>& surface = surfaces_[shown.body];
        const Mat<Dim>& R = state.rotation[shown.body];
        const RigidVelocity<Dim> velocity{state.velocity[shown.body],
                                          angular_velocity(model, state, shown.body), shown.center};
        parallel_for(shown.last - shown.first, [&](Index i) {
            const std::size_t n = shown.first + i;
            arms_[n] = R * (surface.position[i] - model.mass.center);
            boundary.position[n] = shown.center + arms_[n];
            boundary.velocity[n] = velocity.at(boundary.position[n]);
            boundary.area[n] = R * surface.area[i];
            boundary.piece[n] = static_cast<std::uint32_t>(shown.body);
        });
    }
}

/// The impulse and the angular impulse of all that was done to a body.
template <int Dim>
auto RigidBoundary<Dim>::sum_of(const Shown& shown, std::span<const Vec<Dim>> impulses) const -> Vec<freedoms>
{
    std::vector<Vec<freedoms>> partial;
    return ordered_sum(
        shown.last - shown.first, Vec<freedoms>(Vec<freedoms>::Zero()),
        [&](Index i) {
            const std::size_t n = shown.first + i;
            return stacked<Dim>(impulses[n], moment(arms_[n], impulses[n]));
        },
        partial);
}

/// Adds what a change of its velocities is at the points of a body.
template <int Dim>
void RigidBoundary<Dim>::move(const Shown& shown, const Vec<freedoms>& change,
                              std::span<Vec<Dim>> changes) const
{
    const Vec<Dim> linear = change.template head<Dim>();
    const Angles<Dim> angular = change.template tail<freedoms - Dim>();
    parallel_for(shown.last - shown.first, [&](Index i) {
        const std::size_t n = shown.first + i;
        changes[n] += linear + turned(angular, arms_[n]);
    });
}

template <int Dim>
void RigidBoundary<Dim>::coast(double dt, std::span<Vec<Dim>> changes)
{
    for (const Shown& shown : shown_) move(shown, dt * (shown.response * shown.weight), changes);
}

template <int Dim>
void RigidBoundary<Dim>::respond(std::span<const Vec<Dim>> impulses, double, std::span<Vec<Dim>> changes)
{
    for (const Shown& shown : shown_) move(shown, shown.response * sum_of(shown, impulses), changes);
}

template <int Dim>
void RigidBoundary<Dim>::sum(std::span<const Vec<Dim>> impulses, std::span<ObstacleLoad<Dim>> loads) const
{
    for (const Shown& shown : shown_) {
        const Vec<freedoms> all = sum_of(shown, impulses);
        loads[shown.body].force += all.template head<Dim>();
        loads[shown.body].torque += all.template tail<freedoms - Dim>();
    }
}

template class RigidBoundary<2>;
template class RigidBoundary<3>;

} // namespace phyxel
