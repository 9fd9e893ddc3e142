// SPDX-License-Identifier: MIT
// Images of points across the sides of a periodic domain.
#pragma once

#include <phyxel/geometry/box.h>
#include <phyxel/search/periodic_box.h>

#include <array>
#include <cmath>
#include <cstddef>

namespace phyxel {

/// Calls visit(image) for all images of x that are within `reach` [m] of a box along the periodic axes.
template <int Dim, class Visit>
void for_each_image(const PeriodicBox<Dim>& periodic, const Vec<Dim>& x, const Box<Dim>& near, double reach,
                    Visit&& visit)
{
    std::array<double, Dim> first = {}, last = {}; // of the periods that are added
    for (int k = 0; k < Dim; ++k) {
        if (!periodic.is_periodic(k)) continue;
        const auto axis = static_cast<std::size_t>(k);
        first[axis] = std::ceil((near.min[k] - reach - x[k]) / periodic.length[k]);
        last[axis] = std::floor((near.max[k] + reach - x[k]) / periodic.length[k]);
    }
    Vec<Dim> image = x;
    const auto go = [&](const auto& self, int axis) -> void {
        if (axis == Dim) {
            visit(image);
            return;
        }
        const auto k = static_cast<std::size_t>(axis);
        for (double turns = first[k]; turns <= last[k]; ++turns) {
            image[axis] = x[axis] + turns * periodic.length[axis];
            self(self, axis + 1);
        }
    };
    go(go, 0);
}

} // namespace phyxel
