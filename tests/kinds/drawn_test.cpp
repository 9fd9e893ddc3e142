// SPDX-License-Identifier: MIT
// Solids that flow and are sampled more finely where they are drawn out, in scenes.
#include "scene/scene_support.h"

#include <phyxel/core/buffer.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/io/checkpoint.h>
#include <phyxel/kinds/solid/solid_body.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace phyxel::drawn_test {
namespace {

/// A bar of 30 cm whose ends fly apart.
std::string bar(int levels, const std::string& solver = R"("type": "leapfrog")")
{
    return R"({ "dimension": 2, "duration": 0.3, "frame_rate": 100, "spacing": "1 cm", "gravity": [0, 0],
      "bodies": [ { "name": "bar", "type": "solid", "velocity": ["= 15*x", 0],
          "shape": { "box": { "min": [-0.15, -0.05], "max": [0.15, 0.05] } }, "levels": )" +
           std::to_string(levels) + R"(,
          "material": { "density": 1500, "youngs_modulus": "50 kPa", "poisson_ratio": 0.45, "viscosity": "20 Pa s",
                        "yield_stress": "0.5 kPa", "flows": true },
          "regions": [
              { "name": "middle", "shape": { "box": { "min": [-0.03, -0.1], "max": [0.03, 0.1] } },
                "force": [0, "0.01 N"] } ],
          "solver": { )" +
           solver + " } } ] }";
}

World<2>& world_of(BuiltScene& built) { return *std::get<std::unique_ptr<World<2>>>(built.world); }

void advance_to(World<2>& world, std::uint64_t frame)
{
    while (world.frame() < frame && world.advance_frame()) {}
    ASSERT_FALSE(world.failure()) << to_text(*world.failure());
}

TEST(Drawn, a_bar_that_is_sampled_more_finely_stays_in_one_piece_for_longer)
{
    const auto fly = [](int levels, std::size_t& count) {
        BuiltScene built = build(bar(levels));
        World<2>& world = world_of(built);
        const double mass = world.totals().front().mass;
        advance_to(world, 6);
        EXPECT_NEAR(world.totals().front().mass, mass, 1e-12 * mass);
        EXPECT_LT(std::abs(world.totals().front().momentum[0]), 1e-10 * mass);
        count = world.body(0).particles().size();
        return world.report().statistics.fragments;
    };
    std::size_t coarse = 0, fine = 0;
    EXPECT_GT(fly(0, coarse), 1.0);
    EXPECT_EQ(fly(3, fine), 1.0);
    EXPECT_EQ(coarse, 300u);
    EXPECT_GT(fine, 400u);
    EXPECT_LE(fine, 600u);
}

TEST(Drawn, has_the_same_bits_after_a_restart_and_on_any_number_of_threads)
{
    for (const std::string solver : {R"("type": "leapfrog")", R"("type": "implicit", "time_step": "2 ms")"}) {
        SCOPED_TRACE(solver);
        BuiltScene built = build(bar(3, solver)), again = build(bar(3, solver));
        World<2>&whole = world_of(built), &resumed = world_of(again);
        advance_to(whole, 3);
        const std::size_t count = whole.body(0).particles().size();
        EXPECT_GT(count, 300u);
        CheckpointWriter checkpoint;
        whole.save(checkpoint);
        const std::vector<std::byte> bytes = checkpoint.encode();
        const auto reader = [&] {
            Buffer<std::byte> content(bytes.size());
            std::copy(bytes.begin(), bytes.end(), content.data());
            return CheckpointReader(std::move(content), "memory");
        };
        resumed.load(reader());
        EXPECT_EQ(whole.state_hash(), resumed.state_hash());
        advance_to(whole, 7);
        {
            const ThreadLimit several(5);
            advance_to(resumed, 7);
        }
        const std::uint64_t hash = whole.state_hash();
        EXPECT_EQ(hash, resumed.state_hash());
        EXPECT_GT(whole.body(0).particles().size(), count);
        // Also from a state in which there are more pieces.
        whole.load(reader());
        advance_to(whole, 7);
        EXPECT_EQ(whole.state_hash(), hash);
    }
}

TEST(Drawn, pieces_have_ids_of_their_own)
{
    BuiltScene built = build(bar(3));
    World<2>& world = world_of(built);
    advance_to(world, 5);
    const ParticleView<2> view = world.body(0).particles();
    EXPECT_GT(view.size(), 300u);
    EXPECT_EQ(std::set<std::uint64_t>(view.ids.begin(), view.ids.end()).size(), view.size());
    EXPECT_EQ(view.rest_positions.size(), view.size());
    EXPECT_EQ(view.support_radii.size(), view.size());
}

} // namespace
} // namespace phyxel::drawn_test
