// SPDX-License-Identifier: MIT
// Materials of rigid bodies that a scene can name, with where their numbers come from.
#pragma once

#include <phyxel/rigid/rigid_model.h>

#include <span>
#include <string_view>

namespace phyxel {

struct RigidPreset {
    std::string_view name;
    double density; ///< [kg/m³]
    double friction;
    double restitution;
    bool is_of_solids;       ///< solids have one of that name, which is listed with them
    std::string_view source; ///< of the numbers
};

/// Wood comes first: it is what a rigid body is made of if nothing else is said. The names are those of
/// solids and others that only rigid bodies have.
std::span<const RigidPreset> rigid_presets();

RigidMaterial material_of(const RigidPreset& preset);

} // namespace phyxel
