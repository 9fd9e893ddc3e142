// SPDX-License-Identifier: MIT
#include <phyxel/solid/solid_solver.h>

#include <phyxel/core/error.h>
#include <phyxel/core/parallel_for.h>

#include <Eigen/Geometry>

#include <gtest/gtest.h>

#include <cmath>

#include "solid_support.h"

namespace phyxel {
namespace {

using testing::box_of_phyxels;
using testing::phyxels_where;
using testing::Solids;

const Vec<3> zero = Vec<3>::Zero();

const std::vector<Box<3>> cube = {Box<3>{Vec<3>::Zero(), Vec<3>::Ones()}};

SolidMaterial plain(double youngs_modulus, double poisson_ratio = 0.3)
{
    SolidMaterial material{.youngs_modulus = youngs_modulus, .poisson_ratio = poisson_ratio};
    material.volume_stiffness = 0.0;
    return material;
}

TEST(SolidSolver, a_solid_in_free_fall_keeps_its_shape)
{
    for (const SolidOptions& options : {SolidOptions(LeapfrogOptions{}), SolidOptions(ImplicitOptions{})}) {
        Solids solid(cube, 0.2, plain(1e5), options);
        solid.surroundings.gravity = Vec<3>(0, 0, -10);
        constexpr double dt = 0.005;
        for (int n = 0; n < 100; ++n) EXPECT_FALSE(solid.step(dt).lost);
        const ElasticEnergy energy = elastic_energy<3>(solid.model, solid.state.position);
        EXPECT_LT(energy.strain, 1e-12);
        // Leapfrog falls by ½ g t²; implicit Euler is half a step ahead of that.
        const double ahead = std::holds_alternative<ImplicitOptions>(options) ? dt : 0.0;
        EXPECT_NEAR(solid.center()[2], 0.5 - 0.5 * 10 * 0.5 * (0.5 + ahead), 1e-9);
    }
}

TEST(SolidSolver, leapfrog_keeps_momentum_angular_momentum_and_energy)
{
    Solids solid(cube, 0.2, plain(1e5), LeapfrogOptions{});
    const Vec<3> axis(1, 2, 3);
    for (std::size_t i = 0; i < solid.model.size(); ++i) {
        const Vec<3> r = solid.state.position[i] - Vec<3>::Constant(0.5);
        solid.state.velocity[i] = axis.cross(r) + Vec<3>(1, 0, -1) + 2.0 * r[0] * Vec<3>(1, 0, 0);
    }
    const auto momenta = [&] {
        Vec<3> linear = zero, angular = zero;
        for (std::size_t i = 0; i < solid.model.size(); ++i) {
            const Vec<3> p = solid.model.mass[i] * solid.state.velocity[i];
            linear += p;
            angular += solid.state.position[i].cross(p);
        }
        return std::pair(linear, angular);
    };
    const auto [linear, angular] = momenta();
    const double dt = solid.solver.stable_time_step(solid.state);
    EXPECT_FALSE(solid.step(dt).lost);
    const double energy = solid.energy();
    for (int n = 0; n < 1000; ++n) EXPECT_FALSE(solid.step(dt).lost);
    const auto [linear_after, angular_after] = momenta();
    EXPECT_LT((linear_after - linear).norm(), 1e-9 * linear.norm());
    // Velocities are half a step behind the places.
    EXPECT_LT((angular_after - angular).norm(), 1e-9 * angular.norm());
    EXPECT_NEAR(solid.energy(), energy, 0.02 * energy);
}

TEST(SolidSolver, implicit_steps_are_stable_where_explicit_ones_are_not)
{
    for (const double E : {1e5, 1e8}) { // [MKN*04, Sec. 6.3]
        Solids solid(cube, 0.2, plain(E), ImplicitOptions{.time_step = 0.01});
        solid.surroundings = testing::floor_below(-0.2);
        for (int n = 0; n < 100; ++n) {
            const SolidStepReport report = solid.step(0.01);
            ASSERT_FALSE(report.lost);
            EXPECT_LT(report.max_speed, 5.0);
        }
        EXPECT_NEAR(solid.center()[2], 0.3, 0.05);
    }
    Solids solid(cube, 0.2, plain(1e8), LeapfrogOptions{});
    solid.surroundings = testing::floor_below(-0.2);
    bool is_lost = false;
    for (int n = 0; n < 100 && !is_lost; ++n) {
        const SolidStepReport report = solid.step(0.01);
        is_lost = report.lost.has_value() || report.max_speed > 1e6;
    }
    EXPECT_TRUE(is_lost);
}

TEST(SolidSolver, an_implicit_step_reports_the_residual_it_reached)
{
    Solids solid(cube, 0.2, plain(1e5), ImplicitOptions{.tolerance = 1e-6, .newton_iterations = 20});
    for (std::size_t i = 0; i < solid.model.size(); ++i)
        solid.state.velocity[i] = Vec<3>(3.0 * solid.state.position[i][1], 0, 0);
    const SolidStepReport report = solid.step(0.02);
    EXPECT_TRUE(report.converged);
    EXPECT_LE(report.residual, 1e-6);
    EXPECT_GT(report.newton_iterations, 1);

    Solids hurried(cube, 0.2, plain(1e5), ImplicitOptions{.tolerance = 1e-6, .newton_iterations = 1});
    hurried.state.velocity = solid.state.velocity;
    for (Vec<3>& v : hurried.state.velocity) v *= 10.0;
    const SolidStepReport short_report = hurried.step(0.02);
    EXPECT_FALSE(short_report.converged);
    EXPECT_GT(short_report.residual, 1e-6);
}

TEST(SolidSolver, a_bar_under_tension_gets_longer_and_thinner_as_hooke_says)
{
    // Small strain: what the nominal modulus and Poisson's ratio predict.
    constexpr double E = 1e6, nu = 0.3, pull = 1e3; // Pa
    const Box<3> box{zero, Vec<3>(2, 0.5, 0.5)};
    const PhyxelCloud<3> bar = box_of_phyxels(box, 0.125);
    const auto at_end = [](const Vec<3>& X) { return X[0] > 1.9; };
    const auto at_start = [](const Vec<3>& X) { return X[0] < 0.1; };
    RegionForce<3> force;
    force.force = {Formula(pull * 0.25), Formula(0.0), Formula(0.0)};
    Solids solid({box}, 0.125, plain(E, nu), QuasiStaticOptions{},
                 {{"held", phyxels_where(bar, at_start), PrescribedMotion<3>{}},
                  {"pulled", phyxels_where(bar, at_end), force}});
    const SolidStepReport report = solid.step(0.1);
    EXPECT_TRUE(report.converged);
    double strain = 0.0, thinning = 0.0;
    int count = 0;
    const auto responses = solid.solver.evaluate(solid.state);
    for (std::size_t i = 0; i < solid.model.size(); ++i) {
        if (std::abs(bar.positions[i][0] - 1.0) > 0.3) continue;
        strain += responses[i].F(0, 0) - 1.0;
        thinning += responses[i].F(1, 1) - 1.0;
        ++count;
    }
    EXPECT_NEAR(strain / count, pull / E, 0.01 * pull / E);
    EXPECT_NEAR(thinning / count, -nu * pull / E, 0.02 * nu * pull / E);
}

TEST(SolidSolver, a_pressure_on_all_sides_compresses_by_the_bulk_modulus)
{
    constexpr double E = 1e6, nu = 0.3, p = 500.0;
    const PhyxelCloud<3> body = box_of_phyxels(cube[0], 0.125);
    const std::vector<Index> all = phyxels_where(body, [](const Vec<3>&) { return true; });
    Solids solid(cube, 0.125,
                 [&] {
                     SolidMaterial material = plain(E, nu);
                     material.damping = 20.0;
                     return material;
                 }(),
                 LeapfrogOptions{}, {{"pressed", all, RegionPressure{Formula(p)}}});
    const double dt = solid.solver.stable_time_step(solid.state);
    for (double t = 0.0; t < 1.0; t += dt) EXPECT_FALSE(solid.step(dt).lost);
    const auto responses = solid.solver.evaluate(solid.state);
    double change = 0.0;
    for (const ElasticResponse<3>& response : responses) change += response.F.trace() - 3.0;
    change /= static_cast<double>(responses.size());
    const double bulk_modulus = E / (3.0 * (1.0 - 2.0 * nu));
    EXPECT_NEAR(change, -p / bulk_modulus, 0.02 * p / bulk_modulus);
}

TEST(SolidSolver, a_spring_holds_a_weight_where_it_balances)
{
    RegionSpring<3> spring{.stiffness = 1e5, .damping = 5e3, .to = Vec<3>(0.5, 0.5, 3.0)};
    const PhyxelCloud<3> body = box_of_phyxels(cube[0], 0.2);
    const std::vector<Index> top = phyxels_where(body, [](const Vec<3>& X) { return X[2] > 0.8; });
    for (const SolidOptions& options : {SolidOptions(LeapfrogOptions{}), SolidOptions(ImplicitOptions{})}) {
        Solids solid(cube, 0.2, plain(1e7), options, {{"hook", top, spring}});
        solid.surroundings.gravity = Vec<3>(0, 0, -10);
        const double dt = std::min(0.01, solid.solver.stable_time_step(solid.state));
        for (double t = 0.0; t < 3.0; t += dt) ASSERT_FALSE(solid.step(dt).lost);
        double height = 0.0;
        for (const Index i : top) height += solid.state.position[i][2] / static_cast<double>(top.size());
        EXPECT_NEAR(height, 3.0 - 1000.0 * 10 / 1e5, 2e-3);
    }
}

TEST(SolidSolver, what_follows_a_motion_is_where_the_motion_says)
{
    const Box<3> box{zero, Vec<3>(1, 0.4, 0.4)};
    const PhyxelCloud<3> bar = box_of_phyxels(box, 0.1);
    const std::vector<Index> end = phyxels_where(bar, [](const Vec<3>& X) { return X[0] > 0.9; });
    const std::vector<MotionKey<3>> keys = {{0.0, zero, zero}, {1.0, Vec<3>(0.3, 0, 0), Vec<3>(1.0, 0, 0)}};
    const Motion<3> twist(keys, Interpolation::Smooth, Vec<3>(1, 0.2, 0.2));
    for (const SolidOptions& options : {SolidOptions(LeapfrogOptions{}), SolidOptions(ImplicitOptions{}),
                                        SolidOptions(QuasiStaticOptions{})}) {
        Solids solid(
            {box}, 0.1, plain(1e5), options,
            {{"held", phyxels_where(bar, [](const Vec<3>& X) { return X[0] < 0.1; }), PrescribedMotion<3>{}},
             {"twisted", end, PrescribedMotion<3>{twist}}});
        const double dt = std::min(0.02, solid.solver.stable_time_step(solid.state));
        while (solid.surroundings.time < 0.5) ASSERT_FALSE(solid.step(dt).lost);
        const Pose<3> pose = twist.pose(solid.surroundings.time);
        for (const Index i : end)
            EXPECT_LT((solid.state.position[i] - pose.apply(bar.positions[i])).norm(), 1e-12);
    }
}

TEST(SolidSolver, equilibrium_needs_something_that_holds)
{
    EXPECT_THROW(Solids(cube, 0.2, plain(1e5), QuasiStaticOptions{}), InputError);
}

TEST(SolidSolver, viscosity_ends_vibrations_and_leaves_flight_alone)
{
    SolidMaterial material = plain(1e5);
    material.viscosity = 2000.0;
    for (const SolidOptions& options :
         {SolidOptions(LeapfrogOptions{}),
          SolidOptions(ImplicitOptions{.time_step = 0.002, .tolerance = 1e-5})}) {
        Solids solid(cube, 0.2, material, options);
        for (std::size_t i = 0; i < solid.model.size(); ++i)
            solid.state.velocity[i] = Vec<3>(2.0 * (solid.state.position[i][0] - 0.5), 0, 7.0);
        const double dt = solid.solver.stable_time_step(solid.state);
        while (solid.surroundings.time < 1.0) ASSERT_FALSE(solid.step(dt).lost);
        for (const Vec<3>& v : solid.state.velocity) EXPECT_LT((v - Vec<3>(0, 0, 7)).norm(), 0.01);
    }
}

TEST(SolidSolver, the_same_bits_on_any_number_of_threads)
{
    const auto run = [](int threads, const SolidOptions& options) {
        const ThreadLimit limit(threads);
        Solids solid({cube[0], Box<3>{Vec<3>(0.3, 0.3, 1.05), Vec<3>(0.9, 0.9, 1.5)}}, 0.08, plain(1e5),
                     options);
        solid.surroundings = testing::floor_below(-0.02);
        for (int n = 0; n < 30; ++n) EXPECT_FALSE(solid.step(0.003).lost);
        return solid.state.position;
    };
    for (const SolidOptions& options : {SolidOptions(LeapfrogOptions{}), SolidOptions(ImplicitOptions{})}) {
        const auto one = run(1, options);
        for (const int threads : {2, 3, 7}) EXPECT_EQ(run(threads, options), one) << threads;
    }
}

} // namespace
} // namespace phyxel
