// SPDX-License-Identifier: MIT
#include <phyxel/core/error.h>
#include <phyxel/core/rng.h>
#include <phyxel/render/camera.h>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numbers>

namespace phyxel::camera_test {
namespace {

/// The part of the picture that the corners of the box reach, from 0 to 1 along both axes.
Box<2> part_of_picture(const Camera& camera, const Box<3>& box, int width, int height)
{
    const CameraView view(camera, width, height);
    Box<2> part;
    for (int corner = 0; corner < 8; ++corner) {
        Vec<3> p;
        for (int k = 0; k < 3; ++k) p[k] = ((corner >> k) & 1) != 0 ? box.max[k] : box.min[k];
        const auto projected = view.project(p);
        EXPECT_GT(projected.depth, 0.0);
        part.extend(Vec<2>(projected.pixel[0] / width, projected.pixel[1] / height));
    }
    return part;
}

TEST(Camera, rays_go_through_the_points_that_are_projected_to_their_pixels)
{
    Rng rng(3);
    for (const bool is_parallel : {false, true}) {
        Camera camera{.from = {3.0, -2.0, 1.0}, .look_at = {0.2, 0.1, 0.3}, .is_parallel = is_parallel};
        const CameraView view(camera, 640, 480);
        for (int i = 0; i < 100; ++i) {
            const Vec<3> x = rng.point<3>(-0.5, 0.5);
            const auto ray = view.ray(view.project(x).pixel);
            EXPECT_LT((x - ray.origin).cross(ray.direction).norm(), 1e-12);
            EXPECT_NEAR(ray.direction.norm(), 1.0, 1e-14);
        }
        EXPECT_NEAR(view.project(camera.look_at).pixel[0], 320.0, 1e-9);
        EXPECT_NEAR(view.project(camera.look_at).pixel[1], 240.0, 1e-9);
        EXPECT_LT(view.project(camera.look_at + Vec<3>(0, 0, 0.1)).pixel[1], 240.0) << "z is up";
    }
}

TEST(Camera, framing_fills_the_picture_up_to_the_margin_and_not_beyond)
{
    for (const double scale : {1e-6, 1.0, 1e6})
        for (const Vec<3>& size :
             {Vec<3>(1, 1, 1), Vec<3>(10, 0.1, 0.2), Vec<3>(0, 0, 1), Vec<3>(1, 2, 30)}) {
            const Vec<3> corner = scale * Vec<3>(4.0, -7.0, 2.0);
            const Box<3> box{.min = corner, .max = corner + scale * size};
            const Box<2> part = part_of_picture(framing_camera(box, 1.5), box, 300, 200);
            EXPECT_GE(part.min.minCoeff(), 0.06 - 1e-6);
            EXPECT_LE(part.max.maxCoeff(), 0.94 + 1e-6);
            EXPECT_NEAR(part.size().maxCoeff(), 0.88, 1e-6);
        }
}

TEST(Camera, framing_leaves_room_for_a_legend_at_the_lower_edge)
{
    const Box<3> box{.min = {0, 0, 0}, .max = {1, 1, 3}};
    const Box<2> part = part_of_picture(framing_camera(box, 1.5, {.bottom_margin = 0.2}), box, 300, 200);
    EXPECT_NEAR(part.min[1], 0.06, 1e-6);
    EXPECT_NEAR(part.max[1], 0.8, 1e-6);
    const Box<3> flat{.min = {0, 0, 0}, .max = {1, 2, 0}};
    const Box<2> front = part_of_picture(front_camera(flat, 1.5, 0.1, 0.2), flat, 300, 200);
    EXPECT_NEAR(front.min[1], 0.1, 1e-6);
    EXPECT_NEAR(front.max[1], 0.8, 1e-6);
}

TEST(Camera, boxes_without_extent_are_framed_too)
{
    Box<3> point;
    point.extend(Vec<3>(1.0, 2.0, 3.0));
    Box<3> infinite;
    infinite.extend(Vec<3>(0.0, 0.0, std::numeric_limits<double>::infinity()));
    for (const Box<3>& box : {Box<3>(), point, infinite}) {
        EXPECT_NO_THROW(check_camera(framing_camera(box, 1.0)));
        EXPECT_NO_THROW(check_camera(front_camera(box, 1.0)));
    }
    EXPECT_LT((framing_camera(point, 1.0).look_at - point.min).norm(), 1.0);
}

TEST(Camera, a_whole_orbit_ends_where_it_began_and_keeps_distance_and_height)
{
    const Camera camera{.from = {3.0, -2.0, 1.0}, .look_at = {0.2, 0.1, 0.3}};
    const Camera quarter = orbited(camera, std::numbers::pi / 2);
    EXPECT_NEAR((quarter.from - quarter.look_at).norm(), (camera.from - camera.look_at).norm(), 1e-12);
    EXPECT_NEAR(quarter.from[2], camera.from[2], 1e-12);
    EXPECT_NEAR((quarter.from - camera.look_at).head<2>().dot((camera.from - camera.look_at).head<2>()), 0.0,
                1e-12);
    EXPECT_LT((orbited(camera, 2 * std::numbers::pi).from - camera.from).norm(), 1e-12);
}

TEST(Camera, straight_down_is_a_direction_like_any_other)
{
    const CameraView view({.from = {0, 0, 5}, .look_at = {0, 0, 0}}, 100, 100);
    EXPECT_LT(view.project({0, 1, 0}).pixel[1], 50.0) << "north is up";
    EXPECT_GT(view.project({1, 0, 0}).pixel[0], 50.0) << "east is to the right";
}

TEST(Camera, impossible_ones_are_refused)
{
    EXPECT_THROW(check_camera({.from = {1, 1, 1}, .look_at = {1, 1, 1}}), InputError);
    EXPECT_THROW(check_camera({.from = {std::numeric_limits<double>::quiet_NaN(), 0, 0}}), InputError);
    EXPECT_THROW(check_camera({.fov = 0.0}), InputError);
    EXPECT_THROW(check_camera({.fov = 4.0}), InputError);
}

} // namespace
} // namespace phyxel::camera_test
