// SPDX-License-Identifier: MIT
// What comes later, fluid or body, finds its room as it would at the start.
#include "scene/scene_support.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <variant>

namespace phyxel::newcomers_test {
namespace {

std::string scene_of(const std::string& bodies, const std::string& more = "")
{
    return R"({ "dimension": 2, "duration": 0.2, "frame_rate": 20, "spacing": "2 cm",
                "domain": { "min": [0, 0], "max": [1, 1] }, "bodies": [ )" +
           bodies + " ]" + more + " }";
}

std::string water(const std::string& more)
{
    return R"({ "name": "water", "type": "fluid", "shape": { "box": { "min": [0, 0], "max": [1, 0.4] } })" +
           more + " }";
}

std::string crate(const std::string& type, const std::string& more)
{
    return R"({ "name": "crate", "type": ")" + type +
           R"(", "shape": { "box": { "min": [0.4, 0.1], "max": [0.6, 0.3] } })" +
           (type == "solid" ? R"(, "material": "rubber")" : R"(, "material": { "density": "1000 kg/m^3" })") +
           more + " }";
}

/// The first of a kind is there from the beginning; these fall, and do not reach the water.
std::string high_up(const std::string& type)
{
    return R"({ "name": "first )" + type + R"(", "type": ")" + type +
           R"(", "shape": { "box": { "min": [0.1, 0.8], "max": [0.2, 0.9] } })" +
           (type == "solid" ? R"(, "material": "rubber" }, )" : " }, ");
}

struct Seen {
    std::size_t within = 0; ///< particles of water deeper in the crate than a spacing
    std::size_t count = 0;  ///< of all water
    double fastest = 0.0;   ///< [m/s]
    double removed = 0.0;
};

Seen run(const std::string& text)
{
    BuiltScene built = build(text);
    World<2>& world = *std::get<std::unique_ptr<World<2>>>(built.world);
    Seen seen;
    while (world.frame() < 4 && world.advance_frame()) seen.removed += world.report().statistics.removed;
    EXPECT_FALSE(world.failure()) << to_text(*world.failure());
    Vec<2> center = Vec<2>::Zero();
    for (const BodyTotals<2>& total : world.totals())
        if (total.name == "crate") center = total.center;
    for (std::size_t k = 0; k < world.body_count(); ++k) {
        const ParticleView<2> particles = world.body(k).particles();
        const std::vector<std::string> names = world.body(k).parts();
        for (std::size_t i = 0; i < particles.size(); ++i) {
            if (names[particles.parts[i]] != "water") continue;
            ++seen.count;
            seen.within += (particles.positions[i] - center).cwiseAbs().maxCoeff() < 0.08;
            seen.fastest = std::max(seen.fastest, particles.velocities[i].norm());
        }
    }
    return seen;
}

/// Gaps of a spacing that close make 0.6 m/s; what begins in each other bursts apart at many m/s.
constexpr double quiet = 1.0;

class Newcomers : public testing::TestWithParam<std::string> {};

/// 2,500 places of a centimetre less than 1,000: 100 are in the crate, 24 more beside it.
TEST_P(Newcomers, find_room_in_water)
{
    const Seen seen =
        run(scene_of(high_up(GetParam()) + water("") + ", " + crate(GetParam(), R"(, "start": 0.06)")));
    EXPECT_EQ(seen.within, 0u);
    EXPECT_GE(seen.removed, 100.0);
    EXPECT_LE(seen.removed, 144.0);
    EXPECT_EQ(static_cast<double>(seen.count), 1000.0 - seen.removed);
    EXPECT_LT(seen.fastest, quiet);
}

TEST_P(Newcomers, that_are_water_keep_out_of_bodies)
{
    const Seen seen =
        run(scene_of(high_up("fluid") + crate(GetParam(), "") + ", " + water(R"(, "start": 0.06)")));
    EXPECT_EQ(seen.within, 0u);
    EXPECT_LE(seen.count, 900u);
    EXPECT_GE(seen.count, 856u);
    EXPECT_LT(seen.fastest, quiet);
}

TEST_P(Newcomers, that_are_ignored_push_no_water_away)
{
    const Seen seen = run(scene_of(high_up(GetParam()) + water("") + ", " +
                                   crate(GetParam(), R"(, "start": 0.06, "ignores": ["water"])")));
    EXPECT_EQ(seen.removed, 0.0);
    EXPECT_EQ(seen.count, 1000u);
}

INSTANTIATE_TEST_SUITE_P(Kinds, Newcomers, testing::Values("solid", "rigid"));

TEST(Newcomers, from_an_emitter_keep_out_of_bodies)
{
    const Seen seen = run(scene_of(
        R"({ "name": "water", "type": "fluid", "shape": { "box": { "min": [0, 0], "max": [0.1, 0.1] } } }, )" +
            crate("rigid", ""),
        R"(, "gravity": [0, 0], "emitters": [ { "name": "tap", "body": "water",
             "shape": { "box": { "min": [0.44, 0.28], "max": [0.7, 0.3] } }, "velocity": [0, 1] } ])"));
    EXPECT_EQ(seen.within, 0u);
}

TEST(Rigid, estimates_count_the_poses)
{
    const BuiltScene built = build(scene_of(crate("rigid", "")));
    const double rows = 5 * (8 * 20 + 6 + 5);
    const auto particles = static_cast<double>(built.estimate.particles);
    EXPECT_NEAR(built.estimate.disk, 5 * (particles * 32 + 1000) + 3 * particles * 32 + rows, 1.0);
}

} // namespace
} // namespace phyxel::newcomers_test
