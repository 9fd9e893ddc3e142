// SPDX-License-Identifier: MIT
#include <phyxel/fracture/fragments.h>

#include <phyxel/core/assert.h>

#include <limits>

namespace phyxel {

Fragments find_fragments(const NeighborLists& neighbors, std::span<const std::uint8_t> is_joined, Index first,
                         Index last)
{
    PHYXEL_ASSERT(first <= last && last <= neighbors.size() && is_joined.size() == neighbors.entry_count());
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
                const bool joined = is_joined[entry++] != 0;
                if (!joined || j < first || j >= last || fragments.of_phyxel[j - first] != none) continue;
                fragments.of_phyxel[j - first] = number;
                found.push_back(j);
            }
        }
    }
    return fragments;
}

} // namespace phyxel
