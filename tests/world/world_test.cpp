// SPDX-License-Identifier: MIT
#include "world_support.h"

#include <phyxel/core/parallel_for.h>

#include <gtest/gtest.h>

#include <algorithm>

namespace phyxel::world_test {
namespace {

TEST(Statistics, the_largest_speed_is_that_of_all_steps_of_a_frame)
{
    WorldOptions<2> options = test_tank<2>(1.0);
    // Thrown up, it stands still at the end of the first frame.
    FluidPart<2> block = test_block<2>("water", 4, Vec<2>(0.5, 0.5));
    const double speed = 9.81 / options.clock.frame_rate;
    for (Vec<2>& v : block.velocities) v = Vec<2>(0, speed);
    auto world = test_world<2>(options, {block}, DfsphOptions{.max_speed = 1.0});
    EXPECT_EQ(world->report().statistics.max_speed, 0.0) << "no step was made";
    ASSERT_TRUE(world->advance_frame());
    ASSERT_LT(world->report().longest_step, 0.5 / options.clock.frame_rate);
    EXPECT_NEAR(world->report().statistics.max_speed, speed - 9.81 * world->report().longest_step,
                0.02 * speed);
    ASSERT_TRUE(world->advance_frame());
    EXPECT_NEAR(world->report().statistics.max_speed, speed, 0.02 * speed);
}

TEST(Statistics, later_ones_are_saved_by_their_names_and_are_in_no_hash)
{
    auto world = test_world<2>(test_tank<2>(1.0), {test_block<2>("water", 4, Vec<2>(0.5, 0.5))});
    ASSERT_TRUE(world->advance_frame());
    const std::uint64_t hash = world->state_hash();
    const double speed = world->report().statistics.max_speed;
    ASSERT_GT(speed, 0.0);
    world->load(forged_checkpoint(*world, "world/report/max_speed", 2.0 * speed));
    EXPECT_EQ(world->report().statistics.max_speed, 2.0 * speed);
    EXPECT_EQ(world->state_hash(), hash);
}

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

/// A world that has been saved and loaded into another.
template <int Dim>
void copy_state(const World<Dim>& from, World<Dim>& to)
{
    CheckpointWriter writer;
    from.save(writer);
    const std::vector<std::byte> bytes = writer.encode();
    Buffer<std::byte> content(bytes.size());
    std::copy(bytes.begin(), bytes.end(), content.data());
    to.load(CheckpointReader(std::move(content), "memory"));
}

template <int Dim>
Event<Dim> obstacle_event(double time, const ObstacleChange<Dim>& change)
{
    Event<Dim> event;
    event.time = time;
    event.obstacles = {change};
    return event;
}

TYPED_TEST(Worlds, events_stop_obstacles_move_them_on_and_take_them_away)
{
    constexpr int Dim = TypeParam::value;
    const auto moving_at = [](double speed) {
        return Motion<Dim>([speed](double t) {
            Displacement<Dim> d;
            d.move[0] = speed * t;
            return d;
        });
    };
    const auto make = [&] {
        auto options = test_tank<Dim>(0.5);
        Box<Dim> paddle{Vec<Dim>::Zero(), Vec<Dim>::Constant(0.4)};
        paddle.min[0] = 0.2;
        paddle.max[0] = 0.3;
        options.obstacles.push_back({"paddle", Shape<Dim>(paddle), moving_at(-1.0)});
        options.probes.push_back({"push", ObstacleProbe{"paddle"}, "force", ProbeTimes::Frame});
        // Within the first frame, at its end, and at the end of the fourth.
        ObstacleChange<Dim> hold{"paddle"}, go_back{"paddle"}, remove{"paddle"};
        hold.motion = [](const auto&) { return Motion<TypeParam::value>(); };
        go_back.motion = [moving_at](const auto& center) {
            EXPECT_NEAR(center[0], 0.24, 1e-12);
            return moving_at(0.5);
        };
        go_back.surface = WallSurface<Dim>{.no_slip = true};
        remove.is_removed = true;
        options.events = {obstacle_event(0.01, hold), obstacle_event(0.02, go_back),
                          obstacle_event(0.08, remove)};
        return test_world<Dim>(options, {test_block<Dim>("water", 8)});
    };
    auto world = make();
    const auto place = [](const World<Dim>& one) {
        return one.surroundings().obstacles[0].pose.translation[0];
    };
    for (std::uint64_t frame = 1; frame <= 5; ++frame) {
        ASSERT_TRUE(world->advance_frame());
        const double t = world->time();
        EXPECT_NEAR(place(*world), -0.01 + 0.5 * (t - 0.02), 1e-12) << frame;
        EXPECT_EQ(world->surroundings().obstacles[0].surface.no_slip, true);
        EXPECT_EQ(world->surroundings().obstacles[0].is_there, frame < 4);
        EXPECT_NEAR(world->surroundings().obstacles[0].velocity.linear[0], 0.5, 1e-9);
        // The same from a checkpoint, which knows nothing of obstacles.
        auto resumed = make();
        copy_state(*world, *resumed);
        EXPECT_EQ(place(*resumed), place(*world));
        EXPECT_EQ(resumed->surroundings().obstacles[0].is_there, frame < 4);
        auto further = make();
        copy_state(*world, *further);
        ASSERT_TRUE(resumed->advance_frame());
        ASSERT_TRUE(further->advance_frame());
        EXPECT_EQ(resumed->state_hash(), further->state_hash());
        if (frame == 5) break;
        auto ahead = make();
        while (ahead->frame() < frame + 1) ASSERT_TRUE(ahead->advance_frame());
        EXPECT_EQ(resumed->state_hash(), ahead->state_hash());
    }
    const std::vector<ProbeRow> rows = world->take_probe_rows();
    ASSERT_EQ(rows.size(), 6u);
    EXPECT_TRUE(rows[3].values[0]);
    EXPECT_FALSE(rows[4].values[0]) << "nothing is known of what is gone";
    // Known before it happens, for those who draw a run.
    const auto unborn = make();
    EXPECT_EQ(unborn->course(0).size(), 4u);
    EXPECT_NEAR(span_at<Dim>(unborn->course(0), 0.015).motion.pose(0.015).translation[0], -0.01, 1e-12);
    EXPECT_NEAR(span_at<Dim>(unborn->course(0), 0.06).motion.pose(0.06).translation[0], 0.01, 1e-12);
    EXPECT_FALSE(span_at<Dim>(unborn->course(0), 0.08).is_there);
}

TYPED_TEST(Worlds, an_obstacle_that_is_taken_away_lets_fluid_through)
{
    constexpr int Dim = TypeParam::value;
    const auto front = [](bool is_removed) {
        auto options = test_tank<Dim>(0.5);
        Box<Dim> gate{Vec<Dim>::Zero(), Vec<Dim>::Constant(0.4)};
        gate.min[0] = 8 * test_spacing;
        gate.max[0] = 8 * test_spacing + 0.1;
        options.obstacles.push_back({"gate", Shape<Dim>(gate)});
        ObstacleChange<Dim> remove{"gate"};
        remove.is_removed = true;
        if (is_removed) options.events = {obstacle_event(0.02, remove)};
        auto world = test_world<Dim>(options, {test_block<Dim>("water", 8)});
        while (world->frame() < 5) EXPECT_TRUE(world->advance_frame());
        return world->totals()[0].bounds.max[0];
    };
    EXPECT_LT(front(false), 8 * test_spacing);
    EXPECT_GT(front(true), 9 * test_spacing);
}

TYPED_TEST(Worlds, a_fluid_that_leaves_is_gone_and_comes_back_from_no_checkpoint)
{
    constexpr int Dim = TypeParam::value;
    const auto make = [](bool leaves) {
        auto options = test_tank<Dim>(8 * test_spacing);
        options.probes.push_back(
            {"tip", PointProbe<Dim>{Vec<Dim>::Zero(), "b"}, "position", ProbeTimes::Frame});
        options.probes.push_back({"all", BodyProbe{"b"}, "volume", ProbeTimes::Frame});
        Event<Dim> leaving;
        leaving.time = 0.03;
        leaving.apply = [](auto& world) { world.body(0).leave("b"); };
        leaving.rank = EventRank::Leave;
        if (leaves) options.events = {leaving};
        return test_world<Dim>(options, {test_block<Dim>("a", 4),
                                         test_block<Dim>("b", 4, 4 * test_spacing * Vec<Dim>::Unit(0))});
    };
    auto world = make(true);
    ASSERT_TRUE(world->advance_frame());
    const std::size_t before = world->particle_count();
    ASSERT_TRUE(world->advance_frame());
    EXPECT_EQ(world->particle_count(), before / 2);
    EXPECT_EQ(world->part_names(), (std::vector<std::string>{"a", "b"}));
    EXPECT_TRUE(world->snapshots({})[1].points.empty());
    EXPECT_EQ(world->snapshots({})[0].points.size(), before / 2);
    const std::vector<ProbeRow> rows = world->take_probe_rows();
    ASSERT_EQ(rows.size(), 3u);
    EXPECT_TRUE(rows[1].values.front() && rows[1].values.back());
    EXPECT_FALSE(rows[2].values.front() || rows[2].values.back());
    auto resumed = make(true);
    copy_state(*world, *resumed);
    ASSERT_TRUE(world->advance_frame());
    ASSERT_TRUE(resumed->advance_frame());
    EXPECT_EQ(resumed->state_hash(), world->state_hash());
    // What is left spreads into the room.
    auto both = make(false);
    while (both->frame() < 5) ASSERT_TRUE(both->advance_frame());
    while (world->frame() < 5) ASSERT_TRUE(world->advance_frame());
    EXPECT_GT(world->totals()[0].bounds.max[0], both->totals()[0].bounds.max[0] + 0.3 * test_spacing);
}

TYPED_TEST(Worlds, of_one_time_some_leave_before_others_join_and_the_rest_happens)
{
    constexpr int Dim = TypeParam::value;
    std::string order;
    auto options = test_tank<Dim>(0.5);
    for (const auto& [letter, rank] : std::vector<std::pair<char, EventRank>>{{'c', EventRank::Change},
                                                                              {'j', EventRank::Join},
                                                                              {'l', EventRank::Leave},
                                                                              {'d', EventRank::Change}}) {
        Event<Dim>& event = options.events.emplace_back();
        event.time = 0.01;
        event.apply = [&order, letter = letter](auto&) { order += letter; };
        event.rank = rank;
    }
    auto world = test_world<Dim>(options, {test_block<Dim>("water", 2)});
    ASSERT_TRUE(world->advance_frame());
    EXPECT_EQ(order, "ljcd");
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
} // namespace phyxel::world_test
