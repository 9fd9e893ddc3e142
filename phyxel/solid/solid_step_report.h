// SPDX-License-Identifier: MIT
// What a step of solids tells.
#pragma once

#include <phyxel/core/timer.h>
#include <phyxel/core/types.h>

#include <optional>

namespace phyxel {

struct [[nodiscard]] SolidStepReport {
    double max_speed = 0.0;         ///< [m/s]
    std::optional<Index> lost = {}; ///< a phyxel whose place or velocity is no longer a number
    std::optional<Index> fastest = {};
    double largest_penetration = 0.0; ///< of solids into each other and into walls, in spacings
    std::size_t contacts = 0;
    std::size_t inverted = 0; ///< phyxels with det F ≤ 0
    int newton_iterations = 0;
    int linear_iterations = 0;
    double residual = 0.0; ///< what is left of it, of an implicit step
    bool converged = true; ///< whether the residual came down as far as asked for
    StageTimes times = {};
};

} // namespace phyxel
