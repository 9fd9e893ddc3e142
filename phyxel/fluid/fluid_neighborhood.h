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

    /// Leaves out the pairs for which is_apart(i, j), which only pairs of particles with may_be_apart(i) can
    /// be, until the next update.
    template <class MayBeApart, class IsApart>
    void leave_out(const MayBeApart& may_be_apart, const IsApart& is_apart);

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
    std::vector<std::uint8_t> is_cut_;
    std::vector<std::uint64_t> cut_offsets_;
    std::vector<Index> cut_ids_;
    NeighborLists cut_; ///< without the pairs that are left out
};

template <int Dim>
template <class MayBeApart, class IsApart>
void FluidNeighborhood<Dim>::leave_out(const MayBeApart& may_be_apart, const IsApart& is_apart)
{
    const NeighborLists& all = search_->lists();
    const auto find_cut = [&](Index i) {
        const auto others = all.of(i);
        return may_be_apart(i) &&
               std::any_of(others.begin(), others.end(), [&](Index j) { return is_apart(i, j); });
    };
    std::atomic<bool> is_any = false;
    is_cut_.resize(all.size());
    parallel_for(all.size(), [&](Index i) {
        is_cut_[i] = find_cut(i);
        if (is_cut_[i] != 0) is_any = true;
    });
    if (!is_any) return;
    cut_offsets_.assign(1, 0);
    cut_ids_.clear();
    for (std::size_t n = 0; n < all.size(); ++n) {
        const auto i = static_cast<Index>(n);
        for (const Index j : all.of(i))
            if (is_cut_[i] == 0 || !is_apart(i, j)) cut_ids_.push_back(j);
        cut_offsets_.push_back(cut_ids_.size());
    }
    cut_ = NeighborLists(cut_offsets_, cut_ids_);
    pairs_.neighbors = &cut_;
}

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
