// SPDX-License-Identifier: MIT
// A mesh without what has no meaning for the solid, and how its triangles hang together: the common ground of
// checking a mesh and repairing it.
#pragma once

#include <phyxel/geometry/mesh_check.h>
#include <phyxel/geometry/triangle_mesh.h>

#include <cstdint>
#include <vector>

namespace phyxel::detail {

struct CleanMesh {
    TriangleMesh mesh; ///< vertices welded, no meaningless and no doubled triangles, orientation as it was
    std::vector<Index> component;         ///< of each triangle
    std::vector<std::uint8_t> is_flipped; ///< each triangle: faces another way than most of its component
    MeshReport report;
};

CleanMesh clean_mesh(const TriangleMesh& mesh);

} // namespace phyxel::detail
