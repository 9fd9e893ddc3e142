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

} // namespace phyxel::studio
