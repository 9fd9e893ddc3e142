// SPDX-License-Identifier: MIT
// Sets of numbers that grow together.
#pragma once

#include <phyxel/core/types.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace phyxel {

/// The name of a set is its lowest member.
class DisjointSets {
public:
    explicit DisjointSets(std::size_t count = 0) { reset(count); }

    /// Each number from 0 on is a set of its own.
    void reset(std::size_t count)
    {
        parent_.resize(count);
        std::iota(parent_.begin(), parent_.end(), Index(0));
    }

    Index find(Index i)
    {
        while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
        return i;
    }

    void join(Index i, Index j)
    {
        i = find(i);
        j = find(j);
        parent_[std::max(i, j)] = std::min(i, j);
    }

private:
    std::vector<Index> parent_;
};

} // namespace phyxel
