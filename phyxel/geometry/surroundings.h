// SPDX-License-Identifier: MIT
// What is around a body: the domain it lives in and the obstacles it meets. Both are walls to it, seen as a
// distance, a normal and a velocity.
#pragma once

#include <phyxel/geometry/box.h>
#include <phyxel/geometry/motion.h>
#include <phyxel/geometry/shape.h>
#include <phyxel/search/periodic_box.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace phyxel {

/// What happens at a side of the domain.
enum class DomainSide {
    Wall,
    Open,     ///< what leaves is gone
    Periodic, ///< what leaves comes back at the opposite side, which must be periodic too
};

/// What a wall does to the motion of a fluid along it.
struct WallSurface {
    bool no_slip = false;  ///< the fluid at the wall moves with it
    double friction = 0.0; ///< Coulomb's coefficient: what of the push of the wall brakes the fluid
};

/// A box with a kind of side at both ends of every axis; or, without `bounded`, all of space.
template <int Dim>
struct Domain {
    bool bounded = false;
    Box<Dim> box;
    std::array<std::array<DomainSide, 2>, Dim> sides{}; ///< lower, upper
    WallSurface surface = {};                           ///< of all sides that are walls

    PeriodicBox<Dim> periodic_box() const
    {
        PeriodicBox<Dim> periodic;
        for (int k = 0; bounded && k < Dim; ++k) {
            if (sides[k][0] != DomainSide::Periodic) continue;
            periodic.min[k] = box.min[k];
            periodic.length[k] = box.max[k] - box.min[k];
        }
        return periodic;
    }

    bool has_open_side() const
    {
        for (const auto& axis : sides)
            if (bounded && (axis[0] == DomainSide::Open || axis[1] == DomainSide::Open)) return true;
        return false;
    }

    /// Whether x has passed an open side.
    bool has_left(const Vec<Dim>& x) const
    {
        for (int k = 0; bounded && k < Dim; ++k) {
            if (sides[k][0] == DomainSide::Open && x[k] < box.min[k]) return true;
            if (sides[k][1] == DomainSide::Open && x[k] > box.max[k]) return true;
        }
        return false;
    }
};

/// Of an obstacle that others can move: the form of a rigid body. Its pose is that at the end of the step and
/// its velocity the one that it would end the step with if nobody touched it.
template <int Dim>
struct FreeMotion {
    static constexpr int freedoms = Dim * (Dim + 1) / 2;

    Pose<Dim> pose_before = {}; ///< at the beginning of the step
    /// What an impulse and an angular impulse about the centre, one above the other, add to the linear and
    /// the angular velocity. Symmetric; zero in directions in which something else holds it.
    Mat<freedoms> response = Mat<freedoms>::Zero();
};

/// A shape in the way, where it is now and how fast.
template <int Dim>
struct Obstacle {
    std::string name;
    Shape<Dim> shape; ///< at rest
    Pose<Dim> pose = {};
    RigidVelocity<Dim> velocity = {};
    WallSurface surface = {};
    bool is_there = true;                     ///< not so once it was taken away, when it is a wall no longer
    std::optional<FreeMotion<Dim>> free = {}; ///< if it moves as others push it

    /// Where fluids find it, which look at everything as it is at the beginning of a step.
    const Pose<Dim>& pose_before() const { return free ? free->pose_before : pose; }
};

/// A ball that pushes everything out of itself: hardest at its centre, less and less towards its surface. One
/// that draws in does so hardest half-way, so that what it holds comes to rest at its centre.
template <int Dim>
struct PushingBall {
    Vec<Dim> center = Vec<Dim>::Zero(); ///< [m]
    double radius = 0.0;                ///< [m]
    double strength = 0.0;              ///< largest acceleration, negative to draw in [m/s²]

    Vec<Dim> acceleration_at(const Vec<Dim>& x) const
    {
        const Vec<Dim> out = x - center;
        const double r = out.norm();
        if (r >= radius || r <= 0.0) return Vec<Dim>::Zero();
        const double q = r / radius;
        return strength * (strength > 0.0 ? 1.0 - q : 4.0 * q * (1.0 - q)) / r * out;
    }
};

template <int Dim>
struct Surroundings {
    Domain<Dim> domain;
    std::vector<Obstacle<Dim>> obstacles;
    double time = 0.0;                                           ///< at which all this holds [s]
    Vec<Dim> gravity = Vec<Dim>::Zero();                         ///< [m/s²]
    std::function<Vec<Dim>(const Vec<Dim>&)> gravity_field = {}; ///< instead, where it depends on the place

    std::vector<PushingBall<Dim>> balls = {};

    bool has_obstacles() const
    {
        return std::any_of(obstacles.begin(), obstacles.end(),
                           [](const Obstacle<Dim>& obstacle) { return obstacle.is_there; });
    }

    Vec<Dim> gravity_at(const Vec<Dim>& x) const { return gravity_field ? gravity_field(x) : gravity; }

    /// Of gravity and of what pushes.
    Vec<Dim> acceleration_at(const Vec<Dim>& x) const
    {
        Vec<Dim> a = gravity_at(x);
        for (const PushingBall<Dim>& ball : balls) a += ball.acceleration_at(x);
        return a;
    }
};

/// What bodies do to an obstacle.
template <int Dim>
struct ObstacleLoad {
    Vec<Dim> force = Vec<Dim>::Zero();        ///< [N]
    Angles<Dim> torque = Angles<Dim>::Zero(); ///< about the centre of the obstacle's motion [N m]

    /// Adds a force at the place x.
    void add(const Obstacle<Dim>& obstacle, const Vec<Dim>& x, const Vec<Dim>& f)
    {
        const Vec<Dim> arm = x - obstacle.velocity.center;
        force += f;
        if constexpr (Dim == 2)
            torque[0] += arm[0] * f[1] - arm[1] * f[0];
        else
            torque += Vec<3>(arm[1] * f[2] - arm[2] * f[1], arm[2] * f[0] - arm[0] * f[2],
                             arm[0] * f[1] - arm[1] * f[0]);
    }
};

/// What is linear above what is angular.
template <int Dim>
Vec<FreeMotion<Dim>::freedoms> stacked(const Vec<Dim>& linear, const Angles<Dim>& angular)
{
    Vec<FreeMotion<Dim>::freedoms> both;
    for (int k = 0; k < Dim; ++k) both[k] = linear[k];
    for (int k = Dim; k < FreeMotion<Dim>::freedoms; ++k) both[k] = angular[k - Dim];
    return both;
}

/// The velocity of an obstacle once the load has acted on it for `dt` [s], as far as it is free to move.
template <int Dim>
RigidVelocity<Dim> velocity_under(const Obstacle<Dim>& obstacle, const ObstacleLoad<Dim>& load, double dt)
{
    RigidVelocity<Dim> velocity = obstacle.velocity;
    if (!obstacle.free) return velocity;
    const Vec<FreeMotion<Dim>::freedoms> change =
        dt * (obstacle.free->response * stacked<Dim>(load.force, load.torque));
    velocity.linear += change.template head<Dim>();
    velocity.angular += change.template tail<FreeMotion<Dim>::freedoms - Dim>();
    return velocity;
}

/// What share of a velocity along a wall friction stops: `most` of it, Coulomb's coefficient times what the
/// wall takes from the velocity towards it, and never more than all [m/s].
inline double stopped_share(double speed_along, double most)
{
    return speed_along > 0.0 && most > 0.0 ? std::min(1.0, most / speed_along) : 0.0;
}

/// A wall near a place.
template <int Dim>
struct NearWall {
    double distance;   ///< negative inside the wall [m]
    Vec<Dim> normal;   ///< away from the wall
    Vec<Dim> velocity; ///< of the wall there [m/s]
    int obstacle;      ///< its number, or −1 for a side of the domain
    WallSurface surface;
};

/// Calls visit(wall) for every side of the domain that is a wall and closer to x than `reach` [m].
template <int Dim, class Visit>
void for_each_side(const Domain<Dim>& domain, const Vec<Dim>& x, double reach, Visit&& visit)
{
    for (int k = 0; domain.bounded && k < Dim; ++k) {
        const double below = x[k] - domain.box.min[k];
        const double above = domain.box.max[k] - x[k];
        if (domain.sides[k][0] == DomainSide::Wall && below < reach)
            visit(NearWall<Dim>{below, Vec<Dim>::Unit(k), Vec<Dim>::Zero(), -1, domain.surface});
        if (domain.sides[k][1] == DomainSide::Wall && above < reach)
            visit(NearWall<Dim>{above, -Vec<Dim>::Unit(k), Vec<Dim>::Zero(), -1, domain.surface});
    }
}

/// Calls visit(wall) for every wall closer to x than `reach` [m]: the walls of the domain and the nearest
/// point of each obstacle.
template <int Dim, class Visit>
void for_each_wall(const Surroundings<Dim>& surroundings, const Vec<Dim>& x, double reach, Visit&& visit)
{
    for_each_side(surroundings.domain, x, reach, visit);
    for (std::size_t k = 0; k < surroundings.obstacles.size(); ++k) {
        const Obstacle<Dim>& obstacle = surroundings.obstacles[k];
        if (!obstacle.is_there) continue;
        const Vec<Dim> X = obstacle.pose.apply_inverse(x);
        if (obstacle.shape.bounds().distance(X) >= reach) continue;
        const SignedDistance<Dim> nearest = obstacle.shape.sample(X);
        if (nearest.value < reach)
            visit(NearWall<Dim>{nearest.value, obstacle.pose.rotation * nearest.normal,
                                obstacle.velocity.at(x), static_cast<int>(k), obstacle.surface});
    }
}

} // namespace phyxel
