// SPDX-License-Identifier: MIT
// A case that runs a scene of examples/verification as the command does, and is sabotaged by a fault of
// core/fault.h, or by another parameter of the method, such as a support, or another law or solver. Numbers
// of the problem, such as those of materials, loads and walls, are no ingredients.
#pragma once

#include <phyxel/core/fault.h>
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

/// What is wrong with the ingredients of a sabotaged run.
struct SceneSabotage {
    std::string what;
    Changes changes = {};
    Fault fault = Fault::None;

    SceneSabotage(Fault one, Changes with = {})
        : what(info_of(one).what),
          changes(std::move(with)),
          fault(one)
    {
    }
    SceneSabotage(std::string described, Changes with) : what(std::move(described)), changes(std::move(with))
    {
    }
};

/// How a scene is run.
struct SceneIngredients {
    Changes settings = {};
    Fault fault = Fault::None;
};

/// The settings of a case, spoilt.
inline SceneIngredients spoilt(const Changes& settings, const SceneSabotage& sabotage)
{
    SceneIngredients ingredients{settings, sabotage.fault};
    ingredients.settings.insert(ingredients.settings.end(), sabotage.changes.begin(), sabotage.changes.end());
    return ingredients;
}

struct SceneCase {
    CaseInfo info;
    std::string scene;
    std::function<Measurement(const SceneRun&)> measure;
    SceneSabotage sabotage;
    Changes settings = {}; ///< of every run of the case, such as another solver
};

inline Case make_scene_case(const std::filesystem::path& folder, SceneCase c)
{
    const auto check = [path = folder / (c.scene + ".json"),
                        measure = c.measure](const SceneIngredients& with) {
        return measure(*run_scene(path, with.settings, with.fault));
    };
    SceneIngredients sabotaged = spoilt(c.settings, c.sabotage);
    return make_case<SceneIngredients>(std::move(c.info), check, {std::move(c.settings)},
                                       std::move(c.sabotage.what), std::move(sabotaged));
}

} // namespace phyxel::detail
