// SPDX-License-Identifier: MIT
// Frames as a user asks for them: A:B are the frames A to B − 1.
#pragma once

#include <phyxel/scene/scene.h>

#include <string>

namespace phyxel::command {

/// `A:B`, where either may be left out. Throws InputError.
FrameRange parse_frames(const std::string& text);

/// Throws an InputError about `--frames text`.
[[noreturn]] void refuse_frames(const std::string& text, const std::string& what);

} // namespace phyxel::command
