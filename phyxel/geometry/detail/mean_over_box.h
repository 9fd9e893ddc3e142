// SPDX-License-Identifier: MIT
#pragma once

#include <phyxel/core/rng.h>
#include <phyxel/core/types.h>
#include <phyxel/geometry/box.h>

namespace phyxel::detail {

/// Of a function of places, from a few that are always the same. Roughly, as is enough for what a query
/// takes.
template <class Function>
double mean_over_box(const Box<3>& box, const Function& function)
{
    constexpr Index places = 32;
    double sum = 0.0;
    for (Index i = 0; i < places; ++i)
        sum += function(Vec<3>(box.min + box.size().cwiseProduct(Rng(1, i).point<3>(0.0, 1.0))));
    return sum / places;
}

} // namespace phyxel::detail
