// SPDX-License-Identifier: MIT
// The masses of the particles that show a rigid body.
#pragma once

#include <phyxel/kinds/rigid/rigid_body.h>

#include <vector>

namespace phyxel {

/// Masses of particles with which the particles have the mass, the centre and the inertia of the body. They
/// are equal masses times a polynomial of second degree. If there are too few particles, they come as near to
/// that as possible.
template <int Dim>
std::vector<double> weights_of(const RigidPart<Dim>& part);

} // namespace phyxel
