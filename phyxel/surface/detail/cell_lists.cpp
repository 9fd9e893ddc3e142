// SPDX-License-Identifier: MIT
#include <phyxel/surface/detail/cell_lists.h>

#include <phyxel/core/assert.h>

#include <utility>

namespace phyxel::detail {

CellLists::CellLists(std::span<const Reach> reaches, double cell) : inverse_cell_(1.0 / cell)
{
    PHYXEL_ASSERT(cell > 0.0);
    if (reaches.empty()) return;
    table_.resize(64);
    std::vector<std::uint32_t> lists; // one after the other, of the things in their order
    std::vector<std::uint32_t> counts(reaches.size(), 0);
    for (std::size_t i = 0; i < reaches.size(); ++i) {
        const Reach& reach = reaches[i];
        const Vec<3> low = reach.center - reach.half_sides, high = reach.center + reach.half_sides;
        for (std::int64_t c = cell_of(low[2]); c <= cell_of(high[2]); ++c)
            for (std::int64_t b = cell_of(low[1]); b <= cell_of(high[1]); ++b)
                for (std::int64_t a = cell_of(low[0]); a <= cell_of(high[0]); ++a) {
                    const Vec<3> corner =
                        cell * Vec<3>(static_cast<double>(a), static_cast<double>(b), static_cast<double>(c));
                    const Vec<3> nearest =
                        reach.center.cwiseMax(corner).cwiseMin(corner + Vec<3>::Constant(cell));
                    // What rounding adds to a cell must not be left out.
                    if ((nearest - reach.center).norm() > reach.radius + 1e-6 * cell) continue;
                    lists.push_back(list_of(cell_key(a, b, c)));
                    ++counts[i];
                }
    }
    for (const std::uint32_t list : lists) ++starts_[list + 1];
    for (std::size_t l = 1; l < starts_.size(); ++l) starts_[l] += starts_[l - 1];
    std::vector<std::uint32_t> next(starts_.begin(), starts_.end() - 1);
    ids_.resize(lists.size());
    std::size_t k = 0;
    for (std::size_t i = 0; i < reaches.size(); ++i)
        for (std::uint32_t m = 0; m < counts[i]; ++m) ids_[next[lists[k++]]++] = static_cast<Index>(i);
}

/// The number of the list of a cell, which begins one if there is none.
std::uint32_t CellLists::list_of(std::uint64_t key)
{
    if (starts_.empty()) starts_.push_back(0);
    const auto slot_for = [&](std::uint64_t wanted) {
        std::size_t slot = slot_of(wanted);
        while (table_[slot].key != wanted && table_[slot].key != no_key)
            slot = (slot + 1) & (table_.size() - 1);
        return slot;
    };
    const std::size_t slot = slot_for(key);
    if (table_[slot].key == key) return table_[slot].list;
    const auto list = static_cast<std::uint32_t>(starts_.size() - 1);
    table_[slot] = {key, list};
    starts_.push_back(0);
    if (2 * starts_.size() > table_.size()) {
        std::vector<Slot> before(2 * table_.size());
        std::swap(before, table_);
        for (const Slot& one : before)
            if (one.key != no_key) table_[slot_for(one.key)] = one;
    }
    return list;
}

} // namespace phyxel::detail
