// SPDX-License-Identifier: MIT
// phyxel surface: the surfaces of the fluids of a recorded run, frame by frame.
#pragma once

#include "console.h"

#include <phyxel/surface/particle_surface.h>

#include <filesystem>
#include <string>

namespace phyxel::command {

struct SurfaceCommand {
    std::filesystem::path run;
    std::filesystem::path folder; ///< RUN/frames if empty
    std::string frames;           ///< A:B; all if empty
    std::string method = "anisotropic";
    std::string format = "ply";
    SurfaceOptions options;
    bool fragments = false; ///< of solids, instead
    bool rigid = false;     ///< of these: one mesh each, and poses
    bool redo = false;
    bool quiet = false;
};

/// Throws InputError if the run has nothing of what is asked for, or the options make no sense.
ExitCode make_surfaces(const SurfaceCommand& command);

} // namespace phyxel::command
