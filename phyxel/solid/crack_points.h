// SPDX-License-Identifier: MIT
// The faces of cracks as pieces of surface, one on each side: what a boundary has of them.
#pragma once

#include <phyxel/core/types.h>
#include <phyxel/fracture/crack_sheets.h>

#include <vector>

namespace phyxel {

/// A piece of a crack at rest. It belongs to what is on the one side as well as to what is on the other.
template <int Dim>
struct CrackPoint {
    Vec<Dim> position; ///< centroid [m]
    Vec<Dim> area;     ///< out of what is on the first side, times its area [m^(Dim − 1)]
};

/// The faces of cracks as far as they lie in the body, in pieces no wider than `width` [m].
template <int Dim>
std::vector<CrackPoint<Dim>> crack_points(const CrackSheets<Dim>& cracks, double width);

} // namespace phyxel
