// SPDX-License-Identifier: MIT
#include <phyxel/kinds/solid/detail/solid_body_implementation.h>

#include <phyxel/core/ordered_sum.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/kinds/solid/detail/step_failure.h>
#include <phyxel/solid/solid_heat.h>
#include <phyxel/solid/solid_phases.h>

#include <algorithm>
#include <utility>
#include <variant>

namespace phyxel {

template <int Dim>
void SolidBody<Dim>::Implementation::find_unfelt(const Surroundings<Dim>& surroundings)
{
    if (surroundings.ignored.empty()) return;
    unfelt = unfelt_by<Dim>(parts.names, surroundings);
    solver->set_unfelt(unfelt);
}

/// After cracks have come on.
template <int Dim>
void SolidBody<Dim>::Implementation::weigh_cracks()
{
    if (!cracks.update(model, stabilization())) return;
    solver->update_weights(cracks.changed());
    heat.forget();
    piece_count.reset();
    evaluation.forget();
}

/// Lets cracks grow by themselves after a step. The responses of an explicit step are those at its start.
template <int Dim>
void SolidBody<Dim>::Implementation::grow_cracks(double dt)
{
    constexpr int most_rounds = 20; // of a long step
    const bool is_explicit = std::holds_alternative<LeapfrogOptions>(options);
    bool is_due = cracks.wait(dt);
    for (int round = 0; is_due && round < most_rounds; ++round) {
        if (!is_explicit || round > 0) static_cast<void>(solver->evaluate(state));
        if (!cracks.grow(model, solver->work(), state.velocity, state.plastic_strain)) return;
        weigh_cracks();
        is_due = cracks.wait(0.0);
    }
}

/// In an equilibrium cracks grow until they rest, with another equilibrium after each of their steps. Reports
/// on the last one.
template <int Dim>
void SolidBody<Dim>::Implementation::grow_in_equilibrium(double dt, const Surroundings<Dim>& surroundings,
                                                         SolidStepReport& report)
{
    constexpr int most_rounds = 1000; // then it goes on in the next step
    for (int round = 0; round < most_rounds; ++round) {
        if (report.lost || !(report.residual <= largest_residual)) return;
        static_cast<void>(solver->evaluate(state));
        if (!cracks.grow(model, solver->work(), {}, state.plastic_strain)) return;
        weigh_cracks();
        SolidStepReport next = solver->step(state, dt, surroundings);
        next.newton_iterations += report.newton_iterations;
        next.linear_iterations += report.linear_iterations;
        next.times.add(report.times);
        report = std::move(next);
    }
}

/// A solid that has left through a periodic side comes back at the other side, in one piece. A solid that is
/// held goes on.
template <int Dim>
void SolidBody<Dim>::Implementation::bring_back(const PeriodicBox<Dim>& periodic)
{
    std::vector<Vec<Dim>> partial;
    for (std::size_t part = 0; part < parts.names.size(); ++part) {
        const Index first = model.first_of_part[part];
        const std::size_t count = model.first_of_part[part + 1] - first;
        // Those that may be one go on as well: neighbours must not be a period apart.
        if (count == 0 || regions.all().is_anchored(model, part) || !model.merges_with[part].empty())
            continue;
        const Vec<Dim> center = ordered_sum(
                                    count, Vec<Dim>(Vec<Dim>::Zero()),
                                    [&](Index i) { return state.position[first + i]; }, partial) /
                                static_cast<double>(count);
        const Vec<Dim> way = periodic.way_back(center);
        if (way.isZero(0.0)) continue;
        parallel_for(count, [&](Index i) { state.position[first + i] += way; });
    }
}

/// What is more liquid than solid flows.
template <int Dim>
void SolidBody<Dim>::Implementation::melt_and_set()
{
    if (!state.has_heat() || !state.remembers_rest()) return;
    is_liquid.resize(state.size());
    parallel_for(state.size(), [&](Index i) { is_liquid[i] = liquid_fraction_of(model, state, i) > 0.5; });
    set_molten(is_liquid);
}

/// Pieces of what may flow, has flown or has cracks. What has become one counts once.
template <int Dim>
std::size_t SolidBody<Dim>::Implementation::count_pieces()
{
    if (!state.remembers_rest()) return cracks.has_any() ? cracks.fragment_count(model) : 0;
    if (piece_count) return *piece_count;
    const std::vector<std::uint32_t> numbers = find_pieces(model);
    std::vector<std::uint8_t> counts(state.size(), 0);
    for (std::uint32_t part = 0; part < parts.names.size(); ++part) {
        if (!model.may_flow(part) && cracks.find(part) == nullptr && !parts.has_flown(part)) continue;
        for (Index i = model.first_of_part[part]; i < model.first_of_part[part + 1]; ++i)
            counts[numbers[i]] = 1;
    }
    piece_count = static_cast<std::size_t>(std::count(counts.begin(), counts.end(), 1));
    return *piece_count;
}

template <int Dim>
BodyStepReport SolidBody<Dim>::Implementation::step(double dt, const Surroundings<Dim>& surroundings)
{
    evaluation.forget();
    last_time = surroundings.time;
    find_unfelt(surroundings);
    const double stable = solver->stable_time_step(state);
    SolidStepReport step = solver->step(state, dt, surroundings);
    if (cracks.may_break() && !step.lost) {
        Stopwatch watch;
        if (std::holds_alternative<QuasiStaticOptions>(options))
            grow_in_equilibrium(dt, surroundings, step);
        else
            grow_cracks(dt);
        step.times.add("cracks", watch.restart());
    }
    if (cracks.cut(model, state.position, surroundings.time, dt)) weigh_cracks();
    if (surroundings.domain.is_periodic()) bring_back(surroundings.domain.periodic_box());
    if (!step.lost) melt_and_set();
    const std::size_t refitted = step.lost ? 0 : forget(step.outdated);

    BodyStepReport report{
        .statistics = {.largest_penetration = step.largest_penetration,
                       .newton_iterations = static_cast<double>(step.newton_iterations),
                       .linear_iterations = static_cast<double>(step.linear_iterations),
                       .residual = step.residual,
                       .inverted = static_cast<double>(step.inverted),
                       .max_speed = step.max_speed,
                       .refitted = static_cast<double>(refitted) /
                                   static_cast<double>(std::max<std::size_t>(1, state.size()))}};
    report.statistics.fragments = static_cast<double>(count_pieces());
    if (cracks.has_any()) {
        report.statistics.crack_area = cracks.area();
        report.statistics.fracture_energy = cracks.paid();
    }
    report.times = step.times;

    report.failure = failure_of(step, parts, options, dt, stable);
    if (report.failure) return report;
    skins.resample(surroundings.time);
    report.statistics.surface_pop = skins.take_coats_along(surroundings, unfelt);
    return report;
}

template struct SolidBody<2>::Implementation;
template struct SolidBody<3>::Implementation;

} // namespace phyxel
