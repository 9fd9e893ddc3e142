// SPDX-License-Identifier: MIT
#include "shipped.h"

#include <phyxel/core/error.h>
#include <phyxel/core/nearest_word.h>

#include <algorithm>
#include <fstream>
#include <string_view>
#include <system_error>

namespace phyxel::command {
namespace {

namespace fs = std::filesystem;

fs::path scene_folder() { return shipped_folder() / "scenes"; }

std::string first_comment(const fs::path& file)
{
    std::ifstream text(file);
    std::string line;
    if (!std::getline(text, line) || !line.starts_with("//")) return {};
    const std::size_t begin = line.find_first_not_of("/ ");
    return begin == std::string::npos ? std::string() : line.substr(begin);
}

std::vector<std::string_view> names_of(const std::vector<ShippedExample>& examples)
{
    std::vector<std::string_view> names;
    for (const ShippedExample& example : examples) names.push_back(example.name);
    return names;
}

} // namespace

fs::path shipped_folder()
{
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    if (error) return {};
    // Beside a command that was built but not installed stands a file that says where its source tree is.
    std::ifstream source(program.parent_path() / "source_folder.txt");
    if (std::string folder; std::getline(source, folder)) return fs::path(folder) / "examples";
    return (program.parent_path() / PHYXEL_DATA_FROM_PROGRAM / "examples").lexically_normal();
}

std::vector<ShippedExample> shipped_examples()
{
    std::vector<ShippedExample> examples;
    std::error_code error;
    for (fs::directory_iterator entry(scene_folder(), error), end; !error && entry != end;
         entry.increment(error)) {
        const fs::path& path = entry->path();
        if (path.extension() == ".json" && entry->is_regular_file(error))
            examples.push_back({path.stem().string(), path, first_comment(path)});
    }
    std::sort(examples.begin(), examples.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    return examples;
}

ShippedExample shipped_example(const std::string& name)
{
    const std::vector<ShippedExample> examples = shipped_examples();
    for (const ShippedExample& example : examples)
        if (example.name == name) return example;
    const auto names = names_of(examples);
    throw InputError(
        "no example \"" + name + "\", " + suggestion(name, names) + "there are: " +
        (names.empty() ? "none, the folder " + scene_folder().string() + " is missing" : word_list(names)));
}

fs::path find_scene(const std::string& scene)
{
    std::error_code error;
    const fs::file_status status = fs::status(scene, error);
    if (fs::is_directory(status))
        throw InputError(scene + ": is a folder, expected a scene file or the name of an example");
    if (fs::exists(status)) return scene;

    const std::vector<ShippedExample> examples = shipped_examples();
    for (const ShippedExample& example : examples)
        if (example.name == scene) return example.path;

    // A file that is really there is meant rather than an example that is spelled alike.
    const std::string with_extension = scene + ".json";
    throw InputError(scene + ": no such scene file and no such example, " +
                     (fs::exists(with_extension, error) ? "did you mean \"" + with_extension + "\"? "
                                                        : suggestion(scene, names_of(examples))) +
                     "\"phyxel list examples\" shows the examples");
}

std::string scene_name(const fs::path& scene) { return scene.stem().string(); }

} // namespace phyxel::command
