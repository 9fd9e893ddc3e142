// SPDX-License-Identifier: MIT
// How scenes write what bodies of all kinds have.
#pragma once

#include <phyxel/scene/kind.h>
#include <phyxel/scene/resolution_description.h>
#include <phyxel/scene/shape_description.h>

namespace phyxel {

template <int Dim>
void describe_basics(auto& visit, BodyBasics<Dim>& o, bool needs_shape = true)
{
    visit("name", o.name, {.required = true, .doc = "used in paths, probes and the names of frames"});
    visit("shape", o.shape,
          {.required = needs_shape,
           .doc = needs_shape ? "its shape at rest" : "what it fills at the start; nothing if not given"});
    visit("spacing", o.spacing,
          {.unit = "m", .above = 0, .doc = "distance between its particles, instead of the scene's spacing"});
    visit("count", o.count,
          {.min = 1, .max = max_particle_count, .doc = "number of its particles, instead of spacing"});
    visit("velocity", o.velocity,
          {.unit = "m/s", .variables = Dim == 2 ? "xyt" : "xyzt", .doc = "velocity at the start"});
    visit("angular_velocity", o.angular_velocity,
          {.unit = "rad/s", .doc = "angular velocity at the start, about the centre of mass"});
    visit("ignores", o.ignores,
          {.doc = "names of bodies and obstacles that it does not feel, and that do not feel it"});
    visit("start", o.start,
          {.unit = "s",
           .min = 0,
           .doc = "when the body appears; if not given, it is there from the beginning"});
}

} // namespace phyxel
