// SPDX-License-Identifier: MIT
// Coats of solids, in scenes.
#include "scene/scene_support.h"

#include <phyxel/core/buffer.h>
#include <phyxel/io/checkpoint.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace phyxel {
namespace {

/// A ball that both ends are torn off.
std::string torn(const std::string& material, const std::string& skin)
{
    return R"({ "duration": 1, "frame_rate": 25, "spacing": "2 cm", "gravity": [0, 0, 0],
      "bodies": [ { "name": "ball", "type": "solid", "shape": { "sphere": { "center": [0, 0, 0], "radius": 0.08 } },
          "material": { "density": 1000, "youngs_modulus": "50 kPa", "poisson_ratio": 0.4, "damping": "5 1/s")" +
           material + "}" + skin + R"(,
          "regions": [
            { "name": "a", "shape": { "box": { "min": [-0.1, -0.1, -0.1], "max": [-0.05, 0.1, 0.1] } },
              "motion": { "move": ["= -0.3*t", 0, 0] } },
            { "name": "b", "shape": { "box": { "min": [0.05, -0.1, -0.1], "max": [0.1, 0.1, 0.1] } },
              "motion": { "move": ["= 0.3*t", 0, 0] } } ] } ] })";
}

SurfaceMesh surface_of(World<3>& world) { return *world.snapshots({}).front().surface; }

TEST(CoatScene, what_flows_has_a_coat_and_what_does_not_has_none_unless_it_is_asked_for)
{
    const auto has_coat = [](const std::string& text) {
        BuiltScene built = build(text);
        return surface_of(*std::get<std::unique_ptr<World<3>>>(built.world)).triangles.empty();
    };
    EXPECT_FALSE(has_coat(torn("", "")));
    EXPECT_TRUE(has_coat(torn("", R"(, "skin": { "method": "coat" })")));
    EXPECT_TRUE(has_coat(torn(R"(, "flows": true)", "")));
    EXPECT_FALSE(has_coat(torn(R"(, "flows": true)", R"(, "skin": { "method": "first_order" })")));
}

TEST(CoatScene, has_the_same_bits_after_a_restart_and_does_not_pop)
{
    const std::string text = torn(R"(, "flows": true, "yield_stress": "500 Pa")", "");
    BuiltScene built = build(text), again = build(text);
    World<3>& whole = *std::get<std::unique_ptr<World<3>>>(built.world);
    World<3>& resumed = *std::get<std::unique_ptr<World<3>>>(again.world);
    // Coats move when their phyxels have, not with the frames, so that a frame may count what began in the
    // one before: a tenth of a radius for each frame in all, and one more.
    const auto advance = [](World<3>& world, std::uint64_t frame) {
        double popped = 0.0, most = 0.1;
        while (world.frame() < frame && world.advance_frame()) {
            popped += world.report().statistics.surface_pop;
            most += 0.1;
            EXPECT_LE(popped, most + 1e-9);
        }
    };
    advance(whole, 6);
    CheckpointWriter checkpoint;
    whole.save(checkpoint);
    const std::vector<std::byte> bytes = checkpoint.encode();
    Buffer<std::byte> content(bytes.size());
    std::copy(bytes.begin(), bytes.end(), content.data());
    resumed.load(CheckpointReader(std::move(content), "memory"));
    advance(whole, 10);
    advance(resumed, 10);
    ASSERT_FALSE(whole.failure());
    EXPECT_EQ(whole.state_hash(), resumed.state_hash());
    const SurfaceMesh one = surface_of(whole), other = surface_of(resumed);
    EXPECT_EQ(one.vertices, other.vertices);
    EXPECT_GT(one.vertices.size(), 100u);
    for (std::size_t k = 0; k < one.fields.size(); ++k)
        EXPECT_EQ(one.fields[k].values, other.fields[k].values) << one.fields[k].name;
}

} // namespace
} // namespace phyxel
