// SPDX-License-Identifier: MIT
// What a run will cost, guessed before anything is allocated.
#pragma once

#include <phyxel/scene/scene.h>
#include <phyxel/world/probe.h>
#include <phyxel/world/world.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace phyxel {

/// What a probe adds to probes.csv, and when.
struct ProbePlan {
    std::size_t columns = 0;
    ProbeTimes every = ProbeTimes::Frame;
    double interval = 0.0; ///< [s]
};

/// How long the steps of bodies are expected to be from some time on.
struct ExpectedStep {
    double from = 0.0;                                     ///< [s]
    double step = std::numeric_limits<double>::infinity(); ///< [s]
};

/// All that the cost of a run depends on, beside its bodies.
struct RunPlan {
    int dimension = 3;
    ClockOptions clock = {};
    FrameRange frames = {};
    std::size_t field_count = 0; ///< numbers of frames, beside id, position and velocity
    bool double_precision = false;
    bool meshes = true; ///< whether frames have the surfaces of bodies
    std::vector<ProbePlan> probes = {};
    int cores = 1;
    std::vector<ExpectedStep> steps = {{}}; ///< of the world, from the beginning on and in the order of time

    double number_size() const { return double_precision ? 8.0 : 4.0; } ///< [bytes]
    std::uint64_t frame_count() const;
    double step() const; ///< expected on average, whatever frames are asked for and probes are read [s]
    double step_count() const { return step_count(steps); }
    /// Of bodies whose steps are these: no fewer than the world makes.
    double step_count(std::span<const ExpectedStep> own) const;
};

/// The longest of both at any time, which is what a world makes of the steps of its bodies.
std::vector<ExpectedStep> longest_steps(std::span<const ExpectedStep> a, std::span<const ExpectedStep> b);

/// What the bodies of a kind will cost.
struct KindCost {
    std::uint64_t particles = 0; ///< that there will be at a time
    double memory = 0.0;         ///< [bytes]
    double disk = 0.0;           ///< of frames and checkpoints [bytes]
    double seconds = 0.0;        ///< of a processor [s]
};

/// Frames and checkpoints of so many particles on average. `state` is what a checkpoint has of each. [bytes]
double disk_of_particles(const RunPlan& plan, double particles, double state);

/// Frames of surfaces that bodies have of their own. A point has so many numbers beside its place, its id and
/// the fields, and a triangle a count and three numbers of points. 0 if no surfaces are written. [bytes]
double disk_of_surfaces(const RunPlan& plan, double points, double numbers, double triangles);

/// The share of the disk that probes.csv has. [bytes]
double probe_table_size(const RunPlan& plan);

/// For people: `1.5 GB`, `2.5 days`.
std::string bytes_text(double bytes);
std::string seconds_text(double seconds);

} // namespace phyxel
