// SPDX-License-Identifier: MIT
// Surfaces as they come from files: triangles that share vertices, and points with normals. Neither promises
// to be closed, oriented or even finite; mesh_check.h says what is wrong with one.
#pragma once

#include <phyxel/core/types.h>
#include <phyxel/geometry/box.h>
#include <phyxel/geometry/pose.h>

#include <array>
#include <vector>

namespace phyxel {

/// Seen from outside, the vertices of a triangle run counter-clockwise.
struct TriangleMesh {
    std::vector<Vec<3>> vertices; ///< [m]
    std::vector<std::array<Index, 3>> triangles;
};

/// Samples of a surface. `normals` is empty or has one for each position; they point outwards and need not
/// have unit length.
struct PointCloud {
    std::vector<Vec<3>> positions; ///< [m]
    std::vector<Vec<3>> normals;
};

/// Around all vertices, also those that no triangle uses; empty if there are none.
Box<3> bounds(const TriangleMesh& mesh);
Box<3> bounds(const PointCloud& cloud);

TriangleMesh transformed(TriangleMesh mesh, const Similarity<3>& map);
PointCloud transformed(PointCloud cloud, const Similarity<3>& map);

/// Σ |A| over the triangles. [m²]
double surface_area(const TriangleMesh& mesh);

/// ∫ w dV by the divergence theorem, where w is the winding number; for a simple closed mesh its volume,
/// negative if the triangles face inwards. If the mesh is open, this is the volume between it and the centre
/// of its bounds. [m³]
double signed_volume(const TriangleMesh& mesh);

} // namespace phyxel
