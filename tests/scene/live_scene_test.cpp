// SPDX-License-Identifier: MIT
#include "scene_support.h"

#include <phyxel/core/number_text.h>
#include <phyxel/core/rng.h>
#include <phyxel/kinds/standard_kinds.h>
#include <phyxel/scene/document.h>
#include <phyxel/scene/live_scene.h>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace phyxel::live_scene_test {
namespace {

const std::string jelly = R"({ "duration": 0.2, "frame_rate": 30, "spacing": 0.05,
    "domain": { "min": [-1, -1, 0], "max": [1, 1, 2] },
    "bodies": [ { "name": "cube", "type": "solid", "skin": { "detail": 0 },
                  "shape": { "box": { "min": [-0.1, -0.1, 0.3], "max": [0.1, 0.1, 0.5] } },
                  "material": "jelly" } ],
    "events": [ { "time": 0.3, "set": { "bodies.cube.material.damping": "2 1/s" } } ] })";

const std::string pool = R"({ "dimension": 2, "duration": 0.2, "frame_rate": 30, "spacing": 0.05,
    "domain": { "min": [0, 0], "max": [1, 1] },
    "bodies": [ { "name": "water", "type": "fluid",
                  "shape": { "box": { "min": [0, 0], "max": [0.5, 0.5] } } } ] })";

template <int Dim>
World<Dim>& world_of(BuiltScene& built)
{
    return *std::get<std::unique_ptr<World<Dim>>>(built.world);
}

template <int Dim>
void advance_to(World<Dim>& world, std::uint64_t frame)
{
    while (world.frame() < frame) ASSERT_TRUE(world.advance_frame());
}

Node from_text(const std::string& text) { return parse_document(text, "value"); }

/// The scene of a sitting, run from the start.
template <int Dim>
std::uint64_t hash_of_replay(const LiveScene& live, std::uint64_t frame)
{
    BuiltScene built = build(to_text(live.recorded(".")));
    advance_to(world_of<Dim>(built), frame);
    return world_of<Dim>(built).state_hash();
}

TEST(LiveScene, a_sitting_with_a_solid_can_be_run_again_to_the_same_bits)
{
    LiveScene live(parse(jelly), large_machine());
    World<3>& world = world_of<3>(live.built());
    live.set({{"gravity", from_text("[0, 0, -12]")}});
    advance_to(world, 4);
    live.set({{"hands", from_text(R"([{ "name": "grab", "type": "pull", "body": "cube", "at": [0.1, 0.1, 0.5],
        "radius": 0.06, "motion": { "interpolation": "linear", "keys": [ { "time": 0.1, "move": [0, 0, 0] },
        { "time": 0.4, "move": [0.2, 0, 0.3] } ] } }])")}});
    live.set({{"bodies.cube.material.youngs_modulus", Node(9e4)}});
    advance_to(world, 8);
    live.set(
        {{"hands", from_text(R"([{ "name": "fix", "type": "hold", "body": "cube", "at": [-0.1, -0.1, 0.3],
        "radius": 0.06 }, { "name": "ball", "type": "push", "at": [0.1, 0, 0.5], "radius": 0.1 }])")}});
    advance_to(world, 12);
    live.set({{"hands", Node::list()}});
    advance_to(world, 15);
    EXPECT_EQ(hash_of_replay<3>(live, 15), world.state_hash());
    EXPECT_EQ(live.recorded(".").find("duration")->number(), world.time());
    EXPECT_EQ(live.recorded(".").find("events")->items().size(), 6u);
}

TEST(LiveScene, a_sitting_with_a_fluid_can_be_run_again_to_the_same_bits)
{
    LiveScene live(parse(pool), large_machine());
    World<2>& world = world_of<2>(live.built());
    for (std::uint64_t frame = 1; frame <= 9; ++frame) {
        advance_to(world, frame);
        const std::string time = to_line(Node(world.time()));
        live.set({{"hands", from_text(R"([{ "name": "ball", "type": "push", "at": [0.3, 0.2], "radius": 0.15,
            "strength": 200, "motion": { "keys": [ { "time": )" +
                                      time + R"(, "move": [0.01, 0] } ] } }])")}});
    }
    live.set({{"bodies.water.material.viscosity", Node("3 Pa s")}, {"gravity[0]", Node(20.0)}});
    advance_to(world, 14);
    EXPECT_EQ(hash_of_replay<2>(live, 14), world.state_hash());
}

/// Advances to a frame, breaks steps off at random and sets gravity then. Returns how often it was not at a
/// frame.
template <int Dim>
int touch_at_random(LiveScene& live, std::uint64_t last_frame, std::uint64_t seed)
{
    World<Dim>& world = world_of<Dim>(live.built());
    Rng random(seed);
    int between = 0;
    while (world.frame() < last_frame) {
        int steps = static_cast<int>(random.uniform() * 12.0);
        if (world.advance_frame([&] { return steps-- == 0; })) continue;
        EXPECT_FALSE(world.failure());
        if (!world.failure() && random.uniform() < 0.8) {
            EXPECT_GE(live.next_change_time(), world.time());
            EXPECT_LE(live.next_change_time(), world.clock().frame_time(world.frame() + 1));
            live.set({{"gravity[0]", Node(4.0 * random.uniform() - 2.0)}});
            if (live.next_change_time() < world.clock().frame_time(world.frame() + 1)) ++between;
        }
    }
    return between;
}

TEST(LiveScene, what_is_done_between_two_frames_can_be_run_again_to_the_same_bits)
{
    const auto with = [](std::string scene, const std::string& more) {
        return scene.insert(scene.find('"'), more + ", ");
    };
    const std::string probes =
        R"("probes": [ { "name": "p", "point": [0.2, 0.1], "field": "velocity", "every": 0.007 } ])";
    const std::string event =
        R"("events": [ { "time": 0.1234, "set": { "gravity": [0.5, -8] } }, { "time": 0.21, "set": { "gravity": [0, -9] } } ])";
    int between = 0;
    for (const std::string& scene :
         {pool, with(pool, probes), with(pool, event), with(with(pool, event), probes),
          with(pool, R"("time_step": 0.0017)"), with(pool, R"("time_step": { "max": 0.003 })")})
        for (const std::uint64_t seed : {1, 2, 3}) {
            LiveScene live(parse(scene), large_machine());
            between += touch_at_random<2>(live, 9, seed);
            EXPECT_EQ(hash_of_replay<2>(live, 9), world_of<2>(live.built()).state_hash())
                << scene << " seed " << seed;
        }
    EXPECT_GT(between, 100);
    between = 0;
    for (const std::uint64_t seed : {1, 2}) {
        LiveScene live(parse(jelly), large_machine());
        between += touch_at_random<3>(live, 12, seed);
        EXPECT_EQ(hash_of_replay<3>(live, 12), world_of<3>(live.built()).state_hash()) << "seed " << seed;
    }
    EXPECT_GT(between, 5);
}

const std::string ball = R"({ "name": "ball", "type": "solid", "material": { "from": "jelly", "damping": 1 },
    "skin": { "detail": 0 }, "velocity": [0, 0, -2],
    "shape": { "sphere": { "center": [0.02, 0, 0.75], "radius": 0.12 } } })";

CheckpointReader read_back(const CheckpointWriter& checkpoint)
{
    const std::vector<std::byte> bytes = checkpoint.encode();
    Buffer<std::byte> content(bytes.size());
    std::copy(bytes.begin(), bytes.end(), content.data());
    return {std::move(content), "memory"};
}

/// The state of one world in another.
template <int Dim>
void copy_state(const World<Dim>& from, World<Dim>& to)
{
    CheckpointWriter checkpoint;
    from.save(checkpoint);
    to.load(read_back(checkpoint));
}

/// Advances until a step after the middle of the frame.
template <int Dim>
void advance_into_frame(World<Dim>& world)
{
    const double middle = 0.5 * (world.time() + world.clock().frame_time(world.frame() + 1));
    ASSERT_FALSE(world.advance_frame([&] { return world.time() >= middle; }));
}

TEST(LiveScene, a_solid_that_is_dropped_in_can_be_run_again_to_the_same_bits)
{
    LiveScene live(parse(jelly), large_machine());
    World<3>& world = world_of<3>(live.built());
    advance_to(world, 2);
    const std::size_t before = world.particle_count();
    advance_into_frame(world);
    live.set({{"gravity[0]", Node(1.0)}});
    live.add_body(from_text(ball));
    EXPECT_EQ(world.particle_count(), before); // not yet
    EXPECT_EQ(world.part_names(), (std::vector<std::string>{"cube", "ball"}));
    EXPECT_TRUE(world.snapshots({})[1].points.empty());
    advance_to(world, 5);
    EXPECT_GT(world.particle_count(), before);
    live.set({{"bodies.ball.material.youngs_modulus", Node(3e4)},
              {"hands", from_text(R"([{ "name": "h", "type": "pull", "body": "ball", "at": [0, 0, 0.75],
                  "radius": 0.05 }])")}});
    advance_to(world, 8);
    advance_into_frame(world);
    std::string second = ball;
    second.replace(second.find("ball"), 4, "late");
    EXPECT_NE(error_of([&] { live.add_body(from_text(ball)); }).find("ball"), std::string::npos);
    second.replace(second.find("0.75"), 4, "1.45");
    live.add_body(from_text(second));
    advance_to(world, 20);
    EXPECT_GT(world.report().statistics.largest_penetration, 0.0) << "they have met";
    EXPECT_EQ(hash_of_replay<3>(live, 20), world.state_hash());
    EXPECT_EQ(live.body("ball").find("material")->find("youngs_modulus")->number(), 3e4);

    // Resumed after the first has come and before the second, on another world.
    BuiltScene built = build(to_text(live.recorded(".")));
    World<3>& whole = world_of<3>(built);
    advance_to(whole, 6);
    BuiltScene again = build(to_text(live.recorded(".")));
    copy_state(whole, world_of<3>(again));
    advance_to(world_of<3>(again), 20);
    EXPECT_EQ(world_of<3>(again).state_hash(), world.state_hash());

    // All of it saved, and gone on with elsewhere.
    CheckpointWriter checkpoint;
    live.save(checkpoint, ".");
    const CheckpointReader saved = read_back(checkpoint);
    LiveScene loaded(parse(scene_of(saved)), large_machine());
    loaded.load(saved);
    EXPECT_EQ(world_of<3>(loaded.built()).state_hash(), world.state_hash());
    EXPECT_EQ(loaded.body("ball").find("material")->find("youngs_modulus")->number(), 3e4);
    EXPECT_EQ(loaded.hands().items().size(), 1u);
    for (LiveScene* scene : {&live, &loaded}) {
        advance_to(world_of<3>(scene->built()), 22);
        scene->set({{"hands", Node::list()}, {"gravity[0]", Node(-1.0)}});
        advance_to(world_of<3>(scene->built()), 25);
    }
    EXPECT_EQ(world_of<3>(loaded.built()).state_hash(), world.state_hash());
    EXPECT_EQ(to_text(loaded.recorded(".")), to_text(live.recorded(".")));
    EXPECT_EQ(hash_of_replay<3>(loaded, 25), world.state_hash());
}

TEST(LiveScene, a_body_that_is_dropped_in_when_one_of_the_scene_joins_comes_after_it)
{
    // At the end of a frame, towards which few steps are left.
    const double start = 4.0 / 30.0;
    std::string scene = jelly;
    scene.insert(scene.find(" ],"), R"(, { "name": "expected", "type": "solid", "material": "jelly",
        "skin": { "detail": 0 }, "shape": { "sphere": { "center": [0.4, 0.4, 0.75], "radius": 0.1 } },
        "start": )" + number_text(start) +
                                        " }");
    LiveScene live(parse(scene), large_machine());
    World<3>& world = world_of<3>(live.built());
    advance_to(world, 3);
    ASSERT_FALSE(world.advance_frame([&] { return live.next_change_time() == start; }));
    ASSERT_LT(world.time(), start);
    live.add_body(from_text(ball));
    advance_to(world, 12);
    EXPECT_EQ(hash_of_replay<3>(live, 12), world.state_hash());
}

TEST(LiveScene, what_is_dropped_in_after_a_checkpoint_was_loaded_can_be_run_again_to_the_same_bits)
{
    LiveScene live(parse(jelly), large_machine());
    advance_to(world_of<3>(live.built()), 4);
    live.set({{"gravity[0]", Node(5.0)}}); // at this very moment
    CheckpointWriter checkpoint;
    live.save(checkpoint, ".");
    const CheckpointReader saved = read_back(checkpoint);
    LiveScene loaded(parse(scene_of(saved)), large_machine());
    loaded.load(saved);
    for (LiveScene* scene : {&live, &loaded}) {
        scene->add_body(from_text(ball));
        advance_to(world_of<3>(scene->built()), 10);
    }
    const std::uint64_t hash = world_of<3>(live.built()).state_hash();
    EXPECT_EQ(world_of<3>(loaded.built()).state_hash(), hash);
    EXPECT_EQ(hash_of_replay<3>(loaded, 10), hash);
}

TEST(LiveScene, a_fluid_that_is_dropped_in_can_be_run_again_to_the_same_bits)
{
    for (const std::string solver : {"dfsph", "wcsph"}) {
        std::string scene = pool;
        scene.insert(scene.find(R"("shape")"), R"("solver": { "type": ")" + solver + R"(" }, )");
        LiveScene live(parse(scene), large_machine());
        World<2>& world = world_of<2>(live.built());
        const auto drop = [&](const std::string& name, double y) {
            live.add_body(from_text(R"({ "name": ")" + name + R"(", "type": "fluid", "velocity": [0, -1],
                "shape": { "sphere": { "center": [0.3, )" +
                                    std::to_string(y) + R"(], "radius": 0.16 } } })"));
        };
        drop("first", 0.8); // at time 0
        const std::size_t first = world.particle_count();
        EXPECT_GT(first, 100u);
        advance_to(world, 4);
        advance_into_frame(world);
        EXPECT_NE(error_of([&] { drop("second", 0.2); }).find("fluid is there already"), std::string::npos);
        drop("second", 0.65); // partly where water is
        advance_to(world, 6);
        EXPECT_GT(world.particle_count(), first);
        live.set({{"bodies.second.material.viscosity", Node("3 Pa s")}});
        advance_to(world, 12);
        EXPECT_EQ(hash_of_replay<2>(live, 12), world.state_hash()) << solver;
    }
}

TEST(LiveScene, what_has_no_room_is_not_dropped_in)
{
    LiveScene live(parse(jelly), large_machine());
    World<3>& world = world_of<3>(live.built());
    advance_to(world, 2);
    const auto refuse = [&](const std::string& from, const std::string& to) {
        std::string body = ball;
        body.replace(body.find(from), from.size(), to);
        return error_of([&] { live.add_body(from_text(body)); });
    };
    EXPECT_NE(refuse("0.75", "0.5").find("cube is in the way"), std::string::npos);
    EXPECT_NE(refuse("0.75", "0.05").find("beyond a wall"), std::string::npos);
    EXPECT_NE(refuse("0.75", "5").find("outside the domain"), std::string::npos);
    EXPECT_NE(refuse("0.12", "0.001").find("spacing"), std::string::npos);
    EXPECT_NE(refuse("skin", "skim").find("unknown key"), std::string::npos);
    EXPECT_NE(refuse("jelly", "jely").find("jely"), std::string::npos);
    EXPECT_NE(error_of([&] {
                  live.add_body(from_text(R"({ "name": "w", "type": "fluid",
                  "shape": { "sphere": { "center": [0, 0, 1], "radius": 0.2 } } })"));
              }).find("no fluid in this scene"),
              std::string::npos);
    EXPECT_EQ(world.part_names().size(), 1u);
    EXPECT_EQ(hash_of_replay<3>(live, 2), world.state_hash());
}

TEST(LiveScene, emitters_that_come_move_and_go_can_be_run_again_to_the_same_bits)
{
    std::string scene = pool;
    scene.insert(scene.find(R"("bodies")"),
                 R"("emitters": [ { "name": "tap", "body": "water", "velocity": [1, 0],
                     "shape": { "box": { "min": [0, 0.7], "max": [0.1, 0.9] } } } ], )");
    for (const std::string& start : {pool, scene}) {
        LiveScene live(parse(start), large_machine());
        World<2>& world = world_of<2>(live.built());
        const Node own = live.emitters();
        const auto pour = [&](double x, double speed) {
            Node emitters = own;
            emitters.items().push_back(
                from_text(R"({ "name": "jet", "body": "water", "velocity": [0, )" + std::to_string(-speed) +
                          R"(], "shape": { "box": { "min": [)" + std::to_string(x) + R"(, 0.85], "max": [)" +
                          std::to_string(x + 0.2) + R"(, 0.95] } } })"));
            live.set({{"emitters", emitters}});
        };
        advance_to(world, 3);
        const std::size_t before = world.particle_count();
        advance_into_frame(world);
        pour(0.55, 2.0);
        for (std::uint64_t frame = 4; frame <= 6; ++frame) {
            advance_to(world, frame);
            (void)world.totals(); // to look at it changes nothing
        }
        EXPECT_GT(world.particle_count(), before + 10);
        pour(0.6, 2.0);
        advance_to(world, 7);
        advance_into_frame(world);
        pour(0.6, 3.0);
        advance_to(world, 9);
        EXPECT_NE(error_of([&] { pour(0.6, 0.0); }).find("the velocity has no direction"), std::string::npos);
        live.set({{"emitters", own}});
        advance_to(world, 12);
        (void)world.snapshots(std::vector<std::string>{"density"});
        EXPECT_EQ(hash_of_replay<2>(live, 12), world.state_hash());
        EXPECT_EQ(live.emitters(), own);

        BuiltScene built = build(to_text(live.recorded(".")));
        advance_to(world_of<2>(built), 8);
        BuiltScene again = build(to_text(live.recorded(".")));
        copy_state(world_of<2>(built), world_of<2>(again));
        advance_to(world_of<2>(again), 12);
        EXPECT_EQ(world_of<2>(again).state_hash(), world.state_hash());
    }
}

TEST(LiveScene, what_cannot_be_set_changes_nothing)
{
    LiveScene live(parse(jelly), large_machine());
    World<3>& world = world_of<3>(live.built());
    advance_to(world, 2);
    const auto refuse = [&](const std::string& path, const std::string& value) {
        return error_of([&] { live.set({{"gravity", from_text("[1, 2, 3]")}, {path, from_text(value)}}); });
    };
    EXPECT_NE(refuse("spacing", "0.1").find("events cannot change this"), std::string::npos);
    EXPECT_NE(refuse("bodies.cube.material.youngs_modulus", "-1").find("above 0"), std::string::npos);
    EXPECT_NE(refuse("bodies.cub.material.damping", "1").find("cube"), std::string::npos);
    EXPECT_NE(refuse("hands", R"([{ "name": "a", "type": "pull", "at": [0, 0, 0], "radius": 1 }])")
                  .find("missing key \"body\""),
              std::string::npos);
    EXPECT_NE(
        refuse("hands", R"([{ "name": "a", "type": "pull", "body": "water", "at": [0, 0, 0], "radius": 1 }])")
            .find("there is no body named \"water\""),
        std::string::npos);
    EXPECT_EQ(live.recorded(".").find("events")->items().size(), 1u);
    EXPECT_EQ(live.hands(), Node::list());

    LiveScene other(parse(jelly), large_machine());
    advance_to(world, 5);
    advance_to(world_of<3>(other.built()), 5);
    EXPECT_EQ(world.state_hash(), world_of<3>(other.built()).state_hash());
}

TEST(LiveScene, events_of_the_scene_come_on_top_of_what_was_done)
{
    LiveScene live(parse(jelly), large_machine());
    advance_to(world_of<3>(live.built()), 3);
    live.set(
        {{"bodies.cube.material.damping", Node(7.0)}, {"bodies.cube.material.youngs_modulus", Node(3e4)}});
    const auto value = [&](const std::string& path) {
        for (const ChangeableParameter& parameter : live.parameters())
            if (parameter.path == path) return parameter.value.number();
        return std::nan("");
    };
    EXPECT_EQ(value("bodies.cube.material.damping"), 7.0);
    advance_to(world_of<3>(live.built()), 10);
    EXPECT_EQ(value("bodies.cube.material.damping"), 2.0);
    live.set({{"gravity[0]", Node(1.0)}});
    EXPECT_EQ(value("bodies.cube.material.damping"), 2.0);
    EXPECT_EQ(value("bodies.cube.material.youngs_modulus"), 3e4);
    advance_to(world_of<3>(live.built()), 12);
    EXPECT_EQ(hash_of_replay<3>(live, 12), world_of<3>(live.built()).state_hash());
}

TEST(LiveScene, parameters_have_units_ranges_and_a_meaning)
{
    LiveScene live(parse(jelly), large_machine());
    bool has_modulus = false;
    for (const ChangeableParameter& parameter : live.parameters()) {
        SCOPED_TRACE(parameter.path);
        EXPECT_FALSE(parameter.unit.empty());
        EXPECT_FALSE(parameter.doc.empty());
        if (parameter.value.is_number()) {
            EXPECT_GE(parameter.value.number(), parameter.min);
            EXPECT_LE(parameter.value.number(), parameter.max);
        }
        live.set({{parameter.path, parameter.value}}); // each can be set to what it is
        if (parameter.path != "bodies.cube.material.youngs_modulus") continue;
        has_modulus = true;
        EXPECT_EQ(parameter.unit, "Pa");
        EXPECT_EQ(parameter.min, 0.0);
        EXPECT_TRUE(parameter.min_excluded);
    }
    EXPECT_TRUE(has_modulus);
}

TEST(LiveScene, switches_and_words_are_listed_and_numbers_that_are_not_set)
{
    LiveScene live(parse(jelly), large_machine());
    const auto parameter = [&](const std::string& name) {
        for (const ChangeableParameter& each : live.parameters())
            if (each.path == "bodies.cube.material." + name) return each;
        ADD_FAILURE() << name;
        return ChangeableParameter();
    };
    const auto set = [&](const std::string& name, const Node& value) {
        live.set({{"bodies.cube.material." + name, value}});
    };
    using Kind = ChangeableParameter::Kind;
    EXPECT_EQ(parameter("flows").kind, Kind::Switch);
    EXPECT_EQ(parameter("flows").value, Node(false));
    EXPECT_FALSE(parameter("flows").can_be_unset);
    EXPECT_EQ(parameter("plastic_flow").kind, Kind::Word);
    EXPECT_EQ(parameter("plastic_flow").words, (std::vector<std::string>{"return", "creep", "published"}));
    EXPECT_EQ(parameter("plastic_flow").value, Node("return"));
    for (const char* name : {"yield_stress", "yield_strain", "max_plastic_strain"}) {
        SCOPED_TRACE(name);
        EXPECT_EQ(parameter(name).kind, Kind::Number);
        EXPECT_TRUE(parameter(name).value.is_null());
        EXPECT_TRUE(parameter(name).can_be_unset);
        set(name, Node(0.25));
        EXPECT_EQ(parameter(name).value, Node(0.25));
        EXPECT_TRUE(parameter(name).can_be_unset);
    }
    // One is given instead of the other.
    EXPECT_TRUE(parameter("yield_stress").value.is_null());
    set("yield_stress", Node(300.0));
    EXPECT_TRUE(parameter("yield_strain").value.is_null());
    set("yield_stress", Node());
    set("flows", Node(true));
    EXPECT_TRUE(parameter("yield_stress").value.is_null());
    EXPECT_EQ(parameter("flows").value, Node(true));
    set("flows", Node());
    EXPECT_EQ(parameter("flows").value, Node(false));
    // A number that the scene itself has cannot be unset: null makes it what it was.
    EXPECT_FALSE(parameter("damping").can_be_unset);
    const Node damping = parameter("damping").value;
    set("damping", Node(9.0));
    set("damping", Node());
    EXPECT_EQ(parameter("damping").value, damping);
}

TEST(LiveScene, a_sitting_with_a_heat_gun_and_switches_can_be_run_again_to_the_same_bits)
{
    LiveScene live(parse(jelly), large_machine());
    World<3>& world = world_of<3>(live.built());
    const auto hottest = [&] {
        const std::vector<std::string> fields = {"temperature"};
        double most = 0.0;
        for (const Snapshot& body : world.snapshots(fields))
            for (const double T : std::get<std::vector<double>>(body.find("temperature")->values))
                most = std::max(most, T);
        return most;
    };
    advance_to(world, 2);
    EXPECT_EQ(hottest(), 0.0) << "no heat flows yet";
    live.set({{"hands", from_text(R"([{ "name": "gun", "type": "warm", "at": [0.1, 0.1, 0.4], "radius": 0.08,
        "power": 2e4 }])")}});
    live.set({{"bodies.cube.material.flows", Node(true)}});
    advance_to(world, 6);
    EXPECT_GT(hottest(), 294.0);
    live.set({{"bodies.cube.material.yield_stress", Node(200.0)}});
    advance_into_frame(world);
    live.set({{"hands", Node::list()}, {"bodies.cube.material.flows", Node(false)}});
    advance_to(world, 9);
    live.set({{"bodies.cube.material.yield_stress", Node()}});
    advance_to(world, 12);
    EXPECT_EQ(hash_of_replay<3>(live, 12), world.state_hash());
}

TEST(LiveScene, files_are_found_from_where_the_scene_is_saved)
{
    const std::string scene = scene_with(
        R"("obstacles": [ { "name": "bowl", "shape": { "mesh": "verification/bowl.obj", "size": 0.2, "at": [0.5, 0.5, 2] } } ])");
    LiveScene live(Scene::parse(scene, "a.json", PHYXEL_EXAMPLES, standard_kinds(),
                                std::vector<std::string>{"count=100"}),
                   large_machine());
    const std::filesystem::path folder = std::filesystem::path(PHYXEL_EXAMPLES) / "scenes";
    const std::string text = to_text(live.recorded(folder));
    EXPECT_NE(text.find("\"../verification/bowl.obj\""), std::string::npos);
    EXPECT_EQ(error_of([&] {
                  (void)build_scene(Scene::parse(text, "b.json", folder, standard_kinds()), large_machine());
              }),
              "no error");
}

TEST(LiveScene, survives_what_events_of_the_scene_take_away)
{
    std::string scene = jelly;
    scene.insert(scene.find(" ],"), ", " + ball);
    scene.insert(
        scene.find(R"("events": [ )") + 12,
        R"({ "time": 0.1, "remove": ["ball", "post"] }, { "time": 0.2, "set": { "gravity[1]": 1 } }, )");
    scene.insert(
        scene.find(R"("events": )"),
        R"("obstacles": [ { "name": "post", "shape": { "sphere": { "center": [0.6, 0, 0.2], "radius": 0.1 } },
                      "motion": { "move": [0, 0, "= t"] } } ],
                    "hands": [ { "name": "grab", "type": "pull", "body": "ball", "at": [0, 0, 0.8], "radius": 0.05 } ],)");
    LiveScene live(parse(scene), large_machine());
    World<3>& world = world_of<3>(live.built());
    live.set({{"obstacles.post.motion", Node("fixed")}});
    advance_to(world, 2);
    live.set({{"obstacles.post.motion", Node()}, {"bodies.ball.material", Node("rubber")}});
    const std::size_t before = world.particle_count();
    advance_to(world, 3); // 0.1 s
    EXPECT_LT(world.particle_count(), before);
    // At that very moment there is room for another one at its place.
    std::string second = ball;
    second.replace(second.find("ball"), 4, "next");
    live.add_body(from_text(second));
    live.set({{"hands", live.hands()}, {"gravity[0]", Node(1.0)}});
    EXPECT_EQ(error_of([&] {
                  live.set({{"bodies.ball.material.damping", Node(1.0)}});
              }),
              "set[\"bodies.ball.material.damping\"]: it was taken away at 0.1 s");
    for (const ChangeableParameter& parameter : live.parameters())
        EXPECT_FALSE(parameter.path.starts_with("bodies.ball.")) << parameter.path;
    advance_to(world, 7);
    live.set({{"bodies.next.material", Node()}, {"hands", Node()}});
    advance_to(world, 9);
    EXPECT_EQ(hash_of_replay<3>(live, 9), world.state_hash());

    CheckpointWriter checkpoint;
    live.save(checkpoint, ".");
    const CheckpointReader saved = read_back(checkpoint);
    LiveScene loaded(parse(scene_of(saved)), large_machine());
    loaded.load(saved);
    EXPECT_EQ(world_of<3>(loaded.built()).state_hash(), world.state_hash());
    for (LiveScene* one : {&live, &loaded}) {
        one->set({{"gravity", Node()}});
        advance_to(world_of<3>(one->built()), 11);
    }
    EXPECT_EQ(world_of<3>(loaded.built()).state_hash(), world.state_hash());
}

} // namespace
} // namespace phyxel::live_scene_test
