// SPDX-License-Identifier: MIT
// phyxel surface --fragments: the pieces that cracks have left of the solids of a recorded run, each as a
// closed mesh in every frame, or as a rigid body with a table of poses.
#pragma once

#include "console.h"
#include "surface.h"

namespace phyxel::command {

/// Throws InputError if no solid of the run has what it takes in its frames.
ExitCode make_fragments(const SurfaceCommand& command);

} // namespace phyxel::command
