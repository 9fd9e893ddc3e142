// SPDX-License-Identifier: MIT
// How far a place is from a surface, on which side, and in which direction.
#pragma once

#include <phyxel/core/types.h>

namespace phyxel {

template <int Dim>
struct SignedDistance {
    double value;    ///< φ < 0 inside [m]
    Vec<Dim> normal; ///< ∇φ where it exists, of unit length: outwards
};

} // namespace phyxel
