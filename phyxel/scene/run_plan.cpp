// SPDX-License-Identifier: MIT
#include <phyxel/scene/run_plan.h>

#include <phyxel/core/number_text.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

namespace phyxel {
namespace {

/// Value and the largest unit that it reaches, with three digits.
template <std::size_t count>
std::string scaled_text(double value, const std::array<std::pair<double, std::string_view>, count>& units)
{
    std::size_t unit = 0;
    while (unit + 1 < count && value >= units[unit + 1].first) ++unit;
    return number_text(value / units[unit].first, 3) + ' ' + std::string(units[unit].second);
}

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

/// All steps between two times at which one ends are about alike.
double steps_until(const RunPlan& plan, double end, double interval, std::span<const ExpectedStep> steps)
{
    double count = 0.0;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const double until = i + 1 < steps.size() ? std::min(steps[i + 1].from, end) : end;
        const double step = plan.clock.fixed_step.value_or(std::min(plan.clock.max_step, steps[i].step));
        constexpr double rounding = 1e-9;
        const double in_interval = std::max(1.0, std::ceil(interval / step * (1.0 - rounding)));
        count += std::max(0.0, until - steps[i].from) / interval * in_interval;
    }
    return std::max(1.0, count);
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

constexpr double id_size = 8.0; // [bytes]

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

std::uint64_t RunPlan::frame_count() const
{
    const auto [first, end] = frames_of(*this);
    return end - first;
}

double RunPlan::step() const
{
    return clock.duration / steps_until(*this, clock.duration, 1.0 / clock.frame_rate, steps);
}

double RunPlan::step_count(std::span<const ExpectedStep> own) const
{
    // A step ends wherever a probe is read.
    double interval = 1.0 / clock.frame_rate;
    for (const ProbePlan& probe : probes)
        if (probe.every == ProbeTimes::Interval) interval = std::min(interval, probe.interval);
    return steps_until(*this, simulated_time(*this), interval, own);
}

std::vector<ExpectedStep> longest_steps(std::span<const ExpectedStep> a, std::span<const ExpectedStep> b)
{
    std::vector<ExpectedStep> longest;
    for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
        longest.push_back({std::max(a[i].from, b[j].from), std::max(a[i].step, b[j].step)});
        const double next_a = i + 1 < a.size() ? a[i + 1].from : std::numeric_limits<double>::infinity();
        const double next_b = j + 1 < b.size() ? b[j + 1].from : std::numeric_limits<double>::infinity();
        if (next_a <= next_b) ++i;
        if (next_b <= next_a) ++j;
    }
    return longest;
}

double disk_of_particles(const RunPlan& plan, double particles, double state)
{
    constexpr double frame_head = 1000.0;
    constexpr double checkpoints = 3.0; // two are kept while the next one is written
    const double in_frame = (6.0 + static_cast<double>(plan.field_count)) * plan.number_size() + id_size;
    return static_cast<double>(plan.frame_count()) * (particles * in_frame + frame_head) +
           checkpoints * particles * state;
}

double disk_of_surfaces(const RunPlan& plan, double points, double numbers, double triangles)
{
    constexpr double triangle_size = 13.0;
    constexpr double value_size = 4.0; // also where places are in double precision
    if (!plan.meshes) return 0.0;
    const double in_frame =
        3.0 * plan.number_size() + (numbers + static_cast<double>(plan.field_count)) * value_size + id_size;
    return static_cast<double>(plan.frame_count()) * (points * in_frame + triangles * triangle_size);
}

double probe_table_size(const RunPlan& plan)
{
    constexpr double value_size = 21.0; // 17 digits, sign, point, exponent and comma, most of the time
    const double steps = plan.step_count();
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

std::string bytes_text(double bytes)
{
    return scaled_text<5>(bytes, {{{1, "bytes"}, {1e3, "kB"}, {1e6, "MB"}, {1e9, "GB"}, {1e12, "TB"}}});
}

std::string seconds_text(double seconds)
{
    return scaled_text<4>(seconds, {{{1, "s"}, {60, "minutes"}, {3600, "hours"}, {86400, "days"}}});
}

} // namespace phyxel
