// SPDX-License-Identifier: MIT
#include <phyxel/scene/manifest.h>

#include <phyxel/core/error.h>
#include <phyxel/io/file.h>
#include <phyxel/scene/document.h>
#include <phyxel/scene/path.h>
#include <phyxel/world/run.h>

#include <algorithm>
#include <utility>

namespace phyxel {
namespace {

namespace fs = std::filesystem;

/// Raised when the manifest is laid out in another way.
constexpr int manifest_version = 1;
constexpr const char* folder_key = "scene_folder";

std::string text_at(const Node& object, std::string_view key)
{
    const Node* text = object.find(key);
    return text != nullptr && text->is_text() ? text->text() : std::string();
}

void add_difference(const std::string& path, const Node* there, const Node* here,
                    std::vector<std::string>& lines)
{
    const auto text = [](const Node* node) {
        if (node == nullptr) return std::string("not given");
        return node->is_list() ? to_line(*node) : short_text(*node);
    };
    lines.push_back(path + " is " + text(there) + " there and " + text(here) + " here");
}

void compare(const Node& there, const Node& here, Path& path, std::vector<std::string>& lines)
{
    if (there == here) return;
    if (there.is_object() && here.is_object()) {
        const auto look_at = [&](const std::string& key, const Node* a, const Node* b) {
            path.push(key);
            if (a != nullptr && b != nullptr)
                compare(*a, *b, path, lines);
            else
                add_difference(path.text(), a, b, lines);
            path.pop();
        };
        for (const Node::Member& member : there.members())
            look_at(member.key, &member.value, here.find(member.key));
        for (const Node::Member& member : here.members())
            if (there.find(member.key) == nullptr) look_at(member.key, nullptr, &member.value);
    } else if (there.is_list() && here.is_list() && there.items().size() == here.items().size()) {
        for (std::size_t i = 0; i < here.items().size(); ++i) {
            path.push(i);
            compare(there.items()[i], here.items()[i], path, lines);
            path.pop();
        }
    } else {
        add_difference(path.text(), &there, &here, lines);
    }
}

} // namespace

std::string manifest_text(const Manifest& manifest, const fs::path& run)
{
    Node node = Node::object();
    node.set("format", manifest_version);
    node.set("program", manifest.program);
    node.set("name", manifest.name);
    if (const Node* seed = manifest.scene.find("seed")) node.set("seed", *seed);
    if (!manifest.files_folder.empty())
        node.set(folder_key,
                 whole_path(manifest.files_folder).lexically_relative(whole_path(run)).generic_string());
    node.set("scene", manifest.scene);
    node.set("derived", manifest.derived);
    return to_text(node) + "\n";
}

Manifest read_manifest(const fs::path& run)
{
    const fs::path file = run / manifest_name;
    std::error_code error;
    if (!fs::exists(file, error)) throw InputError(run.string() + ": is not a run, it has no manifest.json");
    const Node node = read_document(file, max_resolved_nesting);
    const Node* scene = node.is_object() ? node.find("scene") : nullptr;
    if (scene == nullptr || !scene->is_object())
        throw InputError(file.string() + ": is not the manifest of a run, it has no scene");
    Manifest manifest{.program = text_at(node, "program"), .name = text_at(node, "name"), .scene = *scene};
    if (const Node* derived = node.find("derived")) manifest.derived = *derived;
    if (const std::string folder = text_at(node, folder_key); !folder.empty())
        manifest.files_folder = run / folder;
    return manifest;
}

Scene scene_of_run(const Manifest& manifest, const fs::path& run, const Kinds& kinds,
                   std::span<const std::string> assignments)
{
    return Scene::parse(to_text(manifest.scene), (run / manifest_name).string(),
                        manifest.files_folder.empty() ? run : manifest.files_folder, kinds, assignments);
}

FieldUnits field_units(const Manifest& manifest, const Kinds& kinds)
{
    FieldUnits units = kinds.field_units();
    const Node* own = manifest.derived.is_object() ? manifest.derived.find("units") : nullptr;
    if (own != nullptr && own->is_object())
        for (const Node::Member& member : own->members())
            if (member.value.is_text()) units.add(member.key, member.value.text());
    return units;
}

bool names_file(const Node& scene)
{
    if (scene.is_list()) return std::any_of(scene.items().begin(), scene.items().end(), names_file);
    if (!scene.is_object()) return false;
    return std::any_of(scene.members().begin(), scene.members().end(), [](const Node::Member& member) {
        return (member.key == "mesh" && member.value.is_text()) || names_file(member.value);
    });
}

std::vector<std::string> differences(const Manifest& there, const Manifest& here)
{
    std::vector<std::string> lines;
    Path path;
    compare(there.scene, here.scene, path, lines);
    if (there.program != here.program)
        lines.push_back("it was made by " + there.program + ", this is " + here.program);
    if (there.name != here.name)
        lines.push_back("the scene is called " + there.name + " there and " + here.name + " here");
    if (whole_path(there.files_folder) != whole_path(here.files_folder))
        lines.push_back("files are looked for in " + there.files_folder.string() + " there and in " +
                        here.files_folder.string() + " here");
    // What follows from the scene is another thing only if a file that it names has changed, or the program.
    if (lines.empty() && there.derived != here.derived)
        lines.emplace_back("a file that the scene names, or the program, has changed");
    return lines;
}

} // namespace phyxel
