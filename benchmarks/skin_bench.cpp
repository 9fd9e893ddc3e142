// SPDX-License-Identifier: MIT
// The skin of a block, bent: vertices all over its surface follow a lattice of nodes with supports of 1.85
// spacings. Positions, normals of unit length, and for `with_velocity` velocities, too.
//
// Targets on 2 threads: 10,000 vertices on 216 nodes 0.3 ms; 500,000 on 10,648 nodes 10 ms. `copy` moves as
// many bytes as the update of the same size reads and writes, half of them each way.
#include "benchmarks.h"
#include "workloads.h"

#include <phyxel/core/parallel_for.h>
#include <phyxel/search/neighbor_search.h>
#include <phyxel/surface/coat.h>
#include <phyxel/surface/skinning.h>

#include <benchmark/benchmark.h>

#include <cmath>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace phyxel {
namespace {

/// A unit cube of side³ nodes and about `vertex_count` vertices on its faces.
struct SkinnedBlock {
    std::vector<Vec<3>> nodes;
    std::vector<double> supports;
    NeighborLists neighbors;
    std::vector<Vec<3>> vertices;
    std::vector<Vec<3>> normals;

    SkinnedBlock(int side, std::size_t vertex_count)
    {
        const double spacing = 1.0 / side;
        for (int k = 0; k < side; ++k)
            for (int j = 0; j < side; ++j)
                for (int i = 0; i < side; ++i) nodes.push_back(spacing * Vec<3>(i + 0.5, j + 0.5, k + 0.5));
        supports.assign(nodes.size(), 1.85 * spacing);
        neighbors = find_neighbors<3, double>(nodes, 1.85 * spacing);

        const int n = static_cast<int>(std::lround(std::sqrt(double(vertex_count) / 6.0)));
        for (int axis = 0; axis < 3; ++axis)
            for (const double end : {0.0, 1.0})
                for (int j = 0; j < n; ++j)
                    for (int i = 0; i < n; ++i) {
                        Vec<3> x = Vec<3>::Constant(end);
                        x[(axis + 1) % 3] = (i + 0.5) / n;
                        x[(axis + 2) % 3] = (j + 0.5) / n;
                        vertices.push_back(x);
                        normals.push_back((2.0 * end - 1.0) * Vec<3>::Unit(axis));
                    }
    }

    SkinningNodes skinning_nodes() const { return {nodes, supports, neighbors}; }
};

/// Bent into an arc around the y axis.
void bend(std::span<const Vec<3>> rest, std::vector<Vec<3>>& x, std::vector<Mat<3>>& F)
{
    x.resize(rest.size());
    F.resize(rest.size());
    for (std::size_t j = 0; j < rest.size(); ++j) {
        const double angle = rest[j][0];
        const double radius = 2.0 - rest[j][2];
        const double c = std::cos(angle), s = std::sin(angle);
        x[j] = Vec<3>(radius * s, rest[j][1], 2.0 - radius * c);
        F[j] << radius * c, 0, -s, 0, 1, 0, radius * s, 0, c;
    }
}

template <std::floating_point Real>
void measure(benchmark::State& state, int side, std::size_t vertex_count, SkinningMethod method,
             bool with_velocity, int threads)
{
    const ThreadLimit limit(threads);
    const SkinnedBlock block(side, vertex_count);
    Skinning<Real> skin(block.vertices, block.normals, block.skinning_nodes(), {.method = method});
    std::vector<Vec<3>> x;
    std::vector<Mat<3>> F;
    bend(block.nodes, x, F);
    std::vector<Vec<3>> positions(skin.size());
    std::vector<Vec<3, Real>> normals(skin.size());
    std::vector<Vec<3, Real>> velocities(skin.size());
    ShortestTime time;
    for (auto _ : state) {
        time.start();
        skin.update(x, F, positions, normals);
        if (with_velocity) skin.transfer(x, F, velocities);
        time.stop();
        benchmark::DoNotOptimize(positions.data());
    }
    time.report(state, skin.size());
    state.counters["min_ms"] = 1e3 * time.shortest();
    state.counters["nodes_per_vertex"] = double(skin.report().entries) / double(skin.size());
    if (!with_velocity) state.counters["GB_per_s"] = 1e-9 * double(skin.traffic()) / time.shortest();
}

/// How long it takes to make ready what the updates use.
void measure_making(benchmark::State& state, int side, std::size_t vertex_count, SkinningMethod method,
                    int threads)
{
    const ThreadLimit limit(threads);
    const SkinnedBlock block(side, vertex_count);
    ShortestTime time;
    for (auto _ : state) {
        time.start();
        const Skinning<float> skin(block.vertices, block.normals, block.skinning_nodes(), {.method = method});
        time.stop();
        benchmark::DoNotOptimize(&skin);
    }
    time.report(state, block.vertices.size());
    state.counters["min_ms"] = 1e3 * time.shortest();
}

/// A coat of surfels on a block that is sheared to and fro, at every step by a hundredth. `keeps_detail`: all
/// of it is on the detail, else on the implicit coat.
void measure_coat(benchmark::State& state, int side, std::size_t surfel_count, bool keeps_detail, int threads)
{
    const ThreadLimit limit(threads);
    const SkinnedBlock block(side, surfel_count);
    Coat coat(block.vertices, block.normals, {}, block.nodes,
              {.radius = std::sqrt(6.0 / double(surfel_count)),
               .spacing = 1.0 / side,
               .keeps_detail = keeps_detail});
    std::vector<Vec<3>> before = block.nodes;
    int step = 0;
    ShortestTime time;
    for (auto _ : state) {
        const double shear = ++step % 2 == 0 ? 0.0 : 0.01;
        std::vector<Vec<3>> after = block.nodes;
        for (Vec<3>& x : after) x[0] += shear * x[2] * x[2];
        time.start();
        const CoatReport report =
            coat.advance({.before = before, .after = after, .phyxels = after, .dt = 1.0 / 30.0});
        time.stop();
        benchmark::DoNotOptimize(report.surfels);
        before = std::move(after);
    }
    time.report(state, coat.size());
    state.counters["min_ms"] = 1e3 * time.shortest();
    state.counters["us_per_surfel"] = 1e6 * time.shortest() / double(coat.size());
}

void measure_copy(benchmark::State& state, int side, std::size_t vertex_count, int threads)
{
    const ThreadLimit limit(threads);
    const SkinnedBlock block(side, vertex_count);
    const Skinning<float> skin(block.vertices, block.normals, block.skinning_nodes());
    const std::size_t half = skin.traffic() / 2;
    const std::vector<char> from(half, 1);
    std::vector<char> to(half);
    ShortestTime time;
    for (auto _ : state) {
        time.start();
        parallel_for_blocks(half, std::size_t(1) << 16, [&](const Block& piece) {
            std::memcpy(to.data() + piece.begin, from.data() + piece.begin, piece.end - piece.begin);
        });
        time.stop();
        benchmark::DoNotOptimize(to.data());
    }
    state.counters["min_ms"] = 1e3 * time.shortest();
    state.counters["GB_per_s"] = 1e-9 * double(2 * half) / time.shortest();
}

} // namespace

void register_skin_benchmarks()
{
    struct Size {
        int side;
        std::size_t vertices;
    };
    const auto add = [](const std::string& name, const Size& size, int threads, auto measured) {
        const std::string full =
            "skin/" + name + "/" + std::to_string(size.vertices) + "/threads:" + std::to_string(threads);
        benchmark::RegisterBenchmark(full.c_str(), measured)->Unit(benchmark::kMillisecond)->UseRealTime();
    };
    using State = benchmark::State&;
    constexpr auto first_order = SkinningMethod::FirstOrder;
    constexpr auto mls = SkinningMethod::MovingLeastSquares;
    for (const Size& size : {Size{6, 10000}, Size{13, 70000}, Size{22, 500000}, Size{46, 2000000}})
        for (const int threads : {1, 2}) {
            const auto [side, count] = size;
            add("first_order", size, threads, [=, side = side, count = count](State state) {
                measure<float>(state, side, count, first_order, false, threads);
            });
            add("first_order_with_velocity", size, threads, [=, side = side, count = count](State state) {
                measure<float>(state, side, count, first_order, true, threads);
            });
            add("first_order_double", size, threads, [=, side = side, count = count](State state) {
                measure<double>(state, side, count, first_order, false, threads);
            });
            add("mls", size, threads, [=, side = side, count = count](State state) {
                measure<float>(state, side, count, mls, false, threads);
            });
            add("making", size, threads, [=, side = side, count = count](State state) {
                measure_making(state, side, count, first_order, threads);
            });
            add("copy", size, threads,
                [=, side = side, count = count](State state) { measure_copy(state, side, count, threads); });
        }
    for (const Size& size : {Size{10, 10000}, Size{10, 40000}, Size{10, 160000}})
        for (const int threads : {1, 2})
            for (const bool keeps_detail : {false, true}) {
                const auto [side, count] = size;
                add(keeps_detail ? "coat_with_detail" : "coat", size, threads,
                    [=, side = side, count = count](State state) {
                        measure_coat(state, side, count, keeps_detail, threads);
                    });
            }
}

} // namespace phyxel
