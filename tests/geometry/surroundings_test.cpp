// SPDX-License-Identifier: MIT
#include <phyxel/geometry/surroundings.h>

#include <gtest/gtest.h>

#include <numbers>
#include <vector>

namespace phyxel::surroundings_test {
namespace {

std::vector<NearWall<3>> walls_near(const Surroundings<3>& surroundings, const Vec<3>& x)
{
    std::vector<NearWall<3>> walls;
    for_each_wall(surroundings, x, 0.1, [&](const NearWall<3>& wall) { walls.push_back(wall); });
    return walls;
}

TEST(Surroundings, sides_run_along_themselves_and_not_into_the_domain)
{
    Surroundings<3> surroundings;
    surroundings.domain = {.bounded = true, .box = {Vec<3>::Zero(), Vec<3>::Ones()}};
    surroundings.domain.surface = {.no_slip = true, .velocity = Vec<3>(1, 2, 3)};
    const std::vector<NearWall<3>> walls = walls_near(surroundings, Vec<3>(0.95, 0.5, 0.05));
    ASSERT_EQ(walls.size(), 2u);
    EXPECT_EQ(walls[0].velocity, Vec<3>(0, 2, 3));
    EXPECT_EQ(walls[1].velocity, Vec<3>(1, 2, 0));
}

TEST(Surroundings, a_belt_runs_on_top_of_the_motion_of_its_obstacle_and_turns_with_it)
{
    Surroundings<3> surroundings;
    Obstacle<3> belt{.name = "belt", .shape = Shape<3>(Box<3>{Vec<3>(-1, -1, -1), Vec<3>(1, 1, 0)})};
    belt.surface = {.no_slip = true, .velocity = Vec<3>(2, 0, 5)};
    surroundings.obstacles.push_back(belt);
    ASSERT_EQ(walls_near(surroundings, Vec<3>(0, 0, 0.05)).size(), 1u);
    EXPECT_LT((walls_near(surroundings, Vec<3>(0, 0, 0.05))[0].velocity - Vec<3>(2, 0, 0)).norm(), 1e-12);

    surroundings.obstacles[0].pose.rotation = rotation_matrix(Angles<3>(0, 0, std::numbers::pi / 2));
    surroundings.obstacles[0].velocity.linear = Vec<3>(0, 0, 3);
    EXPECT_LT((walls_near(surroundings, Vec<3>(0, 0, 0.05))[0].velocity - Vec<3>(0, 2, 3)).norm(), 1e-12);
}

} // namespace
} // namespace phyxel::surroundings_test
