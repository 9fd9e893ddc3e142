// SPDX-License-Identifier: MIT
// Judging a scene with limited work, and the advice that it gives.
#include "scene_support.h"

#include "../support/temporary_folder.h"

#include <phyxel/core/rng.h>
#include <phyxel/core/work_budget.h>
#include <phyxel/kinds/standard_kinds.h>

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <numbers>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace phyxel::check_test {
namespace {

const std::string domain = R"("domain": { "min": [0, 0, 0], "max": [1, 1, 1] })";

std::string with_shape(std::string_view shape, std::string_view members, std::string_view type = "fluid")
{
    return R"({ "bodies": [ { "name": "a", "type": ")" + std::string(type) + R"(", "shape": )" +
           std::string(shape) + " } ], " + std::string(members) + " }";
}

const std::string cube = R"({ "box": { "min": [0, 0, 0], "max": [1, 1, 1] } })";

TEST(CheckScene, says_what_building_would_say)
{
    const Scene scene = parse(with_shape(R"({ "sphere": { "center": [0.5, 0.5, 0.9], "radius": 0.2 } })",
                                         R"("spacing": 0.05, )" + domain));
    const BuiltScene built = build_scene(scene, large_machine());
    const SceneCheck check = check_scene(scene, large_machine());
    EXPECT_TRUE(check.is_whole);
    EXPECT_NE(joined(built.warnings), "");
    EXPECT_EQ(joined(check.warnings), joined(built.warnings));
    EXPECT_EQ(check.estimate.particles, built.estimate.particles);
    EXPECT_EQ(check.estimate.memory, built.estimate.memory);
    EXPECT_EQ(check.estimate.steps, built.estimate.steps);
}

TEST(CheckScene, gives_up_on_what_takes_too_long_names_it_and_estimates_it_all_the_same)
{
    const std::string text = with_shape(cube, R"("count": 4000, )" + domain);
    const BuiltScene built = build(text);
    const SceneCheck check = check_scene(parse(text), large_machine(), WorkBudget(1e5));
    EXPECT_FALSE(check.is_whole);
    EXPECT_NE(joined(check.warnings).find("bodies[0].shape: 4096 particles take too long"), std::string::npos)
        << joined(check.warnings);
    EXPECT_NE(joined(check.warnings).find("given up"), std::string::npos);
    EXPECT_EQ(check.estimate.particles, built.estimate.particles);
    EXPECT_EQ(check.estimate.memory, built.estimate.memory);
    EXPECT_NEAR(static_cast<double>(check.estimate.steps), static_cast<double>(built.estimate.steps),
                0.1 * static_cast<double>(built.estimate.steps));
}

TEST(CheckScene, many_millions_of_particles_are_estimated_without_any_of_them)
{
    const SceneCheck check =
        check_scene(parse(with_shape(cube, R"("count": 100000000, )" + domain)), large_machine());
    EXPECT_FALSE(check.is_whole);
    EXPECT_NEAR(static_cast<double>(check.estimate.particles), 1e8, 3e6);
}

TEST(CheckScene, a_capsule_that_ends_in_space_is_refused_before_its_particles_are_counted)
{
    const Machine machine{.memory = 8e9, .cores = 2};
    const Scene scene =
        parse(with_shape(R"({ "capsule": { "from": [0, 0, 0], "to": [0, 0, 1000000], "radius": 0.1 } })",
                         R"("spacing": 0.02)"));
    const std::string error =
        error_of([&] { static_cast<void>(check_scene(scene, machine, WorkBudget(3e6))); });
    EXPECT_NE(error.find("of memory, and 8 GB are available"), std::string::npos) << error;
}

TEST(CheckScene, a_soup_of_triangles_is_given_up)
{
    const TemporaryFolder folder;
    Rng rng(7);
    std::ofstream file(folder / "soup.obj");
    constexpr int triangles = 2000;
    for (int i = 0; i < 3 * triangles; ++i) {
        const Vec<3> x = rng.point<3>(-1.0, 1.0);
        file << "v " << x[0] << ' ' << x[1] << ' ' << x[2] << '\n';
    }
    for (int i = 0; i < triangles; ++i)
        file << "f " << 3 * i + 1 << ' ' << 3 * i + 2 << ' ' << 3 * i + 3 << '\n';
    file.close();
    const Scene scene = Scene::parse(with_shape(R"({ "mesh": "soup.obj" })", R"("count": 20000)", "solid"),
                                     "a.json", folder.path(), standard_kinds());
    const SceneCheck check = check_scene(scene, large_machine(), WorkBudget(3e7));
    EXPECT_FALSE(check.is_whole);
    EXPECT_NE(joined(check.warnings).find("bodies[0].shape: "), std::string::npos) << joined(check.warnings);
    EXPECT_NE(joined(check.warnings).find("given up"), std::string::npos) << joined(check.warnings);
}

TEST(CheckScene, a_smooth_mesh_of_thousands_of_phyxels_is_looked_at_to_the_end)
{
    const TemporaryFolder folder;
    std::ofstream file(folder / "ball.obj");
    constexpr int rows = 20, columns = 40;
    for (int i = 0; i <= rows; ++i)
        for (int j = 0; j < columns; ++j) {
            const double polar = std::numbers::pi * i / rows, around = 2.0 * std::numbers::pi * j / columns;
            file << "v " << std::sin(polar) * std::cos(around) << ' ' << std::sin(polar) * std::sin(around)
                 << ' ' << std::cos(polar) << '\n';
        }
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j) {
            const int a = columns * i + j + 1, b = columns * i + (j + 1) % columns + 1;
            file << "f " << a << ' ' << a + columns << ' ' << b + columns << ' ' << b << '\n';
        }
    file.close();
    const Scene scene = Scene::parse(with_shape(R"({ "mesh": "ball.obj" })", R"("count": 5000)", "solid"),
                                     "a.json", folder.path(), standard_kinds());
    const SceneCheck check = check_scene(scene, large_machine());
    EXPECT_TRUE(check.is_whole) << joined(check.warnings);
}

TEST(CheckScene, five_hundred_fluids_in_one_place_are_refused_with_little_work)
{
    std::string text = R"({ "spacing": 0.05, "bodies": [ )";
    for (int i = 0; i < 500; ++i)
        text += (i > 0 ? ", " : "") + (R"({ "name": "f)" + std::to_string(i)) +
                R"(", "type": "fluid", "shape": { "box": { "min": [0, 0, 0], "max": [1, 1, 1] } } })";
    const Scene scene = parse(text + " ] }");
    const std::string error = error_of(
        [&] { static_cast<void>(check_scene(scene, {.memory = 8e9, .cores = 2}, WorkBudget(6e6))); });
    EXPECT_NE(error.find("fluids lie in each other, move them apart"), std::string::npos) << error;
}

/// A tap of this shape, and nothing else.
std::string with_emitter(const std::string& shape)
{
    return R"({ "spacing": 0.02, "bodies": [ { "name": "a", "type": "fluid" } ],
                "emitters": [ { "name": "tap", "body": "a", "shape": )" +
           shape + R"(, "velocity": [0, 0, -1] } ] })";
}

TEST(CheckScene, what_an_emitter_holds_at_the_start_is_looked_at_within_the_work_and_not_the_memory)
{
    // 4 million particles, for which the machine has plenty of memory.
    const SceneCheck check = check_scene(
        parse(with_emitter(R"({ "box": { "min": [0, 0, 0], "max": [3.2, 3.2, 3.2] } })")), large_machine());
    EXPECT_FALSE(check.is_whole);
    EXPECT_NE(joined(check.warnings).find("emitters[0].shape: "), std::string::npos)
        << joined(check.warnings);
    EXPECT_NE(joined(check.warnings).find("given up"), std::string::npos);
    EXPECT_EQ(joined(check.warnings).find("0 particles"), std::string::npos) << joined(check.warnings);
    EXPECT_GE(check.estimate.particles, 4'000'000u);
}

TEST(CheckScene, looks_through_the_shape_of_an_emitter_are_counted)
{
    // Lines graze many balls, so that there are many more looks than lines.
    std::string balls = R"({ "union": [ )";
    Rng rng(3);
    for (int i = 0; i < 40; ++i) {
        const Vec<3> x = rng.point<3>(-1.0, 1.0);
        balls += (i > 0 ? ", " : "") + (R"({ "sphere": { "center": [)" + std::to_string(x[0])) + ", " +
                 std::to_string(x[1]) + ", " + std::to_string(x[2]) + R"(], "radius": 0.1 } })";
    }
    const Scene scene = parse(with_emitter(balls + " ] }"));
    const WorkBudget work(1e12);
    static_cast<void>(check_scene(scene, large_machine(), work));
    // 128² lines and 100² columns on four lattices, each looked at some twenty times: 40 balls a look.
    EXPECT_GT(1e12 - work.left(), 5e4 * 20.0 * 40.0);
    const SceneCheck check = check_scene(scene, large_machine(), WorkBudget(1e7));
    EXPECT_FALSE(check.is_whole);
    EXPECT_NE(joined(check.warnings).find("emitters[0].shape: "), std::string::npos)
        << joined(check.warnings);
}

TEST(CheckScene, cracks_are_counted_by_their_area)
{
    const auto check = [](const std::string& cracks) {
        return check_scene(
            parse(R"({ "spacing": 0.1, "bodies": [ { "name": "a", "type": "solid", "material": "jelly",
                       "skin": { "detail": 0 }, "shape": )" +
                  cube + cracks + " } ] }"),
            large_machine(), WorkBudget(5e6));
    };
    EXPECT_TRUE(check("").is_whole);
    const SceneCheck cracked = check(
        R"(, "cracks": [ { "name": "c", "polygon": [[0.45, -0.1, 0.2], [0.45, 1.1, 0.2], [0.45, 1.1, 1.1], [0.45, -0.1, 1.1]] } ])");
    EXPECT_FALSE(cracked.is_whole);
    EXPECT_NE(joined(cracked.warnings).find("bodies[0].cracks[0]: "), std::string::npos)
        << joined(cracked.warnings);
}

TEST(CheckScene, building_stops_when_it_is_told_to)
{
    std::stop_source source;
    source.request_stop();
    const Scene scene = parse(with_shape(cube, R"("count": 1000, )" + domain));
    EXPECT_THROW(static_cast<void>(build_scene(scene, large_machine(), {}, WorkBudget(source.get_token()))),
                 WorkStopped);
    EXPECT_THROW(static_cast<void>(check_scene(scene, large_machine(), WorkBudget(source.get_token()))),
                 WorkStopped);
}

TEST(Estimate, fluids_in_each_other_have_as_many_neighbours_as_there_are_fluids)
{
    const auto fluids = [](int count, bool is_apart) {
        std::string text = R"({ "spacing": 0.1, "bodies": [ )";
        for (int i = 0; i < count; ++i) {
            const std::string x = std::to_string(is_apart ? 2 * i : 0);
            const std::string end = std::to_string(is_apart ? 2 * i + 1 : 1);
            text += (i > 0 ? ", " : "") + (R"({ "name": "f)" + std::to_string(i)) +
                    R"(", "type": "fluid", "shape": { "box": { "min": [)" + x + R"(, 0, 0], "max": [)" + end +
                    R"(, 1, 1] } } })";
        }
        return text + " ] }";
    };
    const Estimate apart = build(fluids(4, true)).estimate;
    const Estimate together = build(fluids(4, false)).estimate;
    EXPECT_EQ(together.particles, apart.particles);
    // Neighbour lists and gradients are 511 of the 1156 bytes of a particle, and grow fourfold.
    EXPECT_NEAR(together.memory / apart.memory, (645.0 + 4 * 511.0) / 1156.0, 0.02);
    EXPECT_GT(together.seconds, 3.0 * apart.seconds);
    const Machine small{.memory = 1.5 * apart.memory, .cores = 2};
    EXPECT_NE(build_error(fluids(4, false), small).find("fluids lie in each other, move them apart"),
              std::string::npos);
}

TEST(Estimate, thick_fluids_take_the_short_steps_that_viscosity_asks_for)
{
    const auto built = [](const std::string& material) {
        return build(
            R"({ "spacing": 0.004, "duration": 1, "domain": { "min": [0, 0, 0], "max": [1, 1, 1] }, "bodies": [
            { "name": "a", "type": "fluid", "material": ")" +
            material + R"(", "shape": { "box": { "min": [0, 0, 0], "max": [0.04, 0.04, 0.04] } } } ] })");
    };
    const BuiltScene honey = built("honey");
    const double h = honey.derived.find("support_radius")->number();
    const double longest = 0.03 * h * h * 1420.0 / 10.0;
    // Whole numbers of them between frames.
    EXPECT_NEAR(static_cast<double>(honey.estimate.steps), 1.0 / longest, 30.0);
    EXPECT_LT(static_cast<double>(built("water").estimate.steps), 0.5 / longest);
}

/// Of a run to its end.
std::uint64_t steps_made(const BuiltScene& built)
{
    return std::visit(
        [](const auto& world) {
            while (world->frame() < world->clock().last_frame() && world->advance_frame()) {}
            EXPECT_EQ(world->frame(), world->clock().last_frame());
            return world->step_count();
        },
        built.world);
}

TEST(Estimate, as_many_steps_are_made_as_were_foretold_or_half_or_twice_as_many)
{
    const std::string flat = R"("dimension": 2, "domain": { "min": [0, 0], "max": [1, 1] }, )";
    const std::string water =
        R"({ "name": "a", "type": "fluid", "shape": { "box": { "min": [0, 0], "max": [0.4, 0.6] } })";
    const auto block = [](const std::string& name, double low, const std::string& members) {
        return R"({ "name": ")" + name + R"(", "type": "solid", "shape": { "box": { "min": [0.3, )" +
               std::to_string(low) + R"(], "max": [0.7, )" + std::to_string(low + 0.2) + "] } }, " + members +
               " }";
    };
    const std::string jelly = R"("material": "jelly")";
    struct Case {
        std::string name, text;
    };
    const std::vector<Case> cases = {
        {"water", flat + R"("spacing": 0.04, "duration": 2, "bodies": [ )" + water + " } ]"},
        {"water at rest",
         flat + R"("spacing": 0.04, "duration": 1, "bodies": [ { "name": "a", "type": "fluid",
            "shape": { "box": { "min": [0, 0], "max": [1, 0.4] } } } ])"},
        {"weakly compressible", flat + R"("spacing": 0.05, "duration": 0.5, "bodies": [ )" + water +
                                    R"(, "solver": { "type": "wcsph" } } ])"},
        {"honey",
         flat + R"("spacing": 0.02, "duration": 0.3, "bodies": [ )" + water + R"(, "material": "honey" } ])"},
        {"thick by an event",
         flat + R"("spacing": 0.02, "duration": 0.6, "bodies": [ )" + water +
             R"( } ], "events": [ { "time": 0.3, "set": { "bodies.a.material.viscosity": 100 } } ])"},
        {"a block in flight",
         R"("dimension": 2, "spacing": 0.04, "duration": 0.5, "bodies": [ )" + block("a", 0.5, jelly) + " ]"},
        {"a block that falls",
         flat + R"("spacing": 0.04, "duration": 1, "bodies": [ )" + block("a", 0.5, jelly) + " ]"},
        {"blocks that fall on each other", flat + R"("spacing": 0.04, "duration": 1, "bodies": [ )" +
                                               block("a", 0.1, jelly) + ", " + block("b", 0.5, jelly) + " ]"},
        {"stiff by an event",
         flat + R"("spacing": 0.04, "duration": 0.6, "bodies": [ )" + block("a", 0.1, jelly) +
             R"( ], "events": [ { "time": 0.3, "set": { "bodies.a.material.youngs_modulus": 1e6 } } ])"},
        {"implicit", flat + R"("spacing": 0.04, "duration": 0.5, "bodies": [ )" +
                         block("a", 0.3, jelly + R"(, "solver": { "type": "implicit" })") + " ]"},
    };
    for (const Case& scene : cases) {
        SCOPED_TRACE(scene.name);
        const BuiltScene built = build("{ " + scene.text + " }");
        const auto foretold = static_cast<double>(built.estimate.steps);
        const auto made = static_cast<double>(steps_made(built));
        EXPECT_LT(foretold, 2.0 * made);
        EXPECT_GT(foretold, 0.5 * made);
    }
}

TEST(Estimate, what_an_event_makes_thick_takes_the_short_steps_from_then_on)
{
    const auto steps = [](const std::string& more) {
        return static_cast<double>(
            build(
                R"({ "spacing": 0.004, "duration": 1, "domain": { "min": [0, 0, 0], "max": [1, 1, 1] }, "bodies": [
            { "name": "a", "type": "fluid", "shape": { "box": { "min": [0, 0, 0], "max": [0.04, 0.04, 0.04] } })" +
                more)
                .estimate.steps);
    };
    const double thin = steps(" } ] }");
    const double thick = steps(R"(, "material": { "viscosity": 10 } } ] })");
    const double later =
        steps(R"( } ], "events": [ { "time": 0.75, "set": { "bodies.a.material.viscosity": 10 } } ] })");
    EXPECT_GT(thick, 4.0 * thin);
    EXPECT_NEAR(later, thin + 0.25 * thick, 0.25 * thin);
}

TEST(Estimate, steps_end_at_every_frame)
{
    const BuiltScene built =
        build(R"({ "dimension": 2, "spacing": 0.04, "duration": 1, "frame_rate": 30, "bodies": [
        { "name": "a", "type": "solid", "shape": { "box": { "min": [0, 0], "max": [0.4, 0.2] } },
          "solver": { "type": "implicit", "time_step": 0.012 } } ] })");
    // 33 ms take three steps of 12 ms.
    EXPECT_EQ(built.estimate.steps, 90u);
    EXPECT_EQ(steps_made(built), 90u);
}

TEST(Advice, a_count_is_met_by_a_spacing_that_divides_boxes_between_walls)
{
    // 3.5 particles fit across with the spacing that the count asks for; 4 do with one that is a little
    // smaller.
    const std::string column =
        R"({ "count": 1320, "domain": { "min": [0, 0, 0], "max": [0.1, 0.1, 5] }, "bodies": [
            { "name": "a", "type": "fluid", "shape": { "box": { "min": [0, 0, 0], "max": [0.1, 0.1, 3] } } } ] })";
    const BuiltScene built = build(column);
    const double spacing = built.derived.find("spacing")->number();
    EXPECT_NEAR(0.1 / spacing, std::round(0.1 / spacing), 1e-6) << spacing;
    EXPECT_LT(built.derived.find("initial_largest_compression")->number(), 0.01);
    EXPECT_EQ(joined(built.warnings), "");
}

TEST(Advice, warns_of_rotations_that_were_meant_in_degrees)
{
    const auto warnings = [](const std::string& rotate) {
        return joined(
            build(with_shape(R"({ "box": { "min": [0.3, 0.3, 0.3], "max": [0.7, 0.7, 0.6] }, "rotate": )" +
                                 rotate + " }",
                             R"("spacing": 0.05, )" + domain))
                .warnings);
    };
    EXPECT_NE(warnings("[0, 0, 30]").find("bodies[0].shape.rotate: a rotation by 30 rad is 4.77 turns"),
              std::string::npos)
        << warnings("[0, 0, 30]");
    EXPECT_EQ(warnings(R"([0, 0, "30 deg"])"), "");
    EXPECT_EQ(warnings("[0, 0, -1.5]"), "");
}

TEST(Advice, warns_of_gravity_that_nothing_stops)
{
    const std::string ball = R"({ "sphere": { "center": [0.5, 0.5, 0.5], "radius": 0.3 } })";
    const auto warnings = [&](const std::string& members) {
        return joined(build(with_shape(ball, R"("spacing": 0.05, )" + members)).warnings);
    };
    EXPECT_NE(warnings(R"("duration": 2)")
                  .find("gravity: there is neither a domain nor an obstacle, so all falls 20 m"),
              std::string::npos)
        << warnings(R"("duration": 2)");
    EXPECT_EQ(warnings(R"("duration": 2, "gravity": [0, 0, 0])"), "");
    EXPECT_EQ(warnings(R"("duration": "0.1 s")"), "") << "it ends before it is out of sight";
    EXPECT_EQ(warnings(R"("duration": 2, )" + domain), "");
}

} // namespace
} // namespace phyxel::check_test
