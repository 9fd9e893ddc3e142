// SPDX-License-Identifier: MIT
// Numbers that steps leave behind, beside energies: one table says how they are put together, shown and
// saved.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace phyxel {

/// Of a step of a body, or of all steps of a frame.
struct Statistics {
    double removed = 0.0;               ///< particles that left through open sides and outflows
    double emitted = 0.0;               ///< particles that emitters made
    double mean_compression = 0.0;      ///< mean of max(0, ρ/ρ₀ − 1) over the particles
    double largest_compression = 0.0;   ///< largest ρ/ρ₀ − 1
    double density_iterations = 0.0;    ///< of an incompressible solver
    double divergence_iterations = 0.0; ///< of an incompressible solver
    double largest_penetration = 0.0;   ///< of solids into each other and into walls, in spacings
    double newton_iterations = 0.0;     ///< of an implicit solver
    double linear_iterations = 0.0;     ///< of an implicit solver
    double residual = 0.0;              ///< that an implicit solver left
    double inverted = 0.0;              ///< phyxels that are turned inside out
    double max_speed = 0.0;             ///< of a particle; of fluids before walls stop it [m/s]

    /// That of another body, or of the next step.
    void add(const Statistics& other);
};

enum class Merging { Sum, Largest };

struct StatisticInfo {
    std::string_view column; ///< of stats.csv
    double Statistics::*value;
    Merging merging;
    bool is_mean = false;  ///< stats.csv has the mean over the steps of a frame
    bool is_count = false; ///< of particles; saved as a whole number
};

/// In the order of stats.csv; a new one comes last. See first_statistics.
inline constexpr std::array statistics = {
    StatisticInfo{"removed", &Statistics::removed, Merging::Sum, false, true},
    StatisticInfo{"emitted", &Statistics::emitted, Merging::Sum, false, true},
    StatisticInfo{"density_error_mean", &Statistics::mean_compression, Merging::Largest},
    StatisticInfo{"density_error_max", &Statistics::largest_compression, Merging::Largest},
    StatisticInfo{"density_iterations", &Statistics::density_iterations, Merging::Sum, true},
    StatisticInfo{"divergence_iterations", &Statistics::divergence_iterations, Merging::Sum, true},
    StatisticInfo{"penetration", &Statistics::largest_penetration, Merging::Largest},
    StatisticInfo{"newton_iterations", &Statistics::newton_iterations, Merging::Sum, true},
    StatisticInfo{"linear_iterations", &Statistics::linear_iterations, Merging::Sum, true},
    StatisticInfo{"residual", &Statistics::residual, Merging::Largest},
    StatisticInfo{"inverted", &Statistics::inverted, Merging::Largest, false, true},
    StatisticInfo{"max_speed", &Statistics::max_speed, Merging::Largest},
};

/// So many of them, those of the first checkpoints, are saved together and counted in the hash of a state.
/// The others are saved by their columns and are in no hash, as they tell of steps and decide none: one more
/// changes no hash, and checkpoints without it can be gone on with.
inline constexpr std::size_t first_statistics = 11;

inline void Statistics::add(const Statistics& other)
{
    for (const StatisticInfo& info : statistics) {
        double& mine = this->*info.value;
        const double theirs = other.*info.value;
        mine = info.merging == Merging::Sum ? mine + theirs : std::max(mine, theirs);
    }
}

/// Stages that a step is timed by, in the order of stats.csv.
inline constexpr std::array<std::string_view, 12> step_stages = {
    "neighbors", "density", "divergence", "forces",  "pressure", "shifting",
    "walls",     "stress",  "newton",     "contact", "motion",   "output"};

} // namespace phyxel
