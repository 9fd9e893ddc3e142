// SPDX-License-Identifier: MIT
// Smoothing of closed meshes that does not eat them.
#pragma once

#include <phyxel/geometry/triangle_mesh.h>

#include <span>

namespace phyxel {

/// Takes away what is shorter than a few edges, `passes` times: a step towards the mean of the neighbours and
/// a slightly larger one back [Tau95], which keeps long waves where they are. Afterwards each connected part
/// of the mesh gets its volume back by an even shift along the normals. `mesh` must be a closed manifold.
void smooth_mesh(TriangleMesh& mesh, int passes);

/// Averages directions over the neighbours in the mesh, `passes` times, and gives them unit length; a
/// direction of zero length stays zero.
void smooth_directions(const TriangleMesh& mesh, int passes, std::span<Vec<3, float>> directions);

} // namespace phyxel
