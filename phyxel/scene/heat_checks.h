// SPDX-License-Identifier: MIT
// What is looked at of heat before a scene runs.
#pragma once

#include <phyxel/core/number_text.h>
#include <phyxel/scene/findings.h>
#include <phyxel/scene/heat_options.h>
#include <phyxel/scene/quantity.h>
#include <phyxel/scene/scene_options.h>

#include <algorithm>
#include <optional>

namespace phyxel {

/// Numbers without a unit are kelvin, which is not what everybody expects.
inline void warn_of_cold(Findings& findings, const Path& path, const std::optional<double>& temperature)
{
    constexpr double coldest_meant = 150.0; // [K]
    if (!temperature || *temperature >= coldest_meant) return;
    findings.warn(
        path, format_quantity(*temperature, "K") + " are " + number_text(*temperature - 273.15, 4) + " °C",
        "write \"" + number_text(*temperature, 4) + " °C\" if degrees Celsius are meant");
}

inline void warn_of_cold(Findings& findings, const Path& path, const std::optional<AirOptions>& air)
{
    if (air) warn_of_cold(findings, path / "air" / "temperature", air->temperature);
}

inline void warn_of_cold(Findings& findings, const Path& path, const SurfaceHeatOptions& heat)
{
    warn_of_cold(findings, path / "temperature", heat.temperature);
    warn_of_cold(findings, path, heat.air);
}

inline void warn_of_cold(Findings& findings, const Path& path, const BodyHeatOptions& heat)
{
    if (heat.temperature && heat.temperature->is_number())
        warn_of_cold(findings, path / "temperature", heat.temperature->evaluate(0, 0, 0, 0));
    warn_of_cold(findings, path, heat.air);
}

/// Whether anything beside the bodies makes heat flow from the start.
template <int Dim>
bool speaks_of_heat_around(const SceneOptions<Dim>& scene)
{
    return (scene.domain && heat_of(scene.domain->heat).has_any()) ||
           std::any_of(scene.obstacles.begin(), scene.obstacles.end(),
                       [](const auto& obstacle) { return heat_of(obstacle.heat).has_any(); }) ||
           std::any_of(scene.hands.begin(), scene.hands.end(),
                       [](const auto& hand) { return hand.kind == HandKind::Warm; });
}

} // namespace phyxel
