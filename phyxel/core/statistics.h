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
    double refitted = 0.0;              ///< share of the phyxels that were given another shape at rest
    double surface_pop = 0.0;           ///< largest motion of a coat that its field does not explain [r_s]
    double fragments = 0.0;             ///< pieces of the solids with cracks
    double crack_area = 0.0;            ///< of all cracks of solids [m²], or their length in the plane [m]
    double fracture_energy = 0.0;       ///< that cracks which grow have taken since the start [J]

    /// That of another body, or of the next step.
    void add(const Statistics& other);
};

enum class Merging { Sum, Largest };

/// A chart of `phyxel plot` that statistics are drawn in.
struct StatisticChart {
    std::string_view name; ///< of its file
    std::string_view title;
    std::string_view label; ///< of the axis
    std::string_view unit = {};
    double factor = 1.0; ///< from stats.csv to that unit
    bool is_count = false;
    bool is_always_drawn = false; ///< also if all that it shows is 0
};

inline constexpr StatisticChart density_error_chart = {"density_error", "Density error", "compression", "%",
                                                       100.0,           false,           true};
inline constexpr StatisticChart particles_chart = {"particles", "Particles", "particles", {},
                                                   1.0,         true,        true};
inline constexpr StatisticChart iterations_chart = {"iterations", "Iterations of a step", "iterations"};
inline constexpr StatisticChart penetration_chart = {"penetration", "Penetration", "depth", "spacings"};
inline constexpr StatisticChart residual_chart = {"residual", "Residual", "residual"};
inline constexpr StatisticChart inverted_chart = {"inverted", "Turned inside out", "phyxels", {}, 1.0, true};
inline constexpr StatisticChart refitted_chart = {"refitted", "Shapes at rest that were forgotten",
                                                  "share of the phyxels in a step", "%", 100.0};
inline constexpr StatisticChart pop_chart = {"surface_pop", "Motion of surfaces that no field explains",
                                             "in a frame", "radii of a surfel"};
inline constexpr StatisticChart speed_chart = {"max_speed", "Largest speed", "speed", "m/s"};

inline constexpr StatisticChart fragments_chart = {"fragments", "Fragments", "pieces", {}, 1.0, true};
inline constexpr StatisticChart fracture_energy_chart = {"fracture_energy", "Energy that cracks have taken",
                                                         "energy", "J"};
inline constexpr StatisticChart crack_area_chart = {"crack_area", "Cracks", "area or length", "m², m"};

/// What a run says the first time that a number is not 0: `3 phyxels are turned …`.
struct StatisticWarning {
    std::string_view one = {}, several = {}; ///< after a count of one, or of another number
    std::string_view rest = {};
};

struct StatisticInfo {
    std::string_view column; ///< of stats.csv
    double Statistics::*value;
    Merging merging;
    const StatisticChart* chart;
    std::string_view curve; ///< what the chart calls it
    bool is_mean = false;   ///< stats.csv has the mean over the steps of a frame
    bool is_count = false;  ///< of particles; saved as a whole number
    StatisticWarning warning = {};
};

/// In the order of stats.csv; a new one comes last. See first_statistics.
inline constexpr std::array statistics = {
    StatisticInfo{"removed", &Statistics::removed, Merging::Sum, &particles_chart,
                  "removed since the frame before", false, true},
    StatisticInfo{"emitted", &Statistics::emitted, Merging::Sum, &particles_chart,
                  "emitted since the frame before", false, true},
    StatisticInfo{"density_error_mean", &Statistics::mean_compression, Merging::Largest, &density_error_chart,
                  "mean"},
    StatisticInfo{"density_error_max", &Statistics::largest_compression, Merging::Largest,
                  &density_error_chart, "largest"},
    StatisticInfo{"density_iterations", &Statistics::density_iterations, Merging::Sum, &iterations_chart,
                  "for the density", true},
    StatisticInfo{"divergence_iterations", &Statistics::divergence_iterations, Merging::Sum,
                  &iterations_chart, "for the divergence", true},
    StatisticInfo{"penetration", &Statistics::largest_penetration, Merging::Largest, &penetration_chart,
                  "largest of the frame"},
    StatisticInfo{"newton_iterations", &Statistics::newton_iterations, Merging::Sum, &iterations_chart,
                  "of Newton's method", true},
    StatisticInfo{"linear_iterations", &Statistics::linear_iterations, Merging::Sum, &iterations_chart,
                  "of conjugate gradients", true},
    StatisticInfo{"residual", &Statistics::residual, Merging::Largest, &residual_chart,
                  "largest of the frame"},
    StatisticInfo{
        "inverted",
        &Statistics::inverted,
        Merging::Largest,
        &inverted_chart,
        "largest of the frame",
        false,
        true,
        {" phyxel is", " phyxels are",
         " turned inside out, so what is computed there is no solid any more (stats.csv counts them "
         "as inverted); use \"law\": \"neo_hookean\" or a stiffer material, or load it less"}},
    StatisticInfo{"max_speed", &Statistics::max_speed, Merging::Largest, &speed_chart,
                  "largest of the frame"},
    StatisticInfo{"refitted", &Statistics::refitted, Merging::Sum, &refitted_chart, "mean over the steps",
                  true},
    StatisticInfo{"surface_pop", &Statistics::surface_pop, Merging::Sum, &pop_chart, "at most, of any place"},
    StatisticInfo{"fragments", &Statistics::fragments, Merging::Largest, &fragments_chart, "of solids"},
    StatisticInfo{"crack_area", &Statistics::crack_area, Merging::Largest, &crack_area_chart, "of solids"},
    StatisticInfo{"fracture_energy", &Statistics::fracture_energy, Merging::Largest, &fracture_energy_chart,
                  "of solids"},
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

/// Stages that a step is timed by, in the order of stats.csv. The last has the sum of those that a kind of
/// bodies of one's own may have beside them.
inline constexpr std::array<std::string_view, 13> step_stages = {
    "neighbors", "density", "divergence", "forces", "pressure", "shifting", "walls",
    "stress",    "newton",  "contact",    "motion", "output",   "other"};

} // namespace phyxel
