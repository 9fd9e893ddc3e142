// SPDX-License-Identifier: MIT
// What the materials that scenes can name do with heat, whatever kind of body is made of them.
#pragma once

#include <phyxel/approx/thermal_material.h>

#include <string_view>

namespace phyxel {

/// That of a ThermalMaterial if nothing is known of the name.
ThermalMaterial thermal_material_of(std::string_view preset);

} // namespace phyxel
