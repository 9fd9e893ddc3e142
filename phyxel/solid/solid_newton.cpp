// SPDX-License-Identifier: MIT
// Implicit steps: Newton's method with the exact tangent, conjugate gradients, line search [MKN*04, App. B].
#include <phyxel/solid/solid_solver.h>

#include <phyxel/core/ordered_sum.h>
#include <phyxel/core/parallel_for.h>

#include <algorithm>
#include <cmath>

namespace phyxel {
namespace {

/// As exact as a direction of Newton's method has to be while there are others to follow.
constexpr double forcing = 0.1;

/// How often a step that makes things worse is halved.
constexpr int most_halvings = 6;

/// Contacts are springs in an implicit step; what a wall leaves of their depth, in spacings.
constexpr double depth_left_in_walls = 0.05;

/// Strains of which the forces are no more than rounding leaves.
constexpr double rounding_strain = 1e-8;

/// A step is cut in two if more than this, or ten times the tolerance, is left of its forces, and cut again
/// up to so many times. Of the shortest parts more may be left: they go on unless they made things worse.
constexpr double largest_share_left = 0.01;
constexpr int most_cuts = 8;
constexpr double worse_than_nothing = 1.0;

/// Loads come in parts if an equilibrium leaves more than this of the forces, or the tolerance: what has
/// yielded a little is a better start than what has not. As long as halves help.
constexpr double largest_share_in_equilibrium = 1e-3;
constexpr int most_cuts_of_loads = 4;

template <int Dim>
double norm(std::span<const Vec<Dim>> vectors, std::vector<double>& partial)
{
    return std::sqrt(ordered_sum(
        vectors.size(), 0.0, [&](Index i) { return vectors[i].squaredNorm(); }, partial));
}

} // namespace

/// r = f(x) − m ((x − x₀)(1/dt² + c/dt) − v₀/dt) at x_, with the velocity that leads there; |r|.
template <int Dim>
double SolidSolver<Dim>::evaluate_residual(const SolidState<Dim>& start, const NewtonGoal& goal)
{
    parallel_for(model_.size(), [&](Index i) { v_[i] = goal.rate * (x_[i] - start.position[i]); });
    compute_responses<Dim>(
        model_, x_, has_viscosity_ ? std::span<const Vec<Dim>>(v_) : std::span<const Vec<Dim>>(), work_);
    compute_elastic_forces<Dim>(model_, work_, forces_);
    regions_.add_forces(model_, x_, v_, work_, goal.time, forces_);
    add_contact_forces<Dim>(model_, contacts_, x_, v_, goal.dt, forces_);
    if (crowding_) add_crowding(x_, crowding_->periodic());
    parallel_for(model_.size(), [&](Index i) {
        residual_[i].setZero();
        if (regions_.is_prescribed(i)) return;
        residual_[i] = forces_[i] + external_[i];
        if (goal.inertia <= 0.0) return;
        const double damping = model_.material_of(i).damping;
        residual_[i] -=
            model_.mass[i] * ((1.0 + damping * goal.dt) * goal.inertia * (x_[i] - start.position[i]) -
                              goal.rate * start.velocity[i]);
    });
    return norm<Dim>(residual_, partial_);
}

/// Planes for the length of the step: with walls where phyxels would go, between phyxels as they are now.
template <int Dim>
void SolidSolver<Dim>::find_contacts(const SolidState<Dim>& start, const NewtonGoal& goal,
                                     const Surroundings<Dim>& surroundings)
{
    contacts_.clear();
    search_.find_pairs(model_, start.position, start.velocity, goal.dt, surroundings.domain.periodic_box(),
                       contacts_);
    search_.find_walls(model_, trial_, surroundings, contacts_);
    std::erase_if(contacts_, [&](const Contact<Dim>& contact) {
        return contact.b == Contact<Dim>::wall && regions_.is_prescribed(contact.a);
    });
}

template <int Dim>
void SolidSolver<Dim>::solve_newton(const SolidState<Dim>& start, const NewtonGoal& goal,
                                    const Surroundings<Dim>& surroundings, SolidStepReport& report)
{
    const auto apply = [&](std::span<const Vec<Dim>> change, std::span<Vec<Dim>> product) {
        apply_stiffness<Dim>(model_, change, goal.rate, work_, product);
        regions_.add_stiffness(model_, change, goal.rate, product);
        add_contact_stiffness<Dim>(model_, contacts_, x_, v_, goal.dt, change, product);
        if (crowding_) crowding_->add_stiffness(change, product);
        parallel_for(model_.size(), [&](Index i) {
            const double damping = model_.material_of(i).damping;
            product[i] += model_.mass[i] * (1.0 + damping * goal.dt) * goal.inertia * change[i];
            if (regions_.is_prescribed(i)) product[i].setZero();
        });
    };
    if (!std::ranges::equal(fixed_in_coarse_, regions_.prescribed())) {
        coarse_.build(model_, regions_.prescribed());
        fixed_in_coarse_.assign(regions_.prescribed().begin(), regions_.prescribed().end());
    }
    coarse_.set_inertia(goal.inertia);
    // What is in the way is looked for where everything would go by itself.
    parallel_for(model_.size(), [&](Index i) {
        x_[i] = start.position[i];
        trial_[i] = start.position[i] + goal.dt * start.velocity[i];
    });
    find_contacts(start, goal, surroundings);
    regions_.for_each_prescribed(model_, start.position, goal.time, goal.dt,
                                 [&](Index i, const Vec<Dim>& target) { x_[i] = target; });

    double r = evaluate_residual(start, goal);
    // Of the forces at hand, so that a solid at rest is not asked for more than one in motion: its weight,
    // and what holds it; where there are none, not more than numbers can tell.
    const double held = std::sqrt(ordered_sum(
        model_.size(), 0.0,
        [&](Index i) { return regions_.is_prescribed(i) ? forces_[i].squaredNorm() : 0.0; }, partial_));
    const double scale = std::max({r, held, norm<Dim>(external_, partial_), rounding_strain * force_unit_});
    const bool flows = start.remembers_flow();
    // What is moved strains the phyxels beside it at first, which flow then, and look soft to all others. How
    // the rest follows is told by where everything comes from.
    if (flows && regions_.has_any() && r > goal.tolerance * scale) {
        trial_ = x_;
        x_ = start.position;
        (void)evaluate_residual(start, goal);
        parallel_for(model_.size(), [&](Index i) { change_[i] = trial_[i] - x_[i]; });
        std::vector<Vec<Dim>> product(model_.size());
        apply(change_, product);
        parallel_for(model_.size(), [&](Index i) { residual_[i] -= product[i]; });
        r = norm<Dim>(residual_, partial_);
        x_ = trial_;
    }
    // What gets weaker as it flows has no positive tangent, and an equilibrium all the same. Only if its
    // exact tangent leads nowhere another one is taken.
    bool leads_nowhere = false;
    for (; report.newton_iterations < goal.newton_iterations; ++report.newton_iterations) {
        report.residual = scale > 0.0 ? r / scale : 0.0;
        report.converged = report.residual <= goal.tolerance;
        if (report.converged || !std::isfinite(r)) break;

        parallel_for(model_.size(), [&](Index i) {
            const double damping = model_.material_of(i).damping;
            diagonal_[i] = stiffness_diagonal_[i] + model_.mass[i] * (1.0 + damping * goal.dt) * goal.inertia;
        });
        for (const Contact<Dim>& contact : contacts_) {
            if (contact_depth<Dim>(contact, x_) <= 0.0) continue;
            diagonal_[contact.a] += contact.stiffness / Dim;
            if (contact.b != Contact<Dim>::wall) diagonal_[contact.b] += contact.stiffness / Dim;
        }
        const bool is_first = report.newton_iterations == 0;
        const bool flies = contacts_.empty() && !regions_.has_any();
        const auto first_guess = [&] {
            parallel_for(model_.size(), [&](Index i) {
                change_[i].setZero();
                if (!is_first || goal.inertia <= 0.0 || regions_.is_prescribed(i)) return;
                change_[i] = goal.dt * start.velocity[i];
                // What nothing holds falls.
                if (flies) change_[i] += goal.dt * goal.dt / model_.mass[i] * external_[i];
            });
        };
        const double wanted = 0.5 * goal.tolerance * scale;
        const double enough =
            goal.newton_iterations > 1 ? std::max(wanted, forcing * r) : goal.tolerance * scale;
        const auto precondition = [&](std::span<const Vec<Dim>> residual, std::span<Vec<Dim>> direction) {
            parallel_for(model_.size(), [&](Index i) {
                // What nothing holds, such as a phyxel that is cut off, stays in an equilibrium.
                if (diagonal_[i] > 0.0)
                    direction[i] = residual[i] / diagonal_[i];
                else
                    direction[i].setZero();
            });
            coarse_.add_correction(residual, direction);
        };
        coarse_.turn(model_, work_.responses);
        first_guess();
        if (leads_nowhere) make_tangent_positive<Dim>(model_, work_);
        LinearSolve solved = linear_.solve(apply, precondition, residual_, enough, goal.linear_iterations,
                                           change_, !flows || leads_nowhere);
        report.linear_iterations += solved.iterations;
        if (!solved.is_positive && !(flows && solved.converged)) {
            make_tangent_positive<Dim>(model_, work_);
            first_guess();
            solved = linear_.solve(apply, precondition, residual_, enough, goal.linear_iterations, change_);
            report.linear_iterations += solved.iterations;
        }

        // As far along the direction as makes things better.
        const std::vector<Vec<Dim>> from = x_;
        double share = 1.0;
        double r_new = 0.0;
        for (int halvings = 0;; ++halvings, share *= 0.5) {
            parallel_for(model_.size(), [&](Index i) { x_[i] = from[i] + share * change_[i]; });
            if (halvings == 0) {
                // Where everything really goes, other walls may be in the way.
                trial_ = x_;
                find_contacts(start, goal, surroundings);
            }
            r_new = evaluate_residual(start, goal);
            if (r_new < r || halvings == most_halvings || is_first) break;
        }
        leads_nowhere = flows && !is_first && !(r_new < r);
        r = r_new;
    }
    report.residual = scale > 0.0 ? r / scale : 0.0;
    report.converged = report.residual <= goal.tolerance;
    report.contacts = contacts_.size();
}

/// From one state to the next by Newton's method, with or without inertia.
template <int Dim>
SolidStepReport SolidSolver<Dim>::newton_step(SolidState<Dim>& solid, const NewtonGoal& goal,
                                              const Surroundings<Dim>& surroundings)
{
    SolidStepReport report;
    const Stopwatch watch;
    parallel_for(solid.size(), [&](Index i) {
        external_[i] = model_.mass[i] * surroundings.acceleration_at(solid.position[i]);
        if (!pushes_.empty()) external_[i] += pushes_[i];
    });
    // The state must not move while it is remembered: it is changed once the step is accepted.
    work_.memory = FlowMemory<Dim>(solid, goal.dt);
    if (crowding_) crowding_->find(model_, solid.position, surroundings.domain.periodic_box());
    solve_newton(solid, goal, surroundings, report);
    if (crowding_) report.outdated = crowding_->outdated(model_, x_);
    report.largest_penetration = largest_penetration<Dim>(contacts_, x_, depth_left_in_walls);
    count_loads(contacts_, x_, v_, goal.dt, surroundings);
    if (model_.fault == Fault::ExtrapolatedVelocity) v_ = solid.velocity;
    parallel_for(solid.size(), [&](Index i) {
        solid.velocity[i] = (x_[i] - solid.position[i]) / goal.dt;
        solid.position[i] = x_[i];
    });
    if (model_.fault == Fault::ExtrapolatedVelocity)
        for (std::size_t i = 0; i < solid.size(); ++i) solid.velocity[i] = 2.0 * solid.velocity[i] - v_[i];
    find_fastest(solid, goal.dt, report);
    meet_walls(solid, goal.dt, depth_left_in_walls, surroundings);
    check_deformation(solid, report);
    report.times.add("newton", watch.seconds());
    return report;
}

/// A step that cannot be solved is tried again in halves, quarters and so on, each from where the last one
/// ended. What decides is the state and nothing else. Obstacles are where they are at the end of the whole.
template <int Dim>
SolidStepReport SolidSolver<Dim>::implicit_step(SolidState<Dim>& solid, double dt,
                                                const Surroundings<Dim>& surroundings)
{
    const ImplicitOptions& options = std::get<ImplicitOptions>(options_);
    constexpr int whole = 1 << most_cuts;
    // One iteration is a scheme of its own, which does not look at what is left.
    const double enough = options.newton_iterations == 1
                              ? worse_than_nothing
                              : std::max(largest_share_left, 10.0 * options.tolerance);
    SolidStepReport report;
    report.shortest_part = dt;
    std::vector<ObstacleLoad<Dim>> mean_loads = loads_;
    for (int done = 0, part = whole; done < whole;) {
        const double share = static_cast<double>(part) / whole;
        const double part_dt = share * dt;
        const double time = surroundings.time - static_cast<double>(whole - done - part) / whole * dt;
        const SolidState<Dim> before = solid;
        loads_.assign(loads_.size(), {});
        const SolidStepReport step = newton_step(solid,
                                                 {.inertia = 1.0 / (part_dt * part_dt),
                                                  .rate = 1.0 / part_dt,
                                                  .time = time,
                                                  .dt = part_dt,
                                                  .tolerance = options.tolerance,
                                                  .newton_iterations = options.newton_iterations,
                                                  .linear_iterations = options.linear_iterations},
                                                 surroundings);
        report.newton_iterations += step.newton_iterations;
        report.linear_iterations += step.linear_iterations;
        report.times.add(step.times);
        const bool is_solved = !step.lost && step.residual <= enough;
        if (!is_solved && part > 1) {
            solid = before;
            part /= 2;
            report.shortest_part = std::min(report.shortest_part, 0.5 * part_dt);
            continue;
        }
        report.max_speed = step.max_speed;
        report.outdated = step.outdated;
        report.relative_speed = step.relative_speed;
        report.lost = step.lost;
        report.fastest = step.fastest;
        report.largest_penetration = std::max(report.largest_penetration, step.largest_penetration);
        report.contacts = step.contacts;
        report.inverted = std::max(report.inverted, step.inverted);
        report.residual = std::max(report.residual, step.residual);
        report.converged = report.converged && step.converged;
        for (std::size_t k = 0; k < loads_.size(); ++k) {
            mean_loads[k].force += share * loads_[k].force;
            mean_loads[k].torque += share * loads_[k].torque;
        }
        if (step.lost || !(step.residual <= std::max(enough, worse_than_nothing))) {
            report.solved = false;
            report.residual = step.residual;
            break;
        }
        accept_step<Dim>(model_, work_, solid);
        done += part;
        // Twice as long again as soon as that fits.
        if (is_solved && part < whole && done % (2 * part) == 0) part *= 2;
    }
    loads_ = std::move(mean_loads);
    return report;
}

template <int Dim>
SolidStepReport SolidSolver<Dim>::quasi_static_step(SolidState<Dim>& solid, double dt,
                                                    const Surroundings<Dim>& surroundings)
{
    const QuasiStaticOptions& options = std::get<QuasiStaticOptions>(options_);
    constexpr int whole = 1 << most_cuts_of_loads;
    const double enough = std::max(largest_share_in_equilibrium, options.tolerance);
    SolidStepReport report;
    for (int done = 0, part = whole; done < whole;) {
        const double part_dt = static_cast<double>(part) / whole * dt;
        const double time = surroundings.time - static_cast<double>(whole - done - part) / whole * dt;
        const SolidState<Dim> before = solid;
        // What moved in the last step is not on its way anywhere.
        for (Vec<Dim>& v : solid.velocity) v.setZero();
        SolidStepReport step = newton_step(solid,
                                           {.inertia = 0.0,
                                            .rate = 0.0,
                                            .time = time,
                                            .dt = part_dt,
                                            .tolerance = options.tolerance,
                                            .newton_iterations = options.newton_iterations,
                                            .linear_iterations = options.linear_iterations},
                                           surroundings);
        step.newton_iterations += report.newton_iterations;
        step.linear_iterations += report.linear_iterations;
        step.times.add(report.times);
        report = std::move(step);
        const bool is_solved = !report.lost && report.residual <= enough;
        if (!is_solved && part > 1) {
            solid = before;
            part /= 2;
            continue;
        }
        accept_step<Dim>(model_, work_, solid);
        if (!is_solved) break;
        done += part;
        // Twice as much again as soon as that fits.
        if (part < whole && done % (2 * part) == 0) part *= 2;
    }
    return report;
}

template class SolidSolver<2>;
template class SolidSolver<3>;

} // namespace phyxel
