// SPDX-License-Identifier: MIT
// What a step of a fluid tells its caller.
#pragma once

#include <phyxel/core/timer.h>
#include <phyxel/fluid/fluid_neighborhood.h>
#include <phyxel/fluid/fluid_state.h>

#include <limits>
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

/// What a block of particles has to say to a report.
struct FluidBlockSummary {
    std::size_t lost = std::numeric_limits<std::size_t>::max(); ///< the first that is no longer finite
    std::size_t fastest = 0;
    double squared_speed = 0.0;
    double compression = 0.0; ///< sum of max(0, ρ/ρ₀ − 1)
    double largest_compression = -1.0;
};

/// Speeds and compressions of a report. `partial` is memory that the caller keeps.
template <int Dim>
void describe(const FluidState<Dim>& fluid, std::span<const float> density, double rest_density,
              std::vector<FluidBlockSummary>& partial, FluidStepReport& report);

} // namespace phyxel
