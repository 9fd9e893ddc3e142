// SPDX-License-Identifier: MIT
// The fastest motion to expect.
#include <phyxel/scene/detail/scene_builder.h>

#include <phyxel/geometry/corners.h>
#include <phyxel/scene/detail/build_support.h>

#include <cmath>
#include <string>

namespace phyxel {

namespace {

using detail::are_numbers;
using detail::evaluate;
using detail::point_text;

} // namespace

/// Of the fluids at the start; of the solids if there are none. Of their shapes, where they are not filled.
template <int Dim>
Box<Dim> SceneBuilder<Dim>::start_bounds() const
{
    Box<Dim> bounds;
    const auto extend = [&](const PlannedBody& body) {
        if (!is_placed_ && body.shape) bounds.extend(body.shape->bounds());
        for (const Vec<Dim>& x : body.positions) bounds.extend(x);
    };
    for (const Fluid& fluid : fluids_) extend(fluid);
    bounds.extend(flow_maker_.bounds());
    if (!fluids_.empty()) return bounds;
    for (const Solid& solid : solids_) extend(solid);
    return bounds;
}

/// Of the fluids: that of their particles, or in the corners and the middle of what is not filled.
template <int Dim>
double SceneBuilder<Dim>::start_speed() const
{
    double fastest = 0.0;
    for (const Fluid& fluid : fluids_) {
        for (const Vec<Dim>& v : fluid.velocities) fastest = std::max(fastest, v.norm());
        if (is_placed_ || !fluid.shape) continue;
        std::vector<Vec<Dim>> places = corners(fluid.shape->bounds());
        places.push_back(fluid.shape->bounds().center());
        const RigidVelocity<Dim> spin{Vec<Dim>::Zero(), fluid.options->angular_velocity, places.back()};
        for (const Vec<Dim>& x : places) {
            const double speed = (evaluate<Dim>(fluid.options->velocity, x, 0.0) + spin.at(x)).norm();
            if (std::isfinite(speed)) fastest = std::max(fastest, speed);
        }
    }
    return fastest;
}

/// Times at which what moves by formulas is looked at.
template <int Dim>
std::vector<double> SceneBuilder<Dim>::sample_times(bool is_constant) const
{
    constexpr int count = 128;
    std::vector<double> times = {0.0};
    for (int n = 1; !is_constant && n <= count; ++n) times.push_back(scene_.duration * n / count);
    return times;
}

/// The fastest that a place within the bounds ever moves.
template <int Dim>
double SceneBuilder<Dim>::motion_speed(const Motion<Dim>& motion, const Box<Dim>& bounds, const Path& path)
{
    if (motion.is_fixed()) return 0.0;
    double fastest = 0.0;
    for (const double time : sample_times(false)) {
        const Pose<Dim> pose = motion.pose(time);
        const RigidVelocity<Dim> velocity = motion.velocity(time);
        double speed = 0.0;
        for (const Vec<Dim>& corner : corners(bounds))
            speed = std::max(speed, velocity.at(pose.apply(corner)).norm());
        if (!std::isfinite(speed) || !pose.translation.allFinite()) {
            findings_.add_problem(path, "the motion is not finite at " + format_quantity(time, "s"),
                                  "must be finite at all times");
            return 0.0;
        }
        fastest = std::max(fastest, speed);
    }
    return fastest;
}

template <int Dim>
double SceneBuilder<Dim>::obstacle_speed()
{
    double fastest = 0.0;
    for (std::size_t i = 0; i < obstacles_.size(); ++i)
        fastest = std::max(fastest, motion_speed(obstacles_[i].motion, obstacles_[i].shape.bounds(),
                                                 path_of({"obstacles", i, "motion"})));
    return fastest;
}

/// What bodies can be expected to reach under a gravity that may change in space and time.
template <int Dim>
double SceneBuilder<Dim>::speed_under(const std::array<Formula, Dim>& gravity, double initial_speed)
{
    const Box<Dim> bounds = start_bounds();
    Box<Dim> obstacle_bounds;
    for (const MovingObstacle<Dim>& obstacle : obstacles_)
        obstacle_bounds.extend(obstacle.cavity.value_or(obstacle.shape).bounds());
    std::vector<Vec<Dim>> places = corners(bounds);
    places.push_back(bounds.center());
    double fastest = 0.0;
    for (const double time : sample_times(are_numbers(gravity))) {
        for (const Vec<Dim>& x : places) {
            const Vec<Dim> g = evaluate<Dim>(gravity, x, time);
            for (std::size_t k = 0; k < static_cast<std::size_t>(Dim); ++k) {
                const double component = g[static_cast<int>(k)];
                if (std::isfinite(component)) continue;
                findings_.add_problem(path_of({"gravity", k}),
                                      "gravity at " + point_text<Dim>(x) + " and " +
                                          format_quantity(time, "s") + " is " +
                                          (std::isnan(component) ? "not a number" : "infinite"),
                                      "must be finite");
                return 0.0;
            }
            fastest = std::max(fastest, expected_speed(bounds, domain_, obstacle_bounds, g, initial_speed));
        }
    }
    return fastest;
}

template <int Dim>
void SceneBuilder<Dim>::choose_speed()
{
    const double initial_speed = std::max({obstacle_speed(), flow_maker_.fastest(), start_speed()});
    if (findings_.has_problems()) return;

    double speed = speed_under(scene_.gravity, initial_speed);
    for (const PlannedEvent<Dim>& event : planned_events(content_.resolved))
        if (event.time <= scene_.duration)
            speed = std::max(speed, speed_under(event.after.gravity, initial_speed));
    double fastest = speed;
    for (const Solid& solid : solids_)
        for (const Vec<Dim>& v : solid.velocities) fastest = std::max(fastest, v.norm());
    constexpr double speed_of_light = 3e8;
    if (!(fastest < speed_of_light))
        findings_.add_problem(path_of({"bodies"}),
                              "something will move at " + number_text(fastest, 2) + " m/s",
                              "check velocities, motions, gravity and sizes");
    for (Fluid& fluid : fluids_) {
        std::visit(
            [&](auto& settings) {
                if (!settings.max_speed) settings.max_speed = speed;
            },
            *fluid.options->solver);
    }
}

template class SceneBuilder<2>;
template class SceneBuilder<3>;

} // namespace phyxel
