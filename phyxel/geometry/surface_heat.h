// SPDX-License-Identifier: MIT
// What a surface does to the heat of what touches it.
#pragma once

#include <optional>

namespace phyxel {

/// Air that takes heat away or brings it.
struct Air {
    double temperature = 0.0; ///< [K]
    double exchange = 0.0;    ///< h [W/(m² K)]

    bool operator==(const Air&) const = default;
};

/// One of these, or nothing: no heat goes through it then.
struct SurfaceHeat {
    std::optional<double> temperature = {}; ///< that it keeps [K]
    std::optional<double> flux = {};        ///< into what touches it [W/m²]
    std::optional<Air> air = {};            ///< between it and what touches it

    bool has_any() const { return temperature || flux || air; }
    bool operator==(const SurfaceHeat&) const = default;
};

} // namespace phyxel
