// SPDX-License-Identifier: MIT
// What loops over pairs of particles read: places, sizes, and numbers that come with one load.
#pragma once

#include <phyxel/core/types.h>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>

namespace phyxel {

/// How many neighbours are computed at a time: what a vector register holds.
template <std::floating_point Real>
inline constexpr std::size_t lane_count = 32 / sizeof(Real);

/// Four numbers of a particle that lie together and come with one load: a vector of two or three components,
/// and in the last place a number that a stage wants with it.
template <std::floating_point Real>
struct alignas(4 * sizeof(Real)) Quad {
    std::array<Real, 4> v{};

    template <int Dim>
    static Quad from(const Vec<Dim, Real>& x, Real last = 0)
    {
        Quad quad;
        for (int k = 0; k < Dim; ++k) quad.v[k] = x[k];
        quad.v[3] = last;
        return quad;
    }
    Real& last() { return v[3]; }
    Real last() const { return v[3]; }
};

/// Places of particles in a space that may repeat.
template <int Dim, std::floating_point Real>
struct PairGeometry {
    const Quad<Real>* place = nullptr;
    std::array<Real, Dim> period{}; ///< 0 along axes that do not repeat
    std::array<Real, Dim> inverse_period{};

    bool is_periodic() const
    {
        return std::any_of(period.begin(), period.end(), [](Real length) { return length > 0; });
    }
};

/// Masses and supports: the same for all particles, or arrays.
template <int Dim, std::floating_point Real>
struct ParticleSizes {
    Real mass = 0;                          ///< m [kg]
    Real support_radius = 0;                ///< h [m]
    const Real* masses = nullptr;           ///< where sizes differ
    const Real* support_radii = nullptr;    ///< where sizes differ
    const Real* inverse_supports = nullptr; ///< where sizes differ

    bool is_mixed() const { return masses != nullptr; }
    Real mass_of(Index i) const { return is_mixed() ? masses[i] : mass; }
    Real support_of(Index i) const { return is_mixed() ? support_radii[i] : support_radius; }
};

} // namespace phyxel
