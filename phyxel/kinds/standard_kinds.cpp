// SPDX-License-Identifier: MIT
#include <phyxel/kinds/standard_kinds.h>

#include <phyxel/kinds/fluid/fluid_kind.h>
#include <phyxel/kinds/rigid/rigid_kind.h>
#include <phyxel/kinds/solid/solid_kind.h>

namespace phyxel {

Kinds standard_kinds()
{
    Kinds kinds;
    kinds.add(fluid_kind<2>(), fluid_kind<3>());
    kinds.add(solid_kind<2>(), solid_kind<3>());
    kinds.add(rigid_kind<2>(), rigid_kind<3>());
    return kinds;
}

} // namespace phyxel
