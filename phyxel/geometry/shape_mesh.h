// SPDX-License-Identifier: MIT
// Triangles of a shape: what the ray tracer draws of an obstacle, and the skin of a solid that was described
// by a shape.
#pragma once

#include <phyxel/geometry/shape.h>
#include <phyxel/geometry/triangle_mesh.h>

namespace phyxel {

/// The surface of the shape, closed and facing outwards, by dual contouring [JLSW02]: edges and corners stay
/// sharp. `resolution` is the number of cells along the longest side; what is thinner than a cell may be
/// lost. Of a sheet its own triangles.
TriangleMesh shape_mesh(const Shape<3>& shape, int resolution = 96, const WorkBudget& work = {});

/// A shape of the plane z = 0 as a plate that reaches from −`thickness`/2 to `thickness`/2. [m]
TriangleMesh shape_mesh(const Shape<2>& shape, double thickness, int resolution = 96,
                        const WorkBudget& work = {});

} // namespace phyxel
