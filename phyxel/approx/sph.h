// SPDX-License-Identifier: MIT
// SPH sums: densities, volumes, and fields smoothed from their samples at particles.
//
// Neighbour lists do not contain the particle itself; its own contribution is added here where the formula
// has it. They may hold more than the support of the kernel, which is 0 there. In a box that repeats, lengths
// must be at least twice the support radius, so that no two images of a particle are in reach at once. No
// output may be one of the inputs.
#pragma once

#include <phyxel/approx/detail/pair_sums.h>
#include <phyxel/approx/detail/sampled_field.h>
#include <phyxel/approx/kernels.h>
#include <phyxel/core/assert.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/search/neighbor_lists.h>
#include <phyxel/search/periodic_box.h>

#include <optional>
#include <span>
#include <type_traits>

namespace phyxel {

/// ρ_i = Σ_j m_j ω_ij, the particle itself included [AW09, Eq. 5]. Its derivation there by a "mass function"
/// [AW09, Eq. 6–7] is to be read with point masses, m(x) = Σ m_i δ(x − x_i).
template <int Dim, Kernel<Dim> K>
void compute_density(std::span<const Vec<Dim, ScalarOf<K>>> x, std::span<const ScalarOf<K>> mass,
                     const NeighborLists& neighbors, const K& kernel, std::span<ScalarOf<K>> density,
                     const PeriodicBox<Dim, ScalarOf<K>>& box = {})
{
    using Real = ScalarOf<K>;
    PHYXEL_ASSERT(mass.size() == x.size() && density.size() == x.size() && neighbors.size() == x.size());
    const detail::PairDifference<Dim, Real> difference(box);
    parallel_for(x.size(), [&](Index i) {
        Real rho_i = mass[i] * kernel.value(0);
        for (Index j : neighbors.of(i)) rho_i += mass[j] * kernel.value(difference(x[i], x[j]).norm());
        density[i] = rho_i;
    });
}

template <int Dim>
void compute_density(std::span<const Vec<Dim>> x, std::span<const double> mass,
                     const NeighborLists& neighbors, const AnyKernel<Dim>& kernel, std::span<double> density,
                     const PeriodicBox<Dim>& box = {});

/// V_i = m_i / ρ_i [AW09, Eq. 4].
template <std::floating_point Real = double>
void compute_volumes(std::span<const std::type_identity_t<Real>> mass,
                     std::span<const std::type_identity_t<Real>> density,
                     std::span<std::type_identity_t<Real>> volume)
{
    PHYXEL_ASSERT(mass.size() == volume.size() && density.size() == volume.size());
    parallel_for(volume.size(), [&](Index i) { volume[i] = mass[i] / density[i]; });
}

/// ⟨f⟩(x_i) = Σ_j f_j ω_ij V_j at the particles themselves, which are included [AW09, Eq. 3]. For numbers and
/// for vectors. Constants come out only about right, and clearly too small near a free surface.
template <int Dim, Kernel<Dim> K>
void interpolate(std::span<const Vec<Dim, ScalarOf<K>>> x, std::span<const ScalarOf<K>> volume,
                 std::span<const ScalarOf<K>> f, const NeighborLists& neighbors, const K& kernel,
                 std::span<ScalarOf<K>> smoothed, const PeriodicBox<Dim, ScalarOf<K>>& box = {})
{
    PHYXEL_ASSERT(volume.size() == x.size());
    const detail::SampledField<Dim, ScalarOf<K>, K> field(x, volume, f, kernel, box);
    field.sum(neighbors, smoothed);
}

template <int Dim, Kernel<Dim> K>
void interpolate(std::span<const Vec<Dim, ScalarOf<K>>> x, std::span<const ScalarOf<K>> volume,
                 std::span<const Vec<Dim, ScalarOf<K>>> f, const NeighborLists& neighbors, const K& kernel,
                 std::span<Vec<Dim, ScalarOf<K>>> smoothed, const PeriodicBox<Dim, ScalarOf<K>>& box = {})
{
    PHYXEL_ASSERT(volume.size() == x.size());
    const detail::SampledField<Dim, Vec<Dim, ScalarOf<K>>, K> field(x, volume, f, kernel, box);
    field.sum(neighbors, smoothed);
}

template <int Dim>
void interpolate(std::span<const Vec<Dim>> x, std::span<const double> volume, std::span<const double> f,
                 const NeighborLists& neighbors, const AnyKernel<Dim>& kernel, std::span<double> smoothed,
                 const PeriodicBox<Dim>& box = {});

template <int Dim>
void interpolate(std::span<const Vec<Dim>> x, std::span<const double> volume, std::span<const Vec<Dim>> f,
                 const NeighborLists& neighbors, const AnyKernel<Dim>& kernel, std::span<Vec<Dim>> smoothed,
                 const PeriodicBox<Dim>& box = {});

/// ⟨f⟩ at any point, from the samples `ids`, which must be all within the support radius and may be more.
/// 0 where there are none. A kernel chosen at run time is to be visited outside the loop over points.
template <int Dim, Kernel<Dim> K>
ScalarOf<K> interpolate_at(const Vec<Dim, ScalarOf<K>>& point, std::span<const Index> ids,
                           std::span<const Vec<Dim, ScalarOf<K>>> x, std::span<const ScalarOf<K>> volume,
                           std::span<const ScalarOf<K>> f, const K& kernel,
                           const PeriodicBox<Dim, ScalarOf<K>>& box = {})
{
    PHYXEL_ASSERT(volume.size() == x.size());
    const detail::SampledField<Dim, ScalarOf<K>, K> field(x, volume, f, kernel, box);
    return field.sum_at(point, ids);
}

template <int Dim, Kernel<Dim> K>
Vec<Dim, ScalarOf<K>> interpolate_at(const Vec<Dim, ScalarOf<K>>& point, std::span<const Index> ids,
                                     std::span<const Vec<Dim, ScalarOf<K>>> x,
                                     std::span<const ScalarOf<K>> volume,
                                     std::span<const Vec<Dim, ScalarOf<K>>> f, const K& kernel,
                                     const PeriodicBox<Dim, ScalarOf<K>>& box = {})
{
    PHYXEL_ASSERT(volume.size() == x.size());
    const detail::SampledField<Dim, Vec<Dim, ScalarOf<K>>, K> field(x, volume, f, kernel, box);
    return field.sum_at(point, ids);
}

/// Shepard's method: the mean Σ_j f_j ω_ij V_j / Σ_j ω_ij V_j, which reproduces constants everywhere and
/// never leaves the range of the samples. `volume` may be empty; the weights are then ω alone, as in [She68],
/// and places with many samples count more. Either is moving least squares of order 0.
///
/// SPH with m_i = 1 is not the same thing, though [AW09] says so below Eq. 7: it divides by the density at
/// each sample, Shepard's method by the sum of weights at the point of evaluation.
template <int Dim, Kernel<Dim> K>
void interpolate_shepard(std::span<const Vec<Dim, ScalarOf<K>>> x, std::span<const ScalarOf<K>> volume,
                         std::span<const ScalarOf<K>> f, const NeighborLists& neighbors, const K& kernel,
                         std::span<ScalarOf<K>> smoothed, const PeriodicBox<Dim, ScalarOf<K>>& box = {})
{
    const detail::SampledField<Dim, ScalarOf<K>, K> field(x, volume, f, kernel, box);
    field.mean(neighbors, smoothed);
}

template <int Dim, Kernel<Dim> K>
void interpolate_shepard(std::span<const Vec<Dim, ScalarOf<K>>> x, std::span<const ScalarOf<K>> volume,
                         std::span<const Vec<Dim, ScalarOf<K>>> f, const NeighborLists& neighbors,
                         const K& kernel, std::span<Vec<Dim, ScalarOf<K>>> smoothed,
                         const PeriodicBox<Dim, ScalarOf<K>>& box = {})
{
    const detail::SampledField<Dim, Vec<Dim, ScalarOf<K>>, K> field(x, volume, f, kernel, box);
    field.mean(neighbors, smoothed);
}

template <int Dim>
void interpolate_shepard(std::span<const Vec<Dim>> x, std::span<const double> volume,
                         std::span<const double> f, const NeighborLists& neighbors,
                         const AnyKernel<Dim>& kernel, std::span<double> smoothed,
                         const PeriodicBox<Dim>& box = {});

template <int Dim>
void interpolate_shepard(std::span<const Vec<Dim>> x, std::span<const double> volume,
                         std::span<const Vec<Dim>> f, const NeighborLists& neighbors,
                         const AnyKernel<Dim>& kernel, std::span<Vec<Dim>> smoothed,
                         const PeriodicBox<Dim>& box = {});

/// Shepard's method at any point, from the samples `ids`, which must be all within the support radius and may
/// be more. Nothing where no sample has weight.
template <int Dim, Kernel<Dim> K>
std::optional<ScalarOf<K>>
interpolate_shepard_at(const Vec<Dim, ScalarOf<K>>& point, std::span<const Index> ids,
                       std::span<const Vec<Dim, ScalarOf<K>>> x, std::span<const ScalarOf<K>> volume,
                       std::span<const ScalarOf<K>> f, const K& kernel,
                       const PeriodicBox<Dim, ScalarOf<K>>& box = {})
{
    const detail::SampledField<Dim, ScalarOf<K>, K> field(x, volume, f, kernel, box);
    return field.mean_at(point, ids);
}

template <int Dim, Kernel<Dim> K>
std::optional<Vec<Dim, ScalarOf<K>>>
interpolate_shepard_at(const Vec<Dim, ScalarOf<K>>& point, std::span<const Index> ids,
                       std::span<const Vec<Dim, ScalarOf<K>>> x, std::span<const ScalarOf<K>> volume,
                       std::span<const Vec<Dim, ScalarOf<K>>> f, const K& kernel,
                       const PeriodicBox<Dim, ScalarOf<K>>& box = {})
{
    const detail::SampledField<Dim, Vec<Dim, ScalarOf<K>>, K> field(x, volume, f, kernel, box);
    return field.mean_at(point, ids);
}

} // namespace phyxel
