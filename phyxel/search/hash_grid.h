// SPDX-License-Identifier: MIT
// Hash grid over points that come, move and go: cubic cells of one edge length, of which only those with
// points in them are stored, so that space needs no bounds [AW09, Sec. 5.2].
#pragma once

#include <phyxel/core/types.h>
#include <phyxel/search/detail/cell_hash.h>
#include <phyxel/search/detail/flat_map.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace phyxel {

/// How many cells per axis a query looks into.
enum class CellRange {
    Two,   ///< enough for radii up to half a cell edge [AW09, Alg. 4]
    Three, ///< enough for radii up to a cell edge
};

/// Points with ids of the caller's choice. What a query finds depends on the points and their ids only, not
/// on the order in which they came.
///
/// Unlike in [AW09, Alg. 3 and 4] an entry of the table knows its cell. Cells that share a hash are thus told
/// apart: no point is found twice and none is tested that lies elsewhere.
///
/// Queries may run on several threads at once while nobody changes the grid.
template <int Dim, std::floating_point Real = double>
class HashGrid {
public:
    using Point = Vec<Dim, Real>;
    using Cell = std::array<std::int64_t, Dim>;

    /// Throws InputError unless `cell_edge` is positive and finite.
    explicit HashGrid(Real cell_edge);

    /// A grid with `points`, whose ids are their places in the span.
    HashGrid(Real cell_edge, std::span<const Point> points);

    Real cell_edge() const { return cell_edge_; }
    std::size_t size() const { return places_.size(); }
    bool contains(Index id) const { return places_.find(id) != nullptr; }

    /// Exchanges all points for `points`, whose ids are their places in the span. O(n), and without
    /// allocations if the grid has held as many before.
    void assign(std::span<const Point> points);

    // Each in O(1). They throw InputError, and change nothing, for an id that is there already (insert) or
    // not there (remove, move) and for a point that is not finite or too many cells away from the origin.
    void insert(Index id, const Point& x);
    void remove(Index id);
    void move(Index id, const Point& x);

    void clear();

    /// ⌊x / cell_edge⌋ along every axis [AW09, Eq. 42]. Throws InputError if x is not finite or the result
    /// exceeds 2⁶².
    Cell cell_of(const Point& x) const;

    /// The ids of all points with |x − p| ≤ r in ascending order, one at x itself included. Squares are
    /// compared: Σ (x_k − p_k)² ≤ r² in working precision. Any radius will do: a ball that reaches over more
    /// cells than there are is compared with all of these.
    void radius(const Point& x, Real r, std::vector<Index>& out) const;

    /// The same for a radius that `range` is enough for; throws InputError for a larger one. With cells as
    /// wide as the radius, the 2^Dim cells that [AW09, Alg. 5] asks for miss one neighbour in eight.
    void radius(const Point& x, Real r, CellRange range, std::vector<Index>& out) const;

private:
    struct Entry {
        Point x;
        Index id;
    };
    /// The points of a cell lie side by side; the last takes the place of one that leaves.
    struct CellPoints {
        Cell cell;
        std::vector<Entry> entries;
    };
    /// Where a point is kept: cells_[cell].entries[position].
    struct Place {
        Index cell;
        Index position;
    };
    struct CellHome {
        std::size_t operator()(const Cell& cell, int bits) const { return detail::cell_home(cell, bits); }
    };
    /// Ids that count from 0 stay in order, which the cache likes; the high bits of others are folded in.
    struct IdHome {
        std::size_t operator()(Index id, int bits) const
        {
            const std::uint64_t key = id;
            return static_cast<std::size_t>((key ^ (key >> bits)) & ((std::uint64_t(1) << bits) - 1));
        }
    };
    struct CellBox;

    Place& place_of(Index id);
    Place add_to_cell(const Cell& cell, const Entry& entry);
    void remove_from_cell(const Place& place);
    CellBox cells_within(const Point& x, Real r) const;

    Real cell_edge_;
    std::vector<CellPoints> cells_;
    std::vector<Index> free_cells_; ///< those of cells_ that are empty, to be used again
    detail::FlatMap<Cell, Index, CellHome> cell_numbers_;
    detail::FlatMap<Index, Place, IdHome> places_;
};

extern template class HashGrid<1, double>;
extern template class HashGrid<2, double>;
extern template class HashGrid<3, double>;
extern template class HashGrid<1, float>;
extern template class HashGrid<2, float>;
extern template class HashGrid<3, float>;

} // namespace phyxel
