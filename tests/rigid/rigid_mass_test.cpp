// SPDX-License-Identifier: MIT
#include <phyxel/rigid/rigid_mass.h>

#include <phyxel/core/error.h>

#include <gtest/gtest.h>

#include <numbers>

namespace phyxel::rigid_mass_test {
namespace {

TEST(RigidMass, of_a_box_is_that_of_the_formula)
{
    const RigidMass<3> mass = rigid_mass(Shape<3>(Box<3>{{1, 2, 3}, {2, 4, 6}}), 500.0);
    EXPECT_NEAR(mass.mass, 3000.0, 1e-9);
    EXPECT_LT((mass.center - Vec<3>(1.5, 3, 4.5)).norm(), 1e-12);
    const Vec<3> expected = 3000.0 / 12.0 * Vec<3>(4 + 9, 1 + 9, 1 + 4);
    EXPECT_LT((mass.inertia.diagonal() - expected).norm(), 1e-9 * expected.norm());
    EXPECT_NEAR(mass.inertia(0, 1), 0.0, 1e-9);
}

TEST(RigidMass, of_a_box_in_combinations_of_one_part_is_that_of_the_box)
{
    const Shape<3> box = Box<3>{Vec<3>(0, 0, 0), Vec<3>(1, 2, 3)};
    const RigidMass<3> plain = rigid_mass(box, 500.0);
    const RigidMass<3> wrapped = rigid_mass(subtract<3>({unite<3>({box})}), 500.0);
    EXPECT_EQ(wrapped.mass, plain.mass);
    EXPECT_EQ(wrapped.center, plain.center);
    EXPECT_EQ(wrapped.inertia, plain.inertia);
}

TEST(RigidMass, of_a_rectangle_and_a_disc_is_that_of_the_formula)
{
    const RigidMass<2> box = rigid_mass(Shape<2>(Box<2>{{0, 0}, {2, 1}}), 10.0);
    EXPECT_NEAR(box.inertia(0, 0), 20.0 * 5.0 / 12.0, 1e-12);
    const RigidMass<2> disc = rigid_mass(Shape<2>(Sphere<2>{{1, 1}, 0.5}), 10.0);
    const double m = 10.0 * std::numbers::pi * 0.25;
    EXPECT_NEAR(disc.mass, m, 1e-4 * m);
    EXPECT_NEAR(disc.inertia(0, 0), 0.5 * m * 0.25, 2e-4 * m * 0.25);
}

TEST(RigidMass, of_a_ball_and_a_shell_is_that_of_the_formula)
{
    const RigidMass<3> ball = rigid_mass(Shape<3>(Sphere<3>{{0, 0, 1}, 0.3}), 1000.0);
    const double m = 1000.0 * 4.0 / 3.0 * std::numbers::pi * 0.027;
    EXPECT_NEAR(ball.mass, m, 2e-4 * m);
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(ball.inertia(k, k), 0.4 * m * 0.09, 3e-4 * 0.4 * m * 0.09);

    const Shape<3> shell =
        subtract<3>({Shape<3>(Sphere<3>{{0, 0, 0}, 0.3}), Shape<3>(Sphere<3>{{0, 0, 0}, 0.2})});
    const RigidMass<3> hollow = rigid_mass(shell, 1000.0);
    const double volume = 4.0 / 3.0 * std::numbers::pi * (0.027 - 0.008);
    const double inertia =
        0.4 * 1000.0 * 4.0 / 3.0 * std::numbers::pi * (std::pow(0.3, 5) - std::pow(0.2, 5));
    EXPECT_NEAR(hollow.mass, 1000.0 * volume, 1e-3 * 1000.0 * volume);
    EXPECT_NEAR(hollow.inertia(2, 2), inertia, 1e-3 * inertia);
}

TEST(RigidMass, of_a_turned_box_has_its_axes)
{
    const Shape<3> box(Box<3>{{-1, -0.5, -0.25}, {1, 0.5, 0.25}});
    Similarity<3> map;
    map.rotation = rotation_matrix(Angles<3>(0.3, -0.7, 1.1));
    const RigidMass<3> turned = rigid_mass(box.transformed(map), 1.0);
    const Mat<3> expected = map.rotation * rigid_mass(box, 1.0).inertia * map.rotation.transpose();
    EXPECT_LT((turned.inertia - expected).norm(), 1e-9);
}

} // namespace
} // namespace phyxel::rigid_mass_test
