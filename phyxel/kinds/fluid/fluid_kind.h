// SPDX-License-Identifier: MIT
// Fluids as a kind of bodies of scenes.
#pragma once

#include <phyxel/scene/kind.h>

namespace phyxel {

template <int Dim>
KindOf<Dim> fluid_kind();

} // namespace phyxel
