// SPDX-License-Identifier: MIT
// Gradients of the kernel between neighbours, kept for the iterations of a step: particles do not move while
// pressures are found, and reading a gradient is cheaper than finding a distance, a root and a quotient anew.
#pragma once

#include <phyxel/core/buffer.h>
#include <phyxel/fluid/pair_lanes.h>
#include <phyxel/search/neighbor_lists.h>

#include <array>
#include <concepts>
#include <cstdint>
#include <span>

namespace phyxel {

/// As many neighbours of a particle as there are lanes. What is after the last one has the gradient 0.
template <int Dim, std::floating_point Real>
struct alignas(32) PairGroup {
    using Axes = std::array<std::array<Real, lane_count<Real>>, Dim>;

    std::array<Index, lane_count<Real>> j;
    Axes gradient; ///< m_j ∇ω(x_i − x_j, h_i)

    PHYXEL_INLINE static Lanes<Real> lanes_of(const std::array<Real, lane_count<Real>>& values)
    {
        Lanes<Real> v;
        std::memcpy(&v, values.data(), sizeof v);
        return v;
    }
    /// Asks for groups that come next: they are streamed from memory, faster than it comes by itself.
    PHYXEL_INLINE void prefetch_ahead() const
    {
        const char* const ahead = reinterpret_cast<const char*>(this) + 2048;
        for (std::size_t line = 0; line < sizeof(PairGroup); line += 64) __builtin_prefetch(ahead + line);
    }
    /// Numbers of these neighbours.
    PHYXEL_INLINE static Lanes<Real> lanes_at(const Real* values,
                                              const std::array<Index, lane_count<Real>>& j)
    {
        std::array<Real, lane_count<Real>> chosen;
        for (std::size_t l = 0; l < j.size(); ++l) chosen[l] = values[j[l]];
        return lanes_of(chosen);
    }
};

template <int Dim, std::floating_point Real>
class PairGradients {
public:
    using Group = PairGroup<Dim, Real>;

    /// Makes room for the gradients of all pairs, and for a second one of each where sizes differ.
    void resize(const NeighborLists& neighbors, bool is_mixed)
    {
        const std::size_t n = neighbors.size();
        first_.resize(n + 1);
        std::uint64_t groups = 0;
        for (std::size_t i = 0; i < n; ++i) {
            first_[i] = groups;
            groups += (neighbors.of(i).size() + lane_count<Real> - 1) / lane_count<Real>;
        }
        first_[n] = groups;
        is_mixed_ = is_mixed;
        make_room(groups_, groups);
        if (is_mixed) make_room(others_, groups);
    }

    bool is_mixed() const { return is_mixed_; }

    std::span<Group> of(Index i) { return {groups_.data() + first_[i], first_[i + 1] - first_[i]}; }
    std::span<const Group> of(Index i) const
    {
        return {groups_.data() + first_[i], first_[i + 1] - first_[i]};
    }

    /// m_j ∇ω(x_i − x_j, h_j), beside the groups of i, where sizes differ.
    typename Group::Axes* others_of(Index i) { return others_.data() + first_[i]; }
    const typename Group::Axes* others_of(Index i) const { return others_.data() + first_[i]; }

private:
    /// As neighbour lists have it: a little more than is needed now.
    template <class T>
    static void make_room(Buffer<T>& buffer, std::size_t count)
    {
        if (count > buffer.capacity()) buffer.grow(count + count / 8, 0);
        buffer.resize(count);
    }

    Buffer<std::uint64_t> first_; ///< group of each particle
    Buffer<Group> groups_;
    Buffer<typename Group::Axes> others_;
    bool is_mixed_ = false;
};

} // namespace phyxel
