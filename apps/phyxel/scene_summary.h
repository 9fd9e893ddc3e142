// SPDX-License-Identifier: MIT
// What there is to say of a scene before it runs.
#pragma once

#include <phyxel/scene/scene.h>

#include <string>

namespace phyxel::command {

/// `15,000 particles, 61 frames, about 3,000 steps; needs about 45 MB of memory, 30 MB on disk, 1 min`
std::string estimate_text(const Estimate& estimate);

/// Frames 0 … last of the scene are within its duration.
std::uint64_t last_frame(const BuiltScene& built);

} // namespace phyxel::command
