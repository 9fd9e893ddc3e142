// SPDX-License-Identifier: MIT
// One picture of 200,000 spheres at 1280x720 with 16 samples a pixel, one ray to the sun and one to the sky
// for each, building the tree included. The spheres cover more than half of the picture, and what they leave
// is ground.
//
// Target on 2 threads: 6 s a picture, at most 200 bytes a sphere.
//
// And a picture of the same size of a block of water with waves as a clear liquid, with 32 samples a pixel.
#include "benchmarks.h"
#include "workloads.h"

#include <phyxel/core/parallel_for.h>
#include <phyxel/geometry/shape_mesh.h>
#include <phyxel/render/color_map.h>
#include <phyxel/render/ray_tracer.h>

#include <benchmark/benchmark.h>

#include <cmath>
#include <string>

namespace phyxel {
namespace {

/// A block of water with waves, as dense as particles of a fluid are.
RenderScene water_block(std::size_t count)
{
    const Workload workload = make_workload("lattice", count);
    RenderScene scene;
    DrawnSpheres spheres{.radii = {0.55f}};
    for (const Vec<3, float>& x : workload.points) {
        const double wave = std::sin(0.21 * x[0]) * std::cos(0.17 * x[1]);
        spheres.centers.emplace_back(2.0 * x[0], x[1], 0.5 * x[2] + 2.0 * wave);
        spheres.colors.push_back(map_color(ColorMap::Viridis, 0.5 + 0.5 * wave));
    }
    scene.spheres.push_back(std::move(spheres));
    return scene;
}

/// The block from near, so that it fills most of the picture.
Camera near_camera(RenderScene& scene, double aspect)
{
    Box<3> bounds;
    for (const Vec<3>& x : scene.spheres[0].centers) bounds.extend(x);
    scene.ground = Ground{.point = bounds.min};
    Camera camera = framing_camera(bounds, aspect, {.direction = {-0.3, -1.0, 0.9}, .margin = -0.02});
    scene.lighting = lighting_for(camera);
    return camera;
}

double coverage(const RayTracer& tracer, const RenderOptions& options)
{
    int hits = 0;
    int rays = 0;
    for (int y = 4; y < options.height; y += 8)
        for (int x = 4; x < options.width; x += 8, ++rays)
            hits += tracer.hits_anything({x + 0.5, y + 0.5}) ? 1 : 0;
    return double(hits) / rays;
}

void measure(benchmark::State& state, std::size_t count, int threads)
{
    const ThreadLimit limit(threads);
    const RenderOptions options;
    RenderScene scene = water_block(count);
    const Camera camera = near_camera(scene, double(options.width) / options.height);
    ShortestTime time;
    for (auto _ : state) {
        time.start();
        benchmark::DoNotOptimize(render_image(scene, camera, options).pixels.data());
        time.stop();
    }
    const RayTracer tracer(scene, camera, options);
    const auto spheres = static_cast<double>(scene.spheres[0].centers.size());
    state.counters["coverage"] = coverage(tracer, options);
    state.counters["bytes_per_sphere"] =
        double(tracer.peak_memory()) / spheres + double(sizeof(Vec<3>) + sizeof(Color));
    state.counters["min_s"] = time.shortest();
}

void measure_liquid(benchmark::State& state, int threads)
{
    const ThreadLimit limit(threads);
    const RenderOptions options{.samples = 32};
    RenderScene scene;
    scene.meshes.push_back({.mesh = shape_mesh(Shape<3>(Box<3>{.min = {0, 0, 0}, .max = {2, 1, 0.4}}), 200),
                            .liquid = Liquid{.absorption = {0.9f, 0.35f, 0.2f}}});
    for (Vec<3>& x : scene.meshes[0].mesh.vertices) x[2] *= 1.0 + 0.12 * std::sin(7.0 * x[0] + 2.0 * x[1]);
    scene.ground = Ground{.point = {0, 0, -0.001}};
    const Camera camera = framing_camera(bounds(scene.meshes[0].mesh), double(options.width) / options.height,
                                         {.margin = -0.02});
    scene.lighting = lighting_for(camera);
    ShortestTime time;
    for (auto _ : state) {
        time.start();
        benchmark::DoNotOptimize(render_image(scene, camera, options).pixels.data());
        time.stop();
    }
    state.counters["coverage"] = coverage(RayTracer(scene, camera, options), options);
    state.counters["triangles"] = double(scene.meshes[0].mesh.triangles.size());
    state.counters["min_s"] = time.shortest();
}

} // namespace

void register_render_benchmarks()
{
    for (const int threads : {1, 2})
        benchmark::RegisterBenchmark(("render/liquid/threads:" + std::to_string(threads)).c_str(),
                                     [=](benchmark::State& state) { measure_liquid(state, threads); })
            ->Unit(benchmark::kSecond)
            ->UseRealTime();
    for (const int threads : {1, 2})
        benchmark::RegisterBenchmark(("render/spheres/200000/threads:" + std::to_string(threads)).c_str(),
                                     [=](benchmark::State& state) { measure(state, 200000, threads); })
            ->Unit(benchmark::kSecond)
            ->UseRealTime();
}

} // namespace phyxel
