// SPDX-License-Identifier: MIT
// Subcommands that are programs of their own, so that the command can be built without what only they need:
// "phyxel studio" is done by "phyxel-studio" beside it, which was given the same words.
#pragma once

#include "console.h"

#include <string>

namespace phyxel::command {

/// Becomes the program of that name. Returns only if there is none, by an InputError.
[[noreturn]] void become_program(const std::string& name);

} // namespace phyxel::command
