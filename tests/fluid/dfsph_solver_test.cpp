// SPDX-License-Identifier: MIT
#include <phyxel/fluid/dfsph_solver.h>

#include "fluid_support.h"

#include <phyxel/core/error.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/core/rng.h>

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

namespace phyxel::dfsph_solver_test {
namespace {

template <class T>
class Dfsph : public testing::Test {
};
TYPED_TEST_SUITE(Dfsph, FluidDimensions);

constexpr double ratio = 2.0;

template <int Dim>
DfsphSolver<Dim> solver_for(const FluidModel& fluid_model, DfsphOptions options = {})
{
    options.max_speed = 3.0;
    return DfsphSolver<Dim>(fluid_model, options);
}

TYPED_TEST(Dfsph, blob_falls_as_symplectic_euler_says)
{
    constexpr int Dim = TypeParam::value;
    auto fluid = block<Dim>(6, 1.05 * spacing); // below the rest density: no pressure
    auto solver = solver_for<Dim>(model<Dim>(0.0, ratio));
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

TYPED_TEST(Dfsph, pressure_conserves_momentum)
{
    constexpr int Dim = TypeParam::value;
    auto fluid = block<Dim>(8, 0.97 * spacing);
    Rng rng(3);
    for (auto& v : fluid.velocity) v = rng.point<Dim>(-0.5, 0.5);
    auto solver = solver_for<Dim>(model<Dim>(0.1, ratio));
    Vec<Dim> before = Vec<Dim>::Zero(), after = Vec<Dim>::Zero();
    for (const auto& v : fluid.velocity) before += v;
    const FluidStepReport report = solver.step(fluid, 1e-3, {});
    ASSERT_FALSE(report.lost);
    EXPECT_GT(report.density_iterations, 1);
    double sum = 0.0;
    for (const auto& v : fluid.velocity) {
        after += v;
        sum += v.norm();
    }
    EXPECT_LT((after - before).norm(), 1e-6 * sum);
}

TYPED_TEST(Dfsph, a_step_takes_compression_away)
{
    // A block that is 9 % too dense in 3D, 6 % in 2D, at rest in empty space.
    constexpr int Dim = TypeParam::value;
    auto fluid = block<Dim>(10, 0.97 * spacing);
    auto solver =
        solver_for<Dim>(model<Dim>(0.0, ratio), {.density_tolerance = 1e-4, .velocity_smoothing = 0});
    const double dt = solver.stable_time_step(fluid);
    const FluidStepReport first = solver.step(fluid, dt, {});
    EXPECT_GT(first.mean_compression, 0.02);
    EXPECT_LT(first.density_iterations, 100);
    EXPECT_LT(solver.step(fluid, dt, {}).mean_compression, 0.15 * first.mean_compression);
}

TYPED_TEST(Dfsph, a_very_short_step_throws_nothing_apart)
{
    // A step may end where a frame does: what is compressed has to wait for a longer one.
    constexpr int Dim = TypeParam::value;
    auto fluid = block<Dim>(10, 0.97 * spacing);
    auto solver = solver_for<Dim>(model<Dim>(0.0, ratio));
    EXPECT_GT(solver.step(fluid, 1e-12, {}).mean_compression, 0.02);
    EXPECT_LT(largest_speed(fluid), 1.0);
}

TYPED_TEST(Dfsph, velocity_that_compresses_is_made_free_of_divergence)
{
    // In a block where everything rushes to the middle the first solve stops it within its own tolerance;
    // with a loose tolerance the density grows at once.
    constexpr int Dim = TypeParam::value;
    const auto density_after = [&](double tolerance) {
        auto fluid = block<Dim>(10);
        const Vec<Dim> center = Vec<Dim>::Constant(5 * spacing);
        for (std::size_t i = 0; i < fluid.size(); ++i)
            fluid.velocity[i] = -5.0 * (fluid.position[i] - center);
        auto solver = solver_for<Dim>(
            model<Dim>(0.0, ratio),
            {.density_tolerance = 0.1, .divergence_tolerance = tolerance, .velocity_smoothing = 0});
        const double dt = 2e-3;
        (void)solver.step(fluid, dt, {});
        return solver.step(fluid, dt, {}).mean_compression;
    };
    EXPECT_LT(density_after(1e-5), 0.2 * density_after(0.1));
}

TYPED_TEST(Dfsph, collapsing_column_keeps_its_density_and_stays_in_its_tank)
{
    constexpr int Dim = TypeParam::value;
    const int count = Dim == 2 ? 20 : 10;
    auto fluid = block<Dim>(count);
    const auto surroundings = tank<Dim>(2 * count * spacing, 2 * count * spacing);
    auto solver = solver_for<Dim>(model<Dim>(0.0, ratio));
    const auto energy = [&] {
        double sum = 0.0;
        for (std::size_t i = 0; i < fluid.size(); ++i)
            sum += 0.5 * fluid.velocity[i].squaredNorm() + 9.81 * fluid.position[i][Dim - 1];
        return sum / static_cast<double>(fluid.size());
    };
    const double at_first = energy();
    double compression = 0.0;
    for (double t = 0.0; t < 0.6;) {
        const double dt = solver.stable_time_step(fluid);
        const FluidStepReport report = solver.step(fluid, dt, surroundings);
        ASSERT_FALSE(report.lost);
        compression = std::max(compression, report.mean_compression);
        t += dt;
    }
    EXPECT_LT(energy(), at_first);
    EXPECT_LT(compression, 0.002);
    double reach = 0.0;
    for (const auto& x : fluid.position) {
        EXPECT_TRUE((x.array() >= 0.24 * spacing).all() && (x.array() <= (2 * count - 0.24) * spacing).all());
        reach = std::max(reach, x[0]);
    }
    EXPECT_GT(reach, 1.5 * count * spacing);
}

TYPED_TEST(Dfsph, water_at_rest_has_the_pressure_of_its_depth)
{
    constexpr int Dim = TypeParam::value;
    const int count = Dim == 2 ? 16 : 8;
    auto fluid = block<Dim>(count);
    auto surroundings = tank<Dim>(count * spacing, 1.0);
    auto solver = solver_for<Dim>(model<Dim>(0.0, ratio), {.density_tolerance = 1e-5});
    // The pressure of a single step trembles, as it has to correct what the last one left; its mean does not.
    std::vector<double> density, pressure, sum(fluid.size());
    int samples = 0;
    for (int step = 0; step < 500; ++step) {
        ASSERT_FALSE(solver.step(fluid, 2e-3, surroundings).lost);
        if (step < 300) continue;
        solver.evaluate(fluid, surroundings, density, pressure);
        for (std::size_t i = 0; i < fluid.size(); ++i) sum[fluid.id[i]] += pressure[i];
        ++samples;
    }
    double top = 0.0;
    for (const auto& x : fluid.position) top = std::max(top, x[Dim - 1]);
    const double height = top + 0.5 * spacing;
    EXPECT_NEAR(height, count * spacing, 0.6 * spacing);
    double error = 0.0;
    double scale = 0.0;
    for (std::size_t i = 0; i < fluid.size(); ++i) {
        const double depth = height - fluid.position[i][Dim - 1];
        // Near side walls the pressure is that of fewer neighbours and more noise.
        double from_sides = height;
        for (int k = 0; k < Dim - 1; ++k)
            from_sides = std::min({from_sides, fluid.position[i][k], count * spacing - fluid.position[i][k]});
        if (depth < 2 * spacing || from_sides < spacing) continue;
        error += std::abs(sum[fluid.id[i]] / samples - 1000.0 * 9.81 * depth);
        scale += 1000.0 * 9.81 * height;
    }
    EXPECT_LT(error / scale, Dim == 2 ? 0.06 : 0.1); // of 16 layers and of 8
}

TEST(DfsphSolver, deep_water_stays_still)
{
    // 100 layers: steps that only knew speed and gravity made it boil, at several metres in a second.
    FluidState<2> fluid;
    const auto slab = block<2>(100);
    for (std::size_t i = 0; i < slab.size(); ++i)
        if (slab.position[i][0] < 10 * spacing) {
            fluid.resize(fluid.size() + 1);
            copy_item(fluid, fluid.size() - 1, slab, i);
        }
    const auto surroundings = tank<2>(10 * spacing, 120 * spacing);
    const double depth = 100 * spacing;
    DfsphSolver<2> solver(model<2>(0.0, ratio), DfsphOptions{.max_speed = std::sqrt(2.0 * 9.81 * depth)});
    double fastest = 0.0;
    for (double t = 0.0; t < 1.0;) {
        const double dt = solver.stable_time_step(fluid);
        ASSERT_FALSE(solver.step(fluid, dt, surroundings).lost);
        t += dt;
        double squares = 0.0;
        for (const Vec<2>& v : fluid.velocity) squares += v.squaredNorm();
        fastest = std::max(fastest, std::sqrt(squares / static_cast<double>(fluid.size())));
    }
    EXPECT_LT(fastest, 0.1 * std::sqrt(2.0 * 9.81 * depth));
}

TYPED_TEST(Dfsph, same_bits_on_any_number_of_threads_and_after_a_fresh_start)
{
    constexpr int Dim = TypeParam::value;
    const auto surroundings = tank<Dim>(1.0, 1.0);
    const auto run = [&](int threads, bool restart) {
        const ThreadLimit limit(threads);
        auto fluid = block<Dim>(Dim == 2 ? 40 : 12);
        auto solver =
            std::make_unique<DfsphSolver<Dim>>(model<Dim>(0.0, ratio), DfsphOptions{.max_speed = 2.0});
        for (int step = 0; step < 10; ++step) {
            if (restart && step == 5)
                solver = std::make_unique<DfsphSolver<Dim>>(model<Dim>(0.0, ratio),
                                                            DfsphOptions{.max_speed = 2.0});
            EXPECT_FALSE(solver->step(fluid, solver->stable_time_step(fluid), surroundings).lost);
        }
        return hash_state(fluid);
    };
    const std::uint64_t expected = run(1, false);
    for (int threads : {2, 3, 7}) EXPECT_EQ(run(threads, false), expected) << threads;
    EXPECT_EQ(run(2, true), expected);
}

TYPED_TEST(Dfsph, rough_walls_brake_and_smooth_walls_do_not)
{
    constexpr int Dim = TypeParam::value;
    const auto speed_after = [&](const WallSurface<Dim>& surface, double viscosity, int steps = 50) {
        auto fluid = block<Dim>(8);
        for (auto& v : fluid.velocity) v = 0.5 * Vec<Dim>::Unit(0);
        auto surroundings = tank<Dim>(8 * spacing, 1.0);
        surroundings.domain.sides[0] = {DomainSide::Periodic, DomainSide::Periodic};
        if constexpr (Dim == 3) surroundings.domain.sides[1] = surroundings.domain.sides[0];
        surroundings.domain.surface = surface;
        auto solver = solver_for<Dim>(model<Dim>(viscosity, ratio));
        for (int step = 0; step < steps; ++step) (void)solver.step(fluid, 2e-3, surroundings);
        double sum = 0.0;
        for (const auto& v : fluid.velocity) sum += v[0];
        return sum / static_cast<double>(fluid.size());
    };
    EXPECT_NEAR(speed_after({}, 1.0), 0.5, 1e-4);
    EXPECT_LT(speed_after({.no_slip = true}, 1.0), 0.48);
    // As if all moved with the wall; what it runs across itself is nothing.
    EXPECT_NEAR(speed_after({.no_slip = true, .velocity = 0.5 * Vec<Dim>::Unit(0)}, 1.0), 0.5, 1e-4);
    EXPECT_GT(speed_after({.no_slip = true, .velocity = Vec<Dim>::Unit(0)}, 1.0), 0.52);
    EXPECT_GT(speed_after({.friction = 0.2, .velocity = Vec<Dim>::Unit(0)}, 0.0, 8), 0.52);
    EXPECT_NEAR(speed_after({.no_slip = true, .velocity = Vec<Dim>::Unit(Dim - 1)}, 1.0),
                speed_after({.no_slip = true}, 1.0), 1e-12);
    // Coulomb: the force on the whole block is μ times its weight, until its lowest layer has stopped.
    EXPECT_NEAR(0.5 - speed_after({.friction = 0.2}, 0.0, 8), 0.2 * 9.81 * 8 * 2e-3, 0.008);
}

TEST(DfsphSolver, needs_a_speed_to_tell_what_has_gone_astray)
{
    EXPECT_THROW(DfsphSolver<3>(model<3>(), {}), InputError);
}

} // namespace
} // namespace phyxel::dfsph_solver_test
