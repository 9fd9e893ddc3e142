// SPDX-License-Identifier: MIT
// Sorts points into the cells of a grid: a stable radix sort in two passes, first into buckets of
// consecutive cells, then inside each bucket, where everything fits into the cache. The result does not
// depend on the number of threads.
//
// Where there are many more cells than points (a few droplets in a huge box) no array over all cells is
// made: the keys are sorted by comparison and only occupied cells are kept.
#pragma once

#include <phyxel/core/buffer.h>
#include <phyxel/search/detail/cell_grid.h>
#include <phyxel/search/periodic_box.h>

#include <span>
#include <vector>

namespace phyxel::detail {

/// Coordinates and original numbers of points in cell order, one array an axis. Axes not in use are 0.
/// Each array is padded by `lane_padding` values, so that whole vectors may be read past the end.
template <std::floating_point Real>
struct SortedPoints {
    static constexpr std::size_t lane_padding = 16;

    std::array<Buffer<Real>, 3> coordinate;
    Buffer<Index> order;
    std::size_t size = 0;

    void resize(std::size_t count);
};

/// Where the points of each cell begin in the sorted order.
struct CellTable {
    bool dense = true;
    Buffer<Index> start;             ///< dense: by key, with one more entry; sparse: by occupied cell
    std::vector<std::uint64_t> keys; ///< sparse: keys of the occupied cells, ascending

    std::size_t cell_count() const { return start.size() - 1; }
};

/// Points as they come in: converted to the precision of the search, shifted to its origin and wrapped into
/// the periodic box. With `ids`, only those.
template <int Dim, std::floating_point Real, std::floating_point Input>
struct PointSource {
    std::span<const Vec<Dim, Input>> points;
    std::span<const Index> ids;
    Vec<Dim, Input> origin;
    PeriodicBox<Dim, Input> box;
    bool periodic;
    bool all;

    std::size_t size() const { return all ? points.size() : ids.size(); }
    Index id(std::size_t k) const { return all ? static_cast<Index>(k) : ids[k]; }

    std::array<Real, 3> operator[](std::size_t k) const
    {
        Vec<Dim, Input> x = points[id(k)];
        if (periodic) x = box.wrap(x);
        std::array<Real, 3> result{};
        for (int axis = 0; axis < Dim; ++axis) {
            if constexpr (std::same_as<Real, Input>)
                result[axis] = x[axis];
            else
                result[axis] = static_cast<Real>(x[axis] - origin[axis]);
        }
        return result;
    }
};

/// Box around some of the points.
template <std::floating_point Real>
struct PartialBounds {
    std::array<Real, 3> min, max;
    bool finite;
};

/// Scratch memory of the sort, kept from one to the next.
template <std::floating_point Real>
struct CellSortWorkspace {
    struct Record {
        Real x, y, z;
        Index id;
    };
    struct KeyedPoint {
        std::uint64_t key;
        Index position; ///< in the source
        bool operator<(const KeyedPoint& other) const
        {
            return key != other.key ? key < other.key : position < other.position;
        }
    };
    Buffer<std::uint16_t> bucket;
    Buffer<Record> record;
    Buffer<std::uint32_t> histogram;
    Buffer<std::uint32_t> bucket_start;
    Buffer<std::uint32_t> place;   ///< where the next point of a cell goes, for each block of buckets
    Buffer<std::uint32_t> cell_of; ///< of each point, counted from the first one of its bucket
    std::vector<KeyedPoint> keyed, merged;
    std::vector<Index> start;
};

/// Sorts the points of `source` into `grid` and writes them to `sorted` from position `first` on; `table`
/// counts from `first` as well.
template <int Dim, std::floating_point Real, std::floating_point Input>
void sort_into_cells(const PointSource<Dim, Real, Input>& source, const CellGrid<Real>& grid, Index first,
                     CellSortWorkspace<Real>& workspace, SortedPoints<Real>& sorted, CellTable& table);

/// Box around the points of `source`; `partial` is memory to work in. Throws InputError naming the first
/// point that is not finite.
template <int Dim, std::floating_point Real, std::floating_point Input>
Bounds<Real> bounds_of(const PointSource<Dim, Real, Input>& source,
                       std::vector<PartialBounds<Real>>& partial);

} // namespace phyxel::detail
