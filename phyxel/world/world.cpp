// SPDX-License-Identifier: MIT
#include <phyxel/world/world.h>

#include <phyxel/core/assert.h>
#include <phyxel/core/error.h>
#include <phyxel/core/number_text.h>
#include <phyxel/core/state_hash.h>
#include <phyxel/geometry/rigid_motion.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

namespace phyxel {
namespace {

/// Steps this many times shorter than a frame mean that something went wrong.
constexpr double shortest_step_share = 1e-7;

/// A target that is this share of a step away is reached.
constexpr double target_tolerance = 1e-9;
/// Moments nearer than this share of the time between frames are the same.
constexpr double same_moment_share = 1e-9;

/// How far boundaries may move in a step, in spacings of their points: two of these are one of a fluid's.
constexpr double longest_boundary_way = 0.8;

/// Beyond it doubles do not know every frame.
constexpr std::uint64_t last_counted_frame = std::uint64_t(1) << 53;

constexpr auto saved_together = std::span<const StatisticInfo>(statistics).first(first_statistics);
constexpr auto later_statistics = std::span<const StatisticInfo>(statistics).subspan(first_statistics);

/// The report of a frame as checkpoints have it, but for the statistics that came later.
struct SavedReport {
    static constexpr std::size_t count_number =
        static_cast<std::size_t>(std::count_if(saved_together.begin(), saved_together.end(),
                                               [](const StatisticInfo& info) { return info.is_count; }));

    std::array<double, 2 + first_statistics - count_number> numbers = {};
    std::array<std::uint64_t, 1 + count_number> counts = {};

    /// Calls f(number or count, what it is of the report).
    template <class F>
    void for_each(FrameReport& report, const F& f)
    {
        auto number = numbers.begin();
        auto count = counts.begin();
        f(*number++, report.shortest_step);
        f(*number++, report.longest_step);
        f(*count++, report.steps);
        for (const StatisticInfo& info : saved_together)
            info.is_count ? f(*count++, report.statistics.*info.value)
                          : f(*number++, report.statistics.*info.value);
    }
};

std::string section_of(const StatisticInfo& info) { return "world/report/" + std::string(info.column); }

template <int Dim>
bool is_before(const Event<Dim>& a, const Event<Dim>& b)
{
    return std::pair(a.time, a.rank) < std::pair(b.time, b.rank);
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
      bodies_(std::move(bodies)),
      probes_(std::exchange(options_.probes, {}))
{
    std::stable_sort(options_.events.begin(), options_.events.end(), is_before<Dim>);
    surroundings_.domain = options_.domain;
    surroundings_.ignored = options_.ignored;
    for (const MovingObstacle<Dim>& obstacle : options_.obstacles)
        surroundings_.obstacles.push_back({.name = obstacle.name,
                                           .shape = obstacle.shape,
                                           .surface = obstacle.surface,
                                           .heat = obstacle.heat});
    plan_courses();
    if (probes_.need_loads())
        for (auto& body : bodies_) body->track_loads(true);
    if (!options_.hands.empty()) set_hands(options_.hands);
    begin_heat_if_asked();
    apply_events_due();
    move_surroundings(time_);
    find_boundaries();
    find_forms(0.0);
    probes_.follow_particles(bodies_, surroundings_);
    probes_.sample(time_, true, bodies_, surroundings_);
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
        const std::optional<double> asked = asked_step();
        if (!asked) break;
        double dt = *asked;

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
        if (has_heat_ && !failure_) exchange_heat(dt, reaches_target);
        if (failure_) break;

        const bool at_frame = reaches_target && target == options_.clock.frame_time(frame_ + 1);
        if (at_frame) ++frame_;
        apply_events_due();
        probes_.sample(time_, at_frame, bodies_, surroundings_);
        if (at_frame) {
            frame_reached_ = true;
            return true;
        }
        if (pause && pause()) return false;
    }
    return false;
}

/// The longest step that a body can make; those that need shorter ones make several within it. Where bodies
/// feel each other, one of those that feel: what it pushes against is held to move on as it did. What is met
/// by its form allows no longer ones than its own. None if one needs so short ones that it has failed.
template <int Dim>
std::optional<double> World<Dim>::asked_step()
{
    if (options_.clock.fixed_step) return *options_.clock.fixed_step;
    double longest = 0.0;
    double most = options_.clock.max_step;
    const bool is_felt = !surroundings_.boundaries.empty();
    for (std::size_t n = 0; n < bodies_.size(); ++n) {
        const double dt = std::min(options_.clock.max_step, bodies_[n]->stable_time_step());
        if (!check_step(*bodies_[n], dt)) return {};
        if (has_forms(n)) most = std::min(most, dt);
        if (is_felt && !std::isfinite(bodies_[n]->boundary_spacing())) continue;
        longest = std::max(longest, is_felt ? std::min(dt, coupled_step(*bodies_[n])) : dt);
    }
    return bodies_.empty() ? options_.clock.max_step : std::min(longest, most);
}

/// Whether a body can be computed with steps of this length; if not, it has failed.
template <int Dim>
bool World<Dim>::check_step(const Body<Dim>& body, double dt)
{
    if (dt >= options_.clock.min_step && dt >= shortest_step_share / options_.clock.frame_rate) return true;
    const bool is_bound = dt < options_.clock.min_step;
    fail({.body = body.limiting_part(),
          .what = std::isfinite(dt) ? "it needs a step of " + number_text(dt, 3) + " s"
                                    : "the step that it needs is no longer a number",
          .cause = is_bound
                       ? "\"time_step\" allows no less than " + number_text(options_.clock.min_step, 3) + " s"
                       : "it is stiffer or faster than can be computed in sensible time"});
    return false;
}

/// What the next steps lead up to: the next frame, or an event or a sample before it.
template <int Dim>
double World<Dim>::next_target() const
{
    double target = options_.clock.frame_time(frame_ + 1);
    if (events_done_ < options_.events.size()) target = std::min(target, options_.events[events_done_].time);
    return std::min(target, probes_.next_time());
}

template <int Dim>
void World<Dim>::make_step(double dt)
{
    move_surroundings(time_);
    ++step_count_;
    ++report_.steps;
    report_.shortest_step = std::min(report_.shortest_step, dt);
    report_.longest_step = std::max(report_.longest_step, dt);
    if (is_coupled()) make_coupled_step(dt);
    for (auto& body : bodies_) {
        if (is_coupled() || failure_) break;
        if (bodies_.size() == 1)
            step_body(*body, dt);
        else
            step_in_parts(*body, dt);
    }
    if (failure_) return;
    find_boundaries();
    find_forms(0.0);
    probes_.count_turns(bodies_, surroundings_);
}

template <int Dim>
void World<Dim>::step_body(Body<Dim>& body, double dt)
{
    BodyStepReport step = body.step(dt, surroundings_);
    report_.statistics.add(step.statistics);
    report_.times.add(step.times);
    if (step.failure) fail(std::move(*step.failure));
}

/// Steps of a body's own, as many as it needs, until the world's time.
template <int Dim>
void World<Dim>::step_in_parts(Body<Dim>& body, double dt)
{
    double left = dt;
    while (left > 0.0 && !failure_) {
        double part = body.stable_time_step();
        if (!check_step(body, part)) return;
        if (is_coupled()) part = std::min(part, coupled_step(body));
        if (part >= left * (1.0 - target_tolerance))
            part = left;
        else if (2.0 * part > left)
            part = 0.5 * left; // two like steps rather than a long and a tiny one
        left = part == left ? 0.0 : left - part;
        move_surroundings(time_ - left);
        if (is_coupled()) move_boundaries(time_ - left - part);
        if (body.meets_forms()) move_forms(dt - left);
        step_body(body, part);
        const auto loads = body.form_loads();
        for (std::size_t k = 0; k < form_impulses_.size() && k < loads.size(); ++k) {
            form_impulses_[k].force += part * loads[k].force;
            form_impulses_[k].torque += part * loads[k].torque;
        }
        const auto done = body.boundary_impulses();
        for (std::size_t k = 0; k < impulses_.size() && k < done.size(); ++k)
            for (std::size_t n = 0; n < done[k].size(); ++n) impulses_[k][n] += done[k][n];
    }
}

/// First those that feel others, which see these move on as they did; then the others, which feel what was
/// done to them, and last those whose forms these have met. So nothing has to be remembered from step to
/// step.
template <int Dim>
void World<Dim>::make_coupled_step(double dt)
{
    const auto feels = [](const Body<Dim>& body) { return std::isfinite(body.boundary_spacing()); };
    impulses_.resize(shown_.size());
    for (std::size_t k = 0; k < shown_.size(); ++k)
        impulses_[k].assign(surroundings_.boundaries[k].size(), Vec<Dim>::Zero());
    for (auto& body : bodies_)
        if (feels(*body) && !failure_) step_in_parts(*body, dt);
    for (std::size_t k = 0; k < shown_.size(); ++k) bodies_[shown_[k]]->take_impulses(impulses_[k], dt);
    impulses_.clear();
    find_forms(dt);
    for (std::size_t n = 0; n < bodies_.size(); ++n)
        if (!feels(*bodies_[n]) && !has_forms(n) && !failure_) step_in_parts(*bodies_[n], dt);
    for (const FormsOf& of : formed_) {
        if (failure_) return;
        bodies_[of.body]->take_form_impulses(std::span(form_impulses_).subspan(of.first, of.count));
        step_in_parts(*bodies_[of.body], dt);
    }
}

/// Shows the bodies to each other as they are now.
template <int Dim>
void World<Dim>::find_boundaries()
{
    if (bodies_.size() < 2) return;
    boundary_spacing_ = std::numeric_limits<double>::infinity();
    for (const auto& body : bodies_)
        boundary_spacing_ = std::min(boundary_spacing_, body->boundary_spacing());
    boundary_time_ = time_;
    shown_.clear();
    std::vector<Boundary<Dim>>& boundaries = surroundings_.boundaries;
    for (std::size_t k = 0; k < bodies_.size() && std::isfinite(boundary_spacing_); ++k) {
        if (std::isfinite(bodies_[k]->boundary_spacing())) continue;
        if (boundaries.size() == shown_.size()) boundaries.emplace_back();
        Boundary<Dim>& boundary = boundaries[shown_.size()];
        boundary.position.clear();
        bodies_[k]->show_boundary(boundary_spacing_, boundary, surroundings_);
        if (boundary.size() > 0) shown_.push_back(k);
    }
    boundaries.resize(shown_.size());
}

template <int Dim>
bool World<Dim>::has_forms(std::size_t body) const
{
    return std::any_of(formed_.begin(), formed_.end(), [&](const FormsOf& of) { return of.body == body; });
}

/// Where they are now, and for a step of `dt` [s] where they will be if nobody touches them.
template <int Dim>
void World<Dim>::find_forms(double dt)
{
    if (bodies_.size() < 2) return;
    formed_.clear();
    forms_.clear();
    for (std::size_t n = 0; n < bodies_.size(); ++n) {
        std::vector<Form<Dim>> forms = bodies_[n]->forms(dt, surroundings_);
        if (forms.empty()) continue;
        formed_.push_back({n, forms_.size(), forms.size()});
        std::move(forms.begin(), forms.end(), std::back_inserter(forms_));
    }
    form_impulses_.assign(forms_.size(), {});
    surroundings_.forms = forms_;
}

/// To the end of a part of the world's step, so long after its beginning [s].
template <int Dim>
void World<Dim>::move_forms(double to)
{
    for (std::size_t k = 0; k < forms_.size(); ++k) {
        Obstacle<Dim>& placed = surroundings_.forms[k].body;
        placed.pose = advanced(forms_[k].body.pose, forms_[k].body.velocity, to);
        // What was done to it in the parts before has changed its velocity already.
        placed.velocity = velocity_under(forms_[k], form_impulses_[k], 1.0);
    }
}

template <int Dim>
void World<Dim>::move_boundaries(double time)
{
    const double dt = time - boundary_time_;
    boundary_time_ = time;
    if (dt == 0.0) return;
    for (Boundary<Dim>& boundary : surroundings_.boundaries)
        for (std::size_t n = 0; n < boundary.size(); ++n) boundary.position[n] += dt * boundary.velocity[n];
}

/// The longest step in which nothing that a body feels moves too far [s].
template <int Dim>
double World<Dim>::coupled_step(const Body<Dim>& body) const
{
    if (!std::isfinite(body.boundary_spacing())) return std::numeric_limits<double>::infinity();
    double fastest = 0.0;
    for (const Boundary<Dim>& boundary : surroundings_.boundaries)
        for (const Vec<Dim>& v : boundary.velocity) fastest = std::max(fastest, v.squaredNorm());
    return longest_boundary_way * boundary_spacing_ / std::sqrt(fastest);
}

template <int Dim>
void World<Dim>::fail(Failure failure)
{
    failure.time = time_;
    failure_ = std::move(failure);
}

template <int Dim>
void World<Dim>::apply_next_event()
{
    const Event<Dim>& event = options_.events[events_done_++];
    if (event.apply) event.apply(*this);
    for (const ObstacleChange<Dim>& change : event.obstacles)
        for (std::size_t k = 0; k < options_.obstacles.size(); ++k)
            if (options_.obstacles[k].name == change.obstacle) place_obstacle(k, time_);
    begin_heat_if_asked();
}

template <int Dim>
void World<Dim>::join(std::string_view part)
{
    for (auto& body : bodies_) body->join(part, surroundings_);
    find_boundaries(); // who comes at the same time keeps out of it
    for (auto& body : bodies_)
        report_.statistics.removed += static_cast<double>(body->make_room(part, surroundings_));
}

template <int Dim>
void World<Dim>::apply_events_due()
{
    const std::uint64_t before = events_done_;
    while (events_done_ < options_.events.size() && options_.events[events_done_].time <= time_)
        apply_next_event();
    if (events_done_ == before) return;
    find_boundaries();
    find_forms(0.0);
}

/// Where obstacles are follows from the events alone, so it is known before they happen.
template <int Dim>
void World<Dim>::plan_courses()
{
    courses_.clear();
    for (const MovingObstacle<Dim>& obstacle : options_.obstacles)
        courses_.push_back({{.motion = obstacle.motion, .surface = obstacle.surface, .heat = obstacle.heat}});
    for (std::size_t n = 0; n < options_.events.size(); ++n) {
        const Event<Dim>& event = options_.events[n];
        for (const ObstacleChange<Dim>& change : event.obstacles)
            for (std::size_t k = 0; k < options_.obstacles.size(); ++k) {
                if (options_.obstacles[k].name != change.obstacle) continue;
                ObstacleSpan<Dim> next = courses_[k].back();
                next.since = event.time;
                next.events = n + 1;
                next.is_there = next.is_there && !change.is_removed;
                next.surface = change.surface.value_or(next.surface);
                next.heat = change.heat.value_or(next.heat);
                if (change.motion) {
                    const Pose<Dim> place = next.motion.pose(event.time);
                    Motion<Dim> motion =
                        change.motion(place.apply(options_.obstacles[k].shape.bounds().center()));
                    // Torques are about the centre of the motion, also once it has ended.
                    if (motion.is_fixed())
                        motion =
                            Motion<Dim>({}, Interpolation::Smooth, next.motion.velocity(event.time).center);
                    next.motion = motion.continued_from(place, event.time);
                }
                courses_[k].push_back(std::move(next));
            }
    }
}

template <int Dim>
const ObstacleSpan<Dim>& World<Dim>::present_span(std::size_t obstacle) const
{
    const std::vector<ObstacleSpan<Dim>>& course = courses_[obstacle];
    const auto next = std::partition_point(course.begin(), course.end(), [&](const ObstacleSpan<Dim>& span) {
        return span.events <= events_done_;
    });
    return *std::prev(next);
}

template <int Dim>
void World<Dim>::place_obstacle(std::size_t obstacle, double time)
{
    const ObstacleSpan<Dim>& span = present_span(obstacle);
    Obstacle<Dim>& placed = surroundings_.obstacles[obstacle];
    placed.pose = span.motion.pose(time);
    placed.velocity = span.motion.velocity(time);
    placed.surface = span.surface;
    placed.heat = span.heat;
    placed.is_there = span.is_there;
}

template <int Dim>
void World<Dim>::set_gravity(const GravityFormula<Dim>& gravity)
{
    options_.gravity = gravity;
    for (auto& body : bodies_) body->wake();
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
    std::stable_sort(events.begin(), events.end(), is_before<Dim>);
    PHYXEL_ASSERT(events.empty() || events.front().time >= time_);
    options_.events.resize(events_done_);
    for (Event<Dim>& event : events) options_.events.push_back(std::move(event));
    plan_courses();
    apply_events_due();
}

/// Once anybody says anything of heat, it flows everywhere.
template <int Dim>
void World<Dim>::begin_heat_if_asked()
{
    if (has_heat_) return;
    const auto& obstacles = surroundings_.obstacles;
    has_heat_ =
        options_.domain.heat.has_any() ||
        std::any_of(obstacles.begin(), obstacles.end(),
                    [](const Obstacle<Dim>& obstacle) { return obstacle.heat.has_any(); }) ||
        std::any_of(options_.hands.begin(), options_.hands.end(),
                    [](const Hand<Dim>& hand) { return hand.kind == HandKind::Warm; }) ||
        std::any_of(bodies_.begin(), bodies_.end(), [](const auto& body) { return body->asks_for_heat(); });
    if (!has_heat_) return;
    for (auto& body : bodies_) body->begin_heat();
}

/// Heat is slow: it flows some times a frame, and up to whatever somebody looks at or changes.
template <int Dim>
void World<Dim>::exchange_heat(double step, bool to_the_end)
{
    constexpr double times_a_frame = 8.0;
    heat_due_ += step;
    if (!to_the_end && heat_due_ * options_.clock.frame_rate * times_a_frame < 1.0) return;
    const Stopwatch watch;
    std::vector<HeatView<Dim>> views;
    for (auto& body : bodies_)
        if (std::optional<HeatView<Dim>> view = body->heat()) views.push_back(std::move(*view));
    const double dt = std::exchange(heat_due_, 0.0);
    const double steps = heat_.advance(views, surroundings_, options_.hands, dt, options_.fault);
    report_.times.add("heat", watch.seconds());
    if (!(steps <= HeatExchange<Dim>::most_steps))
        fail({.body = views.front().parts.front().name,
              .what = "heat needs " + number_text(steps, 3) + " steps within " + number_text(dt, 3) + " s",
              .cause = "the conductivity is too large or the spacing too small for such long steps: choose a "
                       "higher \"frame_rate\""});
}

template <int Dim>
void World<Dim>::move_surroundings(double time)
{
    for (std::size_t k = 0; k < options_.obstacles.size(); ++k) {
        if (present_span(k).motion.is_fixed() && step_count_ > 0) continue;
        place_obstacle(k, time);
    }
    const GravityFormula<Dim>& formula = options_.gravity;
    const auto gravity_at = [&formula, t = time](const Vec<Dim>& x) {
        Vec<Dim> g;
        for (int k = 0; k < Dim; ++k) g[k] = formula[k].evaluate(x[0], x[1], Dim == 3 ? x[Dim - 1] : 0.0, t);
        return g;
    };
    surroundings_.time = time;
    surroundings_.balls.clear();
    for (const Hand<Dim>& hand : options_.hands)
        if (hand.kind == HandKind::Push)
            surroundings_.balls.push_back({hand.place(time), hand.radius, hand.strength});
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
        for (Snapshot& snapshot : snapshots_of<Dim>(*body, fields, surroundings_)) {
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
        for (BodyTotals<Dim>& total : totals_of<Dim>(*body, surroundings_)) all.push_back(std::move(total));
    return all;
}

template <int Dim>
std::vector<ProbeRow> World<Dim>::take_probe_rows()
{
    return probes_.take_rows();
}

template <int Dim>
void World<Dim>::save(CheckpointWriter& checkpoint) const
{
    save_hashed(checkpoint);
    for (const StatisticInfo& info : later_statistics)
        checkpoint.add_value(section_of(info), report_.statistics.*info.value);
}

template <int Dim>
void World<Dim>::save_hashed(CheckpointWriter& checkpoint) const
{
    checkpoint.add_value("world/dimension", std::int32_t(Dim));
    checkpoint.add_value("world/time", time_);
    checkpoint.add_value("world/frame", frame_);
    checkpoint.add_value("world/step_count", step_count_);
    checkpoint.add_value("world/events_done", events_done_);
    probes_.save(checkpoint);
    checkpoint.add_value("world/frame_reached", std::uint8_t(frame_reached_));
    if (has_heat_) checkpoint.add_value("world/heat_due", heat_due_);
    SavedReport saved;
    FrameReport report = report_;
    saved.for_each(report,
                   [](auto& slot, auto& value) { slot = static_cast<std::decay_t<decltype(slot)>>(value); });
    checkpoint.add_value("world/report_numbers", saved.numbers);
    checkpoint.add_value("world/report_counts", saved.counts);
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
    if (!is_moment(time, frame, frame_reached))
        throw InputError("the checkpoint is damaged: its time is not one of its frame");
    ProbeSet<Dim> probes = probes_;
    probes.load(checkpoint, time);
    time_ = time;
    frame_ = frame;
    frame_reached_ = frame_reached;
    // Neither parameters nor who is there is state: what events did is done again. The surroundings are those
    // of the last step, which knew nothing of what happens at its end.
    const auto apply_events = [&](const auto& is_next) {
        while (events_done_ < events_done && is_next(options_.events[events_done_])) apply_next_event();
    };
    events_done_ = 0;
    apply_events([&](const Event<Dim>& event) { return event.time < time_ || time_ == 0.0; });
    for (std::size_t k = 0; k < options_.obstacles.size(); ++k) place_obstacle(k, time_);
    move_surroundings(time_);
    apply_events([](const Event<Dim>&) { return true; });
    for (auto& body : bodies_) body->load(checkpoint);
    step_count_ = checkpoint.value<std::uint64_t>("world/step_count");
    probes_ = std::move(probes);
    has_heat_ = checkpoint.contains("world/heat_due");
    heat_due_ = has_heat_ ? checkpoint.value<double>("world/heat_due") : 0.0;
    if (!(heat_due_ >= 0.0) || !std::isfinite(heat_due_))
        throw InputError("the checkpoint is damaged: a time of its heat makes no sense");
    SavedReport saved;
    saved.numbers = checkpoint.value<decltype(saved.numbers)>("world/report_numbers");
    saved.counts = checkpoint.value<decltype(saved.counts)>("world/report_counts");
    report_ = {};
    saved.for_each(report_,
                   [](auto& slot, auto& value) { value = static_cast<std::decay_t<decltype(value)>>(slot); });
    for (const StatisticInfo& info : later_statistics)
        if (checkpoint.contains(section_of(info)))
            report_.statistics.*info.value = checkpoint.value<double>(section_of(info));
    earliest_change_ = frame_reached_ ? time_ : std::numeric_limits<double>::infinity();
    failure_.reset();
    find_boundaries();
    find_forms(0.0);
}

template <int Dim>
std::uint64_t World<Dim>::state_hash() const
{
    CheckpointWriter checkpoint;
    save_hashed(checkpoint);
    StateHash hash;
    const std::vector<std::byte> bytes = checkpoint.encode();
    hash.add(std::span<const std::byte>(bytes));
    return hash.value();
}

template class World<2>;
template class World<3>;

} // namespace phyxel
