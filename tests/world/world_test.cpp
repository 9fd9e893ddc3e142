// SPDX-License-Identifier: MIT
#include "world_support.h"

#include <phyxel/core/parallel_for.h>

#include <gtest/gtest.h>

#include <algorithm>

namespace phyxel {
namespace {

TEST(Clock, last_frame_is_within_the_duration_however_the_product_rounds)
{
    EXPECT_EQ((ClockOptions{.duration = 2.0, .frame_rate = 30.0}).last_frame(), 60u);
    EXPECT_EQ((ClockOptions{.duration = 0.1, .frame_rate = 30.0}).last_frame(), 3u);
    EXPECT_EQ((ClockOptions{.duration = 0.7, .frame_rate = 10.0}).last_frame(), 7u);
    EXPECT_EQ((ClockOptions{.duration = 0.99, .frame_rate = 1.0}).last_frame(), 0u);
}

template <class T>
class Worlds : public testing::Test {
};
using Dimensions = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(Worlds, Dimensions);

TYPED_TEST(Worlds, frames_are_hit_exactly)
{
    constexpr int Dim = TypeParam::value;
    auto world = test_world<Dim>(test_tank<Dim>(0.4), {test_block<Dim>("water", 6)});
    for (std::uint64_t frame = 1; frame <= 5; ++frame) {
        ASSERT_TRUE(world->advance_frame());
        EXPECT_EQ(world->frame(), frame);
        EXPECT_EQ(world->time(), static_cast<double>(frame) / 50.0);
        EXPECT_GT(world->report().steps, 0u);
        // No tiny step at the end of a frame.
        EXPECT_GT(world->report().shortest_step, 0.4 * world->report().longest_step);
    }
}

TYPED_TEST(Worlds, fixed_steps_are_all_alike)
{
    constexpr int Dim = TypeParam::value;
    auto options = test_tank<Dim>(0.4);
    options.clock.fixed_step = 1e-4;
    auto world = test_world<Dim>(options, {test_block<Dim>("water", 4)});
    ASSERT_TRUE(world->advance_frame());
    EXPECT_EQ(world->report().steps, 200u);
    EXPECT_NEAR(world->report().shortest_step, 1e-4, 1e-12);
}

TYPED_TEST(Worlds, events_happen_at_their_time_and_again_after_loading)
{
    constexpr int Dim = TypeParam::value;
    const auto make = [] {
        auto options = test_tank<Dim>(0.4);
        options.domain.bounded = false;
        GravityFormula<Dim> up;
        up[Dim - 1] = Formula(9.81);
        // At 0.03 s, in the middle of the second frame.
        options.events.push_back({0.03, [up](World<Dim>& world) { world.set_gravity(up); }});
        return test_world<Dim>(options, {test_block<Dim>("water", 3)});
    };
    auto world = make();
    for (int frame = 0; frame < 3; ++frame) ASSERT_TRUE(world->advance_frame());
    // Half of the time down, half of it up: at rest again.
    EXPECT_NEAR(world->totals()[0].momentum.norm(), 0.0, 1e-9 * world->totals()[0].mass);

    CheckpointWriter writer;
    world->save(writer);
    const std::vector<std::byte> bytes = writer.encode();
    Buffer<std::byte> content(bytes.size());
    std::copy(bytes.begin(), bytes.end(), content.data());
    auto resumed = make();
    resumed->load(CheckpointReader(std::move(content), "memory"));
    ASSERT_TRUE(world->advance_frame());
    ASSERT_TRUE(resumed->advance_frame());
    EXPECT_EQ(resumed->state_hash(), world->state_hash());
    EXPECT_GT(resumed->totals()[0].momentum[Dim - 1], 0.0);
}

TYPED_TEST(Worlds, state_is_the_same_on_any_number_of_threads_and_however_often_it_is_paused)
{
    constexpr int Dim = TypeParam::value;
    const auto run = [](int threads, bool pause) {
        const ThreadLimit limit(threads);
        auto world = test_world<Dim>(test_tank<Dim>(0.5), {test_block<Dim>("water", Dim == 2 ? 15 : 8)});
        while (world->frame() < 2) (void)world->advance_frame([&] { return pause; });
        return world->state_hash();
    };
    const std::uint64_t expected = run(1, false);
    EXPECT_EQ(run(1, true), expected);
    for (int threads : {2, 3, 7}) EXPECT_EQ(run(threads, false), expected) << threads;
}

TYPED_TEST(Worlds, parts_meet_each_other)
{
    constexpr int Dim = TypeParam::value;
    auto options = test_tank<Dim>(4 * test_spacing);
    options.domain.box.max[Dim - 1] = 1.0;
    auto above = test_block<Dim>("above", 4, Vec<Dim>::Unit(Dim - 1) * 4 * test_spacing);
    auto world = test_world<Dim>(options, {test_block<Dim>("below", 4), above});
    EXPECT_EQ(world->part_names(), (std::vector<std::string>{"below", "above"}));
    for (int frame = 0; frame < 5; ++frame) ASSERT_TRUE(world->advance_frame());
    // Carried by what is below it, the upper part does not fall.
    const auto totals = world->totals();
    EXPECT_NEAR(totals[1].center[Dim - 1], 6 * test_spacing, 0.2 * test_spacing);
    const auto snapshots = world->snapshots({});
    ASSERT_EQ(snapshots.size(), 2u);
    EXPECT_EQ(snapshots[0].body, "below");
    const auto& ids = std::get<std::vector<std::uint64_t>>(snapshots[1].find("id")->values);
    EXPECT_TRUE(std::is_sorted(ids.begin(), ids.end()));
    EXPECT_EQ(ids.front(), snapshots[0].points.size());
}

TYPED_TEST(Worlds, obstacles_move_and_push)
{
    constexpr int Dim = TypeParam::value;
    auto options = test_tank<Dim>(0.5);
    Box<Dim> paddle{Vec<Dim>::Zero(), Vec<Dim>::Constant(0.4)};
    paddle.min[0] = 0.2;
    paddle.max[0] = 0.3;
    typename Motion<Dim>::Function move = [](double t) {
        Displacement<Dim> d;
        d.move[0] = -t;
        return d;
    };
    options.obstacles.push_back({"paddle", Shape<Dim>(paddle), Motion<Dim>(move)});
    options.probes.push_back({"push", ObstacleProbe{"paddle"}, "force", ProbeTimes::Step});
    auto world = test_world<Dim>(options, {test_block<Dim>("water", 8)});
    for (int frame = 0; frame < 4; ++frame) ASSERT_TRUE(world->advance_frame()) << to_text(*world->failure());
    EXPECT_LT(world->totals()[0].bounds.max[0], 0.2 - 0.08 - 0.49 * test_spacing);
    double largest = 0.0;
    for (const ProbeRow& row : world->take_probe_rows()) largest = std::max(largest, row.values[0].value());
    EXPECT_GT(largest, 0.0); // the water pushes back, towards +x
}

TYPED_TEST(Worlds, probes_sample_when_they_should)
{
    constexpr int Dim = TypeParam::value;
    auto options = test_tank<Dim>(0.5);
    options.gravity = {};
    const Vec<Dim> middle = Vec<Dim>::Constant(0.1);
    options.probes.push_back({"rho", PointProbe<Dim>{middle}, "density"});
    options.probes.push_back(
        {"v", PointProbe<Dim>{middle, "water"}, "velocity", ProbeTimes::Interval, 0.008});
    options.probes.push_back({"profile", LineProbe<Dim>{Vec<Dim>::Zero(), middle, 3}, "pressure"});
    options.probes.push_back({"box", BodyProbe{"water"}, "bounds", ProbeTimes::Step});
    auto world = test_world<Dim>(options, {test_block<Dim>("water", 10)});
    const std::size_t width = 1 + Dim + 3 + 2 * Dim;
    ASSERT_EQ(world->probe_columns().size(), width);
    EXPECT_EQ(world->probe_columns()[0], "rho");
    EXPECT_EQ(world->probe_columns()[1], "v.x");
    EXPECT_EQ(world->probe_columns()[1 + Dim], "profile[0]");
    EXPECT_EQ(world->probe_columns()[4 + Dim], "box.min.x");
    ASSERT_TRUE(world->advance_frame());
    const std::vector<ProbeRow> rows = world->take_probe_rows();
    EXPECT_EQ(rows.size(), world->step_count() + 1);
    EXPECT_EQ(rows.front().time, 0.0);
    EXPECT_NEAR(rows.front().values[0].value(), 1000.0, 5.0);
    int density_samples = 0;
    std::vector<double> times;
    for (const ProbeRow& row : rows) {
        density_samples += row.values[0].has_value();
        if (row.values[1]) times.push_back(row.time);
        EXPECT_TRUE(row.values[4 + Dim].has_value());
    }
    EXPECT_EQ(density_samples, 2);
    EXPECT_EQ(times, (std::vector<double>{0.0, 0.008, 0.016}));
}

TYPED_TEST(Worlds, flow_through_a_plane_is_area_times_speed)
{
    constexpr int Dim = TypeParam::value;
    auto options = test_tank<Dim>(10.0);
    options.gravity = {};
    options.domain.bounded = false;
    auto block = test_block<Dim>("water", 12);
    for (auto& v : block.velocities) v = 0.5 * Vec<Dim>::Unit(0);
    options.probes.push_back(
        {"q", PlaneProbe<Dim>{Vec<Dim>::Constant(6.2 * test_spacing), Vec<Dim>::Unit(0)}, "flow"});
    auto world = test_world<Dim>(options, {block});
    const double expected = 0.5 * std::pow(12 * test_spacing, Dim - 1);
    EXPECT_NEAR(world->take_probe_rows()[0].values[0].value(), expected, 0.02 * expected);
}

TYPED_TEST(Worlds, probes_see_through_periodic_sides)
{
    constexpr int Dim = TypeParam::value;
    const double length = 8 * test_spacing;
    auto options = test_tank<Dim>(length);
    options.gravity = {};
    options.clock.duration = 0.2;
    for (auto& axis : options.domain.sides) axis = {DomainSide::Periodic, DomainSide::Periodic};
    auto block = test_block<Dim>("water", 8);
    for (auto& v : block.velocities) v = 2.0 * Vec<Dim>::Unit(0);
    options.probes.push_back({"flow", PlaneProbe<Dim>{Vec<Dim>::Zero(), Vec<Dim>::Unit(0)}, "flow"});
    options.probes.push_back({"cork", PointProbe<Dim>{Vec<Dim>::Constant(0.1), "water"}, "displacement"});
    auto world = test_world<Dim>(options, {block});
    const double flow = 2.0 * std::pow(length, Dim - 1);
    for (int frame = 1; frame <= 10; ++frame) { // twice around
        ASSERT_TRUE(world->advance_frame());
        if (frame == 7) { // and across a checkpoint
            CheckpointWriter checkpoint;
            world->save(checkpoint);
            static_cast<void>(world->take_probe_rows());
            world = test_world<Dim>(options, {block});
            static_cast<void>(world->take_probe_rows());
            const std::vector<std::byte> bytes = checkpoint.encode();
            Buffer<std::byte> content(bytes.size());
            std::copy(bytes.begin(), bytes.end(), content.data());
            world->load(CheckpointReader(std::move(content), "memory"));
            continue;
        }
        const ProbeRow row = world->take_probe_rows().back();
        EXPECT_NEAR(row.values[0].value(), flow, 0.02 * flow);
        EXPECT_NEAR(row.values[1].value(), 0.04 * frame, 1e-4);
    }
}

TYPED_TEST(Worlds, a_close_up_shows_the_neighbours_within_the_support)
{
    constexpr int Dim = TypeParam::value;
    WorldOptions<Dim> options = test_tank<Dim>(5 * test_spacing);
    options.domain.sides[0] = {DomainSide::Periodic, DomainSide::Periodic};
    const auto world = test_world<Dim>(options, {test_block<Dim>("water", 5)});
    ASSERT_EQ(world->body_count(), 1u);
    const auto corner = close_up_of(world->body(0), 0, world->surroundings());
    ASSERT_TRUE(corner);
    EXPECT_EQ(corner->position, Vec<Dim>::Constant(0.5 * test_spacing));
    EXPECT_FALSE(corner->rest_position);
    EXPECT_DOUBLE_EQ(corner->support_radius, WcsphOptions{}.support_ratio * test_spacing);
    const auto has = [&](std::uint64_t id) {
        return std::binary_search(corner->neighbors.begin(), corner->neighbors.end(), id);
    };
    EXPECT_TRUE(has(1) && has(5));
    EXPECT_TRUE(has(4)); // through the periodic side
    EXPECT_FALSE(has(0) || has(20) || has(3 * 5 + 2));
    EXPECT_FALSE(close_up_of(world->body(0), 1000, world->surroundings()));
}

TYPED_TEST(Worlds, a_step_that_is_far_too_large_fails_with_body_time_and_cause)
{
    constexpr int Dim = TypeParam::value;
    auto options = test_tank<Dim>(0.3);
    options.clock.fixed_step = 0.02;
    auto block = test_block<Dim>("water", 6);
    for (auto& x : block.positions) x *= 0.8; // compressed at the start
    auto world = test_world<Dim>(options, {block});
    for (int frame = 0; frame < 50 && !world->failure(); ++frame) (void)world->advance_frame();
    ASSERT_TRUE(world->failure());
    EXPECT_EQ(world->failure()->body, "water");
    EXPECT_TRUE(world->failure()->particle.has_value());
    EXPECT_GT(world->failure()->time, 0.0);
    EXPECT_NE(to_text(*world->failure()).find("leave out \"time_step\""), std::string::npos)
        << to_text(*world->failure());
    EXPECT_FALSE(world->advance_frame()); // and stays failed
}

} // namespace
} // namespace phyxel
