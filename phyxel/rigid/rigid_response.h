// SPDX-License-Identifier: MIT
// How rigid bodies give way to whoever pushes them.
#pragma once

#include <phyxel/geometry/boundary.h>
#include <phyxel/rigid/rigid_model.h>
#include <phyxel/rigid/rigid_system.h>

#include <cstddef>

namespace phyxel {

/// What an impulse and an angular impulse on the body, one above the other, change its velocities by, if
/// walls that it rests on and joints with the world hold it as they did in the last step.
template <int Dim>
Mat<Form<Dim>::freedoms> response_of(const RigidSystem<Dim>& system, const RigidState<Dim>& state,
                                     std::size_t body);

/// Whether it has been still for so long that it is left alone until something touches it.
template <int Dim>
bool sleeps(const RigidState<Dim>& state, std::size_t body);

} // namespace phyxel
