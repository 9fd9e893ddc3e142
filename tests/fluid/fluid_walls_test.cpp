// SPDX-License-Identifier: MIT
#include <phyxel/fluid/fluid_walls.h>

#include "fluid_support.h"

#include <gtest/gtest.h>

namespace phyxel {
namespace {

template <class T>
class FluidWallsTest : public testing::Test {
};
TYPED_TEST_SUITE(FluidWallsTest, FluidDimensions);

TYPED_TEST(FluidWallsTest, only_a_fluid_that_fills_a_periodic_domain_is_without_end)
{
    constexpr int Dim = TypeParam::value;
    constexpr int count = 8;
    auto fluid = block<Dim>(count);
    auto surroundings = tank<Dim>(count * spacing, count * spacing);
    EXPECT_FALSE(is_without_end(fluid, model<Dim>(), surroundings));
    for (auto& sides : surroundings.domain.sides) sides = {DomainSide::Periodic, DomainSide::Periodic};
    EXPECT_TRUE(is_without_end(fluid, model<Dim>(), surroundings));

    auto with_walls = surroundings;
    with_walls.domain.sides[0] = {DomainSide::Wall, DomainSide::Wall};
    EXPECT_FALSE(is_without_end(fluid, model<Dim>(), with_walls));

    auto higher = surroundings;
    higher.domain.box.max[Dim - 1] *= 1.1;
    EXPECT_FALSE(is_without_end(fluid, model<Dim>(), higher));

    auto with_obstacle = surroundings;
    const Box<Dim> post = {.min = Vec<Dim>::Zero(), .max = Vec<Dim>::Constant(spacing)};
    with_obstacle.obstacles.push_back({.name = "post", .shape = Shape<Dim>(post)});
    EXPECT_FALSE(is_without_end(fluid, model<Dim>(), with_obstacle));
    EXPECT_FALSE(is_without_end(fluid, model<Dim>(), {}));
}

} // namespace
} // namespace phyxel
