// SPDX-License-Identifier: MIT
#include <phyxel/geometry/sparse_field.h>

#include <phyxel/core/error.h>

#include <algorithm>
#include <cmath>

namespace phyxel {
namespace {

constexpr int bits = 21; ///< of a key for each axis
constexpr std::uint64_t mask = (std::uint64_t(1) << bits) - 1;

bool is_in_range(const GridIndex& block)
{
    return std::all_of(block.begin(), block.end(), [](std::int32_t b) {
        return b >= -SparseField::max_block && b < SparseField::max_block;
    });
}

std::uint64_t key_of(const GridIndex& block)
{
    std::uint64_t key = 0;
    for (int k = 2; k >= 0; --k)
        key = key << bits | static_cast<std::uint64_t>(block[k] + SparseField::max_block);
    return key;
}

} // namespace

SparseField::SparseField(double cell, std::vector<GridIndex> blocks, float background)
    : cell_(cell),
      background_(background)
{
    if (!(cell > 0) || !std::isfinite(cell)) throw InputError("the cell of a grid must be a positive length");
    if (!std::all_of(blocks.begin(), blocks.end(), is_in_range))
        throw InputError("a grid reaches at most " + std::to_string(block_edge * max_block) +
                         " cells from the origin; larger cells, or things nearer to the origin, would fit");
    keys_.reserve(blocks.size());
    for (const GridIndex& block : blocks) keys_.push_back(key_of(block));
    if (!std::is_sorted(keys_.begin(), keys_.end())) std::sort(keys_.begin(), keys_.end());
    keys_.erase(std::unique(keys_.begin(), keys_.end()), keys_.end());
    values_.resize(keys_.size() * block_size);
}

GridIndex SparseField::block_index(std::size_t block) const
{
    PHYXEL_ASSERT(block < keys_.size());
    GridIndex index;
    for (int k = 0; k < 3; ++k)
        index[k] = static_cast<std::int32_t>(keys_[block] >> (bits * k) & mask) - max_block;
    return index;
}

std::optional<std::size_t> SparseField::find(const GridIndex& block) const
{
    if (!is_in_range(block)) return std::nullopt;
    const std::uint64_t key = key_of(block);
    const auto found = std::lower_bound(keys_.begin(), keys_.end(), key);
    if (found == keys_.end() || *found != key) return std::nullopt;
    return static_cast<std::size_t>(found - keys_.begin());
}

float SparseField::at(const GridIndex& node) const
{
    // Shifts of negative numbers round down in C++20, as ⌊n / 8⌋ does.
    const auto block = find({node[0] >> 3, node[1] >> 3, node[2] >> 3});
    if (!block) return background_;
    const std::int32_t place = (node[2] & 7) * 64 + (node[1] & 7) * 8 + (node[0] & 7);
    return values(*block)[static_cast<std::size_t>(place)];
}

std::size_t SparseField::memory() const
{
    return keys_.capacity() * sizeof(std::uint64_t) + values_.capacity() * sizeof(float);
}

} // namespace phyxel
