// SPDX-License-Identifier: MIT
#include "run_scene.h"

#include <phyxel/scene/document.h>
#include <phyxel/scene/manifest.h>

namespace phyxel::studio {

RunScene read_run_scene(const std::filesystem::path& run)
{
    const Manifest manifest = read_manifest(run);
    return {to_text(manifest.scene) + "\n", manifest.files_folder.empty() ? run : manifest.files_folder};
}

} // namespace phyxel::studio
