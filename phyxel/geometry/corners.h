// SPDX-License-Identifier: MIT
#pragma once

#include <phyxel/geometry/box.h>

#include <vector>

namespace phyxel {

/// The four of a rectangle, the eight of a box.
template <int Dim>
std::vector<Vec<Dim>> corners(const Box<Dim>& box)
{
    std::vector<Vec<Dim>> corners;
    for (unsigned bits = 0; bits < (1U << Dim); ++bits) {
        Vec<Dim> corner;
        for (int k = 0; k < Dim; ++k) corner[k] = (bits >> k) % 2 == 0 ? box.min[k] : box.max[k];
        corners.push_back(corner);
    }
    return corners;
}

} // namespace phyxel
