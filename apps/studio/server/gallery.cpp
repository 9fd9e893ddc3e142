// SPDX-License-Identifier: MIT
#include "gallery.h"

#include <phyxel/core/error.h>
#include <phyxel/scene/document.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>
#include <utility>

namespace phyxel::studio {
namespace {

namespace fs = std::filesystem;

constexpr int deepest_level = 4;
constexpr std::size_t most_entries = 1000;
constexpr std::size_t most_visits = 20'000; // of whatever lies there, as when it is somebody's home

int dimension_of(const fs::path& scene)
{
    try {
        const Node document = read_document(scene);
        const Node* dimension = document.is_object() ? document.find("dimension") : nullptr;
        return dimension != nullptr && *dimension == Node(2) ? 2 : 3;
    } catch (const InputError&) {
        return 3; // what is wrong is said when it is opened
    }
}

/// Whether it looks like a scene, not like any other JSON file; reading it properly is left to those who open
/// it.
bool looks_like_scene(const fs::path& file)
{
    constexpr std::size_t beginning = 16384;
    std::string text(beginning, '\0');
    std::ifstream stream(file, std::ios::binary);
    stream.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(stream.gcount()));
    return text.find("\"bodies\"") != std::string::npos;
}

struct Found {
    std::string path;
    const char* kind;
};

void look_into(const fs::path& folder, const std::string& prefix, int level, std::size_t& visits,
               std::vector<Found>& found)
{
    std::vector<fs::directory_entry> entries;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end && visits < most_visits;
         entry.increment(error), ++visits)
        entries.push_back(*entry);
    std::sort(entries.begin(), entries.end());
    for (const fs::directory_entry& entry : entries) {
        const std::string name = entry.path().filename().string();
        if (found.size() >= most_entries) return;
        if (name.starts_with('.') || !is_utf8(name) || entry.is_symlink(error)) continue;
        if (entry.is_directory(error)) {
            if (is_run_folder(entry.path()))
                found.push_back({prefix + name, "run"});
            else if (level < deepest_level)
                look_into(entry.path(), prefix + name + "/", level + 1, visits, found);
        } else if (entry.is_regular_file(error) && entry.path().extension() == ".json" &&
                   looks_like_scene(entry.path())) {
            found.push_back({prefix + name, "scene"});
        } else if (entry.is_regular_file(error) && entry.path().extension() == ".phyxel") {
            found.push_back({prefix + name, "checkpoint"});
        }
    }
}

} // namespace

bool is_run_folder(const fs::path& folder)
{
    std::error_code error;
    return fs::is_regular_file(folder / "manifest.json", error) && fs::is_directory(folder / "frames", error);
}

Node gallery_node(const std::vector<GalleryExample>& examples, const std::optional<fs::path>& folder)
{
    Node list = Node::list();
    for (const GalleryExample& example : examples)
        list.items().push_back(Node::object({{"name", example.name},
                                             {"sentence", example.sentence},
                                             {"dimension", dimension_of(example.path)},
                                             {"thumbnail", "/thumbnails/" + example.name + ".jpg"}}));
    std::vector<Found> found;
    std::size_t visits = 0;
    if (folder) look_into(*folder, "", 0, visits, found);
    Node files = Node::list();
    for (const Found& file : found)
        files.items().push_back(Node::object({{"path", file.path}, {"kind", file.kind}}));
    return Node::object({{"examples", std::move(list)},
                         {"folder_name", folder ? folder->string() : std::string()},
                         {"folder", std::move(files)}});
}

} // namespace phyxel::studio
