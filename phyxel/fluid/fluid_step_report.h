// SPDX-License-Identifier: MIT
// What a step of a fluid tells its caller.
#pragma once

#include <phyxel/core/timer.h>
#include <phyxel/fluid/fluid_neighborhood.h>
#include <phyxel/fluid/fluid_state.h>

#include <optional>
#include <span>
#include <vector>

namespace phyxel {

struct [[nodiscard]] FluidStepReport {
    double max_speed = 0.0;                    ///< before walls stop particles [m/s]
    double mean_compression = 0.0;             ///< mean of max(0, ρ/ρ₀ − 1), before the step
    double largest_compression = 0.0;          ///< largest ρ/ρ₀ − 1, before the step
    int density_iterations = 0;                ///< of an incompressible solver
    int divergence_iterations = 0;             ///< of an incompressible solver
    std::size_t removed = 0;                   ///< particles that left through an open side
    std::optional<FluidParticle> lost = {};    ///< its position or velocity is no longer finite
    std::optional<FluidParticle> fastest = {}; ///< it has the largest speed
    StageTimes times = {};
};

/// Speeds and compressions of a report. `partial` is memory that the caller keeps.
template <int Dim>
void describe(const FluidState<Dim>& fluid, std::span<const float> density, double rest_density,
              std::vector<double>& partial, FluidStepReport& report);

} // namespace phyxel
