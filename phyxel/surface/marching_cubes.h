// SPDX-License-Identifier: MIT
// The surface on which a sampled field has a given value, as triangles: marching cubes [LC87] over the blocks
// of a sparse field.
//
// The mesh is closed, a manifold and oriented for any values whatever. Faces whose corners alternate are cut
// as the bilinear interpolant on them is (the asymptotic decider [NH91]), which both cells on the face know,
// and no two cells draw the same edge for another reason than that they share it; see detail/cell_cases.h.
#pragma once

#include <phyxel/geometry/sparse_field.h>
#include <phyxel/geometry/triangle_mesh.h>

#include <cstddef>
#include <vector>

namespace phyxel {

struct IsoSurface {
    /// Triangles face the lower values. No two vertices are at the same place.
    TriangleMesh mesh;
    /// Vertices groups[g] … groups[g + 1] − 1 lie in one block of the field; empty if there are none.
    std::vector<std::size_t> groups;
};

/// The surface around the nodes with values of at least `iso`. The same bits on any number of threads, and
/// for any blocks that hold the same values.
///
/// Throws InputError if the background is inside, if the surface would leave the blocks, and if there are too
/// many vertices to number.
IsoSurface marching_cubes(const SparseField& field, float iso);

} // namespace phyxel
