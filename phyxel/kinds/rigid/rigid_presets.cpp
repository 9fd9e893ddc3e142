// SPDX-License-Identifier: MIT
#include <phyxel/kinds/rigid/rigid_presets.h>

#include <array>

namespace phyxel {

std::span<const RigidPreset> rigid_presets()
{
    // Materials that solids also have have the same densities. Friction is that of the dry material on
    // itself; restitution is that of a ball dropped on a heavy plate from about a metre.
    static constexpr std::array presets = {
        RigidPreset{"wood", 450.0, 0.4, 0.4, true, "spruce: typical values"},
        RigidPreset{"cork", 170.0, 0.5, 0.5, true, "typical values"},
        RigidPreset{"ice", 917.0, 0.05, 0.3, false, "at 0 °C: typical values; friction on wet ice"},
        RigidPreset{"rubber", 930.0, 0.9, 0.75, true, "natural: typical values"},
        RigidPreset{"polyethylene", 950.0, 0.2, 0.6, true, "of high density: typical values"},
        RigidPreset{"brick", 1900.0, 0.6, 0.2, false, "fired clay: typical values"},
        RigidPreset{"concrete", 2400.0, 0.6, 0.2, true, "typical values"},
        RigidPreset{"stone", 2700.0, 0.6, 0.4, false, "granite: typical values"},
        RigidPreset{"glass", 2500.0, 0.4, 0.8, true, "soda-lime: typical values"},
        RigidPreset{"aluminium", 2700.0, 0.5, 0.5, true, "typical values"},
        RigidPreset{"steel", 7850.0, 0.4, 0.7, true, "typical values"},
    };
    return presets;
}

RigidMaterial material_of(const RigidPreset& preset)
{
    return {.density = preset.density, .friction = preset.friction, .restitution = preset.restitution};
}

} // namespace phyxel
