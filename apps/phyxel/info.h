// SPDX-License-Identifier: MIT
// phyxel info: what is in a run, a frame, a mesh, a scene or a checkpoint.
#pragma once

#include <filesystem>

namespace phyxel::command {

struct InfoCommand {
    std::filesystem::path path; ///< a file, a run's folder, or `last`
};

/// Throws InputError.
void print_info(const InfoCommand& command);

} // namespace phyxel::command
