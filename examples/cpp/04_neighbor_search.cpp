// SPDX-License-Identifier: MIT
// 04_neighbor_search: neighbour lists for a million points, as a simulation builds them every step.
// Run:     example_04_neighbor_search        Expect: about 30 neighbours each, tens of nanoseconds a point.
#include <phyxel/core/parallel_for.h>
#include <phyxel/core/rng.h>
#include <phyxel/core/timer.h>
#include <phyxel/search/kd_tree.h>
#include <phyxel/search/neighbor_search.h>

#include <cstdio>
#include <vector>

using namespace phyxel;

int main()
{
    Rng rng(1);
    std::vector<Vec<3, float>> points(1000000);
    for (auto& x : points) x = rng.point<3>(0, 100).cast<float>();

    NeighborSearch<3, float> search;
    for (int step = 0; step < 5; ++step) {
        for (auto& x : points) x += rng.point<3>(-0.05, 0.05).cast<float>();
        const Stopwatch watch;
        search.update(std::span<const Vec<3, float>>(points), 1.95f);
        std::printf("step %d: %.1f neighbours a point, %.0f ns a point on %d threads\n", step,
                    double(search.lists().entry_count()) / double(points.size()),
                    1e9 * watch.seconds() / double(points.size()), thread_count());
    }

    // For single questions there is a tree.
    const KdTree<3, float> tree{std::span<const Vec<3, float>>(points)};
    std::vector<Neighbor<float>> nearest;
    tree.nearest(Vec<3, float>(50, 50, 50), 3, nearest);
    for (const auto& n : nearest)
        std::printf("near the middle: point %u at %.3f\n", n.id, double(n.distance));
}
