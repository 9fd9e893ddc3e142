// SPDX-License-Identifier: MIT
#include <phyxel/kinds/solid/solid_presets.h>

#include <array>

namespace phyxel {

std::span<const SolidPreset> solid_presets()
{
    // Jelly comes first: it is what a solid is made of if nothing else is said. Soft ones are nearly
    // incompressible; 0.45 lets leapfrog make steps twice as long as 0.49 and looks the same.
    static constexpr std::array presets = {
        SolidPreset{
            "jelly", 1050.0, 1.0e4, 0.45, 5.0,
            "dessert of some 5 % gelatine: typical values; twice as much makes it four times as stiff"},
        SolidPreset{"foam", 30.0, 5.0e4, 0.3, 0.0, "soft polyurethane of a seat: typical values"},
        SolidPreset{"gelatine", 1030.0, 1.0e5, 0.45, 10.0,
                    "10 % by mass at 4 °C, as in ballistics: typical values"},
        SolidPreset{"muscle", 1060.0, 3.0e4, 0.45, 10.0,
                    "relaxed: typical values; it varies tenfold with the muscle and its tension"},
        SolidPreset{"silicone", 1070.0, 7.0e4, 0.49, 0.0,
                    "very soft, Shore 00-30: typical values of data sheets"},
        SolidPreset{"rubber", 930.0, 1.5e6, 0.49, 0.0, "natural, unfilled, Shore A 40: typical values"},
        SolidPreset{"cork", 170.0, 1.3e7, 0.1, 0.0,
                    "Gibson, Easterling, Ashby 1981, The structure and mechanics of cork; across the radial "
                    "direction"},
        SolidPreset{"polyethylene", 950.0, 8.0e8, 0.42, 0.0, "of high density: typical values"},
        SolidPreset{"wood", 450.0, 1.1e10, 0.37, 0.0,
                    "spruce along the grain: typical values; across it some 20 times softer, see stiffness"},
        SolidPreset{"concrete", 2400.0, 3.0e10, 0.2, 0.0, "typical values; Eurocode 2 has 31 GPa for C25/30"},
        SolidPreset{"glass", 2500.0, 7.0e10, 0.2, 0.0, "soda-lime: EN 572-1"},
        SolidPreset{"aluminium", 2700.0, 7.0e10, 0.3, 0.0, "Eurocode 9"},
        SolidPreset{"steel", 7850.0, 2.1e11, 0.3, 0.0, "Eurocode 3"},
    };
    return presets;
}

SolidMaterial material_of(const SolidPreset& preset)
{
    SolidMaterial material;
    material.density = preset.density;
    material.youngs_modulus = preset.youngs_modulus;
    material.poisson_ratio = preset.poisson_ratio;
    material.viscosity = preset.viscosity;
    return material;
}

} // namespace phyxel
