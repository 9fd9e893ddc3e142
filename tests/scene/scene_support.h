// SPDX-License-Identifier: MIT
// Scenes in small, and what is wrong with them.
#pragma once

#include <phyxel/kinds/standard_kinds.h>
#include <phyxel/scene/scene.h>
#include <phyxel/scene/scene_error.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace phyxel {

inline Scene parse(std::string_view text, const std::vector<std::string>& assignments = {})
{
    return Scene::parse(text, "a.json", ".", standard_kinds(), assignments);
}

/// The message of what `attempt` throws, or "no error".
template <class Attempt>
std::string error_of(Attempt&& attempt)
{
    try {
        attempt();
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

inline std::string parse_error(std::string_view text, const std::vector<std::string>& assignments = {})
{
    return error_of([&] { parse(text, assignments); });
}

/// A scene with a cube of water, and this member in the second line.
inline std::string scene_with(std::string_view member)
{
    return R"({ "bodies": [ { "name": "water", "type": "fluid", "shape": { "box": { "min": [0, 0, 0], "max": [1, 1, 1] } } } ],)"
           "\n" +
           std::string(member) + "\n}";
}

/// A machine that can do anything.
inline Machine large_machine() { return {.cores = 2}; }

inline BuiltScene build(std::string_view text, const std::vector<std::string>& assignments = {})
{
    return build_scene(parse(text, assignments), large_machine());
}

inline std::string build_error(std::string_view text, const Machine& machine = large_machine())
{
    return error_of([&] { static_cast<void>(build_scene(parse(text), machine)); });
}

inline std::string joined(const std::vector<std::string>& lines)
{
    std::string text;
    for (const std::string& line : lines) text += (text.empty() ? "" : "\n") + line;
    return text;
}

/// Without the one of gravity in a scene that has no floor, as scenes in small have none.
inline std::string joined_beside_fall(std::vector<std::string> warnings)
{
    std::erase_if(warnings,
                  [](const std::string& line) { return line.find(": gravity: ") != std::string::npos; });
    return joined(warnings);
}

/// All scenes that are shipped, but for those of programs with kinds of their own.
inline std::vector<std::filesystem::path> example_scenes()
{
    std::vector<std::filesystem::path> scenes;
    for (const std::filesystem::directory_entry& entry :
         std::filesystem::recursive_directory_iterator(PHYXEL_EXAMPLES))
        if (entry.path().extension() == ".json" && entry.path().parent_path().filename() != "cpp")
            scenes.push_back(entry.path());
    std::sort(scenes.begin(), scenes.end());
    return scenes;
}

} // namespace phyxel
