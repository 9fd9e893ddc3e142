// SPDX-License-Identifier: MIT
// phyxel validate: everything that is checked before a run, without the run.
#pragma once

#include <phyxel/scene/scene.h>

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace phyxel::command {

struct ValidateCommand {
    std::string scene;                    ///< a file or the name of an example
    std::vector<std::string> assignments; ///< of --set
    bool thorough = false;                ///< however long it takes
};

/// Warnings to stderr, `SCENE: ok: …` to stdout. Throws SceneError with all problems.
void validate_scene(const ValidateCommand& command);

/// The same for a file; returns what was found.
SceneCheck validate_file(const std::filesystem::path& file, std::span<const std::string> assignments = {},
                         const WorkBudget& work = WorkBudget(usual_check_work));

} // namespace phyxel::command
