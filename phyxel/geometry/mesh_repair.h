// SPDX-License-Identifier: MIT
// A mesh whose triangles face one way, so that winding numbers tell inside from outside. A flipped face would
// otherwise dent the solid as deep as the face is wide; holes are left to the winding number.
#pragma once

#include <phyxel/geometry/mesh_check.h>
#include <phyxel/geometry/triangle_mesh.h>

namespace phyxel {

struct RepairedMesh {
    TriangleMesh mesh;
    MeshReport report = {};    ///< of the mesh as it came
    bool was_reversed = false; ///< its triangles faced inwards
    std::size_t reversed_components =
        0;                      ///< of the remaining ones, parts that faced inwards and are no cavity
    bool is_watertight = false; ///< the mesh as it is now
};

/// Welds vertices, leaves out doubled triangles, turns those that face another way than most of their
/// component, then everything if the volume is negative, then parts with negative volume that do not lie in
/// another part: in one they are a cavity. Throws InputError for vertices that are not finite and triangles
/// that name vertices that are not there.
RepairedMesh repair_mesh(const TriangleMesh& mesh);

} // namespace phyxel
