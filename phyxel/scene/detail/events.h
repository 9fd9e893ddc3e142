// SPDX-License-Identifier: MIT
// What events do to the parameters of a scene, worked out before the run.
#pragma once

#include <phyxel/scene/detail/scene_options.h>

#include <vector>

namespace phyxel {

/// The scene's parameters from some time on. Only those that events may change count.
template <int Dim>
struct PlannedEvent {
    double time = 0.0; ///< [s]
    SceneOptions<Dim> after;
};

/// The events in the order in which they happen. Each sets paths of the resolved scene: gravity, numbers
/// of materials and of solvers. What cannot be set is added to the problems.
template <int Dim>
std::vector<PlannedEvent<Dim>> plan_events(const Node& resolved, const SceneOptions<Dim>& scene,
                                           std::vector<Problem>& problems);

} // namespace phyxel
