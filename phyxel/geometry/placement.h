// SPDX-License-Identifier: MIT
// Where a scene puts a shape: up, scale or size, rotate, at, in this order.
#pragma once

#include <phyxel/core/types.h>
#include <phyxel/geometry/pose.h>
#include <phyxel/geometry/shape.h>

#include <optional>

namespace phyxel {

/// The direction of a file's coordinates that is up.
enum class UpAxis { X, Y, Z, MinusX, MinusY, MinusZ };

template <int Dim>
struct Placement {
    std::optional<UpAxis> up = {};    ///< turned to +z by a quarter or half turn; only in 3D
    std::optional<double> scale = {}; ///< of all coordinates, about the origin
    std::optional<double> size = {};  ///< what the longest side of the bounds becomes; instead of scale [m]
    Angles<Dim> rotate = Angles<Dim>::Zero(); ///< around the centre of the bounds [rad]
    std::optional<Vec<Dim>> at = {};          ///< where the middle of the underside of the bounds goes [m]
};

/// Throws InputError for values that make no placement.
template <int Dim>
Shape<Dim> place(const Shape<Dim>& shape, const Placement<Dim>& placement);

/// What `place` does to the places of the shape.
template <int Dim>
Similarity<Dim> placement_map(const Shape<Dim>& shape, const Placement<Dim>& placement);

/// The rotation that turns `up` to +z: about x if it lies along y or z, about y if along x.
Mat<3> upright_rotation(UpAxis up);

extern template Shape<2> place(const Shape<2>&, const Placement<2>&);
extern template Shape<3> place(const Shape<3>&, const Placement<3>&);
extern template Similarity<2> placement_map(const Shape<2>&, const Placement<2>&);
extern template Similarity<3> placement_map(const Shape<3>&, const Placement<3>&);

} // namespace phyxel
