// SPDX-License-Identifier: MIT
// SPH approximations of gradient, divergence and Laplacian, in the forms of [AW09, Section 2.2 and Table 1].
//
// All forms tend to the same thing where particles are many and evenly spread. They differ in what they keep
// exactly when particles are not: zero for a constant field, or momentum. Neighbour lists and boxes are as in
// sph.h; ∇ω_ij is the gradient of ω(|x_i − x_j|) by x_i. No output may be one of the inputs.
#pragma once

#include <phyxel/approx/detail/pair_sums.h>
#include <phyxel/approx/kernels.h>
#include <phyxel/core/assert.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/search/neighbor_lists.h>
#include <phyxel/search/periodic_box.h>

#include <span>

namespace phyxel {

/// Forms of the first derivatives. For the divergence read f · ∇ω where the gradient has f ∇ω: the product
/// rules that the last two come from hold for it word by word.
enum class SphForm {
    /// Σ_j f_j ∇ω_ij V_j [AW09, Eq. 9, 12]. Not zero for a constant field.
    Plain,

    /// Σ_j (f_j − f_i) ∇ω_ij V_j [AW09, Eq. 13, 14]. Zero for a constant field.
    Difference,

    /// 1/ρ_i Σ_j m_j (f_j − f_i) ∇ω_ij, from ∇(ρf) = f ∇ρ + ρ ∇f [AW09, Eq. 16–17]. Zero for a constant
    /// field, and needs the density of no neighbour; the divergence of the velocity in this form is the rate
    /// −ρ̇_i / ρ_i of the summation density.
    DensityWeighted,

    /// ρ_i Σ_j m_j (f_j / ρ_j² + f_i / ρ_i²) ∇ω_ij, from ∇(f/ρ) [AW09, Eq. 18–19]. The forces −m_i ∇p / ρ_i
    /// that it gives are opposite for each pair and along the line between the two, so momentum and angular
    /// momentum are kept. Not zero for a constant field.
    ///
    /// [AW09] prints a minus between the terms in Eq. 19 and in Table 1, and V_j for m_j in the table; both
    /// contradict Eq. 18 and the forces of Eq. 51.
    Symmetric,
};

/// Forms of the Laplacian; there are no more.
enum class SphLaplacianForm {
    /// Σ_j f_j Δω_ij V_j, the particle itself included [AW09, Eq. 11]. Not zero for a constant field, and
    /// infinite with the Laplacian of spiky, which is so at the centre.
    Plain,

    /// Σ_j (f_j − f_i) Δω_ij V_j [AW09, Eq. 15]. Zero for a constant field.
    Difference,
};

namespace detail {

/// What stands before ∇ω_ij in the given form; a number or a vector, as f is.
template <SphForm form, class Value, std::floating_point Real>
Value pair_factor(const Value& f_i, const Value& f_j, Real m_j, Real rho_i, Real rho_j)
{
    if constexpr (form == SphForm::Plain) return m_j / rho_j * f_j;
    if constexpr (form == SphForm::Difference) return m_j / rho_j * (f_j - f_i);
    if constexpr (form == SphForm::DensityWeighted) return m_j / rho_i * (f_j - f_i);
    if constexpr (form == SphForm::Symmetric)
        return rho_i * m_j * (f_j / (rho_j * rho_j) + f_i / (rho_i * rho_i));
}

/// f ∇ω for the gradient of a field of numbers, f · ∇ω for the divergence of a field of vectors.
template <int Dim, std::floating_point Real>
Vec<Dim, Real> times_gradient(Real factor, const Vec<Dim, Real>& grad_W)
{
    return factor * grad_W;
}
template <int Dim, std::floating_point Real>
Real times_gradient(const Vec<Dim, Real>& factor, const Vec<Dim, Real>& grad_W)
{
    return factor.dot(grad_W);
}

/// Gradient (`Value` a number, `Result` a vector) or divergence (the other way round) in one form.
template <int Dim, SphForm form, class Value, class Result, Kernel<Dim> K>
void first_derivative(std::span<const Vec<Dim, ScalarOf<K>>> x, std::span<const ScalarOf<K>> mass,
                      std::span<const ScalarOf<K>> density, std::span<const Value> f,
                      const NeighborLists& neighbors, const K& kernel, std::span<Result> result,
                      const PeriodicBox<Dim, ScalarOf<K>>& box)
{
    using Real = ScalarOf<K>;
    const PairDifference<Dim, Real> difference(box);
    parallel_for(x.size(), [&](Index i) {
        // The particle itself adds nothing to any form: ∇ω(0) = 0.
        Result sum = zero<Result>();
        for (Index j : neighbors.of(i)) {
            const Vec<Dim, Real> grad_W_ij = kernel.gradient(difference(x[i], x[j]));
            const Value factor = pair_factor<form, Value, Real>(f[i], f[j], mass[j], density[i], density[j]);
            sum += times_gradient<Dim, Real>(factor, grad_W_ij);
        }
        result[i] = sum;
    });
}

/// The same with the form chosen at run time.
template <int Dim, class Value, class Result, Kernel<Dim> K>
void first_derivative(SphForm form, std::span<const Vec<Dim, ScalarOf<K>>> x,
                      std::span<const ScalarOf<K>> mass, std::span<const ScalarOf<K>> density,
                      std::span<const Value> f, const NeighborLists& neighbors, const K& kernel,
                      std::span<Result> result, const PeriodicBox<Dim, ScalarOf<K>>& box)
{
    PHYXEL_ASSERT(mass.size() == x.size() && density.size() == x.size() && f.size() == x.size());
    PHYXEL_ASSERT(neighbors.size() == x.size() && result.size() == x.size());
    switch (form) {
    case SphForm::Plain:
        return first_derivative<Dim, SphForm::Plain>(x, mass, density, f, neighbors, kernel, result, box);
    case SphForm::Difference:
        return first_derivative<Dim, SphForm::Difference>(x, mass, density, f, neighbors, kernel, result,
                                                          box);
    case SphForm::DensityWeighted:
        return first_derivative<Dim, SphForm::DensityWeighted>(x, mass, density, f, neighbors, kernel, result,
                                                               box);
    case SphForm::Symmetric:
        return first_derivative<Dim, SphForm::Symmetric>(x, mass, density, f, neighbors, kernel, result, box);
    }
}

template <int Dim, class Value, LaplacianKernel K>
void laplacian(SphLaplacianForm form, std::span<const Vec<Dim, ScalarOf<K>>> x,
               std::span<const ScalarOf<K>> volume, std::span<const Value> f, const NeighborLists& neighbors,
               const K& kernel, std::span<Value> result, const PeriodicBox<Dim, ScalarOf<K>>& box)
{
    using Real = ScalarOf<K>;
    PHYXEL_ASSERT(volume.size() == x.size() && f.size() == x.size());
    PHYXEL_ASSERT(neighbors.size() == x.size() && result.size() == x.size());
    const PairDifference<Dim, Real> difference(box);
    parallel_for(x.size(), [&](Index i) {
        const bool is_plain = form == SphLaplacianForm::Plain;
        const Value reference = is_plain ? zero<Value>() : f[i];
        Value sum = zero<Value>();
        if (is_plain) sum += volume[i] * kernel.laplacian(0) * f[i];
        for (Index j : neighbors.of(i))
            sum += volume[j] * kernel.laplacian(difference(x[i], x[j]).norm()) * (f[j] - reference);
        result[i] = sum;
    });
}

template <int Dim, class Value, LaplacianKernel K>
Value laplacian_at(const Vec<Dim, ScalarOf<K>>& point, std::span<const Index> ids,
                   std::span<const Vec<Dim, ScalarOf<K>>> x, std::span<const ScalarOf<K>> volume,
                   std::span<const Value> f, const K& kernel, const PeriodicBox<Dim, ScalarOf<K>>& box)
{
    PHYXEL_ASSERT(volume.size() == x.size() && f.size() == x.size());
    const PairDifference<Dim, ScalarOf<K>> difference(box);
    Value sum = zero<Value>();
    for (Index j : ids) sum += volume[j] * kernel.laplacian(difference(point, x[j]).norm()) * f[j];
    return sum;
}

} // namespace detail

/// ⟨∇f⟩(x_i) of a field of numbers.
template <int Dim, Kernel<Dim> K>
void compute_gradient(SphForm form, std::span<const Vec<Dim, ScalarOf<K>>> x,
                      std::span<const ScalarOf<K>> mass, std::span<const ScalarOf<K>> density,
                      std::span<const ScalarOf<K>> f, const NeighborLists& neighbors, const K& kernel,
                      std::span<Vec<Dim, ScalarOf<K>>> gradient,
                      const PeriodicBox<Dim, ScalarOf<K>>& box = {})
{
    detail::first_derivative<Dim>(form, x, mass, density, f, neighbors, kernel, gradient, box);
}

template <int Dim>
void compute_gradient(SphForm form, std::span<const Vec<Dim>> x, std::span<const double> mass,
                      std::span<const double> density, std::span<const double> f,
                      const NeighborLists& neighbors, const AnyKernel<Dim>& kernel,
                      std::span<Vec<Dim>> gradient, const PeriodicBox<Dim>& box = {});

/// ⟨∇·f⟩(x_i) of a field of vectors.
template <int Dim, Kernel<Dim> K>
void compute_divergence(SphForm form, std::span<const Vec<Dim, ScalarOf<K>>> x,
                        std::span<const ScalarOf<K>> mass, std::span<const ScalarOf<K>> density,
                        std::span<const Vec<Dim, ScalarOf<K>>> f, const NeighborLists& neighbors,
                        const K& kernel, std::span<ScalarOf<K>> divergence,
                        const PeriodicBox<Dim, ScalarOf<K>>& box = {})
{
    detail::first_derivative<Dim>(form, x, mass, density, f, neighbors, kernel, divergence, box);
}

template <int Dim>
void compute_divergence(SphForm form, std::span<const Vec<Dim>> x, std::span<const double> mass,
                        std::span<const double> density, std::span<const Vec<Dim>> f,
                        const NeighborLists& neighbors, const AnyKernel<Dim>& kernel,
                        std::span<double> divergence, const PeriodicBox<Dim>& box = {});

/// ⟨Δf⟩(x_i) of a field of numbers or, component by component, of vectors. It is not the divergence of the
/// gradient above [AW09, Eq. 20]. Two particles in one place make it infinite with the Laplacian of spiky.
template <int Dim, LaplacianKernel K>
void compute_laplacian(SphLaplacianForm form, std::span<const Vec<Dim, ScalarOf<K>>> x,
                       std::span<const ScalarOf<K>> volume, std::span<const ScalarOf<K>> f,
                       const NeighborLists& neighbors, const K& kernel, std::span<ScalarOf<K>> laplacian,
                       const PeriodicBox<Dim, ScalarOf<K>>& box = {})
{
    detail::laplacian<Dim>(form, x, volume, f, neighbors, kernel, laplacian, box);
}

template <int Dim, LaplacianKernel K>
void compute_laplacian(SphLaplacianForm form, std::span<const Vec<Dim, ScalarOf<K>>> x,
                       std::span<const ScalarOf<K>> volume, std::span<const Vec<Dim, ScalarOf<K>>> f,
                       const NeighborLists& neighbors, const K& kernel,
                       std::span<Vec<Dim, ScalarOf<K>>> laplacian,
                       const PeriodicBox<Dim, ScalarOf<K>>& box = {})
{
    detail::laplacian<Dim>(form, x, volume, f, neighbors, kernel, laplacian, box);
}

template <int Dim>
void compute_laplacian(SphLaplacianForm form, std::span<const Vec<Dim>> x, std::span<const double> volume,
                       std::span<const double> f, const NeighborLists& neighbors,
                       const AnyKernel<Dim>& kernel, std::span<double> laplacian,
                       const PeriodicBox<Dim>& box = {});

template <int Dim>
void compute_laplacian(SphLaplacianForm form, std::span<const Vec<Dim>> x, std::span<const double> volume,
                       std::span<const Vec<Dim>> f, const NeighborLists& neighbors,
                       const AnyKernel<Dim>& kernel, std::span<Vec<Dim>> laplacian,
                       const PeriodicBox<Dim>& box = {});

/// ⟨∇f⟩ = Σ_j f_j ∇ω(x − x_j) V_j at any point [AW09, Eq. 9], from the samples `ids`, which must be all
/// within the support radius and may be more. Between particles there is no f_i to subtract, so the plain
/// form is the only one; this holds for the two functions below as well.
template <int Dim, Kernel<Dim> K>
Vec<Dim, ScalarOf<K>> gradient_at(const Vec<Dim, ScalarOf<K>>& point, std::span<const Index> ids,
                                  std::span<const Vec<Dim, ScalarOf<K>>> x,
                                  std::span<const ScalarOf<K>> volume, std::span<const ScalarOf<K>> f,
                                  const K& kernel, const PeriodicBox<Dim, ScalarOf<K>>& box = {})
{
    PHYXEL_ASSERT(volume.size() == x.size() && f.size() == x.size());
    const detail::PairDifference<Dim, ScalarOf<K>> difference(box);
    Vec<Dim, ScalarOf<K>> sum = Vec<Dim, ScalarOf<K>>::Zero();
    for (Index j : ids) sum += volume[j] * f[j] * kernel.gradient(difference(point, x[j]));
    return sum;
}

/// ⟨∇·f⟩ at any point [AW09, Eq. 12].
template <int Dim, Kernel<Dim> K>
ScalarOf<K> divergence_at(const Vec<Dim, ScalarOf<K>>& point, std::span<const Index> ids,
                          std::span<const Vec<Dim, ScalarOf<K>>> x, std::span<const ScalarOf<K>> volume,
                          std::span<const Vec<Dim, ScalarOf<K>>> f, const K& kernel,
                          const PeriodicBox<Dim, ScalarOf<K>>& box = {})
{
    PHYXEL_ASSERT(volume.size() == x.size() && f.size() == x.size());
    const detail::PairDifference<Dim, ScalarOf<K>> difference(box);
    ScalarOf<K> sum = 0;
    for (Index j : ids) sum += volume[j] * f[j].dot(kernel.gradient(difference(point, x[j])));
    return sum;
}

/// ⟨Δf⟩ of numbers or vectors at any point [AW09, Eq. 11].
template <int Dim, LaplacianKernel K>
ScalarOf<K> laplacian_at(const Vec<Dim, ScalarOf<K>>& point, std::span<const Index> ids,
                         std::span<const Vec<Dim, ScalarOf<K>>> x, std::span<const ScalarOf<K>> volume,
                         std::span<const ScalarOf<K>> f, const K& kernel,
                         const PeriodicBox<Dim, ScalarOf<K>>& box = {})
{
    return detail::laplacian_at<Dim>(point, ids, x, volume, f, kernel, box);
}

template <int Dim, LaplacianKernel K>
Vec<Dim, ScalarOf<K>> laplacian_at(const Vec<Dim, ScalarOf<K>>& point, std::span<const Index> ids,
                                   std::span<const Vec<Dim, ScalarOf<K>>> x,
                                   std::span<const ScalarOf<K>> volume,
                                   std::span<const Vec<Dim, ScalarOf<K>>> f, const K& kernel,
                                   const PeriodicBox<Dim, ScalarOf<K>>& box = {})
{
    return detail::laplacian_at<Dim>(point, ids, x, volume, f, kernel, box);
}

} // namespace phyxel
