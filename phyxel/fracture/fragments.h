// SPDX-License-Identifier: MIT
// The pieces that cracks have left of a body: what hangs together over weights that are not 0.
#pragma once

#include <phyxel/core/types.h>
#include <phyxel/search/neighbor_lists.h>

#include <cstdint>
#include <span>
#include <vector>

namespace phyxel {

struct Fragments {
    std::vector<std::uint32_t> of_phyxel; ///< from 0 on, in the order of their first phyxels
    std::size_t count = 0;
};

/// Of the phyxels from `first` to before `last`, by their neighbours among themselves. `is_joined` is
/// parallel to the lists, and the same for both phyxels of a pair.
Fragments find_fragments(const NeighborLists& neighbors, std::span<const std::uint8_t> is_joined, Index first,
                         Index last);

} // namespace phyxel
