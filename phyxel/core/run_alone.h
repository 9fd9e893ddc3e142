// SPDX-License-Identifier: MIT
// Work of other libraries that must not be spread over threads.
#pragma once

#include <functional>

namespace phyxel {

/// Calls `work` where libraries that use oneTBB find one thread only. The rest of the program keeps its
/// threads, other than with a ThreadLimit.
void run_alone(const std::function<void()>& work);

} // namespace phyxel
