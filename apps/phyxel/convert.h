// SPDX-License-Identifier: MIT
// phyxel convert: files of points and meshes, and whole runs, in another format.
#pragma once

#include <filesystem>
#include <string>

namespace phyxel::command {

struct ConvertCommand {
    std::filesystem::path input;  ///< a file, a run's folder, or `last`
    std::filesystem::path output; ///< a file whose extension says the format, or a folder
    std::string format;           ///< without the dot; what to make of a run
};

/// Throws InputError.
void convert_files(const ConvertCommand& command);

} // namespace phyxel::command
