// SPDX-License-Identifier: MIT
// A clip out of numbered pictures, with the program ffmpeg.
#pragma once

#include <phyxel/render/render_run.h>

#include <filesystem>

namespace phyxel::command {

/// Throws an InputError unless the name ends in .mp4 or .gif.
void check_clip(const std::filesystem::path& clip);

/// All pictures that were asked for, which must be there. The clip appears whole or not at all. Throws an
/// InputError of one line where ffmpeg is not installed or fails.
void make_clip(const RunPictures& pictures, const std::filesystem::path& clip, double frame_rate);

} // namespace phyxel::command
