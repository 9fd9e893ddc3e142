// SPDX-License-Identifier: MIT
#include <phyxel/fluid/fluid_walls.h>

#include <phyxel/core/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

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

double wall_drag_share(Fault fault)
{
    return fault == Fault::NoWallDrag ? 0.0 : fault == Fault::HalvedWallDrag ? 0.5 : 1.0;
}

} // namespace

template <int Dim>
FluidWalls<Dim>::FluidWalls(const FluidModel& model, WallSlope slope)
    : slope_(slope),
      first_layer_push_(model.fault == Fault::MirroredWallPush ? 1.0 : 0.5),
      counted_share_(model.fault == Fault::UncountedWalls ? 0.0 : 1.0),
      drag_share_(wall_drag_share(model.fault)),
      felt_reaction_(model.fault == Fault::HalvedReaction ? 0.5 : 1.0),
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
    if (surroundings.obstacles.empty()) return;
    const GhostKernel<Dim> kernel(support_ratio);
    for (const Obstacle<Dim>& obstacle : surroundings.obstacles)
        ghosts_.emplace_back(surface_points(obstacle.shape, ghost_distance), kernel, support_ratio,
                             ghost_spacing_);
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

/// Integrals count a solid as a lattice; where walls are to be steeper, they are so as a flat wall is.
template <int Dim>
typename FluidWalls<Dim>::Part FluidWalls<Dim>::part_of(const FluidPartModel& part, double lattice_share,
                                                        const Vec<Dim>& push, double distance) const
{
    const auto lattice = lattice_kernel_.at(distance, part.support_radius);
    const auto flat = kernel_.at(distance, part.support_radius);
    const double share = lattice.share > 0.0 ? lattice_share * flat.share / lattice.share : lattice_share;
    const double steepness = lattice.slope > 0.0 ? flat.slope / lattice.slope : 1.0;
    return {.share = counted_share_ * std::min(share, 1.0),
            .push = push_slope(steepness, distance, part.spacing) * push,
            .drag = lattice.share > 0.0 ? drag_share_ * flat.drag * lattice_share / lattice.share : 0.0,
            .distance = distance};
}

/// Calls visit(part, sight) for every wall in reach: the flat sides of the domain, the obstacles by their
/// ghosts, and the boundaries of other bodies by their points, which alone have a sight.
template <int Dim>
template <class Visit>
void FluidWalls<Dim>::for_each_part(const Vec<Dim>& x, const FluidModel& model, std::uint32_t number,
                                    const Surroundings<Dim>& surroundings,
                                    std::vector<BoundaryWeight>* weights, Visit&& visit) const
{
    const FluidPartModel& part = model.parts[number];
    const std::pair<std::uint32_t, const BoundarySight<Dim>*> no_sight = {0, nullptr};
    for_each_side(surroundings.domain, x, part.support_radius, [&](const NearWall<Dim>& wall) {
        const auto [share, slope, drag] = kernel_.at(wall.distance, part.support_radius);
        visit(Part{counted_share_ * share, push_slope(slope, wall.distance, part.spacing) * wall.normal,
                   drag_share_ * drag, wall.distance, wall.velocity, wall.surface, wall.obstacle},
              no_sight);
    });
    for (std::size_t k = 0; k < ghosts_.size(); ++k) {
        const Obstacle<Dim>& obstacle = surroundings.obstacles[k];
        if (!obstacle.is_there || !feels(number, static_cast<int>(k))) continue;
        const WallIntegral<Dim> solid =
            ghosts_[k].at(obstacle.pose.apply_inverse(x), part.spacing / ghost_spacing_);
        if (!(solid.share > 0.0)) continue;
        const Vec<Dim> push = obstacle.pose.rotation * solid.push;
        Part found = part_of(part, solid.share, push, solid.distance);
        found.velocity = obstacle.velocity_at(x, push.normalized());
        found.surface = obstacle.surface;
        found.obstacle = static_cast<int>(k);
        visit(found, no_sight);
    }
    for (std::size_t k = 0; k < boundaries_.size(); ++k) {
        if (!boundaries_[k].may_reach(x)) continue;
        const BoundarySight<Dim> sight =
            boundaries_[k].at(x, part.support_radius, weights, unfelt_pieces(number, k));
        if (!sight.is_near()) continue;
        Part found = part_of(part, sight.share, sight.push, sight.distance);
        found.velocity = sight.velocity;
        found.surface = sight.surface;
        visit(found, std::pair(static_cast<std::uint32_t>(k), &sight));
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
typename FluidWalls<Dim>::Share
FluidWalls<Dim>::find_share(const Vec<Dim>& x, const FluidModel& model, std::uint32_t number,
                            const Surroundings<Dim>& surroundings, Index particle, Touches* touches) const
{
    double free = 1.0;
    double nearest = model.parts[number].support_radius;
    double weight_sum = 0.0;
    double drag = 0.0;
    double friction = 0.0;
    Vec<Dim> push = Vec<Dim>::Zero();
    Vec<Dim> velocity = Vec<Dim>::Zero();
    int walls = 0;
    const std::size_t first_touch = touches != nullptr ? touches->all.size() : 0;
    std::vector<BoundaryWeight>* weights = touches != nullptr ? &touches->latest : nullptr;
    for_each_part(x, model, number, surroundings, weights, [&](const Part& wall, const auto& seen) {
        ++walls;
        if (touches != nullptr && seen.second != nullptr) {
            const std::size_t first = touches->weights.size();
            touches->weights.insert(touches->weights.end(), weights->begin(), weights->end());
            touches->all.push_back({particle, seen.first, false, wall.push.norm(),
                                    wall.push / std::max(1.0 - wall.share, 1e-3), drag_of(wall), *seen.second,
                                    first, touches->weights.size()});
        }
        push = (1.0 - wall.share) * push + free * wall.push;
        free *= 1.0 - wall.share;
        nearest = std::min(nearest, wall.distance);
        const double weight = wall.push.norm();
        velocity += weight * wall.velocity;
        weight_sum += weight;
        drag += drag_of(wall);
        friction = std::max(friction, wall.surface.friction);
    });
    if (weight_sum > 0.0) velocity /= weight_sum;
    for (std::size_t k = first_touch; touches != nullptr && k < touches->all.size(); ++k) {
        touches->all[k].is_only = walls == 1;
        touches->all[k].push *= free;
        touches->all[k].part = weight_sum > 0.0 ? touches->all[k].part / weight_sum : 0.0;
    }
    return {.share = static_cast<float>(1.0 - free),
            .push = push.template cast<float>(),
            .velocity = velocity.template cast<float>(),
            .distance = static_cast<float>(nearest),
            .drag = static_cast<float>(drag),
            .friction = static_cast<float>(friction)};
}

template <int Dim>
double FluidWalls<Dim>::share_at(const Vec<Dim>& x, const FluidModel& model, std::uint32_t part,
                                 const Surroundings<Dim>& surroundings) const
{
    double free = 1.0;
    for_each_part(x, model, part, surroundings, nullptr,
                  [&](const Part& wall, const auto&) { free *= 1.0 - wall.share; });
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
    if (!surroundings.boundaries.empty()) {
        find_beside_boundaries(fluid, model, surroundings);
        return;
    }
    boundaries_.clear();
    touches_.clear();
    touch_of_.clear();
    parallel_for(fluid.size(), [&](Index i) {
        const FluidPartModel& part = model.parts[fluid.part[i]];
        if (is_far(fluid.position[i], part.support_radius, surroundings))
            shares_[i] = {.distance = static_cast<float>(part.support_radius)};
        else
            shares_[i] = find_share(fluid.position[i], model, fluid.part[i], surroundings);
    });
}

/// The same where other bodies are, and who touches them.
template <int Dim>
void FluidWalls<Dim>::find_beside_boundaries(const FluidState<Dim>& fluid, const FluidModel& model,
                                             const Surroundings<Dim>& surroundings)
{
    periodic_ = surroundings.domain.periodic_box();
    double support_radius = 0.0;
    for (const FluidPartModel& part : model.parts)
        support_radius = std::max(support_radius, part.support_radius);
    const double support_ratio = model.parts.front().support_radius / model.parts.front().spacing;
    while (boundaries_.size() > surroundings.boundaries.size()) boundaries_.pop_back();
    while (boundaries_.size() < surroundings.boundaries.size()) boundaries_.emplace_back(support_ratio);
    for (std::size_t k = 0; k < boundaries_.size(); ++k)
        boundaries_[k].place(surroundings.boundaries[k], support_radius, surroundings.domain);

    found_.resize(block_count(fluid.size(), default_block_size));
    parallel_for_blocks(fluid.size(), default_block_size, [&](const Block& block) {
        Touches& found = found_[block.number];
        found.all.clear();
        found.weights.clear();
        for (std::size_t n = block.begin; n < block.end; ++n) {
            const auto i = static_cast<Index>(n);
            const FluidPartModel& part = model.parts[fluid.part[i]];
            const Vec<Dim>& x = fluid.position[i];
            if (is_far(x, part.support_radius, surroundings) && !may_reach_boundary(x))
                shares_[i] = {.distance = static_cast<float>(part.support_radius)};
            else
                shares_[i] = find_share(x, model, fluid.part[i], surroundings, i, &found);
        }
    });
    touches_.clear();
    weights_.clear();
    touch_of_.assign(fluid.size(), no_touch);
    for (const Touches& found : found_) {
        const std::size_t first = weights_.size();
        weights_.insert(weights_.end(), found.weights.begin(), found.weights.end());
        for (Touch touch : found.all) {
            touch.first += first;
            touch.last += first;
            if (touch_of_[touch.particle] == no_touch)
                touch_of_[touch.particle] = static_cast<Index>(touches_.size());
            touches_.push_back(touch);
        }
    }
    focus_responses(surroundings);
}

/// Only what particles touch will be pushed in this step.
template <int Dim>
void FluidWalls<Dim>::focus_responses(const Surroundings<Dim>& surroundings)
{
    std::vector<std::vector<std::uint8_t>> is_touched;
    for (const Boundary<Dim>& boundary : surroundings.boundaries) is_touched.emplace_back(boundary.size(), 0);
    for (const Touch& touch : touches_)
        for (const BoundaryWeight& own : weights_of(touch)) is_touched[touch.boundary][own.point] = 1;
    std::vector<Index> points;
    for (std::size_t k = 0; k < is_touched.size(); ++k) {
        if (surroundings.boundaries[k].response == nullptr) continue;
        points.clear();
        for (std::size_t n = 0; n < is_touched[k].size(); ++n)
            if (is_touched[k][n] != 0) points.push_back(static_cast<Index>(n));
        surroundings.boundaries[k].response->focus(points);
    }
}

template <int Dim>
bool FluidWalls<Dim>::has_strangers() const
{
    return std::any_of(unfelt_.begin(), unfelt_.end(),
                       [](const Unfelt& unfelt) { return !unfelt.parts.empty(); });
}

template <int Dim>
bool FluidWalls<Dim>::may_reach_boundary(const Vec<Dim>& x) const
{
    return std::any_of(boundaries_.begin(), boundaries_.end(),
                       [&](const BoundaryWall<Dim>& boundary) { return boundary.may_reach(x); });
}

/// Each is behind the surface that the other sees, and these look away from each other. Beyond an edge they
/// do not, and there fluid may feel what is around the corner.
template <int Dim>
bool FluidWalls<Dim>::are_apart(const FluidState<Dim>& fluid, Index i, Index j) const
{
    constexpr double opposite = -0.3; // cosine
    if (!is_touching(i) || !is_touching(j)) return false;
    const BoundarySight<Dim>& a = touches_[touch_of_[i]].sight;
    const BoundarySight<Dim>& b = touches_[touch_of_[j]].sight;
    if (!(a.normal.dot(b.normal) < opposite)) return false;
    const Vec<Dim> d = periodic_.difference(fluid.position[i], fluid.position[j]);
    return d.dot(a.normal) > a.distance && -d.dot(b.normal) > b.distance;
}

template <int Dim>
void FluidWalls<Dim>::add_impulse(const Touch& touch, const Vec<Dim>& impulse)
{
    std::vector<Vec<Dim>>& all = impulses_[touch.boundary];
    for (const BoundaryWeight& own : weights_of(touch)) all[own.point] += own.weight * impulse;
}

template <int Dim>
void FluidWalls<Dim>::add_impulses(const FluidModel& model, const FluidState<Dim>& fluid, double dt,
                                   const std::function<Vec<Dim>(Index, const Share&)>& acceleration)
{
    for (const Touch& touch : touches_) {
        if (touch.first == touch.last) continue;
        const Index i = touch.particle;
        Share alone = shares_[i];
        if (!touch.is_only) {
            alone.push = touch.push.template cast<float>();
            alone.velocity = touch.sight.velocity.template cast<float>();
            alone.distance = static_cast<float>(touch.sight.distance);
            alone.drag = static_cast<float>(touch.drag);
        }
        add_impulse(touch,
                    -felt_reaction_ * dt * model.parts[fluid.part[i]].particle_mass * acceleration(i, alone));
    }
}

template <int Dim>
void FluidWalls<Dim>::change_velocity(std::size_t touch, const Vec<Dim>& change)
{
    touches_[touch].sight.velocity += change;
    shares_[touches_[touch].particle].velocity += (touches_[touch].part * change).template cast<float>();
}

template <int Dim>
void FluidWalls<Dim>::coast(const Surroundings<Dim>& surroundings, double dt)
{
    changes_.resize(surroundings.boundaries.size());
    for (std::size_t k = 0; k < changes_.size(); ++k) {
        changes_[k].assign(surroundings.boundaries[k].size(), Vec<Dim>::Zero());
        if (surroundings.boundaries[k].response != nullptr)
            surroundings.boundaries[k].response->coast(dt, changes_[k]);
    }
    for (std::size_t t = 0; t < touches_.size(); ++t) {
        Vec<Dim> change = Vec<Dim>::Zero();
        for (const BoundaryWeight& own : weights_of(touches_[t]))
            change += own.weight * changes_[touches_[t].boundary][own.point];
        change_velocity(t, change);
    }
}

/// What has come through the surface that it saw when the step began is put back. Other walls come after
/// this: they are harder. Particle and surface go on together as after an inelastic impact: if the particle
/// took all of the velocity of a light surface, it would throw that off.
template <int Dim>
void FluidWalls<Dim>::keep_out_of_boundaries(FluidState<Dim>& fluid, const FluidModel& model, double nearest,
                                             double dt, const Surroundings<Dim>& surroundings)
{
    if (touches_.empty()) return;
    stops_.resize(touches_.size());
    parallel_for(touches_.size(), [&](Index t) {
        const Touch& touch = touches_[t];
        const Index i = touch.particle;
        const FluidPartModel& part = model.parts[fluid.part[i]];
        stops_[t] = boundaries_[touch.boundary].stop(fluid.position[i], touch.sight.velocity,
                                                     touch.sight.normal, part.spacing, nearest * part.spacing,
                                                     dt, unfelt_pieces(fluid.part[i], touch.boundary));
    });
    softness_.assign(touches_.size(), 0.0);
    respond(
        surroundings, dt,
        [&](const Touch& touch) {
            const auto& stop = stops_[static_cast<std::size_t>(&touch - touches_.data())];
            return stop ? stop->normal : Vec<Dim>(Vec<Dim>::Zero());
        },
        [&](std::size_t t, const Vec<Dim>& change) {
            if (stops_[t]) softness_[t] = std::max(0.0, change.dot(stops_[t]->normal));
        });
    for (std::size_t t = 0; t < touches_.size(); ++t) {
        if (!stops_[t]) continue;
        const Touch& touch = touches_[t];
        const BoundaryStop<Dim>& stop = *stops_[t];
        const Index i = touch.particle;
        const FluidPartModel& part = model.parts[fluid.part[i]];
        Vec<Dim>& v = fluid.velocity[i];
        fluid.position[i] += (nearest * part.spacing - stop.height) * stop.normal;
        const double towards = (v - touch.sight.velocity).dot(stop.normal);
        if (towards >= 0.0) continue;
        const double change = towards / (1.0 + part.particle_mass * softness_[t]);
        v -= change * stop.normal;
        Vec<Dim> impulse = felt_reaction_ * part.particle_mass * change * stop.normal;
        if (const double friction = touch.sight.surface.friction; friction > 0.0) {
            const Vec<Dim> relative = v - touch.sight.velocity;
            const Vec<Dim> along = relative - relative.dot(stop.normal) * stop.normal;
            const Vec<Dim> rubbed = stopped_share(along.norm(), -friction * change) * along;
            v -= rubbed;
            impulse += felt_reaction_ * part.particle_mass * rubbed;
        }
        if (touch.first == touch.last)
            impulses_[touch.boundary][stop.point] += impulse;
        else
            add_impulse(touch, impulse);
    }
}

template <int Dim>
void FluidWalls<Dim>::rub(FluidState<Dim>& fluid, const FluidModel& model, double dt,
                          const Surroundings<Dim>& surroundings, const std::function<double(Index)>& push)
{
    const bool is_felt = tracks_loads_ || !touches_.empty();
    if (is_felt) rubbed_.assign(fluid.size(), Vec<Dim>::Zero());
    parallel_for(fluid.size(), [&](Index i) {
        const Share& wall = shares_[i];
        if (!(wall.friction > 0.0f)) return;
        const Vec<Dim> normal = wall.push.template cast<double>().normalized();
        const Vec<Dim> relative = fluid.velocity[i] - wall.velocity.template cast<double>();
        const Vec<Dim> along = relative - relative.dot(normal) * normal;
        const double share = stopped_share(along.norm(), wall.friction * push(i) * dt);
        if (!(share > 0.0)) return;
        fluid.velocity[i] -= share * along;
        if (is_felt) rubbed_[i] = share * along;
    });
    if (is_felt) add_friction(fluid, model, dt, surroundings);
}

/// What friction took goes to the walls that rub, in the proportion in which they push.
template <int Dim>
void FluidWalls<Dim>::add_friction(const FluidState<Dim>& fluid, const FluidModel& model, double dt,
                                   const Surroundings<Dim>& surroundings)
{
    for (std::size_t n = 0; n < fluid.size(); ++n) {
        const auto i = static_cast<Index>(n);
        if (rubbed_[i].isZero(0.0)) continue;
        const FluidPartModel& part = model.parts[fluid.part[i]];
        const Vec<Dim>& x = fluid.position[i];
        const auto strength = [](const Part& wall) { return wall.surface.friction * wall.push.norm(); };
        double all = 0.0;
        for_each_part(x, model, fluid.part[i], surroundings, nullptr,
                      [&](const Part& wall, const auto&) { all += strength(wall); });
        if (!(all > 0.0)) continue;
        std::size_t touch = is_touching(i) ? touch_of_[i] : touches_.size();
        for_each_part(x, model, fluid.part[i], surroundings, nullptr,
                      [&](const Part& wall, const auto& seen) {
                          const Vec<Dim> impulse = strength(wall) / all * part.particle_mass * rubbed_[i];
                          if (seen.second != nullptr) {
                              // Boundaries come in the order in which they were found.
                              if (touch < touches_.size() && touches_[touch].first < touches_[touch].last)
                                  add_impulse(touches_[touch], felt_reaction_ * impulse);
                              ++touch;
                          } else if (tracks_loads_ && wall.obstacle >= 0) {
                              const auto number = static_cast<std::size_t>(wall.obstacle);
                              loads_[number].add(surroundings.obstacles[number], x, impulse / dt);
                          }
                      });
    }
}

template <int Dim>
void FluidWalls<Dim>::keep_out(FluidState<Dim>& fluid, const FluidModel& model, double nearest, double dt,
                               std::span<const Vec<Dim>> before, const Surroundings<Dim>& surroundings)
{
    if (model.fault == Fault::NoHardWalls) return;
    keep_out_of_boundaries(fluid, model, nearest, dt, surroundings);
    const double outwards = model.fault == Fault::ReversedHardWalls ? -1.0 : 1.0;
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
    // Distance to the nearest of all walls that a part feels.
    const auto room_at = [&](const Vec<Dim>& x, std::uint32_t part) {
        double nearest_wall = model.smallest_spacing();
        for_each_wall(surroundings, x, nearest_wall, [&](const NearWall<Dim>& wall) {
            if (feels(part, wall.obstacle)) nearest_wall = std::min(nearest_wall, wall.distance);
        });
        return nearest_wall;
    };
    const auto keep_out_one = [&](Index i) {
        Vec<Dim>& x = fluid.position[i];
        Vec<Dim>& v = fluid.velocity[i];
        const FluidPartModel& part = model.parts[fluid.part[i]];
        const double radius = nearest * part.spacing;
        if (is_far(x, radius, surroundings)) return;
        const auto keep_out_of = [&](const NearWall<Dim>& wall) {
            x += outwards * (radius - wall.distance) * wall.normal;
            const double towards = (v - wall.velocity).dot(wall.normal);
            if (towards >= 0.0) return;
            v -= towards * wall.normal;
            Vec<Dim> rubbed = Vec<Dim>::Zero();
            if (wall.surface.friction > 0.0) {
                const Vec<Dim> relative = v - wall.velocity;
                const Vec<Dim> along = relative - relative.dot(wall.normal) * wall.normal;
                rubbed = stopped_share(along.norm(), -wall.surface.friction * towards) * along;
                v -= rubbed;
            }
            if (!tracks_loads_ || wall.obstacle < 0) return;
            const auto number = static_cast<std::size_t>(wall.obstacle);
            loads_[number].add(surroundings.obstacles[number], x,
                               part.particle_mass * towards / dt * wall.normal +
                                   part.particle_mass / dt * rubbed);
        };
        int touched = 0;
        const auto touch = [&](const NearWall<Dim>& wall) {
            if (!feels(fluid.part[i], wall.obstacle)) return;
            ++touched;
            keep_out_of(wall);
        };
        if (is_far_from_obstacles(i)) {
            for_each_side(surroundings.domain, x, radius, touch);
            return;
        }
        for_each_wall(surroundings, x, radius, touch);
        // What one wall pushes into another stays where it was, or it would be squeezed through where they
        // meet.
        const auto room = [&](const Vec<Dim>& y) { return room_at(y, fluid.part[i]); };
        if (touched > 1 && room(x) < 0.5 * radius && room(before[i]) > room(x)) {
            x = before[i];
            v.setZero();
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
    impulses_.resize(surroundings.boundaries.size());
    for (std::size_t k = 0; k < impulses_.size(); ++k)
        impulses_[k].assign(surroundings.boundaries[k].size(), Vec<Dim>::Zero());
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
        for_each_part(x, model, fluid.part[i], surroundings, nullptr, [&](const Part& wall, const auto&) {
            if (wall.obstacle < 0) return;
            // Its part of the push that find_share() put together.
            const double others = (1.0 - shares_[i].share) / std::max(1.0 - wall.share, 1e-3);
            Share alone = shares_[i];
            alone.push = (others * wall.push).template cast<float>();
            alone.velocity = wall.velocity.template cast<float>();
            alone.distance = static_cast<float>(wall.distance);
            alone.drag = static_cast<float>(drag_of(wall));
            const auto number = static_cast<std::size_t>(wall.obstacle);
            loads_[number].add(surroundings.obstacles[number], x,
                               -part.particle_mass * acceleration(i, alone));
        });
    }
}

template <int Dim>
bool is_full(const FluidState<Dim>& fluid, const FluidModel& model, const Surroundings<Dim>& surroundings)
{
    const Domain<Dim>& domain = surroundings.domain;
    if (!domain.bounded || domain.has_open_side() || surroundings.has_obstacles() || fluid.has_emitters() ||
        !surroundings.boundaries.empty())
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
