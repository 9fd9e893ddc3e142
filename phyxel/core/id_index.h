// SPDX-License-Identifier: MIT
// Where in the arrays of a state the particle with an id is.
#pragma once

#include <phyxel/core/types.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace phyxel {

/// Ids are never used twice and say nothing of the place of a particle, which changes when others are added,
/// removed or sorted. Made anew after that.
class IdIndex {
public:
    IdIndex() = default;
    explicit IdIndex(std::span<const std::uint64_t> ids)
    {
        places_.reserve(ids.size());
        for (std::size_t i = 0; i < ids.size(); ++i) places_.emplace_back(ids[i], static_cast<Index>(i));
        std::sort(places_.begin(), places_.end());
    }

    /// None if there is no such particle any more.
    std::optional<Index> find(std::uint64_t id) const
    {
        const auto found = std::lower_bound(places_.begin(), places_.end(), std::pair(id, Index(0)));
        if (found == places_.end() || found->first != id) return {};
        return found->second;
    }

private:
    std::vector<std::pair<std::uint64_t, Index>> places_; ///< by id
};

} // namespace phyxel
