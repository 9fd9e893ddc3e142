// SPDX-License-Identifier: MIT
// Rigid bodies as a kind of bodies that scenes can have.
#pragma once

#include <phyxel/scene/kind.h>

namespace phyxel {

template <int Dim>
KindOf<Dim> rigid_kind();

} // namespace phyxel
