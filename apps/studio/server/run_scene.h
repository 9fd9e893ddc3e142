// SPDX-License-Identifier: MIT
// The scene that a run was made from, as its manifest tells.
#pragma once

#include <phyxel/core/field_info.h>

#include <filesystem>
#include <string>

namespace phyxel::studio {

struct RunScene {
    std::string text;
    std::filesystem::path folder; ///< of the files that it names
    FieldUnits units;
};

/// Throws InputError.
RunScene read_run_scene(const std::filesystem::path& run);

} // namespace phyxel::studio
