// SPDX-License-Identifier: MIT
#include "scene_summary.h"

#include "text.h"

#include <cmath>
#include <variant>

namespace phyxel::command {

namespace {

/// Two digits are all that a guess is worth.
double rough(double value)
{
    if (!(value >= 100)) return value;
    const double unit = std::pow(10.0, std::floor(std::log10(value)) - 1);
    return std::round(value / unit) * unit;
}

} // namespace

std::string estimate_text(const Estimate& estimate)
{
    return count_text(estimate.particles, "particle", "particles") + ", " +
           count_text(estimate.frames, "frame", "frames") + ", about " +
           count_text(static_cast<std::uint64_t>(rough(static_cast<double>(estimate.steps))), "step",
                      "steps") +
           "; needs about " + bytes_text(rough(estimate.memory)) + " of memory, " +
           bytes_text(rough(estimate.disk)) + " on disk, " + duration_text(rough(estimate.seconds));
}

std::uint64_t last_frame(const BuiltScene& built)
{
    return std::visit([](const auto& world) { return world->clock().last_frame(); }, built.world);
}

} // namespace phyxel::command
