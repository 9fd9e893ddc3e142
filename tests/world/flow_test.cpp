// SPDX-License-Identifier: MIT
// Fluid that comes and goes: emitters and outflows.
#include "world/world_support.h"

#include <phyxel/core/parallel_for.h>
#include <phyxel/geometry/primitives.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <type_traits>

namespace phyxel::flow_test {
namespace {

template <int D>
using Dimension = std::integral_constant<int, D>;
using Dimensions = testing::Types<Dimension<2>, Dimension<3>>;
template <class T>
class Flows : public testing::Test {
};
TYPED_TEST_SUITE(Flows, Dimensions);

constexpr double speed = 1.5;

/// Downwards, near the top of a tank of half a metre.
template <int Dim>
FluidFlows<Dim> tap()
{
    Vec<Dim> top = Vec<Dim>::Constant(0.25);
    top[Dim - 1] = 0.48;
    Vec<Dim> mouth = top;
    mouth[Dim - 1] = 0.4;
    FluidFlows<Dim> flows;
    flows.emitters.push_back({.name = "tap",
                              .shape = Cylinder<Dim>{.from = top, .to = mouth, .radius = 0.05},
                              .velocity = -speed * Vec<Dim>::Unit(Dim - 1)});
    return flows;
}

/// The lower eighth of the tank.
template <int Dim>
Outflow<Dim> drain()
{
    Box<Dim> box{Vec<Dim>::Zero(), Vec<Dim>::Constant(0.5)};
    box.max[Dim - 1] = 0.06;
    return {"drain", box};
}

template <int Dim>
std::unique_ptr<World<Dim>> flow_world(FluidFlows<Dim> flows, const FluidOptions& solver, int block = 0)
{
    auto options = test_tank<Dim>(0.5);
    options.clock.duration = 1.0;
    std::vector<FluidPart<Dim>> parts = {test_block<Dim>("water", block)};
    std::vector<std::unique_ptr<Body<Dim>>> bodies;
    bodies.push_back(std::make_unique<FluidBody<Dim>>(1000.0, solver, std::move(parts), std::move(flows)));
    return std::make_unique<World<Dim>>(std::move(options), std::move(bodies));
}

const std::vector<FluidOptions>& solvers()
{
    static const std::vector<FluidOptions> both = {DfsphOptions{.max_speed = 4.0},
                                                   WcsphOptions{.max_speed = 4.0}};
    return both;
}

template <int Dim>
const FluidBody<Dim>& fluid_of(World<Dim>& world)
{
    return dynamic_cast<const FluidBody<Dim>&>(world.body(0));
}

TYPED_TEST(Flows, a_tap_fills_an_empty_tank_at_its_rate)
{
    constexpr int Dim = TypeParam::value;
    for (const FluidOptions& solver : solvers()) {
        auto world = flow_world<Dim>(tap<Dim>(), solver);
        const double at_first = world->totals()[0].mass;
        const double rate = fluid_of(*world).emitters()[0].rate();
        EXPECT_GT(at_first, 0.0);
        for (int frame = 0; frame < 20; ++frame)
            ASSERT_TRUE(world->advance_frame()) << to_text(*world->failure());
        EXPECT_NEAR((world->totals()[0].mass - at_first) / (1000.0 * rate * world->time()), 1.0, 0.03);
    }
}

TYPED_TEST(Flows, what_is_in_the_tap_has_its_velocity_and_what_left_it_falls)
{
    constexpr int Dim = TypeParam::value;
    for (const FluidOptions& solver : solvers()) {
        auto world = flow_world<Dim>(tap<Dim>(), solver);
        for (int frame = 0; frame < 5; ++frame)
            ASSERT_TRUE(world->advance_frame()) << to_text(*world->failure());
        const FluidState<Dim>& state = fluid_of(*world).state();
        std::size_t held = 0;
        std::size_t falling = 0;
        for (std::size_t i = 0; i < state.size(); ++i) {
            const double v = state.velocity[i][Dim - 1];
            if (state.emitter[i] != 0) {
                ++held;
                EXPECT_EQ(v, -speed);
            }
            if (state.position[i][Dim - 1] < 0.3) {
                ++falling;
                EXPECT_LT(v, -speed);
            }
        }
        EXPECT_GT(held, 0u);
        EXPECT_GT(falling, 0u);
    }
}

TYPED_TEST(Flows, ids_are_never_used_twice)
{
    constexpr int Dim = TypeParam::value;
    FluidFlows<Dim> flows = tap<Dim>();
    flows.outflows.push_back(drain<Dim>());
    auto world = flow_world<Dim>(std::move(flows), DfsphOptions{.max_speed = 4.0}, 4);
    std::set<std::uint64_t> gone;
    std::set<std::uint64_t> before;
    std::uint64_t removed = 0;
    std::uint64_t emitted = 0;
    const std::size_t at_first = world->particle_count();
    for (int frame = 0; frame < 30; ++frame) {
        ASSERT_TRUE(world->advance_frame()) << to_text(*world->failure());
        const auto& ids = fluid_of(*world).state().id;
        const std::set<std::uint64_t> present(ids.begin(), ids.end());
        EXPECT_EQ(present.size(), ids.size());
        for (const std::uint64_t id : before)
            if (!present.contains(id)) gone.insert(id);
        for (const std::uint64_t id : present) EXPECT_FALSE(gone.contains(id));
        before = present;
        removed += static_cast<std::uint64_t>(world->report().statistics.removed);
        emitted += static_cast<std::uint64_t>(world->report().statistics.emitted);
    }
    EXPECT_GT(removed, 64u);
    EXPECT_EQ(world->particle_count(), at_first + emitted - removed);
}

TYPED_TEST(Flows, state_is_the_same_on_any_number_of_threads_and_after_loading)
{
    constexpr int Dim = TypeParam::value;
    const auto make = [] {
        FluidFlows<Dim> flows = tap<Dim>();
        flows.emitters[0].start = 0.015;
        flows.outflows.push_back(drain<Dim>());
        return flow_world<Dim>(std::move(flows), DfsphOptions{.max_speed = 4.0}, 4);
    };
    const auto run = [&](int threads, int load_at) {
        const ThreadLimit limit(threads);
        auto world = make();
        while (world->frame() < 14) {
            (void)world->advance_frame();
            if (static_cast<int>(world->frame()) != load_at) continue;
            CheckpointWriter writer;
            world->save(writer);
            const std::vector<std::byte> bytes = writer.encode();
            Buffer<std::byte> content(bytes.size());
            std::copy(bytes.begin(), bytes.end(), content.data());
            world = make();
            world->load(CheckpointReader(std::move(content), "memory"));
        }
        return world->state_hash();
    };
    const std::uint64_t expected = run(1, 0);
    for (const int threads : {2, 3, 7}) EXPECT_EQ(run(threads, 0), expected) << threads;
    for (const int frame : {1, 6, 12}) EXPECT_EQ(run(1, frame), expected) << frame;
}

TYPED_TEST(Flows, a_closed_tap_lets_its_water_go)
{
    constexpr int Dim = TypeParam::value;
    FluidFlows<Dim> flows = tap<Dim>();
    flows.emitters[0].stop = 0.05;
    auto world = flow_world<Dim>(std::move(flows), DfsphOptions{.max_speed = 4.0});
    for (int frame = 0; frame < 3; ++frame) ASSERT_TRUE(world->advance_frame());
    const std::size_t count = world->particle_count();
    for (int frame = 0; frame < 10; ++frame) ASSERT_TRUE(world->advance_frame());
    EXPECT_EQ(world->particle_count(), count);
    for (const std::uint16_t emitter : fluid_of(*world).state().emitter) EXPECT_EQ(emitter, 0);
    EXPECT_LT(world->totals()[0].bounds.max[Dim - 1], 0.4);
}

TYPED_TEST(Flows, a_checkpoint_of_another_scene_is_refused)
{
    constexpr int Dim = TypeParam::value;
    auto world = flow_world<Dim>(tap<Dim>(), DfsphOptions{.max_speed = 4.0});
    CheckpointWriter writer;
    world->save(writer);
    const std::vector<std::byte> bytes = writer.encode();
    Buffer<std::byte> content(bytes.size());
    std::copy(bytes.begin(), bytes.end(), content.data());
    auto other = flow_world<Dim>({}, DfsphOptions{.max_speed = 4.0}, 4);
    EXPECT_THROW(other->load(CheckpointReader(std::move(content), "memory")), InputError);
}

TYPED_TEST(Flows, a_forged_checkpoint_that_would_never_be_done_is_refused)
{
    constexpr int Dim = TypeParam::value;
    const auto make = [] {
        auto options = test_tank<Dim>(0.5);
        options.probes.push_back({"speed", BodyProbe{"water"}, "max_speed", ProbeTimes::Interval, 1e-4});
        std::vector<std::unique_ptr<Body<Dim>>> bodies;
        bodies.push_back(std::make_unique<FluidBody<Dim>>(
            1000.0, DfsphOptions{.max_speed = 4.0}, std::vector{test_block<Dim>("water", 3)}, tap<Dim>()));
        return std::make_unique<World<Dim>>(std::move(options), std::move(bodies));
    };
    auto world = make();
    ASSERT_TRUE(world->advance_frame());
    const auto is_refused = [&](const std::string& section, const auto& value) {
        auto other = make();
        try {
            other->load(forged_checkpoint(*world, section, value));
        } catch (const InputError&) {
            return true;
        }
        return false;
    };
    EXPECT_FALSE(is_refused("world/step_count", std::uint64_t(3)));
    // The tap would make water for all of this time at once, and the probe be read ten thousand times a
    // second.
    for (const double time : {1e12, -1.0, 0.03, std::nan(""), std::numeric_limits<double>::infinity()})
        EXPECT_TRUE(is_refused("world/time", time)) << time;
    for (const std::uint64_t frame : {std::uint64_t(0), std::uint64_t(2), ~std::uint64_t(0)})
        EXPECT_TRUE(is_refused("world/frame", frame)) << frame;
    for (const std::uint64_t count : {std::uint64_t(0), std::uint64_t(199), ~std::uint64_t(0)})
        EXPECT_TRUE(is_refused("world/samples_done", count)) << count;
    for (const double number : {-1.0, std::nan(""), std::numeric_limits<double>::infinity()})
        EXPECT_TRUE(is_refused("fluid/largest_acceleration", number)) << number;
}

TYPED_TEST(Flows, a_part_that_joins_takes_what_room_there_is)
{
    constexpr int Dim = TypeParam::value;
    for (const FluidOptions& solver : solvers()) {
        auto world = flow_world<Dim>({}, solver, 6);
        auto& fluid = dynamic_cast<FluidBody<Dim>&>(world->body(0));
        const std::size_t before = fluid.particle_count();
        FluidPart<Dim> same = test_block<Dim>("same", 6), above = test_block<Dim>("above", 6);
        for (Vec<Dim>& x : above.positions) x[Dim - 1] += 5.0 * above.spacing; // one layer is where water is
        above.velocities.assign(above.positions.size(), Vec<Dim>::Unit(0));
        fluid.expect(same);
        fluid.expect(above);
        EXPECT_EQ(fluid.parts(), (std::vector<std::string>{"water", "same", "above"}));
        EXPECT_EQ(fluid.particle_count(), before);
        fluid.join("same", world->surroundings());
        EXPECT_EQ(fluid.particle_count(), before);
        fluid.join("above", world->surroundings());
        EXPECT_EQ(fluid.particle_count(), before + before / 6 * 5);
        fluid.join("above", world->surroundings()); // is there
        EXPECT_EQ(fluid.particle_count(), before + before / 6 * 5);
        for (std::size_t i = before; i < fluid.particle_count(); ++i) {
            EXPECT_EQ(fluid.state().velocity[i], Vec<Dim>::Unit(0).eval());
            EXPECT_EQ(fluid.state().part[i], 2u);
        }
        ASSERT_TRUE(world->advance_frame());
        const std::set<std::uint64_t> ids(fluid.state().id.begin(), fluid.state().id.end());
        EXPECT_EQ(ids.size(), fluid.particle_count());
    }
}

TYPED_TEST(Flows, an_emitter_that_stays_goes_on_and_one_that_goes_lets_go)
{
    constexpr int Dim = TypeParam::value;
    const auto make = [](const char* source, double shift) {
        EmitterOptions<Dim> options = tap<Dim>().emitters.front();
        options.source = source;
        options.shape = Sphere<Dim>{.center = (0.25 + shift) * Vec<Dim>::Ones(), .radius = 0.06};
        return options;
    };
    FluidFlows<Dim> flows;
    flows.emitters.push_back(make("a", 0.0));
    auto undisturbed = flow_world<Dim>(flows, solvers().front());
    auto world = flow_world<Dim>(flows, solvers().front());
    auto& fluid = dynamic_cast<FluidBody<Dim>&>(world->body(0));
    const FluidPartModel& part = fluid.model().parts.front();
    const auto emitter = [&](const char* source, double shift) {
        return Emitter<Dim>(make(source, shift), part.spacing, part.particle_mass / 1000.0);
    };
    for (int frame = 0; frame < 4; ++frame) {
        ASSERT_TRUE(undisturbed->advance_frame());
        ASSERT_TRUE(world->advance_frame());
        fluid.set_emitters(std::vector{emitter("a", 0.0)}); // the same: nothing changes
        EXPECT_EQ(world->state_hash(), undisturbed->state_hash());
    }
    fluid.set_emitters(std::vector{emitter("b", 0.15)});
    for (const std::uint16_t number : fluid.state().emitter) EXPECT_EQ(number, 0);
    fluid.set_emitters({});
    EXPECT_FALSE(fluid.state().has_emitters());
    const std::size_t count = fluid.particle_count();
    ASSERT_TRUE(world->advance_frame());
    EXPECT_EQ(fluid.particle_count(), count);
}

} // namespace
} // namespace phyxel::flow_test
