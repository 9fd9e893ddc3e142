// SPDX-License-Identifier: MIT
#include <phyxel/solid/solid_contact.h>

#include <gtest/gtest.h>

#include <algorithm>

#include "solid_support.h"

namespace phyxel::solid_contact_test {
namespace {

using solid_support::box_of_phyxels;
using solid_support::Solids;

SolidMaterial soft(double damping = 1.0)
{
    return {.law = ElasticLaw::StVenantKirchhoff,
            .youngs_modulus = 2e5,
            .poisson_ratio = 0.3,
            .damping = damping};
}

double stable_step(const Solids& solid)
{
    return std::min(0.005, solid.solver.stable_time_step(solid.state));
}

std::vector<SolidOptions> both_solvers() { return {LeapfrogOptions{}, ImplicitOptions{.time_step = 0.005}}; }

TEST(SolidContact, a_stack_at_rest_is_not_deeper_than_a_twentieth_of_a_spacing)
{
    for (const SolidOptions& options : both_solvers()) {
        Solids solid({Box<3>{Vec<3>(0, 0, 0), Vec<3>(1, 1, 0.5)},
                      Box<3>{Vec<3>(0.13, 0.07, 0.5), Vec<3>(0.83, 0.77, 1.0)}},
                     0.1, soft(5.0), options);
        solid.surroundings = solid_support::floor_below(0.0);
        SolidStepReport report;
        while (solid.surroundings.time < 3.0) report = solid.step(stable_step(solid));
        EXPECT_GT(report.contacts, 10u);
        EXPECT_LT(report.largest_penetration, 0.05);
        EXPECT_LT(report.max_speed, 0.05);
        double lowest = 1.0;
        for (const Vec<3>& x : solid.state.position) lowest = std::min(lowest, x[2]);
        EXPECT_GT(lowest, 0.05 - 0.05 * 0.1);
    }
}

TEST(SolidContact, an_impact_is_not_deeper_than_a_quarter_of_a_spacing)
{
    for (const SolidOptions& options : both_solvers()) {
        Solids solid({Box<3>{Vec<3>(0, 0, 0), Vec<3>(1, 1, 0.5)},
                      Box<3>{Vec<3>(0.13, 0.07, 0.6), Vec<3>(0.83, 0.77, 1.1)}},
                     0.1, soft(), options);
        solid.surroundings = solid_support::floor_below(0.0);
        for (std::size_t i = solid.model.first_of_part[1]; i < solid.model.size(); ++i)
            solid.state.velocity[i] = Vec<3>(0, 0, -5);
        double deepest = 0.0;
        while (solid.surroundings.time < 0.5) {
            const SolidStepReport report = solid.step(stable_step(solid));
            ASSERT_FALSE(report.lost);
            deepest = std::max(deepest, report.largest_penetration);
        }
        EXPECT_GT(deepest, 0.0);
        EXPECT_LT(deepest, 0.25);
        // Nothing of the upper one has got through the lower one.
        for (std::size_t i = solid.model.first_of_part[1]; i < solid.model.size(); ++i)
            EXPECT_GT(solid.state.position[i][2], 0.05);
    }
}

/// How far a block slides on a floor within a second, at first with 2 m/s.
double way_on_floor(const SolidOptions& options, double friction)
{
    Solids solid({Box<3>{Vec<3>(0, 0, 0), Vec<3>(0.5, 0.5, 0.25)}}, 0.1,
                 {.youngs_modulus = 1e6, .poisson_ratio = 0.3, .friction = friction}, options);
    solid.surroundings = solid_support::floor_below(0.0);
    const double start = solid.center()[0];
    for (Vec<3>& v : solid.state.velocity) v = Vec<3>(2, 0, 0);
    const double dt = std::min(0.002, solid.solver.stable_time_step(solid.state));
    while (solid.surroundings.time < 1.0) EXPECT_FALSE(solid.step(dt).lost);
    return solid.center()[0] - start;
}

TEST(SolidContact, friction_stops_a_block_after_v_squared_over_two_mu_g)
{
    for (const SolidOptions& options : both_solvers()) {
        EXPECT_NEAR(way_on_floor(options, 0.0), 2.0, 0.02);
        EXPECT_NEAR(way_on_floor(options, 0.5), 4.0 / (2.0 * 0.5 * 9.81), 0.04);
    }
}

TEST(SolidContact, a_belt_takes_along_what_lies_on_it)
{
    for (const SolidOptions& options : both_solvers()) {
        Solids solid({Box<3>{Vec<3>(0, 0, 0), Vec<3>(0.5, 0.5, 0.25)}}, 0.1, soft(0.0), options);
        solid.surroundings = solid_support::floor_below(0.0);
        solid.surroundings.domain.surface = {.friction = 0.5, .velocity = Vec<3>(1, 0, 7)};
        while (solid.surroundings.time < 1.0) (void)solid.step(stable_step(solid));
        Vec<3> mean = Vec<3>::Zero();
        for (const Vec<3>& v : solid.state.velocity) mean += v / static_cast<double>(solid.state.size());
        EXPECT_NEAR(mean[0], 1.0, 0.1);
        EXPECT_NEAR(mean[2], 0.0, 0.05) << "only the part along the floor counts";
    }
}

TEST(SolidContact, a_block_does_not_creep_down_a_slope_that_it_sticks_to)
{
    Solids solid({Box<3>{Vec<3>(0, 0, 0), Vec<3>(0.5, 0.5, 0.3)}}, 0.1,
                 {.youngs_modulus = 1e6, .poisson_ratio = 0.3, .damping = 10.0, .friction = 0.3},
                 LeapfrogOptions{});
    solid.surroundings = solid_support::floor_below(0.0);
    solid.surroundings.gravity = 9.81 * Vec<3>(0.2, 0, -1); // tan of the slope, below the coefficient
    const double dt = std::min(0.002, solid.solver.stable_time_step(solid.state));
    while (solid.surroundings.time < 0.5) EXPECT_FALSE(solid.step(dt).lost);
    const double settled = solid.center()[0];
    while (solid.surroundings.time < 1.0) EXPECT_FALSE(solid.step(dt).lost);
    EXPECT_NEAR(solid.center()[0], settled, 0.5 * 1e-4); // of 1e-4 m/s
}

TEST(SolidContact, contacts_between_solids_neither_push_nor_turn_the_pair)
{
    Solids solid({Box<3>{Vec<3>(0, 0, 0), Vec<3>(0.5, 0.5, 0.5)},
                  Box<3>{Vec<3>(0.52, 0.1, 0.1), Vec<3>(1.0, 0.6, 0.6)}},
                 0.1, soft(), LeapfrogOptions{});
    for (std::size_t i = 0; i < solid.model.size(); ++i)
        solid.state.velocity[i] = Vec<3>(solid.model.part[i] == 0 ? 3.0 : -3.0, 0, 0);
    const auto momentum = [&] {
        Vec<3> sum = Vec<3>::Zero();
        for (std::size_t i = 0; i < solid.model.size(); ++i)
            sum += solid.model.mass[i] * solid.state.velocity[i];
        return sum;
    };
    const Vec<3> before = momentum();
    SolidMaterial undamped = soft();
    undamped.damping = 0.0;
    for (std::size_t part : {0u, 1u}) solid.model.set_material(part, undamped, 0.1);
    std::size_t most = 0;
    while (solid.surroundings.time < 0.2) most = std::max(most, solid.step(5e-4).contacts);
    EXPECT_GT(most, 4u);
    EXPECT_LT((momentum() - before).norm(), 1e-9 * 3.0 * 125.0);
}

TEST(SolidContact, a_solid_that_is_folded_meets_itself)
{
    // A strip bent over by its end, which is moved onto the other end.
    const Box<3> box{Vec<3>(0, 0, 0), Vec<3>(2, 0.3, 0.2)};
    const PhyxelCloud<3> strip = box_of_phyxels(box, 0.1);
    const std::vector<MotionKey<3>> keys = {{0.0, Vec<3>::Zero(), Vec<3>::Zero()},
                                            {1.0, Vec<3>(-1.6, 0, 0.25), Vec<3>(0, -3.14159, 0)}};
    Solids solid({box}, 0.1, soft(), LeapfrogOptions{},
                 {{"held", solid_support::phyxels_where(strip, [](const Vec<3>& X) { return X[0] < 0.2; }),
                   PrescribedMotion<3>{}},
                  {"folded", solid_support::phyxels_where(strip, [](const Vec<3>& X) { return X[0] > 1.8; }),
                   PrescribedMotion<3>{Motion<3>(keys, Interpolation::Smooth, Vec<3>(1.9, 0.15, 0.1))}}});
    const double dt = 0.5 * solid.solver.stable_time_step(solid.state);
    std::size_t most = 0;
    while (solid.surroundings.time < 1.0) {
        const SolidStepReport report = solid.step(dt);
        ASSERT_FALSE(report.lost);
        most = std::max(most, report.contacts);
    }
    EXPECT_GT(most, 3u);
}

} // namespace
} // namespace phyxel::solid_contact_test
