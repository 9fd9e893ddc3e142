// SPDX-License-Identifier: MIT
// Steps of fluids in three dimensions, everything counted: sorting, lists, walls, pressure, motion.
//
// `fluid/wcsph_step` and `fluid/dfsph_step`: a double dam break, two blocks of water in opposite corners of a
// tank, 0.7 × 0.75 × 0.7 m each, support of two spacings, about 30 neighbours a particle. Targets at 170,000
// particles: 4.0 and 7.0 million particle-steps a second of the weakly compressible solver on one and two
// threads.
//
// `fluid/dfsph_run` and `fluid/wcsph_run`: the same from its beginning, for comparison with other programs.
//
// `fluid/column_step`: a column in a tank with the default support of the weakly compressible solver, about
// 70 neighbours. Target on two threads at 15,000 particles: at most 0.6 µs a particle and step.
#include "benchmarks.h"
#include "workloads.h"

#include <phyxel/core/parallel_for.h>
#include <phyxel/core/rng.h>
#include <phyxel/fluid/fluid_solver.h>
#include <phyxel/geometry/sampling.h>

#include <benchmark/benchmark.h>

#include <malloc.h>

#include <cmath>
#include <string>

namespace phyxel {
namespace {

/// Bytes that the program has asked for and not given back.
std::size_t memory_in_use()
{
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

/// What steps add up to.
struct Work {
    std::size_t steps = 0;
    std::size_t particle_steps = 0;
    int density_iterations = 0;
    int divergence_iterations = 0;
    double time = 0.0; ///< simulated [s]
    double compression = 0.0;
    StageTimes stages;
};

/// A fluid, its solver and the tank around it.
template <class Solver, class Options>
class Tank {
public:
    Tank(const Box<3>& walls, std::vector<Vec<3>> places, double spacing, const Options& options)
        : model_{.rest_density = 1000.0,
                 .parts = {fluid_part_model<3>(1000.0, spacing, options.support_ratio)}},
          solver_(model_, options)
    {
        surroundings_.domain = {.bounded = true, .box = walls};
        surroundings_.gravity = Vec<3>(0, 0, -9.81);
        fluid_.resize(places.size());
        for (std::size_t i = 0; i < places.size(); ++i) {
            fluid_.position[i] = places[i];
            fluid_.velocity[i] = Vec<3>::Zero();
            fluid_.id[i] = i;
            fluid_.part[i] = 0;
        }
    }

    std::size_t particle_count() const { return fluid_.size(); }

    /// A step as long as the solver allows, but at most `longest` [s].
    void step(Work& work, double longest = 1.0)
    {
        const double dt = std::min(longest, solver_.stable_time_step(fluid_));
        const FluidStepReport report = solver_.step(fluid_, dt, surroundings_);
        work.steps += 1;
        work.particle_steps += fluid_.size();
        work.density_iterations += report.density_iterations;
        work.divergence_iterations += report.divergence_iterations;
        work.time += dt;
        work.compression = std::max(work.compression, report.mean_compression);
        work.stages.add(report.times);
    }

private:
    FluidModel model_;
    Solver solver_;
    FluidState<3> fluid_;
    Surroundings<3> surroundings_;
};

using Wcsph = Tank<WcsphSolver<3>, WcsphOptions>;
using Dfsph = Tank<DfsphSolver<3>, DfsphOptions>;

/// As fast as the water is meant to get [m/s]: √(2 g H).
constexpr double dam_break_speed = 3.84;
/// Of the weakly compressible runs [m/s]: the stiffness 25,000 Pa of the rival's scene.
constexpr double dam_break_sound_speed = 13.2;

WcsphOptions options_of(Wcsph*)
{
    const double ratio = dam_break_speed / dam_break_sound_speed;
    return {.compressibility = ratio * ratio, .support_ratio = 2.0, .max_speed = dam_break_speed};
}
DfsphOptions options_of(Dfsph*) { return {.support_ratio = 2.0, .max_speed = dam_break_speed}; }

/// Two blocks in opposite corners of a tank of 3.1 m, with about `count` particles; 170,108 with a spacing of
/// 16 mm, which is 43 × 43 × 46 in each block.
template <class Any>
Any double_dam_break(std::size_t count)
{
    const double scale = std::cbrt(static_cast<double>(count) / 170108.0);
    const std::array<int, 3> n = {static_cast<int>(std::lround(43 * scale)),
                                  static_cast<int>(std::lround(43 * scale)),
                                  static_cast<int>(std::lround(46 * scale))};
    const double a = 0.016 * 43 / n[0];
    const Box<3> walls{.min = Vec<3>(-1.55, -1.55, 0), .max = Vec<3>(1.55, 1.55, 3.1)};
    std::vector<Vec<3>> places;
    for (int side = 0; side < 2; ++side)
        for (int k = 0; k < n[2]; ++k)
            for (int j = 0; j < n[1]; ++j)
                for (int i = 0; i < n[0]; ++i) {
                    Vec<3> from_corner((i + 0.5) * a, (j + 0.5) * a, (k + 0.5) * a);
                    if (side == 1)
                        for (int axis : {0, 1}) from_corner[axis] = 3.1 - from_corner[axis];
                    places.push_back(walls.min + from_corner);
                }
    return Any(walls, std::move(places), a, options_of(static_cast<Any*>(nullptr)));
}

/// 25 × 30 × 40 cm of water in a tank of 100 × 30 × 60 cm, with about `count` particles.
Wcsph column(std::size_t count)
{
    const Box<3> water{.min = Vec<3>::Zero(), .max = Vec<3>(0.25, 0.3, 0.4)};
    const double spacing = 0.05 / std::round(0.05 / std::cbrt(water.volume() / static_cast<double>(count)));
    return Wcsph({.min = Vec<3>::Zero(), .max = Vec<3>(1.0, 0.3, 0.6)},
                 fill_lattice<3>(Shape<3>(water), spacing), spacing, WcsphOptions{.max_speed = 2.8});
}

/// Time of each stage, steps and iterations, a particle.
void report(benchmark::State& state, const Work& work, double seconds)
{
    const auto particle_steps = static_cast<double>(work.particle_steps);
    for (const StageTimes::Stage& stage : work.stages.stages())
        state.counters["ns_" + std::string(stage.name)] = 1e9 * stage.seconds / particle_steps;
    state.counters["million_per_s"] = 1e-6 * particle_steps / seconds;
    state.counters["simulated_per_s"] = work.time / seconds;
    if (work.density_iterations == 0) return;
    const double particles = particle_steps / static_cast<double>(work.steps);
    const auto of_each = [&](std::string_view name, int iterations) {
        for (const StageTimes::Stage& stage : work.stages.stages())
            if (stage.name == name) return 1e9 * stage.seconds / (particles * std::max(1, iterations));
        return 0.0;
    };
    state.counters["density_iterations"] = double(work.density_iterations) / double(work.steps);
    state.counters["divergence_iterations"] = double(work.divergence_iterations) / double(work.steps);
    state.counters["ns_per_density_iteration"] = of_each("pressure", work.density_iterations);
    state.counters["ns_per_divergence_iteration"] = of_each("divergence", work.divergence_iterations);
}

/// Steps that follow each other; the mean over all of them, and the shortest.
template <class Make>
void measure_steps(benchmark::State& state, int threads, int warm_steps, const Make& make)
{
    const ThreadLimit limit(threads);
    const std::size_t before = memory_in_use();
    auto tank = make();
    Work warm, work;
    for (int k = 0; k < warm_steps; ++k) tank.step(warm);
    ShortestTime time;
    Stopwatch all;
    for (auto _ : state) {
        time.start();
        tank.step(work);
        time.stop();
    }
    report(state, work, all.seconds());
    time.report(state, tank.particle_count());
    state.counters["bytes_per_particle"] =
        static_cast<double>(memory_in_use() - before) / static_cast<double>(tank.particle_count());
}

/// A piece of time from the beginning on.
template <class Any>
void measure_run(benchmark::State& state, int threads, double duration, double longest_step)
{
    const ThreadLimit limit(threads);
    for (auto _ : state) {
        Any tank = double_dam_break<Any>(170108);
        Work work;
        const Stopwatch all;
        while (work.time < duration * (1.0 - 1e-9))
            tank.step(work, std::min(longest_step, duration - work.time));
        report(state, work, all.seconds());
        state.counters["steps"] = static_cast<double>(work.steps);
        state.counters["worst_mean_compression"] = work.compression;
    }
}

template <class Measure>
auto* add(const std::string& name, int threads, const Measure& measure)
{
    return benchmark::RegisterBenchmark((name + "/threads:" + std::to_string(threads)).c_str(),
                                        [=](benchmark::State& state) { measure(state, threads); })
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
}

template <class Any>
void add_double_dam_break(const std::string& name, double duration, double longest_step)
{
    for (const std::size_t count : {50000, 170108, 500000, 2000000})
        for (const int threads : {1, 2})
            add("fluid/" + name + "_step/" + std::to_string(count), threads,
                [=](benchmark::State& state, int t) {
                    measure_steps(state, t, 20, [=] { return double_dam_break<Any>(count); });
                })
                ->Iterations(count > 1000000 ? 5 : 20); // the same steps, whatever they take
    for (const int threads : {1, 2})
        add("fluid/" + name + "_run/170108", threads, [=](benchmark::State& state, int t) {
            measure_run<Any>(state, t, duration, longest_step);
        })->Iterations(1);
}

} // namespace

void register_fluid_benchmarks()
{
    add_double_dam_break<Wcsph>("wcsph", 0.02, 2e-4);
    add_double_dam_break<Dfsph>("dfsph", 0.3, 5e-3);
    for (const std::size_t count : {15000, 120000, 1000000})
        for (const int threads : {1, 2})
            add("fluid/column_step/" + std::to_string(count), threads, [=](benchmark::State& state, int t) {
                measure_steps(state, t, 20, [=] { return column(count); });
            });
}

} // namespace phyxel
