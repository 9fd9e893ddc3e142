// SPDX-License-Identifier: MIT
#include <phyxel/solid/solid_solver.h>

#include <phyxel/core/error.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/core/rng.h>

#include <Eigen/Geometry>

#include <gtest/gtest.h>

#include <cmath>

#include "solid_support.h"

namespace phyxel::solid_solver_test {
namespace {

using solid_support::box_of_phyxels;
using solid_support::phyxels_where;
using solid_support::Solids;

const Vec<3> zero = Vec<3>::Zero();

const std::vector<Box<3>> cube = {Box<3>{Vec<3>::Zero(), Vec<3>::Ones()}};

SolidMaterial plain(double youngs_modulus, double poisson_ratio = 0.3)
{
    SolidMaterial material{.law = ElasticLaw::StVenantKirchhoff,
                           .youngs_modulus = youngs_modulus,
                           .poisson_ratio = poisson_ratio};
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
        solid.surroundings = solid_support::floor_below(-0.2);
        for (int n = 0; n < 100; ++n) {
            const SolidStepReport report = solid.step(0.01);
            ASSERT_FALSE(report.lost);
            EXPECT_LT(report.max_speed, 5.0);
        }
        EXPECT_NEAR(solid.center()[2], 0.3, 0.05);
    }
    Solids solid(cube, 0.2, plain(1e8), LeapfrogOptions{});
    solid.surroundings = solid_support::floor_below(-0.2);
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
    const std::vector<std::uint64_t> all = phyxels_where(body, [](const Vec<3>&) { return true; });
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
    const std::vector<std::uint64_t> top = phyxels_where(body, [](const Vec<3>& X) { return X[2] > 0.8; });
    for (const SolidOptions& options : {SolidOptions(LeapfrogOptions{}), SolidOptions(ImplicitOptions{})}) {
        Solids solid(cube, 0.2, plain(1e7), options, {{"hook", top, spring}});
        solid.surroundings.gravity = Vec<3>(0, 0, -10);
        const double dt = std::min(0.01, solid.solver.stable_time_step(solid.state));
        for (double t = 0.0; t < 3.0; t += dt) ASSERT_FALSE(solid.step(dt).lost);
        double height = 0.0;
        for (const std::uint64_t i : top)
            height += solid.state.position[i][2] / static_cast<double>(top.size());
        EXPECT_NEAR(height, 3.0 - 1000.0 * 10 / 1e5, 2e-3);
    }
}

TEST(SolidSolver, what_follows_a_motion_is_where_the_motion_says)
{
    const Box<3> box{zero, Vec<3>(1, 0.4, 0.4)};
    const PhyxelCloud<3> bar = box_of_phyxels(box, 0.1);
    const std::vector<std::uint64_t> end = phyxels_where(bar, [](const Vec<3>& X) { return X[0] > 0.9; });
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
        for (const std::uint64_t i : end)
            EXPECT_LT((solid.state.position[i] - pose.apply(bar.positions[i])).norm(), 1e-12);
    }
}

TEST(SolidRegions, know_their_phyxels_by_id_and_leave_out_those_that_are_gone)
{
    const Solids solid(cube, 0.25, plain(1e5), LeapfrogOptions{});
    std::vector<std::uint64_t> ids;
    for (std::size_t i = 0; i < solid.model.size(); ++i) ids.push_back(1000 - 3 * i);
    constexpr std::uint64_t gone = 2; // 1000 − 3 i never is
    const SolidRegions<3> regions(solid.model, IdIndex(ids),
                                  {{"held", {gone, ids[9], ids[4]}, PrescribedMotion<3>{}}});
    for (std::size_t i = 0; i < ids.size(); ++i) EXPECT_EQ(regions.is_prescribed(i), i == 4 || i == 9) << i;
    std::vector<Index> visited;
    regions.for_each_prescribed(solid.model, solid.state.position, 0.0, 0.0,
                                [&](Index i, const Vec<3>&) { visited.push_back(i); });
    EXPECT_EQ(visited, (std::vector<Index>{9, 4}));
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

/// A ball with spines that are thinner than two spacings.
PhyxelCloud<3> spiny_ball()
{
    std::vector<Shape<3>> parts = {Shape<3>(Sphere<3>{.center = zero, .radius = 0.1})};
    for (const Vec<3>& d : {Vec<3>(1, 0.2, 0.1), Vec<3>(-0.3, 1, 0.4), Vec<3>(0.2, -0.5, -1)})
        parts.push_back(Shape<3>(Capsule<3>{.from = zero, .to = 0.25 * d.normalized(), .radius = 0.012}));
    return make_phyxels<3>(unite<3>(parts), 0.02, {.sampling = PhyxelSampling::PoissonDisk, .seed = 3});
}

/// The largest speed of a solid that trembles ever so little, over that at the start.
double growth_of_trembling(const PhyxelCloud<3>& cloud, const SolidMaterial& material)
{
    const LeapfrogOptions options{.courant_number = 0.95};
    const PhyxelCloud<3>* const clouds[] = {&cloud};
    const SolidModel<3> model = make_solid_model<3>(clouds, std::span(&material, 1), options.stabilization);
    const SolidRegions<3> regions(model, {}, {});
    SolidSolver<3> solver(model, regions, options);
    constexpr double trembling = 1e-9;
    SolidState<3> solid;
    solid.position = model.rest.position;
    for (std::size_t i = 0; i < model.size(); ++i)
        solid.velocity.push_back(trembling * Rng(5, i).point<3>(-1, 1));
    const double dt = solver.stable_time_step(solid);
    Surroundings<3> surroundings;
    double fastest = 0.0;
    for (int n = 0; n < 600; ++n) {
        surroundings.time += dt;
        fastest = std::max(fastest, solver.step(solid, dt, surroundings).max_speed);
    }
    return fastest / trembling;
}

TEST(SolidSolver, thin_tips_do_not_explode_however_viscous_they_are)
{
    const PhyxelCloud<3> cloud = spiny_ball();
    for (const double viscosity : {0.0, 5.0, 500.0}) {
        const SolidMaterial jelly{
            .density = 1050.0, .youngs_modulus = 1e4, .poisson_ratio = 0.45, .viscosity = viscosity};
        EXPECT_LT(growth_of_trembling(cloud, jelly), 20.0) << viscosity;
    }
}

TEST(SolidSolver, a_sheet_that_is_nearly_flat_rests_as_it_is)
{
    std::vector<Vec<3>> sheet;
    for (int i = 0; i < 12; ++i)
        for (int j = 0; j < 12; ++j)
            sheet.emplace_back(0.1 * i, 0.1 * j, 0.004 * Rng(1, 12 * i + j).uniform(-1, 1));
    const PhyxelCloud<3> cloud = make_phyxels<3>(sheet, 0.1, 1e-3);
    const SolidMaterial material{.youngs_modulus = 1e5};
    const PhyxelCloud<3>* const clouds[] = {&cloud};
    const SolidModel<3> model = make_solid_model<3>(clouds, std::span(&material, 1), 0.1);
    EXPECT_GT(model.rest.flat.size(), 100u);
    const ElasticEnergy energy = elastic_energy<3>(model, model.rest.position);
    const double unit = 1e5 * 1e-3; // E v
    EXPECT_LT(energy.strain, 1e-20 * unit);
    EXPECT_LT(energy.stabilization, 1e-20 * unit);
    ElasticWorkspace<3> work(model);
    std::vector<Vec<3>> forces(model.size());
    compute_responses<3>(model, model.rest.position, {}, work);
    compute_elastic_forces<3>(model, work, forces);
    for (const Vec<3>& f : forces) EXPECT_LT(f.norm(), 1e-9 * unit / 0.1);

    // The forces are still the slope of the energy, wherever the phyxels are.
    std::vector<Vec<3>> moved = model.rest.position, direction;
    for (std::size_t i = 0; i < moved.size(); ++i) {
        moved[i] += 0.01 * Rng(2, i).point<3>(-1, 1);
        direction.push_back(Rng(3, i).point<3>(-1, 1));
    }
    compute_responses<3>(model, moved, {}, work);
    compute_elastic_forces<3>(model, work, forces);
    const auto energy_at = [&](double t) {
        std::vector<Vec<3>> there = moved;
        for (std::size_t i = 0; i < there.size(); ++i) there[i] += t * direction[i];
        const ElasticEnergy sum = elastic_energy<3>(model, there);
        return sum.strain + sum.stabilization;
    };
    double power = 0.0;
    for (std::size_t i = 0; i < moved.size(); ++i) power -= forces[i].dot(direction[i]);
    EXPECT_NEAR((energy_at(1e-6) - energy_at(-1e-6)) / 2e-6 / power, 1.0, 1e-6);
}

TEST(SolidSolver, what_is_crushed_does_not_leak_through_the_floor_from_inside)
{
    for (const SolidOptions& options : {SolidOptions(LeapfrogOptions{}), SolidOptions(ImplicitOptions{})}) {
        Solids solid(cube, 0.1, plain(1e3), options);
        solid.surroundings = solid_support::floor_below(-0.01);
        for (Vec<3>& x : solid.state.position)
            if (x[0] > 0.4 && x[0] < 0.6 && x[1] > 0.4 && x[1] < 0.6) x[2] -= 0.5;
        for (int n = 0; n < 3; ++n)
            static_cast<void>(solid.step(std::min(0.001, solid.solver.stable_time_step(solid.state))));
        for (const Vec<3>& x : solid.state.position) EXPECT_GT(x[2], -0.01);
    }
}

TEST(SolidSolver, jelly_that_falls_from_two_metres_is_nowhere_turned_inside_out)
{
    const SolidMaterial jelly{
        .density = 1050.0, .youngs_modulus = 1e4, .poisson_ratio = 0.48, .viscosity = 5.0};
    Solids solid({Box<3>{zero, Vec<3>(0.2, 0.2, 0.2)}}, 0.025, jelly, LeapfrogOptions{});
    solid.surroundings = solid_support::floor_below(-0.01);
    for (Vec<3>& v : solid.state.velocity) v = Vec<3>(0.5, 0, -6.26);
    const double start = solid.energy();
    double least_volume = 1.0;
    while (solid.surroundings.time < 0.15) {
        const SolidStepReport report = solid.step(solid.solver.stable_time_step(solid.state));
        ASSERT_FALSE(report.lost);
        ASSERT_EQ(report.inverted, 0u);
        double volume = 0.0;
        for (const ElasticResponse<3>& response : solid.solver.evaluate(solid.state))
            volume +=
                determinant<3>(response.F, cofactor(response.F)) / static_cast<double>(solid.model.size());
        least_volume = std::min(least_volume, volume);
        for (const Vec<3>& x : solid.state.position) ASSERT_GT(x[2], -0.01);
        ASSERT_LT(solid.energy(), 1.02 * start);
    }
    EXPECT_GT(least_volume, 0.8);
    EXPECT_LT(least_volume, 0.99);
}

/// A stiff bar that turns so fast that a step of Newton's method from a straight line tears it.
TEST(SolidSolver, an_implicit_step_that_cannot_be_solved_is_cut_until_it_can)
{
    const std::vector<Box<3>> bar = {Box<3>{zero, Vec<3>(1.0, 0.2, 0.2)}};
    Solids solid(bar, 0.1, plain(1e9), ImplicitOptions{});
    const Vec<3> center(0.5, 0.1, 0.1), spin(0, 0, 40);
    for (std::size_t i = 0; i < solid.model.size(); ++i)
        solid.state.velocity[i] = spin.cross(solid.state.position[i] - center);
    const double start = solid.energy();
    double shortest = 1.0;
    for (int n = 0; n < 10; ++n) {
        const SolidStepReport report = solid.step(0.01);
        ASSERT_TRUE(report.solved);
        EXPECT_LT(report.residual, 1.0);
        shortest = std::min(shortest, report.shortest_part);
        EXPECT_LT(solid.energy(), 1.01 * start) << n;
    }
    EXPECT_LT(shortest, 0.01);
}

TEST(SolidSolver, an_implicit_step_of_a_solid_at_rest_takes_rounding_for_rest)
{
    Solids solid(cube, 0.2, plain(1e9), ImplicitOptions{});
    for (Vec<3>& x : solid.state.position) x += Vec<3>(0.1, 7.3, -3.1);
    for (int n = 0; n < 10; ++n) {
        const SolidStepReport report = solid.step(0.01);
        EXPECT_TRUE(report.converged);
        EXPECT_EQ(report.newton_iterations, 0);
        EXPECT_EQ(report.shortest_part, 0.01);
    }
}

TEST(SolidSolver, an_implicit_step_that_nothing_helps_says_so)
{
    const std::vector<Box<3>> bar = {Box<3>{zero, Vec<3>(1.0, 0.2, 0.2)}};
    Solids solid(bar, 0.1, plain(1e9), ImplicitOptions{.newton_iterations = 2, .linear_iterations = 1});
    for (Vec<3>& x : solid.state.position) x[0] *= x[0] > 0.5 ? 3.0 : 0.1;
    const SolidStepReport report = solid.step(0.01);
    EXPECT_FALSE(report.solved);
    EXPECT_LT(report.shortest_part, 1e-4);
}

TEST(SolidSolver, the_same_bits_on_any_number_of_threads)
{
    const auto run = [](int threads, const SolidOptions& options) {
        const ThreadLimit limit(threads);
        Solids solid({cube[0], Box<3>{Vec<3>(0.3, 0.3, 1.05), Vec<3>(0.9, 0.9, 1.5)}}, 0.08, plain(1e5),
                     options);
        solid.surroundings = solid_support::floor_below(-0.02);
        for (int n = 0; n < 30; ++n) EXPECT_FALSE(solid.step(0.003).lost);
        return solid.state.position;
    };
    for (const SolidOptions& options : {SolidOptions(LeapfrogOptions{}), SolidOptions(ImplicitOptions{})}) {
        const auto one = run(1, options);
        for (const int threads : {2, 3, 7}) EXPECT_EQ(run(threads, options), one) << threads;
    }
}

} // namespace
} // namespace phyxel::solid_solver_test
