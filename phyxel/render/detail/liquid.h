// SPDX-License-Identifier: MIT
// Light at the surface of a clear liquid, and on its way through it.
#pragma once

#include <phyxel/render/detail/shading.h>

namespace phyxel::detail {

/// What becomes of light that comes along `direction` to a surface. All of unit length.
struct Bend {
    float reflectance; ///< the part that is reflected; 1 for total reflection
    Vec3f reflected;   ///< direction of that part
    Vec3f transmitted; ///< direction of the rest, if there is one
};

/// Snell's and Fresnel's laws for light that is not polarised; `ratio` is the refractive index on the side
/// that it comes from over that of the other side. Directions stay on their side of the face, also where the
/// normal for shading would send them through it.
Bend bend(const Vec3f& direction, const Surface& surface, float ratio);

/// What is left of light after a way of `distance` [m], by the law of Beer and Lambert.
Color transmission(const Liquid& liquid, float distance);

} // namespace phyxel::detail
