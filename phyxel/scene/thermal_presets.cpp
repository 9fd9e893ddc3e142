// SPDX-License-Identifier: MIT
#include <phyxel/scene/thermal_presets.h>

#include <array>

namespace phyxel {
namespace {

struct ThermalPreset {
    std::string_view name;
    double conductivity;        ///< [W/(m K)]
    double heat_capacity;       ///< [J/(kg K)]
    double thermal_expansion;   ///< [1/K]
    double melting_point = 0.0; ///< [K]; 0 for none
    double latent_heat = 0.0;   ///< [J/kg]
    double melting_range = 0.0; ///< [K]
};

} // namespace

ThermalMaterial thermal_material_of(std::string_view preset)
{
    // Typical values of handbooks at room temperature; gels are mostly water. Wax is paraffin of soft
    // candles. Of chocolate a third is cocoa butter, which melts from 31 to 37 °C and takes 157 J/g.
    static constexpr std::array presets = {
        ThermalPreset{"jelly", 0.55, 3900.0, 7e-5, 303.15, 2.0e4, 6.0},
        ThermalPreset{"gelatine", 0.5, 3700.0, 7e-5, 303.15, 2.0e4, 6.0},
        ThermalPreset{"foam", 0.035, 1500.0, 1e-4},
        ThermalPreset{"dough", 0.45, 2800.0, 2e-4},
        ThermalPreset{"putty", 0.7, 1000.0, 5e-5},
        ThermalPreset{"clay", 0.6, 1100.0, 1e-4},
        ThermalPreset{"muscle", 0.5, 3500.0, 1e-4},
        ThermalPreset{"silicone", 0.2, 1400.0, 3e-4},
        ThermalPreset{"rubber", 0.14, 1900.0, 2.2e-4},
        ThermalPreset{"cork", 0.045, 1900.0, 4e-5},
        ThermalPreset{"wax", 0.24, 2200.0, 1.1e-4, 331.15, 2.0e5, 4.0},
        ThermalPreset{"chocolate", 0.25, 1600.0, 1e-4, 307.15, 5.0e4, 6.0},
        ThermalPreset{"polyethylene", 0.45, 1900.0, 1.5e-4, 403.15, 2.4e5, 10.0},
        ThermalPreset{"wood", 0.12, 1600.0, 5e-6},
        ThermalPreset{"concrete", 1.7, 900.0, 1e-5},
        ThermalPreset{"glass", 1.0, 800.0, 9e-6},
        ThermalPreset{"aluminium", 220.0, 900.0, 2.3e-5, 933.5, 3.97e5},
        ThermalPreset{"lead", 35.0, 129.0, 2.9e-5, 600.6, 2.3e4},
        ThermalPreset{"mild_steel", 50.0, 470.0, 1.2e-5, 1790.0, 2.5e5, 40.0},
        ThermalPreset{"steel", 50.0, 470.0, 1.2e-5, 1790.0, 2.5e5, 40.0},
        ThermalPreset{"ice", 2.22, 2050.0, 5e-5, 273.15, 3.335e5},
        ThermalPreset{"brick", 0.7, 850.0, 6e-6},
        ThermalPreset{"stone", 2.8, 800.0, 8e-6},
    };
    ThermalMaterial material;
    for (const ThermalPreset& known : presets) {
        if (known.name != preset) continue;
        material.conductivity = known.conductivity;
        material.heat_capacity = known.heat_capacity;
        material.thermal_expansion = known.thermal_expansion;
        if (known.melting_point > 0.0) material.melting_point = known.melting_point;
        material.latent_heat = known.latent_heat;
        material.melting_range = known.melting_range;
    }
    return material;
}

} // namespace phyxel
