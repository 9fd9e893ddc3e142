// SPDX-License-Identifier: MIT
#include <phyxel/fluid/faulty_stages.h>

#include <phyxel/approx/kernels.h>
#include <phyxel/core/parallel_for.h>

#include <cmath>

namespace phyxel {
namespace {

template <int Dim, std::floating_point Real>
struct PairOffset {
    Vec<Dim, Real> x = Vec<Dim, Real>::Zero(); ///< x_i − x_j
    bool is_image = false;                     ///< j is near on the other side
};

template <int Dim, std::floating_point Real>
PairOffset<Dim, Real> offset_of(const PairGeometry<Dim, Real>& geometry, Index i, Index j)
{
    PairOffset<Dim, Real> offset;
    for (int k = 0; k < Dim; ++k) {
        offset.x[k] = geometry.place[i].v[k] - geometry.place[j].v[k];
        const Real turns = std::round(offset.x[k] * geometry.inverse_period[k]);
        offset.x[k] -= turns * geometry.period[k];
        offset.is_image |= turns != 0;
    }
    return offset;
}

} // namespace

template <int Dim, std::floating_point Real>
void compute_gradient_sum(const FluidPairs<Dim, Real>& pairs, std::span<Vec<Dim, Real>> sum)
{
    parallel_for(sum.size(), [&](Index i) {
        const CubicSpline<Dim, Real> kernel(pairs.sizes.support_of(i));
        sum[i].setZero();
        for (const Index j : pairs.neighbors->of(i))
            sum[i] += pairs.sizes.mass_of(j) * kernel.gradient(offset_of(pairs.geometry, i, j).x);
    });
}

template <int Dim, std::floating_point Real>
void compute_plain_smoothing(const FluidPairs<Dim, Real>& pairs, std::span<const Quad<Real>> velocity,
                             Real strength, std::span<Vec<Dim, Real>> change)
{
    parallel_for(change.size(), [&](Index i) {
        const CubicSpline<Dim, Real> kernel(pairs.sizes.support_of(i));
        Vec<Dim, Real> mean = Vec<Dim, Real>::Zero();
        const auto add = [&](Index j, Real distance) {
            const Real share = pairs.sizes.mass_of(j) / velocity[j].last() * kernel.value(distance);
            for (int k = 0; k < Dim; ++k) mean[k] += share * velocity[j].v[k];
        };
        add(i, Real(0));
        for (const Index j : pairs.neighbors->of(i)) add(j, offset_of(pairs.geometry, i, j).x.norm());
        for (int k = 0; k < Dim; ++k) change[i][k] = strength * (mean[k] - velocity[i].v[k]);
    });
}

template <int Dim, std::floating_point Real>
void add_self_again(const FluidPairs<Dim, Real>& pairs, std::span<Real> density)
{
    parallel_for(density.size(), [&](Index i) {
        density[i] +=
            pairs.sizes.mass_of(i) * CubicSpline<Dim, Real>(pairs.sizes.support_of(i)).value(Real(0));
    });
}

template <int Dim, std::floating_point Real>
void add_images_again(const FluidPairs<Dim, Real>& pairs, std::span<Real> density)
{
    parallel_for(density.size(), [&](Index i) {
        const CubicSpline<Dim, Real> kernel(pairs.sizes.support_of(i));
        for (const Index j : pairs.neighbors->of(i)) {
            const PairOffset<Dim, Real> offset = offset_of(pairs.geometry, i, j);
            if (offset.is_image) density[i] += pairs.sizes.mass_of(j) * kernel.value(offset.x.norm());
        }
    });
}

#define PHYXEL_INSTANTIATE(Dim, Real)                                                                        \
    template void compute_gradient_sum<Dim, Real>(const FluidPairs<Dim, Real>&, std::span<Vec<Dim, Real>>);  \
    template void compute_plain_smoothing<Dim, Real>(                                                        \
        const FluidPairs<Dim, Real>&, std::span<const Quad<Real>>, Real, std::span<Vec<Dim, Real>>);         \
    template void add_self_again<Dim, Real>(const FluidPairs<Dim, Real>&, std::span<Real>);                  \
    template void add_images_again<Dim, Real>(const FluidPairs<Dim, Real>&, std::span<Real>);
PHYXEL_INSTANTIATE(2, float)
PHYXEL_INSTANTIATE(3, float)
PHYXEL_INSTANTIATE(2, double)
PHYXEL_INSTANTIATE(3, double)
#undef PHYXEL_INSTANTIATE

} // namespace phyxel
