// SPDX-License-Identifier: MIT
// Hierarchy of boxes around the triangles of a mesh, for whatever has to find a few of them quickly: closest
// points, winding numbers, rays.
#pragma once

#include <phyxel/core/assert.h>
#include <phyxel/core/types.h>
#include <phyxel/geometry/box.h>
#include <phyxel/geometry/triangle_mesh.h>

#include <cstdint>
#include <span>
#include <vector>

namespace phyxel {

/// A triangle by its corners.
struct Triangle {
    Vec<3> a, b, c; ///< [m]

    /// Normal times area. [m²]
    Vec<3> area_vector() const
    {
        const Vec<3> u = b - a;
        const Vec<3> v = c - a;
        return {0.5 * (u[1] * v[2] - u[2] * v[1]), 0.5 * (u[2] * v[0] - u[0] * v[2]),
                0.5 * (u[0] * v[1] - u[1] * v[0])};
    }
    Vec<3> centroid() const { return (a + b + c) / 3.0; }
};

/// Balanced binary tree: the triangles of every cell are halved by the rank of their centroids along its
/// widest axis, so the tree follows from the mesh alone and is the same for any number of threads.
///
/// Cells are numbered like a heap: the root is 1, the halves of cell c are 2c and 2c + 1, and all leaves have
/// the same depth. Triangles are kept in the order of the leaves.
class TriangleTree {
public:
    using Cell = std::uint64_t;
    static constexpr Cell root = 1;
    static constexpr std::size_t leaf_size = 4;

    /// Copies the triangles. Throws InputError for a vertex that is used and not finite, for an index without
    /// a vertex, and for coordinates beyond 1e50, whose products would overflow.
    explicit TriangleTree(const TriangleMesh& mesh);

    std::size_t size() const { return triangles_.size(); }
    bool is_empty() const { return triangles_.empty(); }

    /// Bounds of the cells; at least one triangle is in each. The tree must not be empty.
    const Box<3>& box(Cell cell) const { return boxes_[cell]; }
    Cell cell_end() const { return 2 * first_leaf_; }
    bool is_leaf(Cell cell) const { return cell >= first_leaf_; }

    /// Where the triangles of a cell begin and end in `triangles()` and `ids()`.
    struct Range {
        std::size_t begin;
        std::size_t end;
    };
    Range range(Cell cell) const;

    /// In the order of the leaves.
    std::span<const Triangle> triangles() const { return triangles_; }

    /// Which triangle of the mesh each of them is.
    std::span<const Index> ids() const { return ids_; }

private:
    std::vector<Triangle> triangles_;
    std::vector<Index> ids_;
    std::vector<Box<3>> boxes_; ///< by cell; the first is unused
    Cell first_leaf_ = 1;
};

} // namespace phyxel
