// SPDX-License-Identifier: MIT
// The files that a scene names, and whether the studio may read them.
#pragma once

#include <phyxel/scene/scene.h>

#include <filesystem>
#include <vector>

namespace phyxel::studio {

/// The files that shapes of a scene are made from.
std::vector<std::filesystem::path> files_of(const Scene& scene, const std::filesystem::path& folder);

/// Throws a SceneError for every file that does not lie below one of `roots`, links followed. A scene that
/// somebody sent must not be a way to read files that he could not ask for.
void check_scene_files(const Scene& scene, const std::filesystem::path& folder,
                       const std::vector<std::filesystem::path>& roots);

/// A file of this name that can be made in the folder. Throws InputError if it is no name of a file, or if
/// there is one already.
std::filesystem::path new_file(const std::filesystem::path& folder, const std::string& name,
                               const std::string& extension);

/// The text of a scene with the files that it names found from another folder; all else stays as it was
/// written.
std::string with_files_from(std::string text, const std::filesystem::path& from,
                            const std::filesystem::path& to);

} // namespace phyxel::studio
