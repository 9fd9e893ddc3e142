// SPDX-License-Identifier: MIT
// Numbers at the nodes of a regular grid, kept only where something is: memory follows the thing that is
// sampled and not the space it could be in. Nodes lie at whole multiples of the cell in all directions, so
// two fields with the same cell fit together, and a fluid that comes to rest gets the same nodes every frame.
#pragma once

#include <phyxel/core/buffer.h>
#include <phyxel/core/types.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace phyxel {

/// Number of a node, or of a block, along x, y and z. Node n lies at `cell · n`.
using GridIndex = std::array<std::int32_t, 3>;

/// Values in blocks of 8³ nodes; outside of them the field has the value `background`. Blocks are sorted by
/// z, then y, then x. Block b begins with the node 8·b; within a block x runs fastest.
class SparseField {
public:
    static constexpr int block_edge = 8;
    static constexpr std::size_t block_size = 512; ///< nodes

    /// Blocks may be at most this far apart along an axis, and lie no further from the origin.
    static constexpr std::int32_t max_block = 1 << 20;

    SparseField() = default;

    /// Values are undefined until they are written. Duplicates in `blocks` are dropped. Throws InputError for
    /// a cell that is not a positive length, and for blocks that are too far away.
    SparseField(double cell, std::vector<GridIndex> blocks, float background = 0.0f);

    double cell() const { return cell_; } ///< [m]
    float background() const { return background_; }
    std::size_t block_count() const { return keys_.size(); }

    /// Which block it is: its first node is 8 times this.
    GridIndex block_index(std::size_t block) const;

    std::span<float, block_size> values(std::size_t block)
    {
        return std::span<float, block_size>(values_.data() + block * block_size, block_size);
    }
    std::span<const float, block_size> values(std::size_t block) const
    {
        return std::span<const float, block_size>(values_.data() + block * block_size, block_size);
    }

    /// The place of a block in the order above, if the field has it.
    std::optional<std::size_t> find(const GridIndex& block) const;

    /// The value at a node; `background` where there is no block.
    float at(const GridIndex& node) const;

    /// Where a node lies [m].
    Vec<3> position(const GridIndex& node) const { return cell_ * Vec<3>(node[0], node[1], node[2]); }

    /// Calls visit(node, place, value) for all nodes of all blocks; place / 512 is the block, place % 512 the
    /// value in it.
    template <class Visit>
    void for_each_node(Visit&& visit) const
    {
        for (std::size_t b = 0; b < keys_.size(); ++b) {
            const GridIndex block = block_index(b);
            for (std::size_t n = 0; n < block_size; ++n) {
                const auto i = static_cast<std::int32_t>(n);
                visit(GridIndex{block_edge * block[0] + (i & 7), block_edge * block[1] + (i >> 3 & 7),
                                block_edge * block[2] + (i >> 6)},
                      b * block_size + n, values_.data()[b * block_size + n]);
            }
        }
    }

    /// Of values and table [bytes].
    std::size_t memory() const;

private:
    double cell_ = 1.0;
    float background_ = 0.0f;
    std::vector<std::uint64_t> keys_; ///< ascending
    Buffer<float> values_;
};

} // namespace phyxel
