// SPDX-License-Identifier: MIT
// A surface from points with normals: each point gets the piece of its tangent plane that is nearer to it
// than to its neighbours. The pieces nearly tile the surface, which is all that winding numbers and distances
// need.
#pragma once

#include <phyxel/geometry/triangle_mesh.h>

#include <cstddef>
#include <vector>

namespace phyxel {

struct TangentCellOptions {
    std::size_t neighbor_count = 24; ///< that cut the cell of a point
};

/// The cells of all points as triangles that share no vertices.
struct TangentCells {
    TriangleMesh mesh;
    std::vector<double> area; ///< of each point's cell; the weight of its dipole in [BDS*18, Sec. 5] [m²]
};

/// The cell of point i is its Voronoi cell among the neighbours projected to its tangent plane [BDS*18], cut
/// off at half the distance of the farthest neighbour, beyond which others might be nearer. Neighbours that
/// face the other way belong to the other side of a thin sheet and do not cut. Of several points in one place
/// only the first has a cell.
///
/// Throws InputError if positions or normals are not finite, a normal is zero, or their numbers differ.
TangentCells tangent_cells(const PointCloud& cloud, const TangentCellOptions& options = {});

} // namespace phyxel
