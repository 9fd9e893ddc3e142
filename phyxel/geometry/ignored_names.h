// SPDX-License-Identifier: MIT
// Who does not feel whom: pairs of bodies and obstacles, by name.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace phyxel {

class IgnoredNames {
public:
    using Pair = std::pair<std::string, std::string>; ///< the first in the alphabet first

    void add(std::string a, std::string b)
    {
        Pair pair = std::minmax(std::move(a), std::move(b));
        const auto place = std::lower_bound(pairs_.begin(), pairs_.end(), pair);
        if (place == pairs_.end() || *place != pair) pairs_.insert(place, std::move(pair));
    }
    bool contains(const std::string& a, const std::string& b) const
    {
        return !pairs_.empty() && std::binary_search(pairs_.begin(), pairs_.end(), Pair(std::minmax(a, b)));
    }
    bool empty() const { return pairs_.empty(); }
    std::span<const Pair> pairs() const { return pairs_; }

private:
    std::vector<Pair> pairs_; ///< in order
};

} // namespace phyxel
