// SPDX-License-Identifier: MIT
// The stages of a step of fluids: free functions over particles in sorted order, which solvers run in `float`
// and verification also in `double`.
#pragma once

#include <phyxel/fluid/pair_data.h>
#include <phyxel/fluid/pair_gradients.h>
#include <phyxel/search/neighbor_lists.h>

#include <concepts>
#include <span>

namespace phyxel {

/// What a particle has of the walls near it: as much fluid as they hide.
template <int Dim, std::floating_point Real>
struct WallShare {
    Real share = 0;                                   ///< of its density that lies behind walls
    Vec<Dim, Real> push = Vec<Dim, Real>::Zero();     ///< −∇ of that share, or less, see WallSlope [1/m]
    Vec<Dim, Real> velocity = Vec<Dim, Real>::Zero(); ///< of the walls [m/s]
    Real distance = 0;                                ///< of the nearest one [m]
    Real drag = 0; ///< of walls that hold the fluid: what μ/ρ₀ (velocity − v) is taken times [1/m²]
    Real friction = 0; ///< Coulomb's coefficient
};

/// All that loops over pairs read: who is where, who is whose neighbour, and how large.
template <int Dim, std::floating_point Real>
struct FluidPairs {
    PairGeometry<Dim, Real> geometry;
    const NeighborLists* neighbors = nullptr;
    ParticleSizes<Dim, Real> sizes;
};

/// ρ_i = Σ_j m_j ω_ij + m_i ω(0) + ρ₀ share_i [AW09, Eq. 5, 55].
template <int Dim, std::floating_point Real>
void compute_density(const FluidPairs<Dim, Real>& pairs, std::span<const WallShare<Dim, Real>> walls,
                     Real rest_density, std::span<Real> density);

/// Δv_i = ξ Σ 2m_j/(ρ_i + ρ_j) (v_j − v_i) ω_ij: Monaghan's difference form of XSPH. [AW09, Eq. 53] lacks v_j
/// and, with it restored, brakes the particles at a free surface. Density lies beside the velocities.
template <int Dim, std::floating_point Real>
void compute_smoothing(const FluidPairs<Dim, Real>& pairs, std::span<const Quad<Real>> velocity,
                       Real strength, std::span<Vec<Dim, Real>> change);

/// How fast the velocities around each particle stretch, the symmetric part of their gradient [1/s]:
///
///     D_i = sym Σ m_j ω_ij (v_j − v_i)(x_j − x_i)ᵀ / (1/d Σ m_j ω_ij |x_j − x_i|²)
///
/// with d the dimension. `along` is xx, yy, zz, `across` xy, xz, yz. Exact for linear velocities wherever the
/// second moments of the neighbours are the same in all directions, as in a lattice and beside a flat surface
/// of it.
template <int Dim, std::floating_point Real>
void compute_strain_rate(const FluidPairs<Dim, Real>& pairs, std::span<const Quad<Real>> velocity,
                         std::span<Quad<Real>> along, std::span<Quad<Real>> across);

/// Smooths velocities as XSPH does, but only what is no flow:
///
///     Δv_i = ξ d Σ 2m_j/(ρ_i + ρ_j) ω_ij r̂ r̂·(v_j − v_i − ½(D_i + D_j)(x_j − x_i))
///
/// with D the strain rate of compute_strain_rate(), and never more than without D nor against it. XSPH is a
/// viscosity that grows as steps get shorter, and brakes what spins: this one leaves linear and quadratic
/// velocity fields as they are, and being along r̂ keeps angular momentum. Density lies beside the velocities.
template <int Dim, std::floating_point Real>
void compute_noise_smoothing(const FluidPairs<Dim, Real>& pairs, std::span<const Quad<Real>> velocity,
                             std::span<const Quad<Real>> along, std::span<const Quad<Real>> across,
                             Real strength, std::span<Vec<Dim, Real>> change);

/// a_i = 1/ρ_i Σ m_j/ρ_j μ_ij (v_j − v_i) Δω_ij [AW09, Eq. 52], with the mean of the two viscosities, and the
/// drag of walls that hold the fluid. Density lies beside the velocities.
template <int Dim, std::floating_point Real>
void compute_viscous_acceleration(const FluidPairs<Dim, Real>& pairs,
                                  std::span<const WallShare<Dim, Real>> walls,
                                  std::span<const Quad<Real>> velocity, std::span<const Real> viscosity,
                                  std::span<Vec<Dim, Real>> acceleration);

/// Where a particle would find its neighbours more evenly around it:
///
///     −Σ m_j/ρ₀ (1 + ⅕ (ω_ij/ω(a))⁴) ∇ω_ij  [1/m],
///
/// which on a lattice is 0 and else points to where there is more room; the second term, with a the spacing,
/// keeps particles from pairing [LXSR12]. `value_at_spacing` is ω(a)/ω(0). Beside the room lies the least
/// density of the particle and its neighbours, which tells how near a free surface is. Density lies beside
/// the velocities.
template <int Dim, std::floating_point Real>
void compute_room(const FluidPairs<Dim, Real>& pairs, std::span<const Quad<Real>> velocity, Real rest_density,
                  Real value_at_spacing, std::span<Quad<Real>> room);

/// Δv_i = δx_i·∇v = Σ m_j/ρ_j (v_j − v_i) ∇ω_ij·δx_i: what the velocity of a particle has to become when it
/// is moved by δx without flowing there. Density lies beside the velocities.
template <int Dim, std::floating_point Real>
void compute_velocity_elsewhere(const FluidPairs<Dim, Real>& pairs, std::span<const Quad<Real>> velocity,
                                std::span<const Quad<Real>> shift, std::span<Vec<Dim, Real>> change);

// Weakly compressible

struct ShockDamping {
    double artificial_viscosity = 0.0; ///< α
    double sound_speed = 0.0;          ///< c [m/s]
};

/// a_i = −Σ m_j (p_i/ρ_i² + p_j/ρ_j² + Π_ij) ∇ω_ij [AW09, Eq. 51], and the push of walls. The tutorial's
/// Algorithm 5 lacks the masses. Π is Monaghan's artificial viscosity [Mon92]; [DC99, Eq. 22] has its sign
/// reversed. p/ρ² lies beside the places, density beside the velocities.
template <int Dim, std::floating_point Real>
void compute_acceleration(const FluidPairs<Dim, Real>& pairs, std::span<const WallShare<Dim, Real>> walls,
                          std::span<const Quad<Real>> velocity, Real rest_density,
                          const ShockDamping& damping, std::span<Vec<Dim, Real>> acceleration);

/// The same and the change of velocity of compute_smoothing, in one pass over the neighbours.
template <int Dim, std::floating_point Real>
void compute_acceleration_and_smoothing(const FluidPairs<Dim, Real>& pairs,
                                        std::span<const WallShare<Dim, Real>> walls,
                                        std::span<const Quad<Real>> velocity, Real rest_density,
                                        const ShockDamping& damping, Real strength,
                                        std::span<Vec<Dim, Real>> acceleration,
                                        std::span<Vec<Dim, Real>> change);

/// What walls add to the acceleration of a particle at velocity v: the pressure and the shock damping of its
/// mirror image.
template <int Dim, std::floating_point Real>
Vec<Dim, Real> wall_acceleration(const WallShare<Dim, Real>& wall, Real support_radius, Real rest_density,
                                 Real density, Real pressure_over_density2, const ShockDamping& damping,
                                 const Vec<Dim, Real>& v);

// Incompressible

/// What compute_strain_rate() reads and writes; empty where it is not wanted.
template <std::floating_point Real>
struct StrainRates {
    std::span<const Quad<Real>> velocity = {};
    std::span<Quad<Real>> along = {};
    std::span<Quad<Real>> across = {};
};

/// Density as above, the gradients of all pairs, and the response of a particle's density to its own
/// pressure, |∇_i ρ_i|² + m_i Σ m_j |∇ω_ij|²: minus the diagonal of the system for p/ρ², for a step of 1 s
/// [BK17, Eq. 11]. The response is zero where there is nothing to push. With strain rates these come along in
/// the same pass over the neighbours.
template <int Dim, std::floating_point Real>
void compute_density_and_gradients(const FluidPairs<Dim, Real>& pairs,
                                   std::span<const WallShare<Dim, Real>> walls, Real rest_density,
                                   std::span<Real> density, std::span<Real> response,
                                   PairGradients<Dim, Real>& gradients,
                                   const StrainRates<Real>& strain_rates = {});

/// a_i = −Σ m_j (p_i/ρ_i² + p_j/ρ_j²) ∇ω_ij, and the push of walls, from `pressure`, which is p/ρ². It comes
/// from an energy: what walls give is −p_i/ρ_i² ∇_i of the density behind them.
template <int Dim, std::floating_point Real>
void compute_pressure_acceleration(const PairGradients<Dim, Real>& gradients,
                                   std::span<const WallShare<Dim, Real>> walls, Real rest_density,
                                   std::span<const Real> pressure, std::span<Quad<Real>> acceleration);

/// Whether walls move, or only the fluid does.
enum class WallMotion { Moving, AtRest };

/// Dρ_i/Dt = Σ m_j (u_i − u_j)·∇ω_ij − ρ₀ (u_i − u_wall)·push_i of velocities u, or its second derivative of
/// accelerations, in which walls rest.
template <int Dim, std::floating_point Real>
void compute_density_rate(const PairGradients<Dim, Real>& gradients,
                          std::span<const WallShare<Dim, Real>> walls, Real rest_density,
                          std::span<const Quad<Real>> u, WallMotion wall_motion, std::span<Real> rate);

} // namespace phyxel
