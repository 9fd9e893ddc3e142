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

/// Sums over the neighbours of a particle, w = 1 − |d|²; distances d in `bell_neighborhood`s.
struct Moments {
    double weight = 0.0;            ///< Σ w, the particle itself included
    Vec<3> first = Vec<3>::Zero();  ///< Σ w d
    Mat<3> second = Mat<3>::Zero(); ///< Σ w d dᵀ
};

/// Neighbours within this distance shape a bell [spacings].
inline constexpr double bell_neighborhood = 3.0;

/// Principal axes of a neighbourhood and the radii of the bell along them.
struct Ellipsoid {
    Mat<3> axes;  ///< columns
    Vec<3> radii; ///< [spacings]
    /// How far the centre moves towards the mean along each axis: all the way across a layer, not at all
    /// along it, where the mean only pulls the rim of a sheet inwards.
    Vec<3> pull;
    double fullness; ///< of the neighbourhood: 0 for a particle by itself, 1 inside of a body

    Mat<3> form() const { return axes * radii.cwiseAbs2().cwiseInverse().asDiagonal() * axes.transpose(); }
};

/// The bell of a particle among these neighbours. `support` is the mean radius of one inside, `alone` the
/// radius of one by itself [spacings].
Ellipsoid ellipsoid_of(const Moments& moments, double support, double alone);

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
