// SPDX-License-Identifier: MIT
// One line for the end of memory and of threads, also where nobody can catch what is thrown.
#pragma once

#include <exception>
#include <string>

namespace phyxel::command {

/// What to say if the system had no more memory or threads to give; empty if something else was thrown.
std::string lack_of_room(const std::exception_ptr& thrown);

} // namespace phyxel::command
