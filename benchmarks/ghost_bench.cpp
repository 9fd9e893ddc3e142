// SPDX-License-Identifier: MIT
// What a particle near an obstacle asks of its wall of ghosts: a ball of 20 particle spacings at the default
// support, places in the order in which a fluid keeps its particles. `near` are the layers of a lattice
// within reach of the surface, `far` places between there and the bounds, `outside` those beyond the bounds.
//
// Targets on one thread: on average 150 ns near, 10 ns outside, and 10 ns far.
#include "benchmarks.h"
#include "workloads.h"

#include <phyxel/core/parallel_for.h>
#include <phyxel/fluid/ghost_wall.h>

#include <benchmark/benchmark.h>

#include <string>
#include <vector>

namespace phyxel {
namespace {

constexpr double radius = 20.0; // in spacings, as all lengths here
constexpr double support_ratio = 2.6;

Shape<3> ball() { return Shape<3>(Sphere<3>{.center = Vec<3>::Zero(), .radius = radius}); }

GhostWall<3> ball_wall()
{
    return GhostWall<3>(surface_points(ball(), GhostWall<3>::ghost_spacing_ratio), support_ratio, 1.0);
}

/// Sites of a lattice whose distance from the surface is between two bounds, block by block.
std::vector<Vec<3>> places(double from, double to)
{
    std::vector<Vec<3>> result;
    constexpr int block = 4, blocks = 12; // of sites, along half an axis
    const auto add_block = [&](int i, int j, int k) {
        for (int n = 0; n < block * block * block; ++n) {
            const int row = n / block, layer = row / block;
            const Vec<3> x(block * i + n % block + 0.3, block * j + row % block + 0.4,
                           block * k + layer + 0.2);
            const double distance = x.norm() - radius;
            if (distance >= from && distance < to) result.push_back(x);
        }
    };
    for (int k = -blocks; k < blocks; ++k)
        for (int j = -blocks; j < blocks; ++j)
            for (int i = -blocks; i < blocks; ++i) add_block(i, j, k);
    return result;
}

void add(const std::string& name, double from, double to)
{
    benchmark::RegisterBenchmark(("fluid/ghost_wall/" + name).c_str(),
                                 [=](benchmark::State& state) {
                                     const ThreadLimit limit(1);
                                     const GhostWall<3> wall = ball_wall();
                                     const std::vector<Vec<3>> x = places(from, to);
                                     ShortestTime time;
                                     for (auto _ : state) {
                                         time.start();
                                         double sum = 0.0;
                                         for (const Vec<3>& place : x) sum += wall.at(place).share;
                                         benchmark::DoNotOptimize(sum);
                                         time.stop();
                                     }
                                     time.report(state, x.size());
                                     state.counters["bytes_per_ghost"] =
                                         static_cast<double>(wall.memory()) /
                                         static_cast<double>(wall.ghost_count());
                                 })
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
}

} // namespace

void register_ghost_benchmarks()
{
    add("near", 0.5, 2.1);
    add("far", 4.0, 8.0);
    add("outside", 18.0, 40.0);
    benchmark::RegisterBenchmark("fluid/ghost_wall/make",
                                 [](benchmark::State& state) {
                                     ShortestTime time;
                                     std::size_t count = 1;
                                     for (auto _ : state) {
                                         time.start();
                                         count = ball_wall().ghost_count();
                                         time.stop();
                                     }
                                     time.report(state, count);
                                 })
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
}

} // namespace phyxel
