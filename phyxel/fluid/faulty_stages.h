// SPDX-License-Identifier: MIT
// What the faults of fluids add to honest stages, see core/fault.h. Slow and simple: only verification runs
// them.
#pragma once

#include <phyxel/fluid/fluid_stages.h>

#include <concepts>
#include <span>

namespace phyxel {

/// Σ_j m_j ∇ω_ij of every particle, which times p_i/ρ_i² is what the symmetric form of the pressure force has
/// more than the plain one.
template <int Dim, std::floating_point Real>
void compute_gradient_sum(const FluidPairs<Dim, Real>& pairs, std::span<Vec<Dim, Real>> sum);

/// Δv_i = ξ (Σ_j m_j/ρ_j v_j ω_ij + m_i/ρ_i v_i ω(0) − v_i): [AW09, Eq. 53] with the v_j that it lacks.
/// Density lies beside the velocities. Nothing for an empty `change`.
template <int Dim, std::floating_point Real>
void compute_plain_smoothing(const FluidPairs<Dim, Real>& pairs, std::span<const Quad<Real>> velocity,
                             Real strength, std::span<Vec<Dim, Real>> change);

/// Adds what a particle gives to its own density.
template <int Dim, std::floating_point Real>
void add_self_again(const FluidPairs<Dim, Real>& pairs, std::span<Real> density);

/// Adds the density of neighbours that are near only because space repeats.
template <int Dim, std::floating_point Real>
void add_images_again(const FluidPairs<Dim, Real>& pairs, std::span<Real> density);

} // namespace phyxel
