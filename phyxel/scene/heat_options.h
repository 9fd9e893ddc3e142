// SPDX-License-Identifier: MIT
// What scenes can say of heat, the same for all that has it.
#pragma once

#include <phyxel/core/formula.h>
#include <phyxel/geometry/surface_heat.h>

#include <optional>

namespace phyxel {

struct AirOptions {
    double temperature = 0.0; ///< [K]
    double exchange = 0.0;    ///< [W/(m² K)]
};

/// Of what touches others. At most one of them is given.
struct SurfaceHeatOptions {
    std::optional<double> temperature; ///< [K]
    std::optional<double> heat_flux;   ///< [W/m²]
    std::optional<AirOptions> air;
};

/// Of a body.
struct BodyHeatOptions {
    std::optional<Formula> temperature; ///< at the start [K]
    std::optional<AirOptions> air;
};

inline std::optional<Air> air_of(const std::optional<AirOptions>& options)
{
    if (!options) return {};
    return Air{.temperature = options->temperature, .exchange = options->exchange};
}

inline SurfaceHeat heat_of(const SurfaceHeatOptions& options)
{
    return {.temperature = options.temperature, .flux = options.heat_flux, .air = air_of(options.air)};
}

} // namespace phyxel
