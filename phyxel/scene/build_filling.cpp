// SPDX-License-Identifier: MIT
// Shapes are filled with particles.
#include <phyxel/scene/detail/scene_builder.h>

#include <phyxel/core/ordered_sum.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/geometry/sampling.h>
#include <phyxel/scene/detail/build_support.h>

#include <cmath>
#include <string>

namespace phyxel {

namespace {

using detail::count_text;
using detail::evaluate;
using detail::in_metres;
using detail::point_text;

} // namespace

/// Particles in an obstacle, or much nearer to a wall than half a spacing, would be thrown off it in the
/// first step. A layer that is missing closes by itself.
template <int Dim>
void SceneBuilder<Dim>::leave_out_near_walls(Fluid& fluid)
{
    const double nearest = 0.4 * fluid.spacing;
    if (domain_.bounded) {
        Surroundings<Dim> walls;
        walls.domain = domain_;
        std::erase_if(fluid.positions, [&](const Vec<Dim>& x) {
            bool is_near = false;
            for_each_wall(walls, x, nearest, [&](const NearWall<Dim>&) { is_near = true; });
            return is_near;
        });
    }
    for (std::size_t i = 0; i < obstacles_.size(); ++i) {
        const MovingObstacle<Dim>& obstacle = obstacles_[i];
        const Pose<Dim> pose = obstacle.motion.pose(fluid.start.value_or(0.0));
        if (!pose.translation.allFinite() || !pose.rotation.allFinite()) continue; // choose_speed() says so
        const std::size_t filled = fluid.positions.size();
        std::size_t inside = 0;
        std::erase_if(fluid.positions, [&](const Vec<Dim>& x) {
            const Vec<Dim> X = pose.apply_inverse(x);
            if (!obstacle.cavity && obstacle.shape.bounds().distance(X) >= nearest) return false;
            if (obstacle.cavity && !obstacle.shape.bounds().contains(X)) {
                ++inside;
                return true;
            }
            work_.spend(obstacle.shape.query_work());
            const double distance = obstacle.shape.signed_distance(X);
            if (distance < 0.0) ++inside;
            return distance < nearest;
        });
        if (inside == 0) continue;
        const std::string where = (obstacle.cavity ? "outside " : "inside ") +
                                  path_of({"obstacles", i}).text() + " (" + obstacle.name + ")";
        if (inside == filled && !flow_maker_.feeds(fluid.number))
            findings_.add_problem(fluid.path / "shape", "the body lies " + where, "move one of them");
        else
            findings_.warn(fluid.path / "shape",
                           std::to_string(inside) + " of " + count_text(filled, "particle") + ' ' + where +
                               ' ' + (inside == 1 ? "is" : "are") + " left out",
                           "move one of them, or cut the body with a \"difference\"");
    }
}

template <int Dim>
void SceneBuilder<Dim>::fill(Fluid& fluid)
{
    if (!fluid.shape) return;
    begin_work(fluid.path / "shape");
    fluid.positions = fill_lattice(*fluid.shape, fluid.spacing, work_);
    const std::size_t filled = fluid.positions.size();
    if (filled == 0) return;
    if (domain_.bounded)
        std::erase_if(fluid.positions, [&](const Vec<Dim>& x) { return !domain_.box.contains(x); });
    const std::size_t kept = fluid.positions.size();
    if (kept == 0)
        findings_.add_problem(fluid.path / "shape", "the body lies outside the domain",
                              "which reaches from " + point_text<Dim>(domain_.box.min) + " to " +
                                  point_text<Dim>(domain_.box.max));
    else if (kept < filled)
        findings_.warn(fluid.path / "shape",
                       std::to_string(filled - kept) + " of " + count_text(filled, "particle") +
                           " lie outside the domain and are left out",
                       "make the domain larger or the shape smaller");
    is_filled_ = is_filled_ || kept > 0;
    leave_out_near_walls(fluid);
}

/// What particles take until they are in a world, all that is done with shapes aside.
template <int Dim>
void SceneBuilder<Dim>::spend_on_particles()
{
    double particle_work = 60.0;
    constexpr double pair_work = 0.7;
    if (!fluids_.empty())
        particle_work += pair_work * crowding_ * detail::neighbors_within(Dim, solver_support_ratio());
    constexpr double phyxel_work = 2500.0;
    for (const Fluid& fluid : fluids_) {
        begin_work(fluid.path / "shape");
        work_.spend(particle_work * static_cast<double>(fluid.expected_count));
    }
    for (const Solid& solid : solids_) {
        begin_work(solid.path / "shape");
        work_.spend(phyxel_work * static_cast<double>(solid.expected_count));
    }
}

template <int Dim>
void SceneBuilder<Dim>::fill_shapes()
{
    spend_on_particles();
    for (Fluid& fluid : fluids_) fill(fluid);
    for (Solid& solid : solids_) fill(solid);
    is_placed_ = true;
    if (findings_.has_problems()) return;
    if (!is_filled_ && scene_.emitters.empty()) {
        findings_.add_problem(path_of({"bodies"}),
                              "there is no particle at all, a spacing of " + in_metres(smallest_spacing()) +
                                  " is larger than every body",
                              "choose a smaller spacing");
        return;
    }
    for (const Fluid& fluid : fluids_)
        if (fluid.shape && fluid.positions.empty())
            findings_.warn(fluid.path / "shape",
                           "there is no particle in it, a spacing of " + in_metres(fluid.spacing) +
                               " is too large",
                           "choose a smaller spacing");
    for (const Solid& solid : solids_)
        if (solid.positions.empty())
            findings_.add_problem(solid.path / "shape",
                                  "there is no phyxel in it, a spacing of " + in_metres(solid.spacing) +
                                      " is too large",
                                  "choose a smaller spacing");
}

template <int Dim>
void SceneBuilder<Dim>::set_velocities()
{
    for (Fluid& fluid : fluids_) {
        const std::vector<Vec<Dim>>& x = fluid.positions;
        if (x.empty()) continue;
        Vec<Dim> center = ordered_sum(x.size(), Vec<Dim>(Vec<Dim>::Zero()), [&](Index i) { return x[i]; });
        center /= static_cast<double>(x.size());
        set_velocities(fluid, fluid.options->velocity,
                       {Vec<Dim>::Zero(), fluid.options->angular_velocity, center});
    }
    for (Solid& solid : solids_) {
        const PhyxelCloud<Dim>& cloud = solid.phyxels;
        Vec<Dim> center = ordered_sum(cloud.size(), Vec<Dim>(Vec<Dim>::Zero()), [&](Index i) {
            return Vec<Dim>(cloud.volumes[i] * cloud.positions[i]);
        });
        center /= ordered_sum(cloud.size(), 0.0, [&](Index i) { return cloud.volumes[i]; });
        set_velocities(solid, solid.options->velocity,
                       {Vec<Dim>::Zero(), solid.options->angular_velocity, center});
    }
}

template <int Dim>
void SceneBuilder<Dim>::set_velocities(PlannedBody& body, const std::array<Formula, Dim>& velocity,
                                       const RigidVelocity<Dim>& spin)
{
    const std::vector<Vec<Dim>>& x = body.positions;
    body.velocities.resize(x.size());
    parallel_for(x.size(),
                 [&](Index i) { body.velocities[i] = evaluate<Dim>(velocity, x[i], 0.0) + spin.at(x[i]); });
    for (int k = 0; k < Dim; ++k) {
        const auto bad = std::find_if(body.velocities.begin(), body.velocities.end(),
                                      [&](const Vec<Dim>& v) { return !std::isfinite(v[k]); });
        if (bad == body.velocities.end()) continue;
        const auto i = static_cast<std::size_t>(bad - body.velocities.begin());
        findings_.add_problem(body.path / "velocity" / static_cast<std::size_t>(k),
                              "the velocity at " + point_text<Dim>(x[i]) + " is " +
                                  (std::isnan((*bad)[k]) ? "not a number" : "infinite"),
                              "must be finite");
    }
}

template <int Dim>
std::vector<ParticleSize> SceneBuilder<Dim>::particle_sizes() const
{
    std::vector<ParticleSize> sizes;
    for (const Fluid& fluid : fluids_)
        sizes.push_back(
            particle_size<Dim>(fluid.options->material.density, fluid.spacing, solver_support_ratio()));
    return sizes;
}

template <int Dim>
void SceneBuilder<Dim>::make_emitters()
{
    if (scene_.emitters.empty() || findings_.has_problems()) return;
    try {
        flow_maker_.make_emitters(particle_sizes(), domain_, obstacles_);
    } catch (const InputError& error) { // of a spacing that makes no particle
        findings_.add_problem(resolution_path(), error.what());
    }
}

template class SceneBuilder<2>;
template class SceneBuilder<3>;

} // namespace phyxel
