// SPDX-License-Identifier: MIT
// What a run will cost, guessed before anything is allocated.
#pragma once

#include <phyxel/scene/scene.h>
#include <phyxel/world/probe.h>
#include <phyxel/world/world.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace phyxel {

/// What a probe adds to probes.csv, and when.
struct ProbePlan {
    std::size_t columns = 0;
    ProbeTimes every = ProbeTimes::Frame;
    double interval = 0.0; ///< [s]
};

/// All that the cost of a run depends on, beside its bodies.
struct RunPlan {
    int dimension = 3;
    ClockOptions clock = {};
    FrameRange frames = {};
    std::size_t field_count = 0; ///< numbers of frames, beside id, position and velocity
    bool double_precision = false;
    std::vector<ProbePlan> probes = {};
    int cores = 1;
    double asked_step = std::numeric_limits<double>::infinity(); ///< the shortest that a body needs [s]

    double number_size() const { return double_precision ? 8.0 : 4.0; } ///< [bytes]
    std::uint64_t frame_count() const;
    double step() const; ///< how long one is expected to be [s]
    double step_count() const;
};

/// What the bodies of a kind will cost.
struct KindCost {
    std::uint64_t particles = 0; ///< that there will be at a time
    double memory = 0.0;         ///< [bytes]
    double disk = 0.0;           ///< of frames and checkpoints [bytes]
    double seconds = 0.0;        ///< of a processor [s]
};

/// Frames and checkpoints of so many particles on average. `state` is what a checkpoint has of each. [bytes]
double disk_of_particles(const RunPlan& plan, double particles, double state);

/// The share of the disk that probes.csv has. [bytes]
double probe_table_size(const RunPlan& plan);

/// For people: `1.5 GB`, `2.5 days`.
std::string bytes_text(double bytes);
std::string seconds_text(double seconds);

} // namespace phyxel
