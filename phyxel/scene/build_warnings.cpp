// SPDX-License-Identifier: MIT
// What will not look as it was meant.
#include <phyxel/scene/detail/scene_builder.h>

#include <phyxel/geometry/corners.h>
#include <phyxel/scene/detail/build_support.h>

#include <array>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace phyxel {

namespace {

using detail::axis_names;
using detail::count_text;
using detail::evaluate;
using detail::in_metres;
using detail::percent;

/// What an incompressible fluid may be compressed by at the start before a burst can be seen.
constexpr double incompressible_at_start = 0.01;

template <int Dim>
std::uint64_t count_inside(const Shape<Dim>& shape, const Pose<Dim>& pose,
                           const std::vector<Vec<Dim>>& points, const WorkBudget& work)
{
    std::vector<Vec<Dim>> near;
    for (const Vec<Dim>& x : points) {
        const Vec<Dim> X = pose.apply_inverse(x);
        if (shape.bounds().contains(X)) near.push_back(X);
    }
    work.spend(static_cast<double>(points.size()) + static_cast<double>(near.size()) * shape.query_work());
    std::vector<std::uint8_t> is_inside(near.size());
    shape.inside(near, is_inside);
    return static_cast<std::uint64_t>(std::count(is_inside.begin(), is_inside.end(), 1));
}

} // namespace

/// A step ends wherever a probe is read.
template <int Dim>
void SceneBuilder<Dim>::warn_of_frequent_probes(const detail::RunPlan& plan)
{
    const double step = detail::estimated_step(plan);
    for (std::size_t i = 0; i < plan.probes.size(); ++i) {
        const detail::ProbePlan& probe = plan.probes[i];
        constexpr double often = 10.0;
        if (probe.every != ProbeTimes::Interval || often * probe.interval > step) continue;
        findings_.warn(path_of({"probes", i, "every"}),
                       format_quantity(probe.interval, "s") + " is much shorter than a step of about " +
                           number_text(step, 2) + " s, and every time it is read ends a step",
                       "choose a longer time, or \"step\"");
    }
}

template <int Dim>
void SceneBuilder<Dim>::warn_of_overlaps()
{
    const std::vector<PlannedBody*> all = bodies();
    for (std::size_t j = 0; j < all.size(); ++j) {
        const PlannedBody& body = *all[j];
        begin_work(body.path / "shape");
        for (std::size_t i = 0; i < j; ++i) {
            if (!all[i]->shape || all[i]->start != body.start) continue;
            const std::uint64_t count = count_inside(*all[i]->shape, {}, body.positions, work_);
            if (count == 0) continue;
            findings_.warn(body.path / "shape",
                           std::to_string(count) + " of " +
                               count_text(body.positions.size(), j < fluids_.size() ? "particle" : "phyxel") +
                               (count == 1 ? " lies" : " lie") + " inside " + all[i]->path.text() + " (" +
                               all[i]->name + ')',
                           "move one of them, or cut it with a \"difference\"");
        }
    }
}

/// Fluids have left out what is in obstacles; solids stay whole.
template <int Dim>
void SceneBuilder<Dim>::warn_of_solids_in_obstacles()
{
    for (const Solid& solid : solids_)
        for (std::size_t i = 0; i < obstacles_.size(); ++i) {
            const MovingObstacle<Dim>& obstacle = obstacles_[i];
            if (obstacle.shape.is_sheet()) continue;
            begin_work(solid.path / "shape");
            const Pose<Dim> pose = obstacle.motion.pose(solid.start.value_or(0.0));
            const std::uint64_t count =
                obstacle.cavity
                    ? solid.positions.size() - count_inside(*obstacle.cavity, pose, solid.positions, work_)
                    : count_inside(obstacle.shape, pose, solid.positions, work_);
            if (count == 0) continue;
            findings_.warn(solid.path / "shape",
                           std::to_string(count) + " of " + count_text(solid.positions.size(), "phyxel") +
                               (count == 1 ? " lies" : " lie") +
                               (obstacle.cavity ? " outside " : " inside ") +
                               path_of({"obstacles", i}).text() + " (" + obstacle.name + ')',
                           "move one of them, or cut the body with a \"difference\"");
        }
}

template <int Dim>
void SceneBuilder<Dim>::warn_of_fluids_beside_solids()
{
    if (fluids_.empty() || solids_.empty()) return;
    findings_.warn(path_of({"bodies"}), "fluids and solids do not feel each other yet",
                   "what is meant to be pushed by a fluid, or to hold one, has to be an obstacle");
}

template <int Dim>
void SceneBuilder<Dim>::warn_of_thin_shapes()
{
    const auto warn = [&](const Path& path, double thickness, double spacing) {
        if (spacing <= 0.5 * thickness) return;
        findings_.warn(path,
                       "the shape is " + in_metres(thickness) + " thin, less than two spacings of " +
                           in_metres(spacing),
                       "choose a spacing of at most " + in_metres(0.5 * thickness));
    };
    for (const Fluid& fluid : fluids_)
        if (fluid.shape) warn(fluid.path / "shape", fluid.shape->thickness(), fluid.spacing);
    // What a solid is made of may have buttons and brows, which its surface shows and phyxels need not.
    for (const Solid& solid : solids_)
        if (solid.shape && solid.shape->parts().size() == 1)
            warn(solid.path / "shape", solid.shape->thickness(), solid.spacing);
    if (fluids_.empty()) return;
    // A plate needs two layers of particles between its faces, a sheet has none.
    for (std::size_t i = 0; i < obstacles_.size(); ++i)
        if (!obstacles_[i].shape.is_sheet())
            warn(path_of({"obstacles", i, "shape"}),
                 obstacles_[i].cavity.value_or(obstacles_[i].shape).thickness(), largest_fluid_spacing());
}

/// With gravity and nothing that could stop it, a body is soon out of sight.
template <int Dim>
void SceneBuilder<Dim>::warn_of_endless_fall()
{
    const bool is_held = std::any_of(solids_.begin(), solids_.end(), [](const Solid& solid) {
        return std::any_of(solid.options->regions.begin(), solid.options->regions.end(),
                           [](const auto& region) { return region.motion || region.spring; });
    });
    if (domain_.bounded || is_held || !obstacles_.empty() || !scene_.hands.empty()) return;
    const Box<Dim> bounds = start_bounds();
    if (bounds.is_empty()) return;
    const double g = evaluate<Dim>(scene_.gravity, bounds.center(), 0.0).norm();
    const double way = 0.5 * g * scene_.duration * scene_.duration;
    constexpr double far = 10.0; // in sizes of all that there is
    if (!(way > far * bounds.size().norm())) return;
    findings_.warn(path_of({"gravity"}),
                   "there is neither a domain nor an obstacle, so all falls " + number_text(way, 2) +
                       " m until the end",
                   "add a \"domain\", which has a floor, or set gravity to zero");
}

/// What is solid at one side of the domain is not so at the opposite side, where the fluid comes in.
template <int Dim>
void SceneBuilder<Dim>::warn_of_obstacles_at_periodic_sides()
{
    if (fluids_.empty()) return;
    for (std::size_t i = 0; i < obstacles_.size(); ++i) {
        const Pose<Dim> pose = obstacles_[i].motion.pose(0.0);
        Box<Dim> bounds;
        for (const Vec<Dim>& corner : corners(obstacles_[i].shape.bounds()))
            bounds.extend(pose.apply(corner));
        for (const int k : periodic_axes()) {
            const bool is_at_lower = bounds.min[k] < domain_.box.min[k] + largest_fluid_spacing();
            const bool is_at_upper = bounds.max[k] > domain_.box.max[k] - largest_fluid_spacing();
            const bool is_outside = bounds.max[k] < domain_.box.min[k] || bounds.min[k] > domain_.box.max[k];
            if (is_at_lower == is_at_upper || is_outside) continue;
            findings_.warn(path_of({"obstacles", i, "shape"}),
                           "the obstacle reaches one periodic side of " +
                               std::string(axis_names[static_cast<std::size_t>(k)]) +
                               " and is not repeated at the other",
                           "let it reach beyond both sides, or keep it away from them");
        }
    }
}

/// A probe with a body follows the particle that is nearest to its point, and a hand that reaches none takes
/// the nearest.
template <int Dim>
void SceneBuilder<Dim>::warn_of_probes_beside_bodies()
{
    const auto warn = [&](const Path& path, const std::string& name, const Vec<Dim>& point,
                          std::optional<double> reach, const std::string& what, const char* remedy) {
        for (const PlannedBody* body : bodies()) {
            if (body->name != name || body->positions.empty()) continue;
            double nearest = std::numeric_limits<double>::infinity();
            for (const Vec<Dim>& x : body->positions) nearest = std::min(nearest, (x - point).norm());
            if (nearest > (reach ? std::max(*reach, body->spacing) : 2.0 * body->spacing))
                findings_.warn(path,
                               what + name + ", whose nearest particle is " + in_metres(nearest) + " away",
                               remedy);
        }
    };
    for (std::size_t i = 0; i < scene_.probes.size(); ++i)
        if (const ProbeOptions<Dim>& probe = scene_.probes[i]; probe.point && probe.body)
            warn(path_of({"probes", i, "point"}), *probe.body, *probe.point, {}, "the point is not in ",
                 "move the point into the body");
    for (std::size_t i = 0; i < scene_.hands.size(); ++i)
        if (const HandOptions<Dim>& hand = scene_.hands[i]; hand.kind != HandKind::Push)
            warn(path_of({"hands", i, "at"}), hand.body, hand.at, hand.radius, "the hand does not reach ",
                 "move it to the body, or it takes hold of that one");
    warn_of_probes_beside_everything();
}

/// Where nothing ever gets a probe reads zeros: outside the domain, and within what stands still.
template <int Dim>
void SceneBuilder<Dim>::warn_of_probes_beside_everything()
{
    const auto place_of = [&](const Vec<Dim>& x) -> std::string {
        if (domain_.bounded && !domain_.box.contains(x)) return "outside the domain";
        for (std::size_t k = 0; k < obstacles_.size(); ++k)
            if (const MovingObstacle<Dim>& obstacle = obstacles_[k];
                obstacle.motion.is_fixed() && !obstacle.shape.is_sheet() &&
                obstacle.shape.bounds().contains(x) && obstacle.shape.inside(x))
                return "inside " + path_of({"obstacles", k}).text() + " (" + obstacle.name + ')';
        return {};
    };
    for (std::size_t i = 0; i < scene_.probes.size(); ++i) {
        const ProbeOptions<Dim>& probe = scene_.probes[i];
        const auto warn = [&](const char* key, const std::string& what) {
            findings_.warn(path_of({"probes", i, key}), what, "move it, or it reads zeros");
        };
        if (probe.point && !probe.body)
            if (const std::string place = place_of(*probe.point); !place.empty())
                warn("point", "the point is " + place + ", where nothing gets to");
        if (probe.line) {
            int beside = 0;
            for (int n = 0; n < probe.line->count; ++n) {
                const double share = probe.line->count > 1 ? double(n) / (probe.line->count - 1) : 0.0;
                const Vec<Dim> x = probe.line->from + share * (probe.line->to - probe.line->from);
                beside += place_of(x).empty() ? 0 : 1;
            }
            if (beside == probe.line->count)
                warn("line", "nothing gets to the line, which is outside the domain or inside obstacles");
        }
        if (probe.plane && domain_.bounded) {
            bool is_before = false, is_behind = false;
            for (const Vec<Dim>& corner : corners(domain_.box))
                ((corner - probe.plane->point).dot(probe.plane->normal) < 0.0 ? is_before : is_behind) = true;
            if (!is_before || !is_behind) warn("plane", "the plane does not cross the domain");
        }
    }
}

template <int Dim>
void SceneBuilder<Dim>::warn_of_long_step()
{
    if (!clock_.fixed_step) return;
    const double step = *clock_.fixed_step;
    const auto warn = [&](double safe) {
        findings_.warn(path_of({"time_step"}),
                       "a step of " + format_quantity(step, "s") + " is longer than the " +
                           number_text(safe, 2) + " s that are safe",
                       "make it smaller or leave it out");
    };
    detail::RunPlan plan = run_plan();
    plan.clock.fixed_step.reset();
    const std::optional<detail::SolidPlan> solid = std::exchange(plan.solid, std::nullopt);
    // The estimate of fluids is a careful one.
    if (const double safe = detail::estimated_step(plan); plan.fluid && step > 2.0 * safe)
        warn(safe);
    else if (solid && std::holds_alternative<LeapfrogOptions>(solid->solver) && step > solid->sound_time)
        warn(solid->sound_time);
}

template <int Dim>
void SceneBuilder<Dim>::warn_of_late_events()
{
    for (std::size_t i = 0; i < scene_.events.size(); ++i)
        if (scene_.events[i].time > scene_.duration)
            findings_.warn(path_of({"events", i, "time"}),
                           "the event at " + format_quantity(scene_.events[i].time, "s") +
                               " never happens, the scene ends at " + format_quantity(scene_.duration, "s"),
                           "choose an earlier time or a longer duration");
}

/// Particles that are too close to each other or to a wall burst apart.
template <int Dim>
void SceneBuilder<Dim>::warn_of_compression(FluidBody<Dim>& fluid, const Surroundings<Dim>& surroundings)
{
    const std::array<std::string, 1> fields = {"density"};
    const double rest_density = fluids_.front().options->material.density;
    double sum = 0.0;
    double largest = 0.0;
    std::size_t count = 0;
    for (const Snapshot& snapshot : fluid.snapshots(fields, surroundings)) {
        std::visit(
            [&](const auto& values) {
                for (const auto density : values) {
                    const double compression =
                        std::max(0.0, static_cast<double>(density) / rest_density - 1.0);
                    sum += compression;
                    largest = std::max(largest, compression);
                    ++count;
                }
            },
            snapshot.find("density")->values);
    }
    const double mean = sum / static_cast<double>(std::max<std::size_t>(count, 1));
    derived_.set("initial_mean_compression", mean);
    derived_.set("initial_largest_compression", largest);
    const auto* wcsph = std::get_if<WcsphSettings>(&*fluids_.front().options->solver);
    const double allowed = wcsph != nullptr ? wcsph->options.compressibility : incompressible_at_start;
    if (largest <= allowed) return;
    findings_.warn(path_of({"bodies"}),
                   "the fluid starts compressed by up to " + percent(largest) + " (" + percent(mean) +
                       " on average), more than the " + percent(allowed) + " that its solver is meant for",
                   "leave a spacing between bodies, and half a spacing to walls and obstacles");
}

template class SceneBuilder<2>;
template class SceneBuilder<3>;

} // namespace phyxel
