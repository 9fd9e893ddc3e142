// SPDX-License-Identifier: MIT
// Elastic solids as a kind of bodies of scenes.
#pragma once

#include <phyxel/scene/kind.h>

namespace phyxel {

template <int Dim>
KindOf<Dim> solid_kind();

} // namespace phyxel
