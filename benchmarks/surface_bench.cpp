// SPDX-License-Identifier: MIT
// The surface of a ball of particles (spacing 1, displaced by up to a fifth), with cells of half the spacing:
// field, marching cubes, smoothing, normals and velocities, all from unsorted positions.
//
// Targets for 200,000 particles on 2 threads: density 120 ms, anisotropic 600 ms.
#include "benchmarks.h"
#include "workloads.h"

#include <phyxel/core/parallel_for.h>
#include <phyxel/core/rng.h>
#include <phyxel/surface/particle_surface.h>

#include <benchmark/benchmark.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

namespace phyxel {
namespace {

std::vector<Vec<3>> particle_ball(std::size_t count)
{
    const double radius = std::cbrt(3.0 * double(count) / (4.0 * std::numbers::pi));
    const int n = static_cast<int>(radius) + 1;
    Rng rng(1);
    std::vector<Vec<3>> points;
    for (int k = -n; k < n; ++k)
        for (int j = -n; j < n; ++j)
            for (int i = -n; i < n; ++i) {
                const Vec<3> x(i + 0.5, j + 0.5, k + 0.5);
                if (x.norm() <= radius) points.push_back(x + rng.point<3>(-0.2, 0.2));
            }
    return points;
}

void measure(benchmark::State& state, SurfaceMethod method, std::size_t count, int threads)
{
    const ThreadLimit limit(threads);
    const std::vector<Vec<3>> points = particle_ball(count);
    const std::vector<Vec<3>> velocities(points.size(), Vec<3>(1, 0, 0));
    ShortestTime time;
    std::size_t triangles = 0;
    std::size_t memory = 0;
    for (auto _ : state) {
        time.start();
        const SurfaceExtractor extractor(points, velocities, 1.0, {.method = method});
        const ParticleSurface surface = extractor.surface();
        time.stop();
        triangles = surface.mesh.triangles.size();
        memory = extractor.memory() + triangles * sizeof(surface.mesh.triangles[0]) +
                 surface.mesh.vertices.size() * (sizeof(Vec<3>) + 2 * sizeof(Vec<3, float>));
    }
    time.report(state, points.size());
    state.counters["min_ms"] = 1e3 * time.shortest();
    state.counters["triangles"] = double(triangles);
    state.counters["bytes_per_particle"] = double(memory) / double(points.size());
}

} // namespace

void register_surface_benchmarks()
{
    for (const auto& [method, name] :
         {std::pair(SurfaceMethod::Density, "density"), std::pair(SurfaceMethod::Anisotropic, "anisotropic")})
        for (const std::size_t count : {std::size_t(50000), std::size_t(200000), std::size_t(800000)})
            for (const int threads : {1, 2})
                benchmark::RegisterBenchmark(
                    (std::string("surface/") + name + "/" + std::to_string(count) +
                     "/threads:" + std::to_string(threads))
                        .c_str(),
                    [=, method = method](benchmark::State& state) { measure(state, method, count, threads); })
                    ->Unit(benchmark::kMillisecond)
                    ->UseRealTime();
}

} // namespace phyxel
