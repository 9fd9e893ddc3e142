// SPDX-License-Identifier: MIT
// Point sets to measure on, and a clock that looks at the wall and not at one thread's processor time.
#pragma once

#include <phyxel/core/rng.h>
#include <phyxel/core/timer.h>
#include <phyxel/core/types.h>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

namespace phyxel {

/// Points with about 30 neighbours each within `radius`.
struct Workload {
    std::vector<Vec<3, float>> points;
    float radius;
    float motion; ///< how far a point moves along each axis between two searches
};

/// "lattice": a cubic lattice of spacing 1, displaced by up to a quarter, in lattice order.
/// "uniform": independent points of density 1, in random order.
/// "clustered": four fifths in 200 Gaussian blobs (σ between 1.2 and 5 at a million points), one fifth
/// uniform, in random order; densities differ by a factor of a thousand.
Workload make_workload(const std::string& name, std::size_t count);

/// Moves every point a little, as a simulation would between two steps.
void move_points(Workload& workload, Rng& rng);

/// Shortest of the timed pieces of a benchmark: the mean that the framework reports also contains what else
/// the machine was doing.
class ShortestTime {
public:
    void start() { watch_.restart(); }
    void stop() { shortest_ = std::min(shortest_, watch_.seconds()); }

    double shortest() const { return shortest_; } ///< [s]

    void report(benchmark::State& state, std::size_t items) const
    {
        state.counters["min_ns_per_point"] = 1e9 * shortest_ / static_cast<double>(items);
    }

private:
    Stopwatch watch_;
    double shortest_ = std::numeric_limits<double>::infinity();
};

} // namespace phyxel
