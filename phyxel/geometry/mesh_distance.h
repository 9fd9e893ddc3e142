// SPDX-License-Identifier: MIT
// How far a surface is: the nearest point on the triangles of a mesh. Which side of it one is on is a
// question for the winding number; mesh_solid.h puts the two together.
#pragma once

#include <phyxel/core/types.h>
#include <phyxel/geometry/triangle_mesh.h>
#include <phyxel/geometry/triangle_tree.h>

#include <cstddef>
#include <memory>
#include <span>

namespace phyxel {

/// The point of the triangle that is nearest to x [Eri05, Sec. 5.1.5]. The triangle may be a line or a point.
Vec<3> closest_point(const Triangle& triangle, const Vec<3>& x);

/// The nearest point of a surface.
struct SurfacePoint {
    Vec<3> position; ///< [m]
    double distance; ///< from the place of the query, not negative [m]
    Index triangle;  ///< on which it lies
};

/// Distances to the triangles of a mesh in O(log n). Queries may run on several threads at once; they throw
/// InputError for a place that is not finite.
class MeshDistance {
public:
    /// Throws InputError for a mesh without triangles and for what TriangleTree refuses.
    explicit MeshDistance(const TriangleMesh& mesh);
    explicit MeshDistance(std::shared_ptr<const TriangleTree> tree);

    SurfacePoint closest(const Vec<3>& x) const;
    double operator()(const Vec<3>& x) const { return closest(x).distance; }

    /// What `closest` does there, in units of WorkBudget.
    double work(const Vec<3>& x) const;

    /// Whether a triangle is at most `distance` away. Faster than finding the nearest.
    bool is_within(const Vec<3>& x, double distance) const;

    /// Of all places, in parallel.
    void evaluate(std::span<const Vec<3>> x, std::span<double> out) const;

private:
    /// How much a query has looked at.
    struct Tally {
        std::size_t cells = 0;
        std::size_t leaves = 0;
    };
    SurfacePoint closest(const Vec<3>& x, Tally& tally) const;

    std::shared_ptr<const TriangleTree> tree_;
};

} // namespace phyxel
