// SPDX-License-Identifier: MIT
// Which of many things reach a place: every cell of a grid has the list of those whose box reaches into it,
// so that a place has to look at one list only.
#pragma once

#include <phyxel/core/types.h>
#include <phyxel/surface/detail/cell_keys.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace phyxel::detail {

/// Looked at from several threads at once. Space has no bounds: cells that are 2²¹ apart share a list.
class CellLists {
public:
    struct Reach {
        Vec<3> center;
        Vec<3> half_sides; ///< of the box
        double radius;     ///< of a ball that it does not leave either
    };

    CellLists() = default;

    /// All lengths must be finite.
    CellLists(std::span<const Reach> reaches, double cell);

    /// Those that may reach x, ascending.
    std::span<const Index> at(const Vec<3>& x) const
    {
        if (table_.empty()) return {};
        const std::uint64_t key = cell_key(cell_of(x[0]), cell_of(x[1]), cell_of(x[2]));
        for (std::size_t slot = slot_of(key);; slot = (slot + 1) & (table_.size() - 1)) {
            const Slot& found = table_[slot];
            if (found.key == key)
                return {ids_.data() + starts_[found.list], ids_.data() + starts_[found.list + 1]};
            if (found.key == no_key) return {};
        }
    }

private:
    static constexpr std::uint64_t no_key = ~std::uint64_t(0);
    struct Slot {
        std::uint64_t key = no_key;
        std::uint32_t list = 0;
    };

    std::int64_t cell_of(double x) const { return cell_at(x, inverse_cell_); }
    std::size_t slot_of(std::uint64_t key) const
    {
        return static_cast<std::size_t>((key * 0x9e3779b97f4a7c15u) >> 32) & (table_.size() - 1);
    }
    std::uint32_t list_of(std::uint64_t key);

    double inverse_cell_ = 1.0;
    std::vector<Slot> table_;           ///< 2ⁿ of them, at most half of them with a list
    std::vector<std::uint32_t> starts_; ///< of the lists, and the end of the last
    std::vector<Index> ids_;            ///< list by list
};

} // namespace phyxel::detail
