// SPDX-License-Identifier: MIT
// phyxel render: pictures of a run, and a clip of the pictures.
#pragma once

#include "console.h"

#include <filesystem>
#include <string>

namespace phyxel::command {

struct RenderCommand {
    std::filesystem::path run;
    std::filesystem::path folder;   ///< RUN/pictures if empty
    std::string frames;             ///< A:B; all if empty
    std::string size = "1280x720";  ///< in pixels
    int samples = 16;               ///< rays a pixel
    std::string color = "velocity"; ///< a field, or `body`
    std::string range;              ///< LOW:HIGH of the field; that of the run if empty
    std::string camera;             ///< FROM:AT; by itself if empty
    double orbit = 0.0;             ///< [deg/s]
    std::string format = "png";     ///< or jpg
    std::filesystem::path clip;     ///< none if empty
    bool redo = false;
    bool quiet = false;
};

/// Throws InputError if there is nothing to draw or the options make no sense.
ExitCode render_pictures(const RenderCommand& command);

} // namespace phyxel::command
