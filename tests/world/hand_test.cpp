// SPDX-License-Identifier: MIT
#include "world_support.h"

#include <phyxel/core/parallel_for.h>
#include <phyxel/kinds/solid/solid_body.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace phyxel::hand_test {
namespace {

constexpr double block_size = 0.2;

/// A block of jelly that floats without gravity.
std::unique_ptr<World<3>> floating_block(const SolidOptions& solver, std::vector<Hand<3>> hands)
{
    std::vector<SolidPart<3>> parts(1);
    parts[0].name = "block";
    parts[0].phyxels = make_phyxels<3>(Shape<3>(Box<3>{Vec<3>::Zero(), Vec<3>::Constant(block_size)}), 0.04);
    parts[0].velocities.assign(parts[0].phyxels.size(), Vec<3>::Zero());
    parts[0].material = {.youngs_modulus = 5e4, .poisson_ratio = 0.3};
    WorldOptions<3> options;
    options.clock = {.duration = 10.0, .frame_rate = 30};
    options.hands = std::move(hands);
    std::vector<std::unique_ptr<Body<3>>> bodies;
    bodies.push_back(std::make_unique<SolidBody<3>>(solver, std::move(parts)));
    return std::make_unique<World<3>>(std::move(options), std::move(bodies));
}

Hand<3> hand_on_block(HandKind kind, const Vec<3>& at, double radius, Motion<3> motion = {})
{
    Hand<3> hand;
    hand.name = "hand";
    hand.kind = kind;
    if (kind != HandKind::Push) hand.body = "block";
    hand.at = at;
    hand.radius = radius;
    hand.motion = std::move(motion);
    return hand;
}

const std::vector<SolidOptions> dynamic_solvers = {LeapfrogOptions{}, ImplicitOptions{}};

Motion<3> linear_motion(const Vec<3>& move, double duration)
{
    return Motion<3>({{.time = 0.0}, {.time = duration, .move = move}}, Interpolation::Linear);
}

TEST(Hand, that_pulls_brings_the_body_along)
{
    const Vec<3> way(0.3, -0.1, 0.2);
    for (const SolidOptions& solver : dynamic_solvers) {
        SCOPED_TRACE(solver.index());
        auto world = floating_block(solver, {hand_on_block(HandKind::Pull, Vec<3>::Constant(0.5 * block_size),
                                                           0.08, linear_motion(way, 0.5))});
        while (world->frame() < 60) ASSERT_TRUE(world->advance_frame());
        const Vec<3> moved = world->totals()[0].center - Vec<3>::Constant(0.5 * block_size);
        EXPECT_LT((moved - way).norm(), 0.02);
    }
}

TEST(Hand, that_holds_takes_its_part_exactly_along)
{
    const Vec<3> way(0.0, 0.05, 0.1);
    for (const SolidOptions& solver : dynamic_solvers) {
        SCOPED_TRACE(solver.index());
        auto world = floating_block(
            solver, {hand_on_block(HandKind::Hold, Vec<3>::Zero(), 0.08, linear_motion(way, 0.2))});
        const std::vector<Vec<3>> before = world->snapshots({})[0].points;
        while (world->frame() < 10) ASSERT_TRUE(world->advance_frame());
        const std::vector<Vec<3>> after = world->snapshots({})[0].points;
        int held = 0;
        for (std::size_t i = 0; i < before.size(); ++i) {
            if (before[i].norm() > 0.08) continue;
            ++held;
            EXPECT_LT((after[i] - before[i] - way).norm(), 1e-12);
        }
        EXPECT_GE(held, 4);
    }
}

TEST(Hand, takes_the_nearest_phyxel_if_none_is_in_reach)
{
    auto world = floating_block(LeapfrogOptions{}, {hand_on_block(HandKind::Hold, Vec<3>(0, 0, -1), 1e-3,
                                                                  linear_motion(Vec<3>(0, 0, -0.05), 0.1))});
    const std::vector<Vec<3>> before = world->snapshots({})[0].points;
    while (world->frame() < 3) ASSERT_TRUE(world->advance_frame());
    const std::vector<Vec<3>> after = world->snapshots({})[0].points;
    double lowest = 0.0;
    for (std::size_t i = 0; i < before.size(); ++i) lowest = std::min(lowest, after[i][2] - before[i][2]);
    EXPECT_NEAR(lowest, -0.05, 1e-12);
}

TEST(Hand, that_pushes_empties_its_ball_of_fluid)
{
    const auto nearest_after = [](double strength) {
        WorldOptions<2> options = test_tank<2>(0.6);
        Hand<2>& ball = options.hands.emplace_back();
        ball.kind = HandKind::Push;
        ball.at = Vec<2>(0.2, 0.1);
        ball.radius = 0.08;
        ball.strength = strength;
        auto world = test_world<2>(options, {test_block<2>("water", 20)}, DfsphOptions{.max_speed = 2.0});
        while (world->frame() < 10) world->advance_frame();
        double nearest = 1.0;
        const std::vector<Vec<3>> points = world->snapshots({})[0].points;
        for (const Vec<3>& x : points) nearest = std::min(nearest, (x - Vec<3>(0.2, 0.1, 0)).norm());
        return nearest;
    };
    EXPECT_LT(nearest_after(1e-9), test_spacing);
    EXPECT_GT(nearest_after(400.0), 0.04);
}

TEST(Hand, has_the_same_effect_on_any_number_of_threads_and_after_a_checkpoint)
{
    const std::vector<Hand<3>> hands = {
        hand_on_block(HandKind::Pull, Vec<3>::Zero(), 0.06, linear_motion(Vec<3>(0.1, 0, 0), 0.3)),
        hand_on_block(HandKind::Push, Vec<3>::Constant(block_size), 0.1)};
    const auto hash_after = [&](World<3>& world) {
        while (world.frame() < 6) EXPECT_TRUE(world.advance_frame());
        return world.state_hash();
    };
    auto whole = floating_block(LeapfrogOptions{}, hands);
    const std::uint64_t expected = hash_after(*whole);
    for (const int threads : {1, 3}) {
        const ThreadLimit limit(threads);
        auto world = floating_block(LeapfrogOptions{}, hands);
        EXPECT_EQ(hash_after(*world), expected) << threads;
    }
    auto first = floating_block(LeapfrogOptions{}, hands);
    while (first->frame() < 3) ASSERT_TRUE(first->advance_frame());
    CheckpointWriter writer;
    first->save(writer);
    const std::vector<std::byte> bytes = writer.encode();
    Buffer<std::byte> content(bytes.size());
    std::copy(bytes.begin(), bytes.end(), content.data());
    auto second = floating_block(LeapfrogOptions{}, hands);
    second->load(CheckpointReader(std::move(content), "memory"));
    EXPECT_EQ(hash_after(*second), expected);
}

} // namespace
} // namespace phyxel::hand_test
