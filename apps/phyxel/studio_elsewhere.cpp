// SPDX-License-Identifier: MIT
#include "program.h"
#include "studio.h"

namespace phyxel::command {

ExitCode run_studio(const StudioCommand&) { become_program("phyxel-studio"); }

} // namespace phyxel::command
