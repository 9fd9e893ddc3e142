// SPDX-License-Identifier: MIT
#include <phyxel/fluid/wcsph_solver.h>

#include "fluid_support.h"

#include <phyxel/core/error.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/core/rng.h>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace phyxel::wcsph_solver_test {
namespace {

TEST(TaitEquation, has_the_pressure_of_equation_47_and_not_of_algorithm_5)
{
    const TaitEquation tait{.rest_density = 1000.0, .stiffness = 1.0, .exponent = 7.0};
    EXPECT_NEAR(tait.pressure(1010.0), 0.0721353521, 1e-9);
    EXPECT_EQ(tait.pressure(1000.0), 0.0);
    EXPECT_EQ(tait.pressure(900.0), 0.0); // negative pressure is left out unless asked for
    EXPECT_NEAR(tait.sound_speed(), std::sqrt(7.0 / 1000.0), 1e-15);
}

TEST(TaitEquation, stiffness_for_one_percent_and_a_metre_of_water_is_that_of_the_literature)
{
    // c = √(2 g H / η) = 44.29 m/s and K = ρ₀ c² / γ = 2.803e5 Pa for γ = 7 [BT07].
    const TaitEquation tait = tait_for(1000.0, std::sqrt(2.0 * 9.81), 0.01, 7.0);
    EXPECT_NEAR(tait.sound_speed(), 44.29, 0.005);
    EXPECT_NEAR(tait.stiffness, 2.803e5, 50.0);
}

TEST(WallKernel, completes_every_layer_of_a_lattice_to_the_rest_density)
{
    // Layers at ½, 1½, 2½ spacings from the wall: what they lack is what the wall adds.
    const double a = 0.1, h = 2.6 * a;
    const CubicSpline<2> kernel(h);
    const WallKernel<2> wall(h / a);
    double whole = 0.0;
    for (int i = -3; i <= 3; ++i)
        for (int j = -3; j <= 3; ++j) whole += kernel.value(a * std::hypot(i, j));
    for (int layer = 0; layer < 3; ++layer) {
        double seen = 0.0;
        for (int i = -3; i <= 3; ++i)
            for (int j = -layer; j <= 3; ++j) seen += kernel.value(a * std::hypot(i, j));
        EXPECT_NEAR(seen / whole + wall.at((layer + 0.5) * a, h).share, 1.0, 1e-6) << layer;
    }
    EXPECT_EQ(wall.at(h, h).share, 0.0);
    for (double d : {0.2, 0.5, 0.9, 1.7, 2.4})
        EXPECT_NEAR((wall.at((d - 0.01) * a, h).share - wall.at((d + 0.01) * a, h).share) / (0.02 * a),
                    wall.at(d * a, h).slope, 1e-3 * wall.at(0.0, h).slope);
}

template <class T>
class Wcsph : public testing::Test {
};
TYPED_TEST_SUITE(Wcsph, FluidDimensions);

TYPED_TEST(Wcsph, mass_makes_an_infinite_lattice_have_the_rest_density)
{
    constexpr int Dim = TypeParam::value;
    // Lattice sums of the cubic spline at h = 2.6 a for m = ρ₀ a^Dim.
    const double lattice_density = Dim == 2 ? 0.9999467690 : 0.9972618283;
    EXPECT_NEAR(fluid_part_model<Dim>(1000.0, spacing, 2.6).particle_mass,
                1000.0 * std::pow(spacing, Dim) / lattice_density, 1e-9 * 1000.0 * std::pow(spacing, Dim));
}

TYPED_TEST(Wcsph, lattice_in_a_corner_has_the_rest_density_and_at_edges_a_little_less)
{
    constexpr int Dim = TypeParam::value;
    auto fluid = block<Dim>(10);
    WcsphSolver<Dim> solver(model<Dim>(), {.max_speed = 2.0});
    std::vector<double> density, pressure;
    solver.evaluate(fluid, tank<Dim>(1.0, 1.0), density, pressure);
    for (std::size_t i = 0; i < fluid.size(); ++i) {
        // Only particles away from the free surfaces.
        if (fluid.position[i].maxCoeff() > 7 * spacing) continue;
        int walls = 0;
        for (int k = 0; k < Dim; ++k) walls += fluid.position[i][k] < 2.6 * spacing;
        EXPECT_LT(density[i], 1000.0 * (1 + 3e-6)) << fluid.position[i].transpose();
        EXPECT_GT(density[i], 1000.0 * (1 - (walls <= 1 ? 3e-6 : 0.0045))) << fluid.position[i].transpose();
    }
}

TYPED_TEST(Wcsph, blob_falls_as_symplectic_euler_says)
{
    constexpr int Dim = TypeParam::value;
    auto fluid = block<Dim>(6, 1.05 * spacing); // below the rest density: no pressure
    WcsphSolver<Dim> solver(model<Dim>(), {.max_speed = 2.0});
    const Vec<Dim> start = fluid.position[0];
    const double dt = 1e-3;
    Surroundings<Dim> falling;
    falling.gravity = gravity<Dim>();
    for (int step = 0; step < 20; ++step) ASSERT_FALSE(solver.step(fluid, dt, falling).lost);
    const double t = 20 * dt;
    for (std::size_t i = 0; i < fluid.size(); ++i) {
        if (fluid.id[i] != 0) continue;
        EXPECT_NEAR(fluid.position[i][Dim - 1] - start[Dim - 1], -0.5 * 9.81 * t * (t + dt), 1e-14);
    }
}

TYPED_TEST(Wcsph, forces_between_particles_conserve_momentum)
{
    constexpr int Dim = TypeParam::value;
    auto fluid = block<Dim>(8, 0.97 * spacing);
    Rng rng(3);
    for (auto& v : fluid.velocity) v = rng.point<Dim>(-0.5, 0.5);
    WcsphSolver<Dim> solver(model<Dim>(0.1), {.max_speed = 2.0});
    Vec<Dim> before = Vec<Dim>::Zero(), after = Vec<Dim>::Zero();
    for (const auto& v : fluid.velocity) before += v;
    ASSERT_FALSE(solver.step(fluid, 1e-4, {}).lost);
    double change = 0.0;
    for (const auto& v : fluid.velocity) {
        after += v;
        change += v.norm();
    }
    EXPECT_LT((after - before).norm(), 1e-6 * change);
    EXPECT_GT(fluid.largest_acceleration, 1.0); // there was something to conserve
}

TYPED_TEST(Wcsph, uniform_motion_stays_uniform)
{
    constexpr int Dim = TypeParam::value;
    auto fluid = block<Dim>(6, 1.05 * spacing);
    const Vec<Dim> v = Vec<Dim>::LinSpaced(Dim, 0.5, 1.25);
    for (auto& velocity : fluid.velocity) velocity = v;
    WcsphSolver<Dim> solver(model<Dim>(), {.velocity_smoothing = 0.5, .max_speed = 2.0});
    ASSERT_FALSE(solver.step(fluid, 1e-3, {}).lost);
    for (const auto& velocity : fluid.velocity) EXPECT_EQ(velocity, v);
}

TYPED_TEST(Wcsph, collapsing_column_stays_in_its_tank_and_loses_energy)
{
    constexpr int Dim = TypeParam::value;
    const int count = Dim == 2 ? 12 : 8;
    auto fluid = block<Dim>(count);
    const auto surroundings = tank<Dim>(2 * count * spacing, 2 * count * spacing);
    WcsphSolver<Dim> solver(model<Dim>(), {.max_speed = std::sqrt(2 * 9.81 * count * spacing)});
    const auto energy = [&] {
        double sum = 0.0;
        for (std::size_t i = 0; i < fluid.size(); ++i)
            sum += 0.5 * fluid.velocity[i].squaredNorm() + 9.81 * fluid.position[i][Dim - 1];
        return sum / static_cast<double>(fluid.size());
    };
    const double at_first = energy();
    double compression = 0.0;
    for (double t = 0.0; t < 0.15;) {
        const double dt = solver.stable_time_step(fluid);
        const FluidStepReport report = solver.step(fluid, dt, surroundings);
        ASSERT_FALSE(report.lost);
        compression = std::max(compression, report.mean_compression);
        t += dt;
    }
    EXPECT_LT(energy(), at_first);
    EXPECT_LT(compression, 0.02);
    double reach = 0.0;
    for (const auto& x : fluid.position) {
        EXPECT_TRUE((x.array() >= 0.49 * spacing).all() && (x.array() <= (2 * count - 0.49) * spacing).all());
        reach = std::max(reach, x[0]);
    }
    EXPECT_GT(reach, 1.3 * count * spacing); // and it did collapse
}

TYPED_TEST(Wcsph, same_bits_on_any_number_of_threads_and_after_a_fresh_start)
{
    constexpr int Dim = TypeParam::value;
    const auto surroundings = tank<Dim>(1.0, 1.0);
    const auto run = [&](int threads, bool restart) {
        const ThreadLimit limit(threads);
        auto fluid = block<Dim>(Dim == 2 ? 40 : 12);
        auto solver = std::make_unique<WcsphSolver<Dim>>(model<Dim>(), WcsphOptions{.max_speed = 2.0});
        for (int step = 0; step < 10; ++step) {
            if (restart && step == 5)
                solver = std::make_unique<WcsphSolver<Dim>>(model<Dim>(), WcsphOptions{.max_speed = 2.0});
            EXPECT_FALSE(solver->step(fluid, solver->stable_time_step(fluid), surroundings).lost);
        }
        return hash_state(fluid);
    };
    const std::uint64_t expected = run(1, false);
    for (int threads : {2, 3, 7}) EXPECT_EQ(run(threads, false), expected) << threads;
    EXPECT_EQ(run(2, true), expected);
}

TYPED_TEST(Wcsph, open_sides_let_particles_go_and_periodic_sides_bring_them_back)
{
    constexpr int Dim = TypeParam::value;
    auto surroundings = tank<Dim>(10 * spacing, 1.0);
    surroundings.gravity = Vec<Dim>::Zero();
    const auto moving = [&] {
        auto fluid = block<Dim>(4, 1.05 * spacing);
        for (auto& v : fluid.velocity) v = 2.0 * Vec<Dim>::Unit(0);
        return fluid;
    };
    const auto run = [&](FluidState<Dim>& fluid) {
        WcsphSolver<Dim> solver(model<Dim>(), {.max_speed = 2.0});
        std::size_t removed = 0;
        for (int step = 0; step < 100; ++step) removed += solver.step(fluid, 1e-3, surroundings).removed;
        return removed;
    };
    surroundings.domain.sides[0] = {DomainSide::Wall, DomainSide::Open};
    auto fluid = moving();
    const std::size_t count = fluid.size();
    EXPECT_EQ(run(fluid), count);
    EXPECT_EQ(fluid.size(), 0u);

    surroundings.domain.sides[0] = {DomainSide::Periodic, DomainSide::Periodic};
    fluid = moving();
    EXPECT_EQ(run(fluid), 0u);
    EXPECT_EQ(fluid.size(), count);
}

TYPED_TEST(Wcsph, particles_of_two_sizes_conserve_momentum)
{
    constexpr int Dim = TypeParam::value;
    const FluidModel two_sizes = {.rest_density = 1000.0,
                                  .parts = {fluid_part_model<Dim>(1000.0, spacing, 2.6, 0.1),
                                            fluid_part_model<Dim>(1000.0, 0.6 * spacing, 2.6, 0.3)}};
    auto fluid = two_blocks<Dim>(6, 0.97 * spacing, 0.97 * 0.6 * spacing);
    Rng rng(3);
    for (auto& v : fluid.velocity) v = rng.point<Dim>(-0.5, 0.5);
    const auto momentum = [&] {
        Vec<Dim> sum = Vec<Dim>::Zero();
        for (std::size_t i = 0; i < fluid.size(); ++i)
            sum += two_sizes.parts[fluid.part[i]].particle_mass * fluid.velocity[i];
        return sum;
    };
    WcsphSolver<Dim> solver(two_sizes, {.max_speed = 2.0});
    const Vec<Dim> before = momentum();
    double change = 0.0;
    ASSERT_FALSE(solver.step(fluid, 1e-4, {}).lost);
    for (std::size_t i = 0; i < fluid.size(); ++i)
        change += two_sizes.parts[fluid.part[i]].particle_mass * fluid.velocity[i].norm();
    EXPECT_LT((momentum() - before).norm(), 1e-6 * change);
    EXPECT_GT(fluid.largest_acceleration, 1.0);
}

TYPED_TEST(Wcsph, viscosity_has_the_curvature_of_a_parabola)
{
    constexpr int Dim = TypeParam::value;
    const double mu = 2.0, curvature = 1e3; // far above what rounding of the density does
    for (double ratio : {2.0, 2.6, 3.0, 4.0}) {
        SCOPED_TRACE(ratio);
        auto fluid = block<Dim>(11);
        const Vec<Dim> center = Vec<Dim>::Constant(5.5 * spacing);
        for (std::size_t i = 0; i < fluid.size(); ++i)
            fluid.velocity[i][0] = curvature * std::pow(fluid.position[i][1] - center[1], 2);
        WcsphSolver<Dim> solver(model<Dim>(mu, ratio), {.artificial_viscosity = 0.0,
                                                        .velocity_smoothing = 0.0,
                                                        .support_ratio = ratio,
                                                        .max_speed = 2.0});
        const double dt = 1e-6;
        ASSERT_FALSE(solver.step(fluid, dt, {}).lost);
        for (std::size_t i = 0; i < fluid.size(); ++i) {
            if ((fluid.position[i] - center).norm() > 0.1 * spacing) continue;
            EXPECT_NEAR(fluid.velocity[i][0] / dt / (2.0 * curvature * mu / 1000.0), 1.0, 0.025);
        }
    }
}

/// In a periodic box of `count` particles a side.
template <int Dim>
Surroundings<Dim> periodic_box(int count)
{
    Surroundings<Dim> surroundings = tank<Dim>(count * spacing, count * spacing);
    surroundings.gravity.setZero();
    for (auto& side : surroundings.domain.sides) side = {DomainSide::Periodic, DomainSide::Periodic};
    return surroundings;
}

/// How unevenly particles lie: root mean square of the density's error.
template <int Dim>
double unevenness(WcsphSolver<Dim>& solver, FluidState<Dim>& fluid, const Surroundings<Dim>& surroundings)
{
    std::vector<double> density, pressure;
    solver.evaluate(fluid, surroundings, density, pressure);
    double sum = 0.0;
    for (double rho : density) sum += std::pow(rho / 1000.0 - 1.0, 2);
    return std::sqrt(sum / static_cast<double>(density.size()));
}

TYPED_TEST(Wcsph, shifting_spreads_particles_evenly_and_carries_their_velocity)
{
    constexpr int Dim = TypeParam::value;
    constexpr int count = 10;
    const Surroundings<Dim> surroundings = periodic_box<Dim>(count);
    auto fluid = block<Dim>(count);
    Rng rng(5);
    for (auto& x : fluid.position) x += rng.point<Dim>(-0.2 * spacing, 0.2 * spacing);
    const auto wave = [](const Vec<Dim>& x) {
        return std::sin(2.0 * std::numbers::pi * x[1] / (count * spacing));
    };
    for (std::size_t i = 0; i < fluid.size(); ++i) fluid.velocity[i][0] = wave(fluid.position[i]);

    // Steps so short that nothing but shifting happens.
    WcsphSolver<Dim> solver(model<Dim>(),
                            {.velocity_smoothing = 0.0, .particle_shifting = 0.4, .max_speed = 1.0});
    const double before = unevenness(solver, fluid, surroundings);
    for (int step = 0; step < 20; ++step) ASSERT_FALSE(solver.step(fluid, 1e-9, surroundings).lost);
    EXPECT_LT(unevenness(solver, fluid, surroundings), 0.6 * before);
    double error = 0.0;
    for (std::size_t i = 0; i < fluid.size(); ++i)
        error = std::max(error, std::abs(fluid.velocity[i][0] - wave(fluid.position[i])));
    EXPECT_LT(error, 0.05); // without it a shift by a fifth of a spacing changes sin by 0.12
}

TYPED_TEST(Wcsph, shifting_leaves_a_free_surface_and_a_lattice_as_they_are)
{
    constexpr int Dim = TypeParam::value;
    auto fluid = block<Dim>(8);
    for (auto& v : fluid.velocity) v[0] = 1.0;
    WcsphSolver<Dim> solver(model<Dim>(), {.particle_shifting = 0.4, .max_speed = 1.0});
    const auto start = fluid.position;
    ASSERT_FALSE(solver.step(fluid, 1e-9, {}).lost);
    for (std::size_t i = 0; i < fluid.size(); ++i)
        EXPECT_LT((fluid.position[i] - start[fluid.id[i]]).norm(), 1e-5 * spacing) << start[fluid.id[i]];
}

TEST(WcsphSolver, fine_water_beside_coarse_water_comes_to_rest_at_one_level)
{
    // Two columns side by side with a spacing of 1 and 0.5: neither squeezes the other.
    constexpr int Dim = 2;
    const FluidModel two_sizes = {.rest_density = 1000.0,
                                  .parts = {fluid_part_model<Dim>(1000.0, spacing, 2.6),
                                            fluid_part_model<Dim>(1000.0, 0.5 * spacing, 2.6)}};
    auto fluid = two_blocks<Dim>(10, spacing, 0.5 * spacing);
    auto surroundings = tank<Dim>(20 * spacing, 1.0);
    WcsphSolver<Dim> solver(two_sizes, {.artificial_viscosity = 0.1, .max_speed = 2.0});
    double compression = 0.0;
    for (double t = 0.0; t < 1.0;) {
        const double dt = solver.stable_time_step(fluid);
        const FluidStepReport report = solver.step(fluid, dt, surroundings);
        ASSERT_FALSE(report.lost);
        compression = std::max(compression, report.mean_compression);
        t += dt;
    }
    EXPECT_LT(compression, 0.02);
    std::array<double, 2> top = {0.0, 0.0};
    std::array<double, 2> mean = {0.0, 0.0};
    std::array<int, 2> count = {0, 0};
    for (std::size_t i = 0; i < fluid.size(); ++i) {
        top[fluid.part[i]] = std::max(top[fluid.part[i]], fluid.position[i][Dim - 1]);
        mean[fluid.part[i]] += fluid.position[i][0];
        ++count[fluid.part[i]];
    }
    EXPECT_NEAR(top[0] + 0.5 * spacing, top[1] + 0.25 * spacing, 1.5 * spacing);
    // Each still has its half of the tank.
    EXPECT_NEAR(mean[0] / count[0], 5 * spacing, 0.6 * spacing);
    EXPECT_NEAR(mean[1] / count[1], 15 * spacing, 0.6 * spacing);
}

TEST(WcsphSolver, needs_a_speed_to_choose_its_stiffness_by)
{
    EXPECT_THROW(WcsphSolver<3>(model<3>(), {}), InputError);
}

} // namespace
} // namespace phyxel::wcsph_solver_test
