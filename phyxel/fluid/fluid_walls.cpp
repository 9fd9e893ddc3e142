// SPDX-License-Identifier: MIT
#include <phyxel/fluid/fluid_walls.h>

#include <phyxel/core/parallel_for.h>
#include <phyxel/geometry/rigid_motion.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

namespace phyxel {
namespace {

/// Of a space that particles must take to fill it.
constexpr double full_share = 0.995;

/// Layers of a lattice so thin are as good as the integral.
constexpr double half_space_refinement = 8.0;

/// What the tables of a wall are made for.
double wall_support_ratio(const FluidModel& model)
{
    const double ratio = model.parts.front().support_radius / model.parts.front().spacing;
    return model.fault == Fault::WallsAsHalfSpace ? half_space_refinement * ratio : ratio;
}

/// What of the velocity with which a particle comes towards an obstacle the particle itself loses when both
/// stop coming nearer: all of it, unless the obstacle gives way.
template <int Dim>
double met_share(const Obstacle<Dim>& obstacle, double mass, const Vec<Dim>& x, const Vec<Dim>& normal)
{
    if (!obstacle.free) return 1.0;
    const Vec<FreeMotion<Dim>::freedoms> J =
        stacked<Dim>(normal, moment(Vec<Dim>(x - obstacle.velocity.center), normal));
    return 1.0 / (1.0 + mass * J.dot(obstacle.free->response * J));
}

} // namespace

template <int Dim>
FluidWalls<Dim>::FluidWalls(const FluidModel& model, WallSlope slope)
    : slope_(slope),
      first_layer_push_(model.fault == Fault::MirroredWallPush ? 1.0 : 0.5),
      counted_share_(model.fault == Fault::UncountedWalls ? 0.0 : 1.0),
      felt_load_(model.fault == Fault::HalvedLoad ? 0.5 : 1.0),
      kernel_(wall_support_ratio(model), slope),
      lattice_kernel_(model.parts.front().support_radius / model.parts.front().spacing)
{
}

/// Obstacles keep their shape, so their ghosts are made once: as dense as the smallest particles want them,
/// and for a reach that the largest ones have.
template <int Dim>
void FluidWalls<Dim>::make_ghosts(const FluidModel& model, const Surroundings<Dim>& surroundings)
{
    if (ghosts_.size() == surroundings.obstacles.size()) return;
    ghosts_.clear();
    ghost_spacing_ = 0.0;
    for (const FluidPartModel& part : model.parts) ghost_spacing_ = std::max(ghost_spacing_, part.spacing);
    const double ghost_distance = GhostWall<Dim>::ghost_spacing_ratio * model.smallest_spacing();
    const double support_ratio = model.parts.front().support_radius / model.parts.front().spacing;
    for (const Obstacle<Dim>& obstacle : surroundings.obstacles)
        ghosts_.emplace_back(surface_points(obstacle.shape, ghost_distance), support_ratio, ghost_spacing_);
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
    return (first_layer_push_ + (1.0 - first_layer_push_) * beyond_first_layer) * slope;
}

/// Calls visit(part) for every wall in reach: the flat sides of the domain, and the obstacles by their
/// ghosts.
template <int Dim>
template <class Visit>
void FluidWalls<Dim>::for_each_part(const Vec<Dim>& x, const FluidPartModel& part,
                                    const Surroundings<Dim>& surroundings, Visit&& visit) const
{
    for_each_side(surroundings.domain, x, part.support_radius, [&](const NearWall<Dim>& wall) {
        const auto [share, slope, drag] = kernel_.at(wall.distance, part.support_radius);
        visit(Part{counted_share_ * share, push_slope(slope, wall.distance, part.spacing) * wall.normal, drag,
                   wall.distance, wall.velocity, wall.surface, wall.obstacle});
    });
    for (std::size_t k = 0; k < ghosts_.size(); ++k) {
        const Obstacle<Dim>& obstacle = surroundings.obstacles[k];
        if (!obstacle.is_there) continue;
        const WallIntegral<Dim> solid =
            ghosts_[k].at(obstacle.pose_before().apply_inverse(x), part.spacing / ghost_spacing_);
        if (!(solid.share > 0.0)) continue;
        // Ghosts count the solid as a lattice; where walls are to be steeper, they are so as a flat wall is.
        const auto lattice = lattice_kernel_.at(solid.distance, part.support_radius);
        const auto flat = kernel_.at(solid.distance, part.support_radius);
        const double share = lattice.share > 0.0 ? solid.share * flat.share / lattice.share : solid.share;
        const double steepness = lattice.slope > 0.0 ? flat.slope / lattice.slope : 1.0;
        visit(Part{counted_share_ * std::min(share, 1.0),
                   push_slope(steepness, solid.distance, part.spacing) *
                       (obstacle.pose_before().rotation * solid.push),
                   lattice.share > 0.0 ? flat.drag * solid.share / lattice.share : 0.0, solid.distance,
                   obstacle.velocity.at(x), obstacle.surface, static_cast<int>(k)});
    }
}

/// Most particles are: they need not ask wall by wall.
template <int Dim>
bool FluidWalls<Dim>::is_far(const Vec<Dim>& x, double reach, const Surroundings<Dim>& surroundings) const
{
    if (surroundings.has_obstacles()) return false;
    if (!surroundings.domain.bounded) return true;
    const Box<Dim>& box = surroundings.domain.box;
    bool far = true;
    for (int k = 0; k < Dim; ++k) far &= x[k] - box.min[k] >= reach && box.max[k] - x[k] >= reach;
    return far;
}

/// Fluid behind two walls at once must not be counted twice: 1 − Π (1 − share_k), which is exact for a kernel
/// that is a product over the axes, leaves at most 0.4 % of the rest density missing in a corner of a
/// lattice.
template <int Dim>
typename FluidWalls<Dim>::Share FluidWalls<Dim>::find_share(const Vec<Dim>& x, const FluidPartModel& part,
                                                            const Surroundings<Dim>& surroundings) const
{
    double free = 1.0;
    double nearest = part.support_radius;
    double weights = 0.0;
    double drag = 0.0;
    double friction = 0.0;
    Vec<Dim> push = Vec<Dim>::Zero();
    Vec<Dim> velocity = Vec<Dim>::Zero();
    for_each_part(x, part, surroundings, [&](const Part& wall) {
        push = (1.0 - wall.share) * push + free * wall.push;
        free *= 1.0 - wall.share;
        nearest = std::min(nearest, wall.distance);
        const double weight = wall.push.norm();
        velocity += weight * wall.velocity;
        weights += weight;
        if (wall.surface.no_slip) drag += wall.drag;
        friction = std::max(friction, wall.surface.friction);
    });
    if (weights > 0.0) velocity /= weights;
    return {.share = static_cast<float>(1.0 - free),
            .push = push.template cast<float>(),
            .velocity = velocity.template cast<float>(),
            .distance = static_cast<float>(nearest),
            .drag = static_cast<float>(drag),
            .friction = static_cast<float>(friction)};
}

template <int Dim>
double FluidWalls<Dim>::share_at(const Vec<Dim>& x, const FluidPartModel& part,
                                 const Surroundings<Dim>& surroundings) const
{
    double free = 1.0;
    for_each_part(x, part, surroundings, [&](const Part& wall) { free *= 1.0 - wall.share; });
    return 1.0 - free;
}

template <int Dim>
Vec<Dim> FluidWalls<Dim>::lattice_push_at(const Vec<Dim>& x, const FluidPartModel& part,
                                          const Domain<Dim>& domain) const
{
    double free = 1.0;
    Vec<Dim> push = Vec<Dim>::Zero();
    for_each_side(domain, x, part.support_radius, [&](const NearWall<Dim>& wall) {
        const auto lattice = lattice_kernel_.at(wall.distance, part.support_radius);
        push = (1.0 - lattice.share) * push + free * lattice.slope * wall.normal;
        free *= 1.0 - lattice.share;
    });
    return push;
}

template <int Dim>
void FluidWalls<Dim>::find(const FluidState<Dim>& fluid, const FluidModel& model,
                           const Surroundings<Dim>& surroundings)
{
    make_ghosts(model, surroundings);
    shares_.resize(fluid.size());
    parallel_for(fluid.size(), [&](Index i) {
        const FluidPartModel& part = model.parts[fluid.part[i]];
        if (is_far(fluid.position[i], part.support_radius, surroundings))
            shares_[i] = {.distance = static_cast<float>(part.support_radius)};
        else
            shares_[i] = find_share(fluid.position[i], part, surroundings);
    });
    find_free_pushes(fluid, model, surroundings);
}

template <int Dim>
void FluidWalls<Dim>::find_parts(const Vec<Dim>& x, const FluidPartModel& part, const Share& all,
                                 const Surroundings<Dim>& surroundings, std::vector<Part>& parts) const
{
    parts.clear();
    for_each_part(x, part, surroundings, [&](const Part& wall) { parts.push_back(wall); });
    if (parts.size() == 1) parts.front().push = all.push.template cast<double>(); // to the last bit
    for (Part& wall : parts)
        if (parts.size() > 1) wall.push *= (1.0 - all.share) / std::max(1.0 - wall.share, 1e-3);
}

template <int Dim>
void FluidWalls<Dim>::find_free_pushes(const FluidState<Dim>& fluid, const FluidModel& model,
                                       const Surroundings<Dim>& surroundings)
{
    free_pushes_.clear();
    responses_.clear();
    is_at_free_.clear();
    std::vector<std::size_t> number(surroundings.obstacles.size());
    for (std::size_t k = 0; k < number.size(); ++k) {
        const Obstacle<Dim>& obstacle = surroundings.obstacles[k];
        if (!obstacle.free || !obstacle.is_there) continue;
        number[k] = responses_.size();
        responses_.push_back(obstacle.free->response);
    }
    if (responses_.empty()) return;
    is_at_free_.assign(fluid.size(), 0);
    for (std::size_t n = 0; n < fluid.size(); ++n) {
        const auto i = static_cast<Index>(n);
        if (shares_[i].share == 0.0f) continue;
        const Vec<Dim>& x = fluid.position[i];
        find_parts(x, model.parts[fluid.part[i]], shares_[i], surroundings, parts_);
        double weights = 0.0;
        for (const Part& wall : parts_) weights += wall.push.norm();
        for (const Part& wall : parts_) {
            if (wall.obstacle < 0) continue;
            const auto k = static_cast<std::size_t>(wall.obstacle);
            const Obstacle<Dim>& obstacle = surroundings.obstacles[k];
            if (!obstacle.free || !(wall.push.squaredNorm() > 0.0)) continue;
            FreePush found;
            found.particle = i;
            found.obstacle = number[k];
            found.arm = x - obstacle.velocity.center;
            found.push_and_moment = stacked<Dim>(wall.push, moment(found.arm, wall.push));
            found.weight = wall.push.norm() / weights;
            free_pushes_.push_back(found);
            is_at_free_[i] = 1;
        }
    }
}

/// Σ_j |J_i W J_j| ≤ g_i Σ_j g_j with g = √(J W J), since W is symmetric and has no negative eigenvalue.
template <int Dim>
void FluidWalls<Dim>::add_free_response(const FluidModel& model, const FluidState<Dim>& fluid, double share,
                                        std::span<float> response) const
{
    const auto size_of = [&](const FreePush& push) {
        const Vec<freedoms>& J = push.push_and_moment;
        return std::sqrt(std::max(0.0, J.dot(responses_[push.obstacle] * J)));
    };
    std::vector<double> sums(responses_.size(), 0.0);
    for (const FreePush& push : free_pushes_)
        sums[push.obstacle] += model.parts[fluid.part[push.particle]].particle_mass * size_of(push);
    for (const FreePush& push : free_pushes_)
        response[push.particle] += static_cast<float>(share * model.rest_density * model.rest_density *
                                                      size_of(push) * sums[push.obstacle]);
}

/// W times the sum of what the particles do to each of them.
template <int Dim>
void FluidWalls<Dim>::find_free_accelerations(const FluidModel& model, const FluidState<Dim>& fluid,
                                              std::span<const float> pressure)
{
    free_accelerations_.assign(responses_.size(), Vec<freedoms>::Zero());
    for (const FreePush& push : free_pushes_) // in order, as they are sums
        free_accelerations_[push.obstacle] -=
            model.parts[fluid.part[push.particle]].particle_mass * model.rest_density *
            static_cast<double>(pressure[push.particle]) * push.push_and_moment;
    for (std::size_t k = 0; k < responses_.size(); ++k)
        free_accelerations_[k] = (felt_load_ * responses_[k] * free_accelerations_[k]).eval();
}

template <int Dim>
void FluidWalls<Dim>::add_free_rate(const FluidModel& model, const FluidState<Dim>& fluid,
                                    std::span<const float> pressure, std::span<float> rate)
{
    find_free_accelerations(model, fluid, pressure);
    for (const FreePush& push : free_pushes_)
        rate[push.particle] += static_cast<float>(
            model.rest_density * push.push_and_moment.dot(free_accelerations_[push.obstacle]));
}

template <int Dim>
void FluidWalls<Dim>::move_free(const FluidModel& model, const FluidState<Dim>& fluid,
                                std::span<const float> pressure, double dt)
{
    find_free_accelerations(model, fluid, pressure);
    for (const FreePush& push : free_pushes_) {
        const Vec<freedoms>& a = free_accelerations_[push.obstacle];
        const Vec<Dim> change =
            dt * push.weight *
            (a.template head<Dim>() + turned(Angles<Dim>(a.template tail<freedoms - Dim>()), push.arm));
        shares_[push.particle].velocity += change.template cast<float>();
    }
}

template <int Dim>
void FluidWalls<Dim>::rub(FluidState<Dim>& fluid, const FluidModel& model, double dt,
                          const Surroundings<Dim>& surroundings, const std::function<double(Index)>& push)
{
    const auto rub_one = [&](Index i) {
        const Share& wall = shares_[i];
        if (!(wall.friction > 0.0f)) return;
        const Vec<Dim> normal = wall.push.template cast<double>().normalized();
        const Vec<Dim> relative = fluid.velocity[i] - wall.velocity.template cast<double>();
        const Vec<Dim> along = relative - relative.dot(normal) * normal;
        const double share = stopped_share(along.norm(), wall.friction * push(i) * dt);
        if (!(share > 0.0)) return;
        fluid.velocity[i] -= share * along;
        if (!tracks_loads_) return;
        const FluidPartModel& part = model.parts[fluid.part[i]];
        find_parts(fluid.position[i], part, wall, surroundings, parts_);
        double weights = 0.0;
        for (const Part& rough : parts_)
            if (rough.surface.friction > 0.0) weights += rough.push.norm();
        for (const Part& rough : parts_) {
            if (rough.obstacle < 0 || !(rough.surface.friction > 0.0) || !(weights > 0.0)) continue;
            const auto number = static_cast<std::size_t>(rough.obstacle);
            loads_[number].add(surroundings.obstacles[number], fluid.position[i],
                               felt_load_ * part.particle_mass * share * rough.push.norm() / (weights * dt) *
                                   along);
        }
    };
    if (!tracks_loads_)
        parallel_for(fluid.size(), rub_one);
    else // in order, as the loads are sums
        for (std::size_t i = 0; i < fluid.size(); ++i) rub_one(static_cast<Index>(i));
}

template <int Dim>
void FluidWalls<Dim>::keep_out(FluidState<Dim>& fluid, const FluidModel& model, double nearest, double dt,
                               std::span<const Vec<Dim>> before, const Surroundings<Dim>& surroundings)
{
    if (model.fault == Fault::NoHardWalls) return;
    // What had no surface within its support when the step began, and moved by less than a spacing since, as
    // the obstacles did, is still outside of them. Distances from meshes are dear.
    const auto is_far_from_obstacles = [&](Index i) {
        const double spacing = model.parts[fluid.part[i]].spacing;
        const Vec<Dim>& x = fluid.position[i];
        return shares_[i].share == 0.0f && (x - before[i]).norm() < 0.5 * spacing &&
               std::all_of(surroundings.obstacles.begin(), surroundings.obstacles.end(),
                           [&](const Obstacle<Dim>& obstacle) {
                               return dt * obstacle.velocity.at(x).norm() < 0.5 * spacing;
                           });
    };
    // Distance to the nearest of all walls.
    const auto room_at = [&](const Vec<Dim>& x) {
        double nearest_wall = model.smallest_spacing();
        for_each_wall(surroundings, x, nearest_wall, [&](const NearWall<Dim>& wall) {
            nearest_wall = std::min(nearest_wall, wall.distance);
        });
        return nearest_wall;
    };
    const auto keep_out_one = [&](Index i) {
        Vec<Dim>& x = fluid.position[i];
        Vec<Dim>& v = fluid.velocity[i];
        const FluidPartModel& part = model.parts[fluid.part[i]];
        const double radius = nearest * part.spacing;
        if (is_far(x, radius, surroundings)) return;
        int obstacle = -1; // the last one that it met
        const auto add_load = [&](const Vec<Dim>& velocity_before) {
            if (!tracks_loads_ || obstacle < 0) return;
            const auto number = static_cast<std::size_t>(obstacle);
            loads_[number].add(surroundings.obstacles[number], x,
                               felt_load_ * part.particle_mass / dt * (velocity_before - v));
        };
        const auto keep_out_of = [&](const NearWall<Dim>& wall) {
            x += (radius - wall.distance) * wall.normal;
            Vec<Dim> wall_velocity = wall.velocity;
            // What others have done to a free obstacle in this step has moved it already, so that a heavy
            // crowd does not push a light body away one by one.
            if (tracks_loads_ && wall.obstacle >= 0) {
                const auto number = static_cast<std::size_t>(wall.obstacle);
                const Obstacle<Dim>& met = surroundings.obstacles[number];
                if (met.free) wall_velocity = velocity_under(met, loads_[number], dt).at(x);
            }
            double towards = (v - wall_velocity).dot(wall.normal);
            if (towards >= 0.0) return;
            if (tracks_loads_ && wall.obstacle >= 0)
                towards *= met_share(surroundings.obstacles[static_cast<std::size_t>(wall.obstacle)],
                                     part.particle_mass, x, wall.normal);
            const Vec<Dim> velocity_before = v;
            v -= towards * wall.normal;
            if (wall.surface.friction > 0.0) {
                const Vec<Dim> relative = v - wall_velocity;
                const Vec<Dim> along = relative - relative.dot(wall.normal) * wall.normal;
                const double share = stopped_share(along.norm(), -wall.surface.friction * towards);
                if (share > 0.0) v -= share * along;
            }
            add_load(velocity_before);
        };
        int touched = 0;
        const auto touch = [&](const NearWall<Dim>& wall) {
            ++touched;
            obstacle = wall.obstacle;
            keep_out_of(wall);
        };
        if (is_far_from_obstacles(i)) {
            for_each_side(surroundings.domain, x, radius, touch);
            return;
        }
        for_each_wall(surroundings, x, radius, touch);
        // What one wall pushes into another stays where it was, or it would be squeezed through where they
        // meet.
        if (touched > 1 && room_at(x) < 0.5 * radius && room_at(before[i]) > room_at(x)) {
            const Vec<Dim> velocity_before = v;
            x = before[i];
            v.setZero();
            add_load(velocity_before);
        }
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
        find_parts(x, part, shares_[i], surroundings, parts_);
        for (const Part& wall : parts_) {
            if (wall.obstacle < 0) continue;
            // With the velocity of all walls together, as the particle felt it.
            Share alone = shares_[i];
            alone.push = wall.push.template cast<float>();
            alone.drag = static_cast<float>(wall.surface.no_slip ? wall.drag : 0.0);
            const auto number = static_cast<std::size_t>(wall.obstacle);
            loads_[number].add(surroundings.obstacles[number], x,
                               -felt_load_ * part.particle_mass * acceleration(i, alone));
        }
    }
}

template <int Dim>
bool is_full(const FluidState<Dim>& fluid, const FluidModel& model, const Surroundings<Dim>& surroundings)
{
    const Domain<Dim>& domain = surroundings.domain;
    if (!domain.bounded || domain.has_open_side() || surroundings.has_obstacles() || fluid.has_emitters())
        return false;
    double volume = 0.0;
    double each = 0.0; // of a particle of the latest part; neighbours in memory are mostly of one part
    std::optional<std::uint32_t> latest;
    for (const std::uint32_t part : fluid.part) {
        if (part != latest) each = std::pow(model.parts[part].spacing, Dim);
        latest = part;
        volume += each;
    }
    return volume >= full_share * (domain.box.max - domain.box.min).prod();
}

template <int Dim>
bool is_without_end(const FluidState<Dim>& fluid, const FluidModel& model,
                    const Surroundings<Dim>& surroundings)
{
    for (const auto& axis : surroundings.domain.sides)
        if (axis[0] != DomainSide::Periodic) return false;
    return is_full(fluid, model, surroundings);
}

template class FluidWalls<2>;
template class FluidWalls<3>;
template bool is_full<2>(const FluidState<2>&, const FluidModel&, const Surroundings<2>&);
template bool is_full<3>(const FluidState<3>&, const FluidModel&, const Surroundings<3>&);
template bool is_without_end<2>(const FluidState<2>&, const FluidModel&, const Surroundings<2>&);
template bool is_without_end<3>(const FluidState<3>&, const FluidModel&, const Surroundings<3>&);

} // namespace phyxel
