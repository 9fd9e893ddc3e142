// SPDX-License-Identifier: MIT
// How fast bodies will be, before they move.
#pragma once

#include <phyxel/core/types.h>
#include <phyxel/geometry/box.h>
#include <phyxel/geometry/surroundings.h>

namespace phyxel {

/// The fastest motion to expect of what gravity pulls: √(2 g H) with the height H that it can fall through,
/// and how fast it, or an obstacle, moves at first. At least 0.1 m/s.
template <int Dim>
double expected_speed(const Box<Dim>& bounds, const Domain<Dim>& domain, const Box<Dim>& obstacle_bounds,
                      const Vec<Dim>& gravity, double initial_speed);

} // namespace phyxel
