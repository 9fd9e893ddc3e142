// SPDX-License-Identifier: MIT
// What there is to open: the examples, and the scenes and runs of the folder that was named.
#pragma once

#include <phyxel/scene/node.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace phyxel::studio {

struct GalleryExample {
    std::string name;
    std::filesystem::path path;
    std::string sentence; ///< what it shows
};

/// The answer to /api/gallery. Folders are looked into a few levels deep, links are not followed.
Node gallery_node(const std::vector<GalleryExample>& examples,
                  const std::optional<std::filesystem::path>& folder);

/// Whether the folder is that of a run.
bool is_run_folder(const std::filesystem::path& folder);

} // namespace phyxel::studio
