// SPDX-License-Identifier: MIT
#include <phyxel/world/world.h>

#include <phyxel/core/assert.h>
#include <phyxel/core/error.h>
#include <phyxel/core/number_text.h>
#include <phyxel/core/state_hash.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace phyxel {
namespace {

/// Steps this many times shorter than a frame mean that something went wrong.
constexpr double shortest_step_share = 1e-7;

/// A target that is this share of a step away is reached.
constexpr double target_tolerance = 1e-9;
/// Moments nearer than this share of the time between frames are the same.
constexpr double same_moment_share = 1e-9;

constexpr std::uint64_t nobody = ~std::uint64_t(0);
/// Beyond it doubles do not know every frame.
constexpr std::uint64_t last_counted_frame = std::uint64_t(1) << 53;

/// Whether a probe has been sampled as often as it should until a time: its next sample is due after that,
/// and soon.
template <int Dim>
bool is_sampled_until(const Probe<Dim>& probe, std::uint64_t samples_done, double time)
{
    if (probe.every != ProbeTimes::Interval) return true;
    const double left = static_cast<double>(samples_done) * probe.interval - time;
    constexpr double rounding = 1e-6;
    return left >= -rounding * probe.interval && left <= (1.0 + rounding) * probe.interval;
}

/// A step of `dt` from `begin` on is made as it is if what comes next is at this time or later: two steps
/// fit.
double end_of_two_steps(double begin, double dt)
{
    double end = begin + 2.0 * dt;
    while (2.0 * dt > end - begin) end = std::nextafter(end, std::numeric_limits<double>::infinity());
    return end;
}

} // namespace

std::uint64_t ClockOptions::last_frame() const
{
    // 0.1 s at 30 frames a second are 3 frames, however the product rounds.
    return static_cast<std::uint64_t>(std::floor(duration * frame_rate * (1.0 + 1e-12) + 1e-12));
}

template <int Dim>
World<Dim>::World(WorldOptions<Dim> options, std::vector<std::unique_ptr<Body<Dim>>> bodies)
    : options_(std::move(options)),
      bodies_(std::move(bodies))
{
    std::stable_sort(options_.events.begin(), options_.events.end(),
                     [](const Event<Dim>& a, const Event<Dim>& b) { return a.time < b.time; });
    surroundings_.domain = options_.domain;
    for (const MovingObstacle<Dim>& obstacle : options_.obstacles)
        surroundings_.obstacles.push_back(
            {.name = obstacle.name, .shape = obstacle.shape, .surface = obstacle.surface});
    for (const Probe<Dim>& probe : options_.probes) {
        const std::vector<std::string> columns = phyxel::probe_columns(probe);
        probe_columns_.insert(probe_columns_.end(), columns.begin(), columns.end());
        if (std::holds_alternative<ObstacleProbe>(probe.what))
            for (auto& body : bodies_) body->track_loads(true);
    }
    samples_done_.assign(options_.probes.size(), 0);
    if (!options_.hands.empty()) set_hands(options_.hands);
    apply_events_due();
    move_surroundings();
    follow_particles();
    sample_probes(true);
}

template <int Dim>
std::size_t World<Dim>::particle_count() const
{
    std::size_t count = 0;
    for (const auto& body : bodies_) count += body->particle_count();
    return count;
}

template <int Dim>
std::vector<std::string> World<Dim>::part_names() const
{
    std::vector<std::string> names;
    for (const auto& body : bodies_) {
        const std::vector<std::string> parts = body->parts();
        names.insert(names.end(), parts.begin(), parts.end());
    }
    return names;
}

template <int Dim>
bool World<Dim>::advance_frame(const std::function<bool()>& pause)
{
    if (std::exchange(frame_reached_, false)) report_ = {};
    while (!failure_) {
        const double target = next_target();
        const double left = target - time_;
        double dt = options_.clock.max_step;
        for (const auto& body : bodies_) dt = std::min(dt, body->stable_time_step());
        if (options_.clock.fixed_step) {
            dt = *options_.clock.fixed_step;
        } else if (!(dt >= options_.clock.min_step &&
                     dt >= shortest_step_share / options_.clock.frame_rate)) {
            const bool is_bound = dt < options_.clock.min_step;
            fail({.body = bodies_.empty() ? std::string() : bodies_.front()->parts().front(),
                  .what = std::isfinite(dt) ? "it needs a step of " + number_text(dt, 3) + " s"
                                            : "the step that it needs is no longer a number",
                  .cause = is_bound ? "\"time_step\" allows no less than " +
                                          number_text(options_.clock.min_step, 3) + " s"
                                    : "it is stiffer or faster than can be computed in sensible time"});
            break;
        }

        const bool reaches_target = dt >= left * (1.0 - target_tolerance);
        last_asked_step_ = dt;
        earliest_change_ = reaches_target ? target : std::max(earliest_change_, end_of_two_steps(time_, dt));
        if (reaches_target)
            dt = left;
        else if (!options_.clock.fixed_step && 2.0 * dt > left)
            dt = 0.5 * left; // two like steps rather than a long and a tiny one
        time_ = reaches_target ? target : time_ + dt;
        // A frame and a sample that are meant for the same moment may differ in the last digit.
        if (!reaches_target || left > same_moment_share / options_.clock.frame_rate) make_step(dt);
        if (failure_) break;

        const bool at_frame = reaches_target && target == options_.clock.frame_time(frame_ + 1);
        if (at_frame) ++frame_;
        apply_events_due();
        sample_probes(at_frame);
        if (at_frame) {
            frame_reached_ = true;
            return true;
        }
        if (pause && pause()) return false;
    }
    return false;
}

/// What the next steps lead up to: the next frame, or an event or a sample before it.
template <int Dim>
double World<Dim>::next_target() const
{
    double target = options_.clock.frame_time(frame_ + 1);
    if (events_done_ < options_.events.size()) target = std::min(target, options_.events[events_done_].time);
    for (std::size_t k = 0; k < options_.probes.size(); ++k)
        if (options_.probes[k].every == ProbeTimes::Interval)
            target = std::min(target, static_cast<double>(samples_done_[k]) * options_.probes[k].interval);
    return target;
}

template <int Dim>
void World<Dim>::make_step(double dt)
{
    move_surroundings();
    ++step_count_;
    ++report_.steps;
    report_.shortest_step = std::min(report_.shortest_step, dt);
    report_.longest_step = std::max(report_.longest_step, dt);
    for (auto& body : bodies_) {
        BodyStepReport step = body->step(dt, surroundings_);
        report_.mean_compression = std::max(report_.mean_compression, step.mean_compression);
        report_.largest_compression = std::max(report_.largest_compression, step.largest_compression);
        report_.density_iterations += step.density_iterations;
        report_.divergence_iterations += step.divergence_iterations;
        report_.largest_penetration = std::max(report_.largest_penetration, step.largest_penetration);
        report_.newton_iterations += step.newton_iterations;
        report_.linear_iterations += step.linear_iterations;
        report_.residual = std::max(report_.residual, step.residual);
        report_.inverted = std::max<std::uint64_t>(report_.inverted, step.inverted);
        report_.removed += step.removed;
        report_.emitted += step.emitted;
        report_.times.add(step.times);
        if (step.failure) {
            fail(std::move(*step.failure));
            return;
        }
    }
    count_turns();
}

template <int Dim>
void World<Dim>::fail(Failure failure)
{
    failure.time = time_;
    failure_ = std::move(failure);
}

template <int Dim>
void World<Dim>::apply_events_due()
{
    while (events_done_ < options_.events.size() && options_.events[events_done_].time <= time_)
        options_.events[events_done_++].apply(*this);
}

template <int Dim>
void World<Dim>::set_hands(std::vector<Hand<Dim>> hands)
{
    options_.hands = std::move(hands);
    for (auto& body : bodies_) body->set_hands(options_.hands);
}

template <int Dim>
double World<Dim>::next_change_time() const
{
    if (earliest_change_ <= time_) return time_;
    // Nothing is cut off that is shorter than a step.
    const double target = next_target();
    return earliest_change_ + last_asked_step_ > target ? target : earliest_change_;
}

template <int Dim>
void World<Dim>::set_events_to_come(std::vector<Event<Dim>> events)
{
    std::stable_sort(events.begin(), events.end(),
                     [](const Event<Dim>& a, const Event<Dim>& b) { return a.time < b.time; });
    PHYXEL_ASSERT(events.empty() || events.front().time >= time_);
    options_.events.resize(events_done_);
    for (Event<Dim>& event : events) options_.events.push_back(std::move(event));
    apply_events_due();
}

template <int Dim>
void World<Dim>::move_surroundings()
{
    for (std::size_t k = 0; k < options_.obstacles.size(); ++k) {
        const Motion<Dim>& motion = options_.obstacles[k].motion;
        if (motion.is_fixed() && step_count_ > 0) continue;
        surroundings_.obstacles[k].pose = motion.pose(time_);
        surroundings_.obstacles[k].velocity = motion.velocity(time_);
    }
    const GravityFormula<Dim>& formula = options_.gravity;
    const auto gravity_at = [&formula, t = time_](const Vec<Dim>& x) {
        Vec<Dim> g;
        for (int k = 0; k < Dim; ++k) g[k] = formula[k].evaluate(x[0], x[1], Dim == 3 ? x[Dim - 1] : 0.0, t);
        return g;
    };
    surroundings_.time = time_;
    surroundings_.balls.clear();
    for (const Hand<Dim>& hand : options_.hands)
        if (hand.kind == HandKind::Push)
            surroundings_.balls.push_back({hand.place(time_), hand.radius, hand.strength});
    surroundings_.gravity = gravity_at(Vec<Dim>::Zero());
    const bool is_field = std::any_of(formula.begin(), formula.end(), [](const Formula& f) {
        return f.uses('x') || f.uses('y') || f.uses('z');
    });
    surroundings_.gravity_field = nullptr;
    if (is_field) surroundings_.gravity_field = gravity_at;
}

template <int Dim>
std::vector<Snapshot> World<Dim>::snapshots(std::span<const std::string> fields)
{
    std::vector<Snapshot> all;
    for (auto& body : bodies_)
        for (Snapshot& snapshot : body->snapshots(fields, surroundings_)) {
            snapshot.time = time_;
            all.push_back(std::move(snapshot));
        }
    return all;
}

template <int Dim>
std::vector<BodyTotals<Dim>> World<Dim>::totals()
{
    std::vector<BodyTotals<Dim>> all;
    for (auto& body : bodies_)
        for (BodyTotals<Dim>& total : body->totals(surroundings_)) all.push_back(std::move(total));
    return all;
}

template <int Dim>
std::vector<ProbeRow> World<Dim>::take_probe_rows()
{
    return std::exchange(probe_rows_, {});
}

/// Finds the particles that probes with a body follow.
template <int Dim>
void World<Dim>::follow_particles()
{
    followed_.assign(options_.probes.size(), std::nullopt);
    followed_from_.assign(options_.probes.size(), Vec<Dim>::Zero());
    followed_turns_ = followed_from_;
    for (std::size_t k = 0; k < options_.probes.size(); ++k) {
        const auto* point = std::get_if<PointProbe<Dim>>(&options_.probes[k].what);
        if (point == nullptr || !point->body) continue;
        for (auto& body : bodies_) {
            if (followed_[k]) break;
            followed_[k] = body->nearest(*point->body, point->point);
            if (!followed_[k]) continue;
            const auto x = body->value("position", *followed_[k], surroundings_);
            for (int axis = 0; x && axis < Dim; ++axis) followed_from_[k][axis] = (*x)[axis];
        }
    }
    followed_last_ = followed_from_;
}

/// A particle that leaves at one periodic side and comes back at the other has not jumped.
template <int Dim>
void World<Dim>::count_turns()
{
    const PeriodicBox<Dim> box = surroundings_.domain.periodic_box();
    if (box.length.isZero(0.0)) return;
    for (std::size_t k = 0; k < options_.probes.size(); ++k) {
        if (!followed_[k] || options_.probes[k].field != "displacement") continue;
        for (auto& body : bodies_) {
            const auto x = body->value("position", *followed_[k], surroundings_);
            if (!x) continue;
            for (int axis = 0; axis < Dim; ++axis) {
                if (box.is_periodic(axis))
                    followed_turns_[k][axis] -=
                        std::nearbyint(((*x)[axis] - followed_last_[k][axis]) / box.length[axis]);
                followed_last_[k][axis] = (*x)[axis];
            }
        }
    }
}

template <int Dim>
void World<Dim>::sample_probes(bool at_frame)
{
    if (options_.probes.empty()) return;
    ProbeRow row;
    row.time = time_;
    row.values.resize(probe_columns_.size());
    bool is_sampled = false;
    std::size_t column = 0;
    for (std::size_t k = 0; k < options_.probes.size(); ++k) {
        const Probe<Dim>& probe = options_.probes[k];
        const std::size_t width = phyxel::probe_columns(probe).size();
        const bool is_due = probe.every == ProbeTimes::Step ||
                            (probe.every == ProbeTimes::Frame && at_frame) ||
                            (probe.every == ProbeTimes::Interval &&
                             time_ >= static_cast<double>(samples_done_[k]) * probe.interval);
        if (is_due) {
            sample(probe, k, std::span(row.values).subspan(column, width));
            ++samples_done_[k];
            is_sampled = true;
        }
        column += width;
    }
    if (is_sampled) probe_rows_.push_back(std::move(row));
}

template <int Dim>
void World<Dim>::sample(const Probe<Dim>& probe, std::size_t number, std::span<std::optional<double>> values)
{
    const auto put = [&](std::size_t begin, const auto& vector) {
        for (Eigen::Index k = 0; k < vector.size(); ++k)
            values[begin + static_cast<std::size_t>(k)] = vector[k];
    };
    const auto sample_places = [&](const std::vector<Vec<Dim>>& places) {
        for (auto& value : values) value = 0.0;
        for (auto& body : bodies_) {
            const std::vector<double> sampled =
                body->sample(probe.field, places, std::nullopt, surroundings_);
            for (std::size_t k = 0; k < sampled.size(); ++k) *values[k] += sampled[k];
        }
    };

    if (const auto* point = std::get_if<PointProbe<Dim>>(&probe.what)) {
        if (!point->body) {
            sample_places({point->point});
            return;
        }
        if (!followed_[number]) return;
        const bool is_displacement = probe.field == "displacement";
        const Vec<Dim> origin = followed_from_[number] - followed_turns_[number].cwiseProduct(
                                                             surroundings_.domain.periodic_box().length);
        for (auto& body : bodies_) {
            const auto value =
                body->value(is_displacement ? "position" : probe.field, *followed_[number], surroundings_);
            if (!value) continue;
            for (std::size_t k = 0; k < value->size(); ++k)
                values[k] = (*value)[k] - (is_displacement ? origin[static_cast<Eigen::Index>(k)] : 0.0);
        }
    } else if (const auto* line = std::get_if<LineProbe<Dim>>(&probe.what)) {
        std::vector<Vec<Dim>> places;
        for (int n = 0; n < line->count; ++n) {
            const double s = line->count > 1 ? static_cast<double>(n) / (line->count - 1) : 0.0;
            places.push_back((1.0 - s) * line->from + s * line->to);
        }
        sample_places(places);
    } else if (const auto* plane = std::get_if<PlaneProbe<Dim>>(&probe.what)) {
        double flow = 0.0;
        for (auto& body : bodies_) flow += body->flow(plane->point, plane->normal, surroundings_);
        values[0] = flow;
    } else if (const auto* part = std::get_if<BodyProbe>(&probe.what)) {
        for (const BodyTotals<Dim>& total : totals()) {
            if (total.name != part->body || total.particles == 0) continue;
            if (probe.field == "bounds") {
                put(0, total.bounds.min);
                put(Dim, total.bounds.max);
            } else if (probe.field == "center") {
                put(0, total.center);
            } else if (probe.field == "momentum") {
                put(0, total.momentum);
            } else if (probe.field == "volume") {
                values[0] = total.volume;
            } else if (probe.field == "energy") {
                values[0] = total.energy();
            } else if (probe.field == "max_speed") {
                values[0] = total.max_speed;
            }
        }
    } else if (const auto* obstacle = std::get_if<ObstacleProbe>(&probe.what)) {
        ObstacleLoad<Dim> sum;
        for (auto& body : bodies_) {
            const auto loads = body->loads();
            for (std::size_t k = 0; k < loads.size(); ++k) {
                if (surroundings_.obstacles[k].name != obstacle->obstacle) continue;
                sum.force += loads[k].force;
                sum.torque += loads[k].torque;
            }
        }
        if (probe.field == "force")
            put(0, sum.force);
        else
            put(0, sum.torque);
    }
}

template <int Dim>
void World<Dim>::save(CheckpointWriter& checkpoint) const
{
    checkpoint.add_value("world/dimension", std::int32_t(Dim));
    checkpoint.add_value("world/time", time_);
    checkpoint.add_value("world/frame", frame_);
    checkpoint.add_value("world/step_count", step_count_);
    checkpoint.add_value("world/events_done", events_done_);
    checkpoint.add("world/samples_done", samples_done_);
    std::vector<std::uint64_t> followed;
    for (const auto& id : followed_) followed.push_back(id.value_or(nobody));
    checkpoint.add("world/followed", followed);
    checkpoint.add("world/followed_from", followed_from_);
    checkpoint.add("world/followed_last", followed_last_);
    checkpoint.add("world/followed_turns", followed_turns_);
    checkpoint.add_value("world/frame_reached", std::uint8_t(frame_reached_));
    const std::array<double, 10> numbers = {report_.shortest_step,       report_.longest_step,
                                            report_.mean_compression,    report_.largest_compression,
                                            report_.density_iterations,  report_.divergence_iterations,
                                            report_.largest_penetration, report_.newton_iterations,
                                            report_.linear_iterations,   report_.residual};
    const std::array<std::uint64_t, 4> counts = {report_.steps, report_.removed, report_.emitted,
                                                 report_.inverted};
    checkpoint.add_value("world/report_numbers", numbers);
    checkpoint.add_value("world/report_counts", counts);
    for (const auto& body : bodies_) body->save(checkpoint);
}

/// Whether a frame was the last one at a time. Otherwise samples and emitters would catch up with the time
/// step by step, maybe without end.
template <int Dim>
bool World<Dim>::is_moment(double time, std::uint64_t frame, bool frame_reached) const
{
    if (!std::isfinite(time) || frame >= last_counted_frame) return false;
    const double begin = options_.clock.frame_time(frame);
    return frame_reached ? time == begin : time >= begin && time <= options_.clock.frame_time(frame + 1);
}

template <int Dim>
void World<Dim>::load(const CheckpointReader& checkpoint)
{
    if (checkpoint.value<std::int32_t>("world/dimension") != Dim)
        throw InputError("the checkpoint is that of another scene");
    const auto events_done = checkpoint.value<std::uint64_t>("world/events_done");
    if (events_done > options_.events.size()) throw InputError("the checkpoint is that of another scene");
    const auto time = checkpoint.value<double>("world/time");
    const auto frame = checkpoint.value<std::uint64_t>("world/frame");
    const bool frame_reached = checkpoint.value<std::uint8_t>("world/frame_reached") != 0;
    std::vector<std::uint64_t> samples_done(samples_done_.size());
    checkpoint.read_into("world/samples_done", std::span(samples_done));
    if (!is_moment(time, frame, frame_reached))
        throw InputError("the checkpoint is damaged: its time is not one of its frame");
    for (std::size_t k = 0; k < samples_done.size(); ++k)
        if (!is_sampled_until(options_.probes[k], samples_done[k], time))
            throw InputError("the checkpoint is damaged: the probe \"" + options_.probes[k].name +
                             "\" was sampled at other times");
    time_ = time;
    frame_ = frame;
    frame_reached_ = frame_reached;
    samples_done_ = std::move(samples_done);
    // Neither parameters nor who is there is state: what events did is done again. The surroundings are those
    // of the last step, which knew nothing of what happens at its end.
    const auto apply_events = [&](const auto& is_next) {
        for (; events_done_ < events_done && is_next(options_.events[events_done_]); ++events_done_)
            options_.events[events_done_].apply(*this);
    };
    events_done_ = 0;
    apply_events([&](const Event<Dim>& event) { return event.time < time_ || time_ == 0.0; });
    for (std::size_t k = 0; k < options_.obstacles.size(); ++k) {
        surroundings_.obstacles[k].pose = options_.obstacles[k].motion.pose(time_);
        surroundings_.obstacles[k].velocity = options_.obstacles[k].motion.velocity(time_);
    }
    move_surroundings();
    apply_events([](const Event<Dim>&) { return true; });
    for (auto& body : bodies_) body->load(checkpoint);
    step_count_ = checkpoint.value<std::uint64_t>("world/step_count");
    std::vector<std::uint64_t> followed(options_.probes.size());
    checkpoint.read_into("world/followed", std::span(followed));
    for (std::size_t k = 0; k < followed.size(); ++k)
        followed_[k] = followed[k] == nobody ? std::nullopt : std::optional(followed[k]);
    checkpoint.read_into("world/followed_from", std::span(followed_from_));
    checkpoint.read_into("world/followed_last", std::span(followed_last_));
    checkpoint.read_into("world/followed_turns", std::span(followed_turns_));
    const auto numbers = checkpoint.value<std::array<double, 10>>("world/report_numbers");
    const auto counts = checkpoint.value<std::array<std::uint64_t, 4>>("world/report_counts");
    report_ = {};
    report_.steps = counts[0];
    report_.removed = counts[1];
    report_.emitted = counts[2];
    report_.shortest_step = numbers[0];
    report_.longest_step = numbers[1];
    report_.mean_compression = numbers[2];
    report_.largest_compression = numbers[3];
    report_.density_iterations = numbers[4];
    report_.divergence_iterations = numbers[5];
    report_.largest_penetration = numbers[6];
    report_.newton_iterations = numbers[7];
    report_.linear_iterations = numbers[8];
    report_.residual = numbers[9];
    report_.inverted = counts[3];
    earliest_change_ = frame_reached_ ? time_ : std::numeric_limits<double>::infinity();
    probe_rows_.clear();
    failure_.reset();
}

template <int Dim>
std::uint64_t World<Dim>::state_hash() const
{
    CheckpointWriter checkpoint;
    save(checkpoint);
    StateHash hash;
    const std::vector<std::byte> bytes = checkpoint.encode();
    hash.add(std::span<const std::byte>(bytes));
    return hash.value();
}

template class World<2>;
template class World<3>;

} // namespace phyxel
