// SPDX-License-Identifier: MIT
// Where runs go: runs/SCENE-NNN below the present folder, and which of them is the last.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace phyxel::command {

/// Makes the next folder runs/NAME-NNN: its number is one above those that are there.
std::filesystem::path make_run_folder(const std::string& name);

/// The folder runs/NAME-NNN with the highest number.
std::optional<std::filesystem::path> newest_run_folder(const std::string& name);

/// Notes in runs/.last that this run was begun.
void remember_run(const std::filesystem::path& run);

/// The folder that a user means: the word `last` is the newest run that was begun from the present folder.
/// Throws InputError if there is none.
std::filesystem::path find_run(const std::filesystem::path& run);

} // namespace phyxel::command
