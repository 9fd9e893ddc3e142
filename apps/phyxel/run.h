// SPDX-License-Identifier: MIT
// phyxel run: a scene in, a folder of frames out.
#pragma once

#include "console.h"
#include "run_limits.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace phyxel::command {

struct RunCommand {
    std::string scene;            ///< a file or the name of an example
    std::filesystem::path folder; ///< if not given, the next runs/SCENE-NNN, or the newest one to resume
    bool resume = false;
    bool overwrite = false;
    std::string frames;                   ///< A:B; all if empty
    std::vector<std::string> assignments; ///< of --set
    bool quiet = false;                   ///< only warnings and errors
    RunLimits limits = {};
};

/// Throws InputError before anything is written if the scene or the folder cannot be used.
ExitCode run_scene(const RunCommand& command);

} // namespace phyxel::command
