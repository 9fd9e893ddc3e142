// SPDX-License-Identifier: MIT
// What every step of a fluid begins with: the particles sorted, their neighbours found, and copies of them
// that the hot stages read.
#pragma once

#include <phyxel/core/parallel_for.h>
#include <phyxel/fluid/fluid_stages.h>
#include <phyxel/fluid/fluid_state.h>
#include <phyxel/geometry/surroundings.h>
#include <phyxel/search/neighbor_search.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <span>
#include <vector>

namespace phyxel {

/// Who a particle is, wherever sorting and removal put it.
struct FluidParticle {
    std::uint64_t id;
    std::uint32_t part;
};

/// Sorted copies in `float`, relative to a local origin. Scratch memory: it can be rebuilt from the state.
template <int Dim>
class FluidNeighborhood {
public:
    /// Sorts the particles of `fluid` and finds their neighbours.
    void update(FluidState<Dim>& fluid, const FluidModel& model, const Domain<Dim>& domain);

    std::size_t size() const { return place_.size(); }
    const FluidPairs<Dim, float>& pairs() const { return pairs_; }

    /// Beside the places lies what the next stage wants with them, see FluidPairs.
    std::span<Quad<float>> place() { return place_; }
    /// Beside the velocities lies the density.
    std::span<Quad<float>> velocity() { return velocity_; }
    std::span<const float> viscosity() const { return viscosity_; }

    /// Brings the velocities of the state into the copies.
    void copy_velocity(const FluidState<Dim>& fluid);

    /// Particles that emitters still move.
    std::span<const Index> held() const { return held_; }
    /// Gives these the velocities that they had before the step.
    void hold(FluidState<Dim>& fluid) const;

private:
    std::unique_ptr<NeighborSearch<Dim, float>> search_;
    PeriodicBox<Dim> box_;
    FluidPairs<Dim, float> pairs_;
    std::vector<Quad<float>> place_, velocity_;
    std::vector<float> viscosity_, mass_, support_radius_, inverse_support_;
    FluidState<Dim> sorted_;
    std::vector<Index> held_;
    std::vector<Vec<Dim>> held_velocity_;
};

/// Removes the particles for which is_gone(i), keeping the order of the others. Returns how many.
template <int Dim, class IsGone>
std::size_t remove_particles(FluidState<Dim>& fluid, IsGone&& is_gone)
{
    std::size_t kept = 0;
    for (std::size_t i = 0; i < fluid.size(); ++i) {
        if (is_gone(i)) continue;
        if (kept != i) copy_item(fluid, kept, fluid, i);
        ++kept;
    }
    const std::size_t removed = fluid.size() - kept;
    if (removed > 0) fluid.resize(kept);
    return removed;
}

/// Removes what has left through an open side. Returns how many particles.
template <int Dim>
std::size_t remove_outside(FluidState<Dim>& fluid, const Domain<Dim>& domain)
{
    if (!domain.has_open_side()) return 0;
    return remove_particles(fluid, [&](std::size_t i) { return domain.has_left(fluid.position[i]); });
}

/// Of any particle [m/s].
template <int Dim>
double largest_speed(const FluidState<Dim>& fluid)
{
    // The largest of several numbers does not depend on their order, nor need memory of its own.
    std::atomic<double> squared = 0.0;
    parallel_for_blocks(fluid.size(), default_block_size, [&](const Block& block) {
        double largest = 0.0;
        for (std::size_t i = block.begin; i < block.end; ++i)
            largest = std::max(largest, fluid.velocity[i].squaredNorm());
        for (double seen = squared; largest > seen && !squared.compare_exchange_weak(seen, largest);) {}
    });
    return std::sqrt(squared);
}

extern template class FluidNeighborhood<2>;
extern template class FluidNeighborhood<3>;

} // namespace phyxel
