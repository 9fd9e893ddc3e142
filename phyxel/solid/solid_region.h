// SPDX-License-Identifier: MIT
// Parts of a solid that something is done to: held, moved, pulled, pressed.
#pragma once

#include <phyxel/core/formula.h>
#include <phyxel/core/types.h>
#include <phyxel/geometry/motion.h>

#include <array>
#include <string>
#include <variant>
#include <vector>

namespace phyxel {

/// Follows a rigid motion; a motion that is fixed holds it.
template <int Dim>
struct PrescribedMotion {
    Motion<Dim> motion = {};
};

/// Shared by its phyxels by mass; of t [s]. [N]
template <int Dim>
struct RegionForce {
    std::array<Formula, Dim> force = {};
};

/// On the surface of the solid within the region, against its normal; of t [s]. [Pa]
struct RegionPressure {
    Formula pressure = {};
};

/// Draws the centre of the region to a place.
template <int Dim>
struct RegionSpring {
    double stiffness = 0.0;         ///< [N/m]
    double damping = 0.0;           ///< [N s/m]
    Vec<Dim> to = Vec<Dim>::Zero(); ///< [m]
};

/// Its phyxels are those whose places at rest are in a shape.
template <int Dim>
struct SolidRegion {
    std::string name;
    std::vector<Index> phyxels = {}; ///< ascending
    std::variant<PrescribedMotion<Dim>, RegionForce<Dim>, RegionPressure, RegionSpring<Dim>> what = {};
};

} // namespace phyxel
