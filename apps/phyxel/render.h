// SPDX-License-Identifier: MIT
// phyxel render: pictures of a run, and a clip of the pictures, or one picture of some files.
#pragma once

#include "console.h"
#include "picture_options.h"

#include <filesystem>
#include <string>
#include <vector>

namespace phyxel::command {

struct RenderCommand {
    std::vector<std::filesystem::path> inputs; ///< a run, or files
    std::filesystem::path output;              ///< a folder or a picture; chosen if empty
    std::string frames;                        ///< A:B; all if empty
    std::string format;                        ///< png or jpg; as the output's ending says, or png, if empty
    std::filesystem::path compare;             ///< another run; none if empty
    std::filesystem::path clip;                ///< none if empty
    PictureArguments picture;
    bool redo = false;
    bool quiet = false;
};

/// Throws InputError if there is nothing to draw or the options make no sense.
ExitCode render_pictures(const RenderCommand& command);

} // namespace phyxel::command
