// SPDX-License-Identifier: MIT
// phyxel new: a scene to begin with, which runs as it stands.
#pragma once

#include <filesystem>
#include <string>

namespace phyxel::command {

struct NewCommand {
    std::filesystem::path name;     ///< of the file to write, with or without .json
    std::string from = "dam_break"; ///< example to begin with
};

/// Never replaces a file. Throws InputError.
void make_scene(const NewCommand& command);

} // namespace phyxel::command
