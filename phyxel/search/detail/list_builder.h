// SPDX-License-Identifier: MIT
// Builds compact neighbour lists from sorted points in a single pass. A block of points is done by one
// thread into scratch memory that stays in its cache; when the block before has said where it ends, the
// lists go to their final place. Blocks are begun in ascending order, so the wait is short and always ends.
#pragma once

#include <phyxel/search/detail/cell_sort.h>
#include <phyxel/search/detail/list_kernel.h>
#include <phyxel/search/neighbor_lists.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace phyxel {

/// Points of similar radius, sorted into one grid. With one radius for all there is one level.
template <class Real>
struct SearchLevel {
    detail::CellGrid<Real> grid;
    detail::CellTable table;
    Index first = 0; ///< first of its points in the sorted order
    Index size = 0;
    Real reach = 0; ///< largest radius in the level
};

/// Consecutive cells of one level whose points make up a block.
struct BlockOfCells {
    std::size_t level;
    std::size_t first_cell;
    std::size_t last_cell; ///< one past
    Index first_point;
    Index last_point; ///< one past
};

template <class Real>
class NeighborListBuilder {
public:
    explicit NeighborListBuilder(const detail::ListKernel<Real>& kernel);
    ~NeighborListBuilder();

    /// Lists for all points of all levels, in sorted numbering. Throws InputError beyond `entry_limit`
    /// entries.
    void build(std::span<const SearchLevel<Real>> levels, const detail::PointArrays<Real>& points,
               std::uint64_t entry_limit, NeighborLists& lists);

private:
    struct Scratch;
    class ScratchLease;

    detail::ListKernel<Real> kernel_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<Scratch>> free_scratch_;
    std::vector<BlockOfCells> blocks_;
    std::vector<std::atomic<std::uint64_t>> block_ends_;
};

extern template class NeighborListBuilder<float>;
extern template class NeighborListBuilder<double>;

} // namespace phyxel
