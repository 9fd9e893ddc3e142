// SPDX-License-Identifier: MIT
// What messages say of a world: its walls and obstacles, where these are, and how much energy its bodies
// have.
#pragma once

#include <phyxel/scene/scene.h>

#include <string_view>

namespace phyxel::studio {

/// dimension, frame_rate, duration, last_frame, spacing, domain, bodies, obstacles, up, camera and color of
/// the message `scene`.
Node describe_world(const Scene& scene, const BuiltScene& built);

/// {name, spacing, can, surface} of a body of a type of the scene.
Node body_node(const std::string& name, std::string_view type, int dimension, double spacing);

/// Those of these bodies, as a list.
Node bodies_node(const std::vector<std::string>& names, const Node& resolved);

/// Poses of the obstacles at a time [s]: 12 numbers each, the rows of (R | t); null for what is gone.
Node obstacle_poses(const BuiltScene& built, double time);

/// [{body, kinetic, potential, internal}]
Node energies(BuiltScene& built);

Node list_node(const Vec<3>& v);
/// [{name, unit}]
Node fields_node(const std::vector<std::string>& fields, const FieldUnits& units);
Node texts_node(const std::vector<std::string>& texts);

/// One number as it is, several as a list; null for what is not finite, which JSON cannot say.
Node number_or_list(const std::vector<double>& values);

} // namespace phyxel::studio
