// SPDX-License-Identifier: MIT
#include "meshes.h"

#include <phyxel/core/error.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/geometry/placement.h>
#include <phyxel/geometry/sampling.h>
#include <phyxel/search/kd_tree.h>

#include <gtest/gtest.h>

#include <algorithm>

namespace phyxel::poisson_disk_test {
namespace {

template <int Dim>
double least_distance(const std::vector<Vec<Dim>>& points)
{
    const KdTree<Dim> tree{std::span<const Vec<Dim>>(points)};
    std::vector<Neighbor<double>> near;
    double least = std::numeric_limits<double>::infinity();
    for (const Vec<Dim>& x : points) {
        tree.nearest(x, 2, near);
        least = std::min(least, near.back().distance);
    }
    return least;
}

/// From places at least `margin` [m] under the surface, taken at random, to the nearest point.
template <int Dim>
double widest_hole(const Shape<Dim>& shape, const std::vector<Vec<Dim>>& points, double margin)
{
    const KdTree<Dim> tree{std::span<const Vec<Dim>>(points)};
    std::vector<Neighbor<double>> near;
    Rng rng(9);
    double widest = 0.0;
    for (int trial = 0; trial < 20000; ++trial) {
        const Vec<Dim> x = shape.bounds().min + shape.bounds().size().cwiseProduct(rng.point<Dim>(0.0, 1.0));
        if (shape.signed_distance(x) > -margin) continue;
        tree.nearest(x, 1, near);
        widest = std::max(widest, near.front().distance);
    }
    return widest;
}

std::vector<Shape<3>> solids()
{
    const Similarity<3> turn{1.0, rotation_matrix(Angles<3>(0.4, -0.9, 2.0)), {5, 2, -1}};
    return {Box<3>{{0, 0, 0}, {1, 1, 1}},
            Sphere<3>{{0.3, 0.1, 0}, 0.6},
            Shape<3>(Box<3>{{0, 0, 0}, {1, 2, 0.5}}).transformed(turn),
            Torus<3>{{0, 0, 0}, {1, 2, 3}, 0.8, 0.35},
            MeshSolid(sphere_mesh(2)),
            subtract<3>({Sphere<3>{{0, 0, 0}, 1}, Box<3>{{0, 0, 0}, {1, 1, 1}}})};
}

TEST(PoissonDisk, points_keep_apart_and_off_the_surface_and_leave_no_hole)
{
    constexpr double spacing = 0.1;
    constexpr double radius = poisson_disk_radius<3> * spacing;
    for (const Shape<3>& shape : solids()) {
        const std::vector<Vec<3>> points = fill_poisson_disk(shape, spacing, {.margin = 0.3});
        EXPECT_GE(least_distance(points), radius * (1 - 1e-12));
        EXPECT_LE(widest_hole(shape, points, 0.3 * spacing), 1.02 * radius);
        for (const Vec<3>& x : points) EXPECT_LT(shape.signed_distance(x), -0.3 * spacing);
    }
    const Shape<2> stadium = Capsule<2>{{0, 0}, {1, 0.6}, 0.3};
    const std::vector<Vec<2>> points = fill_poisson_disk(stadium, 0.02, {.margin = 0});
    EXPECT_GE(least_distance(points), poisson_disk_radius<2> * 0.02 * (1 - 1e-12));
    EXPECT_LE(widest_hole(stadium, points, 0.0), 1.02 * poisson_disk_radius<2> * 0.02);
}

TEST(PoissonDisk, one_point_stands_for_a_cell_of_the_spacing)
{
    for (const Shape<3>& shape : solids())
        for (const double spacing : {0.09, 0.06}) {
            const auto count = static_cast<double>(fill_poisson_disk(shape, spacing).size());
            EXPECT_NEAR(count * std::pow(spacing, 3) / shape.volume().value, 1.0, 0.1);
        }
    for (const Shape<2>& shape : {Shape<2>(Box<2>{{0, 0}, {1, 2}}), Shape<2>(Sphere<2>{{0, 0}, 1})})
        for (const double spacing : {0.1, 0.02}) {
            const auto count = static_cast<double>(fill_poisson_disk(shape, spacing).size());
            EXPECT_NEAR(count * std::pow(spacing, 2) / shape.volume().value, 1.0, 0.1);
        }
}

TEST(PoissonDisk, meshes_with_holes_are_filled_like_whole_ones)
{
    const TriangleMesh sphere = sphere_mesh(3);
    const Shape<3> whole = MeshSolid(sphere);
    const Shape<3> leaky = MeshSolid(with_holes(sphere, 10));
    const std::vector<Vec<3>> points = fill_poisson_disk(leaky, 0.15);
    EXPECT_NEAR(static_cast<double>(points.size()),
                static_cast<double>(fill_poisson_disk(whole, 0.15).size()),
                0.05 * static_cast<double>(points.size()));
    for (const Vec<3>& x : points) EXPECT_TRUE(leaky.inside(x));
}

TEST(PoissonDisk, is_decided_by_the_seed_and_not_by_threads)
{
    const Shape<3> shape = MeshSolid(torus_mesh(1, 0.4, 24, 12));
    const auto points_with = [&](std::uint64_t seed, int threads) {
        const ThreadLimit limit(threads);
        return fill_poisson_disk(shape, 0.2, {.seed = seed});
    };
    EXPECT_EQ(points_with(5, 1), points_with(5, 2));
    EXPECT_EQ(points_with(5, 1), points_with(5, 7));
    EXPECT_NE(points_with(5, 1), points_with(6, 1));
}

TEST(PoissonDisk, thin_shapes_have_no_points)
{
    EXPECT_TRUE(fill_poisson_disk<2>(Box<2>{{0, 0}, {1, 0.06}}, 0.1, {.margin = 0.31}).empty());
    EXPECT_FALSE(fill_poisson_disk<2>(Box<2>{{0, 0}, {1, 0.06}}, 0.1, {.margin = 0.2}).empty());
}

TEST(PoissonDisk, refuses_numbers_that_make_no_sense)
{
    const Shape<3> ball = Sphere<3>{{0, 0, 0}, 1};
    EXPECT_THROW(fill_poisson_disk(ball, 0.0), InputError);
    EXPECT_THROW(fill_poisson_disk(ball, -0.1), InputError);
    EXPECT_THROW(fill_poisson_disk(ball, static_cast<double>(NAN)), InputError);
    EXPECT_THROW(fill_poisson_disk(ball, 1e-300), InputError);
    EXPECT_THROW(fill_poisson_disk(ball, 1e-3), InputError);
    EXPECT_THROW(fill_poisson_disk(ball, 0.1, {.margin = -0.1}), InputError);
    EXPECT_THROW(fill_poisson_disk(ball, 0.1, {.margin = static_cast<double>(NAN)}), InputError);
}

} // namespace
} // namespace phyxel::poisson_disk_test
