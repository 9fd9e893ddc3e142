// SPDX-License-Identifier: MIT
#include "meshes.h"

#include <phyxel/core/error.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/geometry/placement.h>
#include <phyxel/geometry/sampling.h>

#include <gtest/gtest.h>

#include <algorithm>

namespace phyxel::sampling_test {
namespace {

using std::numbers::pi;

/// Every site of the lattice of the bounds, one by one.
template <int Dim>
std::vector<Vec<Dim>> brute_force_lattice(const Shape<Dim>& shape, double spacing)
{
    std::vector<Vec<Dim>> points;
    const Vec<Dim> first = shape.bounds().min + Vec<Dim>::Constant(0.5 * spacing);
    Eigen::Matrix<int, Dim, 1> k = Eigen::Matrix<int, Dim, 1>::Zero();
    const int count = static_cast<int>(shape.bounds().longest_side() / spacing) + 2;
    for (;;) {
        const Vec<Dim> x = first + spacing * k.template cast<double>();
        if (shape.side(x, 1e-4 * spacing) == Side::Inside) points.push_back(x);
        int axis = Dim - 1;
        while (axis >= 0 && ++k[axis] == count) k[axis--] = 0;
        if (axis < 0) return points;
    }
}

TEST(Lattice, box_of_whole_spacings_has_exactly_that_many_points_however_it_rounds)
{
    Rng rng(1);
    for (int trial = 0; trial < 300; ++trial) {
        const double spacing = std::pow(10.0, rng.uniform(-3, 2));
        const Vec<3> min = spacing * rng.point<3>(-1000, 1000);
        const Vec<3> count(1 + static_cast<double>(rng.below(9)), 1 + static_cast<double>(rng.below(9)),
                           1 + static_cast<double>(rng.below(9)));
        const Shape<3> box = Box<3>{min, min + spacing * count};
        const std::vector<Vec<3>> points = fill_lattice(box, spacing);
        EXPECT_EQ(static_cast<double>(points.size()), count.prod());
        EXPECT_LT((points.front() - min - Vec<3>::Constant(spacing / 2)).norm(), 1e-9 * spacing);
    }
}

TEST(Lattice, decimal_sides_behave_like_decimals)
{
    EXPECT_EQ(fill_lattice<3>(Box<3>{{0, 0, 0}, {0.3, 0.3, 0.4}}, 0.01).size(), 30u * 30 * 40);
    EXPECT_EQ(fill_lattice<3>(Box<3>{{0.1, 0.2, 0.7}, {0.4, 0.5, 1.1}}, 0.1).size(), 3u * 3 * 4);
    EXPECT_EQ(fill_lattice<2>(Box<2>{{0, 0}, {0.7, 2.1}}, 0.7 / 3).size(), 3u * 9);
}

TEST(Lattice, points_that_would_lie_on_the_surface_are_left_out)
{
    // The second and third would be at 0.3 and 1.1, on the far sides.
    EXPECT_EQ(fill_lattice<2>(Box<2>{{0, 0}, {0.3, 1.1}}, 0.2).size(), 1u * 5);
    // A cut along lattice planes takes the whole planes.
    const Shape<2> cut = subtract<2>({Box<2>{{0, 0}, {1, 1}}, Box<2>{{0.25, -1}, {0.75, 2}}});
    EXPECT_EQ(fill_lattice(cut, 0.1).size(), 4u * 10);
    const Shape<3> mesh = MeshSolid(box_mesh({{0, 0, 0}, {0.3, 0.3, 0.3}}));
    EXPECT_EQ(fill_lattice(mesh, 0.2).size(), 1u);
}

TEST(Lattice, shape_thinner_than_half_a_spacing_has_no_points)
{
    EXPECT_EQ(fill_lattice<2>(Box<2>{{0, 0}, {1, 0.04}}, 0.1).size(), 0u);
    EXPECT_EQ(fill_lattice<2>(Box<2>{{0, 0}, {1, 0.06}}, 0.1).size(), 10u);
}

TEST(Lattice, same_points_in_the_same_order_as_testing_every_site)
{
    const Similarity<3> turn{0.7, rotation_matrix(Angles<3>(0.4, -0.9, 2.0)), {0.1, 0.2, -0.1}};
    const TriangleMesh sphere = sphere_mesh(2);
    const std::vector<Shape<3>> shapes = {
        Sphere<3>{{0.3, 0.1, 0}, 0.9},
        Shape<3>(Box<3>{{0, 0, 0}, {1, 2, 1.5}}).transformed(turn),
        Torus<3>{{0, 0, 0}, {1, 2, 3}, 0.8, 0.3},
        MeshSolid(sphere),
        Shape<3>(MeshSolid(torus_mesh(1, 0.4, 24, 12))).transformed(turn),
        MeshSolid(with_holes(sphere, 10)),
        subtract<3>({Sphere<3>{{0, 0, 0}, 1}, Box<3>{{0, 0, 0}, {1, 1, 1}}, MeshSolid(sphere_mesh(1, 0.5))}),
        unite<3>({Sphere<3>{{0, 0, 0}, 0.6}, Capsule<3>{{0, 0, 0}, {1, 1, 1}, 0.2}})};
    for (const Shape<3>& shape : shapes) {
        const std::vector<Vec<3>> points = fill_lattice(shape, 0.11);
        EXPECT_EQ(points, brute_force_lattice(shape, 0.11));
        EXPECT_EQ(count_lattice(shape, 0.11), points.size());
    }
    const Shape<2> stadium = Capsule<2>{{0, 0}, {1, 0.6}, 0.3};
    EXPECT_EQ(fill_lattice(stadium, 0.03), brute_force_lattice(stadium, 0.03));
}

TEST(Lattice, number_of_points_is_the_volume_over_that_of_a_cell)
{
    const Shape<3> ball = Sphere<3>{{0, 0, 0}, 1};
    EXPECT_NEAR(static_cast<double>(count_lattice(ball, 0.02)) * 8e-6 / (4 * pi / 3), 1.0, 1e-3);
}

TEST(Lattice, sparse_shapes_and_large_counts_are_cheap)
{
    const Shape<3> two =
        unite<3>({Box<3>{{0, 0, 0}, {0.01, 0.01, 0.01}}, Box<3>{{9, 9, 9}, {9.01, 9.01, 9.01}}});
    EXPECT_EQ(fill_lattice(two, 0.001).size(), 2000u);
    EXPECT_EQ(count_lattice<3>(Box<3>{{0, 0, 0}, {1, 1, 1}}, 1e-5), 1000000000000000u);
    // The last plane of sites would touch the upper side.
    EXPECT_EQ(count_lattice<3>(Box<3>{{0, 0, 0}, {1, 1, 1.000005}}, 1e-5), 1000000000000000u);
    EXPECT_NEAR(static_cast<double>(count_lattice<3>(Sphere<3>{{0, 0, 0}, 1}, 2e-3)) * 8e-9 / (4 * pi / 3), 1,
                1e-5);
}

TEST(Lattice, does_not_depend_on_the_number_of_threads)
{
    const Shape<3> shape = MeshSolid(torus_mesh(1, 0.4));
    const auto points_with = [&](int threads) {
        const ThreadLimit limit(threads);
        return fill_lattice(shape, 0.07);
    };
    EXPECT_EQ(points_with(1), points_with(7));
}

TEST(Lattice, refuses_spacings_that_make_no_sense)
{
    const Shape<3> ball = Sphere<3>{{0, 0, 0}, 1};
    EXPECT_THROW(fill_lattice(ball, 0.0), InputError);
    EXPECT_THROW(fill_lattice(ball, -0.1), InputError);
    EXPECT_THROW(fill_lattice(ball, static_cast<double>(NAN)), InputError);
    EXPECT_THROW(fill_lattice(ball, 1e-300), InputError);
    EXPECT_THROW(fill_lattice(ball, 1e-9), InputError);
    EXPECT_THROW(fill_lattice<3>(Box<3>{{0, 0, 0}, {1, 1, 1}}, 1e-4), InputError);
    EXPECT_THROW(fill_lattice(ball, 1e-5), InputError);
    EXPECT_THROW(fill_lattice<3>(MeshSolid(with_holes(sphere_mesh(2), 10)), 5e-4), InputError);
}

TEST(JitteredLattice, points_move_by_at_most_the_jitter_and_stay_inside)
{
    const Shape<3> ball = Sphere<3>{{0, 0, 0}, 1};
    const std::vector<Vec<3>> regular = fill_lattice(ball, 0.1);
    const std::vector<Vec<3>> jittered = fill_jittered(ball, 0.1, {.jitter = 0.3, .seed = 5});
    ASSERT_EQ(regular.size(), jittered.size());
    double farthest = 0.0;
    for (std::size_t i = 0; i < regular.size(); ++i) {
        farthest = std::max(farthest, (jittered[i] - regular[i]).cwiseAbs().maxCoeff());
        EXPECT_TRUE(ball.inside(jittered[i]));
    }
    EXPECT_LT(farthest, 0.03);
    EXPECT_GT(farthest, 0.0299);
}

TEST(JitteredLattice, is_decided_by_the_seed)
{
    const Shape<2> disc = Sphere<2>{{0, 0}, 1};
    EXPECT_EQ(fill_jittered(disc, 0.1, {.seed = 5}), fill_jittered(disc, 0.1, {.seed = 5}));
    EXPECT_NE(fill_jittered(disc, 0.1, {.seed = 5}), fill_jittered(disc, 0.1, {.seed = 6}));
    EXPECT_EQ(fill_jittered(disc, 0.1, {.jitter = 0}), fill_lattice(disc, 0.1));
    EXPECT_THROW(fill_jittered(disc, 0.1, {.jitter = 0.6}), InputError);
}

TEST(SpacingForCount, comes_close_to_the_count)
{
    const std::vector<Shape<3>> shapes = {
        Box<3>{{0, 0, 0}, {0.3, 0.3, 0.4}}, Sphere<3>{{0, 0, 0}, 0.2}, Torus<3>{{0, 0, 0}, {0, 0, 1}, 1, 0.1},
        MeshSolid(sphere_mesh(2)), subtract<3>({Box<3>{{0, 0, 0}, {1, 1, 1}}, Sphere<3>{{0, 0, 0}, 1}})};
    for (const Shape<3>& shape : shapes) {
        const double spacing = spacing_for_count(shape, 20000);
        EXPECT_NEAR(static_cast<double>(count_lattice(shape, spacing)), 20000.0, 800.0);
        EXPECT_EQ(spacing, spacing_for_count(shape, 20000));
    }
    const double spacing = spacing_for_count<3>(shapes, 20000);
    std::uint64_t count = 0;
    for (const Shape<3>& shape : shapes) count += count_lattice(shape, spacing);
    EXPECT_NEAR(static_cast<double>(count), 20000.0, 800.0);
}

TEST(SpacingForCount, whole_numbers_of_points_are_met_exactly)
{
    EXPECT_NEAR(spacing_for_count<3>(Box<3>{{0, 0, 0}, {1, 2, 3}}, 6000), 0.1, 1e-15);
    EXPECT_NEAR(spacing_for_count<2>(Box<2>{{0, 0}, {1, 2}}, 200), 0.1, 1e-15);
}

TEST(SpacingForCount, thin_plates_get_points_at_all)
{
    // By volume the spacing would be four times the thickness.
    const Shape<3> plate = Box<3>{{0, 0, 0}, {1, 1, 0.001}};
    EXPECT_GT(count_lattice(plate, spacing_for_count(plate, 20000)), 0u);
}

TEST(SpacingForCount, many_points_are_sampled_and_not_counted)
{
    const Shape<3> ball = Sphere<3>{{0, 0, 0}, 1};
    const double expected = std::cbrt(4 * pi / 3 / 4e9);
    EXPECT_NEAR(spacing_for_count(ball, 4000000000) / expected, 1.0, 0.005);
    const Shape<3> mesh = MeshSolid(sphere_mesh(3));
    EXPECT_NEAR(static_cast<double>(count_lattice(mesh, spacing_for_count(mesh, 3000000))), 3e6, 0.02 * 3e6);
}

TEST(SpacingForCount, refuses_counts_that_make_no_sense)
{
    EXPECT_THROW(spacing_for_count<2>(Sphere<2>{{0, 0}, 1}, std::uint64_t(1) << 32), InputError);
    EXPECT_THROW(spacing_for_count<2>(Sphere<2>{{0, 0}, 1}, 0), InputError);
    EXPECT_THROW(spacing_for_count<2>(std::span<const Shape<2>>{}, 10), InputError);
}

TEST(PeriodicFit, names_the_nearest_spacing_that_fits)
{
    EXPECT_TRUE(fit_periodic(0.5, 0.01).fits);
    EXPECT_EQ(fit_periodic(0.5, 0.01).count, 50);
    EXPECT_TRUE(fit_periodic(0.3, 0.1).fits);
    const PeriodicFit fit = fit_periodic(0.5, 0.03);
    EXPECT_FALSE(fit.fits);
    EXPECT_EQ(fit.count, 17);
    EXPECT_DOUBLE_EQ(fit.spacing, 0.5 / 17);
    EXPECT_TRUE(fit_periodic(0.5, fit.spacing).fits);
    EXPECT_EQ(fit_periodic(0.5, 3.0).count, 1);
    EXPECT_FALSE(fit_periodic(0.5, 3.0).fits);
    EXPECT_THROW(fit_periodic(0, 1), InputError);
    EXPECT_THROW(fit_periodic(1, 0), InputError);
    EXPECT_THROW(fit_periodic(1, 1e-300), InputError);
}

} // namespace
} // namespace phyxel::sampling_test
