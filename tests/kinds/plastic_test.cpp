// SPDX-License-Identifier: MIT
// Solids that flow, in scenes.
#include "scene/scene_support.h"

#include <phyxel/core/buffer.h>
#include <phyxel/io/checkpoint.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace phyxel::plastic_test {
namespace {

/// A block that a stamp presses to half its height and lets go.
std::string pressed(const std::string& solver, const std::string& flow)
{
    return R"({ "dimension": 2, "duration": 1, "frame_rate": 10, "spacing": "2 cm", "gravity": [0, 0],
      "domain": { "min": [-1, 0], "max": [1, 1] },
      "bodies": [ { "name": "block", "type": "solid", "shape": { "box": { "min": [-0.1, 0], "max": [0.1, 0.2] } },
          "material": { "density": 1000, "youngs_modulus": "300 kPa", "poisson_ratio": 0.4, "damping": "5 1/s",
                        "friction": 0.05, )" +
           flow + R"( },
          "solver": { )" +
           solver + R"( } } ],
      "obstacles": [ { "name": "stamp", "shape": { "box": { "min": [-0.5, 0.2], "max": [0.5, 0.3] } },
          "motion": { "keys": [ { "time": 0, "move": [0, 0] }, { "time": 0.5, "move": [0, -0.1] },
                                { "time": 0.6, "move": [0, 0.2] } ] } } ] })";
}

BodyTotals<2> at_end(const std::string& text)
{
    BuiltScene built = build(text);
    World<2>& world = *std::get<std::unique_ptr<World<2>>>(built.world);
    while (world.frame() < 7 && world.advance_frame()) {}
    EXPECT_FALSE(world.failure()) << to_text(*world.failure());
    return world.totals().front();
}

const std::string clay = R"("yield_stress": "10 kPa")";
const std::vector<std::string> solvers = {R"("type": "leapfrog")",
                                          R"("type": "implicit", "time_step": "10 ms")"};

TEST(PlasticScene, what_is_pressed_to_half_stays_so_and_keeps_its_volume)
{
    for (const std::string& solver : solvers) {
        SCOPED_TRACE(solver);
        const BodyTotals<2> total = at_end(pressed(solver, clay));
        EXPECT_NEAR(total.volume, 0.04, 0.01 * 0.04);
        EXPECT_LT(total.bounds.size()[1], 0.12 * 0.9);
        EXPECT_GT(total.bounds.size()[0], 0.18 * 1.5);
    }
}

TEST(PlasticScene, what_creeps_forgets_the_more_the_longer_it_is_pressed)
{
    const auto height = [](const char* rate) {
        return at_end(pressed(solvers[1], clay + R"(, "plastic_flow": "creep", "creep_rate": )" + rate))
            .bounds.size()[1];
    };
    const double slow = height("0.1"), fast = height("20");
    EXPECT_GT(slow, 0.165);
    EXPECT_LT(fast, 0.12);
}

TEST(PlasticScene, has_the_same_bits_after_a_restart)
{
    for (const std::string& solver : solvers) {
        const std::string text = pressed(solver, clay);
        BuiltScene built = build(text), again = build(text);
        World<2>& whole = *std::get<std::unique_ptr<World<2>>>(built.world);
        World<2>& resumed = *std::get<std::unique_ptr<World<2>>>(again.world);
        while (whole.frame() < 4 && whole.advance_frame()) {}
        CheckpointWriter checkpoint;
        whole.save(checkpoint);
        const std::vector<std::byte> bytes = checkpoint.encode();
        Buffer<std::byte> content(bytes.size());
        std::copy(bytes.begin(), bytes.end(), content.data());
        resumed.load(CheckpointReader(std::move(content), "memory"));
        for (World<2>* world : {&whole, &resumed})
            while (world->frame() < 6 && world->advance_frame()) {}
        EXPECT_EQ(whole.state_hash(), resumed.state_hash());
    }
}

TEST(PlasticScene, materials_that_yield_are_checked)
{
    const auto error_of = [](const std::string& flow) { return parse_error(pressed(solvers[0], flow)); };
    EXPECT_EQ(error_of(R"("yield_stress": 10, "yield_strain": 0.1)"),
              "a.json:5:79: bodies[0].material.yield_strain: yield_strain and yield_stress are both given, "
              "use one of them");
    EXPECT_EQ(error_of(R"("yield_strain": 0.1, "plastic_flow": "published", "law": "neo_hookean")"),
              "a.json:5:80: bodies[0].material.plastic_flow: published plastic flow goes with the law "
              "st_venant_kirchhoff only, allowed with other laws: return, creep");
    EXPECT_EQ(error_of(R"("yield_strain": 0.1, "law": "st_venant_kirchhoff")"),
              "a.json:5:71: bodies[0].material.law: what yields goes with the law neo_hookean, or with "
              "st_venant_kirchhoff and \"plastic_flow\": \"published\"");
    EXPECT_EQ(error_of(R"("yield_strain": 0.1, "plastic_flow": "creep")"),
              "a.json:5:80: bodies[0].material.plastic_flow: what creeps does so at a rate, expected "
              "\"creep_rate\" above 0");
    EXPECT_EQ(error_of(R"("yield_strain": 0.1, "plastic_flow": "published")"), "no error");
}

TEST(PlasticScene, an_event_makes_a_body_yield_and_stiff_again)
{
    const auto height = [](const std::string& events) {
        std::string text = pressed(solvers[1], R"("yield_stress": "100 MPa")");
        text.insert(text.rfind('}'), ", \"events\": " + events);
        return at_end(text).bounds.size()[1];
    };
    EXPECT_GT(height("[]"), 0.17);
    EXPECT_LT(height(R"([ { "time": 0.1, "set": { "bodies.block.material.yield_stress": "10 kPa" } },
                         { "time": 0.55, "set": { "bodies.block.material.yield_stress": "100 MPa" } } ])"),
              0.12);
}

} // namespace
} // namespace phyxel::plastic_test
