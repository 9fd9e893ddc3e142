// SPDX-License-Identifier: MIT
// Fluids that a scene can name, with where their numbers come from.
#pragma once

#include <span>
#include <string_view>

namespace phyxel {

struct FluidPreset {
    std::string_view name;
    double density;          ///< [kg/m³]
    double viscosity;        ///< dynamic [Pa s]
    std::string_view source; ///< of the numbers, and at which temperature
};

std::span<const FluidPreset> fluid_presets();

} // namespace phyxel
