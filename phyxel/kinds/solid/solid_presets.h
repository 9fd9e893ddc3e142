// SPDX-License-Identifier: MIT
// Solids that a scene can name, with where their numbers come from.
#pragma once

#include <phyxel/solid/solid_material.h>

#include <span>
#include <string_view>

namespace phyxel {

struct SolidPreset {
    std::string_view name;
    double density;        ///< [kg/m³]
    double youngs_modulus; ///< [Pa]
    double poisson_ratio;
    double viscosity;        ///< of deformation [Pa s]
    std::string_view source; ///< of the numbers
};

/// Soft ones first. No name is that of a fluid.
std::span<const SolidPreset> solid_presets();

SolidMaterial material_of(const SolidPreset& preset);

} // namespace phyxel
