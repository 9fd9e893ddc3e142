// SPDX-License-Identifier: MIT
// Where the surface of a part is: that of its shape, until it has flown; then what its phyxels enclose.
#pragma once

#include <phyxel/geometry/shape.h>
#include <phyxel/geometry/surface_points.h>
#include <phyxel/solid/solid_model.h>

#include <cstddef>
#include <optional>

namespace phyxel {

/// Whether the part still has the shape at rest that it began with.
template <int Dim>
bool has_first_shape(const SolidModel<Dim>& model, std::size_t part);

/// The surface at rest as pieces about `spacing` [m] wide; nothing for a part without phyxels, or one that
/// has its first shape, and that is unknown. Of what has flown each phyxel has the piece
///
///     A_i = −2 v_i Σ_j v_j ∇ω(X_i − X_j),
///
/// half a spacing outside of it: twice the share of ∫ |∇c| dV = A that lies within, where c is 1 inside.
/// Pairs are opposite, so that the surface is closed. Phyxels below the first layer have next to nothing, and
/// are left out.
template <int Dim>
SurfacePoints<Dim> surface_of_part(const SolidModel<Dim>& model, const std::optional<Shape<Dim>>& shape,
                                   std::size_t part, double spacing);

} // namespace phyxel
