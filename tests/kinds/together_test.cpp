// SPDX-License-Identifier: MIT
// Water, jelly, rigid bodies and a joint that all touch each other: the same bits however they are computed.
#include <phyxel/core/buffer.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/io/checkpoint.h>
#include <phyxel/kinds/standard_kinds.h>
#include <phyxel/scene/scene.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace phyxel::together_test {
namespace {

/// A pool with a paddle on a hinge, two boxes on top of each other, and jelly that lies on one of them and in
/// the water.
std::string pool(const std::string& solver)
{
    // wcsph makes many short steps.
    return R"({ "dimension": 2, "duration": 1, "frame_rate": 40, "spacing": ")" +
           std::string(solver == "wcsph" ? "2 cm" : "1 cm") + R"(",
      "domain": { "min": [0, 0], "max": [1, 1] },
      "bodies": [
        { "name": "water", "type": "fluid", "shape": { "box": { "min": [0, 0], "max": [1, 0.2] } },
          "solver": { "type": ")" +
           solver + R"(" } },
        { "name": "lower", "type": "rigid", "shape": { "box": { "min": [0.1, 0.1], "max": [0.4, 0.24] } },
          "material": { "density": 700, "friction": 0.5 } },
        { "name": "upper", "type": "rigid", "shape": { "box": { "min": [0.1, 0.24], "max": [0.2, 0.34] } } },
        { "name": "jelly", "type": "solid", "material": "jelly", "velocity": [0, -0.5],
          "shape": { "box": { "min": [0.26, 0.25], "max": [0.46, 0.35] } } },
        { "name": "paddle", "type": "rigid", "shape": { "box": { "min": [0.7, 0.05], "max": [0.74, 0.45] } } }
      ],
      "joints": [ { "name": "axle", "type": "hinge", "bodies": ["paddle"], "at": [0.72, 0.25],
                    "motor": { "speed": "3 rad/s", "torque": "50 N m" } } ],
      "probes": [ { "name": "push", "point": [0.25, 0.17], "body": "lower", "field": "force" } ] })";
}

struct Pool {
    explicit Pool(const std::string& solver)
        : built(build_scene(Scene::parse(pool(solver), "a.json", ".", standard_kinds()))),
          world(*std::get<std::unique_ptr<World<2>>>(built.world))
    {
    }
    void to_frame(std::uint64_t frame)
    {
        while (world.frame() < frame && world.advance_frame()) {}
        EXPECT_FALSE(world.failure()) << to_text(*world.failure());
    }
    Vec<2> center(const std::string& name)
    {
        for (const BodyTotals<2>& total : world.totals())
            if (total.name == name) return total.center;
        return Vec<2>::Constant(std::nan(""));
    }

    BuiltScene built;
    World<2>& world;
};

std::vector<std::byte> checkpoint_of(const World<2>& world)
{
    CheckpointWriter checkpoint;
    world.save(checkpoint);
    return checkpoint.encode();
}

constexpr std::uint64_t half_way = 4, last = 8;

class Together : public testing::TestWithParam<std::string> {};

TEST_P(Together, the_scene_is_about_contact)
{
    Pool run(GetParam());
    const Vec<2> jelly = run.center("jelly"), upper = run.center("upper");
    run.to_frame(last);
    // Neither falls as it would alone.
    const double time = double(last) / 40;
    EXPECT_GT(run.center("jelly")[1], jelly[1] - 0.5 * time - 0.25 * 9.81 * time * time);
    EXPECT_GT(run.center("upper")[1], upper[1] - 0.25 * 9.81 * time * time);
}

TEST_P(Together, same_bits_on_any_number_of_threads)
{
    std::vector<std::byte> expected;
    for (const int threads : {1, 2, 3, 7}) {
        SCOPED_TRACE(threads);
        const ThreadLimit limit(threads);
        Pool run(GetParam());
        run.to_frame(last);
        const std::vector<std::byte> found = checkpoint_of(run.world);
        if (expected.empty()) expected = found;
        EXPECT_TRUE(found == expected);
    }
}

TEST_P(Together, same_bits_after_a_restart)
{
    Pool whole(GetParam());
    whole.to_frame(half_way);
    const std::vector<std::byte> bytes = checkpoint_of(whole.world);
    whole.to_frame(last);
    Pool resumed(GetParam());
    Buffer<std::byte> content(bytes.size());
    std::copy(bytes.begin(), bytes.end(), content.data());
    resumed.world.load(CheckpointReader(std::move(content), "memory"));
    resumed.to_frame(last);
    EXPECT_EQ(resumed.world.state_hash(), whole.world.state_hash());
}

TEST(RigidProbe, force_on_a_body_has_three_components_in_2d_too)
{
    Pool run("dfsph");
    run.to_frame(1);
    EXPECT_EQ(run.world.probe_columns(), (std::vector<std::string>{"push.x", "push.y", "push.z"}));
    for (const ProbeRow& row : run.world.take_probe_rows()) EXPECT_EQ(row.values.size(), 3u);
}

INSTANTIATE_TEST_SUITE_P(Solvers, Together, testing::Values("dfsph", "wcsph"),
                         [](const auto& solver) { return solver.param; });

} // namespace
} // namespace phyxel::together_test
