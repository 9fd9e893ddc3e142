// SPDX-License-Identifier: MIT
#include <phyxel/core/error.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/search/detail/input_checks.h>
#include <phyxel/search/kd_tree.h>
#include <phyxel/search/walk_stack.h>

#include <algorithm>
#include <bit>
#include <limits>

namespace phyxel {
namespace {

/// Runs `query(i, out)` for every i in [0, count) and lines up what they find.
template <class Item, class Query>
QueryResults<Item> collect_results(std::size_t count, Query&& query)
{
    constexpr std::size_t block_size = 256;
    std::vector<std::vector<Item>> found(block_count(count, block_size));
    QueryResults<Item> results;
    results.offsets.resize(count + 1);
    parallel_for_blocks(count, block_size, [&](const Block& block) {
        std::vector<Item>& items = found[block.number];
        std::vector<Item> out;
        for (std::size_t i = block.begin; i < block.end; ++i) {
            query(i, out);
            items.insert(items.end(), out.begin(), out.end());
            results.offsets[i + 1] = out.size();
        }
    });
    for (std::size_t i = 0; i < count; ++i) results.offsets[i + 1] += results.offsets[i];
    results.items.resize(results.offsets[count]);
    parallel_for_blocks(count, block_size, [&](const Block& block) {
        std::copy(found[block.number].begin(), found[block.number].end(),
                  results.items.data() + results.offsets[block.begin]);
    });
    return results;
}

template <std::floating_point Real>
bool is_nearer(const Neighbor<Real>& a, const Neighbor<Real>& b)
{
    return a.distance != b.distance ? a.distance < b.distance : a.id < b.id;
}

} // namespace

/// Sorts points into cells [AW09, Alg. 1]. The algorithm there puts coordinates below the median to one
/// side, which is none of them if many are equal, and never ends; we halve by rank.
template <int Dim, std::floating_point Real>
class KdTree<Dim, Real>::Builder {
public:
    Builder(KdTree& tree, std::span<const Point> points, SplitAxis split_axis)
        : tree_(tree),
          split_axis_(split_axis),
          entries_(points.size())
    {
        parallel_for(points.size(), [&](Index i) { entries_[i] = {points[i], i}; });
    }

    void build()
    {
        // The few large cells one level after the other, then whole subtrees, which stay in the cache. All
        // cells of a level are disjoint, so the tree does not depend on who works on which.
        constexpr CellNumber subtree_count = 64;
        const CellNumber first_subtree = std::min(subtree_count, tree_.first_leaf_);
        for (CellNumber first = 1; first < first_subtree; first *= 2)
            parallel_for(
                first, [&](Index j) { halve(first + j); }, 1);
        parallel_for(
            first_subtree, [&](Index j) { build_subtree(first_subtree + j); }, 1);

        parallel_for(entries_.size(), [&](Index i) {
            tree_.points_[i] = entries_[i].x;
            tree_.ids_[i] = entries_[i].id;
        });
    }

private:
    struct Entry {
        Point x;
        Index id;
    };

    void build_subtree(CellNumber cell)
    {
        halve(cell);
        if (tree_.is_leaf(cell)) return;
        build_subtree(2 * cell);
        build_subtree(2 * cell + 1);
    }

    /// Finds the box of a cell and sorts its points into its halves.
    void halve(CellNumber cell)
    {
        const Range range = tree_.range_of(cell);
        const Box box = box_around(range);
        tree_.boxes_[cell] = box;
        // Points that coincide need no order.
        if (tree_.is_leaf(cell) || box.min == box.max) return;

        const int axis = split_axis(box, cell);
        const Range left = tree_.range_of(2 * cell);
        std::nth_element(entries_.begin() + range.begin, entries_.begin() + left.end,
                         entries_.begin() + range.end,
                         [axis](const Entry& a, const Entry& b) { return a.x[axis] < b.x[axis]; });
    }

    Box box_around(Range range) const
    {
        // With more leaves than points some cells are empty. Theirs is the box that nothing is near, and no
        // entry is read: the next one belongs to a cell that another thread may be sorting.
        constexpr Real infinity = std::numeric_limits<Real>::infinity();
        Box box{Point::Constant(infinity), Point::Constant(-infinity)};
        for (std::size_t i = range.begin; i < range.end; ++i) {
            box.min = box.min.cwiseMin(entries_[i].x);
            box.max = box.max.cwiseMax(entries_[i].x);
        }
        return box;
    }

    int split_axis(const Box& box, CellNumber cell) const
    {
        const int depth = static_cast<int>(std::bit_width(cell)) - 1;
        if (split_axis_ == SplitAxis::Cycling) return depth % Dim;
        int widest = 0;
        (box.max - box.min).maxCoeff(&widest);
        return widest;
    }

    KdTree& tree_;
    SplitAxis split_axis_;
    std::vector<Entry> entries_;
};

template <int Dim, std::floating_point Real>
KdTree<Dim, Real>::KdTree(std::span<const Point> points, const KdTreeOptions& options)
{
    if (options.leaf_size < 1) throw InputError("leaf size is 0, must be at least 1");
    detail::require_countable(points.size());
    detail::require_all_finite<Dim, Real>(points, "point");
    if (points.empty()) return;

    points_.resize(points.size());
    ids_.resize(points.size());
    while (block_count(points.size(), first_leaf_) > options.leaf_size) first_leaf_ *= 2;
    boxes_.resize(2 * first_leaf_);
    Builder(*this, points, options.split_axis).build();
}

template <int Dim, std::floating_point Real>
typename KdTree<Dim, Real>::Range KdTree<Dim, Real>::range_of(CellNumber cell) const
{
    // Cell j of the 2^depth at this depth begins at ⌊j n / 2^depth⌋, and so does the first half of it.
    const int depth = static_cast<int>(std::bit_width(cell)) - 1;
    const CellNumber j = cell - (CellNumber(1) << depth);
    return {(j * points_.size()) >> depth, ((j + 1) * points_.size()) >> depth};
}

template <int Dim, std::floating_point Real>
void KdTree<Dim, Real>::find_within(const Point& x, Real r, std::vector<Index>& out) const
{
    out.clear();
    if (points_.empty()) return;

    const detail::ClosedBall<Dim, Real> ball(x, r);
    WalkStack<CellNumber> stack;
    stack.push(1);
    while (!stack.is_empty()) {
        const CellNumber cell = stack.pop();
        const Box& box = boxes_[cell];
        if (!ball.touches(box)) continue;

        if (ball.contains(box)) {
            const Range range = range_of(cell);
            out.insert(out.end(), ids_.begin() + range.begin, ids_.begin() + range.end);
        } else if (is_leaf(cell)) {
            const Range range = range_of(cell);
            for (std::size_t i = range.begin; i < range.end; ++i)
                if (ball.contains(points_[i])) out.push_back(ids_[i]);
        } else {
            stack.push(2 * cell);
            stack.push(2 * cell + 1);
        }
    }
    std::sort(out.begin(), out.end());
}

template <int Dim, std::floating_point Real>
void KdTree<Dim, Real>::find_nearest(const Point& x, std::size_t k, std::vector<Neighbor<Real>>& out) const
{
    out.clear();
    k = std::min(k, points_.size());
    if (k == 0) return;

    // `out` is a heap with the farthest of the k best so far at its front.
    const auto offer = [&](const Neighbor<Real>& candidate) {
        if (out.size() == k) {
            if (!is_nearer(candidate, out.front())) return;
            std::pop_heap(out.begin(), out.end(), is_nearer<Real>);
            out.back() = candidate;
        } else {
            out.push_back(candidate);
        }
        std::push_heap(out.begin(), out.end(), is_nearer<Real>);
    };

    struct Visit {
        CellNumber cell;
        Real distance; ///< to the box of the cell
    };
    const auto visit = [&](CellNumber cell) {
        return Visit{cell, detail::length<Dim, Real>(detail::gap_to(boxes_[cell], x))};
    };
    WalkStack<Visit> stack;
    stack.push(visit(1));
    while (!stack.is_empty()) {
        const Visit next = stack.pop();
        // At the same distance there may still be a lower id.
        if (out.size() == k && next.distance > out.front().distance) continue;

        if (is_leaf(next.cell)) {
            const Range range = range_of(next.cell);
            for (std::size_t i = range.begin; i < range.end; ++i)
                offer({ids_[i], detail::length<Dim, Real>(points_[i] - x)});
        } else {
            Visit near = visit(2 * next.cell);
            Visit far = visit(2 * next.cell + 1);
            if (far.distance < near.distance) std::swap(near, far);
            stack.push(far);
            stack.push(near);
        }
    }
    std::sort_heap(out.begin(), out.end(), is_nearer<Real>);
}

template <int Dim, std::floating_point Real>
void KdTree<Dim, Real>::radius(const Point& x, Real r, std::vector<Index>& out) const
{
    detail::require_finite<Dim, Real>(x, "query point");
    detail::require_radius(r);
    find_within(x, r, out);
}

template <int Dim, std::floating_point Real>
void KdTree<Dim, Real>::nearest(const Point& x, std::size_t k, std::vector<Neighbor<Real>>& out) const
{
    detail::require_finite<Dim, Real>(x, "query point");
    find_nearest(x, k, out);
}

template <int Dim, std::floating_point Real>
QueryResults<Index> KdTree<Dim, Real>::radius(std::span<const Point> x, Real r) const
{
    detail::require_all_finite<Dim, Real>(x, "query point");
    detail::require_radius(r);
    return collect_results<Index>(x.size(),
                                  [&](std::size_t i, std::vector<Index>& out) { find_within(x[i], r, out); });
}

template <int Dim, std::floating_point Real>
QueryResults<Neighbor<Real>> KdTree<Dim, Real>::nearest(std::span<const Point> x, std::size_t k) const
{
    detail::require_all_finite<Dim, Real>(x, "query point");
    return collect_results<Neighbor<Real>>(
        x.size(), [&](std::size_t i, std::vector<Neighbor<Real>>& out) { find_nearest(x[i], k, out); });
}

template class KdTree<1, double>;
template class KdTree<2, double>;
template class KdTree<3, double>;
template class KdTree<1, float>;
template class KdTree<2, float>;
template class KdTree<3, float>;

} // namespace phyxel
