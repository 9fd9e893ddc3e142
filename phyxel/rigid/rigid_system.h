// SPDX-License-Identifier: MIT
// The rigid bodies of a world, the joints between them and the hands that hold them.
#pragma once

#include <phyxel/core/fault.h>
#include <phyxel/geometry/unfelt.h>
#include <phyxel/rigid/rigid_joint.h>
#include <phyxel/rigid/rigid_model.h>

#include <cstdint>
#include <limits>
#include <vector>

namespace phyxel {

/// A damped spring from a point of a body to one that moves: stiff enough and it holds the point there.
template <int Dim>
struct RigidGrip {
    Index body = 0;
    Vec<Dim> at = Vec<Dim>::Zero();                             ///< of the body at rest [m]
    Vec<Dim> from = Vec<Dim>::Zero(), to = Vec<Dim>::Zero();    ///< where it is drawn while a step lasts [m]
    double stiffness = 0.0;                                     ///< [N/m]
    double damping = 0.0;                                       ///< [N s/m]
    double strongest = std::numeric_limits<double>::infinity(); ///< force along each axis [N]
    bool holds = false; ///< so stiff that to others the point does not give way
};

/// The bodies of a world and what holds them together.
template <int Dim>
struct RigidSystem {
    std::vector<RigidModel<Dim>> models;
    std::vector<std::uint8_t> is_there; ///< of each of them
    std::vector<RigidJoint<Dim>> joints;
    std::vector<RigidGrip<Dim>> grips = {};
    std::vector<Unfelt> unfelt = {}; ///< by the bodies; empty if they feel everything
    Fault fault = Fault::None;

    /// Whether there is something that the joint can hold.
    bool joins(const RigidJoint<Dim>& joint) const
    {
        return joint.is_there && is_there[joint.a] != 0 &&
               (joint.b == RigidJoint<Dim>::world || is_there[joint.b] != 0);
    }
};

} // namespace phyxel
