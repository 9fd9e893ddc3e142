// SPDX-License-Identifier: MIT
// All kinds of bodies that Phyxel has.
#pragma once

#include <phyxel/scene/kind.h>

namespace phyxel {

/// In the order in which their bodies stand in a world. A kind of one's own is added to them.
Kinds standard_kinds();

} // namespace phyxel
