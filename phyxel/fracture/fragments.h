// SPDX-License-Identifier: MIT
// The pieces that cracks have left of a body: what hangs together over weights that are not 0.
#pragma once

#include <phyxel/core/assert.h>
#include <phyxel/core/types.h>
#include <phyxel/search/neighbor_lists.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace phyxel {

struct Fragments {
    std::vector<std::uint32_t> of_phyxel; ///< from 0 on, in the order of their first phyxels
    std::size_t count = 0;
};

/// Of the phyxels from `first` to before `last`, by their neighbours among themselves.
/// `is_joined(entry)` says of the entries of the lists whether that pair holds together: the same for both
/// phyxels of a pair.
template <class IsJoined>
Fragments find_fragments(const NeighborLists& neighbors, const IsJoined& is_joined, Index first, Index last)
{
    PHYXEL_ASSERT(first <= last && last <= neighbors.size());
    constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
    Fragments fragments;
    fragments.of_phyxel.assign(last - first, none);
    std::vector<Index> found;
    for (Index start = first; start < last; ++start) {
        if (fragments.of_phyxel[start - first] != none) continue;
        const auto number = static_cast<std::uint32_t>(fragments.count++);
        fragments.of_phyxel[start - first] = number;
        found.assign(1, start);
        for (std::size_t k = 0; k < found.size(); ++k) {
            std::size_t entry = neighbors.offsets()[found[k]];
            for (const Index j : neighbors.of(found[k])) {
                const std::size_t pair = entry++;
                if (j < first || j >= last || fragments.of_phyxel[j - first] != none || !is_joined(pair))
                    continue;
                fragments.of_phyxel[j - first] = number;
                found.push_back(j);
            }
        }
    }
    return fragments;
}

} // namespace phyxel
