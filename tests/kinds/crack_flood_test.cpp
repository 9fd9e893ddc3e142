// SPDX-License-Identifier: MIT
// Water at solids with cracks: it runs into those that open, does not feel those that are closed, and gives
// their faces what it takes.
#include "scene/scene_support.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

namespace phyxel::crack_flood_test {
namespace {

template <int Dim>
World<Dim>& world_of(BuiltScene& built)
{
    return *std::get<std::unique_ptr<World<Dim>>>(built.world);
}

template <int Dim>
void run(World<Dim>& world, std::uint64_t frames)
{
    while (world.frame() < frames && world.advance_frame()) {}
    ASSERT_FALSE(world.failure()) << to_text(*world.failure());
}

const std::string crack_2d = R"({ "name": "cut", "polygon": [[0.202, -1], [0.202, 1]] })";
const std::string crack_3d =
    R"({ "name": "cut", "polygon": [[0.202, -1, -1], [0.202, 2, -1], [0.202, 2, 1], [0.202, -1, 1]] })";

/// A block under water, whose ends go `way` [m] apart from the middle within 0.3 s.
template <int Dim>
std::string flooded(const std::string& cracks, const std::string& way)
{
    if constexpr (Dim == 2)
        return R"({ "dimension": 2, "duration": 0.6, "frame_rate": 20, "spacing": "1 cm",
          "domain": { "min": [0, 0], "max": [0.4, 0.5] },
          "bodies": [
            { "name": "block", "type": "solid", "material": { "from": "rubber", "density": 2000 },
              "shape": { "box": { "min": [0.1, 0], "max": [0.3, 0.12] } }, "cracks": [)" +
               cracks + R"(], "solver": { "type": "implicit" },
              "regions": [
                { "name": "left", "shape": { "box": { "min": [-1, -1], "max": [0.17, 1] } },
                  "motion": { "keys": [ { "time": 0, "move": [0, 0] }, { "time": 0.3, "move": [-)" +
               way + R"(, 0] } ] } },
                { "name": "right", "shape": { "box": { "min": [0.23, -1], "max": [1, 1] } },
                  "motion": { "keys": [ { "time": 0, "move": [0, 0] }, { "time": 0.3, "move": [)" +
               way + R"(, 0] } ] } } ] },
            { "name": "water", "type": "fluid",
              "shape": { "box": { "min": [0, 0], "max": [0.4, 0.24] } } } ] })";
    else
        return R"({ "duration": 0.6, "frame_rate": 20, "spacing": "2 cm",
          "domain": { "min": [0, 0, 0], "max": [0.4, 0.12, 0.5] },
          "bodies": [
            { "name": "block", "type": "solid", "material": { "from": "rubber", "density": 2000 },
              "shape": { "box": { "min": [0.1, 0, 0], "max": [0.3, 0.12, 0.12] } }, "cracks": [)" +
               cracks + R"(], "solver": { "type": "implicit" },
              "regions": [
                { "name": "left", "shape": { "box": { "min": [-1, -1, -1], "max": [0.15, 1, 1] } },
                  "motion": { "keys": [ { "time": 0, "move": [0, 0, 0] }, { "time": 0.3, "move": [-)" +
               way + R"(, 0, 0] } ] } },
                { "name": "right", "shape": { "box": { "min": [0.25, -1, -1], "max": [1, 1, 1] } },
                  "motion": { "keys": [ { "time": 0, "move": [0, 0, 0] }, { "time": 0.3, "move": [)" +
               way + R"(, 0, 0] } ] } } ] },
            { "name": "water", "type": "fluid",
              "shape": { "box": { "min": [0, 0, 0], "max": [0.4, 0.12, 0.24] } } } ] })";
}

/// Particles of the water below the upper face of the block and nearer than this to its middle, 0.2.
template <int Dim>
std::size_t in_gap(World<Dim>& world, double half_width)
{
    std::size_t count = 0;
    for (std::size_t body = 0; body < world.body_count(); ++body) {
        if (world.body(body).parts().front() != "water") continue;
        for (const Vec<Dim>& x : world.body(body).particles().positions)
            if (std::abs(x[0] - 0.2) < half_width && x[Dim - 1] < 0.1) ++count;
    }
    return count;
}

template <class T>
class CrackFlood : public testing::Test {
};
using Dimensions = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(CrackFlood, Dimensions);

TYPED_TEST(CrackFlood, water_runs_into_a_crack_that_opens)
{
    constexpr int Dim = TypeParam::value;
    const std::string crack = Dim == 2 ? crack_2d : crack_3d;
    BuiltScene built = build(flooded<Dim>(crack, "0.04"));
    World<Dim>& world = world_of<Dim>(built);
    EXPECT_EQ(in_gap<Dim>(world, 0.1), 0u);
    run(world, 12);
    // The gap is 0.08 wide, and looked at up to 0.1 above the floor.
    const double full = Dim == 2 ? 8 * 10 : 4 * 6 * 5;
    EXPECT_GT(static_cast<double>(in_gap<Dim>(world, 0.045)), 0.8 * full);
    EXPECT_LT(static_cast<double>(in_gap<Dim>(world, 0.045)), 1.2 * full);
    // And not into the halves.
    EXPECT_EQ(in_gap<Dim>(world, 0.09), in_gap<Dim>(world, 0.045));
}

TYPED_TEST(CrackFlood, a_closed_crack_is_not_felt)
{
    constexpr int Dim = TypeParam::value;
    const auto water_after = [](const std::string& cracks) {
        BuiltScene built = build(flooded<Dim>(cracks, "0"));
        World<Dim>& world = world_of<Dim>(built);
        run(world, 6);
        EXPECT_EQ(in_gap<Dim>(world, 0.09), 0u);
        Vec<Dim> center = Vec<Dim>::Zero();
        double speed = 0.0;
        for (const BodyTotals<Dim>& total : world.totals())
            if (total.name == "water") {
                center = total.center;
                speed = total.max_speed;
            }
        EXPECT_LT(speed, 0.3);
        return center;
    };
    EXPECT_LT((water_after(Dim == 2 ? crack_2d : crack_3d) - water_after("")).norm(), 1e-4);
}

/// Halves that fly apart, and water that is thrown between them, against the face of the right one.
template <int Dim>
std::string thrown()
{
    if constexpr (Dim == 2)
        return R"({ "dimension": 2, "duration": 0.3, "frame_rate": 20, "spacing": "1 cm", "gravity": [0, 0],
          "bodies": [
            { "name": "block", "type": "solid", "material": { "from": "jelly", "youngs_modulus": "100 kPa" },
              "velocity": ["= max(-0.4, min(0.4, 1e4*x - 20)) + 0", 0], "solver": { "type": "leapfrog" },
              "shape": { "box": { "min": [-0.1, 0], "max": [0.1, 0.12] } },
              "cracks": [ { "name": "cut", "polygon": [[0.002, -1], [0.002, 1]] } ]
},
            { "name": "water", "type": "fluid", "velocity": [1, -1],
              "shape": { "box": { "min": [-0.1, 0.2], "max": [-0.06, 0.3] } } } ]
})";
    else
        return R"({ "duration": 0.3, "frame_rate": 20, "spacing": "2 cm", "gravity": [0, 0, 0],
          "bodies": [
            { "name": "block", "type": "solid", "material": { "from": "jelly", "youngs_modulus": "100 kPa" },
              "velocity": ["= max(-0.4, min(0.4, 1e4*x - 20)) + 0", 0, 0], "solver": { "type": "leapfrog" },
              "shape": { "box": { "min": [-0.1, 0, 0], "max": [0.1, 0.12, 0.12] } },
              "cracks": [ { "name": "cut",
                            "polygon": [[0.002, -1, -1], [0.002, 1, -1], [0.002, 1, 1], [0.002, -1, 1]] } ]
},
            { "name": "water", "type": "fluid", "velocity": [1, 0, -1],
              "shape": { "box": { "min": [-0.1, 0.02, 0.2], "max": [-0.06, 0.1, 0.3] } } } ]
})";
}

TYPED_TEST(CrackFlood, faces_of_a_crack_get_the_momentum_that_water_loses)
{
    constexpr int Dim = TypeParam::value;
    BuiltScene built = build(thrown<Dim>());
    World<Dim>& world = world_of<Dim>(built);
    const auto momentum = [&](const char* name) {
        Vec<Dim> sum = Vec<Dim>::Zero();
        for (const BodyTotals<Dim>& total : world.totals())
            if (name == nullptr || total.name == name) sum += total.momentum;
        return sum;
    };
    const Vec<Dim> before = momentum(nullptr), water = momentum("water");
    run(world, 3);
    std::size_t inside = 0; // of the gap
    for (std::size_t body = 0; body < world.body_count(); ++body)
        if (world.body(body).parts().front() == "water")
            for (const Vec<Dim>& x : world.body(body).particles().positions)
                if (x[Dim - 1] < 0.1 && x[Dim - 1] > 0.02) ++inside;
    EXPECT_GT(inside, 5u);
    run(world, 6);
    // What is thrown sideways meets the face on that side.
    EXPECT_LT(momentum("water")[0], 0.9 * water[0]);
    EXPECT_LT((momentum(nullptr) - before).norm(), 1e-6 * before.norm());
}

} // namespace
} // namespace phyxel::crack_flood_test
