// SPDX-License-Identifier: MIT
// Bodies in domains that repeat: where a side is makes no difference.
#include "scene/scene_support.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace phyxel::periodic_test {
namespace {

/// Two bodies on a floor that repeats after a metre. The second is at rest, half a metre to the right of the
/// first, which comes to it; `left` is where all of it begins.
std::string meeting(const std::string& first, const std::string& second, double left)
{
    const auto at = [&](double x) { return std::to_string(left + x); };
    const auto box = [&](double from, double to) {
        return R"("shape": { "box": { "min": [)" + at(from) + ", 0], \"max\": [" + at(to) + R"(, 0.2] } })";
    };
    const auto material = [](const std::string& kind) -> std::string {
        if (kind == "fluid") return "";
        return R"(, "material": { )" + std::string(kind == "solid" ? R"("from": "jelly", )" : "") +
               R"("density": 500, "friction": 0 })";
    };
    const auto type = [&](const std::string& kind) {
        return kind == "obstacle" ? std::string() : R"(, "type": ")" + kind + '"' + material(kind);
    };
    const std::string a = R"({ "name": "a", )" + box(0.1, 0.3) + type(first) + R"(, "velocity": [2, 0] })";
    const std::string b = R"({ "name": "b", )" + box(0.4, 0.6) + type(second) + " }";
    const bool is_obstacle = second == "obstacle";
    return R"({ "dimension": 2, "duration": 0.2, "frame_rate": 10, "spacing": "2 cm",
                "domain": { "min": [0, 0], "max": [1, 0.5], "sides": { "x": "periodic" } },
                "bodies": [ )" +
           a + (is_obstacle ? "" : ", " + b) + " ]" + (is_obstacle ? R"(, "obstacles": [ )" + b + " ]" : "") +
           " }";
}

/// Mean places and velocities of the bodies after 0.2 s; the places within a period from `left` on.
std::map<std::string, std::pair<Vec<2>, Vec<2>>> run(const std::string& text, double left)
{
    BuiltScene built = build(text);
    World<2>& world = *std::get<std::unique_ptr<World<2>>>(built.world);
    while (world.frame() < 2 && world.advance_frame()) {}
    EXPECT_FALSE(world.failure()) << to_text(*world.failure());
    std::map<std::string, std::pair<Vec<2>, Vec<2>>> found;
    for (std::size_t k = 0; k < world.body_count(); ++k) {
        const ParticleView<2> view = world.body(k).particles();
        const std::vector<std::string> names = world.body(k).parts();
        for (std::uint32_t part = 0; part < names.size(); ++part) {
            Vec<2> place = Vec<2>::Zero(), velocity = Vec<2>::Zero();
            double count = 0.0;
            for (std::size_t i = 0; i < view.positions.size(); ++i) {
                if (view.parts[i] != part) continue;
                const double along = view.positions[i][0] - left;
                place += Vec<2>(along - std::floor(along), view.positions[i][1]);
                velocity += view.velocities[i];
                count += 1.0;
            }
            found[names[part]] = {place / count, velocity / count};
        }
    }
    return found;
}

class PeriodicSides : public testing::TestWithParam<std::pair<std::string, std::string>> {};

TEST_P(PeriodicSides, bodies_meet_across_them_as_they_do_elsewhere)
{
    const auto& [first, second] = GetParam();
    // Once in the middle of the domain, once where the one comes from the last half of it and the other is
    // cut in two by the side.
    const auto within = run(meeting(first, second, 0.0), 0.0);
    const auto across = run(meeting(first, second, 0.5), 0.5);
    ASSERT_EQ(within.size(), across.size());
    for (const auto& [name, there] : within) {
        SCOPED_TRACE(name);
        EXPECT_NEAR(across.at(name).first[0], there.first[0], 2e-3);
        EXPECT_NEAR(across.at(name).first[1], there.first[1], 2e-3);
        EXPECT_NEAR(across.at(name).second[0], there.second[0], 0.03);
    }
    // They did meet.
    if (within.contains("b")) {
        EXPECT_GT(within.at("b").second[0], 0.2);
    }
    EXPECT_LT(within.at("a").second[0], 1.8);
}

INSTANTIATE_TEST_SUITE_P(Kinds, PeriodicSides,
                         testing::Values(std::pair("rigid", "rigid"), std::pair("rigid", "obstacle"),
                                         std::pair("solid", "solid"), std::pair("solid", "obstacle"),
                                         std::pair("solid", "rigid"), std::pair("rigid", "solid"),
                                         std::pair("fluid", "rigid"), std::pair("fluid", "solid")),
                         [](const auto& pair) { return pair.param.first + "_and_" + pair.param.second; });

TEST(PeriodicBodies, come_back_in_one_piece)
{
    for (const std::string type : {"rigid", "solid"}) {
        SCOPED_TRACE(type);
        BuiltScene built = build(R"({ "dimension": 2, "duration": 2, "frame_rate": 10, "spacing": "2 cm",
            "gravity": [0, 0], "domain": { "min": [0, 0], "max": [1, 1], "sides": { "x": "periodic", "y": "periodic" } },
            "bodies": [ { "name": "a", "type": ")" +
                                 type + R"(", "material": ")" +
                                 std::string(type == "solid" ? "jelly" : "wood") + R"(", "velocity": [3, 1],
                          "shape": { "sphere": { "center": [0.5, 0.5], "radius": 0.1 } } } ] })");
        World<2>& world = *std::get<std::unique_ptr<World<2>>>(built.world);
        while (world.frame() < 20 && world.advance_frame()) {
            const BodyTotals<2> total = world.totals().front();
            EXPECT_LT(total.bounds.longest_side(), 0.21);
            const double time = world.time();
            for (int k = 0; k < 2; ++k) {
                const double x = 0.5 + time * (k == 0 ? 3.0 : 1.0);
                EXPECT_NEAR(std::remainder(total.center[k] - x, 1.0), 0.0, 1e-9);
                EXPECT_GE(total.center[k], -1e-9);
                EXPECT_LE(total.center[k], 1.0 + 1e-9);
            }
        }
    }
}

TEST(PeriodicBodies, that_have_fused_pass_the_side_as_one)
{
    const auto body = [](const char* name, const char* other, double from) {
        return R"({ "name": ")" + std::string(name) + R"(", "type": "solid", "merges_with": [")" + other +
               R"("], "velocity": [2, 0], "shape": { "box": { "min": [)" + std::to_string(from) +
               R"(, 0.1], "max": [)" + std::to_string(from + 0.1) +
               R"(, 0.2] } }, "material": { "density": 1000, "youngs_modulus": "40 kPa", "poisson_ratio": 0.4,
                  "viscosity": 20, "flows": true } })";
    };
    BuiltScene built =
        build(R"({ "dimension": 2, "duration": 0.4, "frame_rate": 10, "spacing": "2 cm", "gravity": [0, 0],
        "domain": { "min": [0, 0], "max": [1, 0.5], "sides": { "x": "periodic" } }, "bodies": [ )" +
              body("a", "b", 0.7) + ", " + body("b", "a", 0.8) + " ] }");
    World<2>& world = *std::get<std::unique_ptr<World<2>>>(built.world);
    const double before = world.totals()[0].kinetic_energy + world.totals()[1].kinetic_energy;
    while (world.frame() < 4 && world.advance_frame()) {}
    ASSERT_FALSE(world.failure()) << to_text(*world.failure());
    const double after = world.totals()[0].kinetic_energy + world.totals()[1].kinetic_energy;
    EXPECT_NEAR(after, before, 1e-3 * before);
}

TEST(PeriodicBodies, that_are_longer_than_a_period_are_refused)
{
    EXPECT_EQ(
        build_error(R"({ "dimension": 2, "spacing": "2 cm",
        "domain": { "min": [0, 0], "max": [1, 1], "sides": { "x": "periodic" } },
        "bodies": [ { "name": "a", "type": "rigid", "shape": { "box": { "min": [0, 0], "max": [1.2, 0.2] } } } ] })"),
        "a.json:3:62: bodies[0].shape: the body is 1.2 m long along x, where all repeats after 1 m, make it "
        "smaller, or the domain larger");
}

TEST(PeriodicBodies, must_not_begin_within_an_image_of_another)
{
    EXPECT_EQ(
        build_error(R"({ "dimension": 2, "spacing": "2 cm",
        "domain": { "min": [0, 0], "max": [1, 1], "sides": { "x": "periodic" } }, "bodies": [
        { "name": "a", "type": "rigid", "shape": { "box": { "min": [0.05, 0], "max": [0.2, 0.2] } } },
        { "name": "b", "type": "rigid", "shape": { "box": { "min": [0.8, 0], "max": [1.1, 0.2] } } } ] })"),
        "a.json:4:50: bodies[1].shape: the body is 0.05 m deep in bodies[0] (a), move one of them, or cut it "
        "with a \"difference\"");
}

} // namespace
} // namespace phyxel::periodic_test
