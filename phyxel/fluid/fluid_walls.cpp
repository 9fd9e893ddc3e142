// SPDX-License-Identifier: MIT
#include <phyxel/fluid/fluid_walls.h>

#include <phyxel/core/parallel_for.h>

#include <algorithm>
#include <cmath>

namespace phyxel {
namespace {

Angles<2> moment(const Vec<2>& arm, const Vec<2>& force)
{
    return Angles<2>(arm[0] * force[1] - arm[1] * force[0]);
}

Angles<3> moment(const Vec<3>& arm, const Vec<3>& force)
{
    return {arm[1] * force[2] - arm[2] * force[1], arm[2] * force[0] - arm[0] * force[2],
            arm[0] * force[1] - arm[1] * force[0]};
}

} // namespace

template <int Dim>
FluidWalls<Dim>::FluidWalls(const FluidModel& model, WallSlope slope)
    : slope_(slope),
      kernel_(model.parts.front().support_radius / model.parts.front().spacing, slope)
{
}

/// How hard a wall pushes. The mirror image of a particle has its pressure, so it pushes with p_i + p_j = 2
/// p_i; but that force has no energy, and in the first layer, half a spacing from the wall, where it is
/// large, it makes a column of water at rest jump for ever. There the wall gives the p_i that the particle's
/// own energy asks for, and the hard constraint carries the rest. A steep wall needs no image.
template <int Dim>
double FluidWalls<Dim>::push_slope(double slope, double distance, double spacing) const
{
    if (slope_ == WallSlope::Steep) return slope;
    const double beyond_first_layer = std::clamp(distance / spacing - 0.5, 0.0, 1.0);
    return 0.5 * (1.0 + beyond_first_layer) * slope;
}

/// Fluid behind two walls at once must not be counted twice: 1 − Π (1 − share_k), which is exact for a kernel
/// that is a product over the axes, leaves at most 0.4 % of the rest density missing in a corner of a
/// lattice.
template <int Dim>
typename FluidWalls<Dim>::Share FluidWalls<Dim>::share_at(const Vec<Dim>& x, const FluidPartModel& part,
                                                          const Surroundings<Dim>& surroundings) const
{
    double free = 1.0;
    double nearest = part.support_radius;
    double slopes = 0.0;
    double drag = 0.0;
    double friction = 0.0;
    Vec<Dim> push = Vec<Dim>::Zero();
    Vec<Dim> velocity = Vec<Dim>::Zero();
    for_each_wall(surroundings, x, part.support_radius, [&](const NearWall<Dim>& wall) {
        const auto [share, lattice_slope, hold] = kernel_.at(wall.distance, part.support_radius);
        const double slope = push_slope(lattice_slope, wall.distance, part.spacing);
        push = (1.0 - share) * push + free * slope * wall.normal;
        free *= 1.0 - share;
        nearest = std::min(nearest, wall.distance);
        velocity += slope * wall.velocity;
        slopes += slope;
        if (wall.surface.no_slip) drag += hold;
        friction = std::max(friction, wall.surface.friction);
    });
    if (slopes > 0.0) velocity /= slopes;
    return {.share = static_cast<float>(1.0 - free),
            .push = push.template cast<float>(),
            .velocity = velocity.template cast<float>(),
            .distance = static_cast<float>(nearest),
            .drag = static_cast<float>(drag),
            .friction = static_cast<float>(friction)};
}

template <int Dim>
void FluidWalls<Dim>::find(const FluidState<Dim>& fluid, const FluidModel& model,
                           const Surroundings<Dim>& surroundings)
{
    shares_.resize(fluid.size());
    parallel_for(fluid.size(), [&](Index i) {
        shares_[i] = share_at(fluid.position[i], model.parts[fluid.part[i]], surroundings);
    });
}

template <int Dim>
void FluidWalls<Dim>::rub(FluidState<Dim>& fluid, double dt, const std::function<double(Index)>& push) const
{
    parallel_for(fluid.size(), [&](Index i) {
        const Share& wall = shares_[i];
        if (!(wall.friction > 0.0f)) return;
        const Vec<Dim> normal = wall.push.template cast<double>().normalized();
        const Vec<Dim> relative = fluid.velocity[i] - wall.velocity.template cast<double>();
        const Vec<Dim> along = relative - relative.dot(normal) * normal;
        const double speed = along.norm();
        const double most = wall.friction * push(i) * dt;
        if (speed > 0.0 && most > 0.0) fluid.velocity[i] -= std::min(1.0, most / speed) * along;
    });
}

template <int Dim>
void FluidWalls<Dim>::add_load(const NearWall<Dim>& wall, const Vec<Dim>& x, const Vec<Dim>& force,
                               const Surroundings<Dim>& surroundings)
{
    loads_[wall.obstacle].force += force;
    loads_[wall.obstacle].torque += moment(x - surroundings.obstacles[wall.obstacle].velocity.center, force);
}

template <int Dim>
void FluidWalls<Dim>::keep_out(FluidState<Dim>& fluid, const FluidModel& model, double nearest, double dt,
                               const Surroundings<Dim>& surroundings)
{
    const auto keep_out_one = [&](Index i) {
        Vec<Dim>& x = fluid.position[i];
        Vec<Dim>& v = fluid.velocity[i];
        const FluidPartModel& part = model.parts[fluid.part[i]];
        const double radius = nearest * part.spacing;
        for_each_wall(surroundings, x, radius, [&](const NearWall<Dim>& wall) {
            x += (radius - wall.distance) * wall.normal;
            const double towards = (v - wall.velocity).dot(wall.normal);
            if (towards >= 0.0) return;
            v -= towards * wall.normal;
            if (wall.surface.friction > 0.0) {
                const Vec<Dim> relative = v - wall.velocity;
                const Vec<Dim> along = relative - relative.dot(wall.normal) * wall.normal;
                const double speed = along.norm();
                if (speed > 0.0) v -= std::min(1.0, -wall.surface.friction * towards / speed) * along;
            }
            if (!tracks_loads_ || wall.obstacle < 0) return;
            add_load(wall, x, part.particle_mass * towards / dt * wall.normal, surroundings);
        });
    };
    if (!tracks_loads_)
        parallel_for(fluid.size(), keep_out_one);
    else // in order, as the loads are sums
        for (std::size_t i = 0; i < fluid.size(); ++i) keep_out_one(static_cast<Index>(i));
}

template <int Dim>
void FluidWalls<Dim>::clear_loads(const Surroundings<Dim>& surroundings)
{
    loads_.assign(tracks_loads_ ? surroundings.obstacles.size() : 0, {});
}

template <int Dim>
void FluidWalls<Dim>::add_loads(const FluidState<Dim>& fluid, const FluidModel& model,
                                const Surroundings<Dim>& surroundings,
                                const std::function<Vec<Dim>(Index, const Share&)>& acceleration)
{
    if (!tracks_loads_) return;
    for (std::size_t n = 0; n < fluid.size(); ++n) {
        const auto i = static_cast<Index>(n);
        if (shares_[i].share == 0.0f) continue;
        const Vec<Dim>& x = fluid.position[i];
        const FluidPartModel& part = model.parts[fluid.part[i]];
        for_each_wall(surroundings, x, part.support_radius, [&](const NearWall<Dim>& wall) {
            if (wall.obstacle < 0) return;
            // Its part of the push that share_at() put together.
            const auto entry = kernel_.at(wall.distance, part.support_radius);
            const double others = (1.0 - shares_[i].share) / (1.0 - entry.share);
            Share alone = shares_[i];
            const double slope = push_slope(entry.slope, wall.distance, part.spacing);
            alone.push = (others * slope * wall.normal).template cast<float>();
            alone.velocity = wall.velocity.template cast<float>();
            alone.distance = static_cast<float>(wall.distance);
            alone.drag = static_cast<float>(wall.surface.no_slip ? entry.drag : 0.0);
            add_load(wall, x, -part.particle_mass * acceleration(i, alone), surroundings);
        });
    }
}

template class FluidWalls<2>;
template class FluidWalls<3>;

} // namespace phyxel
