// SPDX-License-Identifier: MIT
// phyxel studio: a server on this machine, and the browser as the window.
#pragma once

#include "console.h"

#include <optional>
#include <string>
#include <vector>

namespace phyxel::command {

struct StudioCommand {
    std::string what; ///< a scene, a run, a folder, or nothing: the gallery
    std::optional<int> port;
    std::string address = "127.0.0.1";
    std::vector<std::string> assignments; ///< of --set, for the scene
};

/// Serves until it is interrupted. Throws InputError.
ExitCode run_studio(const StudioCommand& command);

} // namespace phyxel::command
