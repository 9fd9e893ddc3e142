// SPDX-License-Identifier: MIT
// Hash table in one array, for the cells and the ids of a hash grid: found in O(1), removed in O(1), without
// an allocation per key.
#pragma once

#include <phyxel/core/assert.h>

#include <bit>
#include <cstddef>
#include <utility>
#include <vector>

namespace phyxel::detail {

/// Keys are kept at, or in the run of used slots after, their home `Home()(key, bits)` in [0, 2^bits), and
/// are compared when they are looked up. The table is at least twice as large as the number of keys.
template <class Key, class Value, class Home>
class FlatMap {
public:
    std::size_t size() const { return size_; }

    /// Number of slots, a power of two.
    std::size_t slot_count() const { return slots_.size(); }

    /// Null if there is no such key. Valid until the next insertion or removal.
    const Value* find(const Key& key) const
    {
        if (slots_.empty()) return nullptr;
        const Slot& slot = slots_[slot_of(key)];
        return slot.is_used ? &slot.value : nullptr;
    }
    Value* find(const Key& key) { return const_cast<Value*>(std::as_const(*this).find(key)); }

    /// The key must not be there yet.
    void insert(const Key& key, const Value& value)
    {
        reserve(size_ + 1);
        Slot& slot = slots_[slot_of(key)];
        PHYXEL_ASSERT(!slot.is_used);
        slot = {key, value, true};
        ++size_;
    }

    /// The key must be there.
    void erase(const Key& key)
    {
        std::size_t gap = slot_of(key);
        PHYXEL_ASSERT(slots_[gap].is_used);
        // Close the gap instead of leaving a mark, so that the table never fills up with what was removed:
        // a later key of the run moves back unless its home lies behind the gap.
        for (std::size_t i = after(gap); slots_[i].is_used; i = after(i)) {
            if (distance(home_of(slots_[i].key), i) < distance(gap, i)) continue;
            slots_[gap] = slots_[i];
            gap = i;
        }
        slots_[gap].is_used = false;
        --size_;
    }

    /// Keeps the memory.
    void clear()
    {
        for (Slot& slot : slots_) slot.is_used = false;
        size_ = 0;
    }

    /// Makes the table large enough for `count` keys.
    void reserve(std::size_t count)
    {
        if (2 * count <= slots_.size()) return;
        std::vector<Slot> old(std::bit_ceil(2 * count));
        old.swap(slots_);
        for (const Slot& slot : old)
            if (slot.is_used) slots_[slot_of(slot.key)] = slot;
    }

private:
    struct Slot {
        Key key;
        Value value;
        bool is_used = false;
    };

    std::size_t home_of(const Key& key) const { return Home()(key, std::countr_zero(slots_.size())); }
    std::size_t after(std::size_t i) const { return (i + 1) & (slots_.size() - 1); }
    std::size_t distance(std::size_t from, std::size_t to) const { return (to - from) & (slots_.size() - 1); }

    /// Where the key is, or where it would go. There is always an unused slot to stop at.
    std::size_t slot_of(const Key& key) const
    {
        std::size_t i = home_of(key);
        while (slots_[i].is_used && !(slots_[i].key == key)) i = after(i);
        return i;
    }

    std::vector<Slot> slots_;
    std::size_t size_ = 0;
};

} // namespace phyxel::detail
