// SPDX-License-Identifier: MIT
// Bells that follow the fluid around them: flat where particles form a surface or a sheet, long in a jet,
// round inside and for a drop by itself. After the idea of [YT13]: the shape of each bell comes from the
// weighted covariance of the neighbours, and its centre is the mean of those that lie in the same layer.
#pragma once

#include <phyxel/core/types.h>
#include <phyxel/surface/detail/particle_field.h>

#include <span>
#include <vector>

namespace phyxel::detail {

struct ShapedParticles {
    std::vector<Vec<3>> centers; ///< [m]
    std::vector<Bell> bells;
};

/// `support` is the radius of a bell inside the fluid [spacings].
ShapedParticles shape_particles(std::span<const Vec<3>> positions, double spacing, double support,
                                double cell);

/// The weight with which bells of this size, (r₁ r₂ r₃)^⅓ in spacings, add up to 1 inside the fluid.
double bell_weight(double mean_radius);

} // namespace phyxel::detail
