// SPDX-License-Identifier: MIT
// The stages of a weakly compressible step: free functions over particles in sorted order, which the solver
// runs in `float` and verification also in `double`.
#pragma once

#include <phyxel/fluid/pair_lanes.h>
#include <phyxel/search/neighbor_lists.h>

#include <concepts>
#include <span>

namespace phyxel {

/// What a particle has of the walls near it: as much fluid as they hide, moving as the mirror image of the
/// particle does, so that nothing is braked along a wall.
template <int Dim, std::floating_point Real>
struct WallShare {
    Real share = 0;                                   ///< of its density that lies behind walls
    Vec<Dim, Real> push = Vec<Dim, Real>::Zero();     ///< −∇ of that share [1/m]
    Vec<Dim, Real> velocity = Vec<Dim, Real>::Zero(); ///< of the walls [m/s]
    Real distance = 0;                                ///< of the nearest one [m]
};

/// Numbers that the stages of one step share.
template <int Dim, std::floating_point Real>
struct WcsphConstants {
    CubicSplineLanes<Real> kernel;
    Real support_radius;     ///< h [m]
    Real mass;               ///< m [kg]
    Real rest_density;       ///< ρ₀ [kg/m³]
    Real laplacian_scale;    ///< C of Δω = C (1 − q) [m^−(Dim+2)]
    Real shock_damping;      ///< α c h/2 of the artificial viscosity [m²/s]
    Real velocity_smoothing; ///< ξ of XSPH
    Real smallest_distance;  ///< pairs closer than this have no direction [m]
};

template <int Dim, std::floating_point Real>
WcsphConstants<Dim, Real> wcsph_constants(double support_radius, double spacing, double mass,
                                          double rest_density, double artificial_viscosity,
                                          double sound_speed, double velocity_smoothing);

/// ρ_i = Σ_j m ω_ij + m ω(0) + ρ₀ share_i [AW09, Eq. 5, 55].
template <int Dim, std::floating_point Real>
void compute_density(const PairGeometry<Dim, Real>& pairs, const NeighborLists& neighbors,
                     const WcsphConstants<Dim, Real>& constants, std::span<const WallShare<Dim, Real>> walls,
                     std::span<Real> density);

/// a_i = −Σ m (p_i/ρ_i² + p_j/ρ_j² + Π_ij) ∇ω_ij + 1/ρ_i Σ m/ρ_j μ_ij (v_j − v_i) Δω_ij [AW09, Eq. 51, 52],
/// and the push of walls, which answer with the particle's own pressure. The tutorial's Algorithm 5 lacks the
/// masses. Π is Monaghan's artificial viscosity [Mon92]; [DC99, Eq. 22] has its sign reversed. μ_ij is the
/// mean of the two.
template <int Dim, std::floating_point Real>
void compute_acceleration(const PairGeometry<Dim, Real>& pairs, const NeighborLists& neighbors,
                          const WcsphConstants<Dim, Real>& constants,
                          std::span<const WallShare<Dim, Real>> walls,
                          const std::array<const Real*, Dim>& velocity, std::span<const Real> density,
                          std::span<const Real> pressure_over_density2, std::span<const Real> viscosity,
                          std::span<Vec<Dim, Real>> acceleration);

/// What walls add to the acceleration of a particle at velocity v: the pressure and the shock damping of its
/// mirror image.
template <int Dim, std::floating_point Real>
Vec<Dim, Real> wall_acceleration(const WallShare<Dim, Real>& wall, const WcsphConstants<Dim, Real>& constants,
                                 Real density, Real pressure_over_density2, const Vec<Dim, Real>& v);

/// Δv_i = ξ Σ 2m/(ρ_i + ρ_j) (v_j − v_i) ω_ij: Monaghan's difference form of XSPH. [AW09, Eq. 53] lacks v_j
/// and, with it restored, brakes the particles at a free surface.
template <int Dim, std::floating_point Real>
void compute_smoothing(const PairGeometry<Dim, Real>& pairs, const NeighborLists& neighbors,
                       const WcsphConstants<Dim, Real>& constants,
                       const std::array<const Real*, Dim>& velocity, std::span<const Real> density,
                       std::span<Vec<Dim, Real>> change);

} // namespace phyxel
