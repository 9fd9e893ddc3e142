// SPDX-License-Identifier: MIT
// What comes with the command: the example scenes, in the source tree or where they were installed.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace phyxel::command {

struct ShippedExample {
    std::string name;
    std::filesystem::path path;
    std::string summary; ///< the first comment of the file
};

/// The folder `examples`, with scenes and verification in it.
std::filesystem::path shipped_folder();

/// Sorted by name; none if the folder is not there.
std::vector<ShippedExample> shipped_examples();

/// The example of this name. Throws InputError with the nearest one if there is none.
ShippedExample shipped_example(const std::string& name);

/// The scene that a user means: a file, or else the name of an example. Throws InputError.
std::filesystem::path find_scene(const std::string& scene);

/// What runs of a scene are called: the file's name without its extension.
std::string scene_name(const std::filesystem::path& scene);

} // namespace phyxel::command
