// SPDX-License-Identifier: MIT
#include "program.h"
#include "surface.h"

namespace phyxel::command {

ExitCode make_surfaces(const SurfaceCommand&) { become_program("phyxel-surface"); }

} // namespace phyxel::command
