// SPDX-License-Identifier: MIT
// How many neighbours two phyxels of a solid at rest are apart.
#pragma once

#include <phyxel/core/types.h>
#include <phyxel/search/neighbor_lists.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace phyxel {

class NearPhyxels {
public:
    /// Looks no further than over `most_hops` neighbours.
    NearPhyxels(const NeighborLists& neighbors, int most_hops)
        : neighbors_(neighbors),
          most_hops_(most_hops),
          is_seen_(neighbors.size(), 0)
    {
    }

    /// 0 for the same phyxel, 1 for neighbours; one more than it looks for if they are further apart.
    int hops(Index a, Index b)
    {
        if (a == b) return 0;
        const auto [place, is_new] = known_.try_emplace(std::minmax(a, b), 0);
        if (is_new) place->second = find(a, b);
        return place->second;
    }

private:
    int find(Index a, Index b)
    {
        int found = most_hops_ + 1;
        std::vector<Index> seen = {a};
        is_seen_[a] = 1;
        std::size_t rim = 0;
        for (int hop = 1; hop <= most_hops_ && found > most_hops_; ++hop)
            for (const std::size_t end = seen.size(); rim < end && found > most_hops_; ++rim)
                for (const Index j : neighbors_.of(seen[rim])) {
                    if (j == b) found = hop;
                    if (is_seen_[j] != 0) continue;
                    is_seen_[j] = 1;
                    seen.push_back(j);
                }
        for (const Index i : seen) is_seen_[i] = 0;
        return found;
    }

    const NeighborLists& neighbors_;
    int most_hops_;
    std::map<std::pair<Index, Index>, int> known_;
    std::vector<std::uint8_t> is_seen_; ///< scratch: 0 between searches
};

} // namespace phyxel
