// SPDX-License-Identifier: MIT
// The surfaces of the simple shapes as facets: flat pieces whose corners lie on the surface, or nearly so.
#pragma once

#include <phyxel/core/types.h>
#include <phyxel/geometry/box.h>
#include <phyxel/geometry/primitives.h>

#include <array>
#include <vector>

namespace phyxel {

/// A segment in 2D with its outside to the right, a triangle in 3D that runs counter-clockwise seen from
/// outside.
template <int Dim>
using Facet = std::array<Vec<Dim>, Dim>;

/// Outward normal times area; in 2D times length. [m^(Dim−1)]
Vec<2> area_vector(const Facet<2>& facet);
Vec<3> area_vector(const Facet<3>& facet);

/// Closed. Round parts have facets of about `edge` [m], and at least 64 around a full turn; corners lie a
/// little outside of circles, so that cross-sections have the right area.
std::vector<Facet<2>> facets(const Box<2>& box, double edge);
std::vector<Facet<3>> facets(const Box<3>& box, double edge);
std::vector<Facet<2>> facets(const Sphere<2>& disc, double edge);
std::vector<Facet<3>> facets(const Sphere<3>& sphere, double edge);
std::vector<Facet<2>> facets(const Cylinder<2>& cylinder, double edge);
std::vector<Facet<3>> facets(const Cylinder<3>& cylinder, double edge);
std::vector<Facet<2>> facets(const Capsule<2>& capsule, double edge);
std::vector<Facet<3>> facets(const Capsule<3>& capsule, double edge);
std::vector<Facet<3>> facets(const Torus<3>& torus, double edge);

} // namespace phyxel
