// SPDX-License-Identifier: MIT
// Cracks that grow in space.
//
// Processor time of all threads, as a machine that does other work as well says little else.
//
// fracture/front  a block of 24 × 32 phyxels and more and more of them along its notch, pulled apart: what a
//                 straight front costs for each spacing of its length whenever it goes on, and what a step of
//                 the solid costs beside that. Targets: the same at all sizes, and at most 0.3 µs a phyxel
//                 and step in all.
#include "benchmarks.h"
#include "workloads.h"

#include <phyxel/core/parallel_for.h>
#include <phyxel/fracture/crack_drawing.h>
#include <phyxel/solid/crack_growth.h>
#include <phyxel/solid/solid_cracks.h>
#include <phyxel/solid/solid_solver.h>

#include <benchmark/benchmark.h>

#include <ctime>
#include <string>
#include <utility>
#include <vector>

namespace phyxel {
namespace {

constexpr double spacing = 0.02, share = 0.1; // of stabilisation

/// With all that steps it. Stays where it is, since the parts refer to each other.
struct NotchedBlock {
    explicit NotchedBlock(int depth)
        : box{.min = Vec<3>(-12, -16, 0) * spacing, .max = Vec<3>(12, 16, depth) * spacing},
          cloud(make_phyxels<3>(Shape<3>(box), spacing)),
          model(make_model()),
          state(make_state()),
          regions(model, IdIndex(state.id), {}),
          solver(model, regions, LeapfrogOptions{}),
          growth(model, 0, 1)
    {
        const double far = 1e3, edge = -8.0 * spacing;
        const std::vector<Vec<3>> notch = {Vec<3>(0, -far, -far), Vec<3>(0, edge, -far), Vec<3>(0, edge, far),
                                           Vec<3>(0, -far, far)};
        CrackSheets<3>& sheets = cracks.of(model, 0);
        draw_crack<3>(sheets, notch, distance);
        find_fronts(sheets);
        static_cast<void>(cracks.update(model, share));
        solver.update_weights();
        pieces = fragments_of(model.rest, 0, static_cast<Index>(model.size()));
    }
    NotchedBlock(const NotchedBlock&) = delete;
    NotchedBlock& operator=(const NotchedBlock&) = delete;

    SolidModel<3> make_model() const
    {
        const PhyxelCloud<3>* const clouds[] = {&cloud};
        SolidMaterial material{.youngs_modulus = 1e6, .poisson_ratio = 0.2};
        material.breaking.strength = 1e5;
        material.breaking.fracture_energy = 1.0;
        return make_solid_model<3>(clouds, std::span(&material, 1), share);
    }

    SolidState<3> make_state() const
    {
        std::vector<Vec<3>> velocities;
        for (const Vec<3>& x : cloud.positions) velocities.push_back(Vec<3>(2.0 * x[0], 0, 0));
        SolidState<3> made;
        made.append(cloud.positions, velocities);
        return made;
    }

    /// A step of the solid.
    void step()
    {
        const double dt = solver.stable_time_step(state);
        surroundings.time += dt;
        static_cast<void>(solver.step(state, dt, surroundings));
        growth.wait(dt);
    }

    /// What cracks do in it.
    bool grow()
    {
        if (!growth.is_due()) return false;
        const bool has_grown =
            growth.grow(model, solver.work(), state.velocity, pieces.of_phyxel, distance, cracks);
        if (!has_grown) return false;
        solver.update_weights(cracks.update(model, share));
        if (cracks.may_have_parted(0)) pieces = fragments_of(model.rest, 0, static_cast<Index>(model.size()));
        return true;
    }

    /// In spacings.
    double front_length() const
    {
        const CrackData<3>& data = cracks.find(0)->data();
        double sum = 0.0;
        for (const auto& front : data.fronts) sum += (data.nodes[front[1]] - data.nodes[front[0]]).norm();
        return sum / spacing;
    }

    Box<3> box;
    PhyxelCloud<3> cloud;
    SolidModel<3> model;
    SolidState<3> state;
    SolidRegions<3> regions;
    SolidSolver<3> solver;
    CrackGrowth<3> growth;
    SolidCracks<3> cracks = {};
    Fragments pieces = {};
    Surroundings<3> surroundings = {};
    DistanceFromSurface<3> distance = [box = box](const Vec<3>& x) {
        return (box.min - x).cwiseMax(x - box.max).maxCoeff();
    };
};

/// Processor time since it was asked the last time [s].
double lap(std::clock_t& last)
{
    const std::clock_t now = std::clock();
    return static_cast<double>(now - std::exchange(last, now)) / CLOCKS_PER_SEC;
}

void measure_front(benchmark::State& state, int depth, int threads)
{
    const ThreadLimit limit(threads);
    NotchedBlock block(depth);
    do block.step();
    while (!block.grow());
    double elastic = 0.0, growing = 0.0, length = 0.0, grown = 0.0;
    for (auto _ : state) {
        const double front = block.front_length();
        std::clock_t last = std::clock();
        block.step();
        elastic += lap(last);
        if (block.grow()) {
            length += front;
            ++grown;
        }
        growing += lap(last);
    }
    const double steps = double(state.iterations()) * double(block.model.size());
    state.counters["phyxels"] = double(block.model.size());
    state.counters["front"] = length / grown; // spacings
    state.counters["us_spacing"] = 1e6 * growing / length;
    state.counters["us_elastic"] = 1e6 * elastic / steps;
    state.counters["us_growing"] = 1e6 * growing / steps;
}

} // namespace

void register_fracture_benchmarks()
{
    for (const int threads : {1, 2})
        for (const int depth : {16, 32, 64})
            benchmark::RegisterBenchmark(
                ("fracture/front/" + std::to_string(24 * 32 * depth) + "/threads:" + std::to_string(threads))
                    .c_str(),
                measure_front, depth, threads)
                ->Unit(benchmark::kMillisecond)
                ->Iterations(40)
                ->UseRealTime();
}

} // namespace phyxel
