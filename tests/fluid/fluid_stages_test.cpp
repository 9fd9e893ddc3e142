// SPDX-License-Identifier: MIT
// Stages by themselves: on lattices and linear fields, where their sums are known, and on disorder, where
// what they keep is.
#include <phyxel/fluid/fluid_stages.h>

#include "fluid_support.h"

#include <phyxel/approx/kernels.h>
#include <phyxel/core/rng.h>
#include <phyxel/fluid/fluid_neighborhood.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace phyxel::fluid_stages_test {
namespace {

/// Particles as a step prepares them: sorted, with neighbours and densities.
template <int Dim>
struct Prepared {
    FluidState<Dim> fluid;
    FluidNeighborhood<Dim> near;
    std::vector<WallShare<Dim, float>> walls;
    std::vector<float> density;

    explicit Prepared(FluidState<Dim> particles, double viscosity = 0.0, const Domain<Dim>& domain = {})
        : fluid(std::move(particles)),
          walls(fluid.size()),
          density(fluid.size())
    {
        near.update(fluid, model<Dim>(viscosity), domain);
        compute_density<Dim, float>(near.pairs(), walls, 1000.0f, density);
        for (std::size_t i = 0; i < fluid.size(); ++i) near.velocity()[i].last() = density[i];
    }
};

template <int Dim>
std::vector<Quad<float>> room_of(Prepared<Dim>& particles)
{
    const CubicSpline<Dim> kernel(2.6 * spacing);
    std::vector<Quad<float>> room(particles.fluid.size());
    compute_room<Dim, float>(particles.near.pairs(), particles.near.velocity(), 1000.0f,
                             static_cast<float>(kernel.value(spacing) / kernel.value(0.0)), room);
    return room;
}

template <int Dim>
Domain<Dim> periodic_domain(int count)
{
    Domain<Dim> domain = tank<Dim>(count * spacing, count * spacing).domain;
    domain.sides.fill({DomainSide::Periodic, DomainSide::Periodic});
    return domain;
}

/// A block whose particles lie up to a quarter of a spacing beside their sites and fly about.
template <int Dim>
FluidState<Dim> disorder(int count)
{
    FluidState<Dim> fluid = block<Dim>(count);
    Rng rng(7);
    for (std::size_t i = 0; i < fluid.size(); ++i) {
        fluid.position[i] += rng.point<Dim>(-0.25 * spacing, 0.25 * spacing);
        fluid.velocity[i] = rng.point<Dim>(-1.0, 1.0);
    }
    return fluid;
}

/// Whether all that is within reach of a particle belongs to the block.
template <int Dim>
bool is_inside(const Vec<Dim>& x, int count)
{
    const double reach = 2.6 * spacing;
    return x.minCoeff() > reach && x.maxCoeff() < count * spacing - reach;
}

template <int Dim>
Vec<Dim> vector_of(const Quad<float>& quad)
{
    Vec<Dim> v;
    for (int k = 0; k < Dim; ++k) v[k] = static_cast<double>(quad.v[k]);
    return v;
}

template <class T>
class FluidStages : public testing::Test {
};
TYPED_TEST_SUITE(FluidStages, FluidDimensions);

TYPED_TEST(FluidStages, a_lattice_without_end_has_the_rest_density_and_no_room_to_go_to)
{
    constexpr int Dim = TypeParam::value;
    Prepared<Dim> lattice(block<Dim>(8), 0.0, periodic_domain<Dim>(8));
    for (const float rho : lattice.density) EXPECT_NEAR(rho, 1000.0f, 0.01f);
    for (const Quad<float>& r : room_of(lattice)) EXPECT_LT(spacing * vector_of<Dim>(r).norm(), 1e-4);
}

TYPED_TEST(FluidStages, the_room_of_a_particle_beside_its_site_is_where_it_came_from)
{
    constexpr int Dim = TypeParam::value;
    FluidState<Dim> fluid = block<Dim>(8);
    Vec<Dim> away = Vec<Dim>::Constant(0.1 * spacing);
    away[0] *= -1.0;
    fluid.position[30] += away;
    Prepared<Dim> lattice(fluid, 0.0, periodic_domain<Dim>(8));
    const std::vector<Quad<float>> room = room_of(lattice);
    const auto at = std::find(lattice.fluid.id.begin(), lattice.fluid.id.end(), 30u);
    const Vec<Dim> found = vector_of<Dim>(room[static_cast<std::size_t>(at - lattice.fluid.id.begin())]);
    EXPECT_GT(spacing * found.norm(), 0.05);
    EXPECT_LT(found.normalized().dot(away.normalized()), -0.99);
}

TYPED_TEST(FluidStages, least_density_beside_the_room_tells_of_a_free_surface)
{
    constexpr int Dim = TypeParam::value;
    Prepared<Dim> open(block<Dim>(12));
    const std::vector<Quad<float>> room = room_of(open);
    for (std::size_t i = 0; i < room.size(); ++i) {
        float least = open.density[i];
        for (const Index j : open.near.pairs().neighbors->of(i)) least = std::min(least, open.density[j]);
        EXPECT_EQ(room[i].last(), least);
    }
}

TYPED_TEST(FluidStages, strain_rates_and_velocities_elsewhere_of_a_linear_field_are_its_own)
{
    constexpr int Dim = TypeParam::value;
    const int n = 12;
    FluidState<Dim> fluid = block<Dim>(n);
    Rng rng(3);
    Mat<Dim> gradient;
    for (int k = 0; k < Dim; ++k) gradient.col(k) = rng.point<Dim>(-1.0, 1.0);
    for (std::size_t i = 0; i < fluid.size(); ++i) fluid.velocity[i] = gradient * fluid.position[i];
    Prepared<Dim> linear(fluid);
    const Vec<Dim> way = Vec<Dim>::LinSpaced(-0.1 * spacing, 0.2 * spacing);
    const std::vector<Quad<float>> shift(fluid.size(),
                                         Quad<float>::from<Dim>(way.template cast<float>().eval()));
    std::vector<Quad<float>> along(fluid.size()), across(fluid.size());
    std::vector<Vec<Dim, float>> change(fluid.size());
    compute_strain_rate<Dim, float>(linear.near.pairs(), linear.near.velocity(), along, across);
    compute_velocity_elsewhere<Dim, float>(linear.near.pairs(), linear.near.velocity(), shift, change);
    const Mat<Dim> strain = 0.5 * (gradient + gradient.transpose());
    const Vec<Dim> expected = gradient * way;
    std::size_t inside = 0;
    for (std::size_t i = 0; i < fluid.size(); ++i) {
        if (!is_inside(linear.fluid.position[i], n)) continue;
        ++inside;
        for (int k = 0; k < Dim; ++k) EXPECT_NEAR(along[i].v[k], strain(k, k), 1e-4);
        EXPECT_NEAR(across[i].v[0], strain(0, 1), 1e-4);
        if (Dim == 3) {
            EXPECT_NEAR(across[i].v[1], strain(0, Dim - 1), 1e-4);
            EXPECT_NEAR(across[i].v[2], strain(1, Dim - 1), 1e-4);
        }
        // The sum over a lattice is not quite the integral.
        EXPECT_LT((change[i].template cast<double>() - expected).norm(), 0.02 * expected.norm());
    }
    EXPECT_GT(inside, 0u);
}

TYPED_TEST(FluidStages, viscosity_keeps_momentum_and_takes_energy)
{
    constexpr int Dim = TypeParam::value;
    Prepared<Dim> fluid(disorder<Dim>(8), 1.0);
    std::vector<Vec<Dim, float>> a(fluid.fluid.size());
    compute_viscous_acceleration<Dim, float>(fluid.near.pairs(), fluid.walls, fluid.near.velocity(),
                                             fluid.near.viscosity(), a);
    Vec<Dim> force = Vec<Dim>::Zero();
    double size = 0.0, power = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const Vec<Dim> f = a[i].template cast<double>();
        force += f;
        size += f.norm();
        power += f.dot(fluid.fluid.velocity[i]);
    }
    EXPECT_LT(force.norm(), 1e-5 * size);
    EXPECT_LT(power, -0.1 * size);
}

TYPED_TEST(FluidStages, pressure_takes_the_power_that_it_spares_the_density_walls_included)
{
    // Σ a·u = −Σ P Dρ/Dt: the force is that of an energy, and the system for the pressure is symmetric.
    constexpr int Dim = TypeParam::value;
    Prepared<Dim> fluid(disorder<Dim>(8));
    const std::size_t n = fluid.fluid.size();
    Rng rng(9);
    std::vector<float> pressure, rate(n), response(n);
    std::vector<Quad<float>> u, a(n);
    for (std::size_t i = 0; i < n; ++i) {
        pressure.push_back(static_cast<float>(rng.uniform(0.0, 2.0)));
        u.push_back(Quad<float>::from<Dim>(rng.point<Dim>(-1.0, 1.0).template cast<float>().eval()));
        if (i % 5 == 0) fluid.walls[i].push = rng.point<Dim>(-20.0, 20.0).template cast<float>();
    }
    PairGradients<Dim, float> gradients;
    compute_density_and_gradients<Dim, float>(fluid.near.pairs(), fluid.walls, 1000.0f, fluid.density,
                                              response, gradients);
    compute_pressure_acceleration<Dim, float>(gradients, fluid.walls, 1000.0f, pressure, a);
    compute_density_rate<Dim, float>(gradients, fluid.walls, 1000.0f, u, WallMotion::AtRest, rate);
    double power = 0.0, spared = 0.0, size = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
        power += vector_of<Dim>(a[i]).dot(vector_of<Dim>(u[i]));
        spared += static_cast<double>(pressure[i]) * rate[i];
        size += std::abs(static_cast<double>(pressure[i]) * rate[i]);
    }
    EXPECT_NEAR(power, -spared, 1e-5 * size);
    EXPECT_GT(std::abs(spared), 1e-3 * size);
}

TYPED_TEST(FluidStages, response_is_how_the_density_of_a_particle_answers_its_own_pressure)
{
    constexpr int Dim = TypeParam::value;
    Prepared<Dim> fluid(disorder<Dim>(8));
    const std::size_t n = fluid.fluid.size();
    fluid.walls[n / 2].push[0] = 30.0f;
    std::vector<float> rate(n), response(n);
    PairGradients<Dim, float> gradients;
    compute_density_and_gradients<Dim, float>(fluid.near.pairs(), fluid.walls, 1000.0f, fluid.density,
                                              response, gradients);
    for (const std::size_t i : {std::size_t(0), n / 2, n - 1}) {
        std::vector<float> pressure(n, 0.0f);
        pressure[i] = 1.0f;
        std::vector<Quad<float>> a(n);
        compute_pressure_acceleration<Dim, float>(gradients, fluid.walls, 1000.0f, pressure, a);
        compute_density_rate<Dim, float>(gradients, fluid.walls, 1000.0f, a, WallMotion::AtRest, rate);
        EXPECT_NEAR(rate[i], -response[i], 1e-3f * response[i]);
    }
}

} // namespace
} // namespace phyxel::fluid_stages_test
