// SPDX-License-Identifier: MIT
// What the studio has to offer a scene: a world that is only shown needs no disk.
#pragma once

#include <phyxel/scene/scene.h>

#include <limits>

namespace phyxel::studio {

inline Machine studio_machine()
{
    Machine machine = this_machine();
    machine.disk = std::numeric_limits<double>::infinity();
    return machine;
}

} // namespace phyxel::studio
