// SPDX-License-Identifier: MIT
// SPH sums and MLS shape functions on a jittered lattice in three dimensions, about 30 neighbours each, in
// double precision, neighbour lists given.
//
// Targets on one thread at 100,000 points: density at most 5 ns a neighbour, the symmetric gradient at most
// 10; shape functions of order 1 with first derivatives at most 1.5 µs a point, of order 2 (support for 100
// nodes) at most 8 µs, the first-order gradient operator at most 1 µs.
#include "benchmarks.h"
#include "workloads.h"

#include <phyxel/approx/gradient_operator.h>
#include <phyxel/approx/shape_set.h>
#include <phyxel/approx/sph.h>
#include <phyxel/approx/sph_operators.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/search/neighbor_search.h>

#include <memory>

namespace phyxel {
namespace {

/// A cloud in the order in which a simulation keeps it.
struct Cloud {
    std::vector<Vec<3>> points;
    std::vector<double> mass, density, field;
    std::vector<Vec<3>> gradient;
    NeighborLists neighbors;

    Cloud(std::size_t count, double radius)
    {
        const Workload workload = make_workload("lattice", count);
        NeighborSearch<3, float> search;
        search.update(std::span<const Vec<3, float>>(workload.points), static_cast<float>(radius));
        for (Index i : search.order()) points.push_back(workload.points[i].cast<double>());
        neighbors = NeighborLists(search.lists().offsets(), search.lists().ids());
        mass.assign(points.size(), 1.0);
        density.assign(points.size(), 1.0);
        field.assign(points.size(), 0.0);
        gradient.assign(points.size(), Vec<3>::Zero());
        for (std::size_t i = 0; i < points.size(); ++i) field[i] = points[i].x();
    }
};

template <class Work>
void add(const std::string& name, std::size_t count, double radius, int threads, Work work)
{
    const std::string full = name + "/" + std::to_string(count) + "/threads:" + std::to_string(threads);
    benchmark::RegisterBenchmark(full.c_str(), [=](benchmark::State& state) {
        const ThreadLimit limit(threads);
        Cloud cloud(count, radius);
        work(cloud);
        ShortestTime time;
        for (auto _ : state) {
            time.start();
            work(cloud);
            time.stop();
        }
        time.report(state, cloud.points.size());
        state.counters["neighbors"] =
            static_cast<double>(cloud.neighbors.entry_count()) / static_cast<double>(cloud.points.size());
    })->Unit(benchmark::kMillisecond);
}

/// Rebuilds shape functions in place, as a step with Eulerian kernels does.
auto shape_functions(int order, int derivatives, double radius)
{
    const auto set = std::make_shared<ShapeSet<3>>(MlsOptions{.order = order}, derivatives);
    return [=](Cloud& cloud) {
        benchmark::DoNotOptimize(set->rebuild_at_nodes(cloud.points, radius, cloud.neighbors));
    };
}

} // namespace

void register_approx_benchmarks()
{
    constexpr double narrow = 2.0; // about 30 neighbours
    constexpr double wide = 2.9;   // about 100, which a quadratic basis needs
    for (std::size_t count : {10000u, 100000u, 400000u}) {
        for (int threads : {1, 2}) {
            add("sph/density", count, narrow, threads, [](Cloud& c) {
                compute_density<3>(c.points, c.mass, c.neighbors, CubicSpline<3>(narrow),
                                   std::span(c.density));
            });
            add("sph/gradient_symmetric", count, narrow, threads, [](Cloud& c) {
                compute_gradient<3>(SphForm::Symmetric, c.points, c.mass, c.density, c.field, c.neighbors,
                                    CubicSpline<3>(narrow), std::span(c.gradient));
            });
            add("mls/shape_functions_order1", count, narrow, threads, shape_functions(1, 1, narrow));
            add("mls/gradient_operator", count, narrow, threads,
                [gradient = std::make_shared<GradientOperator<3>>()](Cloud& c) {
                    benchmark::DoNotOptimize(gradient->rebuild(c.points, narrow, c.neighbors));
                });
            if (count > 100000) continue;
            add("mls/shape_functions_order2", count, wide, threads, shape_functions(2, 1, wide));
            add("mls/shape_functions_order2_second_derivatives", count, wide, threads,
                shape_functions(2, 2, wide));
        }
    }
}

} // namespace phyxel
