// SPDX-License-Identifier: MIT
// What a run will cost, guessed before anything is allocated.
#pragma once

#include <phyxel/fluid/fluid_solver.h>
#include <phyxel/scene/scene.h>
#include <phyxel/solid/solid_options.h>
#include <phyxel/world/world.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace phyxel::detail {

/// Memory that so many particles of a fluid take; more if the solver finds pressures by iterations.
/// `crowding` is how many particles there are where there is room for one. [bytes]
double fluid_memory(int dimension, std::uint64_t particles, double support_ratio, bool is_iterative,
                    double crowding = 1.0);

/// Number of lattice points within the support.
double neighbors_within(int dimension, double support_ratio);

/// Memory that so many phyxels take, their neighbours included. [bytes]
double solid_memory(std::uint64_t phyxels);

/// What a probe adds to probes.csv, and when.
struct ProbePlan {
    std::size_t columns = 0;
    ProbeTimes every = ProbeTimes::Frame;
    double interval = 0.0; ///< [s]
};

struct FluidPlan {
    std::uint64_t particles = 0; ///< at the start
    std::uint64_t emitted = 0;   ///< that come in addition until the end
    double spacing = 0.0;        ///< the smallest [m]
    double viscosity = 0.0;      ///< the largest, kinematic [m²/s]
    double crowding = 1.0;       ///< as that of fluid_memory, on average
    FluidOptions solver = {};
};

struct SolidPlan {
    std::uint64_t phyxels = 0;
    double sound_time = 0.0; ///< that pressure waves take from phyxel to phyxel, the shortest [s]
    std::optional<double> stable_step = {}; ///< of an explicit solver at rest, once it is there [s]
    bool may_hit_something = false;
    SolidOptions solver = {};
    std::uint64_t surface_points = 0;
    std::uint64_t surface_triangles = 0;
};

/// All that the cost of a run depends on.
struct RunPlan {
    int dimension = 3;
    std::optional<FluidPlan> fluid = {};
    std::optional<SolidPlan> solid = {};
    ClockOptions clock = {};
    FrameRange frames = {};
    std::size_t field_count = 0; ///< of frames, beside id and velocity
    bool double_precision = false;
    std::vector<ProbePlan> probes = {};
    int cores = 1;
};
Estimate estimate_run(const RunPlan& plan);

/// The share of the disk that probes.csv has. [bytes]
double probe_table_size(const RunPlan& plan);

/// How long a step of the estimate is. [s]
double estimated_step(const RunPlan& plan);

/// Processor time that the solids of the plan take. [s]
double solid_seconds(const RunPlan& plan);

/// For people: `1.5 GB`, `2.5 days`.
std::string bytes_text(double bytes);
std::string seconds_text(double seconds);

} // namespace phyxel::detail
