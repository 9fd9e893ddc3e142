// SPDX-License-Identifier: MIT
// Where particles are, for those who count: what is nowhere is not inside.
#pragma once

#include <phyxel/core/types.h>

#include <limits>
#include <span>

namespace phyxel::detail {

/// How many points are outside, where is_outside(x) is asked of those only that are somewhere. Of none there
/// is no number: a check that looked at nothing has shown nothing.
template <class IsOutside>
double points_outside(std::span<const Vec<3>> points, const IsOutside& is_outside)
{
    if (points.empty()) return std::numeric_limits<double>::quiet_NaN();
    double count = 0.0;
    for (const Vec<3>& x : points) count += !x.allFinite() || is_outside(x) ? 1.0 : 0.0;
    return count;
}

} // namespace phyxel::detail
