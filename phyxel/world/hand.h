// SPDX-License-Identifier: MIT
// Hands: what takes hold of bodies or pushes them on purpose, from outside. They come and go with events, so
// whatever somebody does while a world runs can be done again to the same bits.
#pragma once

#include <phyxel/core/types.h>
#include <phyxel/geometry/motion.h>

#include <optional>
#include <string>

namespace phyxel {

enum class HandKind {
    Pull, ///< a spring draws the middle of what it has taken to where the hand is
    Hold, ///< what it has taken goes along with the hand
    Push, ///< a ball that pushes everything out of itself
    Warm, ///< a ball that warms what is in it
};

/// What Pull and Hold take is told by places at rest, so that it depends on nothing that happened before.
template <int Dim>
struct Hand {
    std::string name;
    HandKind kind = HandKind::Pull;
    std::string body = {};                ///< of Pull and Hold
    Vec<Dim> at = Vec<Dim>::Zero();       ///< of Pull and Hold a place of the body at rest [m]
    double radius = 0.0;                  ///< of what is taken, or of the ball [m]
    Motion<Dim> motion = {};              ///< from `at`
    std::optional<double> stiffness = {}; ///< of Pull; chosen from the mass of the body if not given [N/m]
    double strength = 100.0;              ///< of Push: acceleration, negative to draw in [m/s²]
    double power = 0.0;                   ///< of Warm, over all that it warms; negative to cool [W]

    /// Whether it takes hold of a body.
    bool takes_hold() const { return kind == HandKind::Pull || kind == HandKind::Hold; }

    Vec<Dim> place(double time) const { return motion.pose(time).apply(at); }
};

} // namespace phyxel
