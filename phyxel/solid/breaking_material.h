// SPDX-License-Identifier: MIT
// What of a material says when it breaks.
#pragma once

#include <phyxel/core/formula.h>

#include <optional>
#include <vector>

namespace phyxel {

struct BreakingMaterial {
    /// Largest stress in tension, of the place at rest [Pa]. Without it no stress is too large.
    std::optional<Formula> strength = {};
    /// Plastic strain, all added up, after which what is pulled tears. Without it nothing tears by itself.
    std::optional<double> fracture_strain = {};
    std::optional<double> fracture_energy = {}; ///< that new cracks cost [J/m²]; see BreakingLaw
    double strength_variation = 0.0;            ///< share by which the strength differs from place to place
    double crack_speed = 0.4;                   ///< at the most, as a share of Rayleigh's speed
    std::vector<double> grain = {};             ///< direction along which the strength is `strength`
    std::optional<double> strength_across = {}; ///< of all directions across the grain [Pa]

    bool operator==(const BreakingMaterial&) const = default;
};

} // namespace phyxel
