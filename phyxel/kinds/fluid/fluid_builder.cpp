// SPDX-License-Identifier: MIT
// Fluids of a scene: particles that fill their shapes, emitters, what they cost and what may go wrong with
// them.
#include <phyxel/kinds/fluid/detail/fluid_builder.h>

#include <phyxel/core/number_text.h>
#include <phyxel/core/rng.h>
#include <phyxel/fluid/ghost_wall.h>
#include <phyxel/geometry/corners.h>
#include <phyxel/geometry/sampling.h>
#include <phyxel/kinds/fluid/fluid_body.h>
#include <phyxel/kinds/fluid/fluid_body_options.h>
#include <phyxel/scene/build_text.h>
#include <phyxel/scene/count_inside.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <utility>
#include <variant>

namespace phyxel {
namespace {

using detail::axis_names;
using detail::count_text;
using detail::in_metres;
using detail::percent;
using detail::point_text;

/// Particles that differ more do not meet well enough to be called one fluid.
constexpr double largest_spacing_ratio = 4.0;

/// What an incompressible fluid may be compressed by at the start before a burst can be seen.
constexpr double incompressible_at_start = 0.01;

/// Measured: state, sorted copies and stages of a fluid, without its neighbour lists. [bytes]
constexpr double particle_memory = 600.0;

/// Gradients of pairs, which iterations keep: in groups of eight that take 80 bytes, the last of them half
/// full, with room to grow by an eighth. [bytes]
double gradient_memory(double neighbors) { return 1.125 * 80.0 * (neighbors / 8.0 + 0.5); }

/// Measured: a step of a particle, by its neighbours. Iterations are part of it: there are three to seven of
/// both kinds in a step, most of them in flat flows, and the same loops are run for everything else. [s]
double particle_step_seconds(bool is_iterative, double neighbors)
{
    return is_iterative ? 0.3e-6 + 0.0245e-6 * neighbors : 0.18e-6 + 0.004e-6 * neighbors;
}

/// Measured: finding the distance of a particle from an obstacle, for each unit of work of a query of its
/// shape, on average over particles that are near and particles that are not. [s]
constexpr double wall_query_seconds = 1.2e-9;

/// Mean speed of the fastest particle, as a share of the speed that the whole available energy would give:
/// while the fluid moves, and once it has come to rest and only its pressure limits the steps.
constexpr double speed_share_in_motion = 1.15;
constexpr double speed_share_at_rest = 0.35;

/// A fluid that nothing drives comes to rest after it has crossed the place about so often.
constexpr double crossings_to_rest = 4.0;

/// Number of lattice points within the support.
double neighbors_within(int dimension, double support_ratio)
{
    return dimension == 2 ? std::numbers::pi * support_ratio * support_ratio
                          : 4.0 / 3.0 * std::numbers::pi * support_ratio * support_ratio * support_ratio;
}

/// With enough digits to fit a periodic length when it is written into a scene.
std::string precise_metres(double length) { return number_text(length, 10) + " m"; }

} // namespace

FluidOptions fluid_options_of(const SolverSettings& settings)
{
    return std::visit(
        [](const auto& chosen) -> FluidOptions {
            auto options = chosen.options;
            options.max_speed = chosen.max_speed.value();
            return options;
        },
        settings);
}

template <int Dim>
FluidBuilder<Dim>::FluidBuilder(BuildContext<Dim>& context)
    : KindBuilder<Dim>(context),
      flow_maker_(context.scene, context.findings, context.work)
{
}

template <int Dim>
const FluidBodyOptions<Dim>& FluidBuilder<Dim>::first() const
{
    return bodies.front().template as<FluidBodyOptions<Dim>>();
}

template <int Dim>
double FluidBuilder<Dim>::support_ratio_of_solver() const
{
    return std::visit([](const auto& settings) { return settings.options.support_ratio; }, *first().solver);
}

template <int Dim>
bool FluidBuilder<Dim>::is_iterative() const
{
    return std::holds_alternative<DfsphSettings>(*first().solver);
}

template <int Dim>
double FluidBuilder<Dim>::largest_spacing() const
{
    double largest = 0.0;
    for (const PlannedBody<Dim>& fluid : bodies) largest = std::max(largest, fluid.spacing);
    return largest;
}

template <int Dim>
void FluidBuilder<Dim>::make_shapes()
{
    flow_maker_.make_shapes(context_.shapes);
    for (const PlannedBody<Dim>& fluid : bodies)
        if (!fluid.shape && !flow_maker_.feeds(fluid.number) && !context_.findings.has_problems())
            context_.findings.add_problem(fluid.path, "the body has no shape, and no emitter feeds it",
                                          "expected \"shape\", or an emitter with its name as \"body\"");
}

template <int Dim>
double FluidBuilder<Dim>::volume_without_shape(const PlannedBody<Dim>& body) const
{
    return flow_maker_.emitted_volume(body.number);
}

template <int Dim>
double FluidBuilder<Dim>::memory(double particles) const
{
    const double neighbors = crowding_ * neighbors_within(Dim, support_ratio_of_solver());
    return particles * (particle_memory + sizeof(Index) * neighbors +
                        (is_iterative() ? gradient_memory(neighbors) : 0.0));
}

/// Fluids meet, and particles of very different sizes do not meet well.
template <int Dim>
void FluidBuilder<Dim>::check_spacings()
{
    const double smallest = this->smallest_spacing();
    for (const PlannedBody<Dim>& fluid : bodies) {
        const double ratio = fluid.spacing / smallest;
        if (ratio <= 2.0) continue;
        const std::string text = "the spacing is " + in_metres(fluid.spacing) + " here and " +
                                 in_metres(smallest) + " in another fluid";
        if (ratio > largest_spacing_ratio)
            context_.findings.add_problem(fluid.path, text,
                                          "spacings of fluids must not differ by more than " +
                                              number_text(largest_spacing_ratio) + " times");
        else
            context_.findings.warn(fluid.path, text + ", where they meet they will not mix well",
                                   "keep spacings within twice each other");
    }
}

template <int Dim>
void FluidBuilder<Dim>::check_periodic_lengths()
{
    for (const int k : context_.periodic_axes()) {
        const Path path = path_of({"domain", "sides", std::string(axis_names[static_cast<std::size_t>(k)])});
        try {
            for (const PlannedBody<Dim>& fluid : bodies) {
                check_periodic_length(context_.domain.box.size()[k], fluid.spacing, path);
                if (context_.findings.has_problems()) break;
            }
        } catch (const InputError& error) {
            context_.findings.add_problem(path, error.what());
        }
    }
}

template <int Dim>
void FluidBuilder<Dim>::check_periodic_length(double length, double spacing, const Path& path)
{
    const double support_radius = support_ratio_of_solver() * spacing;
    if (const PeriodicFit fit = fit_periodic(length, spacing); !fit.fits) {
        const std::optional<double> fitting = context_.fitting_spacing(spacing);
        context_.findings.add_problem(
            path,
            "the periodic length " + in_metres(length) + " is no whole number of spacings of " +
                in_metres(spacing),
            "the nearest spacing that fits is " + precise_metres(fitting.value_or(fit.spacing)) +
                (fitting ? ""
                         : ", but none near it fits all periodic lengths; make one a "
                           "multiple of the other"));
    } else if (length < 2.0 * support_radius) {
        context_.findings.add_problem(path,
                                      "the periodic length " + in_metres(length) +
                                          " is less than two support radii of " + in_metres(support_radius),
                                      "make the domain longer or the spacing smaller");
    }
}

template <int Dim>
void FluidBuilder<Dim>::make_sources()
{
    check_periodic_lengths();
    if (flow_maker_.flows().emitters.empty() || context_.findings.has_problems()) return;
    try {
        std::vector<ParticleSize> sizes;
        for (const PlannedBody<Dim>& fluid : bodies)
            sizes.push_back(
                particle_size<Dim>(first().material.density, fluid.spacing, support_ratio_of_solver()));
        flow_maker_.make_emitters(sizes, [&](const Path& path) { context_.begin_work(path); });
    } catch (const InputError& error) { // of a spacing that makes no particle
        context_.findings.add_problem(context_.resolution_path(), error.what());
    }
}

/// The largest number of particles of emitters at any time: no more than the domain has room for, except
/// particles that are there before the first step.
template <int Dim>
double FluidBuilder<Dim>::added_count() const
{
    double most = std::numeric_limits<double>::infinity();
    if (context_.domain.bounded)
        most = context_.domain.box.volume() / std::pow(this->smallest_spacing(), Dim);
    return std::max(flow_maker_.first_count(), std::min(most, flow_maker_.particle_count()));
}

/// Mean number of particles of all fluids in the room of one particle of this fluid: more than one where
/// fluids that exist at the same time overlap. Sampled at some places.
template <int Dim>
double FluidBuilder<Dim>::crowding_of(const PlannedBody<Dim>& fluid) const
{
    const Box<Dim>& bounds = fluid.shape->bounds();
    std::vector<const PlannedBody<Dim>*> others;
    for (const PlannedBody<Dim>& other : bodies)
        if (&other != &fluid && other.shape && other.start() == fluid.start() &&
            overlap(other.shape->bounds(), bounds).volume() > 0.0)
            others.push_back(&other);
    if (others.empty()) return 1.0;
    // All pairs of bodies are looked at, so there are fewer places where there are many bodies.
    constexpr double most_pairs = 2e6;
    const auto places = static_cast<Index>(std::clamp(
        most_pairs / (static_cast<double>(bodies.size()) * static_cast<double>(others.size())), 4.0, 256.0));
    double inside = 0.0;
    double particles = 0.0;
    for (Index i = 0; i < places; ++i) {
        context_.work.spend(fluid.shape->query_work() + static_cast<double>(others.size()));
        const Vec<Dim> x = bounds.min + bounds.size().cwiseProduct(Rng(1, i).point<Dim>(0.0, 1.0));
        if (!fluid.shape->inside(x)) continue;
        inside += 1.0;
        for (const PlannedBody<Dim>* other : others) {
            if (!other->shape->bounds().contains(x)) continue;
            context_.work.spend(other->shape->query_work());
            if (other->shape->inside(x)) particles += std::pow(fluid.spacing / other->spacing, Dim);
        }
    }
    return inside > 0.0 ? 1.0 + particles / inside : 1.0;
}

template <int Dim>
void FluidBuilder<Dim>::measure()
{
    double particles = 0.0;
    double crowded = 0.0;
    for (const PlannedBody<Dim>& fluid : bodies) {
        if (!fluid.shape || fluid.expected_count == 0) continue;
        context_.begin_work(fluid.path / "shape");
        particles += static_cast<double>(fluid.expected_count);
        crowded += static_cast<double>(fluid.expected_count) * crowding_of(fluid);
    }
    if (particles > 0.0) crowding_ = crowded / particles;
}

template <int Dim>
double FluidBuilder<Dim>::work_of_particle() const
{
    constexpr double particle_work = 60.0;
    constexpr double pair_work = 0.7;
    return particle_work + pair_work * crowding_ * neighbors_within(Dim, support_ratio_of_solver());
}

template <int Dim>
void FluidBuilder<Dim>::fill(PlannedBody<Dim>& fluid)
{
    fluid.positions = fill_lattice(*fluid.shape, fluid.spacing, context_.work);
    const std::size_t filled = fluid.positions.size();
    if (filled == 0) return;
    if (context_.domain.bounded)
        std::erase_if(fluid.positions, [&](const Vec<Dim>& x) { return !context_.domain.box.contains(x); });
    const std::size_t kept = fluid.positions.size();
    if (kept == 0)
        context_.findings.add_problem(fluid.path / "shape", "the body lies outside the domain",
                                      "which reaches from " + point_text<Dim>(context_.domain.box.min) +
                                          " to " + point_text<Dim>(context_.domain.box.max));
    else if (kept < filled)
        context_.findings.warn(fluid.path / "shape",
                               std::to_string(filled - kept) + " of " + count_text(filled, "particle") +
                                   " lie outside the domain and are left out",
                               "make the domain larger or the shape smaller");
    context_.is_filled = context_.is_filled || kept > 0;
    leave_out_near_walls(fluid);
}

/// Particles in an obstacle, or much nearer to a wall than half a spacing, would be thrown off it in the
/// first step. A layer that is missing closes by itself.
template <int Dim>
void FluidBuilder<Dim>::leave_out_near_walls(PlannedBody<Dim>& fluid)
{
    const double nearest = 0.4 * fluid.spacing;
    if (context_.domain.bounded) {
        Surroundings<Dim> walls;
        walls.domain = context_.domain;
        std::erase_if(fluid.positions, [&](const Vec<Dim>& x) {
            bool is_near = false;
            for_each_wall(walls, x, nearest, [&](const NearWall<Dim>&) { is_near = true; });
            return is_near;
        });
    }
    for (std::size_t i = 0; i < context_.obstacles.size(); ++i) {
        const MovingObstacle<Dim>& obstacle = context_.obstacles[i];
        if (context_.ignored.contains(fluid.name(), obstacle.name)) continue;
        const Pose<Dim> pose = obstacle.motion.pose(fluid.start().value_or(0.0));
        if (!pose.translation.allFinite() || !pose.rotation.allFinite()) continue; // choose_speed() says so
        const std::size_t filled = fluid.positions.size();
        std::size_t inside = 0;
        context_.begin_work(path_of({"obstacles", i, "shape"}));
        context_.work.spend(look_work * static_cast<double>(filled));
        std::erase_if(fluid.positions, [&](const Vec<Dim>& x) {
            const Vec<Dim> X = pose.apply_inverse(x);
            if (!obstacle.cavity && obstacle.shape.bounds().distance(X) >= nearest) return false;
            if (obstacle.cavity && !obstacle.shape.bounds().contains(X)) {
                ++inside;
                return true;
            }
            context_.work.spend(obstacle.shape.query_work());
            const double distance = obstacle.shape.signed_distance(X);
            if (distance < 0.0) ++inside;
            return distance < nearest;
        });
        if (inside == 0) continue;
        const std::string where = (obstacle.cavity ? "outside " : "inside ") +
                                  path_of({"obstacles", i}).text() + " (" + obstacle.name + ")";
        if (inside == filled && !flow_maker_.feeds(fluid.number))
            context_.findings.add_problem(fluid.path / "shape", "the body lies " + where, "move one of them");
        else
            context_.findings.warn(fluid.path / "shape",
                                   std::to_string(inside) + " of " + count_text(filled, "particle") + ' ' +
                                       where + ' ' + (inside == 1 ? "is" : "are") + " left out",
                                   "move one of them, or cut the body with a \"difference\"");
    }
}

template <int Dim>
void FluidBuilder<Dim>::check_filled()
{
    for (const PlannedBody<Dim>& fluid : bodies)
        if (fluid.shape && fluid.positions.empty())
            context_.findings.warn(fluid.path / "shape",
                                   "there is no particle in it, a spacing of " + in_metres(fluid.spacing) +
                                       " is too large",
                                   "choose a smaller spacing");
    flow_maker_.check_rooms(context_.domain, context_.obstacles, work_of_particle(),
                            [&](const Path& path) { context_.begin_work(path); });
}

template <int Dim>
double FluidBuilder<Dim>::start_speed() const
{
    return std::max(flow_maker_.fastest(), KindBuilder<Dim>::start_speed());
}

template <int Dim>
void FluidBuilder<Dim>::set_expected_speed(double speed)
{
    for (PlannedBody<Dim>& fluid : bodies)
        std::visit(
            [&](auto& settings) {
                if (!settings.max_speed) settings.max_speed = speed;
            },
            *fluid.template as<FluidBodyOptions<Dim>>().solver);
}

/// With the viscosities and the solver that a scene has at some time.
template <int Dim>
double FluidBuilder<Dim>::step_at(const SceneOptions<Dim>& scene, double speed) const
{
    double viscosity = 0.0; // the largest, kinematic [m²/s]
    for_each_of<FluidBodyOptions<Dim>>(scene, [&](const FluidBodyOptions<Dim>& fluid, std::size_t) {
        viscosity = std::max(viscosity, fluid.material.viscosity / fluid.material.density);
    });
    return expected_time_step(fluid_options_of(*first().solver), this->smallest_spacing(), speed, viscosity);
}

template <int Dim>
double FluidBuilder<Dim>::longest_safe_step() const
{
    return step_at(context_.scene, expected_speed());
}

template <int Dim>
double FluidBuilder<Dim>::expected_speed() const
{
    return std::visit([](const auto& settings) { return settings.max_speed.value(); }, *first().solver);
}

/// What falls and what is thrown add up by their energies. [m/s]
template <int Dim>
double FluidBuilder<Dim>::speed_in_motion() const
{
    const double thrown = std::min(start_speed(), expected_speed());
    return speed_share_in_motion * std::hypot(thrown, expected_speed() - thrown);
}

/// Until then something moves the fluid, lets more of it in or turns gravity. [s]
template <int Dim>
double FluidBuilder<Dim>::driven_until() const
{
    const SceneOptions<Dim>& scene = context_.scene;
    double until = detail::are_numbers(scene.gravity) ? 0.0 : scene.duration;
    for (const EventOptions& event : scene.events) {
        if (!event.set) continue;
        for (const auto& [path, value] : event.set->items)
            if (path.starts_with("gravity")) until = std::max(until, event.time);
    }
    for (const PlannedBody<Dim>& fluid : bodies) until = std::max(until, fluid.start().value_or(0.0));
    // Emitters may be there for a part of the time.
    for (std::size_t k = 0; k <= context_.later.size(); ++k) {
        const SceneOptions<Dim>& now = k == 0 ? scene : context_.later[k - 1].scene;
        const double end = k < context_.later.size() ? context_.later[k].time : scene.duration;
        for (const EmitterSettings<Dim>& emitter : now.template section<FlowOptions<Dim>>()->emitters)
            if (emitter.start < end) until = std::max(until, std::min(emitter.stop.value_or(end), end));
    }
    // What moves slower than a fluid at rest may flow does not shorten steps.
    for (const MovingObstacle<Dim>& obstacle : context_.obstacles) {
        const std::vector<Vec<Dim>> places = corners(obstacle.cavity.value_or(obstacle.shape).bounds());
        for (const double time : context_.sample_times(obstacle.motion.is_fixed())) {
            const Pose<Dim> pose = obstacle.motion.pose(time);
            const RigidVelocity<Dim> velocity = obstacle.motion.velocity(time);
            const bool is_fast = std::any_of(places.begin(), places.end(), [&](const Vec<Dim>& X) {
                return velocity.at(pose.apply(X)).norm() > speed_share_at_rest * expected_speed();
            });
            if (is_fast) until = std::max(until, time);
        }
    }
    return std::min(until, scene.duration);
}

/// That the fluid has to cross. Without walls it never comes to rest. [m]
template <int Dim>
double FluidBuilder<Dim>::room() const
{
    if (context_.domain.bounded) return context_.domain.box.longest_side();
    Box<Dim> bounds;
    for (const MovingObstacle<Dim>& obstacle : context_.obstacles)
        bounds.extend(obstacle.cavity.value_or(obstacle.shape).bounds());
    return bounds.is_empty() ? std::numeric_limits<double>::infinity() : bounds.longest_side();
}

/// The fluid falls, sloshes and comes to rest. A fluid that an event makes thick is thick from that event on.
template <int Dim>
std::vector<ExpectedStep> FluidBuilder<Dim>::expected_steps() const
{
    const double in_motion = speed_in_motion();
    const double at_rest = driven_until() + crossings_to_rest * room() / in_motion;
    std::vector<double> times = {0.0, at_rest};
    for (const LaterOptions<Dim>& later : context_.later) times.push_back(later.time);
    std::sort(times.begin(), times.end());
    std::vector<ExpectedStep> steps;
    for (const double time : times) {
        if (time > context_.scene.duration) break;
        const double speed = time < at_rest ? in_motion : speed_share_at_rest * expected_speed();
        steps.push_back({time, step_at(context_.scene_at(time), speed)});
    }
    return steps;
}

template <int Dim>
KindCost FluidBuilder<Dim>::cost(const RunPlan& plan) const
{
    std::uint64_t at_first = 0;
    for (const PlannedBody<Dim>& fluid : bodies) at_first += context_.count_of(fluid);
    const auto emitted = static_cast<std::uint64_t>(added_count());
    KindCost cost;
    cost.particles = at_first + emitted;
    cost.memory = memory(static_cast<double>(cost.particles));
    // On average half of what emitters make is there.
    const double n = static_cast<double>(at_first) + 0.5 * static_cast<double>(emitted);
    cost.disk = disk_of_particles(plan, n, 2.0 * Dim * 8.0 + 8.0 + 4.0);
    double step_seconds =
        particle_step_seconds(is_iterative(), crowding_ * neighbors_within(Dim, support_ratio_of_solver()));
    for (const MovingObstacle<Dim>& obstacle : context_.obstacles)
        step_seconds += wall_query_seconds * obstacle.shape.query_work();
    cost.seconds = plan.step_count(expected_steps()) * n * step_seconds;
    return cost;
}

template <int Dim>
void FluidBuilder<Dim>::warn()
{
    // A plate needs two layers of particles between its faces, a sheet has none.
    for (std::size_t i = 0; i < context_.obstacles.size(); ++i)
        if (const MovingObstacle<Dim>& obstacle = context_.obstacles[i]; !obstacle.shape.is_sheet())
            warn_of_thin_shape(context_.findings, path_of({"obstacles", i, "shape"}),
                               obstacle.cavity.value_or(obstacle.shape).thickness(), largest_spacing());
    warn_of_obstacles_at_periodic_sides();
}

/// A part of an obstacle at one side of the domain does not block the opposite side, where the fluid comes
/// in.
template <int Dim>
void FluidBuilder<Dim>::warn_of_obstacles_at_periodic_sides()
{
    for (std::size_t i = 0; i < context_.obstacles.size(); ++i) {
        const Pose<Dim> pose = context_.obstacles[i].motion.pose(0.0);
        Box<Dim> bounds;
        for (const Vec<Dim>& corner : corners(context_.obstacles[i].shape.bounds()))
            bounds.extend(pose.apply(corner));
        for (const int k : context_.periodic_axes()) {
            const bool is_at_lower = bounds.min[k] < context_.domain.box.min[k] + largest_spacing();
            const bool is_at_upper = bounds.max[k] > context_.domain.box.max[k] - largest_spacing();
            const bool is_outside =
                bounds.max[k] < context_.domain.box.min[k] || bounds.min[k] > context_.domain.box.max[k];
            if (is_at_lower == is_at_upper || is_outside) continue;
            context_.findings.warn(path_of({"obstacles", i, "shape"}),
                                   "the obstacle reaches one periodic side of " +
                                       std::string(axis_names[static_cast<std::size_t>(k)]) +
                                       " and is not repeated at the other",
                                   "let it reach beyond both sides, or keep it away from them");
        }
    }
}

template <int Dim>
FluidPart<Dim> FluidBuilder<Dim>::part_of(PlannedBody<Dim>& fluid)
{
    return {fluid.name(),
            std::move(fluid.positions),
            std::move(fluid.velocities),
            fluid.spacing,
            fluid.template as<FluidBodyOptions<Dim>>().material.viscosity,
            fluid.start().value_or(0.0)};
}

template <int Dim>
std::any FluidBuilder<Dim>::make_part(PlannedBody<Dim>& fluid)
{
    return part_of(fluid);
}

template <int Dim>
std::unique_ptr<Body<Dim>> FluidBuilder<Dim>::make_body(std::uint64_t first_id)
{
    std::vector<FluidPart<Dim>> present, expected;
    for (PlannedBody<Dim>& fluid : bodies) (fluid.start() ? expected : present).push_back(part_of(fluid));
    auto body =
        std::make_unique<FluidBody<Dim>>(first().material.density, fluid_options_of(*first().solver),
                                         std::move(present), flow_maker_.flows(), first_id, context_.fault);
    for (FluidPart<Dim>& part : expected) body->expect(std::move(part));
    Node& derived = context_.derived;
    if (!flow_maker_.flows().emitters.empty())
        derived.set("emitted_particles", static_cast<std::uint64_t>(flow_maker_.particle_count()));
    derived.set("support_radius", body->model().smallest_support_radius());
    derived.set("particle_mass", body->model().parts.front().particle_mass);
    if (const auto* wcsph = std::get_if<WcsphSolver<Dim>>(&body->solver())) {
        derived.set("sound_speed", wcsph->equation_of_state().sound_speed());
        derived.set("stiffness", wcsph->equation_of_state().stiffness);
    }
    return body;
}

/// Of obstacles, whose surfaces fluids have to be told of.
template <int Dim>
void FluidBuilder<Dim>::spend_on_ghosts()
{
    const double spacing = GhostWall<Dim>::ghost_spacing_ratio * this->smallest_spacing();
    for (std::size_t i = 0; i < context_.obstacles.size(); ++i) {
        context_.begin_work(path_of({"obstacles", i, "shape"}));
        context_.work.spend(work_of_surface_points(context_.obstacles[i].shape, spacing));
    }
}

/// Particles that are too close to each other or to a wall burst apart.
template <int Dim>
void FluidBuilder<Dim>::check_body(Body<Dim>& body, const Surroundings<Dim>& surroundings)
{
    spend_on_ghosts();
    const double rest_density = first().material.density;
    double sum = 0.0;
    double largest = 0.0;
    std::vector<double> densities;
    try {
        densities = body.field("density", surroundings);
    } catch (const InputError& error) { // of an obstacle whose surface has no points
        context_.findings.add_problem(path_of({"obstacles"}), error.what(), "choose smaller shapes");
        return;
    }
    for (const double density : densities) {
        const double compression = std::max(0.0, density / rest_density - 1.0);
        sum += compression;
        largest = std::max(largest, compression);
    }
    const double mean = sum / static_cast<double>(std::max<std::size_t>(densities.size(), 1));
    context_.derived.set("initial_mean_compression", mean);
    context_.derived.set("initial_largest_compression", largest);
    const auto* wcsph = std::get_if<WcsphSettings>(&*first().solver);
    const double allowed = wcsph != nullptr ? wcsph->options.compressibility : incompressible_at_start;
    if (largest <= allowed) return;
    context_.findings.warn(path_of({"bodies"}),
                           "the fluid starts compressed by up to " + percent(largest) + " (" + percent(mean) +
                               " on average), more than the " + percent(allowed) +
                               " that its solver is meant for",
                           "leave a spacing between bodies, and half a spacing to walls and obstacles");
}

template class FluidBuilder<2>;
template class FluidBuilder<3>;

} // namespace phyxel
