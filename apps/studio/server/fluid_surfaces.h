// SPDX-License-Identifier: MIT
// Surfaces around the particles of fluids, made while they are watched.
#pragma once

#include <phyxel/core/snapshot.h>
#include <phyxel/scene/node.h>

#include <map>
#include <string>
#include <vector>

namespace phyxel::studio {

/// Spacings of the fluids that can be covered, by name, from what the message `scene` says of the bodies;
/// none in the plane. [m]
std::map<std::string, double> spacings_of_fluids(const Node& description);

/// Gives these fluids surfaces where they have none yet. Throws InputError.
void add_fluid_surfaces(std::vector<Snapshot>& snapshots, const std::map<std::string, double>& spacings);

} // namespace phyxel::studio
