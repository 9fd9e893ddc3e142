// SPDX-License-Identifier: MIT
// Refuses points that are not finite, before they spread through sums and matrices.
#pragma once

#include <phyxel/core/error.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/core/types.h>

#include <span>
#include <string>

namespace phyxel::detail {

/// Throws InputError naming the first point that is not finite. `what` is what one of them is called.
template <int Dim>
void check_finite(std::span<const Vec<Dim>> points, const char* what)
{
    parallel_for(points.size(), [&](Index i) {
        if (!points[i].allFinite())
            throw InputError("position of " + std::string(what) + " " + std::to_string(i) + " is not finite");
    });
}

} // namespace phyxel::detail
