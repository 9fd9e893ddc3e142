// SPDX-License-Identifier: MIT
#include <phyxel/core/error.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/geometry/detail/input_text.h>
#include <phyxel/geometry/triangle_tree.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <string>

namespace phyxel {
namespace {

constexpr double largest_coordinate = 1e50;

void require_usable(const TriangleMesh& mesh)
{
    if (mesh.triangles.size() > std::numeric_limits<Index>::max())
        throw InputError("mesh has " + std::to_string(mesh.triangles.size()) + " triangles, at most " +
                         std::to_string(std::numeric_limits<Index>::max()) + " are possible");
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        for (const Index v : mesh.triangles[t]) {
            if (v >= mesh.vertices.size())
                throw InputError("triangle " + std::to_string(t) + " uses vertex " + std::to_string(v) +
                                 ", but there are only " + std::to_string(mesh.vertices.size()));
            const Vec<3>& x = mesh.vertices[v];
            if (!(x.cwiseAbs().maxCoeff() <= largest_coordinate) || !detail::all_finite<3>(x))
                throw InputError("vertex " + std::to_string(v) + " is " + detail::text_of<3>(x) +
                                 ", must be finite and below 1e50");
        }
    }
}

struct Entry {
    Vec<3> centroid;
    Index id;
};

} // namespace

TriangleTree::TriangleTree(const TriangleMesh& mesh)
{
    require_usable(mesh);
    const std::size_t count = mesh.triangles.size();
    if (count == 0) return;

    const auto triangle = [&](Index t) {
        const auto& [a, b, c] = mesh.triangles[t];
        return Triangle{mesh.vertices[a], mesh.vertices[b], mesh.vertices[c]};
    };
    std::vector<Entry> entries(count);
    parallel_for(count, [&](Index t) { entries[t] = {triangle(t).centroid(), t}; });
    triangles_.resize(count);
    ids_.resize(count);
    while (block_count(count, first_leaf_) > leaf_size) first_leaf_ *= 2;
    boxes_.resize(2 * first_leaf_);

    // Level by level from the root; the cells of a level are disjoint.
    for (Cell first = 1; first < first_leaf_; first *= 2) {
        parallel_for(
            first,
            [&](Index j) {
                const Range whole = range(first + j);
                const Range left = range(2 * (first + j));
                Box<3> box;
                for (std::size_t i = whole.begin; i < whole.end; ++i) box.extend(entries[i].centroid);
                int axis = 0;
                box.size().maxCoeff(&axis);
                std::nth_element(entries.begin() + whole.begin, entries.begin() + left.end,
                                 entries.begin() + whole.end, [axis](const Entry& p, const Entry& q) {
                                     if (p.centroid[axis] != q.centroid[axis])
                                         return p.centroid[axis] < q.centroid[axis];
                                     return p.id < q.id;
                                 });
            },
            1);
    }
    parallel_for(count, [&](Index i) {
        ids_[i] = entries[i].id;
        triangles_[i] = triangle(ids_[i]);
    });

    // Boxes from the leaves up.
    parallel_for(first_leaf_, [&](Index j) {
        const Range leaf = range(first_leaf_ + j);
        for (std::size_t i = leaf.begin; i < leaf.end; ++i)
            for (const Vec<3>& x : {triangles_[i].a, triangles_[i].b, triangles_[i].c})
                boxes_[first_leaf_ + j].extend(x);
    });
    for (Cell cell = first_leaf_ - 1; cell >= root; --cell) {
        boxes_[cell] = boxes_[2 * cell];
        boxes_[cell].extend(boxes_[2 * cell + 1]);
    }
}

TriangleTree::Range TriangleTree::range(Cell cell) const
{
    // Cell j of the 2^depth at this depth begins at ⌊j n / 2^depth⌋, and so does the first half of it.
    const int depth = static_cast<int>(std::bit_width(cell)) - 1;
    const Cell j = cell - (Cell(1) << depth);
    return {(j * triangles_.size()) >> depth, ((j + 1) * triangles_.size()) >> depth};
}

} // namespace phyxel
