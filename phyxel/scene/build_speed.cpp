// SPDX-License-Identifier: MIT
// The fastest motion to expect.
#include <phyxel/scene/detail/scene_builder.h>

#include <phyxel/core/number_text.h>
#include <phyxel/geometry/corners.h>
#include <phyxel/scene/build_text.h>
#include <phyxel/world/expected_speed.h>

#include <cmath>
#include <string>

namespace phyxel {

namespace {

using detail::are_numbers;
using detail::evaluate;
using detail::point_text;

} // namespace

template <int Dim>
double SceneBuilder<Dim>::obstacle_speed()
{
    double fastest = 0.0;
    for (std::size_t i = 0; i < context_.obstacles.size(); ++i)
        fastest = std::max(fastest, context_.motion_speed(context_.obstacles[i].motion,
                                                          context_.obstacles[i].shape.bounds(),
                                                          path_of({"obstacles", i, "motion"})));
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

template <int Dim>
void SceneBuilder<Dim>::choose_speed()
{
    Findings& findings = context_.findings;
    const double of_obstacles = obstacle_speed();
    if (findings.has_problems()) return;
    const std::vector<PlannedEvent<Dim>> events = planned_events(context_.content.resolved);
    double fastest = 0.0;
    for (const auto& kind : kinds_) {
        const Box<Dim> bounds = kind->start_bounds();
        const double initial_speed = std::max(of_obstacles, kind->start_speed());
        double speed = speed_under(context_.scene.gravity, bounds, initial_speed);
        for (const PlannedEvent<Dim>& event : events)
            if (event.time <= context_.scene.duration)
                speed = std::max(speed, speed_under(event.after.gravity, bounds, initial_speed));
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
