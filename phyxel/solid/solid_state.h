// SPDX-License-Identifier: MIT
// What of solids changes in time: all that is saved.
#pragma once

#include <phyxel/core/types.h>

#include <vector>

namespace phyxel {

template <int Dim>
struct SolidState {
    std::vector<Vec<Dim>> position; ///< x_i [m]
    std::vector<Vec<Dim>> velocity; ///< v_i [m/s]; with leapfrog, half a step behind the positions
    double largest_stretch = 1.0;   ///< of any phyxel in the last step; shortens the next explicit one

    std::size_t size() const { return position.size(); }
};

} // namespace phyxel
