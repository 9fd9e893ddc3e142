// SPDX-License-Identifier: MIT
#include <phyxel/fluid/boundary_wall.h>

#include "fluid_support.h"

#include <phyxel/fluid/ghost_wall.h>
#include <phyxel/geometry/primitives.h>
#include <phyxel/geometry/surface_points.h>

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace phyxel::boundary_wall_test {
namespace {

constexpr double support_ratio = 2.0;
constexpr double support = support_ratio * spacing;

template <class T>
class BoundaryWallTest : public testing::Test {
};
TYPED_TEST_SUITE(BoundaryWallTest, FluidDimensions);

/// What a body of this shape shows.
template <int Dim>
Boundary<Dim> boundary_of(const Shape<Dim>& shape)
{
    const SurfacePoints<Dim> points = surface_points(shape, 0.5 * spacing);
    return {.position = points.position,
            .velocity = std::vector<Vec<Dim>>(points.size(), Vec<Dim>::Unit(0)),
            .area = points.area};
}

/// From 0 to 0.4 along all axes, but of this thickness along x.
template <int Dim>
Shape<Dim> plate(double thickness)
{
    Box<Dim> box{Vec<Dim>::Zero(), Vec<Dim>::Constant(0.4)};
    box.max[0] = thickness;
    return Shape<Dim>(box);
}

template <int Dim>
Vec<Dim> beside_plate(double thickness, double distance)
{
    Vec<Dim> x = Vec<Dim>::Constant(0.2);
    x[0] = thickness + distance;
    return x;
}

TYPED_TEST(BoundaryWallTest, a_thick_body_is_what_an_obstacle_of_its_shape_is)
{
    constexpr int Dim = TypeParam::value;
    const Shape<Dim> shape = plate<Dim>(0.2);
    const Boundary<Dim> boundary = boundary_of(shape);
    BoundaryWall<Dim> wall(support_ratio);
    wall.place(boundary, support);
    const GhostWall<Dim> ghosts(surface_points(shape, 0.5 * spacing), support_ratio, spacing);
    for (const double distance : {0.1, 0.3, 0.5, 0.8, 1.2}) {
        SCOPED_TRACE(distance);
        const Vec<Dim> x = beside_plate<Dim>(0.2, distance * spacing);
        std::vector<BoundaryWeight> weights;
        const BoundarySight<Dim> sight = wall.at(x, support, &weights);
        const WallIntegral<Dim> expected = ghosts.at(x);
        EXPECT_NEAR(sight.share, expected.share, 1e-4);
        EXPECT_LT((sight.push - expected.push).norm(), 1e-3 / spacing);
        EXPECT_NEAR(sight.distance, expected.distance, 1e-6);
        EXPECT_LT((sight.velocity - Vec<Dim>::Unit(0)).norm(), 1e-12);
        double sum = 0.0;
        for (const BoundaryWeight& own : weights) sum += own.weight;
        EXPECT_NEAR(sum, 1.0, 1e-12);
    }
    EXPECT_FALSE(wall.at(beside_plate<Dim>(0.2, 3.0 * spacing), support).is_near());
}

TYPED_TEST(BoundaryWallTest, a_thin_plate_hides_as_much_as_a_thick_one)
{
    constexpr int Dim = TypeParam::value;
    const Boundary<Dim> thick = boundary_of(plate<Dim>(0.2)), thin = boundary_of(plate<Dim>(0.5 * spacing));
    BoundaryWall<Dim> thick_wall(support_ratio), thin_wall(support_ratio);
    thick_wall.place(thick, support);
    thin_wall.place(thin, support);
    for (const double distance : {0.2, 0.5, 1.0}) {
        const auto expected = thick_wall.at(beside_plate<Dim>(0.2, distance * spacing), support);
        const auto found = thin_wall.at(beside_plate<Dim>(0.5 * spacing, distance * spacing), support);
        EXPECT_NEAR(found.share, expected.share, 2e-3) << distance;
        EXPECT_LT((found.push - expected.push).norm(), 2e-2 / spacing) << distance;
    }
}

TYPED_TEST(BoundaryWallTest, what_came_through_a_thin_plate_is_put_back_to_where_it_came_from)
{
    constexpr int Dim = TypeParam::value;
    const double thickness = 0.5 * spacing;
    const Boundary<Dim> boundary = boundary_of(plate<Dim>(thickness));
    BoundaryWall<Dim> wall(support_ratio);
    wall.place(boundary, support);
    constexpr double dt = 0.001; // the plate moves by so many metres
    const Vec<Dim> normal = Vec<Dim>::Unit(0);
    for (const double depth : {-0.1, 0.3, 0.8}) {
        const auto stop = wall.stop(beside_plate<Dim>(thickness, -depth * spacing + dt), normal, normal,
                                    spacing, 0.25 * spacing, dt);
        ASSERT_TRUE(stop) << depth;
        EXPECT_NEAR(stop->height, -depth * spacing, 1e-9);
        EXPECT_LT((stop->normal - normal).norm(), 1e-9);
    }
    EXPECT_FALSE(wall.stop(beside_plate<Dim>(thickness, 0.3 * spacing + dt), normal, normal, spacing,
                           0.25 * spacing, dt));
}

} // namespace
} // namespace phyxel::boundary_wall_test
