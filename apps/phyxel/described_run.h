// SPDX-License-Identifier: MIT
// What the manifest of a run says to those who draw it: domain, obstacles, frame rate, and how pictures look.
#pragma once

#include <phyxel/render/frame_pictures.h>
#include <phyxel/scene/scene.h>

#include <filesystem>

namespace phyxel::command {

struct DescribedRun {
    RunSurroundings surroundings;
    RenderSettings render; ///< what the scene says of pictures
    FieldUnits units;
    double frame_rate = 30.0; ///< [1/s]
};

/// Reads RUN/manifest.json. A file that an obstacle was made from may be gone, or the manifest may be; then
/// there is a warning, and what the manifest does not tell is left at its default.
DescribedRun describe_run(const std::filesystem::path& run);

/// The world that a run began with. Throws InputError if the manifest, or a file that it names, is gone.
BuiltScene build_run(const std::filesystem::path& run);

} // namespace phyxel::command
