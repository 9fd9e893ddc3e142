// SPDX-License-Identifier: MIT
#include <phyxel/fluid/fluid_walls.h>

#include "fluid_support.h"

#include <phyxel/approx/kernels.h>

#include <gtest/gtest.h>

#include <cmath>

namespace phyxel::fluid_walls_test {
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

TYPED_TEST(FluidWallsTest, a_domain_is_full_if_nothing_else_fits_in_and_nothing_can_leave)
{
    constexpr int Dim = TypeParam::value;
    constexpr int count = 8;
    const auto fluid = block<Dim>(count);
    const auto closed = tank<Dim>(count * spacing, count * spacing);
    EXPECT_TRUE(is_full(fluid, model<Dim>(), closed));
    EXPECT_FALSE(is_full(fluid, model<Dim>(), {}));

    auto pipe = closed;
    pipe.domain.sides[0] = {DomainSide::Periodic, DomainSide::Periodic};
    EXPECT_TRUE(is_full(fluid, model<Dim>(), pipe));

    auto open = closed;
    open.domain.sides[Dim - 1][1] = DomainSide::Open;
    EXPECT_FALSE(is_full(fluid, model<Dim>(), open));

    EXPECT_FALSE(is_full(fluid, model<Dim>(), tank<Dim>(count * spacing, (count + 1) * spacing)));

    auto fed = fluid;
    fed.emitter.assign(fed.size(), 0);
    EXPECT_FALSE(is_full(fed, model<Dim>(), closed));
}

TYPED_TEST(FluidWallsTest, the_push_of_lattices_holds_the_lattice_that_fills_a_tank)
{
    // With the room that compute_room() finds in the fluid it is nothing, but for the term against pairing.
    constexpr int Dim = TypeParam::value;
    const auto closed = tank<Dim>(10 * spacing, 10 * spacing);
    const FluidWalls<Dim> steep(model<Dim>(), WallSlope::Steep);
    const FluidPartModel part = model<Dim>().parts.front();
    const CubicSpline<Dim> kernel(part.support_radius);
    const FluidState<Dim> fluid = block<Dim>(10);
    for (const double layer : {0.5, 1.5, 2.5}) {
        Vec<Dim> x = Vec<Dim>::Constant(5.5 * spacing);
        x[0] = layer * spacing;
        Vec<Dim> room = steep.lattice_push_at(x, part, closed.domain);
        for (const Vec<Dim>& other : fluid.position)
            if (other != x) room -= part.particle_mass / 1000.0 * kernel.gradient(x - other);
        EXPECT_LT(spacing * room.norm(), 2e-3);
    }
}

TYPED_TEST(FluidWallsTest, push_is_minus_the_slope_of_the_share_where_walls_are_steep)
{
    constexpr int Dim = TypeParam::value;
    const auto surroundings = tank<Dim>(10 * spacing, 10 * spacing);
    FluidWalls<Dim> walls(model<Dim>(), WallSlope::Steep);
    FluidState<Dim> fluid;
    fluid.resize(1);
    for (const double d : {0.3, 0.7, 1.2}) {
        // Beside a wall, and in an edge, where two count.
        for (const int beside : {1, 2}) {
            fluid.position[0].setConstant(5 * spacing);
            for (int k = 0; k < beside; ++k) fluid.position[0][k] = (d + 0.1 * k) * spacing;
            walls.find(fluid, model<Dim>(), surroundings);
            const auto& share = walls.shares()[0];
            EXPECT_NEAR(share.share, walls.share_at(fluid.position[0], model<Dim>(), 0, surroundings), 1e-6);
            EXPECT_NEAR(share.distance, d * spacing, 1e-6);
            for (int k = 0; k < Dim; ++k) {
                const Vec<Dim> way = 1e-2 * spacing * Vec<Dim>::Unit(k);
                const double slope =
                    (walls.share_at(fluid.position[0] + way, model<Dim>(), 0, surroundings) -
                     walls.share_at(fluid.position[0] - way, model<Dim>(), 0, surroundings)) /
                    (2e-2 * spacing);
                EXPECT_NEAR(share.push[k] * spacing, -slope * spacing, 2e-3);
            }
        }
    }
}

TYPED_TEST(FluidWallsTest, what_comes_too_near_is_put_back_and_moves_no_further_in)
{
    constexpr int Dim = TypeParam::value;
    const auto surroundings = tank<Dim>(10 * spacing, 10 * spacing);
    FluidWalls<Dim> walls(model<Dim>(), WallSlope::Steep);
    FluidState<Dim> fluid;
    fluid.resize(3);
    for (auto& x : fluid.position) x.setConstant(5 * spacing);
    for (auto& v : fluid.velocity) v = Vec<Dim>::LinSpaced(-1.0, 2.0);
    fluid.position[0][0] = 0.1 * spacing; // goes in
    fluid.position[1][1] = 0.1 * spacing; // comes out
    fluid.velocity[1][1] = 0.5;
    const FluidState<Dim> before = fluid;
    walls.find(fluid, model<Dim>(), surroundings);
    walls.keep_out(fluid, model<Dim>(), 0.25, 1e-3, before.position, surroundings);
    EXPECT_DOUBLE_EQ(fluid.position[0][0], 0.25 * spacing);
    EXPECT_EQ(fluid.velocity[0][0], 0.0);
    for (int k = 1; k < Dim; ++k) EXPECT_EQ(fluid.velocity[0][k], before.velocity[0][k]);
    EXPECT_DOUBLE_EQ(fluid.position[1][1], 0.25 * spacing);
    EXPECT_EQ(fluid.velocity[1], before.velocity[1]);
    EXPECT_EQ(fluid.position[2], before.position[2]);
    EXPECT_EQ(fluid.velocity[2], before.velocity[2]);
}

TYPED_TEST(FluidWallsTest, friction_takes_its_coefficient_times_the_push_and_never_more_than_all)
{
    constexpr int Dim = TypeParam::value;
    auto surroundings = tank<Dim>(10 * spacing, 10 * spacing);
    surroundings.domain.surface.friction = 0.5;
    FluidWalls<Dim> walls(model<Dim>(), WallSlope::Steep);
    FluidState<Dim> fluid;
    fluid.resize(3);
    for (auto& x : fluid.position) x.setConstant(5 * spacing);
    fluid.position[0][0] = fluid.position[1][0] = 0.5 * spacing;
    for (auto& v : fluid.velocity) v.setConstant(-1.0);
    fluid.velocity[1][1] = -1e-3;
    if (Dim == 3) fluid.velocity[1][Dim - 1] = 0.0;
    walls.find(fluid, model<Dim>(), surroundings);
    walls.rub(fluid, model<Dim>(), 0.01, surroundings, [](Index) { return 10.0; });
    const double along = std::sqrt(Dim - 1.0);
    EXPECT_NEAR(fluid.velocity[0].tail(Dim - 1).norm(), along - 0.5 * 10.0 * 0.01, 1e-6);
    EXPECT_NEAR(fluid.velocity[1].tail(Dim - 1).norm(), 0.0, 1e-9);
    EXPECT_NEAR(fluid.velocity[0][0], -1.0, 1e-6);
    EXPECT_EQ(fluid.velocity[2], Vec<Dim>::Constant(-1.0)); // far from all walls
}

TYPED_TEST(FluidWallsTest, obstacles_feel_the_counterpart_of_what_they_give)
{
    constexpr int Dim = TypeParam::value;
    Surroundings<Dim> surroundings;
    Box<Dim> floor = {.min = Vec<Dim>::Constant(-10 * spacing), .max = Vec<Dim>::Constant(10 * spacing)};
    floor.max[Dim - 1] = 0.0;
    surroundings.obstacles.push_back({.name = "floor", .shape = Shape<Dim>(floor)});
    FluidWalls<Dim> walls(model<Dim>(), WallSlope::Steep);
    FluidState<Dim> fluid;
    fluid.resize(2);
    for (auto& x : fluid.position) x.setZero();
    fluid.position[0][Dim - 1] = 0.5 * spacing;
    fluid.position[1][Dim - 1] = 5 * spacing; // out of reach
    walls.track_loads(true);
    walls.clear_loads(surroundings);
    walls.find(fluid, model<Dim>(), surroundings);
    const Vec<Dim> push = walls.shares()[0].push.template cast<double>();
    EXPECT_GT(push[Dim - 1] * spacing, 0.1);
    walls.add_loads(fluid, model<Dim>(), surroundings,
                    [](Index, const WallShare<Dim, float>& wall) -> Vec<Dim> {
                        return 3.0 * wall.push.template cast<double>();
                    });
    ASSERT_EQ(walls.loads().size(), 1u);
    const Vec<Dim> expected = -3.0 * model<Dim>().parts.front().particle_mass * push;
    EXPECT_LT((walls.loads()[0].force - expected).norm(), 1e-5 * expected.norm());
}

} // namespace
} // namespace phyxel::fluid_walls_test
