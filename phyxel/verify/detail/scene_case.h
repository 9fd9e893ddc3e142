// SPDX-License-Identifier: MIT
// A case that runs a scene of examples/verification as the command does, and is sabotaged as `--set` would.
#pragma once

#include <phyxel/verify/case.h>
#include <phyxel/verify/detail/scene_run.h>

#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace phyxel::detail {

/// What `--set` is given.
using Changes = std::vector<std::string>;

struct SceneCase {
    CaseInfo info;
    std::string scene;
    std::function<Measurement(const SceneRun&)> measure;
    std::string sabotage;
    Changes changes;       ///< of the sabotage
    Changes settings = {}; ///< of every run of the case, such as another solver
};

inline Case make_scene_case(const std::filesystem::path& folder, SceneCase c)
{
    const auto check = [path = folder / (c.scene + ".json"), measure = c.measure](const Changes& changes) {
        return measure(run_scene(path, changes));
    };
    Changes sabotaged = c.settings;
    sabotaged.insert(sabotaged.end(), c.changes.begin(), c.changes.end());
    return make_case<Changes>(std::move(c.info), check, std::move(c.settings), std::move(c.sabotage),
                              std::move(sabotaged));
}

} // namespace phyxel::detail
