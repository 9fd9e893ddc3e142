// SPDX-License-Identifier: MIT
// How deep the box of coupled_raft.json is in water, rigid or soft.
#pragma once

#include <phyxel/fluid/fluid_state.h>
#include <phyxel/verify/case.h>
#include <phyxel/verify/detail/probe_columns.h>
#include <phyxel/verify/detail/scene_run.h>

namespace phyxel::detail {

/// The level follows from the volume of the water and of what is in it. `density` is that of the box [kg/m³].
inline Measurement draft_in_space(const SceneRun& run, double density)
{
    constexpr double tank = 0.46 * 0.46, base = 0.3 * 0.3, height = 0.2, spacing = 0.01, of_water = 1000.0;
    const auto particles = static_cast<double>(run.last.at("water").points.size());
    const double water = particles * fluid_part_model<3>(of_water, spacing, 2.0).particle_mass / of_water;
    const double draft = density / of_water * height;
    const double level = (water + draft * base) / tank;
    const double bottom = mean_from(run, "box.z", 1.5) - 0.5 * height;
    return {level - bottom, draft, 0.03 * height, Bound::Near, "m", "mean of the second half"};
}

} // namespace phyxel::detail
