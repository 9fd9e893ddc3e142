// SPDX-License-Identifier: MIT
// Bodies that ignore each other go on as if they were alone.
#include "scene/scene_support.h"

#include <phyxel/scene/document.h>
#include <phyxel/scene/live_scene.h>

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace phyxel::strangers_test {
namespace {

/// A square of 20 cm in the plane.
std::string body(const std::string& name, const std::string& type, double x, const std::string& more)
{
    const std::string left = std::to_string(x), right = std::to_string(x + 0.2);
    return R"({ "name": ")" + name + R"(", "shape": { "box": { "min": [)" + left + R"(, 0], "max": [)" +
           right + R"(, 0.2] } })" + (type == "obstacle" ? "" : R"(, "type": ")" + type + '"') +
           (type == "solid" ? R"(, "material": "jelly")" : "") + more + " }";
}

/// The first moves through the second, or through where it would be.
std::string meeting(const std::string& first, const std::string& second, const std::string& of_first,
                    const std::string& of_second, double gap)
{
    const std::string a = body("a", first, 0, R"(, "velocity": [1, 0])" + of_first);
    const std::string b = body("b", second, 0.2 + gap, of_second);
    const bool is_obstacle = second == "obstacle";
    return R"({ "dimension": 2, "duration": 0.3, "frame_rate": 10, "spacing": "2 cm", "gravity": [0, 0],
                "bodies": [ )" +
           a + (is_obstacle ? "" : ", " + b) + " ]" + (is_obstacle ? R"(, "obstacles": [ )" + b + " ]" : "") +
           " }";
}

/// Centres of all bodies after 0.3 s.
std::map<std::string, Vec<2>> run(const std::string& text)
{
    BuiltScene built = build(text);
    World<2>& world = *std::get<std::unique_ptr<World<2>>>(built.world);
    while (world.frame() < 3 && world.advance_frame()) {}
    EXPECT_FALSE(world.failure()) << to_text(*world.failure());
    std::map<std::string, Vec<2>> centers;
    for (const BodyTotals<2>& total : world.totals()) centers.emplace(total.name, total.center);
    return centers;
}

class Strangers : public testing::TestWithParam<std::pair<std::string, std::string>> {};

TEST_P(Strangers, feel_each_other_if_nobody_says_otherwise)
{
    const auto& [first, second] = GetParam();
    EXPECT_LT(run(meeting(first, second, "", "", 0.04)).at("a")[0], 0.1 + 0.29);
}

TEST_P(Strangers, pass_through_each_other_whoever_of_them_says_so)
{
    const auto& [first, second] = GetParam();
    for (const bool is_first : {true, false}) {
        SCOPED_TRACE(is_first);
        const auto centers = run(meeting(first, second, is_first ? R"(, "ignores": ["b"])" : "",
                                         is_first ? "" : R"(, "ignores": ["a"])", 0.04));
        EXPECT_NEAR(centers.at("a")[0], 0.1 + 0.3, 1e-5);
        EXPECT_NEAR(centers.at("a")[1], 0.1, 1e-5);
        if (centers.contains("b")) {
            EXPECT_NEAR(centers.at("b")[0], 0.34, 1e-5);
        }
    }
}

TEST_P(Strangers, may_begin_within_each_other)
{
    const auto& [first, second] = GetParam();
    const std::string ignoring = meeting(first, second, R"(, "ignores": ["b"])", "", -0.1);
    const SceneCheck check = check_scene(parse(ignoring), large_machine());
    EXPECT_EQ(check.warnings, std::vector<std::string>());
    EXPECT_NEAR(run(ignoring).at("a")[0], 0.1 + 0.3, 1e-5);
}

INSTANTIATE_TEST_SUITE_P(Kinds, Strangers,
                         testing::Values(std::pair("fluid", "obstacle"), std::pair("solid", "obstacle"),
                                         std::pair("rigid", "obstacle"), std::pair("fluid", "fluid"),
                                         std::pair("fluid", "solid"), std::pair("fluid", "rigid"),
                                         std::pair("solid", "fluid"), std::pair("solid", "solid"),
                                         std::pair("solid", "rigid"), std::pair("rigid", "fluid"),
                                         std::pair("rigid", "solid"), std::pair("rigid", "rigid")),
                         [](const auto& pair) { return pair.param.first + "_and_" + pair.param.second; });

TEST(StrangersInScenes, nothing_ignores_itself_or_nobody)
{
    EXPECT_EQ(parse_error(meeting("rigid", "rigid", R"(, "ignores": ["a"])", "", 0.1)),
              "a.json:2:163: bodies[0].ignores[0]: nothing ignores itself, leave it out");
    EXPECT_EQ(parse_error(meeting("rigid", "rigid", R"(, "ignores": ["c"])", "", 0.1)),
              R"(a.json:2:163: bodies[0].ignores[0]: there is no body or obstacle named "c", known: a, b)");
    EXPECT_EQ(parse_error(meeting("rigid", "obstacle", "", R"(, "ignores": ["b", "x"])", 0.1)),
              "a.json:2:267: obstacles[0].ignores[0]: nothing ignores itself, leave it out\n"
              R"(a.json:2:272: obstacles[0].ignores[1]: there is no body named "x", known: a)");
}

TEST(StrangersInScenes, what_is_dropped_in_ignores_whom_it_says)
{
    const std::string floor = R"({ "dimension": 2, "duration": 1, "frame_rate": 10, "spacing": "2 cm",
      "bodies": [ { "name": "a", "type": "rigid", "shape": { "sphere": { "center": [5, 0.5], "radius": 0.1 } } } ],
      "obstacles": [ { "name": "floor", "shape": { "box": { "min": [-1, -0.1], "max": [9, 0] } } } ] })";
    LiveScene live(parse(floor), large_machine());
    live.add_body(parse_document(R"({ "name": "b", "type": "rigid", "ignores": ["floor"],
      "shape": { "sphere": { "center": [0, 0.2], "radius": 0.1 } } })",
                                 "value"));
    World<2>& world = *std::get<std::unique_ptr<World<2>>>(live.built().world);
    while (world.frame() < 5 && world.advance_frame()) {}
    for (const BodyTotals<2>& total : world.totals())
        if (total.name == "b") {
            EXPECT_LT(total.center[1], -0.5);
        }
}

} // namespace
} // namespace phyxel::strangers_test
