// SPDX-License-Identifier: MIT
// Particles sorted by the block of a grid that they lie in, with only the blocks stored that have particles.
// Positions are kept in cells, as `double`: whoever sums over particles takes differences first and may then
// go on with `float`, however far from the origin the fluid is.
#pragma once

#include <phyxel/core/buffer.h>
#include <phyxel/core/types.h>
#include <phyxel/geometry/sparse_field.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace phyxel::detail {

/// Throws InputError for a particle that is not at a finite place, or more cells from the origin than a grid
/// reaches.
void check_positions(std::span<const Vec<3>> positions, double cell);

class ParticleBins {
public:
    /// The positions must be finite. Throws InputError if they are too far from each other.
    ParticleBins(std::span<const Vec<3>> positions, double cell);

    struct Bin {
        GridIndex block; ///< of 8³ cells
        Index begin;
        Index end;
    };
    std::span<const Bin> bins() const { return bins_; }

    std::size_t size() const { return order_.size(); }

    /// order()[n] is the number, as given, of the n-th particle in sorted order: by block, then as given.
    std::span<const Index> order() const { return order_; }

    /// One coordinate of all particles in sorted order [cells].
    std::span<const double> coordinate(int axis) const
    {
        return coordinate_[static_cast<std::size_t>(axis)].span();
    }

    /// Calls visit(begin, end) for the particles of all bins from `first` to `last` along each axis, in
    /// ascending order.
    template <class Visit>
    void for_each_run(GridIndex first, GridIndex last, Visit&& visit) const
    {
        for (std::size_t k = 0; k < 3; ++k) {
            first[k] = std::max(first[k], min_[k]);
            last[k] = std::min(last[k], max_[k]);
            if (first[k] > last[k]) return;
        }
        for (std::int32_t z = first[2]; z <= last[2]; ++z)
            for (std::int32_t y = first[1]; y <= last[1]; ++y) {
                const std::size_t begin = bin_from(key_of({first[0], y, z}));
                const std::size_t end = bin_from(key_of({last[0], y, z}) + 1);
                if (begin < end) visit(bins_[begin].begin, bins_[end - 1].end);
            }
    }

private:
    std::uint64_t key_of(const GridIndex& block) const;
    std::size_t bin_from(std::uint64_t key) const; ///< the first bin whose key is not below

    GridIndex min_{}; ///< block
    GridIndex max_{};
    std::vector<Index> order_;
    std::array<Buffer<double>, 3> coordinate_;
    std::vector<std::uint64_t> keys_; ///< of the bins, ascending
    std::vector<Bin> bins_;
};

} // namespace phyxel::detail
