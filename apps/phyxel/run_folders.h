// SPDX-License-Identifier: MIT
// Where runs go: runs/SCENE-NNN below the present folder, and which of them is the last.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

namespace phyxel::command {

/// Where they go if no other place was asked for.
inline const std::filesystem::path runs_folder = "runs";

/// Makes the next folder runs/NAME-NNN: its number is one above those that are there.
std::filesystem::path make_run_folder(const std::string& name);

/// The folder runs/NAME-NNN with the highest number.
std::optional<std::filesystem::path> newest_run_folder(const std::string& name);

/// Notes in runs/.last that this run was begun.
void remember_run(const std::filesystem::path& run);

/// The folder that a user means: the word `last` is the newest run that was begun from the present folder.
/// Throws InputError if there is none.
std::filesystem::path find_run(const std::filesystem::path& run);

/// All files below a folder; none if there is no such folder.
struct FolderSize {
    std::size_t files = 0;
    double bytes = 0.0;
};
FolderSize folder_size(const std::filesystem::path& folder);

} // namespace phyxel::command
