// SPDX-License-Identifier: MIT
#include <phyxel/approx/sph.h>

namespace phyxel {

template <int Dim>
void compute_density(std::span<const Vec<Dim>> x, std::span<const double> mass,
                     const NeighborLists& neighbors, const AnyKernel<Dim>& kernel, std::span<double> density,
                     const PeriodicBox<Dim>& box)
{
    std::visit([&](const auto& k) { compute_density<Dim>(x, mass, neighbors, k, density, box); },
               kernel.choice);
}

template <int Dim>
void interpolate(std::span<const Vec<Dim>> x, std::span<const double> volume, std::span<const double> f,
                 const NeighborLists& neighbors, const AnyKernel<Dim>& kernel, std::span<double> smoothed,
                 const PeriodicBox<Dim>& box)
{
    std::visit([&](const auto& k) { interpolate<Dim>(x, volume, f, neighbors, k, smoothed, box); },
               kernel.choice);
}

template <int Dim>
void interpolate(std::span<const Vec<Dim>> x, std::span<const double> volume, std::span<const Vec<Dim>> f,
                 const NeighborLists& neighbors, const AnyKernel<Dim>& kernel, std::span<Vec<Dim>> smoothed,
                 const PeriodicBox<Dim>& box)
{
    std::visit([&](const auto& k) { interpolate<Dim>(x, volume, f, neighbors, k, smoothed, box); },
               kernel.choice);
}

template <int Dim>
void interpolate_shepard(std::span<const Vec<Dim>> x, std::span<const double> volume,
                         std::span<const double> f, const NeighborLists& neighbors,
                         const AnyKernel<Dim>& kernel, std::span<double> smoothed,
                         const PeriodicBox<Dim>& box)
{
    std::visit([&](const auto& k) { interpolate_shepard<Dim>(x, volume, f, neighbors, k, smoothed, box); },
               kernel.choice);
}

template <int Dim>
void interpolate_shepard(std::span<const Vec<Dim>> x, std::span<const double> volume,
                         std::span<const Vec<Dim>> f, const NeighborLists& neighbors,
                         const AnyKernel<Dim>& kernel, std::span<Vec<Dim>> smoothed,
                         const PeriodicBox<Dim>& box)
{
    std::visit([&](const auto& k) { interpolate_shepard<Dim>(x, volume, f, neighbors, k, smoothed, box); },
               kernel.choice);
}

// A macro, because explicit instantiations cannot be written in a loop.
#define PHYXEL_INSTANTIATE(Dim)                                                                              \
    template void compute_density<Dim>(std::span<const Vec<Dim>>, std::span<const double>,                   \
                                       const NeighborLists&, const AnyKernel<Dim>&, std::span<double>,       \
                                       const PeriodicBox<Dim>&);                                             \
    template void interpolate<Dim>(std::span<const Vec<Dim>>, std::span<const double>,                       \
                                   std::span<const double>, const NeighborLists&, const AnyKernel<Dim>&,     \
                                   std::span<double>, const PeriodicBox<Dim>&);                              \
    template void interpolate<Dim>(std::span<const Vec<Dim>>, std::span<const double>,                       \
                                   std::span<const Vec<Dim>>, const NeighborLists&, const AnyKernel<Dim>&,   \
                                   std::span<Vec<Dim>>, const PeriodicBox<Dim>&);                            \
    template void interpolate_shepard<Dim>(                                                                  \
        std::span<const Vec<Dim>>, std::span<const double>, std::span<const double>, const NeighborLists&,   \
        const AnyKernel<Dim>&, std::span<double>, const PeriodicBox<Dim>&);                                  \
    template void interpolate_shepard<Dim>(                                                                  \
        std::span<const Vec<Dim>>, std::span<const double>, std::span<const Vec<Dim>>, const NeighborLists&, \
        const AnyKernel<Dim>&, std::span<Vec<Dim>>, const PeriodicBox<Dim>&);

PHYXEL_INSTANTIATE(1)
PHYXEL_INSTANTIATE(2)
PHYXEL_INSTANTIATE(3)

#undef PHYXEL_INSTANTIATE

} // namespace phyxel
