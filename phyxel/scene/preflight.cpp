// SPDX-License-Identifier: MIT
#include <phyxel/scene/detail/preflight.h>

#include <phyxel/core/number_text.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <numbers>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

namespace phyxel {
namespace {

/// Measured: state, sorted copies and stages of a fluid, without its neighbour lists. [bytes]
constexpr double particle_memory = 600.0;

/// Gradients of pairs, which iterations keep: in groups of eight that take 80 bytes, the last of them half
/// full, with room to grow by an eighth. [bytes]
double gradient_memory(double neighbors) { return 1.125 * 80.0 * (neighbors / 8.0 + 0.5); }

/// Measured for a 3D fluid with 74 neighbours each, times the number of cores. [s]
constexpr double particle_step_seconds = 1.1e-6;
constexpr double measured_neighbors = 74.0;

/// A step that finds its pressure by iterations costs this many times one that has it from the density.
constexpr double iterative_step_cost = 6.0;

/// Measured: state, neighbours with their gradients, and stages of a solid with its usual support. [bytes]
constexpr double phyxel_memory = 1500.0;

/// Measured, times the number of cores: an explicit step with its contacts, and a product with the stiffness.
/// [s]
constexpr double phyxel_step_seconds = 0.5e-6;
constexpr double phyxel_product_seconds = 0.5e-6;

/// Measured, times the number of cores: filling what a vertex of a skin bounds and tying it to phyxels, once,
/// and moving and writing it in every frame. [s]
constexpr double skin_vertex_seconds = 40e-6;
constexpr double skin_frame_seconds = 0.4e-6;

/// Products that an equilibrium usually takes.
constexpr double products_of_equilibrium = 1000.0;

/// Products that an implicit step usually takes: a few of Newton's iterations, each with about as many as
/// phyxels that a pressure wave passes in the step, up to what the coarse level leaves of them.
double products_of_step(const ImplicitOptions& options, double step, double sound_time)
{
    constexpr int usual_newton_iterations = 3;
    constexpr double fewest = 10.0;
    constexpr double most = 200.0;
    const double linear = std::clamp(step / sound_time, fewest, most);
    return std::min(options.newton_iterations, usual_newton_iterations) *
           std::min(linear, static_cast<double>(options.linear_iterations));
}

/// What motion leaves of an explicit step at rest: phyxels that are stretched or pressed are stiffer, most of
/// all where they hit something.
double step_share_in_motion(bool may_hit_something) { return may_hit_something ? 0.4 : 0.7; }

/// Value and the largest unit that it reaches, with three digits.
template <std::size_t count>
std::string scaled_text(double value, const std::array<std::pair<double, std::string_view>, count>& units)
{
    std::size_t unit = 0;
    while (unit + 1 < count && value >= units[unit + 1].first) ++unit;
    return number_text(value / units[unit].first, 3) + ' ' + std::string(units[unit].second);
}

} // namespace

Machine this_machine(const std::filesystem::path& folder)
{
    Machine machine;
    machine.cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));

    std::ifstream meminfo("/proc/meminfo");
    std::string key;
    double kibibytes = 0.0;
    while (meminfo >> key >> kibibytes) {
        if (key == "MemAvailable:") machine.memory = 1024.0 * kibibytes;
        std::getline(meminfo, key);
    }

    // The folder may be made later; then it will be on the disk of the one above.
    std::error_code error;
    std::filesystem::path existing = std::filesystem::absolute(folder, error);
    while (!error && !std::filesystem::exists(existing, error) && existing.has_relative_path())
        existing = existing.parent_path();
    const std::filesystem::space_info space = std::filesystem::space(existing, error);
    if (!error) machine.disk = static_cast<double>(space.available);
    return machine;
}

namespace detail {
namespace {

/// The first frame that is written and the one after the last.
std::pair<std::uint64_t, std::uint64_t> frames_of(const RunPlan& plan)
{
    const std::uint64_t count = plan.clock.last_frame() + 1;
    const std::uint64_t end = std::min(plan.frames.end.value_or(count), count);
    return {std::min(plan.frames.first, end), end};
}

/// What is simulated, which always begins at 0. [s]
double simulated_time(const RunPlan& plan)
{
    const std::uint64_t end = frames_of(plan).second;
    if (end > plan.clock.last_frame()) return plan.clock.duration;
    return plan.clock.frame_time(end > 0 ? end - 1 : 0);
}

double sample_count(const RunPlan& plan, const ProbePlan& probe, double steps)
{
    switch (probe.every) {
    case ProbeTimes::Frame:
        return static_cast<double>(frames_of(plan).second);
    case ProbeTimes::Step:
        return steps + 1.0;
    case ProbeTimes::Interval:
        return std::floor(simulated_time(plan) / probe.interval) + 1.0;
    }
    return 0.0;
}

double step_count(const RunPlan& plan)
{
    double steps = std::ceil(simulated_time(plan) / estimated_step(plan));
    // A step ends wherever a probe is read.
    double samples = 0.0;
    for (const ProbePlan& probe : plan.probes)
        if (probe.every == ProbeTimes::Interval) samples = std::max(samples, sample_count(plan, probe, 0.0));
    return std::max(steps, samples - 1.0);
}

} // namespace

double neighbors_within(int dimension, double support_ratio)
{
    return dimension == 2 ? std::numbers::pi * support_ratio * support_ratio
                          : 4.0 / 3.0 * std::numbers::pi * support_ratio * support_ratio * support_ratio;
}

double fluid_memory(int dimension, std::uint64_t particles, double support_ratio, bool is_iterative,
                    double crowding)
{
    const double neighbors = crowding * neighbors_within(dimension, support_ratio);
    return static_cast<double>(particles) *
           (particle_memory + sizeof(Index) * neighbors + (is_iterative ? gradient_memory(neighbors) : 0.0));
}

double solid_memory(std::uint64_t phyxels) { return phyxel_memory * static_cast<double>(phyxels); }

double estimated_step(const RunPlan& plan)
{
    if (plan.clock.fixed_step) return *plan.clock.fixed_step;
    double step = std::min(plan.clock.max_step, 1.0 / plan.clock.frame_rate);
    if (plan.fluid)
        step = std::min(step,
                        expected_time_step(plan.fluid->solver, plan.fluid->spacing, plan.fluid->viscosity));
    if (plan.solid) {
        if (const auto* leapfrog = std::get_if<LeapfrogOptions>(&plan.solid->solver))
            step = std::min(step, step_share_in_motion(plan.solid->may_hit_something) *
                                      plan.solid->stable_step.value_or(leapfrog->courant_number *
                                                                       plan.solid->sound_time));
        if (const auto* implicit = std::get_if<ImplicitOptions>(&plan.solid->solver))
            step = std::min(step, implicit->time_step);
    }
    return step;
}

double probe_table_size(const RunPlan& plan)
{
    constexpr double value_size = 21.0; // 17 digits, sign, point, exponent and comma, most of the time
    const double steps = step_count(plan);
    double size = 0.0;
    double rows = 0.0;
    double columns = 0.0;
    for (const ProbePlan& probe : plan.probes) {
        const double samples = sample_count(plan, probe, steps);
        size += samples * static_cast<double>(probe.columns) * value_size;
        rows = std::max(rows, samples);
        columns += static_cast<double>(probe.columns);
    }
    // The time, and the commas of what is not read then.
    return size + rows * (value_size + columns);
}

namespace {

constexpr double id_size = 8.0;
constexpr double frame_head = 1000.0;
constexpr double checkpoints = 3.0; // two are kept while the next one is written

void add_fluid(Estimate& estimate, const RunPlan& plan, const FluidPlan& fluid, double steps)
{
    const std::uint64_t most = fluid.particles + fluid.emitted;
    const bool is_iterative = std::holds_alternative<DfsphOptions>(fluid.solver);
    estimate.particles += most;
    estimate.memory +=
        fluid_memory(plan.dimension, most, support_ratio(fluid.solver), is_iterative, fluid.crowding);

    const double number_size = plan.double_precision ? 8.0 : 4.0;
    const double in_frame = (6.0 + static_cast<double>(plan.field_count)) * number_size + id_size;
    const double in_checkpoint = 2.0 * plan.dimension * 8.0 + id_size + 4.0;
    // On average half of what emitters make is there.
    const double n = static_cast<double>(fluid.particles) + 0.5 * static_cast<double>(fluid.emitted);
    estimate.disk +=
        static_cast<double>(estimate.frames) * (n * in_frame + frame_head) + checkpoints * n * in_checkpoint;
    estimate.seconds += steps * n * particle_step_seconds * (is_iterative ? iterative_step_cost : 1.0) *
                        fluid.crowding *
                        (neighbors_within(plan.dimension, support_ratio(fluid.solver)) / measured_neighbors) /
                        std::max(plan.cores, 1);
}

void add_solid(Estimate& estimate, const RunPlan& plan, const SolidPlan& solid)
{
    estimate.particles += solid.phyxels;
    estimate.memory += solid_memory(solid.phyxels);

    const double number_size = plan.double_precision ? 8.0 : 4.0;
    const double n = static_cast<double>(solid.phyxels);
    const double in_frame = (6.0 + static_cast<double>(plan.field_count)) * number_size + id_size;
    const double in_checkpoint = 2.0 * plan.dimension * 8.0;
    // Place, normal and velocity; a triangle has a count and three numbers.
    const double surface = static_cast<double>(solid.surface_points) * (9.0 * number_size + id_size) +
                           static_cast<double>(solid.surface_triangles) * 13.0;
    estimate.disk += static_cast<double>(estimate.frames) *
                         (n * in_frame + surface + (surface > 0.0 ? 2.0 : 1.0) * frame_head) +
                     checkpoints * n * in_checkpoint;

    const double skin_seconds =
        static_cast<double>(solid.surface_points) *
        (skin_vertex_seconds + static_cast<double>(estimate.frames) * skin_frame_seconds);
    estimate.seconds += (solid_seconds(plan) + skin_seconds) / std::max(plan.cores, 1);
}

} // namespace

double solid_seconds(const RunPlan& plan)
{
    if (!plan.solid) return 0.0;
    double step_seconds = phyxel_step_seconds;
    if (const auto* implicit = std::get_if<ImplicitOptions>(&plan.solid->solver))
        step_seconds = products_of_step(*implicit, estimated_step(plan), plan.solid->sound_time) *
                       phyxel_product_seconds;
    if (std::holds_alternative<QuasiStaticOptions>(plan.solid->solver))
        step_seconds = products_of_equilibrium * phyxel_product_seconds;
    return step_count(plan) * static_cast<double>(plan.solid->phyxels) * step_seconds;
}

Estimate estimate_run(const RunPlan& plan)
{
    Estimate estimate;
    const auto [first, end] = frames_of(plan);
    estimate.frames = end - first;
    const double steps = step_count(plan);
    estimate.steps = static_cast<std::uint64_t>(std::clamp(steps, 0.0, 1e18));
    if (plan.fluid) add_fluid(estimate, plan, *plan.fluid, steps);
    if (plan.solid) add_solid(estimate, plan, *plan.solid);
    estimate.disk += probe_table_size(plan);
    return estimate;
}

std::string bytes_text(double bytes)
{
    return scaled_text<5>(bytes, {{{1, "bytes"}, {1e3, "kB"}, {1e6, "MB"}, {1e9, "GB"}, {1e12, "TB"}}});
}

std::string seconds_text(double seconds)
{
    return scaled_text<4>(seconds, {{{1, "s"}, {60, "minutes"}, {3600, "hours"}, {86400, "days"}}});
}

} // namespace detail
} // namespace phyxel
