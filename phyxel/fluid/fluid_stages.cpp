// SPDX-License-Identifier: MIT
#include <phyxel/fluid/fluid_stages.h>

#include <phyxel/core/assert.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/fluid/detail/pair_kernel.h>
#include <phyxel/fluid/detail/pair_lanes.h>

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace phyxel {

namespace {

/// Pairs closer than this share of the support have no direction.
constexpr double smallest_distance_share = 1e-6;
/// Keeps the artificial viscosity finite: 0.01 h² with Monaghan's h, which is half of our support.
constexpr double softening_share = 0.01 * 0.25;
/// Of the density of a particle that its neighbours must have at least to tell how velocities change.
constexpr double smallest_share = 1e-6;
/// Pairs of different axes, in the order of the components that belong to them.
constexpr std::array<std::array<int, 2>, 3> axes_across = {{{0, 1}, {0, 2}, {1, 2}}};
/// Of the room that particles make against pairing.
constexpr double pairing_share = 0.2;

/// Calls body(kernel, for_each) for each particle i, where for_each(visit) shows its neighbours, several at a
/// time. What kind of space and sizes there are is decided once per stage, not once per pair.
template <int Dim, std::floating_point Real, class Body>
void for_each_particle(const FluidPairs<Dim, Real>& pairs, std::size_t count, Body&& body)
{
    const std::span<const Index> ids = pairs.neighbors->ids();
    const Index* const end = ids.data() + ids.size();
    const auto run = [&](auto periodic, auto mixed) {
        using Kernel = PairKernel<Dim, Real, mixed.value>;
        parallel_for_blocks(count, default_block_size, [&](const Block& block) {
            const Kernel common(pairs.sizes, static_cast<Index>(block.begin));
            for (std::size_t n = block.begin; n < block.end; ++n) {
                const auto i = static_cast<Index>(n);
                const Kernel kernel = mixed.value ? Kernel(pairs.sizes, i) : common;
                body(i, kernel, [&](auto&& visit) {
                    for_each_pair<periodic.value>(pairs.geometry, i, pairs.neighbors->of(i), end, visit);
                });
            }
        });
    };
    const auto with_sizes = [&](auto periodic) {
        if (pairs.sizes.is_mixed())
            run(periodic, std::true_type());
        else
            run(periodic, std::false_type());
    };
    if (pairs.geometry.is_periodic())
        with_sizes(std::true_type());
    else
        with_sizes(std::false_type());
}

/// ω'/r, with which x_i − x_j is taken times to get ∇ω.
template <int Dim, std::floating_point Real>
PHYXEL_INLINE Lanes<Real> over_distance(Lanes<Real> slope, const PairLanes<Dim, Real>& p, Real smallest)
{
    return slope / detail::LaneTypes<Real>::larger(p.r, lanes<Real>(smallest));
}

/// What of x lies between 0 and `end`.
template <std::floating_point Real>
PHYXEL_INLINE Lanes<Real> between_zero_and(Lanes<Real> end, Lanes<Real> x)
{
    using Types = detail::LaneTypes<Real>;
    const Lanes<Real> above = Types::larger(end, Lanes<Real>{});
    const Lanes<Real> below = Types::smaller(end, Lanes<Real>{});
    return Types::larger(below, Types::smaller(above, x));
}

template <int Dim, std::floating_point Real>
Real smallest_distance(const ParticleSizes<Dim, Real>& sizes, Index i)
{
    return Real(smallest_distance_share) * sizes.support_of(i);
}

template <int Dim, std::floating_point Real>
Vec<Dim, Real> sum_of_axes(const std::array<Lanes<Real>, Dim>& sum)
{
    Vec<Dim, Real> total;
    for (int k = 0; k < Dim; ++k) total[k] = sum_of<Real>(sum[k]);
    return total;
}

template <int Dim, std::floating_point Real>
Vec<Dim, Real> vector_of(const Quad<Real>& quad)
{
    Vec<Dim, Real> v;
    for (int k = 0; k < Dim; ++k) v[k] = quad.v[k];
    return v;
}

} // namespace

template <int Dim, std::floating_point Real>
void compute_density(const FluidPairs<Dim, Real>& pairs, std::span<const WallShare<Dim, Real>> walls,
                     Real rest_density, std::span<Real> density)
{
    PHYXEL_ASSERT(walls.size() == density.size());
    for_each_particle<Dim, Real>(
        pairs, density.size(), [&](Index i, const auto& kernel, const auto& for_each) {
            Lanes<Real> sum{};
            for_each([&](const auto& p) { sum += kernel.density(p); });
            density[i] = kernel.center_density(i) + sum_of<Real>(sum) + rest_density * walls[i].share;
        });
}

template <int Dim, std::floating_point Real>
void compute_smoothing(const FluidPairs<Dim, Real>& pairs, std::span<const Quad<Real>> velocity,
                       Real strength, std::span<Vec<Dim, Real>> change)
{
    PHYXEL_ASSERT(velocity.size() == change.size());
    for_each_particle<Dim, Real>(
        pairs, change.size(), [&](Index i, const auto& kernel, const auto& for_each) {
            const Quad<Real> v_i = velocity[i];
            std::array<Lanes<Real>, Dim> sum{};
            for_each([&](const auto& p) {
                const auto v_j = p.of(velocity.data());
                const Lanes<Real> weight = kernel.mean_density(p) / (v_i.last() + v_j[3]);
                for (int k = 0; k < Dim; ++k) sum[k] += weight * (v_j[k] - v_i.v[k]);
            });
            change[i] = Real(2) * strength * sum_of_axes<Dim, Real>(sum);
        });
}

namespace {

/// The sums of compute_strain_rate() over the neighbours of a particle.
template <int Dim, std::floating_point Real>
struct StrainSums {
    std::array<Lanes<Real>, Dim> stretch{}, shear{};
    Lanes<Real> moment{};

    PHYXEL_INLINE void add(const PairLanes<Dim, Real>& p, Lanes<Real> weight, const Quad<Real>& v_i,
                           const std::array<Lanes<Real>, 4>& v_j)
    {
        moment = multiply_add<Real>(weight * p.r, p.r, moment);
        std::array<Lanes<Real>, Dim> v, d;
        for (int k = 0; k < Dim; ++k) {
            v[k] = v_i.v[k] - v_j[k];
            d[k] = weight * p.d[k];
            stretch[k] = multiply_add<Real>(d[k], v[k], stretch[k]);
        }
        for (int n = 0; n < (Dim == 3 ? 3 : 1); ++n) {
            const auto [k, l] = axes_across[n];
            shear[n] = multiply_add<Real>(d[k], v[l], multiply_add<Real>(d[l], v[k], shear[n]));
        }
    }

    /// `least` is the moment below which a neighbour is hardly in reach: it tells nothing, and its share has
    /// no digits left to divide by.
    void write(Real least, Quad<Real>& along, Quad<Real>& across) const
    {
        along = across = {};
        const Real size = sum_of<Real>(moment);
        if (!(size > least)) return;
        along = Quad<Real>::template from<Dim>(Real(Dim) / size * sum_of_axes<Dim, Real>(stretch));
        across = Quad<Real>::template from<Dim>(Real(0.5 * Dim) / size * sum_of_axes<Dim, Real>(shear));
    }
};

template <int Dim, std::floating_point Real, class Kernel>
Real least_moment(const ParticleSizes<Dim, Real>& sizes, const Kernel& kernel, Index i)
{
    const Real h = sizes.support_of(i);
    return Real(smallest_share) * h * h * kernel.center_density(i);
}

} // namespace

template <int Dim, std::floating_point Real>
void compute_strain_rate(const FluidPairs<Dim, Real>& pairs, std::span<const Quad<Real>> velocity,
                         std::span<Quad<Real>> along, std::span<Quad<Real>> across)
{
    PHYXEL_ASSERT(velocity.size() == along.size() && across.size() == along.size());
    for_each_particle<Dim, Real>(pairs, along.size(), [&](Index i, const auto& kernel, const auto& for_each) {
        const Quad<Real> v_i = velocity[i];
        StrainSums<Dim, Real> sums;
        for_each([&](const auto& p) { sums.add(p, kernel.density(p), v_i, p.of(velocity.data())); });
        sums.write(least_moment(pairs.sizes, kernel, i), along[i], across[i]);
    });
}

template <int Dim, std::floating_point Real>
void compute_noise_smoothing(const FluidPairs<Dim, Real>& pairs, std::span<const Quad<Real>> velocity,
                             std::span<const Quad<Real>> along, std::span<const Quad<Real>> across,
                             Real strength, std::span<Vec<Dim, Real>> change)
{
    PHYXEL_ASSERT(velocity.size() == change.size() && along.size() == change.size() &&
                  across.size() == change.size());
    for_each_particle<Dim, Real>(
        pairs, change.size(), [&](Index i, const auto& kernel, const auto& for_each) {
            const Quad<Real> v_i = velocity[i];
            const Quad<Real> along_i = along[i], across_i = across[i];
            const Real smallest = smallest_distance(pairs.sizes, i);
            std::array<Lanes<Real>, Dim> sum{};
            for_each([&](const auto& p) {
                const auto v_j = p.of(velocity.data());
                const auto along_j = p.of(along.data());
                const auto across_j = p.of(across.data());
                Lanes<Real> apart{}, stretched{}, sheared{};
                for (int k = 0; k < Dim; ++k) {
                    apart = multiply_add<Real>(v_i.v[k] - v_j[k], p.d[k], apart);
                    stretched = multiply_add<Real>((along_i.v[k] + along_j[k]) * p.d[k], p.d[k], stretched);
                }
                for (int n = 0; n < (Dim == 3 ? 3 : 1); ++n) {
                    const auto [k, l] = axes_across[n];
                    sheared = multiply_add<Real>((across_i.v[n] + across_j[n]) * p.d[k], p.d[l], sheared);
                }
                // Between nothing and all of it, so that smoothing takes energy whatever the strain rate is.
                const Lanes<Real> noise =
                    between_zero_and<Real>(apart, apart - Real(0.5) * stretched - sheared);
                const Lanes<Real> r = detail::LaneTypes<Real>::larger(p.r, lanes<Real>(smallest));
                const Lanes<Real> weight = kernel.mean_density(p) * noise / ((v_i.last() + v_j[3]) * r * r);
                for (int k = 0; k < Dim; ++k) sum[k] = multiply_add<Real>(weight, p.d[k], sum[k]);
            });
            change[i] = Real(-2 * Dim) * strength * sum_of_axes<Dim, Real>(sum);
        });
}

template <int Dim, std::floating_point Real>
void compute_room(const FluidPairs<Dim, Real>& pairs, std::span<const Quad<Real>> velocity, Real rest_density,
                  Real value_at_spacing, std::span<Quad<Real>> room)
{
    PHYXEL_ASSERT(velocity.size() == room.size());
    using Types = detail::LaneTypes<Real>;
    for_each_particle<Dim, Real>(pairs, room.size(), [&](Index i, const auto& kernel, const auto& for_each) {
        const Real smallest = smallest_distance(pairs.sizes, i);
        std::array<Lanes<Real>, Dim> sum{};
        Lanes<Real> least = lanes<Real>(velocity[i].last());
        for_each([&](const auto& p) {
            const Lanes<Real> closeness =
                kernel.density(p) /
                (kernel.mass(p) * value_at_spacing * kernel.center_density(i) / pairs.sizes.mass_of(i));
            const Lanes<Real> square = closeness * closeness;
            const Lanes<Real> along = (Real(1) + Real(pairing_share) * square * square) *
                                      over_distance(kernel.density_slope(p), p, smallest);
            for (int k = 0; k < Dim; ++k) sum[k] -= along * p.d[k];
            // Lanes after the last neighbour hold no density that counts: they are very far away.
            const auto v_j = p.of(velocity.data());
            least =
                Types::smaller(least, v_j[3] + kernel.positive_part(p.r - Real(2) * kernel.mean_support(p)));
        });
        room[i] = Quad<Real>::template from<Dim>(sum_of_axes<Dim, Real>(sum) / rest_density);
        Real lowest = velocity[i].last();
        for (std::size_t l = 0; l < lane_count<Real>; ++l) lowest = std::min(lowest, Real(least[l]));
        room[i].last() = lowest;
    });
}

template <int Dim, std::floating_point Real>
void compute_velocity_elsewhere(const FluidPairs<Dim, Real>& pairs, std::span<const Quad<Real>> velocity,
                                std::span<const Quad<Real>> shift, std::span<Vec<Dim, Real>> change)
{
    PHYXEL_ASSERT(velocity.size() == change.size() && shift.size() == change.size());
    for_each_particle<Dim, Real>(
        pairs, change.size(), [&](Index i, const auto& kernel, const auto& for_each) {
            const Quad<Real> v_i = velocity[i];
            const Quad<Real> way = shift[i];
            const Real smallest = smallest_distance(pairs.sizes, i);
            std::array<Lanes<Real>, Dim> sum{};
            for_each([&](const auto& p) {
                const auto v_j = p.of(velocity.data());
                Lanes<Real> along_way{};
                for (int k = 0; k < Dim; ++k) along_way += p.d[k] * way.v[k];
                const Lanes<Real> weight =
                    over_distance(kernel.density_slope(p), p, smallest) * along_way / v_j[3];
                for (int k = 0; k < Dim; ++k) sum[k] += weight * (v_j[k] - v_i.v[k]);
            });
            change[i] = sum_of_axes<Dim, Real>(sum);
        });
}

template <int Dim, std::floating_point Real>
void compute_viscous_acceleration(const FluidPairs<Dim, Real>& pairs,
                                  std::span<const WallShare<Dim, Real>> walls,
                                  std::span<const Quad<Real>> velocity, std::span<const Real> viscosity,
                                  std::span<Vec<Dim, Real>> acceleration)
{
    PHYXEL_ASSERT(velocity.size() == acceleration.size());
    for_each_particle<Dim, Real>(
        pairs, acceleration.size(), [&](Index i, const auto& kernel, const auto& for_each) {
            const Quad<Real> v_i = velocity[i];
            const Real mu_i = viscosity[i];
            std::array<Lanes<Real>, Dim> sum{};
            for_each([&](const auto& p) {
                const auto v_j = p.of(velocity.data());
                const Lanes<Real> weight =
                    kernel.mass(p) * (mu_i + p.of(viscosity.data())) * kernel.mean_laplacian(p) / v_j[3];
                for (int k = 0; k < Dim; ++k) sum[k] += weight * (v_j[k] - v_i.v[k]);
            });
            const Real over_density = 1 / v_i.last();
            acceleration[i] =
                over_density * (Real(0.5) * sum_of_axes<Dim, Real>(sum) +
                                mu_i * walls[i].drag * (walls[i].velocity - vector_of<Dim, Real>(v_i)));
        });
}

namespace {

/// The acceleration of each particle and, with `Smoothing`, its XSPH: all that needs velocities of neighbours
/// in one pass over them.
template <int Dim, std::floating_point Real, bool Smoothing>
void sum_forces(const FluidPairs<Dim, Real>& pairs, std::span<const WallShare<Dim, Real>> walls,
                std::span<const Quad<Real>> velocity, Real rest_density, const ShockDamping& damping,
                Real smoothing, std::span<Vec<Dim, Real>> acceleration, std::span<Vec<Dim, Real>> change)
{
    PHYXEL_ASSERT(walls.size() == acceleration.size() && velocity.size() == acceleration.size());
    using Types = detail::LaneTypes<Real>;
    // Monaghan's h is half of our support.
    const auto half_alpha_c = static_cast<Real>(0.5 * damping.artificial_viscosity * damping.sound_speed);
    for_each_particle<Dim, Real>(
        pairs, acceleration.size(), [&](Index i, const auto& kernel, const auto& for_each) {
            const Quad<Real> v_i = velocity[i];
            const Real rho_i = v_i.last();
            const Real P_i = pairs.geometry.place[i].last();
            const Real smallest = smallest_distance(pairs.sizes, i);
            std::array<Lanes<Real>, Dim> pull{}, blend{};
            for_each([&](const auto& p) {
                const auto v_j = p.of(velocity.data());
                std::array<Lanes<Real>, Dim> v;
                Lanes<Real> approach{};
                for (int k = 0; k < Dim; ++k) {
                    v[k] = v_i.v[k] - v_j[k];
                    approach = multiply_add<Real>(v[k], p.d[k], approach);
                }
                const Lanes<Real> h = kernel.mean_support(p);
                const Lanes<Real> over_densities = Real(1) / (rho_i + v_j[3]);
                // Half of Π_ij goes with each of the two pressures.
                const Lanes<Real> shock = -half_alpha_c * h * Types::smaller(approach, Lanes<Real>{}) *
                                          over_densities / (p.r * p.r + Real(softening_share) * h * h);
                const Lanes<Real> along =
                    over_distance(kernel.density_slope(p, P_i + shock, p.last + shock), p, smallest);
                for (int k = 0; k < Dim; ++k) pull[k] = multiply_add<Real>(along, p.d[k], pull[k]);
                if constexpr (Smoothing) {
                    const Lanes<Real> weight = kernel.mean_density(p) * over_densities;
                    for (int k = 0; k < Dim; ++k) blend[k] = multiply_add<Real>(weight, v[k], blend[k]);
                }
            });
            acceleration[i] = wall_acceleration<Dim, Real>(walls[i], pairs.sizes.support_of(i), rest_density,
                                                           rho_i, P_i, damping, vector_of<Dim, Real>(v_i)) -
                              sum_of_axes<Dim, Real>(pull);
            if constexpr (Smoothing) change[i] = Real(-2) * smoothing * sum_of_axes<Dim, Real>(blend);
        });
}

} // namespace

template <int Dim, std::floating_point Real>
void compute_acceleration(const FluidPairs<Dim, Real>& pairs, std::span<const WallShare<Dim, Real>> walls,
                          std::span<const Quad<Real>> velocity, Real rest_density,
                          const ShockDamping& damping, std::span<Vec<Dim, Real>> acceleration)
{
    sum_forces<Dim, Real, false>(pairs, walls, velocity, rest_density, damping, Real(0), acceleration, {});
}

template <int Dim, std::floating_point Real>
void compute_acceleration_and_smoothing(const FluidPairs<Dim, Real>& pairs,
                                        std::span<const WallShare<Dim, Real>> walls,
                                        std::span<const Quad<Real>> velocity, Real rest_density,
                                        const ShockDamping& damping, Real strength,
                                        std::span<Vec<Dim, Real>> acceleration,
                                        std::span<Vec<Dim, Real>> change)
{
    PHYXEL_ASSERT(change.size() == acceleration.size());
    sum_forces<Dim, Real, true>(pairs, walls, velocity, rest_density, damping, strength, acceleration,
                                change);
}

template <int Dim, std::floating_point Real>
Vec<Dim, Real> wall_acceleration(const WallShare<Dim, Real>& wall, Real support_radius, Real rest_density,
                                 Real density, Real pressure_over_density2, const ShockDamping& damping,
                                 const Vec<Dim, Real>& v)
{
    const Real slope = wall.push.norm();
    if (!(slope > 0)) return Vec<Dim, Real>::Zero();
    // The image is as far behind the wall as the particle is before it, and comes as fast as it does.
    const Real r = Real(2) * std::max(wall.distance, Real(0));
    const Real speed = Real(2) * wall.push.dot(v - wall.velocity) / slope;
    const Real alpha_c_h =
        static_cast<Real>(damping.artificial_viscosity * damping.sound_speed) * support_radius;
    const Real softening = Real(softening_share) * support_radius * support_radius;
    const Real shock =
        -alpha_c_h * std::min(speed * r, Real(0)) / ((density + rest_density) * (r * r + softening));
    // The mirrored fluid has the pressure of the particle and the rest density: p (1/ρ² + 1/ρ₀²).
    const Real ratio = density / rest_density;
    const Real pressure = pressure_over_density2 * (Real(1) + ratio * ratio);
    return rest_density * (pressure + shock) * wall.push;
}

template <int Dim, std::floating_point Real>
void compute_density_and_gradients(const FluidPairs<Dim, Real>& pairs,
                                   std::span<const WallShare<Dim, Real>> walls, Real rest_density,
                                   std::span<Real> density, std::span<Real> response,
                                   PairGradients<Dim, Real>& gradients, const StrainRates<Real>& strain_rates)
{
    PHYXEL_ASSERT(walls.size() == density.size() && response.size() == density.size());
    const bool with_strain = !strain_rates.along.empty();
    if (density.empty()) return;
    gradients.resize(*pairs.neighbors, pairs.sizes.is_mixed(),
                     PairKernel<Dim, Real, false>(pairs.sizes, 0).steepest());
    const Real per_quantum = 1 / gradients.quantum();
    for_each_particle<Dim, Real>(
        pairs, density.size(), [&](Index i, const auto& kernel, const auto& for_each) {
            constexpr bool is_mixed = std::decay_t<decltype(kernel)>::is_mixed;
            const Real smallest = smallest_distance(pairs.sizes, i);
            auto* group = gradients.template of<is_mixed>(i).data();
            auto* other = is_mixed ? gradients.others_of(i) : nullptr;
            std::array<Lanes<Real>, Dim> total{};
            Lanes<Real> sum{}, squares{};
            StrainSums<Dim, Real> strain;
            const Quad<Real> v_i = with_strain ? strain_rates.velocity[i] : Quad<Real>();
            for_each([&](const auto& p) {
                const Lanes<Real> weight = kernel.density(p);
                sum += weight;
                if (with_strain) strain.add(p, weight, v_i, p.of(strain_rates.velocity.data()));
                const Lanes<Real> slope = kernel.density_slope(p);
                const Lanes<Real> along = over_distance(slope, p, smallest);
                squares += slope * slope / kernel.mass(p);
                std::memcpy(group->j.data(), p.j, sizeof group->j);
                for (int k = 0; k < Dim; ++k) {
                    const Lanes<Real> component = along * p.d[k];
                    total[k] += component;
                    store(group->gradient, k, per_quantum * component);
                }
                ++group;
                if constexpr (is_mixed) {
                    const Lanes<Real> other_along = over_distance(kernel.other_density_slope(p), p, smallest);
                    for (int k = 0; k < Dim; ++k) store(*other, k, other_along * p.d[k]);
                    ++other;
                }
            });
            density[i] = kernel.center_density(i) + sum_of<Real>(sum) + rest_density * walls[i].share;
            if (with_strain)
                strain.write(least_moment(pairs.sizes, kernel, i), strain_rates.along[i],
                             strain_rates.across[i]);
            const Vec<Dim, Real> slope = sum_of_axes<Dim, Real>(total) - rest_density * walls[i].push;
            response[i] = slope.squaredNorm() + pairs.sizes.mass_of(i) * sum_of<Real>(squares);
        });
}

namespace {

/// Calls run(std::true_type) for gradients of mixed sizes, else run(std::false_type).
template <int Dim, std::floating_point Real, class Run>
void with_sizes_of(const PairGradients<Dim, Real>& gradients, const Run& run)
{
    if (gradients.is_mixed())
        run(std::true_type());
    else
        run(std::false_type());
}

} // namespace

template <int Dim, std::floating_point Real>
void compute_pressure_acceleration(const PairGradients<Dim, Real>& gradients,
                                   std::span<const WallShare<Dim, Real>> walls, Real rest_density,
                                   std::span<const Real> pressure, std::span<Quad<Real>> acceleration)
{
    PHYXEL_ASSERT(walls.size() == acceleration.size() && pressure.size() == acceleration.size());
    with_sizes_of(gradients, [&](auto mixed) {
        parallel_for(acceleration.size(), [&](Index i) {
            const Real P_i = pressure[i];
            std::array<Lanes<Real>, Dim> pull{};
            const auto* other = mixed.value ? gradients.others_of(i) : nullptr;
            for (const auto& group : gradients.template of<mixed.value>(i)) {
                prefetch_after(group);
                const Lanes<Real> P_j = of_group(group, pressure.data());
                for (int k = 0; k < Dim; ++k) {
                    const Lanes<Real> own = lanes_of(group.gradient, k);
                    if constexpr (mixed.value)
                        pull[k] += P_i * own + P_j * lanes_of(*other, k);
                    else
                        pull[k] = multiply_add<Real>(P_i + P_j, own, pull[k]);
                }
                if constexpr (mixed.value) ++other;
            }
            acceleration[i] = Quad<Real>::template from<Dim>(
                rest_density * P_i * walls[i].push - gradients.quantum() * sum_of_axes<Dim, Real>(pull));
        });
    });
}

template <int Dim, std::floating_point Real>
void compute_density_rate(const PairGradients<Dim, Real>& gradients,
                          std::span<const WallShare<Dim, Real>> walls, Real rest_density,
                          std::span<const Quad<Real>> u, WallMotion wall_motion, std::span<Real> rate)
{
    PHYXEL_ASSERT(walls.size() == rate.size() && u.size() == rate.size());
    with_sizes_of(gradients, [&](auto mixed) {
        parallel_for(rate.size(), [&](Index i) {
            const Quad<Real> u_i = u[i];
            Lanes<Real> sum{};
            for (const auto& group : gradients.template of<mixed.value>(i)) {
                prefetch_after(group);
                const auto u_j = of_group(group, u.data());
                for (int k = 0; k < Dim; ++k)
                    sum = multiply_add<Real>(u_i.v[k] - u_j[k], lanes_of(group.gradient, k), sum);
            }
            Vec<Dim, Real> from_wall = vector_of<Dim, Real>(u_i);
            if (wall_motion == WallMotion::Moving) from_wall -= walls[i].velocity;
            rate[i] = gradients.quantum() * sum_of<Real>(sum) - rest_density * from_wall.dot(walls[i].push);
        });
    });
}

#define PHYXEL_INSTANTIATE(Dim, Real)                                                                        \
    template void compute_density<Dim, Real>(const FluidPairs<Dim, Real>&,                                   \
                                             std::span<const WallShare<Dim, Real>>, Real, std::span<Real>);  \
    template void compute_smoothing<Dim, Real>(const FluidPairs<Dim, Real>&, std::span<const Quad<Real>>,    \
                                               Real, std::span<Vec<Dim, Real>>);                             \
    template void compute_strain_rate<Dim, Real>(const FluidPairs<Dim, Real>&, std::span<const Quad<Real>>,  \
                                                 std::span<Quad<Real>>, std::span<Quad<Real>>);              \
    template void compute_noise_smoothing<Dim, Real>(                                                        \
        const FluidPairs<Dim, Real>&, std::span<const Quad<Real>>, std::span<const Quad<Real>>,              \
        std::span<const Quad<Real>>, Real, std::span<Vec<Dim, Real>>);                                       \
    template void compute_room<Dim, Real>(const FluidPairs<Dim, Real>&, std::span<const Quad<Real>>, Real,   \
                                          Real, std::span<Quad<Real>>);                                      \
    template void compute_velocity_elsewhere<Dim, Real>(                                                     \
        const FluidPairs<Dim, Real>&, std::span<const Quad<Real>>, std::span<const Quad<Real>>,              \
        std::span<Vec<Dim, Real>>);                                                                          \
    template void compute_viscous_acceleration<Dim, Real>(                                                   \
        const FluidPairs<Dim, Real>&, std::span<const WallShare<Dim, Real>>, std::span<const Quad<Real>>,    \
        std::span<const Real>, std::span<Vec<Dim, Real>>);                                                   \
    template void compute_acceleration<Dim, Real>(                                                           \
        const FluidPairs<Dim, Real>&, std::span<const WallShare<Dim, Real>>, std::span<const Quad<Real>>,    \
        Real, const ShockDamping&, std::span<Vec<Dim, Real>>);                                               \
    template void compute_acceleration_and_smoothing<Dim, Real>(                                             \
        const FluidPairs<Dim, Real>&, std::span<const WallShare<Dim, Real>>, std::span<const Quad<Real>>,    \
        Real, const ShockDamping&, Real, std::span<Vec<Dim, Real>>, std::span<Vec<Dim, Real>>);              \
    template Vec<Dim, Real> wall_acceleration<Dim, Real>(const WallShare<Dim, Real>&, Real, Real, Real,      \
                                                         Real, const ShockDamping&, const Vec<Dim, Real>&);  \
    template void compute_density_and_gradients<Dim, Real>(                                                  \
        const FluidPairs<Dim, Real>&, std::span<const WallShare<Dim, Real>>, Real, std::span<Real>,          \
        std::span<Real>, PairGradients<Dim, Real>&, const StrainRates<Real>&);                               \
    template void compute_pressure_acceleration<Dim, Real>(const PairGradients<Dim, Real>&,                  \
                                                           std::span<const WallShare<Dim, Real>>, Real,      \
                                                           std::span<const Real>, std::span<Quad<Real>>);    \
    template void compute_density_rate<Dim, Real>(const PairGradients<Dim, Real>&,                           \
                                                  std::span<const WallShare<Dim, Real>>, Real,               \
                                                  std::span<const Quad<Real>>, WallMotion, std::span<Real>);
PHYXEL_INSTANTIATE(2, float)
PHYXEL_INSTANTIATE(3, float)
PHYXEL_INSTANTIATE(2, double)
PHYXEL_INSTANTIATE(3, double)
#undef PHYXEL_INSTANTIATE

} // namespace phyxel
