// SPDX-License-Identifier: MIT
// What a depth-first walk over a binary tree has yet to visit, without memory on the heap.
#pragma once

#include <phyxel/core/assert.h>

#include <array>
#include <cstddef>

namespace phyxel {

/// A tree over 2³² things is at most 33 cells deep, and each level leaves at most one entry behind.
template <class Entry>
class WalkStack {
public:
    bool is_empty() const { return size_ == 0; }

    void push(const Entry& entry)
    {
        PHYXEL_ASSERT(size_ < entries_.size());
        entries_[size_++] = entry;
    }

    Entry pop() { return entries_[--size_]; }

private:
    std::array<Entry, 40> entries_;
    std::size_t size_ = 0;
};

} // namespace phyxel
