// SPDX-License-Identifier: MIT
#include <phyxel/kinds/fluid/fluid_body.h>

#include <phyxel/core/assert.h>
#include <phyxel/core/error.h>
#include <phyxel/core/number_text.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/io/state_sections.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace phyxel {
namespace {

/// New particles keep at least this share of a spacing from existing fluid: nearer ones would burst apart.
constexpr double room_for_new = 0.5;
/// Nor does anything begin so near: it has not been led there, and a nozzle that is moved begins often.
constexpr double room_to_begin = 0.9;
/// Nor does fluid come nearer than so many spacings to a body, which is also what is kept free at the start.
constexpr double room_beside_bodies = 0.4;
/// Particles that an emitter of a checkpoint may have to catch up with. It is up to date with every step, so
/// that only one that was just set up has any.
constexpr double most_overdue = 1e6;

/// If the fluid as a whole is slower than this share of its fastest particle, this particle was thrown.
constexpr double thrown_share = 0.25;

/// Root mean square [m/s].
template <int Dim>
double rms_speed(const FluidState<Dim>& fluid)
{
    double sum = 0.0;
    for (const Vec<Dim>& v : fluid.velocity) sum += v.squaredNorm();
    return std::sqrt(sum / static_cast<double>(std::max<std::size_t>(fluid.size(), 1)));
}

template <int Dim>
FluidModel model_of(double rest_density, double support_ratio, const std::vector<FluidPart<Dim>>& parts,
                    Fault fault)
{
    FluidModel model{.rest_density = rest_density, .parts = {}, .fault = fault};
    for (const FluidPart<Dim>& part : parts)
        model.parts.push_back(
            fluid_part_model<Dim>(rest_density, part.spacing, support_ratio, part.viscosity));
    return model;
}

} // namespace

template <int Dim>
FluidBody<Dim>::FluidBody(double rest_density, const FluidOptions& options, std::vector<FluidPart<Dim>> parts,
                          FluidFlows<Dim> flows, std::uint64_t first_id, Fault fault)
    : options_(options),
      model_(model_of(rest_density, support_ratio(options), parts, fault)),
      outflows_(std::move(flows.outflows)),
      solver_(make_fluid_solver<Dim>(model_, options))
{
    PHYXEL_ASSERT(!parts.empty());
    PHYXEL_ASSERT(flows.emitters.size() < std::numeric_limits<std::uint16_t>::max());
    for (const FluidPartModel& part : model_.parts) reach_.push_back(part.support_radius);
    PHYXEL_ASSERT(flows.made.empty() || flows.made.size() == flows.emitters.size());
    emitters_ = std::move(flows.made);
    for (std::size_t k = emitters_.size(); k < flows.emitters.size(); ++k) {
        const FluidPartModel& part = model_.parts.at(flows.emitters[k].part);
        emitters_.emplace_back(flows.emitters[k], part.spacing, part.particle_mass / rest_density);
    }
    emitted_until_.assign(emitters_.size(), Emitter<Dim>::nothing);
    for (FluidPart<Dim>& part : parts) {
        PHYXEL_ASSERT(part.positions.size() == part.velocities.size());
        const auto number = static_cast<std::uint32_t>(names_.size());
        state_.position.insert(state_.position.end(), part.positions.begin(), part.positions.end());
        state_.velocity.insert(state_.velocity.end(), part.velocities.begin(), part.velocities.end());
        state_.part.resize(state_.position.size(), number);
        names_.push_back(std::move(part.name));
    }
    state_.id.resize(state_.size());
    std::iota(state_.id.begin(), state_.id.end(), first_id);
    next_id_ = first_id + state_.size();
    if (!emitters_.empty()) state_.emitter.resize(state_.size());
    emit({});
}

template <int Dim>
void FluidBody<Dim>::expect(std::any given)
{
    add_expected(expected_, std::any_cast<FluidPart<Dim>>(std::move(given)));
}

template <int Dim>
std::optional<std::string> FluidBody<Dim>::refusal_of(const std::any& given)
{
    const auto& part = std::any_cast<const FluidPart<Dim>&>(given);
    if (part.positions.empty()) return "it is in a wall, or too small";
    std::vector<Vec<Dim>> places = part.positions;
    leave_out_where_fluid_is(places, room_to_begin * part.spacing);
    if (places.empty()) return "there is no room for it: fluid is there already";
    return {};
}

template <int Dim>
void FluidBody<Dim>::set_parameters(const std::any& given)
{
    const auto& parameters = std::any_cast<const FluidParameters<Dim>&>(given);
    if (parameters.options) set_options(*parameters.options);
    for (const auto& [part, viscosity] : parameters.viscosities) set_viscosity(part, viscosity);
    if (parameters.emitters) set_emitters(*parameters.emitters);
}

template <int Dim>
void FluidBody<Dim>::set_options(const FluidOptions& options)
{
    options_ = options;
    if (auto* dfsph = std::get_if<DfsphSolver<Dim>>(&solver_))
        dfsph->set_options(std::get<DfsphOptions>(options));
    else
        std::get<WcsphSolver<Dim>>(solver_).set_options(std::get<WcsphOptions>(options));
    is_evaluated_ = false;
}

template <int Dim>
void FluidBody<Dim>::set_viscosity(std::string_view part, double viscosity)
{
    for (FluidPart<Dim>& other : expected_)
        if (other.name == part) other.viscosity = viscosity;
    for (std::size_t number = 0; number < names_.size(); ++number) {
        if (names_[number] != part) continue;
        model_.parts[number].viscosity = viscosity;
        std::visit([&](auto& solver) { solver.set_viscosity(number, viscosity); }, solver_);
    }
}

template <int Dim>
void FluidBody<Dim>::join(std::string_view part, const Surroundings<Dim>& surroundings)
{
    const auto found = std::find_if(expected_.begin(), expected_.end(),
                                    [&](const FluidPart<Dim>& other) { return other.name == part; });
    if (found == expected_.end()) return;
    FluidPart<Dim> joining = std::move(*found);
    expected_.erase(found);

    const auto number = static_cast<std::uint32_t>(names_.size());
    names_.push_back(std::move(joining.name));
    model_.parts.push_back(fluid_part_model<Dim>(model_.rest_density, joining.spacing,
                                                 support_ratio(options_), joining.viscosity));
    reach_.push_back(model_.parts.back().support_radius);
    solver_ = make_fluid_solver<Dim>(model_, options_); // all it remembers is in the state
    walls().track_loads(tracks_loads_);
    find_unfelt(surroundings);
    std::vector<Vec<Dim>> places = joining.positions;
    leave_out_where_fluid_is(places, room_to_begin * joining.spacing,
                             unfelt_.empty() ? Unfelt() : unfelt_[number]);
    leave_out_where_bodies_are(places, number, surroundings);
    const std::size_t first = state_.size();
    append(places, number);
    // What was left out is missing in the places, in their order.
    for (std::size_t i = 0, k = 0; i < places.size(); ++i, ++k) {
        while (joining.positions[k] != places[i]) ++k;
        state_.velocity[first + i] = joining.velocities[k];
    }
    is_evaluated_ = false;
}

template <int Dim>
std::size_t FluidBody<Dim>::make_room(std::string_view newcomer, const Surroundings<Dim>& surroundings)
{
    find_unfelt(surroundings);
    std::vector<EnclosedRoom<Dim>> room; // of those whom each part feels
    for (std::uint32_t part = 0; part < names_.size(); ++part)
        room.push_back(room_of_others(part, surroundings, newcomer));
    std::vector<std::uint8_t> is_taken(state_.size());
    parallel_for(state_.size(), [&](Index i) {
        const std::uint32_t part = state_.part[i];
        is_taken[i] = room[part].holds(state_.position[i], room_beside_bodies * model_.parts[part].spacing);
    });
    const std::size_t removed = remove_particles(state_, [&](std::size_t i) { return is_taken[i] != 0; });
    if (removed > 0) is_evaluated_ = false;
    return removed;
}

template <int Dim>
void FluidBody<Dim>::leave(std::string_view part)
{
    for (std::size_t number = 0; number < names_.size(); ++number)
        if (names_[number] == part)
            remove_particles(state_, [&](std::size_t i) { return state_.part[i] == number; });
    is_evaluated_ = false;
}

template <int Dim>
void FluidBody<Dim>::set_emitters(std::span<const Emitter<Dim>> emitters)
{
    PHYXEL_ASSERT(emitters.size() < std::numeric_limits<std::uint16_t>::max());
    std::vector<std::uint16_t> new_number(emitters_.size() + 1, 0); // counted from 1, as in the state
    std::vector<double> emitted_until;
    for (std::size_t k = 0; k < emitters.size(); ++k) {
        emitted_until.push_back(Emitter<Dim>::nothing);
        for (std::size_t old = 0; old < emitters_.size(); ++old) {
            if (emitters_[old].options().source != emitters[k].options().source) continue;
            new_number[old + 1] = static_cast<std::uint16_t>(k + 1);
            emitted_until.back() = emitted_until_[old];
        }
    }
    emitters_.assign(emitters.begin(), emitters.end());
    emitted_until_ = std::move(emitted_until);
    for (std::uint16_t& number : state_.emitter) number = new_number[number];
    state_.emitter.resize(emitters_.empty() ? 0 : state_.size());
}

template <int Dim>
void FluidBody<Dim>::track_loads(bool on)
{
    tracks_loads_ = on;
    walls().track_loads(on);
}

template <int Dim>
FluidWalls<Dim>& FluidBody<Dim>::walls()
{
    return std::visit([](auto& solver) -> FluidWalls<Dim>& { return solver.walls(); }, solver_);
}

template <int Dim>
const FluidWalls<Dim>& FluidBody<Dim>::walls() const
{
    return std::visit([](const auto& solver) -> const FluidWalls<Dim>& { return solver.walls(); }, solver_);
}

template <int Dim>
std::vector<std::string> FluidBody<Dim>::parts() const
{
    std::vector<std::string> all = names_;
    for (const FluidPart<Dim>& part : expected_) all.push_back(part.name);
    return all;
}

template <int Dim>
double FluidBody<Dim>::stable_time_step() const
{
    double dt = std::visit([&](const auto& solver) { return solver.stable_time_step(state_); }, solver_);
    // Also while there is nothing else: a step makes one layer of particles at most.
    for (const Emitter<Dim>& emitter : emitters_)
        dt = std::min(dt, 0.5 * emitter.spacing_along() / emitter.options().velocity.norm());
    return dt;
}

template <int Dim>
std::string FluidBody<Dim>::limiting_part() const
{
    std::vector<double> rates;
    for (const FluidPartModel& part : model_.parts)
        rates.push_back(part.viscosity / (viscous_step_share * model_.rest_density * part.support_radius *
                                          part.support_radius));
    return parts()[part_of_largest_rate<Dim>(particles(), rates)];
}

/// Particles that are still in the shape of their emitter go on with it, the others are let go.
template <int Dim>
void FluidBody<Dim>::move_held(double time)
{
    for (std::size_t i = 0; i < state_.emitter.size(); ++i) {
        if (state_.emitter[i] == 0) continue;
        const Emitter<Dim>& emitter = emitters_[state_.emitter[i] - 1u];
        if (emitter.is_open(time) && emitter.holds(state_.position[i]))
            state_.velocity[i] = emitter.velocity(time);
        else
            state_.emitter[i] = 0;
    }
}

/// Makes the particles that are due. Returns how many.
template <int Dim>
std::size_t FluidBody<Dim>::emit(const Surroundings<Dim>& surroundings)
{
    const double time = surroundings.time;
    const std::size_t before = state_.size();
    const double room = model_.fault == Fault::CrowdedEmitters ? 1.1 : room_for_new;
    for (std::size_t k = 0; k < emitters_.size(); ++k) {
        const Emitter<Dim>& emitter = emitters_[k];
        const double way = emitter.way(time);
        new_places_.clear();
        const bool begins = emitted_until_[k] == Emitter<Dim>::nothing;
        emitter.append_places(emitted_until_[k], way, new_places_);
        emitted_until_[k] = way;
        if (new_places_.empty()) continue;

        const std::uint32_t part = emitter.options().part;
        leave_out_where_fluid_is(new_places_, (begins ? room_to_begin : room) * model_.parts[part].spacing,
                                 part < unfelt_.size() ? unfelt_[part] : Unfelt());
        leave_out_where_bodies_are(new_places_, part, surroundings);
        const std::size_t first = state_.size();
        append(new_places_, emitter.options().part);
        state_.emitter.resize(state_.size());
        for (std::size_t i = first; i < state_.size(); ++i) {
            state_.velocity[i] = emitter.velocity(time);
            state_.emitter[i] = static_cast<std::uint16_t>(k + 1);
        }
    }
    return state_.size() - before;
}

template <int Dim>
void FluidBody<Dim>::find_unfelt(const Surroundings<Dim>& surroundings)
{
    if (surroundings.ignored.empty()) return;
    unfelt_ = unfelt_by<Dim>(names_, surroundings);
    walls().set_unfelt(unfelt_);
}

template <int Dim>
void FluidBody<Dim>::leave_out_where_fluid_is(std::vector<Vec<Dim>>& places, double room,
                                              const Unfelt& unfelt)
{
    Box<Dim> bounds;
    for (const Vec<Dim>& x : places) bounds.extend(x);
    near_places_.clear();
    for (std::size_t i = 0; i < state_.size(); ++i)
        if (bounds.distance(state_.position[i]) < room && !unfelt.has_part(state_.part[i]))
            near_places_.push_back(state_.position[i]);
    std::erase_if(places, [&](const Vec<Dim>& x) {
        return std::any_of(near_places_.begin(), near_places_.end(),
                           [&](const Vec<Dim>& other) { return (x - other).norm() < room; });
    });
}

/// All that others take up, or one of them.
template <int Dim>
EnclosedRoom<Dim> FluidBody<Dim>::room_of_others(std::uint32_t part, const Surroundings<Dim>& surroundings,
                                                 std::string_view name) const
{
    EnclosedRoom<Dim> room(surroundings.domain.periodic_box());
    for (std::size_t k = 0; k < surroundings.boundaries.size(); ++k) {
        const Boundary<Dim>& boundary = surroundings.boundaries[k];
        for (std::uint32_t piece = 0; piece < boundary.pieces.size(); ++piece)
            if ((name.empty() || boundary.pieces[piece].name == name) &&
                (unfelt_.empty() || !Unfelt::has(unfelt_[part].pieces[k], piece)))
                room.add_piece(boundary, piece);
    }
    return room;
}

template <int Dim>
void FluidBody<Dim>::leave_out_where_bodies_are(std::vector<Vec<Dim>>& places, std::uint32_t part,
                                                const Surroundings<Dim>& surroundings) const
{
    if (places.empty() || surroundings.boundaries.empty()) return;
    const EnclosedRoom<Dim> room = room_of_others(part, surroundings);
    const double margin = room_beside_bodies * model_.parts[part].spacing;
    std::erase_if(places, [&](const Vec<Dim>& x) { return room.holds(x, margin); });
}

/// Particles at rest.
template <int Dim>
void FluidBody<Dim>::append(std::span<const Vec<Dim>> places, std::uint32_t part)
{
    const std::size_t first = state_.size();
    state_.resize(first + places.size());
    for (std::size_t i = first; i < state_.size(); ++i) {
        state_.position[i] = places[i - first];
        state_.velocity[i] = Vec<Dim>::Zero();
        state_.id[i] = next_id_++;
        state_.part[i] = part;
    }
}

template <int Dim>
std::size_t FluidBody<Dim>::remove_at_outflows()
{
    if (outflows_.empty()) return 0;
    return remove_particles(state_, [&](std::size_t i) {
        const Vec<Dim>& x = state_.position[i];
        return std::any_of(outflows_.begin(), outflows_.end(), [&](const Outflow<Dim>& outflow) {
            return outflow.shape.bounds().contains(x) && outflow.shape.inside(x);
        });
    });
}

template <int Dim>
BodyStepReport FluidBody<Dim>::step(double dt, const Surroundings<Dim>& surroundings)
{
    is_evaluated_ = false;
    find_unfelt(surroundings);
    const double stable = stable_time_step();
    move_held(surroundings.time - dt);
    const FluidStepReport step =
        std::visit([&](auto& solver) { return solver.step(state_, dt, surroundings); }, solver_);

    BodyStepReport report{
        .statistics = {.removed = static_cast<double>(step.removed),
                       .mean_compression = step.mean_compression,
                       .largest_compression = step.largest_compression,
                       .density_iterations = static_cast<double>(step.density_iterations),
                       .divergence_iterations = static_cast<double>(step.divergence_iterations),
                       .max_speed = step.max_speed}};
    report.times = step.times;
    if (!step.lost) {
        report.statistics.removed += static_cast<double>(remove_at_outflows());
        report.statistics.emitted = static_cast<double>(emit(surroundings));
    }
    const auto [limit, limit_text] = std::visit(
        [](const auto& solver) { return std::pair(solver.speed_limit(), solver.speed_limit_text); }, solver_);
    if (!step.lost && step.max_speed <= limit) return report;

    const FluidParticle particle = step.lost ? *step.lost : *step.fastest;
    Failure failure;
    failure.body = names_[particle.part];
    failure.particle = particle.id;
    failure.what = step.lost ? "its position or velocity is no longer a number"
                             : too_fast_text(step.max_speed, limit_text);
    if (dt > 1.01 * stable)
        failure.cause = "the step of " + number_text(dt, 3) + " s is too large, " + number_text(stable, 3) +
                        " s would be stable: leave out \"time_step\" or make it smaller";
    else if (step.largest_compression > 0.2)
        failure.cause = "the fluid is compressed by " + number_text(100.0 * step.largest_compression, 3) +
                        " %: bodies overlap at the start, or an obstacle squeezes the fluid";
    else if (!step.lost && rms_speed(state_) < thrown_share * step.max_speed)
        failure.cause =
            "few particles are so fast, most of the fluid is not: they were squeezed, as between an "
            "obstacle and a wall, or came too close; try a smaller \"courant_number\" or \"spacing\"";
    else if (!step.lost)
        failure.cause =
            "all of the fluid is faster than expected; if that is meant, set "
            "\"solver\": { \"max_speed\" } to the fastest speed, and else look for what drives it";
    else
        failure.cause = "a force, a velocity or a viscosity that is far too large";
    report.failure = std::move(failure);
    return report;
}

template <int Dim>
void FluidBody<Dim>::evaluate(const Surroundings<Dim>& surroundings)
{
    if (is_evaluated_) return;
    find_unfelt(surroundings);
    // Solvers sort particles, but looking at a state must not change it. So this works on a copy, with
    // numbers instead of ids.
    FluidState<Dim> copy = state_;
    std::iota(copy.id.begin(), copy.id.end(), std::uint64_t(0));
    std::vector<double> density, pressure;
    std::visit([&](auto& solver) { solver.evaluate(copy, surroundings, density, pressure); }, solver_);
    density_.resize(state_.size());
    pressure_.resize(state_.size());
    for (std::size_t k = 0; k < copy.size(); ++k) {
        density_[copy.id[k]] = density[k];
        pressure_[copy.id[k]] = pressure[k];
    }
    is_evaluated_ = true;
}

template <int Dim>
ParticleView<Dim> FluidBody<Dim>::particles() const
{
    return {.positions = state_.position,
            .velocities = state_.velocity,
            .ids = state_.id,
            .parts = state_.part,
            .reach = reach_};
}

template <int Dim>
ParticleAmounts FluidBody<Dim>::amounts(const Surroundings<Dim>& surroundings)
{
    evaluate(surroundings);
    const std::size_t count = state_.size();
    for (auto* values : {&mass_, &volume_, &rest_volume_, &weight_, &internal_energy_}) values->resize(count);
    std::visit(
        [&](const auto& solver) {
            parallel_for(count, [&](Index i) {
                const double m = part_of(i).particle_mass;
                mass_[i] = m;
                // At a free surface the density is too small for lack of neighbours, not because the fluid
                // expands.
                volume_[i] = m / std::max(density_[i], model_.rest_density);
                rest_volume_[i] = m / model_.rest_density;
                weight_[i] = m / density_[i];
                internal_energy_[i] = m * solver.internal_energy(density_[i]);
            });
        },
        solver_);
    return {.mass = mass_,
            .volume = volume_,
            .rest_volume = rest_volume_,
            .weight = weight_,
            .internal_energy = internal_energy_};
}

template <int Dim>
std::vector<double> FluidBody<Dim>::field(std::string_view field, const Surroundings<Dim>& surroundings)
{
    evaluate(surroundings);
    return field == "pressure" ? pressure_ : density_;
}

template <int Dim>
void FluidBody<Dim>::save(CheckpointWriter& checkpoint) const
{
    save_state(checkpoint, "fluid/", state_, {ArrayRole::Always, ArrayRole::Optional});
    checkpoint.add("fluid/emitted_until", emitted_until_);
    checkpoint.add_value("fluid/next_id", next_id_);
    checkpoint.add_value("fluid/parts", std::uint64_t(names_.size()));
    save_state(checkpoint, "fluid/", state_, {ArrayRole::Guess});
}

template <int Dim>
void FluidBody<Dim>::load(const CheckpointReader& checkpoint)
{
    FluidState<Dim> state;
    load_state(checkpoint, "fluid/", state);
    std::vector<double> emitted_until(emitters_.size());
    checkpoint.read_into("fluid/emitted_until", std::span(emitted_until));
    const auto next_id = checkpoint.value<std::uint64_t>("fluid/next_id");
    if (checkpoint.value<std::uint64_t>("fluid/parts") != names_.size())
        throw InputError("the checkpoint is that of another scene");
    if (!std::all_of(emitted_until.begin(), emitted_until.end(),
                     [](double way) { return std::isfinite(way); }))
        throw InputError("the checkpoint is damaged: an emitter is nowhere");
    for (std::size_t k = 0; k < emitters_.size(); ++k) {
        const Emitter<Dim>& emitter = emitters_[k];
        const double way = emitter.way(checkpoint.value<double>("world/time"));
        const double layers = (way - std::max(0.0, emitted_until[k])) / emitter.spacing_along();
        if (!(layers * static_cast<double>(emitter.column_count()) <= most_overdue))
            throw InputError("the checkpoint is damaged: an emitter is far behind its time");
    }
    if (!(state.largest_acceleration >= 0.0))
        throw InputError("the checkpoint is damaged: a fluid has no acceleration");
    if (state.emitter.size() != (emitters_.empty() ? 0 : state.size()))
        throw InputError("the checkpoint is that of another scene");
    if (state.velocity_pressure.size() != state.position_pressure.size())
        throw InputError("the checkpoint is damaged: its pressures do not fit its particles");
    for (std::size_t i = 0; i < state.size(); ++i)
        if (state.part[i] >= names_.size() || (state.has_emitters() && state.emitter[i] > emitters_.size()))
            throw InputError("the checkpoint is that of another scene");
    if (!is_finite(state)) throw InputError("the checkpoint has a particle that is nowhere");
    state_ = std::move(state);
    emitted_until_ = std::move(emitted_until);
    next_id_ = next_id;
    is_evaluated_ = false;
}

template class FluidBody<2>;
template class FluidBody<3>;

} // namespace phyxel
