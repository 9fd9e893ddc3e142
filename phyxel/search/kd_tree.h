// SPDX-License-Identifier: MIT
// kd-tree over points that stay where they are: neighbours within any radius and the k nearest, also where
// the sampling density varies strongly [AW09, Sec. 5.1].
#pragma once

#include <phyxel/core/assert.h>
#include <phyxel/core/types.h>
#include <phyxel/search/detail/closed_ball.h>

#include <cstdint>
#include <span>
#include <vector>

namespace phyxel {

/// Along which axis a cell of the tree is halved.
enum class SplitAxis {
    Widest,  ///< the longest edge of the box around the cell's points
    Cycling, ///< x, y, z, x, … with depth, as in [AW09, Alg. 1]
};

struct KdTreeOptions {
    Index leaf_size = 16; ///< most points in a cell that is not halved any more
    SplitAxis split_axis = SplitAxis::Widest;
};

/// A point and how far it is from the place of the query.
template <std::floating_point Real = double>
struct Neighbor {
    Index id;
    Real distance;

    friend bool operator==(const Neighbor&, const Neighbor&) = default;
};

/// What each of several queries found, in one flat array.
template <class Item>
struct QueryResults {
    std::vector<std::uint64_t> offsets = {0}; ///< where each result begins; one more than there are queries
    std::vector<Item> items;                  ///< all results, one after the other

    std::size_t size() const { return offsets.size() - 1; }

    std::span<const Item> of(std::size_t query) const
    {
        PHYXEL_ASSERT(query < size());
        return {items.data() + offsets[query], offsets[query + 1] - offsets[query]};
    }
};

/// Balanced tree: every cell is halved by rank, so the numbers of points in two cells of one depth differ by
/// at most one however the points lie. Points are named by their place in the span the tree was built from.
///
/// Queries may run on several threads at once. They refuse a place that is not finite.
template <int Dim, std::floating_point Real = double>
class KdTree {
public:
    using Point = Vec<Dim, Real>;

    KdTree() = default;

    /// Copies the points, which must be finite. O(n log n).
    explicit KdTree(std::span<const Point> points, const KdTreeOptions& options = {});

    std::size_t size() const { return points_.size(); }

    /// All points with |x − p| ≤ r in ascending order, one at x itself included. Squares are compared:
    /// Σ (x_k − p_k)² ≤ r² in working precision. An infinite radius finds every point.
    void radius(const Point& x, Real r, std::vector<Index>& out) const;

    /// The k nearest points, or all if there are fewer, sorted by distance and, where that is the same
    /// number, by id.
    void nearest(const Point& x, std::size_t k, std::vector<Neighbor<Real>>& out) const;

    /// `radius` around every place in `x`, in parallel.
    QueryResults<Index> radius(std::span<const Point> x, Real r) const;

    /// `nearest` for every place in `x`, in parallel.
    QueryResults<Neighbor<Real>> nearest(std::span<const Point> x, std::size_t k) const;

private:
    using Box = detail::Box<Dim, Real>;

    // Cells are numbered like a heap: the root is 1, the halves of cell c are 2c and 2c + 1. Which points a
    // cell has follows from its number, so only boxes are stored.
    using CellNumber = std::uint64_t;
    struct Range {
        std::size_t begin;
        std::size_t end;
    };
    class Builder;

    Range range_of(CellNumber cell) const;
    bool is_leaf(CellNumber cell) const { return cell >= first_leaf_; }
    void find_within(const Point& x, Real r, std::vector<Index>& out) const;
    void find_nearest(const Point& x, std::size_t k, std::vector<Neighbor<Real>>& out) const;

    std::vector<Point> points_; ///< cell by cell
    std::vector<Index> ids_;    ///< of points_
    std::vector<Box> boxes_;    ///< around the points of each cell
    CellNumber first_leaf_ = 1; ///< all leaves have the same depth
};

extern template class KdTree<1, double>;
extern template class KdTree<2, double>;
extern template class KdTree<3, double>;
extern template class KdTree<1, float>;
extern template class KdTree<2, float>;
extern template class KdTree<3, float>;

} // namespace phyxel
