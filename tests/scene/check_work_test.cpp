// SPDX-License-Identifier: MIT
// All that takes long in a check is counted before it is done, and named where it is too much.
#include "scene_support.h"

#include <phyxel/core/work_budget.h>

#include <gtest/gtest.h>

#include <string>

namespace phyxel::check_work_test {
namespace {

/// In units of WorkBudget, for a machine that can do anything.
double units_of(const std::string& text)
{
    constexpr double plenty = 1e12;
    const WorkBudget work(plenty);
    EXPECT_TRUE(check_scene(parse(text), large_machine(), work).is_whole);
    return plenty - work.left();
}

/// What a check with so many units gives up.
std::string given_up_of(const std::string& text, double units)
{
    const SceneCheck check = check_scene(parse(text), large_machine(), WorkBudget(units));
    EXPECT_FALSE(check.is_whole);
    return joined(check.warnings);
}

/// A little water far from a block, with this before the block's material.
std::string water_and_block(const std::string& type, const std::string& more = "")
{
    return R"({ "gravity": [0, 0, 0], "bodies": [
        { "name": "water", "type": "fluid", "spacing": 0.02,
          "shape": { "box": { "min": [2, 2, 2], "max": [2.08, 2.08, 2.08] } } },
        { "name": "block", "type": ")" +
           type + R"(", "spacing": 0.1, )" + more +
           R"("shape": { "box": { "min": [0, 0, 0], "max": [1, 1, 1] } } } ] })";
}

TEST(CheckWork, the_surface_of_a_rigid_body_is_counted_as_finely_as_a_fluid_needs_it)
{
    // Two points for each spacing of the fluid along six faces, of which half are counted.
    constexpr double points = 3.0 * 100.0 * 100.0, point_work = 300.0;
    const std::string text = water_and_block("rigid");
    EXPECT_GT(units_of(text), points * point_work);
    const std::string warnings = given_up_of(text, 0.9 * points * point_work);
    EXPECT_NE(warnings.find("bodies[1].shape: "), std::string::npos) << warnings;
    EXPECT_NE(warnings.find("given up"), std::string::npos) << warnings;
}

TEST(CheckWork, the_surface_of_a_solid_is_counted_as_finely_as_a_fluid_needs_it)
{
    constexpr double points = 3.0 * 100.0 * 100.0, point_work = 300.0;
    const std::string text = water_and_block("solid", R"("skin": { "detail": 0 }, )");
    EXPECT_GT(units_of(text), points * point_work);
    const std::string warnings = given_up_of(text, 0.9 * points * point_work);
    EXPECT_NE(warnings.find("bodies[1].shape: "), std::string::npos) << warnings;
}

/// Water of a thousand particles, and what stands beside the bodies.
std::string water_with(const std::string& members)
{
    return R"({ "spacing": 0.1, "domain": { "min": [0, 0, 0], "max": [3, 3, 3] }, )" + members +
           R"("bodies": [ { "name": "water", "type": "fluid",
               "shape": { "box": { "min": [0, 0, 0], "max": [1, 1, 1] } } } ] })";
}

/// A list of this key with so many of one item, the names of which are numbered.
std::string many(const std::string& key, int count, const std::string& members)
{
    std::string text = "\"" + key + "\": [ ";
    for (int i = 0; i < count; ++i)
        text += (i > 0 ? ", " : "") + (R"({ "name": "a)" + std::to_string(i)) + "\", " + members + " }";
    return text + " ], ";
}

TEST(CheckWork, every_look_from_an_obstacle_at_all_particles_is_counted)
{
    const auto units = [](int count) {
        return units_of(water_with(
            many("obstacles", count, R"("shape": { "sphere": { "center": [2, 2, 2], "radius": 0.1 } })")));
    };
    EXPECT_GT(units(100) - units(50), 50.0 * 1000.0 * 0.5);
}

TEST(CheckWork, every_look_from_a_probe_at_all_particles_is_counted)
{
    const auto units = [](int count) {
        return units_of(water_with(
            many("probes", count, R"("point": [0.5, 0.5, 0.5], "body": "water", "field": "pressure")")));
    };
    EXPECT_GE(units(100) - units(50), 50.0 * 1000.0 * 0.5);
}

TEST(CheckWork, every_place_of_a_line_is_counted_for_every_obstacle)
{
    const std::string obstacles =
        many("obstacles", 50, R"("shape": { "sphere": { "center": [2, 2, 2], "radius": 0.1 } })");
    const auto units = [&](int places) {
        return units_of(water_with(obstacles + R"("probes": [ { "name": "p", "field": "pressure",
            "line": { "from": [0, 0, 0], "to": [1, 1, 1], "count": )" +
                                   std::to_string(places) + " } } ], "));
    };
    EXPECT_GT(units(1000) - units(500), 500.0 * 50.0);
}

TEST(CheckWork, rigid_bodies_are_compared_with_obstacles_within_the_work)
{
    const auto text = [](int obstacles) {
        return R"({ "spacing": 0.2, "gravity": [0, 0, 0], )" +
               many("obstacles", obstacles,
                    R"("shape": { "sphere": { "center": [2, 2, 2], "radius": 0.1 } })") +
               R"("bodies": [ { "name": "block", "type": "rigid",
                   "shape": { "box": { "min": [0, 0, 0], "max": [1, 1, 1] } } } ] })";
    };
    // Contact points, a dozen along each side of its faces.
    EXPECT_GT(units_of(text(40)) - units_of(text(20)), 20.0 * 6.0 * 100.0);
}

} // namespace
} // namespace phyxel::check_work_test
