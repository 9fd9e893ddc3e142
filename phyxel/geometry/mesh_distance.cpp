// SPDX-License-Identifier: MIT
#include <phyxel/core/error.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/geometry/detail/input_text.h>
#include <phyxel/geometry/mesh_distance.h>
#include <phyxel/search/walk_stack.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace phyxel {
namespace {

Vec<3> closest_on_segment(const Vec<3>& a, const Vec<3>& b, const Vec<3>& x)
{
    const Vec<3> ab = b - a;
    const double square = ab.squaredNorm();
    if (square == 0) return a;
    return a + std::clamp((x - a).dot(ab) / square, 0.0, 1.0) * ab;
}

/// For triangles without an inside.
Vec<3> closest_on_sides(const Triangle& triangle, const Vec<3>& x)
{
    Vec<3> best = closest_on_segment(triangle.a, triangle.b, x);
    for (const Vec<3>& p :
         {closest_on_segment(triangle.b, triangle.c, x), closest_on_segment(triangle.c, triangle.a, x)})
        if ((p - x).squaredNorm() < (best - x).squaredNorm()) best = p;
    return best;
}

} // namespace

Vec<3> closest_point(const Triangle& triangle, const Vec<3>& x)
{
    const auto& [a, b, c] = triangle;
    const Vec<3> ab = b - a;
    const Vec<3> ac = c - a;

    // The regions of the corners and sides in turn.
    const Vec<3> ax = x - a;
    const double d1 = ab.dot(ax);
    const double d2 = ac.dot(ax);
    if (d1 <= 0 && d2 <= 0) return a;

    const Vec<3> bx = x - b;
    const double d3 = ab.dot(bx);
    const double d4 = ac.dot(bx);
    if (d3 >= 0 && d4 <= d3) return b;

    const Vec<3> cx = x - c;
    const double d5 = ab.dot(cx);
    const double d6 = ac.dot(cx);
    if (d6 >= 0 && d5 <= d6) return c;

    // What follows needs a plane: the sine of the angle at a must not drown in rounding.
    if (!(4 * triangle.area_vector().squaredNorm() > 1e-20 * ab.squaredNorm() * ac.squaredNorm()))
        return closest_on_sides(triangle, x);

    const double vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0) return closest_on_segment(a, b, x);
    const double vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0) return closest_on_segment(a, c, x);
    const double va = d3 * d6 - d5 * d4;
    if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) return closest_on_segment(b, c, x);

    const double sum = va + vb + vc;
    if (!(va >= 0 && vb >= 0 && vc >= 0 && sum > 0)) return closest_on_sides(triangle, x);
    return a + (vb / sum) * ab + (vc / sum) * ac;
}

MeshDistance::MeshDistance(const TriangleMesh& mesh)
    : MeshDistance(std::make_shared<const TriangleTree>(mesh))
{
}

MeshDistance::MeshDistance(std::shared_ptr<const TriangleTree> tree) : tree_(std::move(tree))
{
    if (tree_->is_empty()) throw InputError("mesh has no triangles, so nothing has a distance to it");
}

SurfacePoint MeshDistance::closest(const Vec<3>& x) const
{
    Tally tally;
    return closest(x, tally);
}

double MeshDistance::work(const Vec<3>& x) const
{
    Tally tally;
    static_cast<void>(closest(x, tally));
    constexpr double leaf_work =
        6.0; // the nearest point of a triangle takes a little longer than that of a box
    return static_cast<double>(tally.cells) + leaf_work * static_cast<double>(tally.leaves);
}

SurfacePoint MeshDistance::closest(const Vec<3>& x, Tally& tally) const
{
    detail::require_finite_query<3>(x);
    struct Visit {
        TriangleTree::Cell cell;
        double square; ///< of the distance to its box
    };
    const auto visit = [&](TriangleTree::Cell cell) {
        return Visit{cell, tree_->box(cell).squared_distance(x)};
    };

    Vec<3> best = Vec<3>::Zero();
    double best_square = std::numeric_limits<double>::infinity();
    std::size_t best_triangle = 0;
    WalkStack<Visit> pending;
    pending.push(visit(TriangleTree::root));
    while (!pending.is_empty()) {
        const Visit next = pending.pop();
        if (next.square >= best_square) continue;

        ++tally.cells;
        if (tree_->is_leaf(next.cell)) {
            ++tally.leaves;
            const TriangleTree::Range range = tree_->range(next.cell);
            for (std::size_t i = range.begin; i < range.end; ++i) {
                const Vec<3> p = closest_point(tree_->triangles()[i], x);
                const double square = (p - x).squaredNorm();
                if (square < best_square) {
                    best_square = square;
                    best = p;
                    best_triangle = i;
                }
            }
        } else {
            Visit near = visit(2 * next.cell);
            Visit far = visit(2 * next.cell + 1);
            if (far.square < near.square) std::swap(near, far);
            pending.push(far);
            pending.push(near);
        }
    }
    return {best, std::sqrt(best_square), tree_->ids()[best_triangle]};
}

bool MeshDistance::is_within(const Vec<3>& x, double distance) const
{
    detail::require_finite_query<3>(x);
    const double limit = distance * distance;
    WalkStack<TriangleTree::Cell> pending;
    pending.push(TriangleTree::root);
    while (!pending.is_empty()) {
        const TriangleTree::Cell cell = pending.pop();
        if (tree_->box(cell).squared_distance(x) > limit) continue;

        if (tree_->is_leaf(cell)) {
            const TriangleTree::Range range = tree_->range(cell);
            for (std::size_t i = range.begin; i < range.end; ++i)
                if ((closest_point(tree_->triangles()[i], x) - x).squaredNorm() <= limit) return true;
        } else {
            pending.push(2 * cell);
            pending.push(2 * cell + 1);
        }
    }
    return false;
}

void MeshDistance::evaluate(std::span<const Vec<3>> x, std::span<double> out) const
{
    PHYXEL_ASSERT(x.size() == out.size());
    parallel_for(
        x.size(), [&](Index i) { out[i] = closest(x[i]).distance; }, 128);
}

} // namespace phyxel
