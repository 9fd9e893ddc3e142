// SPDX-License-Identifier: MIT
#include "scene_files.h"

#include "served_files.h"

#include <phyxel/scene/scene_error.h>

#include <algorithm>
#include <system_error>
#include <utility>

namespace phyxel::studio {
namespace {

namespace fs = std::filesystem;

/// Calls visit(text node) for each file that a shape anywhere in the scene is made from.
template <class Visit>
void for_each_file(const Node& node, const Visit& visit)
{
    if (node.is_list())
        for (const Node& item : node.items()) for_each_file(item, visit);
    if (!node.is_object()) return;
    for (const Node::Member& member : node.members()) {
        if (member.key == "mesh" && member.value.is_text())
            visit(member.value);
        else
            for_each_file(member.value, visit);
    }
}

} // namespace

std::vector<fs::path> files_of(const Scene& scene, const fs::path& folder)
{
    std::vector<fs::path> files;
    for_each_file(scene.resolved(), [&](const Node& file) { files.push_back(folder / file.text()); });
    return files;
}

void check_scene_files(const Scene& scene, const fs::path& folder, const std::vector<fs::path>& roots)
{
    std::vector<Problem> problems;
    for_each_file(scene.resolved(), [&](const Node& file) {
        const fs::path path = folder / file.text();
        if (std::any_of(roots.begin(), roots.end(),
                        [&](const fs::path& root) { return is_below(path, root); }))
            return;
        problems.push_back({file.place(), "mesh", "the studio may not read \"" + file.text() + "\"",
                            "files beside the scene, below the folder that was named when it was started, "
                            "or of an example"});
    });
    if (!problems.empty()) throw SceneError(std::move(problems));
}

} // namespace phyxel::studio
