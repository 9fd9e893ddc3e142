// SPDX-License-Identifier: MIT
#include "run_scene.h"

#include <phyxel/kinds/standard_kinds.h>
#include <phyxel/scene/document.h>
#include <phyxel/scene/manifest.h>

namespace phyxel::studio {

RunScene read_run_scene(const std::filesystem::path& run)
{
    const Manifest manifest = read_manifest(run);
    return {to_text(manifest.scene) + "\n", manifest.files_folder.empty() ? run : manifest.files_folder,
            field_units(manifest, standard_kinds())};
}

} // namespace phyxel::studio
