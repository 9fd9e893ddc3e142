// SPDX-License-Identifier: MIT
// Cuts a skin along the cracks of its solid, and gives it their faces.
#pragma once

#include <phyxel/core/types.h>
#include <phyxel/fracture/crack_sheets.h>
#include <phyxel/kinds/solid/solid_body.h>

namespace phyxel {

/// A skin of triangles at rest with the cracks in it. Triangles that a crack crosses are divided where their
/// edges meet it, and the two sides have vertices of their own. Behind the skin come both faces of each
/// crack, as far as they lie in the solid; they meet at its front. The first vertices are those of the skin,
/// which has more of them only where its triangles are longer than a spacing. What is on different sides is a
/// thousandth of a spacing apart, so that it is on its side of the crack.
SolidSkin cut_along_cracks(const SolidSkin& skin, const CrackSheets<3>& cracks);

} // namespace phyxel
