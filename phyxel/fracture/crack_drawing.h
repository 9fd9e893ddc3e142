// SPDX-License-Identifier: MIT
// Cracks that are drawn, and where those that are there end.
#pragma once

#include <phyxel/core/types.h>
#include <phyxel/fracture/crack_sheets.h>

#include <array>
#include <functional>
#include <span>
#include <vector>

namespace phyxel {

/// Signed distance from the surface of the body at rest, negative inside [m].
template <int Dim>
using DistanceFromSurface = std::function<double(const Vec<Dim>&)>;

/// Triangles over a polygon in space that need not be quite flat; the pieces of a line in the plane, which is
/// closed if it ends where it begins. Throws InputError for too few points or too many, such as are not
/// finite, and what has no area.
template <int Dim>
std::vector<std::array<Vec<Dim>, Dim>> faces_of(std::span<const Vec<Dim>> polygon);

/// Adds a crack over a polygon, of faces that are no longer than half a spacing. Of it only that is kept
/// which lies in the body or less than a spacing beside it. Fronts are to be found afterwards. Returns
/// whether anything was left. Throws as faces_of does.
template <int Dim>
bool draw_crack(CrackSheets<Dim>& cracks, std::span<const Vec<Dim>> polygon,
                const DistanceFromSurface<Dim>& distance);

/// The fronts of all cracks: those rims that lie in the body, and neither on another crack nor on another
/// part of the same.
template <int Dim>
void find_fronts(CrackSheets<Dim>& cracks);

} // namespace phyxel
