// SPDX-License-Identifier: MIT
// Counts the allocations of a program that is linked with counted_allocations.cpp.
#pragma once

#include <atomic>
#include <cstddef>

namespace phyxel {

extern std::atomic<std::size_t> allocation_count;

} // namespace phyxel
