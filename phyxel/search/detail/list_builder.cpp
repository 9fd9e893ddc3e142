// SPDX-License-Identifier: MIT
#include <phyxel/search/detail/list_builder.h>

#include <phyxel/core/error.h>
#include <phyxel/core/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <string>
#include <thread>

namespace phyxel {

using detail::CandidateArrays;
using detail::CandidateRun;
using detail::CellGrid;
using detail::CellTable;
using detail::ListKernel;

namespace {

constexpr std::size_t points_per_block = 2048;

// With fewer queries in a cell, finding out which candidates to leave out costs more than testing them.
constexpr Index queries_worth_culling = 8;

// Lists larger than this do not stay in the cache anyway; streaming them out leaves it to the points.
constexpr std::size_t entries_worth_streaming = 1 << 21;

template <class Real>
void cut_into_blocks(std::span<const SearchLevel<Real>> levels, std::vector<BlockOfCells>& blocks)
{
    blocks.clear();
    for (std::size_t l = 0; l < levels.size(); ++l) {
        const auto& level = levels[l];
        const Index* const start = level.table.start.data();
        const std::size_t cell_count = level.table.cell_count();
        std::size_t cell = 0;
        for (std::size_t end = points_per_block; cell < cell_count; end += points_per_block) {
            const auto target = static_cast<Index>(level.first + std::min<std::size_t>(end, level.size));
            std::size_t last = static_cast<std::size_t>(
                std::lower_bound(start + cell + 1, start + cell_count, target) - start);
            if (end >= level.size) last = cell_count;
            if (start[last] > start[cell]) blocks.push_back({l, cell, last, start[cell], start[last]});
            cell = last;
        }
    }
}

/// The number of the block after which each list ends, handed from block to block.
class Baton {
public:
    /// `ends` is memory for the ends of the blocks.
    Baton(std::size_t block_count, std::vector<std::atomic<std::uint64_t>>& ends) : end_(ends)
    {
        if (end_.size() < block_count)
            end_ = std::vector<std::atomic<std::uint64_t>>(block_count + block_count / 4);
        for (auto& end : end_) end.store(0, std::memory_order_relaxed);
    }

    /// Waits for the end of the previous block; false if the run has failed.
    bool wait(std::size_t block, std::uint64_t& begin) const
    {
        begin = 0;
        if (block == 0) return true;
        for (int spins = 0;; ++spins) {
            const std::uint64_t end = end_[block - 1].load(std::memory_order_acquire);
            if (end != 0) {
                begin = end - 1;
                return true;
            }
            if (failed_.load(std::memory_order_relaxed)) return false;
            if (spins > 64) std::this_thread::yield();
        }
    }

    void pass(std::size_t block, std::uint64_t end) { end_[block].store(end + 1, std::memory_order_release); }
    void fail() { failed_.store(true, std::memory_order_relaxed); }

private:
    std::vector<std::atomic<std::uint64_t>>& end_; ///< one more than the end; 0 while unknown
    std::atomic<bool> failed_ = false;
};

/// Finds the runs of sorted points in a box of cells of one level.
template <class Real>
class RunCollector {
public:
    std::vector<CandidateRun<Real>> runs;
    std::size_t candidate_count = 0;
    bool shifted = false;
    bool overlapping = false; ///< the same points through two images: lists must be sorted afterwards

    void clear()
    {
        runs.clear();
        candidate_count = 0;
        shifted = overlapping = false;
    }

    /// The nine runs around an inner cell of a dense grid; padding makes every row exist.
    void add_around(const CellGrid<Real>& grid, const CellTable& table, std::uint64_t key)
    {
        const Index* const start = table.start.data();
        const std::uint64_t plane = grid.pad[2] ? grid.stride[2] : 0;
        const std::uint64_t row = grid.pad[1] ? grid.stride[1] : 0;
        std::uint64_t z = key - plane;
        for (std::int64_t dz = -grid.pad[2]; dz <= grid.pad[2]; ++dz, z += plane) {
            std::uint64_t y = z - row;
            for (std::int64_t dy = -grid.pad[1]; dy <= grid.pad[1]; ++dy, y += row)
                add_run(start[y - 1], start[y + 2], {});
        }
    }

    /// All points in the cells from `low` to `high`, both included, which may reach over the rim.
    void add_box(const CellGrid<Real>& grid, const CellTable& table, std::array<std::int64_t, 3> low,
                 std::array<std::int64_t, 3> high)
    {
        for (int k = 0; k < 3; ++k) {
            if (grid.is_periodic(k)) {
                if (high[k] - low[k] + 1 > grid.count[k]) overlapping = true;
            } else {
                low[k] = std::max<std::int64_t>(low[k], 0);
                high[k] = std::min(high[k], grid.count[k] - 1);
            }
        }
        const std::size_t first_run = runs.size();
        for (std::int64_t z = low[2]; z <= high[2]; ++z) {
            const Image iz = image(grid, 2, z);
            for (std::int64_t y = low[1]; y <= high[1]; ++y) {
                const Image iy = image(grid, 1, y);
                // A row that crosses the periodic rim falls into pieces.
                for (std::int64_t x = low[0]; x <= high[0];) {
                    const Image ix = image(grid, 0, x);
                    const std::int64_t length = std::min(high[0] - x, grid.count[0] - 1 - ix.cell);
                    add_cells(table, grid.key(ix.cell, iy.cell, iz.cell),
                              grid.key(ix.cell + length, iy.cell, iz.cell), {ix.shift, iy.shift, iz.shift});
                    x += length + 1;
                }
            }
        }
        // Lists are ascending because runs are.
        if (grid.is_periodic())
            std::stable_sort(runs.begin() + first_run, runs.end(),
                             [](const auto& a, const auto& b) { return a.begin < b.begin; });
    }

private:
    struct Image {
        std::int64_t cell;
        Real shift;
    };

    static Image image(const CellGrid<Real>& grid, int axis, std::int64_t cell)
    {
        if (!grid.is_periodic(axis)) return {cell, 0};
        std::int64_t turns = cell / grid.count[axis];
        if (cell % grid.count[axis] < 0) --turns;
        return {cell - turns * grid.count[axis], static_cast<Real>(turns) * grid.period[axis]};
    }

    void add_cells(const CellTable& table, std::uint64_t first_key, std::uint64_t last_key,
                   const std::array<Real, 3>& shift)
    {
        const Index* const start = table.start.data();
        if (table.dense) {
            add_run(start[first_key], start[last_key + 1], shift);
            return;
        }
        const auto first = std::lower_bound(table.keys.begin(), table.keys.end(), first_key);
        auto last = first;
        while (last != table.keys.end() && *last <= last_key) ++last;
        add_run(start[first - table.keys.begin()], start[last - table.keys.begin()], shift);
    }

    void add_run(Index begin, Index end, const std::array<Real, 3>& shift)
    {
        if (begin == end) return;
        runs.push_back({begin, end, {shift[0], shift[1], shift[2]}});
        candidate_count += end - begin;
        if (shift[0] != 0 || shift[1] != 0 || shift[2] != 0) shifted = true;
    }
};

} // namespace

template <class Real>
struct NeighborListBuilder<Real>::Scratch {
    RunCollector<Real> runs;
    std::array<Buffer<Real>, 7> candidate;
    Buffer<std::uint32_t> candidate_id, side;
    Buffer<std::uint32_t> ids;    ///< lists of the block
    Buffer<std::uint32_t> counts; ///< their lengths
    std::size_t id_count = 0;

    CandidateArrays<Real> candidates()
    {
        const std::size_t room = runs.candidate_count + 2 * ListKernel<Real>::max_lanes;
        for (auto& buffer : candidate) buffer.resize(room);
        candidate_id.resize(room);
        side.resize(room);
        return {candidate[0].data(),
                candidate[1].data(),
                candidate[2].data(),
                candidate[3].data(),
                {candidate[4].data(), candidate[5].data(), candidate[6].data()},
                candidate_id.data(),
                side.data(),
                runs.shifted};
    }

    void make_room(std::size_t entries)
    {
        const std::size_t needed = id_count + entries;
        if (needed > ids.capacity()) ids.grow(std::max(needed, 2 * ids.capacity()), id_count);
    }
};

/// Scratch memory for one block, given back at its end. Which thread gets which piece does not matter.
template <class Real>
class NeighborListBuilder<Real>::ScratchLease {
public:
    explicit ScratchLease(NeighborListBuilder& builder) : builder_(builder)
    {
        const std::lock_guard lock(builder_.mutex_);
        if (builder_.free_scratch_.empty()) {
            scratch_ = std::make_unique<Scratch>();
        } else {
            scratch_ = std::move(builder_.free_scratch_.back());
            builder_.free_scratch_.pop_back();
        }
    }
    ~ScratchLease()
    {
        const std::lock_guard lock(builder_.mutex_);
        builder_.free_scratch_.push_back(std::move(scratch_));
    }
    ScratchLease(const ScratchLease&) = delete;
    ScratchLease& operator=(const ScratchLease&) = delete;

    Scratch& operator*() { return *scratch_; }

private:
    NeighborListBuilder& builder_;
    std::unique_ptr<Scratch> scratch_;
};

namespace {

/// Cells of `target` that points of the cell `cell` of `source` can reach.
template <class Real>
void add_reachable(const SearchLevel<Real>& source, std::uint64_t key, const SearchLevel<Real>& target,
                   bool larger_radius_counts, RunCollector<Real>& runs)
{
    const auto cell = source.grid.cell_of(key);
    if (&source == &target) {
        std::array<std::int64_t, 3> low, high;
        for (int k = 0; k < 3; ++k) {
            low[k] = cell[k] - source.grid.pad[k];
            high[k] = cell[k] + source.grid.pad[k];
        }
        runs.add_box(target.grid, target.table, low, high);
        return;
    }
    // Between levels the box of the cell is widened by the reach, and by a little more for rounding.
    const double reach = larger_radius_counts ? std::max(source.reach, target.reach) : source.reach;
    std::array<std::int64_t, 3> low{}, high{};
    for (int k = 0; k < 3; ++k) {
        if (source.grid.pad[k] == 0) continue;
        const double edge = 1.0 / double(source.grid.inverse_edge[k]);
        const double margin = reach + 1e-3 * edge;
        const double begin = double(source.grid.origin[k]) + double(cell[k]) * edge - margin;
        const double end = double(source.grid.origin[k]) + double(cell[k] + 1) * edge + margin;
        const double scale = double(target.grid.inverse_edge[k]);
        low[k] = static_cast<std::int64_t>(std::floor((begin - double(target.grid.origin[k])) * scale));
        high[k] = static_cast<std::int64_t>(std::floor((end - double(target.grid.origin[k])) * scale));
    }
    runs.add_box(target.grid, target.table, low, high);
}

/// Sorts each of the lists just written and removes points that were seen through two images.
std::uint32_t* sort_lists(std::uint32_t* begin, std::uint32_t* counts, std::size_t list_count)
{
    std::uint32_t* out = begin;
    for (std::size_t l = 0; l < list_count; ++l) {
        std::uint32_t* const end = begin + counts[l];
        std::sort(begin, end);
        std::uint32_t* const last = std::unique(begin, end);
        const std::size_t kept = static_cast<std::size_t>(last - begin);
        out = std::copy(begin, last, out);
        begin = end;
        counts[l] = static_cast<std::uint32_t>(kept);
    }
    return out;
}

} // namespace

template <class Real>
NeighborListBuilder<Real>::NeighborListBuilder(const detail::ListKernel<Real>& kernel) : kernel_(kernel)
{
}

template <class Real>
NeighborListBuilder<Real>::~NeighborListBuilder() = default;

template <class Real>
void NeighborListBuilder<Real>::build(std::span<const SearchLevel<Real>> levels,
                                      const detail::PointArrays<Real>& points, std::uint64_t entry_limit,
                                      NeighborLists& lists)
{
    std::size_t point_count = 0;
    for (const auto& level : levels) point_count += level.size;
    cut_into_blocks(levels, blocks_);
    const std::vector<BlockOfCells>& blocks = blocks_;

    lists.offsets_.resize(point_count + 1);
    std::uint64_t* const offsets = lists.offsets_.data();
    offsets[0] = 0;
    if (lists.ids_.capacity() < 16 * point_count) lists.ids_.resize(32 * point_count);
    std::uint32_t* const ids = lists.ids_.data();
    const std::uint64_t capacity = lists.ids_.capacity();
    const bool stream = capacity > entries_worth_streaming;

    // Lists that no longer fit wait here until the array has grown.
    struct Late {
        std::uint64_t begin;
        std::vector<std::uint32_t> ids;
    };
    std::vector<Late> late;
    std::mutex late_mutex;
    Baton baton(blocks.size(), block_ends_);

    const auto list_cell = [&](const SearchLevel<Real>& level, std::size_t cell, Scratch& scratch,
                               std::uint32_t* counts) {
        const Index begin = level.table.start.data()[cell];
        const Index end = level.table.start.data()[cell + 1];
        auto& runs = scratch.runs;
        runs.clear();
        const bool plain = levels.size() == 1 && level.table.dense && !level.grid.is_periodic();
        if (plain) {
            runs.add_around(level.grid, level.table, cell);
        } else {
            const std::uint64_t key = level.table.dense ? cell : level.table.keys[cell];
            for (const auto& target : levels)
                if (target.size > 0) add_reachable(level, key, target, points.larger_radius_counts, runs);
        }
        const CandidateArrays<Real> candidates = scratch.candidates();
        const bool cull = end - begin >= queries_worth_culling;
        const std::size_t candidate_count = kernel_.gather(
            points, runs.runs.data(), static_cast<int>(runs.runs.size()), begin, end, cull, candidates);
        // A cell with very many points is done in portions, so that the room for its lists stays bounded.
        const std::size_t portion = std::max<std::size_t>(2, (std::size_t(1) << 20) / (candidate_count + 1));
        for (std::size_t q = begin; q < end; q += portion) {
            const std::size_t q_end = std::min<std::size_t>(end, q + portion);
            scratch.make_room((q_end - q) * candidate_count + 2 * ListKernel<Real>::max_lanes);
            std::uint32_t* const out = scratch.ids.data() + scratch.id_count;
            std::uint32_t* out_end = kernel_.test(points, candidates, candidate_count, static_cast<Index>(q),
                                                  static_cast<Index>(q_end), out, counts + (q - begin));
            if (runs.overlapping) out_end = sort_lists(out, counts + (q - begin), q_end - q);
            scratch.id_count += static_cast<std::size_t>(out_end - out);
            if (scratch.id_count > entry_limit) return;
        }
    };

    parallel_for_blocks(blocks.size(), 1, [&](const Block& b) {
        const BlockOfCells& block = blocks[b.number];
        try {
            ScratchLease lease(*this);
            Scratch& scratch = *lease;
            scratch.id_count = 0;
            const std::size_t query_count = block.last_point - block.first_point;
            scratch.counts.resize(query_count);
            std::uint32_t* const counts = scratch.counts.data();

            const SearchLevel<Real>& level = levels[block.level];
            const Index* const start = level.table.start.data();
            for (std::size_t cell = block.first_cell; cell < block.last_cell; ++cell) {
                if (start[cell] == start[cell + 1]) continue;
                list_cell(level, cell, scratch, counts + (start[cell] - block.first_point));
                if (scratch.id_count > entry_limit) break;
            }

            std::uint64_t begin = 0;
            if (!baton.wait(b.number, begin)) return;
            const std::uint64_t end = begin + scratch.id_count;
            if (end > entry_limit)
                throw InputError(
                    "more than " + std::to_string(entry_limit) +
                    " neighbours in all: the radius is too large or the points lie on top of each other");
            baton.pass(b.number, end);

            std::uint64_t running = begin;
            for (std::size_t q = 0; q < query_count; ++q) {
                offsets[block.first_point + q] = running;
                running += counts[q];
            }
            if (end > capacity) {
                const std::lock_guard lock(late_mutex);
                late.push_back({begin, {scratch.ids.data(), scratch.ids.data() + scratch.id_count}});
            } else if (stream) {
                kernel_.stream(scratch.ids.data(), scratch.id_count, ids + begin);
            } else {
                std::copy_n(scratch.ids.data(), scratch.id_count, ids + begin);
            }
            if (b.number + 1 == blocks.size()) offsets[point_count] = end;
        } catch (...) {
            baton.fail();
            throw;
        }
    });

    const std::uint64_t total = offsets[point_count];
    if (total > capacity) {
        std::uint64_t in_place = total;
        for (const Late& piece : late) in_place = std::min(in_place, piece.begin);
        lists.ids_.grow(total + total / 8, in_place);
        parallel_for(
            late.size(),
            [&](Index l) {
                std::copy(late[l].ids.begin(), late[l].ids.end(), lists.ids_.data() + late[l].begin);
            },
            1);
    }
}

template class NeighborListBuilder<float>;
template class NeighborListBuilder<double>;

} // namespace phyxel
