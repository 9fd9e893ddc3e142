// SPDX-License-Identifier: MIT
#include <phyxel/geometry/rigid_fit.h>

#include <phyxel/core/rng.h>

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include <vector>

namespace phyxel {
namespace {

Mat<3> turn(double angle, const Vec<3>& axis)
{
    return Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix();
}

TEST(RigidFit, finds_the_motion_of_points_that_moved_rigidly)
{
    Rng rng(3);
    const Mat<3> R = turn(2.5, Vec<3>(1, -2, 0.5));
    const Vec<3> shift(3, -1, 7), center(0.2, 0.3, -0.1);
    std::vector<Vec<3>> rest, now;
    for (int k = 0; k < 20; ++k) {
        rest.push_back(rng.point<3>(-1.0, 1.0));
        now.push_back(R * rest.back() + shift);
    }
    const RigidFit fit = fit_rigid(rest, now, center, Mat<3>::Identity());
    EXPECT_LT((fit.rotation - R).norm(), 1e-7);
    EXPECT_LT((fit.position - (R * center + shift)).norm(), 1e-7);
}

TEST(RigidFit, is_a_rotation_also_of_what_was_mirrored)
{
    const std::vector<Vec<3>> rest = {Vec<3>(0, 0, 0), Vec<3>(1, 0, 0), Vec<3>(0, 1, 0), Vec<3>(0, 0, 1)};
    std::vector<Vec<3>> now = rest;
    for (Vec<3>& x : now) x[0] = -x[0];
    const RigidFit fit = fit_rigid(rest, now, Vec<3>::Zero(), Mat<3>::Identity());
    EXPECT_NEAR(fit.rotation.determinant(), 1.0, 1e-12);
}

TEST(RigidFit, what_points_do_not_tell_is_as_it_was)
{
    const Mat<3> before = turn(0.7, Vec<3>(0, 0, 1));
    const std::vector<Vec<3>> point = {Vec<3>(1, 2, 3)}, moved = {Vec<3>(2, 2, 3)};
    EXPECT_LT((fit_rigid(point, moved, point[0], before).rotation - before).norm(), 1e-12);
    EXPECT_LT((fit_rigid(point, moved, point[0], before).position - moved[0]).norm(), 1e-12);
    // Two on the axis that it has been turned about.
    const std::vector<Vec<3>> pair = {Vec<3>(0, 0, 0), Vec<3>(0, 0, 1)};
    EXPECT_LT((fit_rigid(pair, pair, pair[0], before).rotation - before).norm(), 1e-6);
}

} // namespace
} // namespace phyxel
