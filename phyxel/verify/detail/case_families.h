// SPDX-License-Identifier: MIT
// The families that all_cases() puts together, one source file each.
#pragma once

#include <phyxel/verify/case.h>

#include <vector>

namespace phyxel::detail {

std::vector<Case> kernel_cases();      ///< V-K: kernels and weights by themselves
std::vector<Case> mls_cases();         ///< V-A1 … V-A5: what shape functions reproduce, and where they fail
std::vector<Case> operator_cases();    ///< V-A6, V-A7: SPH operators and the least-squares gradient
std::vector<Case> convergence_cases(); ///< V-A8: observed orders
std::vector<Case> search_cases();      ///< V-S: searches against brute force

} // namespace phyxel::detail
