// SPDX-License-Identifier: MIT
// Subcommands that are done by programs of their own. Each program has this file without what it does itself.
#include "program.h"
#include "studio.h"
#include "surface.h"
#include "verify.h"

namespace phyxel::command {

#ifndef PHYXEL_OWN_STUDIO
ExitCode run_studio(const StudioCommand&) { become_program("phyxel-studio"); }
#endif

#ifndef PHYXEL_OWN_SURFACE
ExitCode make_surfaces(const SurfaceCommand&) { become_program("phyxel-surface"); }
#endif

#ifndef PHYXEL_OWN_VERIFY
bool run_verify(const VerifyCommand&) { become_program("phyxel-verify"); }
#endif

} // namespace phyxel::command
