// SPDX-License-Identifier: MIT
// Steps of weakly compressible SPH in three dimensions: a column of water that has begun to collapse in a
// tank, about 70 neighbours a particle, everything counted.
//
// Target on two threads at 15,000 particles: at most 0.6 µs a particle and step, so that the default example
// with its 9,000 steps is done within 90 s.
#include "benchmarks.h"
#include "workloads.h"

#include <phyxel/core/parallel_for.h>
#include <phyxel/geometry/sampling.h>
#include <phyxel/world/fluid_body.h>
#include <phyxel/world/world.h>

#include <benchmark/benchmark.h>

#include <cmath>
#include <memory>

namespace phyxel {
namespace {

/// 25 × 30 × 40 cm of water in a tank of 100 × 30 × 60 cm, with about `count` particles.
struct Tank {
    Surroundings<3> surroundings;
    std::unique_ptr<FluidBody<3>> fluid;

    explicit Tank(std::size_t count)
    {
        const Box<3> column{.min = Vec<3>::Zero(), .max = Vec<3>(0.25, 0.3, 0.4)};
        const double spacing =
            0.05 / std::round(0.05 / std::cbrt(column.volume() / static_cast<double>(count)));
        surroundings.domain = {.bounded = true, .box = {.min = Vec<3>::Zero(), .max = Vec<3>(1.0, 0.3, 0.6)}};
        surroundings.gravity = Vec<3>(0, 0, -9.81);
        FluidPart<3> water{.name = "water",
                           .positions = fill_lattice<3>(Shape<3>(column), spacing),
                           .velocities = {},
                           .spacing = spacing};
        water.velocities.assign(water.positions.size(), Vec<3>::Zero());
        fluid = std::make_unique<FluidBody<3>>(1000.0, WcsphOptions{.max_speed = 2.8}, std::vector{water});
    }

    void step() { (void)fluid->step(fluid->stable_time_step(), surroundings); }
};

void add(std::size_t count, int threads)
{
    const std::string name =
        "fluid/wcsph_step/" + std::to_string(count) + "/threads:" + std::to_string(threads);
    benchmark::RegisterBenchmark(name.c_str(),
                                 [=](benchmark::State& state) {
                                     const ThreadLimit limit(threads);
                                     Tank tank(count);
                                     for (int k = 0; k < 20; ++k) tank.step();
                                     ShortestTime time;
                                     for (auto _ : state) {
                                         time.start();
                                         tank.step();
                                         time.stop();
                                     }
                                     time.report(state, tank.fluid->particle_count());
                                 })
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
}

} // namespace

void register_fluid_benchmarks()
{
    for (std::size_t count : {15000, 120000, 1000000})
        for (int threads : {1, 2}) add(count, threads);
}

} // namespace phyxel
