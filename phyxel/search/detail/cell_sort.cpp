// SPDX-License-Identifier: MIT
#include <phyxel/search/detail/cell_sort.h>

#include <phyxel/core/error.h>
#include <phyxel/core/parallel_for.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>

namespace phyxel::detail {
namespace {

constexpr std::size_t max_bucket_count = 1024;

/// Consecutive points that are counted and scattered together. Depends on the number of points only.
std::size_t slice_size(std::size_t point_count)
{
    return std::max<std::size_t>(8192, (point_count + 127) / 128);
}

template <int Dim, std::floating_point Real, std::floating_point Input>
void sort_dense(const PointSource<Dim, Real, Input>& source, const CellGrid<Real>& grid, Index first,
                CellSortWorkspace<Real>& workspace, SortedPoints<Real>& sorted, CellTable& table)
{
    const std::size_t n = source.size();
    const std::size_t key_count = grid.key_count;
    const int shift = std::max(0, static_cast<int>(std::bit_width(key_count)) -
                                      static_cast<int>(std::bit_width(max_bucket_count - 1)));
    const std::size_t bucket_count = (key_count >> shift) + 1;
    const std::size_t slice = slice_size(n);
    const std::size_t slice_count = block_count(n, slice);

    workspace.bucket.resize(n);
    workspace.record.resize(n);
    workspace.histogram.resize(slice_count * bucket_count);
    workspace.bucket_start.resize(bucket_count + 1);
    std::uint16_t* const bucket = workspace.bucket.data();
    auto* const record = workspace.record.data();
    std::uint32_t* const histogram = workspace.histogram.data();
    std::uint32_t* const bucket_start = workspace.bucket_start.data();

    // Count, for every slice, how many points go into each bucket.
    parallel_for_blocks(n, slice, [&](const Block& block) {
        std::uint32_t* const count = histogram + block.number * bucket_count;
        std::fill_n(count, bucket_count, 0u);
        for (std::size_t k = block.begin; k < block.end; ++k) {
            const auto x = source[k];
            const auto b = static_cast<std::uint16_t>(grid.key_of(x[0], x[1], x[2]) >> shift);
            bucket[k] = b;
            ++count[b];
        }
    });

    // Turn the counts into the places where each slice begins to write.
    std::uint32_t running = 0;
    for (std::size_t b = 0; b < bucket_count; ++b) {
        bucket_start[b] = running;
        for (std::size_t s = 0; s < slice_count; ++s) {
            std::uint32_t& count = histogram[s * bucket_count + b];
            const std::uint32_t begin = running;
            running += count;
            count = begin;
        }
    }
    bucket_start[bucket_count] = running;

    parallel_for_blocks(n, slice, [&](const Block& block) {
        std::uint32_t* const place = histogram + block.number * bucket_count;
        for (std::size_t k = block.begin; k < block.end; ++k) {
            const auto x = source[k];
            record[place[bucket[k]]++] = {x[0], x[1], x[2], source.id(k)};
        }
    });

    // Inside a bucket, sort by cell, and write down where each cell begins.
    table.dense = true;
    table.keys.clear();
    table.start.resize(key_count + 1);
    Index* const start = table.start.data();
    start[key_count] = first + static_cast<Index>(n);
    Real* const sorted_x = sorted.coordinate[0].data() + first;
    Real* const sorted_y = sorted.coordinate[1].data() + first;
    Real* const sorted_z = sorted.coordinate[2].data() + first;
    Index* const order = sorted.order.data() + first;

    const std::size_t cells_per_bucket = std::size_t(1) << shift;
    const std::size_t buckets_per_block = std::max<std::size_t>(1, bucket_count / 256);
    workspace.place.resize(block_count(bucket_count, buckets_per_block) * cells_per_bucket);
    workspace.cell_of.resize(n);
    parallel_for_blocks(bucket_count, buckets_per_block, [&](const Block& block) {
        std::uint32_t* const place = workspace.place.data() + block.number * cells_per_bucket;
        for (std::size_t b = block.begin; b < block.end; ++b) {
            const std::uint64_t first_key = std::uint64_t(b) << shift;
            const std::size_t cells = std::min<std::uint64_t>(
                cells_per_bucket, key_count - std::min<std::uint64_t>(first_key, key_count));
            const std::uint32_t begin = bucket_start[b];
            const std::uint32_t end = bucket_start[b + 1];
            std::uint32_t* const cell_of = workspace.cell_of.data() + begin;
            std::fill_n(place, cells_per_bucket, 0u);
            for (std::uint32_t k = begin; k < end; ++k) {
                const auto& p = record[k];
                const auto cell = static_cast<std::uint32_t>(grid.key_of(p.x, p.y, p.z) - first_key);
                cell_of[k - begin] = cell;
                ++place[cell];
            }
            std::uint32_t next = begin;
            for (std::size_t c = 0; c < cells; ++c) {
                start[first_key + c] = first + next;
                const std::uint32_t count = place[c];
                place[c] = next;
                next += count;
            }
            for (std::uint32_t k = begin; k < end; ++k) {
                const auto& p = record[k];
                const std::uint32_t to = place[cell_of[k - begin]]++;
                sorted_x[to] = p.x;
                sorted_y[to] = p.y;
                sorted_z[to] = p.z;
                order[to] = p.id;
            }
        }
    });
}

/// Sorts blocks of fixed size, then merges neighbouring blocks until one is left.
template <class T>
void parallel_merge_sort(std::vector<T>& values, std::vector<T>& scratch)
{
    constexpr std::size_t block_size = 16384;
    const std::size_t n = values.size();
    scratch.resize(n);
    parallel_for_blocks(n, block_size, [&](const Block& block) {
        std::sort(values.begin() + block.begin, values.begin() + block.end);
    });
    for (std::size_t width = block_size; width < n; width *= 2) {
        parallel_for_blocks(n, 2 * width, [&](const Block& pair) {
            const std::size_t middle = std::min(pair.begin + width, pair.end);
            std::merge(values.begin() + pair.begin, values.begin() + middle, values.begin() + middle,
                       values.begin() + pair.end, scratch.begin() + pair.begin);
        });
        values.swap(scratch);
    }
}

template <int Dim, std::floating_point Real, std::floating_point Input>
void sort_sparse(const PointSource<Dim, Real, Input>& source, const CellGrid<Real>& grid, Index first,
                 CellSortWorkspace<Real>& workspace, SortedPoints<Real>& sorted, CellTable& table)
{
    const std::size_t n = source.size();
    auto& keyed = workspace.keyed;
    keyed.resize(n);
    parallel_for(n, [&](Index k) {
        const auto x = source[k];
        keyed[k] = {grid.key_of(x[0], x[1], x[2]), k};
    });
    parallel_merge_sort(keyed, workspace.merged);
    parallel_for(n, [&](Index k) {
        const auto x = source[keyed[k].position];
        for (int axis = 0; axis < 3; ++axis) sorted.coordinate[axis].data()[first + k] = x[axis];
        sorted.order.data()[first + k] = source.id(keyed[k].position);
    });

    table.dense = false;
    table.keys.clear();
    std::vector<Index>& start = workspace.start;
    start.clear();
    for (std::size_t k = 0; k < n; ++k) {
        if (k > 0 && keyed[k].key == keyed[k - 1].key) continue;
        table.keys.push_back(keyed[k].key);
        start.push_back(first + static_cast<Index>(k));
    }
    start.push_back(first + static_cast<Index>(n));
    table.start.resize(start.size());
    std::copy(start.begin(), start.end(), table.start.data());
}

} // namespace

template <std::floating_point Real>
void SortedPoints<Real>::resize(std::size_t count)
{
    size = count;
    for (auto& axis : coordinate) {
        axis.resize(count + lane_padding);
        // Read as part of a whole vector and then discarded; must be defined all the same.
        std::fill_n(axis.data() + count, lane_padding, Real(0));
    }
    order.resize(count);
}

template <int Dim, std::floating_point Real, std::floating_point Input>
void sort_into_cells(const PointSource<Dim, Real, Input>& source, const CellGrid<Real>& grid, Index first,
                     CellSortWorkspace<Real>& workspace, SortedPoints<Real>& sorted, CellTable& table)
{
    constexpr std::uint64_t small = 4096;
    const bool dense = grid.key_count <= 8 * std::uint64_t(source.size()) + small;
    if (dense)
        sort_dense(source, grid, first, workspace, sorted, table);
    else
        sort_sparse(source, grid, first, workspace, sorted, table);
}

template <int Dim, std::floating_point Real, std::floating_point Input>
Bounds<Real> bounds_of(const PointSource<Dim, Real, Input>& source, std::vector<PartialBounds<Real>>& partial)
{
    constexpr Real infinity = std::numeric_limits<Real>::infinity();
    using Partial = PartialBounds<Real>;
    const std::size_t slice = slice_size(source.size());
    partial.resize(block_count(source.size(), slice));
    parallel_for_blocks(source.size(), slice, [&](const Block& block) {
        Partial p{{infinity, infinity, infinity}, {-infinity, -infinity, -infinity}, true};
        Real check = 0;
        for (std::size_t k = block.begin; k < block.end; ++k) {
            const auto x = source[k];
            for (int axis = 0; axis < Dim; ++axis) {
                p.min[axis] = std::min(p.min[axis], x[axis]);
                p.max[axis] = std::max(p.max[axis], x[axis]);
                check += x[axis] * 0; // turns NaN at the first value that is not finite, and stays so
            }
        }
        p.finite = check == 0;
        partial[block.number] = p;
    });

    Bounds<Real> bounds{{infinity, infinity, infinity}, {-infinity, -infinity, -infinity}};
    for (std::size_t s = 0; s < partial.size(); ++s) {
        if (!partial[s].finite) {
            std::size_t k = s * slice;
            const auto finite = [&](const std::array<Real, 3>& x) {
                return std::isfinite(x[0]) && std::isfinite(x[1]) && std::isfinite(x[2]);
            };
            while (finite(source[k])) ++k;
            throw InputError("point " + std::to_string(source.id(k)) + " is not finite");
        }
        for (int axis = 0; axis < Dim; ++axis) {
            bounds.min[axis] = std::min(bounds.min[axis], partial[s].min[axis]);
            bounds.max[axis] = std::max(bounds.max[axis], partial[s].max[axis]);
        }
    }
    return bounds;
}

template struct SortedPoints<float>;
template struct SortedPoints<double>;

// Not a generic facility: these are the searches that exist.
#define PHYXEL_INSTANTIATE(Dim, Real, Input)                                                                 \
    template void sort_into_cells(const PointSource<Dim, Real, Input>&, const CellGrid<Real>&, Index,        \
                                  CellSortWorkspace<Real>&, SortedPoints<Real>&, CellTable&);                \
    template Bounds<Real> bounds_of(const PointSource<Dim, Real, Input>&, std::vector<PartialBounds<Real>>&);
PHYXEL_INSTANTIATE(1, float, float)
PHYXEL_INSTANTIATE(2, float, float)
PHYXEL_INSTANTIATE(3, float, float)
PHYXEL_INSTANTIATE(1, float, double)
PHYXEL_INSTANTIATE(2, float, double)
PHYXEL_INSTANTIATE(3, float, double)
PHYXEL_INSTANTIATE(1, double, double)
PHYXEL_INSTANTIATE(2, double, double)
PHYXEL_INSTANTIATE(3, double, double)
#undef PHYXEL_INSTANTIATE

} // namespace phyxel::detail
