// SPDX-License-Identifier: MIT
#include <phyxel/approx/sph_operators.h>

namespace phyxel {

template <int Dim>
void compute_gradient(SphForm form, std::span<const Vec<Dim>> x, std::span<const double> mass,
                      std::span<const double> density, std::span<const double> f,
                      const NeighborLists& neighbors, const AnyKernel<Dim>& kernel,
                      std::span<Vec<Dim>> gradient, const PeriodicBox<Dim>& box)
{
    std::visit(
        [&](const auto& k) { compute_gradient<Dim>(form, x, mass, density, f, neighbors, k, gradient, box); },
        kernel.choice);
}

template <int Dim>
void compute_divergence(SphForm form, std::span<const Vec<Dim>> x, std::span<const double> mass,
                        std::span<const double> density, std::span<const Vec<Dim>> f,
                        const NeighborLists& neighbors, const AnyKernel<Dim>& kernel,
                        std::span<double> divergence, const PeriodicBox<Dim>& box)
{
    std::visit(
        [&](const auto& k) {
            compute_divergence<Dim>(form, x, mass, density, f, neighbors, k, divergence, box);
        },
        kernel.choice);
}

template <int Dim>
void compute_laplacian(SphLaplacianForm form, std::span<const Vec<Dim>> x, std::span<const double> volume,
                       std::span<const double> f, const NeighborLists& neighbors,
                       const AnyKernel<Dim>& kernel, std::span<double> laplacian, const PeriodicBox<Dim>& box)
{
    std::visit(
        [&](const auto& k) { compute_laplacian<Dim>(form, x, volume, f, neighbors, k, laplacian, box); },
        kernel.choice);
}

template <int Dim>
void compute_laplacian(SphLaplacianForm form, std::span<const Vec<Dim>> x, std::span<const double> volume,
                       std::span<const Vec<Dim>> f, const NeighborLists& neighbors,
                       const AnyKernel<Dim>& kernel, std::span<Vec<Dim>> laplacian,
                       const PeriodicBox<Dim>& box)
{
    std::visit(
        [&](const auto& k) { compute_laplacian<Dim>(form, x, volume, f, neighbors, k, laplacian, box); },
        kernel.choice);
}

// A macro, because explicit instantiations cannot be written in a loop.
#define PHYXEL_INSTANTIATE(Dim)                                                                              \
    template void compute_gradient<Dim>(SphForm, std::span<const Vec<Dim>>, std::span<const double>,         \
                                        std::span<const double>, std::span<const double>,                    \
                                        const NeighborLists&, const AnyKernel<Dim>&, std::span<Vec<Dim>>,    \
                                        const PeriodicBox<Dim>&);                                            \
    template void compute_divergence<Dim>(SphForm, std::span<const Vec<Dim>>, std::span<const double>,       \
                                          std::span<const double>, std::span<const Vec<Dim>>,                \
                                          const NeighborLists&, const AnyKernel<Dim>&, std::span<double>,    \
                                          const PeriodicBox<Dim>&);                                          \
    template void compute_laplacian<Dim>(                                                                    \
        SphLaplacianForm, std::span<const Vec<Dim>>, std::span<const double>, std::span<const double>,       \
        const NeighborLists&, const AnyKernel<Dim>&, std::span<double>, const PeriodicBox<Dim>&);            \
    template void compute_laplacian<Dim>(                                                                    \
        SphLaplacianForm, std::span<const Vec<Dim>>, std::span<const double>, std::span<const Vec<Dim>>,     \
        const NeighborLists&, const AnyKernel<Dim>&, std::span<Vec<Dim>>, const PeriodicBox<Dim>&);

PHYXEL_INSTANTIATE(1)
PHYXEL_INSTANTIATE(2)
PHYXEL_INSTANTIATE(3)

#undef PHYXEL_INSTANTIATE

} // namespace phyxel
