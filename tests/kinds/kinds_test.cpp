// SPDX-License-Identifier: MIT
// A kind is one line of a list: without it, scenes know nothing of it and all else is as it was.
#include <phyxel/core/buffer.h>
#include <phyxel/io/checkpoint.h>
#include <phyxel/io/file.h>
#include <phyxel/kinds/fluid/fluid_kind.h>
#include <phyxel/kinds/solid/solid_kind.h>
#include <phyxel/kinds/standard_kinds.h>
#include <phyxel/scene/document.h>
#include <phyxel/scene/manifest.h>
#include <phyxel/scene/scene.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace phyxel::kinds_test {
namespace {

constexpr const char* water = R"({ "dimension": 2, "spacing": "5 cm", "duration": 0.1,
    "domain": { "min": [0, 0], "max": [1, 1] }, "output": { "fields": ["density"] },
    "bodies": [ { "name": "a", "type": "fluid", "shape": { "box": { "min": [0, 0], "max": [0.4, 0.5] } } } ] })";

constexpr const char* jelly = R"({ "dimension": 2, "spacing": "5 cm",
    "bodies": [ { "name": "a", "type": "solid", "shape": { "box": { "min": [0, 0], "max": [0.4, 0.5] } } } ] })";

Kinds only_fluids()
{
    Kinds kinds;
    kinds.add(fluid_kind<2>(), fluid_kind<3>());
    return kinds;
}

std::uint64_t hash_of(const char* text, const Kinds& kinds)
{
    BuiltScene built = build_scene(Scene::parse(text, "a.json", ".", kinds));
    World<2>& world = *std::get<0>(built.world);
    while (world.frame() < 2 && world.advance_frame()) {}
    return world.state_hash();
}

TEST(Kinds, without_solids_fluids_are_as_they_were)
{
    EXPECT_EQ(hash_of(water, only_fluids()), hash_of(water, standard_kinds()));
}

TEST(Kinds, without_solids_a_solid_is_an_unknown_type)
{
    try {
        (void)Scene::parse(jelly, "a.json", ".", only_fluids());
        FAIL() << "a solid was read";
    } catch (const SceneError& error) {
        const std::string text = error.what();
        EXPECT_NE(text.find("a.json:2:40: bodies[0].type: unknown word \"solid\""), std::string::npos)
            << text;
        EXPECT_NE(text.find("fluid"), std::string::npos) << text;
    }
    const std::string schema = to_text(scene_schema(only_fluids()));
    EXPECT_EQ(schema.find("youngs_modulus"), std::string::npos);
    EXPECT_NE(to_text(scene_schema(standard_kinds())).find("youngs_modulus"), std::string::npos);
}

TEST(Kinds, without_fluids_there_are_no_emitters)
{
    Kinds kinds;
    kinds.add(solid_kind<2>(), solid_kind<3>());
    EXPECT_NO_THROW((void)Scene::parse(jelly, "a.json", ".", kinds));
    std::string fed = jelly;
    fed.insert(1, "\"emitters\": [],");
    EXPECT_THROW((void)Scene::parse(fed, "a.json", ".", kinds), SceneError);
    EXPECT_NO_THROW((void)Scene::parse(fed, "a.json", ".", standard_kinds()));
}

TEST(Kinds, no_two_have_one_name)
{
    Kinds kinds = standard_kinds();
    EXPECT_THROW(kinds.add(fluid_kind<2>(), fluid_kind<3>()), InputError);
    EXPECT_EQ(kinds.names(), (std::vector<std::string_view>{"fluid", "solid", "rigid"}));
}

TEST(Kinds, materials_have_one_name_each_and_fields_a_unit_and_a_meaning)
{
    const Kinds kinds = standard_kinds();
    std::set<std::string_view> names;
    for (const auto& kind : kinds.of<3>()) {
        for (const MaterialInfo& material : kind->materials)
            EXPECT_TRUE(names.insert(material.name).second) << material.name;
        for (const FieldInfo& field : kind->fields) {
            EXPECT_FALSE(field.unit.empty()) << field.name;
            EXPECT_FALSE(field.meaning.empty()) << field.name;
        }
        for (const std::string& usual : kind->usual_fields)
            EXPECT_TRUE(std::any_of(kind->fields.begin(), kind->fields.end(),
                                    [&](const FieldInfo& field) { return field.name == usual; }));
    }
}

TEST(Kinds, a_material_of_another_kind_is_named)
{
    std::string honey = jelly;
    honey.insert(honey.find("\"shape\""), "\"material\": \"honey\", ");
    try {
        (void)Scene::parse(honey, "a.json", ".", standard_kinds());
        FAIL() << "honey is solid";
    } catch (const SceneError& error) {
        EXPECT_NE(std::string(error.what()).find("\"honey\" is a fluid"), std::string::npos) << error.what();
    }
}

/// Fields with several numbers are written, and read by probes, as what they are.
TEST(Kinds, tensors_of_solids_are_fields_like_others)
{
    std::string text = jelly;
    text.insert(
        1,
        R"("duration": 0, "gravity": [0, 0], "output": { "fields": ["stress_tensor", "deformation_gradient"] },
        "probes": [ { "name": "p", "point": [0.2, 0.2], "field": "deformation_gradient" } ],)");
    BuiltScene built = build_scene(Scene::parse(text, "a.json", ".", standard_kinds()));
    World<2>& world = *std::get<0>(built.world);
    const Snapshot snapshot = world.snapshots(built.fields).front();
    ASSERT_TRUE(is_consistent(snapshot));
    ASSERT_NE(snapshot.find("stress_tensor"), nullptr);
    EXPECT_EQ(snapshot.find("stress_tensor")->components, 6);
    ASSERT_NE(snapshot.find("deformation_gradient"), nullptr);
    EXPECT_EQ(world.probe_columns(), (std::vector<std::string>{"p.xx", "p.xy", "p.xz", "p.yx", "p.yy", "p.yz",
                                                               "p.zx", "p.zy", "p.zz"}));
    const ProbeRow row = world.take_probe_rows().front();
    for (std::size_t k = 0; k < 9; ++k)
        EXPECT_NEAR(row.values[k].value(), k % 4 == 0 ? 1.0 : 0.0, 1e-12) << k;
}

/// A block that hangs by its upper end.
std::string hanging_scene(const std::string& events)
{
    return R"({ "dimension": 2, "spacing": "5 cm", "duration": 0.4, "bodies": [ { "name": "block", "type": "solid",
        "shape": { "box": { "min": [0, 0], "max": [0.2, 0.4] } },
        "regions": [ { "name": "top", "shape": { "box": { "min": [-1, 0.3], "max": [1, 1] } }, "motion": "fixed" },
                     { "name": "bottom", "shape": { "box": { "min": [-1, -1], "max": [1, 0.1] } }, "force": [0, 0] } ] } ],
        "events": [ )" +
           events + " ] }";
}

BodyTotals<2> totals_at(const std::string& events, std::uint64_t frame)
{
    BuiltScene built = build_scene(Scene::parse(hanging_scene(events), "a.json", ".", standard_kinds()));
    World<2>& world = *std::get<0>(built.world);
    while (world.frame() < frame && world.advance_frame()) {}
    EXPECT_FALSE(world.failure());
    return world.totals()[0];
}

double height_at(const std::string& events, std::uint64_t frame)
{
    return totals_at(events, frame).center[1];
}

TEST(Kinds, a_region_that_is_held_can_be_let_go_and_held_again)
{
    const std::string let_go = R"({ "time": 0.1, "set": { "bodies.block.regions.top.motion": "free" } })";
    const std::string hold = R"({ "time": 0.2, "set": { "bodies.block.regions.top.motion": "fixed" } })";
    const double held = height_at("", 12);
    EXPECT_NEAR(held, 0.2, 0.05);
    // From then on it falls freely, with the speed that it swings with.
    const BodyTotals<2> before = totals_at("", 3);
    const double speed = before.momentum[1] / before.mass;
    EXPECT_NEAR(height_at(let_go, 12), before.center[1] + 0.3 * speed - 0.5 * 9.81 * 0.3 * 0.3, 0.01);
    // Held again where it is then, not where it was.
    const double caught = height_at(let_go + ", " + hold, 12);
    EXPECT_LT(caught, held - 0.03);
    EXPECT_GT(caught, height_at(let_go, 12) + 0.2);
}

TEST(Kinds, loads_of_regions_are_changed_by_events)
{
    const std::string pull =
        R"({ "time": 0.1, "set": { "bodies.block.regions.bottom.force": [0, "-200 N"] } })";
    EXPECT_LT(height_at(pull, 12), height_at("", 12) - 0.01);
}

CheckpointReader read_back(const CheckpointWriter& writer)
{
    const std::vector<std::byte> bytes = writer.encode();
    Buffer<std::byte> content(bytes.size());
    std::copy(bytes.begin(), bytes.end(), content.data());
    return {std::move(content), "checkpoint"};
}

TEST(Kinds, what_events_did_to_regions_is_done_again_when_a_run_is_resumed)
{
    const std::string text = hanging_scene(
        R"json({ "time": 0.1, "set": { "bodies.block.regions.top.motion": { "move": [0, "= 0.1*sin(9*t)"] } } },
               { "time": 0.2, "set": { "bodies.block.regions.top.motion": "free" } })json");
    const auto make = [&] { return build_scene(Scene::parse(text, "a.json", ".", standard_kinds())); };
    BuiltScene whole = make(), first = make(), second = make();
    while (std::get<0>(whole.world)->frame() < 10 && std::get<0>(whole.world)->advance_frame()) {}
    while (std::get<0>(first.world)->frame() < 4 && std::get<0>(first.world)->advance_frame()) {}
    CheckpointWriter writer;
    std::get<0>(first.world)->save(writer);
    std::get<0>(second.world)->load(read_back(writer));
    while (std::get<0>(second.world)->frame() < 10 && std::get<0>(second.world)->advance_frame()) {}
    EXPECT_EQ(std::get<0>(second.world)->state_hash(), std::get<0>(whole.world)->state_hash());
}

/// Water, and jelly in the air that needs steps a hundred times as short.
std::string mixed_scene(const std::string& bodies)
{
    return R"({ "dimension": 2, "spacing": "5 cm", "duration": 0.2, "domain": { "min": [0, 0], "max": [1, 2] }, "bodies": [ )" +
           bodies + " ] }";
}
constexpr const char* pool =
    R"({ "name": "pool", "type": "fluid", "shape": { "box": { "min": [0, 0], "max": [1, 0.5] } } })";
constexpr const char* block =
    R"({ "name": "block", "type": "solid", "material": { "from": "jelly", "youngs_modulus": "40 MPa" },
         "solver": { "type": "leapfrog" }, "shape": { "box": { "min": [0.4, 1.2], "max": [0.6, 1.4] } } })";

TEST(Kinds, each_body_makes_steps_of_its_own_within_those_of_the_world)
{
    const auto run_to_end = [](const std::string& text) {
        BuiltScene built = build_scene(Scene::parse(text, "a.json", ".", standard_kinds()));
        while (std::get<0>(built.world)->frame() < 6 && std::get<0>(built.world)->advance_frame()) {}
        return built;
    };
    BuiltScene alone = run_to_end(mixed_scene(pool));
    BuiltScene together = run_to_end(mixed_scene(pool + std::string(", ") + block));
    BuiltScene solid = run_to_end(mixed_scene(block));
    World<2>& world = *std::get<0>(together.world);
    ASSERT_FALSE(world.failure());
    // The water does not pay for the jelly.
    EXPECT_EQ(world.step_count(), std::get<0>(alone.world)->step_count());
    EXPECT_GT(std::get<0>(solid.world)->step_count(), 20 * world.step_count());
    // Both fall as they would alone.
    const auto points = [](BuiltScene& built, std::size_t body) {
        return std::get<0>(built.world)->snapshots({})[body].points;
    };
    EXPECT_EQ(points(together, 0), points(alone, 0));
    const double fallen = 0.5 * 9.81 * world.time() * world.time();
    EXPECT_NEAR(world.totals()[1].center[1], 1.3 - fallen, 0.01 * fallen);
    EXPECT_NEAR(std::get<0>(solid.world)->totals()[0].center[1], world.totals()[1].center[1], 1e-3 * fallen);
}

/// What is left until an event is no step that a body needs.
TEST(Kinds, an_event_right_after_a_frame_is_no_failure)
{
    std::string text = mixed_scene(pool + std::string(", ") + block);
    text.insert(1,
                R"("frame_rate": 10, "events": [ { "time": 0.1000000001, "set": { "gravity[0]": 0 } } ],)");
    BuiltScene built = build_scene(Scene::parse(text, "a.json", ".", standard_kinds()));
    World<2>& world = *std::get<0>(built.world);
    while (world.frame() < 2 && world.advance_frame()) {}
    EXPECT_FALSE(world.failure()) << to_text(*world.failure());
    EXPECT_EQ(world.frame(), 2u);
}

TEST(Kinds, the_body_that_needs_too_short_steps_is_named)
{
    std::string text = mixed_scene(pool + std::string(", ") + block);
    text.insert(1, R"("time_step": { "min": "1 ms" },)");
    BuiltScene built = build_scene(Scene::parse(text, "a.json", ".", standard_kinds()));
    World<2>& world = *std::get<0>(built.world);
    EXPECT_FALSE(world.advance_frame());
    ASSERT_TRUE(world.failure());
    EXPECT_EQ(world.failure()->body, "block");
}

/// Two solids share a solver, but one of them is to blame.
TEST(Kinds, the_part_that_needs_too_short_steps_is_named)
{
    const std::string soft =
        R"({ "name": "soft", "type": "solid", "shape": { "box": { "min": [0.1, 1.2], "max": [0.3, 1.4] } } })";
    std::string text = mixed_scene(soft + ", " + block);
    text.insert(1, R"("time_step": { "min": "1 ms" },)");
    BuiltScene built = build_scene(Scene::parse(text, "a.json", ".", standard_kinds()));
    EXPECT_FALSE(std::get<0>(built.world)->advance_frame());
    ASSERT_TRUE(std::get<0>(built.world)->failure());
    EXPECT_EQ(std::get<0>(built.world)->failure()->body, "block");

    // And of two fluids the one that is as thick as tar.
    const std::string tar =
        R"({ "name": "tar", "type": "fluid", "material": { "viscosity": "1 kPa s" },
             "shape": { "box": { "min": [0.4, 1.2], "max": [0.6, 1.4] } } })";
    text = mixed_scene(pool + std::string(", ") + tar);
    text.insert(1, R"("time_step": { "min": "1 ms" },)");
    BuiltScene fluids = build_scene(Scene::parse(text, "a.json", ".", standard_kinds()));
    EXPECT_FALSE(std::get<0>(fluids.world)->advance_frame());
    ASSERT_TRUE(std::get<0>(fluids.world)->failure());
    EXPECT_EQ(std::get<0>(fluids.world)->failure()->body, "tar");
}

TEST(Kinds, every_step_and_a_fixed_step_mean_those_of_the_world)
{
    std::string text = mixed_scene(pool + std::string(", ") + block);
    text.insert(1, R"("probes": [ { "name": "p", "body": "block", "field": "center", "every": "step" } ],)");
    const auto rows_of = [](const std::string& scene) {
        BuiltScene built = build_scene(Scene::parse(scene, "a.json", ".", standard_kinds()));
        World<2>& world = *std::get<0>(built.world);
        while (world.frame() < 2 && world.advance_frame()) {}
        EXPECT_FALSE(world.failure());
        std::vector<ProbeRow> rows = world.take_probe_rows();
        EXPECT_EQ(rows.size(), world.step_count() + 1);
        return rows;
    };
    EXPECT_LT(rows_of(text).size(), 100u) << "the jelly makes thousands of its own";
    text.insert(1, R"("frame_rate": 10, "time_step": "2.5 ms",)");
    const std::vector<ProbeRow> rows = rows_of(text);
    ASSERT_EQ(rows.size(), 81u);
    for (std::size_t k = 0; k < rows.size(); ++k)
        EXPECT_NEAR(rows[k].time, 0.0025 * static_cast<double>(k), 1e-12) << k;
}

TEST(Kinds, the_page_of_scenes_lists_every_field)
{
    const auto page = read_file(PHYXEL_DOCS "/scene.md");
    const std::string text(reinterpret_cast<const char*>(page.span().data()), page.span().size());
    const Kinds kinds = standard_kinds();
    for (const auto& kind : kinds.of<3>())
        for (const FieldInfo& field : kind->fields) {
            const std::string row = "| `" + std::string(field.name) + "` | " + kind->name + " | " +
                                    std::to_string(field.components) + " | " + std::string(field.unit) +
                                    " | " + std::string(field.meaning) + " |\n";
            EXPECT_NE(text.find(row), std::string::npos) << row;
        }
}

/// The table tells shapes once, wherever the first body is.
TEST(Kinds, without_fluids_the_table_has_shapes_all_the_same)
{
    Kinds kinds;
    kinds.add(solid_kind<2>(), solid_kind<3>());
    const std::string table = scene_table(kinds);
    const std::size_t first = table.find(".shape.torus`");
    ASSERT_NE(first, std::string::npos);
    EXPECT_EQ(table.find(".shape.torus`", first + 1), std::string::npos);
}

/// Who draws a run need not know its kinds.
TEST(Kinds, units_of_fields_travel_with_the_run)
{
    const BuiltScene built = build_scene(Scene::parse(jelly, "a.json", ".", standard_kinds()));
    const Manifest manifest{.scene = built.resolved, .derived = built.derived};
    EXPECT_EQ(field_units(manifest, Kinds()).of("stress_tensor"), "Pa");
    EXPECT_EQ(field_units(manifest, Kinds()).of("volume_ratio"), "");
    EXPECT_EQ(field_units(manifest, Kinds()).of("velocity"), "m/s");
    EXPECT_EQ(field_units({}, standard_kinds()).of("pressure"), "Pa");
    EXPECT_EQ(field_units({}, Kinds()).of("pressure"), "");
}

TEST(Kinds, a_fluid_of_which_only_the_viscosity_is_said_is_water)
{
    std::string text = water;
    text.insert(text.find("\"shape\""), R"("material": { "viscosity": "3 Pa s" }, )");
    const BuiltScene built = build_scene(Scene::parse(text, "a.json", ".", standard_kinds()));
    const Node& material = *built.resolved.find("bodies")->items()[0].find("material");
    EXPECT_EQ(material.find("density")->number(),
              build_scene(Scene::parse(water, "a.json", ".", standard_kinds()))
                  .resolved.find("bodies")
                  ->items()[0]
                  .find("material")
                  ->find("density")
                  ->number());
    EXPECT_EQ(material.find("viscosity")->number(), 3.0);
}

/// Water that jets in from the left.
TEST(Kinds, emitters_are_turned_and_stopped_by_events)
{
    const auto state_after = [](const std::string& set) {
        std::string text = water;
        text.insert(1, R"("gravity": [0, 0], "emitters": [ { "name": "jet", "body": "a", "velocity": [2, 0],
            "shape": { "box": { "min": [0.1, 0.7], "max": [0.2, 0.9] } } } ],
            "events": [ { "time": 0.05, "set": { )" +
                           set + " } } ],");
        BuiltScene built = build_scene(Scene::parse(text, "a.json", ".", standard_kinds()));
        World<2>& world = *std::get<0>(built.world);
        while (world.frame() < 3 && world.advance_frame()) {}
        EXPECT_FALSE(world.failure());
        return std::pair(world.particle_count(), world.totals()[0].momentum[0]);
    };
    const auto [usual, along] = state_after(R"("gravity": [0, 0])");
    const auto [turned, against] = state_after(R"("emitters.jet.velocity": ["1 m/s", 0])");
    const auto [stopped, little] = state_after(R"("emitters.jet.stop": "0.05 s")");
    EXPECT_LT(turned, usual);
    EXPECT_LT(stopped, turned);
    EXPECT_LT(against, along);
    EXPECT_LT(little, along);
}

} // namespace
} // namespace phyxel::kinds_test
