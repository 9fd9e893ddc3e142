// SPDX-License-Identifier: MIT
#include "validate.h"

#include "console.h"
#include "scene_summary.h"
#include "shipped.h"

#include <phyxel/kinds/standard_kinds.h>

namespace phyxel::command {

SceneCheck validate_file(const std::filesystem::path& file, std::span<const std::string> assignments,
                         const WorkBudget& work)
{
    SceneCheck check = check_scene(Scene::read(file, standard_kinds(), assignments), this_machine(), work);
    for (const std::string& warning : check.warnings) warn(warning);
    std::string line = file.string() + (check.is_whole ? ": ok" : ": ok as far as it was looked at");
    if (check.is_whole || check.estimate.particles > 0) line += ": " + estimate_text(check.estimate);
    print(line + "\n");
    return check;
}

void validate_scene(const ValidateCommand& command)
{
    static_cast<void>(validate_file(find_scene(command.scene), command.assignments,
                                    command.thorough ? WorkBudget() : WorkBudget(usual_check_work)));
}

} // namespace phyxel::command
