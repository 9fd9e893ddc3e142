// SPDX-License-Identifier: MIT
// Parts of a solid that something is done to: held, moved, pulled, pressed.
#pragma once

#include <phyxel/core/formula.h>
#include <phyxel/core/types.h>
#include <phyxel/geometry/motion.h>
#include <phyxel/geometry/surface_heat.h>

#include <array>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace phyxel {

/// Follows a rigid motion; a motion that is fixed holds it.
template <int Dim>
struct PrescribedMotion {
    Motion<Dim> motion = {};
};

/// Goes along with a rigid motion from wherever it is; a motion that is fixed holds it there.
template <int Dim>
struct CarriedAlong {
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

/// Draws the centre of the region to a place, which may move.
template <int Dim>
struct RegionSpring {
    double stiffness = 0.0;         ///< [N/m]
    double damping = 0.0;           ///< of the centre's velocity relative to the place [N s/m]
    Vec<Dim> to = Vec<Dim>::Zero(); ///< [m]
    Motion<Dim> motion = {};        ///< of that place

    Vec<Dim> place(double time) const { return motion.pose(time).apply(to); }
    Vec<Dim> velocity(double time) const { return motion.velocity(time).at(place(time)); }
};

/// Left alone, for as long as nobody does anything to it.
struct RegionFree {};

/// What is done to a region.
template <int Dim>
using RegionAction = std::variant<PrescribedMotion<Dim>, CarriedAlong<Dim>, RegionForce<Dim>, RegionPressure,
                                  RegionSpring<Dim>, RegionFree>;

/// Its phyxels are those whose places at rest are in a shape. In a solid that is not there yet they are
/// counted from 0, as their ids follow each other when it comes.
template <int Dim>
struct SolidRegion {
    std::string name;
    std::vector<std::uint64_t> phyxels = {}; ///< ids, ascending
    RegionAction<Dim> what = {};
    SurfaceHeat heat = {};
    std::string source = {}; ///< what it was made from; the same text means the same
};

} // namespace phyxel
