// SPDX-License-Identifier: MIT
// What a surface does to the motion along it.
#pragma once

#include <phyxel/core/types.h>

namespace phyxel {

/// What a wall does to the motion of a fluid along it.
template <int Dim>
struct WallSurface {
    bool no_slip = false;  ///< the fluid at the wall moves with it
    double friction = 0.0; ///< Coulomb's coefficient: what of the push of the wall brakes the fluid

    /// At which it runs along itself as a belt does, without going anywhere: of this, the part along the wall
    /// counts. An obstacle takes it along when it turns [m/s].
    Vec<Dim> velocity = Vec<Dim>::Zero();

    /// What running adds to the velocity of a wall with this normal; `turned` is the velocity as it is now.
    static Vec<Dim> along(const Vec<Dim>& turned, const Vec<Dim>& normal)
    {
        return turned - turned.dot(normal) * normal;
    }
    bool runs() const { return (velocity.array() != 0.0).any(); }
};

} // namespace phyxel
