// SPDX-License-Identifier: MIT
#include <phyxel/fracture/fragments.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace phyxel::fragments_test {
namespace {

/// Two chains: 0 to 5, and 6 to 8.
NeighborLists chains()
{
    std::vector<std::uint64_t> offsets = {0};
    std::vector<Index> ids;
    for (Index i = 0; i < 9; ++i) {
        if (i > 0 && i != 6) ids.push_back(i - 1);
        if (i < 8 && i != 5) ids.push_back(i + 1);
        offsets.push_back(ids.size());
    }
    return NeighborLists(offsets, ids);
}

std::vector<std::uint8_t> joined_but_between(const NeighborLists& lists, Index a, Index b)
{
    std::vector<std::uint8_t> joined(lists.entry_count(), 1);
    for (Index i = 0; i < lists.size(); ++i)
        for (std::size_t k = 0; k < lists.of(i).size(); ++k)
            if (std::minmax(i, lists.of(i)[k]) == std::minmax(a, b)) joined[lists.offsets()[i] + k] = 0;
    return joined;
}

TEST(Fragments, are_what_hangs_together_in_the_order_of_their_first_phyxels)
{
    const NeighborLists lists = chains();
    const Fragments fragments = find_fragments(lists, joined_but_between(lists, 2, 3), 0, 9);
    EXPECT_EQ(fragments.count, 3u);
    EXPECT_EQ(fragments.of_phyxel, (std::vector<std::uint32_t>{0, 0, 0, 1, 1, 1, 2, 2, 2}));
}

TEST(Fragments, of_some_phyxels_are_numbered_among_themselves)
{
    const NeighborLists lists = chains();
    const Fragments fragments = find_fragments(lists, joined_but_between(lists, 7, 8), 6, 9);
    EXPECT_EQ(fragments.count, 2u);
    EXPECT_EQ(fragments.of_phyxel, (std::vector<std::uint32_t>{0, 0, 1}));
    EXPECT_EQ(find_fragments(lists, joined_but_between(lists, 7, 8), 6, 6).count, 0u);
}

TEST(Fragments, do_not_count_neighbors_that_are_not_among_them)
{
    const NeighborLists lists = chains();
    const std::vector<std::uint8_t> joined(lists.entry_count(), 1);
    for (const auto& [first, last] : {std::pair<Index, Index>(3, 6), {0, 3}, {2, 4}}) {
        const Fragments fragments = find_fragments(lists, joined, first, last);
        EXPECT_EQ(fragments.of_phyxel, std::vector<std::uint32_t>(last - first, 0));
    }
}

} // namespace
} // namespace phyxel::fragments_test
