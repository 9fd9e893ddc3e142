// SPDX-License-Identifier: MIT
// How many neighbours two phyxels of a solid at rest are apart.
#pragma once

#include <phyxel/core/types.h>
#include <phyxel/search/neighbor_lists.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace phyxel {

class NearPhyxels {
public:
    /// Looks no further than over `most_hops` neighbours.
    NearPhyxels(const NeighborLists& neighbors, int most_hops) : neighbors_(neighbors), most_hops_(most_hops)
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
    int find(Index a, Index b) const
    {
        std::set<Index> seen = {a};
        std::vector<Index> rim = {a};
        for (int hop = 1; hop <= most_hops_; ++hop) {
            std::vector<Index> next;
            for (const Index i : rim)
                for (const Index j : neighbors_.of(i)) {
                    if (j == b) return hop;
                    if (seen.insert(j).second) next.push_back(j);
                }
            rim = std::move(next);
        }
        return most_hops_ + 1;
    }

    const NeighborLists& neighbors_;
    int most_hops_;
    std::map<std::pair<Index, Index>, int> known_;
};

} // namespace phyxel
