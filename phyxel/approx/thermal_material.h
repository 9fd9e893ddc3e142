// SPDX-License-Identifier: MIT
// What a material does with heat. The state is the enthalpy, as melting takes heat without a change of
// temperature; temperature and phase follow from it.
#pragma once

#include <algorithm>
#include <optional>

namespace phyxel {

struct ThermalMaterial {
    double conductivity = 0.5;      ///< k [W/(m K)]
    double heat_capacity = 1000.0;  ///< c, of a mass [J/(kg K)]
    double thermal_expansion = 0.0; ///< α, of lengths [1/K]
    /// Of what touches it, the two of a contact one after the other; it touches perfectly if not given.
    std::optional<double> contact_conductance = {}; ///< [W/(m² K)]

    std::optional<double> melting_point = {}; ///< T_m [K]; it never melts if not given
    double melting_range = 0.0;               ///< between the first drop and the last crystal, around T_m [K]
    double latent_heat = 0.0;                 ///< L [J/kg]
    std::optional<double> molten_conductivity = {};  ///< above T_m; that of the solid if not given
    std::optional<double> molten_heat_capacity = {}; ///< the same

    bool operator==(const ThermalMaterial&) const = default;

    double heat_capacity_of_melt() const { return molten_heat_capacity.value_or(heat_capacity); }
    double conductivity_of_melt() const { return molten_conductivity.value_or(conductivity); }
    double solidus() const { return *melting_point - 0.5 * melting_range; }

    /// Where it begins to melt, and what it takes until all is molten [J/kg]. Within the range of melting
    /// temperature and liquid fraction grow in proportion to the enthalpy.
    double enthalpy_of_solidus() const { return heat_capacity * solidus(); }
    double enthalpy_of_melting() const
    {
        return latent_heat + 0.5 * (heat_capacity + heat_capacity_of_melt()) * melting_range;
    }
};

/// Throws InputError, naming the parameter, unless heat capacities and the temperature at which it begins to
/// melt are positive, and the rest is not negative.
void check_thermal_material(const ThermalMaterial& material);

/// Of the melt's share, 0 to 1. Of what melts at one temperature without latent heat it is 0 or 1.
inline double liquid_fraction(const ThermalMaterial& material, double enthalpy)
{
    if (!material.melting_point) return 0.0;
    const double above = enthalpy - material.enthalpy_of_solidus();
    const double whole = material.enthalpy_of_melting();
    if (!(whole > 0.0)) return above > 0.0 ? 1.0 : 0.0;
    return std::clamp(above / whole, 0.0, 1.0);
}

/// T(h) [K] for h [J/kg], which is 0 at 0 K.
inline double temperature_of(const ThermalMaterial& material, double enthalpy)
{
    if (!material.melting_point) return enthalpy / material.heat_capacity;
    const double above = enthalpy - material.enthalpy_of_solidus();
    if (above <= 0.0) return enthalpy / material.heat_capacity;
    const double beyond = above - material.enthalpy_of_melting();
    if (beyond < 0.0)
        return material.solidus() + material.melting_range * (above / material.enthalpy_of_melting());
    return material.solidus() + material.melting_range + beyond / material.heat_capacity_of_melt();
}

/// h(T) [J/kg]; at the temperature at which it melts all is solid.
inline double enthalpy_of(const ThermalMaterial& material, double temperature)
{
    if (!material.melting_point || temperature <= material.solidus())
        return material.heat_capacity * temperature;
    const double above = temperature - material.solidus();
    const double begin = material.enthalpy_of_solidus();
    if (above < material.melting_range)
        return begin + material.enthalpy_of_melting() * (above / material.melting_range);
    return begin + material.enthalpy_of_melting() +
           material.heat_capacity_of_melt() * (above - material.melting_range);
}

/// h [J/kg] of what had `enthalpy` in another material: the same temperature, and as much of it molten, where
/// both melt at that temperature.
inline double enthalpy_in(const ThermalMaterial& material, const ThermalMaterial& before, double enthalpy)
{
    const double temperature = temperature_of(before, enthalpy);
    const bool melts_where_it_did = material.melting_point && before.melting_point &&
                                    material.solidus() == before.solidus() &&
                                    material.melting_range == before.melting_range;
    if (!melts_where_it_did || temperature < material.solidus() ||
        temperature > material.solidus() + material.melting_range)
        return enthalpy_of(material, temperature);
    return material.enthalpy_of_solidus() +
           liquid_fraction(before, enthalpy) * material.enthalpy_of_melting();
}

inline double conductivity_of(const ThermalMaterial& material, double liquid)
{
    if (!material.molten_conductivity) return material.conductivity;
    return (1.0 - liquid) * material.conductivity + liquid * *material.molten_conductivity;
}

} // namespace phyxel
