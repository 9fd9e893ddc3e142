// SPDX-License-Identifier: MIT
// What a run will cost, guessed before anything is allocated.
#pragma once

#include <phyxel/fluid/wcsph_solver.h>
#include <phyxel/scene/scene.h>
#include <phyxel/world/world.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace phyxel {

/// Memory that so many particles of a fluid take. [bytes]
double fluid_memory(int dimension, std::uint64_t particles, double support_ratio);

/// `field_count` is the number of fields of frames beside id and velocity.
Estimate estimate_run(int dimension, std::uint64_t particles, const WcsphOptions& options, double spacing,
                      const ClockOptions& clock, std::size_t field_count, bool double_precision, int cores);

/// How long a step of the estimate is. [s]
double estimated_step(const WcsphOptions& options, double spacing, const ClockOptions& clock);

/// For people: `1.5 GB`, `2.5 days`.
std::string bytes_text(double bytes);
std::string seconds_text(double seconds);

} // namespace phyxel
