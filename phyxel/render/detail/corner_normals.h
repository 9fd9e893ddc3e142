// SPDX-License-Identifier: MIT
// Normals that make the facets of a mesh look smooth.
#pragma once

#include <phyxel/core/types.h>
#include <phyxel/render/render_scene.h>

#include <vector>

namespace phyxel::detail {

/// Normals of the corners of triangles: those of the triangles around a vertex, weighted by their angles,
/// where they differ by less than the smoothing angle. Empty if facets are wanted.
std::vector<Vec<3, float>> corner_normals(const DrawnMesh& drawn);

} // namespace phyxel::detail
