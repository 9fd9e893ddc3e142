// SPDX-License-Identifier: MIT
// Surfaces around particles, made while they are watched, and the colours of all surfaces.
#pragma once

#include <phyxel/core/snapshot.h>
#include <phyxel/scene/node.h>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace phyxel::studio {

/// Spacings of the bodies whose surfaces are made, by name, from what the message `scene` says of the bodies.
/// [m]
std::map<std::string, double> spacings_of_made_surfaces(const Node& description);

/// Gives these bodies surfaces where they have none yet. Throws InputError.
void add_made_surfaces(std::vector<Snapshot>& snapshots, const std::map<std::string, double>& spacings);

/// Gives surfaces these fields where only the particles have them: the mean of the nearest ones, weighted by
/// 1/r². What is a vector or a tensor becomes its length, as colours are.
void color_surfaces(std::vector<Snapshot>& snapshots, const std::set<std::string>& fields);

} // namespace phyxel::studio
