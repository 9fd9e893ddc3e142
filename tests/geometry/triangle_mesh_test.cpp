// SPDX-License-Identifier: MIT
#include "meshes.h"

#include <phyxel/geometry/triangle_mesh.h>

#include <Eigen/LU>
#include <gtest/gtest.h>

namespace phyxel::triangle_mesh_test {
namespace {

TEST(Box, empty_box_contains_nothing_and_grows_to_its_first_point)
{
    Box<3> box;
    EXPECT_TRUE(box.is_empty());
    EXPECT_EQ(box.volume(), 0.0);
    EXPECT_FALSE(box.contains(Vec<3>::Zero()));
    const Vec<3> x(1, 2, 3);
    box.extend(x);
    EXPECT_FALSE(box.is_empty());
    EXPECT_TRUE(box.contains(x));
    EXPECT_EQ(box.size(), Vec<3>::Zero());
    box.extend(Vec<3>(0, 4, 3));
    EXPECT_EQ(box.min, Vec<3>(0, 2, 3));
    EXPECT_EQ(box.max, Vec<3>(1, 4, 3));
    EXPECT_EQ(box.longest_side(), 2.0);
    EXPECT_EQ(box.shortest_side(), 0.0);
}

TEST(Box, distance_is_that_of_the_nearest_point)
{
    const Box<2> box{{0, 0}, {2, 1}};
    EXPECT_EQ(box.distance({1, 0.5}), 0.0);
    EXPECT_EQ(box.distance({5, 5}), 5.0);
    EXPECT_EQ(box.distance({-1, 0.5}), 1.0);
}

TEST(Box, overlap_of_boxes_that_do_not_meet_is_empty)
{
    const Box<2> a{{0, 0}, {1, 1}};
    EXPECT_EQ(overlap(a, Box<2>{{0.5, -1}, {2, 0.5}}), (Box<2>{{0.5, 0}, {1, 0.5}}));
    EXPECT_TRUE(overlap(a, Box<2>{{2, 0}, {3, 1}}).is_empty());
    EXPECT_EQ(overlap(a, Box<2>{{2, 0}, {3, 1}}).volume(), 0.0);
}

TEST(Pose, rotation_turns_about_the_fixed_axes_in_turn)
{
    const double quarter = std::numbers::pi / 2;
    // x to y about z, and y to z about x: first x, then z leaves e_x at e_y and takes e_y to e_z.
    const Mat<3> R = rotation_matrix(Angles<3>(quarter, 0, quarter));
    EXPECT_LT((R * Vec<3>::UnitX() - Vec<3>::UnitY()).norm(), 1e-15);
    EXPECT_LT((R * Vec<3>::UnitY() - Vec<3>::UnitZ()).norm(), 1e-15);

    Rng rng(1);
    for (int k = 0; k < 10; ++k) {
        const Vec<3> a = rng.point<3>(-4, 4);
        const Mat<3> in_turn = rotation_matrix(Angles<3>(0, 0, a[2])) *
                               rotation_matrix(Angles<3>(0, a[1], 0)) *
                               rotation_matrix(Angles<3>(a[0], 0, 0));
        EXPECT_LT((rotation_matrix(a) - in_turn).norm(), 1e-14);
        EXPECT_NEAR(rotation_matrix(a).determinant(), 1.0, 1e-14);
    }
    EXPECT_LT((rotation_matrix(Angles<2>(quarter)) * Vec<2>::UnitX() - Vec<2>::UnitY()).norm(), 1e-15);
}

TEST(Pose, similarities_compose_and_invert)
{
    const Similarity<3> a{2.0, rotation_matrix(Angles<3>(0.3, 1.0, -2.0)), {1, 2, 3}};
    const Similarity<3> b{0.25, rotation_matrix(Angles<3>(-1.3, 0.4, 0.7)), {-3, 0.5, 1}};
    const Vec<3> x(0.2, -0.7, 1.1);
    EXPECT_LT((a.after(b).apply(x) - a.apply(b.apply(x))).norm(), 1e-14);
    EXPECT_LT((a.apply_inverse(a.apply(x)) - x).norm(), 1e-14);
    const Pose<3> pose{a.rotation, a.translation};
    EXPECT_LT((pose.apply_inverse(pose.apply(x)) - x).norm(), 1e-14);
}

TEST(TriangleMesh, box_has_the_area_and_volume_of_a_box)
{
    const TriangleMesh mesh = box_mesh({{1, 2, 3}, {3, 3, 3.5}});
    EXPECT_DOUBLE_EQ(surface_area(mesh), 2 * (2 * 1 + 1 * 0.5 + 0.5 * 2));
    EXPECT_DOUBLE_EQ(signed_volume(mesh), 1.0);
    EXPECT_DOUBLE_EQ(signed_volume(reversed(mesh)), -1.0);
    EXPECT_EQ(bounds(mesh), (Box<3>{{1, 2, 3}, {3, 3, 3.5}}));
}

TEST(TriangleMesh, volume_does_not_suffer_from_distance_to_the_origin)
{
    const TriangleMesh mesh = sphere_mesh(3);
    const TriangleMesh far = sphere_mesh(3, 1.0, {1e6, -1e6, 1e6});
    EXPECT_NEAR(signed_volume(far), signed_volume(mesh), 1e-8);
}

TEST(TriangleMesh, refined_sphere_converges_to_the_volume_of_the_ball)
{
    const double ball = 4 * std::numbers::pi / 3;
    EXPECT_NEAR((ball - signed_volume(sphere_mesh(4))) / (ball - signed_volume(sphere_mesh(5))), 4.0, 0.1);
}

TEST(TriangleMesh, similarity_scales_lengths_areas_and_volumes)
{
    const Similarity<3> map{3.0, rotation_matrix(Angles<3>(0.3, 1.0, -2.0)), {1, 2, 3}};
    const TriangleMesh before = sphere_mesh(2, 0.5, {1, 0, 0});
    const TriangleMesh after = transformed(before, map);
    EXPECT_NEAR(surface_area(after), 9 * surface_area(before), 1e-12);
    EXPECT_NEAR(signed_volume(after), 27 * signed_volume(before), 1e-12);

    const PointCloud cloud = transformed(sphere_cloud(10), map);
    for (std::size_t i = 0; i < 10; ++i) {
        // The normal of a sphere still points away from its centre.
        EXPECT_LT((cloud.positions[i] - map.translation - 3 * cloud.normals[i]).norm(), 1e-14);
    }
}

TEST(TriangleMesh, nothing_has_no_bounds_area_or_volume)
{
    EXPECT_TRUE(bounds(TriangleMesh{}).is_empty());
    EXPECT_TRUE(bounds(PointCloud{}).is_empty());
    EXPECT_EQ(surface_area({}), 0.0);
    EXPECT_EQ(signed_volume({}), 0.0);
}

} // namespace
} // namespace phyxel::triangle_mesh_test
