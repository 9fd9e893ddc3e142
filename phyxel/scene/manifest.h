// SPDX-License-Identifier: MIT
// What a run says of itself in its manifest.json: which scene made it, and by which program.
#pragma once

#include <phyxel/scene/node.h>
#include <phyxel/scene/scene.h>

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace phyxel {

struct Manifest {
    std::string program = {};                ///< with its version
    std::string name = {};                   ///< of the scene
    Node scene = {};                         ///< with every default, an object
    Node derived = {};                       ///< what follows from the scene, as of BuiltScene
    std::filesystem::path files_folder = {}; ///< that the scene names its files from; empty if it names none
};

/// What decides the run, and nothing else: the same scene gives the same text anywhere and at any time. Where
/// the files of the scene are is said relative to the run, so that both can be moved together.
std::string manifest_text(const Manifest& manifest, const std::filesystem::path& run);

/// Reads RUN/manifest.json. Throws InputError if there is none or if it is not that of a run.
Manifest read_manifest(const std::filesystem::path& run);

/// The scene that a run was made from, with what assignments change.
Scene scene_of_run(const Manifest& manifest, const std::filesystem::path& run, const Kinds& kinds,
                   std::span<const std::string> assignments = {});

/// Of the fields of a run, also of kinds that are not among these.
FieldUnits field_units(const Manifest& manifest, const Kinds& kinds);

/// Whether a shape anywhere in a scene is made from a file.
bool names_file(const Node& scene);

/// What is not the same in two runs, one line each: `gravity[1] is -9.81 there and -5 here`.
std::vector<std::string> differences(const Manifest& there, const Manifest& here);

} // namespace phyxel
