// SPDX-License-Identifier: MIT
#include <phyxel/kinds/fluid/fluid_presets.h>

#include <array>

namespace phyxel {

std::span<const FluidPreset> fluid_presets()
{
    // Water comes first: it is what a fluid is made of if nothing else is said.
    static constexpr std::array presets = {
        FluidPreset{"water", 998.2, 1.002e-3,
                    "20 °C, 1 atm: CRC Handbook of Chemistry and Physics; IAPWS has 998.207 kg/m³ and "
                    "1.0016 mPa s"},
        FluidPreset{"seawater", 1024.8, 1.077e-3,
                    "20 °C, salinity 35 g/kg: ITTC Recommended Procedures 7.5-02-01-03, Fresh Water and "
                    "Seawater Properties"},
        FluidPreset{"milk", 1030.0, 2.0e-3, "20 °C, whole milk: typical values"},
        FluidPreset{"ethanol", 789.3, 1.20e-3, "20 °C: CRC Handbook of Chemistry and Physics"},
        FluidPreset{"olive_oil", 911.0, 0.084,
                    "20 °C: typical density; viscosity from the CRC Handbook of Chemistry and Physics"},
        FluidPreset{"glycerol", 1261.0, 1.412,
                    "20 °C: density from the CRC Handbook; viscosity from Segur and Oberstar 1951, Ind. "
                    "Eng. Chem. 43"},
        FluidPreset{"honey", 1420.0, 10.0,
                    "20 °C: typical values; the viscosity varies tenfold with kind and water content"},
        FluidPreset{"mercury", 13546.0, 1.55e-3, "20 °C: CRC Handbook of Chemistry and Physics"},
    };
    return presets;
}

} // namespace phyxel
