// SPDX-License-Identifier: MIT
#include "scene_support.h"

#include <phyxel/scene/document.h>
#include <phyxel/scene/live_scene.h>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace phyxel {
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
            if (parameter.path == path) return parameter.value;
        return std::nan("");
    };
    EXPECT_EQ(value("bodies.cube.material.damping"), 7.0);
    advance_to(world_of<3>(live.built()), 10);
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
        EXPECT_GE(parameter.value, parameter.min);
        EXPECT_LE(parameter.value, parameter.max);
        live.set({{parameter.path, Node(parameter.value)}}); // each can be set to what it is
        if (parameter.path != "bodies.cube.material.youngs_modulus") continue;
        has_modulus = true;
        EXPECT_EQ(parameter.unit, "Pa");
        EXPECT_EQ(parameter.min, 0.0);
        EXPECT_TRUE(parameter.min_excluded);
    }
    EXPECT_TRUE(has_modulus);
}

TEST(LiveScene, files_are_found_from_where_the_scene_is_saved)
{
    const std::string scene = scene_with(
        R"("obstacles": [ { "name": "bowl", "shape": { "mesh": "verification/bowl.obj", "size": 0.2, "at": [0.5, 0.5, 2] } } ])");
    LiveScene live(Scene::parse(scene, "a.json", PHYXEL_EXAMPLES, std::vector<std::string>{"count=100"}),
                   large_machine());
    const std::filesystem::path folder = std::filesystem::path(PHYXEL_EXAMPLES) / "scenes";
    const std::string text = to_text(live.recorded(folder));
    EXPECT_NE(text.find("\"../verification/bowl.obj\""), std::string::npos);
    EXPECT_EQ(error_of([&] { (void)build_scene(Scene::parse(text, "b.json", folder), large_machine()); }),
              "no error");
}

} // namespace
} // namespace phyxel
