// SPDX-License-Identifier: MIT
#include <phyxel/approx/thermal_material.h>

#include <phyxel/core/error.h>
#include <phyxel/core/number_text.h>

#include <cmath>
#include <string>

namespace phyxel {

void check_thermal_material(const ThermalMaterial& material)
{
    const auto require = [](bool is_right, const char* name, double value, const char* what) {
        if (!is_right)
            throw InputError("material: " + std::string(name) + " is " + number_text(value, 6) + ", " + what);
    };
    const auto require_positive = [&](const char* name, double value) {
        require(value > 0.0 && std::isfinite(value), name, value, "must be above 0");
    };
    const auto require_no_negative = [&](const char* name, double value) {
        require(value >= 0.0 && std::isfinite(value), name, value, "must not be negative");
    };
    require_no_negative("conductivity", material.conductivity);
    require_positive("heat_capacity", material.heat_capacity);
    require(std::isfinite(material.thermal_expansion), "thermal_expansion", material.thermal_expansion,
            "must be finite");
    if (material.contact_conductance) require_positive("contact_conductance", *material.contact_conductance);
    require_no_negative("melting_range", material.melting_range);
    require_no_negative("latent_heat", material.latent_heat);
    require_no_negative("molten conductivity", material.conductivity_of_melt());
    require_positive("molten heat_capacity", material.heat_capacity_of_melt());
    if (material.melting_point) require_positive("melting_point", *material.melting_point);
    if (material.melting_point && !(material.solidus() > 0.0))
        throw InputError("material: melting_range is " + number_text(material.melting_range, 6) +
                         ", must be below twice the melting_point");
}

} // namespace phyxel
