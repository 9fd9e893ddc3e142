// SPDX-License-Identifier: MIT
// What is around a body: the domain it lives in and the obstacles it meets. Both are walls to it, seen as a
// distance, a normal and a velocity.
#pragma once

#include <phyxel/geometry/boundary.h>
#include <phyxel/geometry/box.h>
#include <phyxel/geometry/ignored_names.h>
#include <phyxel/geometry/motion.h>
#include <phyxel/geometry/periodic_images.h>
#include <phyxel/geometry/shape.h>
#include <phyxel/geometry/surface_heat.h>
#include <phyxel/geometry/wall_surface.h>
#include <phyxel/search/periodic_box.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace phyxel {

/// What happens at a side of the domain.
enum class DomainSide {
    Wall,
    Open,     ///< what leaves is gone
    Periodic, ///< what leaves comes back at the opposite side, which must be periodic too
};

/// A box with a kind of side at both ends of every axis; or, without `bounded`, all of space.
template <int Dim>
struct Domain {
    bool bounded = false;
    Box<Dim> box;
    std::array<std::array<DomainSide, 2>, Dim> sides{}; ///< lower, upper
    WallSurface<Dim> surface = {};                      ///< of all sides that are walls
    SurfaceHeat heat = {};                              ///< of the same

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

    bool is_periodic() const
    {
        return bounded && std::any_of(sides.begin(), sides.end(),
                                      [](const auto& axis) { return axis[0] == DomainSide::Periodic; });
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

/// A shape in the way, where it is now and how fast.
template <int Dim>
struct Obstacle {
    std::string name;
    Shape<Dim> shape; ///< at rest
    Pose<Dim> pose = {};
    RigidVelocity<Dim> velocity = {};
    WallSurface<Dim> surface = {};
    bool is_there = true; ///< not so once it was taken away, when it is a wall no longer
    SurfaceHeat heat = {};

    /// Of what touches it at x, where the surface has this normal: with that at which it runs along itself.
    Vec<Dim> velocity_at(const Vec<Dim>& x, const Vec<Dim>& normal) const
    {
        Vec<Dim> v = velocity.at(x);
        if (surface.runs()) v += WallSurface<Dim>::along(pose.rotation * surface.velocity, normal);
        return v;
    }
};

/// A rigid body as those meet it who keep their points out of its shape. It is where it will be at the end of
/// the step, and as fast, if nobody touches it.
template <int Dim>
struct Form {
    static constexpr int freedoms = Dim * (Dim + 1) / 2;

    Obstacle<Dim> body;
    /// What an impulse and an angular impulse about the centre, one above the other, add to the linear and
    /// the angular velocity. Symmetric; zero in directions in which something else holds it.
    Mat<freedoms> response = Mat<freedoms>::Zero();
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
    IgnoredNames ignored = {};

    /// Of other bodies, where they were when the step began.
    std::vector<Boundary<Dim>> boundaries = {};
    /// Of other bodies, for those who do not meet them by their boundaries.
    std::vector<Form<Dim>> forms = {};

    /// The walls that a number of `NearWall` means: those of the forms come behind those of the obstacles.
    const Obstacle<Dim>& wall(std::size_t number) const
    {
        return number < obstacles.size() ? obstacles[number] : forms[number - obstacles.size()].body;
    }

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
Vec<Form<Dim>::freedoms> stacked(const Vec<Dim>& linear, const Angles<Dim>& angular)
{
    Vec<Form<Dim>::freedoms> both;
    for (int k = 0; k < Dim; ++k) both[k] = linear[k];
    for (int k = Dim; k < Form<Dim>::freedoms; ++k) both[k] = angular[k - Dim];
    return both;
}

/// The velocity of a body once the load has acted on it for `dt` [s], as far as it is free to move.
template <int Dim>
RigidVelocity<Dim> velocity_under(const Form<Dim>& form, const ObstacleLoad<Dim>& load, double dt)
{
    const Vec<Form<Dim>::freedoms> change = dt * (form.response * stacked<Dim>(load.force, load.torque));
    RigidVelocity<Dim> velocity = form.body.velocity;
    velocity.linear += change.template head<Dim>();
    velocity.angular += change.template tail<Form<Dim>::freedoms - Dim>();
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
    WallSurface<Dim> surface;
    Vec<Dim> shift = Vec<Dim>::Zero(); ///< from the place to its image that is near the wall [m]
};

/// Whether the number of a `NearWall` is that of a form.
template <int Dim>
bool is_form(const Surroundings<Dim>& surroundings, int obstacle)
{
    return obstacle >= 0 && static_cast<std::size_t>(obstacle) >= surroundings.obstacles.size();
}

/// Calls visit(wall) for every side of the domain that is a wall and closer to x than `reach` [m].
template <int Dim, class Visit>
void for_each_side(const Domain<Dim>& domain, const Vec<Dim>& x, double reach, Visit&& visit)
{
    const auto velocity_along = [&](int k) -> Vec<Dim> {
        return WallSurface<Dim>::along(domain.surface.velocity, Vec<Dim>::Unit(k));
    };
    for (int k = 0; domain.bounded && k < Dim; ++k) {
        const double below = x[k] - domain.box.min[k];
        const double above = domain.box.max[k] - x[k];
        if (domain.sides[k][0] == DomainSide::Wall && below < reach)
            visit(NearWall<Dim>{below, Vec<Dim>::Unit(k), velocity_along(k), -1, domain.surface});
        if (domain.sides[k][1] == DomainSide::Wall && above < reach)
            visit(NearWall<Dim>{above, -Vec<Dim>::Unit(k), velocity_along(k), -1, domain.surface});
    }
}

/// Calls visit(wall) if the obstacle is closer to x than `reach` [m].
template <int Dim, class Visit>
void if_near(const Obstacle<Dim>& obstacle, std::size_t number, const Vec<Dim>& x, double reach,
             Visit&& visit)
{
    if (!obstacle.is_there) return;
    const Vec<Dim> X = obstacle.pose.apply_inverse(x);
    if (obstacle.shape.bounds().distance(X) >= reach) return;
    const SignedDistance<Dim> nearest = obstacle.shape.sample(X);
    if (nearest.value >= reach) return;
    const Vec<Dim> normal = obstacle.pose.rotation * nearest.normal;
    visit(NearWall<Dim>{nearest.value, normal, obstacle.velocity_at(x, normal), static_cast<int>(number),
                        obstacle.surface});
}

/// Calls visit(wall) for every wall closer to x than `reach` [m]: the walls of the domain and the nearest
/// point of each obstacle.
template <int Dim, class Visit>
void for_each_wall(const Surroundings<Dim>& surroundings, const Vec<Dim>& x, double reach, Visit&& visit)
{
    for_each_side(surroundings.domain, x, reach, visit);
    for (std::size_t k = 0; k < surroundings.obstacles.size(); ++k)
        if_near(surroundings.obstacles[k], k, x, reach, visit);
}

/// The same, and for the nearest point of each form. In a periodic domain x may be anywhere, and whatever is
/// near one of its images counts.
template <int Dim, class Visit>
void for_each_wall_and_form(const Surroundings<Dim>& surroundings, const Vec<Dim>& x, double reach,
                            Visit&& visit)
{
    const std::size_t count = surroundings.obstacles.size() + surroundings.forms.size();
    for_each_side(surroundings.domain, x, reach, visit);
    if (!surroundings.domain.is_periodic()) {
        for (std::size_t k = 0; k < count; ++k) if_near(surroundings.wall(k), k, x, reach, visit);
        return;
    }
    const PeriodicBox<Dim> periodic = surroundings.domain.periodic_box();
    for (std::size_t k = 0; k < count; ++k) {
        const Obstacle<Dim>& wall = surroundings.wall(k);
        const Vec<Dim> center = wall.pose.apply(wall.shape.bounds().center());
        const double radius = 0.5 * wall.shape.bounds().size().norm();
        for_each_image<Dim>(periodic, x, {center, center}, radius + reach, [&](const Vec<Dim>& image) {
            if_near(wall, k, image, reach, [&](NearWall<Dim> found) {
                found.shift = image - x;
                visit(found);
            });
        });
    }
}

} // namespace phyxel
