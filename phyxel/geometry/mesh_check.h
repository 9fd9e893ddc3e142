// SPDX-License-Identifier: MIT
// What is wrong with a mesh, in numbers. Files hold everything: holes, flipped and doubled faces, vertices
// that are not numbers. None of it stops us but the last; all of it is worth a word to the user.
#pragma once

#include <phyxel/geometry/box.h>
#include <phyxel/geometry/triangle_mesh.h>

#include <cstddef>
#include <string>
#include <vector>

namespace phyxel {

/// Vertices at the same position count as one, since STL files do not share them. Triangles without vertices,
/// with vertices that are not finite, or with two corners in one place are only counted; edges, components,
/// area and volume are those of the remaining ones without their doubles.
struct [[nodiscard]] MeshReport {
    std::size_t vertex_count = 0;
    std::size_t triangle_count = 0;

    std::size_t non_finite_vertices = 0;
    std::size_t out_of_range_triangles = 0; ///< name a vertex that is not there
    std::size_t degenerate_triangles = 0;   ///< without area
    std::size_t duplicate_vertices = 0;     ///< at the position of an earlier one
    std::size_t duplicate_triangles = 0;    ///< with the corners of an earlier one, in either orientation

    std::size_t boundary_edges = 0;     ///< with one triangle
    std::size_t holes = 0;              ///< connected sets of boundary edges
    std::size_t non_manifold_edges = 0; ///< with more than two triangles
    std::size_t inconsistent_edges = 0; ///< with two triangles that face different ways
    std::size_t components = 0;         ///< connected through edges with two triangles
    std::size_t flipped_triangles = 0;  ///< that face another way than most of their component, by area

    double area = 0.0;          ///< [m²]
    double signed_volume = 0.0; ///< as the triangles face; see `signed_volume` of a mesh [m³]
    Box<3> bounds;              ///< of the finite vertices

    /// Every edge has as many triangles on one side as on the other: the winding number is a whole number
    /// everywhere off the surface.
    bool is_watertight = false;

    /// Whether the solid is that of the mesh as it was written.
    bool is_clean() const
    {
        return is_watertight && non_finite_vertices == 0 && out_of_range_triangles == 0 &&
               duplicate_triangles == 0 && flipped_triangles == 0 && signed_volume > 0;
    }
};

MeshReport check_mesh(const TriangleMesh& mesh);

/// One phrase with its count for each thing that may make the solid other than meant, such as
/// "12 edges at 2 holes"; none for a clean mesh.
std::vector<std::string> describe_defects(const MeshReport& report);

} // namespace phyxel
