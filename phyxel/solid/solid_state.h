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
    double last_step = 0.0;         ///< [s]
    // Of the last step; they shorten the next explicit one.
    double stiffening = 1.0;        ///< how many times stiffer than at rest the stiffest phyxel is
    double contact_frequency = 0.0; ///< of the phyxel that contacts hold most stiffly [1/s]

    std::size_t size() const { return position.size(); }
};

} // namespace phyxel
