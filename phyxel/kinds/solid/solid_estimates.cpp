// SPDX-License-Identifier: MIT
// What the solids of a scene cost, how long their steps are, and which solver is the better for them.
#include <phyxel/kinds/solid/detail/solid_builder.h>

#include <phyxel/core/number_text.h>
#include <phyxel/scene/build_text.h>
#include <phyxel/scene/heat_checks.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <variant>

namespace phyxel {
namespace {

/// Measured: state, neighbours with their gradients, and stages of a solid with its usual support. [bytes]
constexpr double phyxel_memory = 1500.0;

/// Measured, times the number of cores: an explicit step with its contacts, and a product with the stiffness.
/// [s]
constexpr double phyxel_step_seconds[] = {0.25e-6, 0.45e-6}; // in 2 and 3 dimensions
constexpr double phyxel_product_seconds[] = {0.2e-6, 0.4e-6};

/// Measured, times the number of cores: a step of heat. [s]
constexpr double phyxel_heat_seconds[] = {0.03e-6, 0.08e-6};

/// Measured, times the number of cores: filling what a vertex of a skin bounds and tying it to phyxels, once,
/// and moving and writing it in every frame. [s]
constexpr double skin_vertex_seconds = 40e-6;
constexpr double skin_frame_seconds = 0.4e-6;

/// Products that an equilibrium usually takes.
constexpr double products_of_equilibrium = 170.0;

/// The longest explicit step of usual shapes at rest, in the time that sound takes from phyxel to phyxel. On
/// a lattice without end it is 2.1.
constexpr double usual_rest_step = 1.5;

/// Products that an implicit step usually takes: a few of Newton's iterations, each with a number that grows
/// with that of phyxels which a pressure wave passes in the step. The coarse level takes the root of it.
double products_of_step(const ImplicitOptions& options, double step, double sound_time)
{
    constexpr int usual_newton_iterations = 3;
    constexpr double fewest = 8.0;
    const double linear = std::max(fewest, 2.0 * std::sqrt(step / sound_time));
    return std::min(options.newton_iterations, usual_newton_iterations) *
           std::min(linear, static_cast<double>(options.linear_iterations));
}

} // namespace

template <int Dim>
double SolidBuilder<Dim>::memory(double phyxels) const
{
    return phyxel_memory * phyxels;
}

/// The shortest time that pressure waves take from phyxel to phyxel, by the materials of the scene at some
/// time. [s]
template <int Dim>
double SolidBuilder<Dim>::sound_time(const SceneOptions<Dim>& scene) const
{
    double shortest = std::numeric_limits<double>::infinity();
    std::size_t number = 0;
    for_each_of<SolidBodyOptions<Dim>>(scene, [&](const SolidBodyOptions<Dim>& solid, std::size_t) {
        shortest =
            std::min(shortest, bodies[number++].spacing / pressure_wave_speed(solid.material.properties));
    });
    return shortest;
}

/// When the first of the solids has fallen onto something, if all goes straight down. [s]
template <int Dim>
double SolidBuilder<Dim>::time_of_contact() const
{
    const Vec<Dim> gravity = detail::evaluate<Dim>(context_.scene.gravity, Vec<Dim>::Zero(), 0.0);
    const double g = gravity.norm();
    const bool has_walls = context_.domain.bounded || !context_.obstacles.empty();
    if (!has_walls && bodies.size() < 2) return std::numeric_limits<double>::infinity();
    if (!(g > 0.0)) return 0.0;
    // Places along gravity: the lowest of a box is the farthest.
    const auto reach = [&](const Box<Dim>& box, bool is_lowest) {
        double along = 0.0;
        for (int k = 0; k < Dim; ++k)
            along += gravity[k] / g * ((gravity[k] > 0.0) == is_lowest ? box.max[k] : box.min[k]);
        return along;
    };
    double first = std::numeric_limits<double>::infinity();
    for (const PlannedBody<Dim>& solid : bodies) {
        const double lowest = reach(solid.shape->bounds(), true);
        double gap = has_walls ? std::numeric_limits<double>::infinity() : 0.0;
        if (context_.domain.bounded) gap = std::min(gap, reach(context_.domain.box, true) - lowest);
        for (const MovingObstacle<Dim>& obstacle : context_.obstacles)
            gap = std::min(gap, obstacle.cavity ? reach(obstacle.cavity->bounds(), true) - lowest
                                                : reach(obstacle.shape.bounds(), false) - lowest);
        first = std::min(first, solid.start().value_or(0.0) + std::sqrt(2.0 * std::max(gap, 0.0) / g));
    }
    return first;
}

/// How many times shorter explicit steps are than those of the same material at rest. A body is stiffer when
/// it is stretched or pressed, as by its own weight, and when it touches another solid or itself.
template <int Dim>
double SolidBuilder<Dim>::shortening(const SceneOptions<Dim>& scene, bool is_in_contact) const
{
    constexpr double of_weight = 2.5; // for each unit of strain
    constexpr double of_several_solids = 2.4;
    constexpr double of_several_parts = 1.5;
    constexpr double of_pulling = 1.3;
    const double g = detail::evaluate<Dim>(scene.gravity, Vec<Dim>::Zero(), 0.0).norm();
    double strain = 0.0;
    bool is_pulled = false;
    bool has_parts = false;
    std::size_t number = 0;
    for_each_of<SolidBodyOptions<Dim>>(scene, [&](const SolidBodyOptions<Dim>& solid, std::size_t) {
        const Shape<Dim>& shape = *bodies[number++].shape;
        const SolidMaterial& material = solid.material.properties;
        strain =
            std::max(strain, material.density * g * shape.bounds().longest_side() / material.youngs_modulus);
        has_parts = has_parts || shape.parts().size() > 1;
        is_pulled =
            is_pulled || std::any_of(solid.regions.begin(), solid.regions.end(), [](const auto& region) {
                return region.motion && !region.motion->is_free &&
                       !std::holds_alternative<FixedMotion>(region.motion->kind);
            });
    });
    double factor = is_pulled ? of_pulling : 1.0;
    if (!is_in_contact) return factor;
    factor *= 1.0 + of_weight * std::min(strain, 1.0);
    return factor * (bodies.size() > 1 ? of_several_solids : has_parts ? of_several_parts : 1.0);
}

template <int Dim>
double SolidBuilder<Dim>::step_at(double time) const
{
    const SceneOptions<Dim>& scene = context_.scene_at(time);
    // Events cannot change a solver that was chosen here.
    const SolidBodyOptions<Dim>* first = &options_of(bodies.front());
    if (!first->is_solver_chosen)
        for_each_of<SolidBodyOptions<Dim>>(
            scene, [&](const SolidBodyOptions<Dim>& solid, std::size_t) { first = &solid; });
    const SolidOptions& solver = *first->solver;
    if (const auto* implicit = std::get_if<ImplicitOptions>(&solver)) return implicit->time_step;
    const auto* leapfrog = std::get_if<LeapfrogOptions>(&solver);
    if (leapfrog == nullptr) return std::numeric_limits<double>::infinity();
    // The body knows best what it is like at rest. It does not know what events have changed since then.
    const double at_rest = body_ ? body_->stable_time_step() * sound_time(scene) / sound_time(context_.scene)
                                 : leapfrog->courant_number * usual_rest_step * sound_time(scene);
    return at_rest / shortening(scene, time >= time_of_contact());
}

template <int Dim>
std::vector<ExpectedStep> SolidBuilder<Dim>::expected_steps() const
{
    std::vector<double> times = {0.0, time_of_contact()};
    for (const LaterOptions<Dim>& later : context_.later) times.push_back(later.time);
    std::sort(times.begin(), times.end());
    std::vector<ExpectedStep> steps;
    for (const double time : times)
        if (time <= context_.scene.duration) steps.push_back({time, step_at(time)});
    return steps;
}

template <int Dim>
double SolidBuilder<Dim>::longest_safe_step() const
{
    const bool is_explicit = std::holds_alternative<LeapfrogOptions>(*options_of(bodies.front()).solver);
    return is_explicit ? sound_time(context_.scene) : std::numeric_limits<double>::infinity();
}

/// Whether heat flows in what the scene says at some time.
template <int Dim>
bool SolidBuilder<Dim>::has_heat(const SceneOptions<Dim>& scene) const
{
    bool is_spoken_of = speaks_of_heat_around(scene);
    for_each_of<SolidBodyOptions<Dim>>(scene, [&](const SolidBodyOptions<Dim>& solid, std::size_t) {
        is_spoken_of = is_spoken_of || solid.heat.temperature || solid.heat.air ||
                       std::any_of(solid.regions.begin(), solid.regions.end(),
                                   [](const auto& region) { return heat_of(region.heat).has_any(); });
    });
    return is_spoken_of;
}

/// That heat takes, all in all; none if nothing from the start speaks of it.
template <int Dim>
double SolidBuilder<Dim>::heat_steps() const
{
    constexpr double times_a_frame = 8.0;
    if (!has_heat(context_.scene)) return 0.0;
    double fastest = 0.0; // one over the longest step
    for (const PlannedBody<Dim>& solid : bodies) {
        const SolidBodyOptions<Dim>& options = options_of(solid);
        const SolidMaterial& material = options.material.properties;
        const double diffusivity =
            material.thermal.conductivity / (material.density * material.thermal.heat_capacity);
        fastest = std::max(fastest, 4.0 * Dim * diffusivity / (solid.spacing * solid.spacing));
    }
    return context_.clock.duration * std::max(fastest, times_a_frame * context_.clock.frame_rate);
}

/// Of a processor, without skins. [s]
template <int Dim>
double SolidBuilder<Dim>::seconds_of(const RunPlan& plan) const
{
    const SolidOptions& solver = *options_of(bodies.front()).solver;
    std::uint64_t phyxels = 0;
    for (const PlannedBody<Dim>& solid : bodies) phyxels += context_.count_of(solid);
    const std::vector<ExpectedStep> steps = expected_steps();
    double step_seconds = phyxel_step_seconds[Dim - 2];
    if (const auto* implicit = std::get_if<ImplicitOptions>(&solver))
        step_seconds = products_of_step(*implicit, std::min(plan.step(), implicit->time_step),
                                        sound_time(context_.scene)) *
                       phyxel_product_seconds[Dim - 2];
    if (std::holds_alternative<QuasiStaticOptions>(solver))
        step_seconds = products_of_equilibrium * phyxel_product_seconds[Dim - 2];
    return plan.step_count(steps) * static_cast<double>(phyxels) * step_seconds +
           heat_steps() * static_cast<double>(phyxels) * phyxel_heat_seconds[Dim - 2];
}

template <int Dim>
KindCost SolidBuilder<Dim>::cost(const RunPlan& plan) const
{
    KindCost cost;
    double points = 0.0;
    double triangles = 0.0;
    for (const PlannedBody<Dim>& solid : bodies) {
        cost.particles += context_.count_of(solid);
        points += static_cast<double>(made_[solid.number].surface_points);
        triangles += static_cast<double>(made_[solid.number].surface_triangles);
    }
    const auto n = static_cast<double>(cost.particles);
    cost.memory = memory(n);
    cost.disk = disk_of_particles(plan, n, 2.0 * Dim * 8.0);
    constexpr double numbers = 6.0; // normal and velocity
    cost.disk += disk_of_surfaces(plan, points, numbers, triangles);
    cost.seconds = seconds_of(plan) + points * (skin_vertex_seconds +
                                                static_cast<double>(plan.frame_count()) * skin_frame_seconds);
    return cost;
}

/// Explicit steps are the rule, but stiff and fine solids need so many that nobody waits for them. The choice
/// depends on the scene and not on the machine, and the manifest of the run records it.
template <int Dim>
void SolidBuilder<Dim>::choose_solver()
{
    if (!options_of(bodies.front()).is_solver_chosen || context_.clock.fixed_step) return;
    // Events change parameters of the solver that they were written for.
    for (const EventOptions& event : context_.scene.events)
        for (const auto& [path, value] : event.set.value_or(EventAssignments{}).items)
            if (path.find(".solver.") != std::string::npos) return;
    // This is no estimate of the run, but part of what a scene means: it stays what it is where estimates
    // get better.
    constexpr double long_time = 120.0; // of a processor [s]
    constexpr double far_more = 5.0;
    constexpr double step_seconds = 0.5e-6; // of a phyxel, and of a product with the stiffness
    constexpr double fewest_products = 10.0, most_products = 200.0, systems = 3.0;
    const double sound = sound_time(context_.scene);
    const bool may_hit_something =
        bodies.size() > 1 || context_.scene.domain.has_value() || !context_.scene.obstacles.empty();
    const LeapfrogOptions leapfrog;
    const ImplicitOptions implicit_solver;
    double samples = 0.0; // of probes, at which steps end
    for (const ProbeOptions<Dim>& probe : context_.scene.probes)
        if (probe.every.times == ProbeTimes::Interval)
            samples = std::max(samples, std::floor(context_.clock.duration / probe.every.interval));
    const auto steps_of = [&](double step) {
        return std::max(std::ceil(context_.clock.duration / step), samples);
    };
    const double longest_step = std::min(context_.clock.max_step, 1.0 / context_.clock.frame_rate);
    const double explicit_step =
        std::min(longest_step, (may_hit_something ? 0.4 : 0.7) * leapfrog.courant_number * sound);
    const double implicit_step = std::min(longest_step, implicit_solver.time_step);
    double phyxels = 0.0;
    for (const PlannedBody<Dim>& solid : bodies) phyxels += static_cast<double>(context_.count_of(solid));
    const double products = systems * std::clamp(implicit_step / sound, fewest_products, most_products);
    const double explicit_seconds = steps_of(explicit_step) * phyxels * step_seconds;
    const double implicit_seconds = steps_of(implicit_step) * phyxels * products * step_seconds;
    if (explicit_seconds < long_time || explicit_seconds < far_more * implicit_seconds) return;
    for (const PlannedBody<Dim>& solid : bodies) options_of(solid).solver = implicit_solver;
    context_.findings.warn(
        bodies.front().path,
        "explicit steps of this material are about " + number_text(explicit_step, 2) + " s and take " +
            number_text(explicit_seconds / implicit_seconds, 2) +
            " times as long in all, so implicit ones of " + number_text(implicit_solver.time_step, 2) +
            " s are taken, which damp vibrations",
        "give \"solver\": { \"type\": \"leapfrog\" } or { \"type\": \"implicit\" } to choose");
}

template class SolidBuilder<2>;
template class SolidBuilder<3>;

} // namespace phyxel
