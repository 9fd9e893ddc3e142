// SPDX-License-Identifier: MIT
// What a step of solids tells.
#pragma once

#include <phyxel/core/timer.h>
#include <phyxel/core/types.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace phyxel {

struct [[nodiscard]] SolidStepReport {
    double max_speed = 0.0;         ///< [m/s]
    double relative_speed = 0.0;    ///< the largest, compared with the solid that a phyxel belongs to [m/s]
    std::optional<Index> lost = {}; ///< a phyxel whose place or velocity is no longer a number
    std::optional<Index> fastest = {}; ///< compared with its solid
    double largest_penetration = 0.0;  ///< of solids into each other and into walls, in spacings
    std::size_t contacts = 0;
    std::size_t inverted = 0; ///< phyxels with det F ≤ 0
    int newton_iterations = 0;
    int linear_iterations = 0;
    double residual = 0.0;      ///< what is left of it, of an implicit step
    bool converged = true;      ///< whether the residual came down as far as asked for
    bool solved = true;         ///< false if too much of it was left even in parts of `shortest_part`
    double shortest_part = 0.0; ///< of those an implicit step was cut into [s]
    std::vector<std::uint8_t> outdated = {}; ///< parts that should forget their shape at rest; see Crowding
    StageTimes times = {};
};

} // namespace phyxel
