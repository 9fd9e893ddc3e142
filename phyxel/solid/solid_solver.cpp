// SPDX-License-Identifier: MIT
#include <phyxel/solid/solid_solver.h>

#include <phyxel/core/error.h>
#include <phyxel/core/ordered_sum.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/core/rng.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <limits>

namespace phyxel {

namespace {

/// Waves are faster in what is stretched: S grows with the square of F. In coarse stages, since a step that
/// swings with the solid feeds energy into its vibrations.
double step_divisor(double stretch)
{
    constexpr double stage = 1.2;
    double divisor = 1.0;
    while (divisor * stage < stretch && std::isfinite(stretch)) divisor *= stage;
    return divisor;
}

} // namespace

double stabilization_of(const SolidOptions& options)
{
    return std::visit([](const auto& chosen) { return chosen.stabilization; }, options);
}

template <int Dim>
SolidSolver<Dim>::SolidSolver(const SolidModel<Dim>& model, const SolidRegions<Dim>& regions,
                              const SolidOptions& options)
    : model_(model),
      regions_(regions),
      options_(options),
      work_(model),
      search_(model),
      stiffness_diagonal_(model.size()),
      forces_(model.size()),
      external_(model.size()),
      x_(model.size()),
      v_(model.size()),
      trial_(model.size()),
      residual_(model.size()),
      change_(model.size()),
      diagonal_(model.size())
{
    update_material();
    if (!std::holds_alternative<QuasiStaticOptions>(options)) return;
    for (std::size_t part = 0; part + 1 < model.first_of_part.size(); ++part)
        if (!regions.has_prescribed(model, part))
            throw InputError("a solid that is solved for equilibrium must have a region that is held");
}

template <int Dim>
void SolidSolver<Dim>::set_options(const SolidOptions& options)
{
    options_ = options;
    update_material();
}

template <int Dim>
void SolidSolver<Dim>::update_material()
{
    fixed_in_coarse_.clear();
    compute_stiffness_diagonal<Dim>(model_, stiffness_diagonal_);
    if (std::holds_alternative<LeapfrogOptions>(options_)) find_largest_frequency();
    has_viscosity_ = std::any_of(model_.materials.begin(), model_.materials.end(),
                                 [](const SolidMaterial& material) { return material.viscosity > 0.0; });
}

/// By powers of M⁻¹K at rest: where neighbours are few or lie badly, a phyxel may be stiffer than its spacing
/// and the speed of sound tell.
template <int Dim>
void SolidSolver<Dim>::find_largest_frequency()
{
    constexpr int powers = 60;
    compute_responses<Dim>(model_, model_.rest_position, {}, work_);
    for (std::size_t i = 0; i < model_.size(); ++i) {
        Rng rng(1, i);
        for (int k = 0; k < Dim; ++k) change_[i][k] = rng.uniform(-1.0, 1.0);
    }
    double square = 0.0; // of the frequency
    for (int n = 0; n < powers; ++n) {
        const double length = std::sqrt(ordered_sum(
            model_.size(), 0.0, [&](Index i) { return change_[i].squaredNorm(); }, partial_));
        if (!(length > 0.0)) break;
        parallel_for(model_.size(), [&](Index i) { change_[i] /= length; });
        apply_stiffness<Dim>(model_, change_, 0.0, work_, residual_);
        parallel_for(model_.size(), [&](Index i) { change_[i] = residual_[i] / model_.mass[i]; });
        square = std::sqrt(ordered_sum(
            model_.size(), 0.0, [&](Index i) { return change_[i].squaredNorm(); }, partial_));
    }
    largest_frequency_ = std::sqrt(square);
}

template <int Dim>
double SolidSolver<Dim>::stable_time_step(const SolidState<Dim>& solid) const
{
    if (const auto* implicit = std::get_if<ImplicitOptions>(&options_)) return implicit->time_step;
    const auto* leapfrog = std::get_if<LeapfrogOptions>(&options_);
    if (leapfrog == nullptr) return std::numeric_limits<double>::infinity();
    const double frequency =
        std::hypot(std::hypot(largest_frequency_, solid.contact_frequency), regions_.largest_frequency());
    double dt = frequency > 0.0 ? leapfrog->courant_number * 2.0 / frequency
                                : std::numeric_limits<double>::infinity();
    for (std::size_t part = 0; part < model_.materials.size(); ++part) {
        const SolidMaterial& material = model_.materials[part];
        const double a = model_.spacing_of_part[part];
        // Momentum must not diffuse over a spacing in a step either.
        if (material.viscosity > 0.0)
            dt =
                std::min(dt, 0.25 * leapfrog->courant_number * a * a * material.density / material.viscosity);
    }
    // A damper must not turn a velocity around within a step.
    if (const double rate = regions_.largest_damping(); rate > 0.0)
        dt = std::min(dt, leapfrog->courant_number / rate);
    return dt / step_divisor(solid.largest_stretch);
}

template <int Dim>
SolidStepReport SolidSolver<Dim>::step(SolidState<Dim>& solid, double dt,
                                       const Surroundings<Dim>& surroundings)
{
    loads_.assign(surroundings.obstacles.size(), {});
    if (std::holds_alternative<LeapfrogOptions>(options_)) return leapfrog_step(solid, dt, surroundings);
    if (std::holds_alternative<ImplicitOptions>(options_)) return implicit_step(solid, dt, surroundings);
    return quasi_static_step(solid, dt, surroundings);
}

/// u → ∇u → ε → σ → f → integrate [AW09, Sec. 7.1].
template <int Dim>
SolidStepReport SolidSolver<Dim>::leapfrog_step(SolidState<Dim>& solid, double dt,
                                                const Surroundings<Dim>& surroundings)
{
    SolidStepReport report;
    Stopwatch watch;
    const double time = surroundings.time - dt;
    compute_responses<Dim>(
        model_, solid.position,
        has_viscosity_ ? std::span<const Vec<Dim>>(solid.velocity) : std::span<const Vec<Dim>>(), work_);
    report.times.add("stress", watch.restart());

    compute_elastic_forces<Dim>(model_, work_, forces_);
    add_gravity(solid, surroundings);
    regions_.add_forces(model_, solid.position, solid.velocity, work_, time, forces_);
    report.times.add("forces", watch.restart());

    contacts_.clear();
    // Also those that are about to touch, which the next step must be short enough for.
    search_.find_pairs(model_, solid.position, solid.velocity, 2.0 * dt, contacts_);
    add_contact_forces<Dim>(model_, contacts_, solid.position, solid.velocity, dt, forces_);
    solid.contact_frequency = contact_frequency<Dim>(model_, contacts_, solid.position, diagonal_);
    report.contacts = static_cast<std::size_t>(
        std::count_if(contacts_.begin(), contacts_.end(), [&](const Contact<Dim>& contact) {
            return contact_depth<Dim>(contact, solid.position) > 0.0;
        }));
    report.largest_penetration = largest_penetration<Dim>(contacts_, solid.position, 0.0);
    report.times.add("contact", watch.restart());

    // From the middle of the last step to the middle of this one.
    const double kick = 0.5 * (solid.last_step + dt);
    solid.last_step = dt;
    parallel_for(solid.size(), [&](Index i) {
        const double damping = model_.materials[model_.part[i]].damping;
        solid.velocity[i] = (solid.velocity[i] + kick / model_.mass[i] * forces_[i]) / (1.0 + kick * damping);
    });
    // They have to be somewhere, whatever the forces.
    regions_.for_each_prescribed(
        model_, solid.position, surroundings.time, dt,
        [&](Index i, const Vec<Dim>& target) { solid.velocity[i] = (target - solid.position[i]) / dt; });
    parallel_for(solid.size(), [&](Index i) { solid.position[i] += dt * solid.velocity[i]; });
    report.times.add("motion", watch.restart());

    meet_walls(solid, dt, 0.0, surroundings);
    report.contacts += walls_.size();
    report.times.add("contact", watch.restart());

    check(solid, report);
    return report;
}

template <int Dim>
void SolidSolver<Dim>::add_gravity(const SolidState<Dim>& solid, const Surroundings<Dim>& surroundings)
{
    parallel_for(solid.size(), [&](Index i) {
        forces_[i] += model_.mass[i] * surroundings.acceleration_at(solid.position[i]);
    });
}

/// Walls are hard: what is deeper in one than `allowed` spacings is put back, and loses its velocity into it.
template <int Dim>
void SolidSolver<Dim>::meet_walls(SolidState<Dim>& solid, double dt, double allowed,
                                  const Surroundings<Dim>& surroundings)
{
    walls_.clear();
    search_.find_walls(model_, solid.position, surroundings, walls_);
    for (const Contact<Dim>& contact : walls_) {
        const Index i = contact.a;
        if (regions_.is_prescribed(i)) continue;
        const double depth = contact_depth<Dim>(contact, solid.position) - allowed * contact.spacing;
        if (depth <= 0.0) continue; // another wall has put it there
        solid.position[i] += depth * contact.normal;
        const Vec<Dim> before = solid.velocity[i];
        const Vec<Dim> relative = solid.velocity[i] - contact.wall_velocity;
        const double into = -relative.dot(contact.normal);
        if (into > 0.0) {
            const Vec<Dim> slides = relative + into * contact.normal;
            const double speed = slides.norm();
            const double kept = speed > 0.0 ? std::max(0.0, 1.0 - contact.friction * into / speed) : 0.0;
            solid.velocity[i] = contact.wall_velocity + kept * slides;
        }
        add_load(contact, solid.position[i], model_.mass[i] / dt * (before - solid.velocity[i]),
                 surroundings);
    }
}

template <int Dim>
void SolidSolver<Dim>::add_load(const Contact<Dim>& contact, const Vec<Dim>& place, const Vec<Dim>& force,
                                const Surroundings<Dim>& surroundings)
{
    if (!tracks_loads_ || contact.obstacle < 0) return;
    const auto number = static_cast<std::size_t>(contact.obstacle);
    const Vec<Dim> arm = place - surroundings.obstacles[number].velocity.center;
    loads_[number].force += force;
    if constexpr (Dim == 2)
        loads_[number].torque[0] += arm[0] * force[1] - arm[1] * force[0];
    else
        loads_[number].torque += arm.cross(force);
}

template <int Dim>
void SolidSolver<Dim>::count_loads(std::span<const Contact<Dim>> contacts,
                                   std::span<const Vec<Dim>> positions, std::span<const Vec<Dim>> velocities,
                                   double dt, const Surroundings<Dim>& surroundings)
{
    if (!tracks_loads_) return;
    for (const Contact<Dim>& contact : contacts) {
        if (contact.obstacle < 0) continue;
        trial_[contact.a].setZero();
        add_contact_forces<Dim>(model_, std::span(&contact, 1), positions, velocities, dt, trial_);
        add_load(contact, positions[contact.a], -trial_[contact.a], surroundings);
    }
}

/// Looks for what has gone astray, and remembers what the next step must know.
template <int Dim>
void SolidSolver<Dim>::check(SolidState<Dim>& solid, SolidStepReport& report)
{
    double largest_stretch2 = 1.0;
    double largest_speed2 = -1.0;
    for (std::size_t i = 0; i < solid.size(); ++i) {
        const double speed2 = solid.velocity[i].squaredNorm();
        if (!std::isfinite(speed2) || !solid.position[i].allFinite()) {
            if (!report.lost) report.lost = static_cast<Index>(i);
            continue;
        }
        if (speed2 > largest_speed2) {
            largest_speed2 = speed2;
            report.fastest = static_cast<Index>(i);
        }
        const Mat<Dim>& F = work_.responses[i].F;
        largest_stretch2 = std::max(largest_stretch2, double_contraction<Dim>(F, F) / Dim);
        if (model_.spans_space[i] && determinant<Dim>(F, cofactor(F)) <= 0.0) ++report.inverted;
    }
    report.max_speed = std::sqrt(std::max(0.0, largest_speed2));
    solid.largest_stretch = std::sqrt(largest_stretch2);
}

template <int Dim>
std::span<const ElasticResponse<Dim>> SolidSolver<Dim>::evaluate(const SolidState<Dim>& solid)
{
    compute_responses<Dim>(model_, solid.position, {}, work_);
    return work_.responses;
}

template class SolidSolver<2>;
template class SolidSolver<3>;

} // namespace phyxel
