// SPDX-License-Identifier: MIT
// Gradients of the kernel between neighbours, kept for the iterations of a step: particles do not move while
// pressures are found, and reading a gradient is cheaper than finding a distance, a root and a quotient anew.
//
// What iterations wait for is memory. So where all particles have one size, gradients are kept as whole
// numbers of 16 bits, times a quantum: wrong by at most 1.5·10⁻⁵ of the steepest one, and by the same with
// the opposite sign for the other particle of the pair, so that momentum is kept.
#pragma once

#include <phyxel/core/buffer.h>
#include <phyxel/fluid/pair_data.h>
#include <phyxel/search/neighbor_lists.h>

#include <array>
#include <concepts>
#include <cstdint>
#include <span>
#include <type_traits>

namespace phyxel {

/// Gradients of as many neighbours of a particle as there are lanes, by axis. What is after the last
/// neighbour has the gradient 0.
template <int Dim, std::floating_point Real, class Stored>
struct PairAxes {
    std::array<std::array<Stored, lane_count<Real>>, Dim> axis;
};

/// Some neighbours of i and m_j ∇ω(x_i − x_j, h_i) of them, in units of the quantum.
template <int Dim, std::floating_point Real, class Stored>
struct alignas(16) PairGroup {
    std::array<Index, lane_count<Real>> j;
    PairAxes<Dim, Real, Stored> gradient;
};

template <int Dim, std::floating_point Real>
class PairGradients {
public:
    /// How gradients are kept where sizes are mixed, and where they are not.
    template <bool Mixed>
    using Stored = std::conditional_t<!Mixed && std::same_as<Real, float>, std::int16_t, Real>;
    template <bool Mixed>
    using Group = PairGroup<Dim, Real, Stored<Mixed>>;
    using OtherAxes = PairAxes<Dim, Real, Real>;

    /// Makes room for the gradients of all pairs, none of which is longer than `steepest`; and for a second
    /// one of each where sizes are mixed.
    void resize(const NeighborLists& neighbors, bool is_mixed, Real steepest)
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
        if (is_mixed) {
            make_room(mixed_, groups);
            make_room(others_, groups);
            quantum_ = 1;
        } else {
            make_room(alike_, groups);
            quantum_ = std::same_as<Stored<false>, Real> ? Real(1) : steepest / Real(largest_number);
        }
    }

    bool is_mixed() const { return is_mixed_; }
    Real quantum() const { return quantum_; }

    template <bool Mixed>
    std::span<Group<Mixed>> of(Index i)
    {
        return {groups<Mixed>().data() + first_[i], first_[i + 1] - first_[i]};
    }
    template <bool Mixed>
    std::span<const Group<Mixed>> of(Index i) const
    {
        return const_cast<PairGradients*>(this)->of<Mixed>(i);
    }

    /// m_j ∇ω(x_i − x_j, h_j), beside the groups of i, where sizes are mixed.
    OtherAxes* others_of(Index i) { return others_.data() + first_[i]; }
    const OtherAxes* others_of(Index i) const { return others_.data() + first_[i]; }

private:
    static constexpr int largest_number = 32767;

    template <bool Mixed>
    auto& groups()
    {
        if constexpr (Mixed)
            return mixed_;
        else
            return alike_;
    }

    /// As neighbour lists have it: a little more than is needed now.
    template <class T>
    static void make_room(Buffer<T>& buffer, std::size_t count)
    {
        if (count > buffer.capacity()) buffer.grow(count + count / 8, 0);
        buffer.resize(count);
    }

    Buffer<std::uint64_t> first_; ///< group of each particle
    Buffer<Group<false>> alike_;
    Buffer<Group<true>> mixed_;
    Buffer<OtherAxes> others_;
    Real quantum_ = 1;
    bool is_mixed_ = false;
};

} // namespace phyxel
