// SPDX-License-Identifier: MIT
#include "validate.h"

#include "console.h"
#include "scene_summary.h"
#include "shipped.h"

namespace phyxel::command {

BuiltScene validate_file(const std::filesystem::path& file, std::span<const std::string> assignments)
{
    BuiltScene built = build_scene(Scene::read(file, assignments));
    for (const std::string& warning : built.warnings) warn(warning);
    print(file.string() + ": ok: " + estimate_text(built.estimate) + "\n");
    return built;
}

void validate_scene(const ValidateCommand& command)
{
    static_cast<void>(validate_file(find_scene(command.scene), command.assignments));
}

} // namespace phyxel::command
