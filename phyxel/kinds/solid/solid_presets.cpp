// SPDX-License-Identifier: MIT
#include <phyxel/kinds/solid/solid_presets.h>

#include <phyxel/scene/thermal_presets.h>

#include <array>
#include <optional>

namespace phyxel {

std::span<const SolidPreset> solid_presets()
{
    // Jelly comes first: it is what a solid is made of if nothing else is said. Soft ones are nearly
    // incompressible; 0.45 lets leapfrog make steps twice as long as 0.49 and looks the same.
    //
    // A melt has the viscosity of handbooks but not the stiffness, which is that of compression alone: it
    // would be some gigapascals, and steps a fraction of a microsecond. A metre of it presses itself by 0.3
    // %. Wax: paraffin at 70 °C, 5 mPa s. Lead: 2.6 mPa s, 16 W/(m K) and 147 J/(kg K) just above its melting
    // point. Chocolate: dark, at 40 °C; Casson's law of it has some 2 Pa s and a yield stress of 10 Pa in
    // shear, which is 17 Pa of von Mises.
    static constexpr std::array presets = {
        SolidPreset{
            "jelly", 1050.0, 1.0e4, 0.45, 5.0,
            "dessert of some 5 % gelatine: typical values; twice as much makes it four times as stiff"},
        SolidPreset{"foam", 30.0, 5.0e4, 0.3, 0.0, "soft polyurethane of a seat: typical values"},
        SolidPreset{"gelatine", 1030.0, 1.0e5, 0.45, 10.0,
                    "10 % by mass at 4 °C, as in ballistics: typical values"},
        SolidPreset{"dough", 1150.0, 2.0e4, 0.45, 50.0,
                    "of bread: typical values, as it yields at some kilopascal and relaxes within seconds",
                    1.0e3, 0.0, 2.0},
        SolidPreset{"putty", 1600.0, 2.0e5, 0.45, 0.0,
                    "of linseed oil and chalk: typical values; it is pressed into shape by a thumb", 1.0e4,
                    0.0, 10.0},
        SolidPreset{"clay", 1800.0, 3.0e6, 0.4, 0.0,
                    "for modelling, oil-based, at room temperature: typical values of plasticine", 1.2e5},
        SolidPreset{"muscle", 1060.0, 3.0e4, 0.45, 10.0,
                    "relaxed: typical values; it varies tenfold with the muscle and its tension"},
        SolidPreset{"silicone", 1070.0, 7.0e4, 0.49, 0.0,
                    "very soft, Shore 00-30: typical values of data sheets"},
        SolidPreset{"rubber", 930.0, 1.5e6, 0.49, 0.0, "natural, unfilled, Shore A 40: typical values"},
        SolidPreset{"cork", 170.0, 1.3e7, 0.1, 0.0,
                    "Gibson, Easterling, Ashby 1981, The structure and mechanics of cork; across the radial "
                    "direction"},
        SolidPreset{"wax", 900.0, 1.0e8, 0.35, 0.0, "paraffin at room temperature: typical values", 1.0e6,
                    0.0, 0.0, MeltPreset{1.0e6, 5.0e-3}},
        SolidPreset{"chocolate", 1300.0, 3.0e8, 0.3, 0.0,
                    "dark, at room temperature: typical values of bending; it yields where it is crushed",
                    2.0e6, 0.0, 0.0, MeltPreset{1.0e6, 2.0, 17.0}, 1.0e6, 0.0, 0.1},
        SolidPreset{"polyethylene", 950.0, 8.0e8, 0.42, 0.0, "of high density: typical values"},
        SolidPreset{"wood", 450.0, 1.1e10, 0.37, 0.0,
                    "spruce along the grain: typical values; across it some 20 times softer, see stiffness"},
        SolidPreset{
            "softwood",
            450.0,
            1.1e10,
            0.37,
            0.0,
            "spruce that splits along its grain, which is x: typical strengths; as stiff across it as "
            "along it, unless stiffness is given",
            0.0,
            0.0,
            0.0,
            {},
            8.0e7,
            3.0e6,
            0.1},
        SolidPreset{"ceramic",
                    2400.0,
                    6.0e10,
                    0.2,
                    0.0,
                    "stoneware that breaks: typical values; its strength is that of bending",
                    0.0,
                    0.0,
                    0.0,
                    {},
                    5.0e7,
                    0.0,
                    0.2},
        SolidPreset{"brittle_glass",
                    2500.0,
                    7.0e10,
                    0.2,
                    0.0,
                    "soda-lime that breaks: EN 572-1, with its strength of bending",
                    0.0,
                    0.0,
                    0.0,
                    {},
                    4.5e7,
                    0.0,
                    0.3},
        SolidPreset{"concrete", 2400.0, 3.0e10, 0.2, 0.0, "typical values; Eurocode 2 has 31 GPa for C25/30"},
        SolidPreset{"glass", 2500.0, 7.0e10, 0.2, 0.0, "soda-lime: EN 572-1"},
        SolidPreset{"aluminium", 2700.0, 7.0e10, 0.3, 0.0, "Eurocode 9"},
        SolidPreset{"lead", 11340.0, 1.6e10, 0.44, 0.0, "rolled: typical values of data sheets", 1.0e7, 2.0e7,
                    0.0, MeltPreset{1.0e7, 2.6e-3, 0.0, 16.0, 147.0}},
        SolidPreset{"mild_steel", 7850.0, 2.1e11, 0.3, 0.0,
                    "S235 of EN 10025; hardening as a line to its strength of 360 MPa at 15 %", 2.35e8,
                    8.0e8},
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
    if (preset.yield_stress > 0.0) material.yield_stress = preset.yield_stress;
    material.hardening = preset.hardening;
    material.creep_rate = preset.creep_rate;
    if (preset.creep_rate > 0.0) material.plastic_flow = FlowLaw::Creep;
    if (preset.strength > 0.0) {
        material.breaking.strength = preset.strength;
        material.breaking.strength_variation = preset.variation;
    }
    if (preset.strength_across > 0.0) {
        material.breaking.grain = {1.0, 0.0, 0.0};
        material.breaking.strength_across = preset.strength_across;
    }
    material.thermal = thermal_material_of(preset.name);
    const MeltPreset& melt = preset.melt;
    if (melt.youngs_modulus > 0.0) {
        MoltenProperties& molten = material.molten_once_warm.emplace();
        const auto given = [](double value) { return value > 0.0 ? std::optional(value) : std::nullopt; };
        molten.youngs_modulus = melt.youngs_modulus;
        molten.poisson_ratio = 0.45;
        molten.viscosity = melt.viscosity;
        molten.yield_stress = given(melt.yield_stress);
        material.thermal.molten_conductivity = molten.conductivity = given(melt.conductivity);
        material.thermal.molten_heat_capacity = molten.heat_capacity = given(melt.heat_capacity);
    }
    return material;
}

} // namespace phyxel
