// SPDX-License-Identifier: MIT
#include <phyxel/solid/solid_solver.h>

#include <phyxel/core/error.h>
#include <phyxel/core/ordered_sum.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/geometry/rigid_motion.h>
#include <phyxel/solid/largest_eigenvalue.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

namespace phyxel {

namespace {

/// Waves are faster in what is stretched, and in what is pressed. In coarse stages, since a step that swings
/// with the solid feeds energy into its vibrations.
double stage_of(double stiffening)
{
    constexpr double stage = 1.2;
    double factor = 1.0;
    while (factor * factor * stage * stage < stiffening && std::isfinite(stiffening)) factor *= stage;
    return factor;
}

/// The longest stable step of leapfrog with forces of viscosity that are half a step late, for modes of the
/// frequency ω and the damping γ [1/s]: ω² Δt² + 2 γ Δt ≤ 4.
double critical_step(double frequency, double damping)
{
    const double sum = damping + std::sqrt(damping * damping + 4.0 * frequency * frequency);
    return sum > 0.0 ? 4.0 / sum : std::numeric_limits<double>::infinity();
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
        if (model.first_of_part[part] < model.first_of_part[part + 1] && !regions.has_prescribed(model, part))
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
    if (!model_.may_flow())
        crowding_.reset();
    else if (crowding_)
        crowding_->update_model(model_);
    else
        crowding_.emplace(model_).set_allowed(allowed_crowds_);
    if (crowding_) search_.update_rest(model_);
    fixed_in_coarse_.clear();
    compute_stiffness_diagonal<Dim>(model_, stiffness_diagonal_);
    has_viscosity_ = std::any_of(model_.materials.begin(), model_.materials.end(),
                                 [](const SolidMaterial& material) { return material.viscosity > 0.0; }) ||
                     std::any_of(model_.molten.begin(), model_.molten.end(),
                                 [](const auto& part) { return part && part->material.viscosity > 0.0; });
    find_force_unit();
    rates_.checked = 0.0;
    if (std::holds_alternative<LeapfrogOptions>(options_)) find_largest_rates();
}

/// Stiffness over mass of the phyxel alone for which it is the most [1/s²].
template <int Dim>
double SolidSolver<Dim>::largest_diagonal()
{
    return ordered_max(
        model_.size(), 0.0, [&](Index i) { return stiffness_diagonal_[i] / model_.mass[i]; }, partial_);
}

/// A phyxel beside a crack has fewer neighbours and may be stiffer than all that was there before. Looking
/// for the stiffest mode takes as long as 40 steps, so that is done only when a phyxel has become stiffer
/// than any was when it was done the last time; the bound is taken a little larger in between.
template <int Dim>
void SolidSolver<Dim>::update_weights()
{
    constexpr double margin = 1.1;
    fixed_in_coarse_.clear();
    search_.update_rest(model_);
    compute_stiffness_diagonal<Dim>(model_, stiffness_diagonal_);
    if (!std::holds_alternative<LeapfrogOptions>(options_)) return;
    const double largest = largest_diagonal();
    if (largest <= rates_.checked) return;
    find_largest_rates();
    rates_.frequency *= std::sqrt(margin);
    rates_.damping *= margin;
    rates_.checked = margin * largest;
}

template <int Dim>
void SolidSolver<Dim>::update_rest()
{
    parallel_for(model_.size(),
                 [&](Index i) { work_.places[i].rest = to_lane<Dim>(model_.rest.position[i]); });
    search_.update_rest(model_);
    fixed_in_coarse_.clear();
    compute_stiffness_diagonal<Dim>(model_, stiffness_diagonal_);
    find_force_unit();
    if (std::holds_alternative<LeapfrogOptions>(options_)) find_largest_rates();
}

template <int Dim>
void SolidSolver<Dim>::update_phyxels()
{
    const std::size_t count = model_.size();
    work_ = ElasticWorkspace<Dim>(model_);
    search_.update_rest(model_);
    pushes_.clear();
    for (std::vector<Vec<Dim>>* values : {&forces_, &external_, &x_, &v_, &trial_, &residual_, &change_})
        values->resize(count);
    stiffness_diagonal_.resize(count);
    diagonal_.resize(count);
    update_material();
}

template <int Dim>
void SolidSolver<Dim>::find_force_unit()
{
    force_unit_ = std::sqrt(ordered_sum(
        model_.size(), 0.0,
        [&](Index i) {
            const double force =
                model_.moduli_of(i).youngs_modulus * model_.rest.volume[i] / model_.spacing_of(i);
            return force * force;
        },
        partial_));
}

/// Bounds for M⁻¹K and, where there is viscosity, M⁻¹C at rest: where neighbours are few or lie badly, a
/// phyxel may be stiffer than its spacing and the speed of sound tell.
template <int Dim>
void SolidSolver<Dim>::find_largest_rates()
{
    if (!model_.rest.scale.empty()) {
        const LocalRates rates = local_rates<Dim>(model_);
        rates_.frequency = std::sqrt(rates.waves);
        rates_.damping = rates.damping;
        return;
    }
    work_.memory = {};
    compute_responses<Dim>(model_, model_.rest.position, {}, work_);
    const auto bound = [&](double damping) {
        return bound_of_largest_eigenvalue<Dim>(
            model_.mass, model_.first_of_part,
            [&](std::span<const Vec<Dim>> change, std::span<Vec<Dim>> product) {
                apply_stiffness<Dim>(model_, change, damping, work_, product);
            });
    };
    rates_.frequency = std::sqrt(bound(0.0));
    rates_.damping = 0.0;
    if (!has_viscosity_ || !(rates_.frequency > 0.0)) return;
    // C alone is not to be had, but K is a small share of K + rate C.
    constexpr double small_share = 0.01;
    const double rate = rates_.frequency / small_share;
    rates_.damping = bound(rate) / rate;
}

template <int Dim>
double SolidSolver<Dim>::stable_time_step(const SolidState<Dim>& solid) const
{
    if (const auto* implicit = std::get_if<ImplicitOptions>(&options_)) return implicit->time_step;
    const auto* leapfrog = std::get_if<LeapfrogOptions>(&options_);
    if (leapfrog == nullptr) return std::numeric_limits<double>::infinity();
    const double frequency =
        std::hypot(std::hypot(rates_.frequency, solid.contact_frequency), regions_.largest_frequency());
    const double stage = stage_of(solid.stiffening);
    double dt = leapfrog->courant_number * critical_step(stage * frequency, stage * stage * rates_.damping);
    // How stiff a phyxel will be is told by how it is deformed now: within a step that must not change much.
    // And a wall must not be missed by a whole solid at once.
    constexpr double relative_way = 0.5, way = 1.0; // in spacings
    const std::vector<Vec<Dim>> means = mean_velocities(solid);
    std::vector<double> partial;
    const double rate = ordered_max(
        solid.size(), 0.0,
        [&](Index i) {
            const std::uint32_t part = model_.part[i];
            const Vec<Dim>& v = solid.velocity[i];
            return std::max((v - means[part]).norm() / relative_way, v.norm() / way) / model_.spacing_of(i);
        },
        partial);
    if (rate > 0.0) dt = std::min(dt, leapfrog->courant_number / rate);
    // A damper must not turn a velocity around within a step.
    if (const double damping = regions_.largest_damping(); damping > 0.0)
        dt = std::min(dt, leapfrog->courant_number / damping);
    return dt;
}

template <int Dim>
SolidStepReport SolidSolver<Dim>::step(SolidState<Dim>& solid, double dt,
                                       const Surroundings<Dim>& surroundings)
{
    loads_.assign(surroundings.obstacles.size() + surroundings.forms.size(), {});
    obstacle_count_ = surroundings.obstacles.size();
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
    work_.memory = FlowMemory<Dim>(solid, dt);
    compute_responses<Dim>(
        model_, solid.position,
        has_viscosity_ ? std::span<const Vec<Dim>>(solid.velocity) : std::span<const Vec<Dim>>(), work_);
    report.times.add("stress", watch.restart());

    compute_elastic_forces<Dim>(model_, work_, forces_);
    add_gravity(solid, surroundings);
    regions_.add_forces(model_, solid.position, solid.velocity, work_, time, forces_);
    report.times.add("forces", watch.restart());

    if (crowding_) {
        add_crowding(solid.position, surroundings.domain.periodic_box());
        report.outdated = crowding_->outdated(model_, solid.position);
        report.times.add("pressure", watch.restart());
    }

    contacts_.clear();
    // Also those that are about to touch, which the next step must be short enough for.
    search_.find_pairs(model_, solid.position, solid.velocity, 2.0 * dt, surroundings.domain.periodic_box(),
                       contacts_);
    add_contact_forces<Dim>(model_, contacts_, solid.position, solid.velocity, dt, forces_);
    solid.contact_frequency =
        contact_frequency<Dim>(model_, contacts_, solid.position, solid.velocity, diagonal_);
    if (crowding_) solid.contact_frequency = std::hypot(solid.contact_frequency, crowding_->frequency());
    report.contacts = static_cast<std::size_t>(
        std::count_if(contacts_.begin(), contacts_.end(), [&](const Contact<Dim>& contact) {
            return contact_depth<Dim>(contact, solid.position) > 0.0;
        }));
    report.largest_penetration = largest_penetration<Dim>(contacts_, solid.position, 0.0);
    report.times.add("contact", watch.restart());

    // From the middle of the last step to the middle of this one.
    const double kick = 0.5 * (solid.last_step + dt);
    solid.last_step = dt;
    if (model_.fault == Fault::PositionBeforeVelocity)
        for (std::size_t i = 0; i < solid.size(); ++i) solid.position[i] += dt * solid.velocity[i];
    parallel_for(solid.size(), [&](Index i) {
        const double damping = model_.material_of(i).damping;
        // Others push for the length of this step, and lose as much momentum as comes here.
        const Vec<Dim> pushed = pushes_.empty()
                                    ? solid.velocity[i]
                                    : Vec<Dim>(solid.velocity[i] + dt / model_.mass[i] * pushes_[i]);
        solid.velocity[i] = (pushed + kick / model_.mass[i] * forces_[i]) / (1.0 + kick * damping);
    });
    // They have to be somewhere, whatever the forces.
    regions_.for_each_prescribed(
        model_, solid.position, model_.fault == Fault::HeldLate ? time : surroundings.time, dt,
        [&](Index i, const Vec<Dim>& target) { solid.velocity[i] = (target - solid.position[i]) / dt; });
    if (model_.fault != Fault::PositionBeforeVelocity)
        parallel_for(solid.size(), [&](Index i) { solid.position[i] += dt * solid.velocity[i]; });
    report.times.add("motion", watch.restart());

    find_fastest(solid, dt, report);
    meet_walls(solid, dt, 0.0, surroundings);
    report.contacts += walls_.size();
    report.times.add("contact", watch.restart());

    check_deformation(solid, report);
    accept_step<Dim>(model_, work_, solid);
    return report;
}

template <int Dim>
void SolidSolver<Dim>::add_crowding(std::span<const Vec<Dim>> positions, const PeriodicBox<Dim>& periodic)
{
    if (!crowding_) return;
    crowding_->find(model_, positions, periodic);
    crowding_->add_forces(model_, forces_);
}

template <int Dim>
void SolidSolver<Dim>::add_gravity(const SolidState<Dim>& solid, const Surroundings<Dim>& surroundings)
{
    parallel_for(solid.size(), [&](Index i) {
        forces_[i] += model_.mass[i] * surroundings.acceleration_at(solid.position[i]);
    });
}

template <int Dim>
void SolidSolver<Dim>::find_own_forces(const SolidState<Dim>& solid, const Surroundings<Dim>& surroundings,
                                       std::vector<Vec<Dim>>& forces)
{
    work_.memory = FlowMemory<Dim>(solid, 0.0);
    compute_responses<Dim>(
        model_, solid.position,
        has_viscosity_ ? std::span<const Vec<Dim>>(solid.velocity) : std::span<const Vec<Dim>>(), work_);
    compute_elastic_forces<Dim>(model_, work_, forces_);
    add_gravity(solid, surroundings);
    regions_.add_forces(model_, solid.position, solid.velocity, work_, surroundings.time, forces_);
    add_crowding(solid.position, surroundings.domain.periodic_box());
    contacts_.clear();
    search_.find_pairs(model_, solid.position, solid.velocity, 0.0, surroundings.domain.periodic_box(),
                       contacts_);
    add_contact_forces<Dim>(model_, contacts_, solid.position, solid.velocity, 1.0, forces_);
    forces = forces_;
}

/// Walls are hard: what is deeper in one than `allowed` spacings is put back, and loses its velocity into it.
template <int Dim>
void SolidSolver<Dim>::meet_walls(SolidState<Dim>& solid, double dt, double allowed,
                                  const Surroundings<Dim>& surroundings)
{
    walls_.clear();
    search_.find_walls(model_, solid.position, surroundings, walls_);
    const bool by_speed = model_.fault == Fault::FrictionBySpeed;
    for (const Contact<Dim>& contact : walls_) {
        const Index i = contact.a;
        if (regions_.is_prescribed(i)) continue;
        const double depth = contact_depth<Dim>(contact, solid.position) - allowed * contact.spacing;
        if (depth <= 0.0) continue; // another wall has put it there
        solid.position[i] += depth * contact.normal;
        const Vec<Dim> before = solid.velocity[i];
        Vec<Dim> wall_velocity = contact.wall_velocity;
        double share = 1.0; // of what comes towards the wall that the phyxel loses
        if (is_form(surroundings, contact.obstacle)) {
            // One after the other, each with what those before it did to the form: so many that are heavy
            // together do not throw a light one away.
            const auto number = static_cast<std::size_t>(contact.obstacle);
            const Form<Dim>& form = surroundings.forms[number - obstacle_count_];
            const Vec<Dim> place = solid.position[i] + contact.shift;
            wall_velocity = velocity_under(form, loads_[number], dt).at(place);
            const Vec<Form<Dim>::freedoms> J = stacked<Dim>(
                contact.normal, moment(Vec<Dim>(place - form.body.velocity.center), contact.normal));
            share = 1.0 / (1.0 + model_.mass[i] * J.dot(form.response * J));
        }
        const Vec<Dim> relative = solid.velocity[i] - wall_velocity;
        const double into = -relative.dot(contact.normal);
        if (into > 0.0) {
            const Vec<Dim> slides = relative + into * contact.normal;
            const double speed = by_speed ? 1.0 : slides.norm();
            const double kept = 1.0 - stopped_share(speed, contact.friction * into);
            solid.velocity[i] = wall_velocity + kept * slides;
            if (share < 1.0) solid.velocity[i] -= (1.0 - share) * into * contact.normal;
            // Nor has it come as far along the wall as it would have without friction.
            solid.position[i] -= dt * (1.0 - kept) * slides;
        }
        add_load(contact, solid.position[i] + contact.shift,
                 model_.mass[i] / dt * (before - solid.velocity[i]), surroundings);
    }
}

template <int Dim>
void SolidSolver<Dim>::add_load(const Contact<Dim>& contact, const Vec<Dim>& place, const Vec<Dim>& force,
                                const Surroundings<Dim>& surroundings)
{
    if (contact.obstacle < 0 || (!tracks_loads_ && !is_form(surroundings, contact.obstacle))) return;
    const auto number = static_cast<std::size_t>(contact.obstacle);
    loads_[number].add(surroundings.wall(number), place, force);
}

template <int Dim>
void SolidSolver<Dim>::count_loads(std::span<const Contact<Dim>> contacts,
                                   std::span<const Vec<Dim>> positions, std::span<const Vec<Dim>> velocities,
                                   double dt, const Surroundings<Dim>& surroundings)
{
    if (!tracks_loads_ && surroundings.forms.empty()) return;
    for (const Contact<Dim>& contact : contacts) {
        if (contact.obstacle < 0) continue;
        trial_[contact.a].setZero();
        add_contact_forces<Dim>(model_, std::span(&contact, 1), positions, velocities, dt, trial_);
        add_load(contact, positions[contact.a] + contact.shift, -trial_[contact.a], surroundings);
    }
}

/// Of the solids, one by one.
template <int Dim>
std::vector<Vec<Dim>> SolidSolver<Dim>::mean_velocities(const SolidState<Dim>& solid) const
{
    std::vector<Vec<Dim>> means, partial;
    for (std::size_t part = 0; part + 1 < model_.first_of_part.size(); ++part) {
        const Index first = model_.first_of_part[part];
        const std::size_t count = model_.first_of_part[part + 1] - first;
        const Vec<Dim> sum = ordered_sum(
            count, Vec<Dim>(Vec<Dim>::Zero()), [&](Index i) { return solid.velocity[first + i]; }, partial);
        means.push_back(sum / std::max(1.0, static_cast<double>(count)));
    }
    return means;
}

/// Looks for what has gone astray, before walls stop it: what moves by more than a spacing in a step,
/// compared with its solid, has.
template <int Dim>
void SolidSolver<Dim>::find_fastest(const SolidState<Dim>& solid, double dt, SolidStepReport& report) const
{
    const bool is_implicit = !std::holds_alternative<LeapfrogOptions>(options_);
    const std::vector<Vec<Dim>> means = mean_velocities(solid);
    double largest_speed2 = 0.0;
    double largest_relative2 = -1.0;
    for (std::size_t i = 0; i < solid.size(); ++i) {
        const double speed2 = solid.velocity[i].squaredNorm();
        if (!std::isfinite(speed2) || !solid.position[i].allFinite()) {
            if (!report.lost) report.lost = static_cast<Index>(i);
            continue;
        }
        // Drops may well fly from what they come off, farther in a long step than they are thick.
        if (crowding_ && is_implicit && model_.material_of(i).flows) continue;
        const std::uint32_t part = model_.part[i];
        const double relative2 = (solid.velocity[i] - means[part]).squaredNorm();
        const double spacing = model_.spacing_of(i);
        if (dt * dt * relative2 > spacing * spacing) largest_speed2 = std::max(largest_speed2, speed2);
        if (relative2 > largest_relative2) {
            largest_relative2 = relative2;
            report.fastest = static_cast<Index>(i);
        }
    }
    report.max_speed = std::sqrt(largest_speed2);
    report.relative_speed = std::sqrt(std::max(0.0, largest_relative2));
}

/// Counts what is turned inside out, and remembers what the next step must know.
template <int Dim>
void SolidSolver<Dim>::check_deformation(SolidState<Dim>& solid, SolidStepReport& report)
{
    for (std::size_t i = 0; i < solid.size(); ++i) {
        report.max_speed = std::max(report.max_speed, solid.velocity[i].norm());
        const Mat<Dim>& F = work_.responses[i].F;
        if (model_.rest.spans_space[i] && !model_.is_drop(i) && determinant<Dim>(F, cofactor(F)) <= 0.0)
            ++report.inverted;
    }
    // Only explicit steps depend on it.
    if (!std::holds_alternative<LeapfrogOptions>(options_)) return;
    solid.stiffening = 1.0;
    const auto stiffening_of = [&](const auto& law, Index i) {
        const Stiffening now = law.stiffening(work_.responses[i], model_.rest.spans_space[i] != 0);
        return std::max(now.waves, now.stretch);
    };
    if (!model_.is_molten.empty()) {
        solid.stiffening = ordered_max(
            model_.size(), 1.0,
            [&](Index i) {
                return std::visit([&](const auto& law) { return stiffening_of(law, i); }, model_.law_of(i));
            },
            partial_);
        return;
    }
    for (std::size_t part = 0; part < model_.laws.size(); ++part)
        std::visit(
            [&](const auto& law) {
                const Index first = model_.first_of_part[part];
                const double largest = ordered_max(
                    model_.first_of_part[part + 1] - first, 1.0,
                    [&](Index k) { return stiffening_of(law, first + k); }, partial_);
                solid.stiffening = std::max(solid.stiffening, largest);
            },
            model_.laws[part]);
}

template <int Dim>
std::span<const ElasticResponse<Dim>> SolidSolver<Dim>::evaluate(const SolidState<Dim>& solid)
{
    work_.memory = FlowMemory<Dim>(solid, 0.0);
    compute_responses<Dim>(model_, solid.position, {}, work_);
    if (crowding_) crowding_->find(model_, solid.position, crowding_->periodic());
    return work_.responses;
}

template class SolidSolver<2>;
template class SolidSolver<3>;

} // namespace phyxel
