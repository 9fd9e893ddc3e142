// SPDX-License-Identifier: MIT
// Solids that a scene can name, with where their numbers come from.
#pragma once

#include <phyxel/solid/solid_material.h>

#include <span>
#include <string_view>

namespace phyxel {

/// What of a solid that melts is other in its melt.
struct MeltPreset {
    double youngs_modulus = 0.0; ///< [Pa]; 0 for what does not melt
    double viscosity = 0.0;      ///< [Pa s]
    double yield_stress = 0.0;   ///< von Mises', of one that bears some shear [Pa]
    double conductivity = 0.0;   ///< [W/(m K)]; that of the solid if 0
    double heat_capacity = 0.0;  ///< [J/(kg K)]; that of the solid if 0
};

struct SolidPreset {
    std::string_view name;
    double density;        ///< [kg/m³]
    double youngs_modulus; ///< [Pa]
    double poisson_ratio;
    double viscosity;        ///< of deformation [Pa s]
    std::string_view source; ///< of the numbers
    // Of one that yields.
    double yield_stress = 0.0; ///< von Mises' [Pa]
    double hardening = 0.0;    ///< [Pa]
    double creep_rate = 0.0;   ///< of one that creeps [1/s]
    MeltPreset melt = {};      ///< of one that melts where heat flows
    // Of one that breaks.
    double strength = 0.0;        ///< in tension, along x if it has a grain [Pa]
    double strength_across = 0.0; ///< of one with a grain [Pa]
    double variation = 0.0;       ///< share by which the strength differs from place to place
};

/// Soft ones first. No name is that of a fluid.
std::span<const SolidPreset> solid_presets();

SolidMaterial material_of(const SolidPreset& preset);

} // namespace phyxel
