// SPDX-License-Identifier: MIT
#include <phyxel/kinds/standard_kinds.h>
#include <phyxel/scene/document.h>
#include <phyxel/scene/scene.h>

#include "scene_support.h"
#include "schema_validator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace phyxel::scene_schema_test {
namespace {

namespace fs = std::filesystem;

TEST(SceneSchema, accepts_every_example_and_its_resolved_form)
{
    const Node schema = scene_schema(standard_kinds());
    const SchemaValidator validator(schema);
    const std::vector<fs::path> scenes = example_scenes();
    EXPECT_FALSE(scenes.empty());
    for (const fs::path& file : scenes) {
        SCOPED_TRACE(file);
        EXPECT_TRUE(validator.accepts(read_document(file)));
        EXPECT_TRUE(validator.accepts(Scene::read(file, standard_kinds()).resolved()));
    }
}

TEST(SceneSchema, refuses_what_the_reader_refuses)
{
    const Node schema = scene_schema(standard_kinds());
    const SchemaValidator validator(schema);
    const auto accepts = [&](std::string_view text) {
        return validator.accepts(parse_document(text, "a.json"));
    };
    EXPECT_TRUE(accepts(scene_with(R"("spacing": "1 cm")")));
    for (
        const char* member :
        {R"("spaceing": 1)", R"("spacing": 0)", R"("spacing": [])", R"("dimension": 4)",
         R"("gravity": [0, 0])", R"("domain": {})",
         R"("domain": { "min": [0, 0, 0], "max": [1, 1, 1], "sides": { "x": "waal" } })",
         R"("output": { "fields": ["speed"] })", R"("time_step": 0)", R"("probes": [ {} ])",
         R"("render": { "size": [1280] })", R"("render": { "style": "pink" })",
         R"("obstacles": [ { "name": "a" } ])",
         R"("obstacles": [ { "name": "a", "shape": { "union": [ { "ball": 1 } ] } } ])",
         R"("obstacles": [ { "name": "a", "shape": { "box": { "min": [0, 0, 0], "max": [1, 1, 1] }, "sphere": { "center": [0, 0, 0], "radius": 1 } } } ])",
         R"("obstacles": [ { "name": "a", "shape": { "sphere": { "center": [0, 0, 0], "radius": 1 } }, "motion": "free" } ])",
         R"("events": [ { "time": 0, "set": {} } ])"}) {
        SCOPED_TRACE(member);
        EXPECT_FALSE(accepts(scene_with(member)));
        EXPECT_NE(parse_error(scene_with(member)), "no error");
    }
    EXPECT_FALSE(accepts(R"({ "bodies": [ { "name": "a", "type": "fluid", "shape": {} } ] })"));
    EXPECT_FALSE(accepts(
        R"({ "dimension": 2, "bodies": [ { "name": "a", "type": "fluid", "shape": { "sphere": { "center": [0, 0, 0], "radius": 1 } } } ] })"));
    EXPECT_TRUE(accepts(
        R"({ "dimension": 2, "bodies": [ { "name": "a", "type": "fluid", "shape": { "sphere": { "center": [0, 0], "radius": 1 }, "rotate": 1 } } ] })"));
}

TEST(SceneSchema, knows_solids)
{
    const Node schema = scene_schema(standard_kinds());
    const SchemaValidator validator(schema);
    const auto accepts = [&](std::string_view member) {
        const std::string text =
            R"({ "bodies": [ { "name": "a", "type": "solid", "shape": { "sphere": { "center": [0, 0, 0], "radius": 1 } }, )" +
            std::string(member) + " } ] }";
        const bool is_accepted = validator.accepts(parse_document(text, "a.json"));
        EXPECT_EQ(is_accepted, parse_error(text) == "no error") << parse_error(text);
        return is_accepted;
    };
    const std::string region =
        R"("regions": [ { "name": "b", "shape": { "sphere": { "center": [0, 0, 0], "radius": 1 } })";
    for (const std::string& member :
         {std::string(R"("material": "jelly")"),
          std::string(R"("material": { "from": "steel", "damping": 1 })"),
          std::string(R"("material": { "density": 1, "youngs_modulus": 1, "poisson_ratio": 0 })"),
          std::string(R"("solver": { "type": "implicit", "time_step": "10 ms" })"),
          region + R"(, "motion": "fixed" } ])", region + R"(, "force": [0, 0, "= t"] } ])",
          region + R"(, "temperature": "300 K" } ])",
          region + R"(, "motion": "fixed", "air": { "temperature": 300, "exchange": 10 } } ])"}) {
        SCOPED_TRACE(member);
        EXPECT_TRUE(accepts(member));
    }
    for (const std::string& member :
         {std::string(R"("material": "water")"), std::string(R"("material": { "density": 1 })"),
          std::string(R"("material": { "from": "jelly", "stiffness": [1] })"),
          std::string(R"("solver": { "type": "dfsph" })"), std::string(R"("support_ratio": 5)"),
          std::string(R"("skin": { "detail": 513 })"), region + " } ]",
          region + R"(, "motion": "fixed", "pressure": 1 } ])"}) {
        SCOPED_TRACE(member);
        EXPECT_FALSE(accepts(member));
    }
}

TEST(SceneSchema, is_draft_7_and_recursive_for_shapes)
{
    const Node schema = scene_schema(standard_kinds());
    EXPECT_EQ(schema.find("$schema")->text(), "http://json-schema.org/draft-07/schema#");
    for (const char* name : {"shape_2d", "shape_3d"}) {
        const Node* shape = schema.find("definitions")->find(name);
        ASSERT_NE(shape, nullptr);
        const Node* items = shape->find("properties")->find("union")->find("items");
        EXPECT_EQ(items->find("$ref")->text(), "#/definitions/" + std::string(name));
    }
}

TEST(SceneTable, has_a_row_for_every_parameter)
{
    const std::string table = scene_table(standard_kinds());
    for (const char* row :
         {"| `dimension` |", "| `domain.sides.z` |", "| `bodies[](fluid).shape.torus.tube` |",
          "| `bodies[](fluid).solver(wcsph).courant_number` |", "| `obstacles[].motion.keys[].move` |",
          "| `bodies[](solid).material.youngs_modulus` |", "| `bodies[](solid).regions[].spring.to` |",
          "| `bodies[](solid).solver(quasi_static).tolerance` |", "| `bodies[](solid).skin.detail` |",
          "| `probes[].line.count` |", "| `output.double_precision` |", "| `render.camera.look_at` |"}) {
        SCOPED_TRACE(row);
        EXPECT_NE(table.find(row), std::string::npos);
    }
}

} // namespace
} // namespace phyxel::scene_schema_test
