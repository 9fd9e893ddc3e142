// SPDX-License-Identifier: MIT
#include <phyxel/fluid/wcsph_stages.h>

#include <phyxel/approx/kernels.h>
#include <phyxel/core/assert.h>
#include <phyxel/core/parallel_for.h>

#include <type_traits>

namespace phyxel {

namespace {

/// Calls body(periodic): the choice is made once per stage, not once per pair.
template <class Body>
void with_periodicity(bool periodic, Body&& body)
{
    if (periodic)
        body(std::true_type());
    else
        body(std::false_type());
}

} // namespace

template <int Dim, std::floating_point Real>
WcsphConstants<Dim, Real> wcsph_constants(double support_radius, double spacing, double mass,
                                          double rest_density, double artificial_viscosity,
                                          double sound_speed, double velocity_smoothing)
{
    const double h = support_radius;
    const double scale = 1.0 / (CubicSplineProfile::integral<Dim>() * std::pow(h, Dim));
    return {.kernel = {static_cast<Real>(1.0 / h), static_cast<Real>(scale), static_cast<Real>(scale / h)},
            .support_radius = static_cast<Real>(h),
            .mass = static_cast<Real>(mass),
            .rest_density = static_cast<Real>(rest_density),
            .laplacian_scale = static_cast<Real>(ViscosityLaplacian<Dim>(h).laplacian(0.0)),
            .shock_damping = static_cast<Real>(artificial_viscosity * sound_speed * 0.5 * h),
            .velocity_smoothing = static_cast<Real>(velocity_smoothing),
            .smallest_distance = static_cast<Real>(1e-6 * spacing)};
}

template <int Dim, std::floating_point Real>
void compute_density(const PairGeometry<Dim, Real>& pairs, const NeighborLists& neighbors,
                     const WcsphConstants<Dim, Real>& constants, std::span<const WallShare<Dim, Real>> walls,
                     std::span<Real> density)
{
    PHYXEL_ASSERT(walls.size() == density.size());
    const CubicSplineLanes<Real> kernel = constants.kernel;
    with_periodicity(pairs.is_periodic(), [&](auto periodic) {
        parallel_for(density.size(), [&](Index i) {
            Lanes<Real> sum{};
            pairs.template for_each<periodic.value>(i, neighbors.of(i), [&](const PairLanes<Dim, Real>& p) {
                sum += p.valid * kernel.value(p.r);
            });
            density[i] = constants.mass * (kernel.value(Lanes<Real>{})[0] + sum_of<Real>(sum)) +
                         constants.rest_density * walls[i].share;
        });
    });
}

template <int Dim, std::floating_point Real>
void compute_acceleration(const PairGeometry<Dim, Real>& pairs, const NeighborLists& neighbors,
                          const WcsphConstants<Dim, Real>& constants,
                          std::span<const WallShare<Dim, Real>> walls,
                          const std::array<const Real*, Dim>& velocity, std::span<const Real> density,
                          std::span<const Real> pressure_over_density2, std::span<const Real> viscosity,
                          std::span<Vec<Dim, Real>> acceleration)
{
    const CubicSplineLanes<Real> kernel = constants.kernel;
    const Real* const rho = density.data();
    const Real* const P = pressure_over_density2.data();
    const Real* const mu = viscosity.data();
    // Monaghan's h is half of our support.
    using Types = detail::LaneTypes<Real>;
    const Real shock_damping = constants.shock_damping;
    const Real laplacian_scale = constants.laplacian_scale;
    const Real smallest = constants.smallest_distance;
    const Real softening = Real(0.01 * 0.25) * constants.support_radius * constants.support_radius;

    with_periodicity(pairs.is_periodic(), [&](auto periodic) {
        parallel_for(density.size(), [&](Index i) {
            const Real P_i = P[i];
            const Real rho_i = rho[i];
            const Real mu_i = mu[i];
            std::array<Real, Dim> v_i;
            for (int k = 0; k < Dim; ++k) v_i[k] = velocity[k][i];
            std::array<Lanes<Real>, Dim> pull{};
            pairs.template for_each<periodic.value>(i, neighbors.of(i), [&](const PairLanes<Dim, Real>& p) {
                std::array<Lanes<Real>, Dim> dv;
                Lanes<Real> approach{};
                for (int k = 0; k < Dim; ++k) {
                    dv[k] = v_i[k] - p.of(velocity[k]);
                    approach += dv[k] * p.d[k];
                }
                const Lanes<Real> rho_j = p.of(rho);
                const Lanes<Real> shock = Real(-2) * shock_damping * Types::smaller(approach, Lanes<Real>{}) /
                                          ((rho_i + rho_j) * (p.r * p.r + softening));
                const Lanes<Real> along = -(P_i + p.of(P) + shock) * kernel.derivative(p.r) * p.valid /
                                          Types::larger(p.r, lanes<Real>(smallest));
                const Lanes<Real> drag = Real(-0.5) * (mu_i + p.of(mu)) / (rho_i * rho_j) * laplacian_scale *
                                         kernel.positive_part(Real(1) - p.r * kernel.inverse_support) *
                                         p.valid;
                for (int k = 0; k < Dim; ++k) pull[k] += along * p.d[k] + drag * dv[k];
            });
            Vec<Dim, Real> v;
            for (int k = 0; k < Dim; ++k) v[k] = v_i[k];
            Vec<Dim, Real> a = wall_acceleration<Dim, Real>(walls[i], constants, rho_i, P_i, v);
            for (int k = 0; k < Dim; ++k) a[k] += constants.mass * sum_of<Real>(pull[k]);
            acceleration[i] = a;
        });
    });
}

template <int Dim, std::floating_point Real>
Vec<Dim, Real> wall_acceleration(const WallShare<Dim, Real>& wall, const WcsphConstants<Dim, Real>& constants,
                                 Real density, Real pressure_over_density2, const Vec<Dim, Real>& v)
{
    const Real slope = wall.push.norm();
    if (!(slope > 0)) return Vec<Dim, Real>::Zero();
    // The mirrored fluid has the pressure of the particle and the rest density: p (1/ρ² + 1/ρ₀²).
    const Real rho_0 = constants.rest_density;
    const Real ratio = density / rho_0;
    const Real pressure = pressure_over_density2 * (Real(1) + ratio * ratio);
    // The image is as far behind the wall as the particle is before it, and comes as fast as it does.
    const Real r = Real(2) * std::max(wall.distance, Real(0));
    const Real speed = Real(2) * wall.push.dot(v - wall.velocity) / slope;
    const Real softening = Real(0.01 * 0.25) * constants.support_radius * constants.support_radius;
    const Real shock = Real(-2) * constants.shock_damping * std::min(speed * r, Real(0)) /
                       ((density + rho_0) * (r * r + softening));
    return rho_0 * (pressure + shock) * wall.push;
}

template <int Dim, std::floating_point Real>
void compute_smoothing(const PairGeometry<Dim, Real>& pairs, const NeighborLists& neighbors,
                       const WcsphConstants<Dim, Real>& constants,
                       const std::array<const Real*, Dim>& velocity, std::span<const Real> density,
                       std::span<Vec<Dim, Real>> change)
{
    const CubicSplineLanes<Real> kernel = constants.kernel;
    const Real* const rho = density.data();
    const Real factor = Real(2) * constants.velocity_smoothing * constants.mass;
    with_periodicity(pairs.is_periodic(), [&](auto periodic) {
        parallel_for(density.size(), [&](Index i) {
            const Real rho_i = rho[i];
            std::array<Real, Dim> v_i;
            for (int k = 0; k < Dim; ++k) v_i[k] = velocity[k][i];
            std::array<Lanes<Real>, Dim> sum{};
            pairs.template for_each<periodic.value>(i, neighbors.of(i), [&](const PairLanes<Dim, Real>& p) {
                const Lanes<Real> weight = kernel.value(p.r) * p.valid / (rho_i + p.of(rho));
                for (int k = 0; k < Dim; ++k) sum[k] += weight * (p.of(velocity[k]) - v_i[k]);
            });
            for (int k = 0; k < Dim; ++k) change[i][k] = factor * sum_of<Real>(sum[k]);
        });
    });
}

#define PHYXEL_INSTANTIATE(Dim, Real)                                                                        \
    template WcsphConstants<Dim, Real> wcsph_constants<Dim, Real>(double, double, double, double, double,    \
                                                                  double, double);                           \
    template void compute_density<Dim, Real>(const PairGeometry<Dim, Real>&, const NeighborLists&,           \
                                             const WcsphConstants<Dim, Real>&,                               \
                                             std::span<const WallShare<Dim, Real>>, std::span<Real>);        \
    template void compute_acceleration<Dim, Real>(                                                           \
        const PairGeometry<Dim, Real>&, const NeighborLists&, const WcsphConstants<Dim, Real>&,              \
        std::span<const WallShare<Dim, Real>>, const std::array<const Real*, Dim>&, std::span<const Real>,   \
        std::span<const Real>, std::span<const Real>, std::span<Vec<Dim, Real>>);                            \
    template Vec<Dim, Real> wall_acceleration<Dim, Real>(                                                    \
        const WallShare<Dim, Real>&, const WcsphConstants<Dim, Real>&, Real, Real, const Vec<Dim, Real>&);   \
    template void compute_smoothing<Dim, Real>(                                                              \
        const PairGeometry<Dim, Real>&, const NeighborLists&, const WcsphConstants<Dim, Real>&,              \
        const std::array<const Real*, Dim>&, std::span<const Real>, std::span<Vec<Dim, Real>>);
PHYXEL_INSTANTIATE(2, float)
PHYXEL_INSTANTIATE(3, float)
PHYXEL_INSTANTIATE(2, double)
PHYXEL_INSTANTIATE(3, double)
#undef PHYXEL_INSTANTIATE

} // namespace phyxel
