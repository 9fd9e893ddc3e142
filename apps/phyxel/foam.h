// SPDX-License-Identifier: MIT
// phyxel foam: spray, foam and bubbles of the fluids of a recorded run.
#pragma once

#include "console.h"

#include <phyxel/fluid/foam.h>

#include <filesystem>

namespace phyxel::command {

struct FoamCommand {
    std::filesystem::path run;
    FoamOptions options;
    bool quiet = false;
};

/// Throws InputError if the run has no fluid in space or the options make no sense.
ExitCode make_foam(const FoamCommand& command);

} // namespace phyxel::command
