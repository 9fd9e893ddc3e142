// SPDX-License-Identifier: MIT
#include "run_scene.h"

#include <phyxel/core/error.h>
#include <phyxel/scene/document.h>

namespace phyxel::studio {

RunScene read_run_scene(const std::filesystem::path& run)
{
    const std::filesystem::path file = run / "manifest.json";
    const Node manifest = read_document(file, max_resolved_nesting);
    const Node* scene = manifest.is_object() ? manifest.find("scene") : nullptr;
    if (scene == nullptr) throw InputError(file.string() + ": has no scene");
    const Node* folder = manifest.find("scene_folder");
    return {to_text(*scene) + "\n", folder != nullptr && folder->is_text() ? run / folder->text() : run};
}

} // namespace phyxel::studio
