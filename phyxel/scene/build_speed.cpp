// SPDX-License-Identifier: MIT
// The fastest motion to expect.
#include <phyxel/scene/detail/event_maker.h>
#include <phyxel/scene/detail/scene_builder.h>

#include <phyxel/core/number_text.h>
#include <phyxel/geometry/corners.h>
#include <phyxel/scene/build_text.h>
#include <phyxel/world/expected_speed.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace phyxel {

namespace {

using detail::are_numbers;
using detail::evaluate;
using detail::point_text;

} // namespace

template <int Dim>
double SceneBuilder<Dim>::obstacle_speed(const std::vector<PlannedEvent<Dim>>& events)
{
    double fastest = 0.0;
    for (std::size_t i = 0; i < context_.obstacles.size(); ++i)
        fastest = std::max(fastest, context_.motion_speed(context_.obstacles[i].motion,
                                                          context_.obstacles[i].shape.bounds(),
                                                          path_of({"obstacles", i, "motion"})));
    for (const PlannedEvent<Dim>& event : events)
        for (const ObstacleChange<Dim>& change : make_obstacle_changes(event))
            for (const MovingObstacle<Dim>& obstacle : context_.obstacles) {
                if (!change.motion || obstacle.name != change.obstacle) continue;
                const Box<Dim>& bounds = obstacle.shape.bounds();
                fastest = std::max(fastest, context_.motion_speed(change.motion(bounds.center()), bounds,
                                                                  path_of({"events"})));
            }
    return fastest;
}

/// What bodies can be expected to reach under a gravity that may change in space and time.
template <int Dim>
double SceneBuilder<Dim>::speed_under(const std::array<Formula, Dim>& gravity, const Box<Dim>& bounds,
                                      double initial_speed)
{
    Box<Dim> obstacle_bounds;
    for (const MovingObstacle<Dim>& obstacle : context_.obstacles)
        obstacle_bounds.extend(obstacle.cavity.value_or(obstacle.shape).bounds());
    std::vector<Vec<Dim>> places = corners(bounds);
    places.push_back(bounds.center());
    double fastest = 0.0;
    for (const double time : context_.sample_times(are_numbers(gravity))) {
        for (const Vec<Dim>& x : places) {
            const Vec<Dim> g = evaluate<Dim>(gravity, x, time);
            for (std::size_t k = 0; k < static_cast<std::size_t>(Dim); ++k) {
                const double component = g[static_cast<int>(k)];
                if (std::isfinite(component)) continue;
                context_.findings.add_problem(path_of({"gravity", k}),
                                              "gravity at " + point_text<Dim>(x) + " and " +
                                                  format_quantity(time, "s") + " is " +
                                                  (std::isnan(component) ? "not a number" : "infinite"),
                                              "must be finite");
                return 0.0;
            }
            fastest =
                std::max(fastest, expected_speed(bounds, context_.domain, obstacle_bounds, g, initial_speed));
        }
    }
    return fastest;
}

/// What events make of bodies and emitters, for the estimate of steps.
template <int Dim>
void SceneBuilder<Dim>::find_later_options()
{
    // An estimate needs no more of a sitting in which somebody plays with sliders.
    constexpr std::size_t most = 64;
    context_.later.clear();
    std::vector<const EventOptions*> events;
    for (const EventOptions& event : context_.scene.events)
        if (event.time <= context_.scene.duration && event.set &&
            std::any_of(event.set->items.begin(), event.set->items.end(), [](const auto& item) {
                return !item.first.starts_with("hands") && !item.first.starts_with("gravity");
            }))
            events.push_back(&event);
    if (events.empty() || events.size() > most) return;
    std::stable_sort(events.begin(), events.end(),
                     [](const auto* a, const auto* b) { return a->time < b->time; });
    EventPlan<Dim> plan(context_.content.resolved, context_.scene, context_.content.kinds, std::nullopt);
    std::vector<Problem> problems; // which planning has said already
    for (const EventOptions* event : events) {
        static_cast<void>(plan.add(*event, path_of({"events"}), problems));
        context_.later.push_back({event->time, plan.options()});
    }
}

template <int Dim>
void SceneBuilder<Dim>::choose_speed()
{
    Findings& findings = context_.findings;
    // What becomes of the gravity and the obstacles is known without any files.
    const std::vector<PlannedEvent<Dim>> events = planned_events(context_.content.resolved, std::nullopt);
    const double of_obstacles = obstacle_speed(events);
    if (findings.has_problems()) return;
    find_later_options();
    double fastest = 0.0;
    for (const auto& kind : kinds_) {
        const Box<Dim> bounds = kind->start_bounds();
        const double initial_speed = std::max(of_obstacles, kind->start_speed());
        double speed = speed_under(context_.scene.gravity, bounds, initial_speed);
        for (const PlannedEvent<Dim>& event : events)
            if (event.gravity && event.time <= context_.scene.duration)
                speed = std::max(speed, speed_under(*event.gravity, bounds, initial_speed));
        if (findings.has_problems()) return;
        kind->set_expected_speed(speed);
        fastest = std::max(fastest, speed);
    }
    constexpr double speed_of_light = 3e8;
    if (!(fastest < speed_of_light))
        findings.add_problem(path_of({"bodies"}),
                             "something will move at " + number_text(fastest, 2) + " m/s",
                             "check velocities, motions, gravity and sizes");
}

template class SceneBuilder<2>;
template class SceneBuilder<3>;

} // namespace phyxel
