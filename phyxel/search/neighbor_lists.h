// SPDX-License-Identifier: MIT
// Who is near whom: for every point the sorted numbers of its neighbours, in one flat array.
#pragma once

#include <phyxel/core/assert.h>
#include <phyxel/core/buffer.h>
#include <phyxel/core/types.h>

#include <algorithm>
#include <cstdint>
#include <span>

namespace phyxel {

/// Compact neighbour lists: `of(i)` is sorted, has no duplicates and does not contain i.
class NeighborLists {
public:
    NeighborLists() = default;

    /// Takes over lists that were made elsewhere: the neighbours of i are ids[offsets[i]] …
    /// ids[offsets[i + 1] − 1].
    NeighborLists(std::span<const std::uint64_t> offsets, std::span<const Index> ids)
    {
        PHYXEL_ASSERT(!offsets.empty() && offsets.back() == ids.size());
        offsets_.resize(offsets.size());
        std::copy(offsets.begin(), offsets.end(), offsets_.data());
        ids_.resize(ids.size());
        std::copy(ids.begin(), ids.end(), ids_.data());
    }

    /// Number of points.
    std::size_t size() const { return offsets_.size() == 0 ? 0 : offsets_.size() - 1; }

    /// Number of entries in all lists together; each pair counts twice.
    std::size_t entry_count() const { return offsets_.size() == 0 ? 0 : offsets_[size()]; }

    std::span<const Index> of(std::size_t i) const
    {
        PHYXEL_ASSERT(i < size());
        const std::uint64_t begin = offsets_.data()[i];
        return {ids_.data() + begin, offsets_.data()[i + 1] - begin};
    }

    /// Where each list begins; one more entry than there are points.
    std::span<const std::uint64_t> offsets() const { return offsets_.span(); }

    /// All lists, one after the other.
    std::span<const Index> ids() const { return {ids_.data(), entry_count()}; }

private:
    template <class Real>
    friend class NeighborListBuilder;

    Buffer<std::uint64_t> offsets_;
    Buffer<Index> ids_;
};

} // namespace phyxel
