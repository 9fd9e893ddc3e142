// SPDX-License-Identifier: MIT
// What cases measure with: nothing that is not a number, or not there, may look as if all were well.
#include <phyxel/verify/case.h>
#include <phyxel/verify/detail/places.h>
#include <phyxel/verify/detail/signal.h>
#include <phyxel/verify/observed_order.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace phyxel::detail::measuring_test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

bool is_right_of_0(const Vec<3>& x) { return x[0] > 0.0; }

TEST(PointsOutside, counts_those_that_are_nowhere)
{
    const std::vector<Vec<3>> points = {Vec<3>(-1, 0, 0), Vec<3>(1, 0, 0), Vec<3>(-1, nan, 0),
                                        Vec<3>(-infinity, 0, 0)};
    EXPECT_EQ(points_outside(points, is_right_of_0), 3.0);
    EXPECT_EQ(points_outside(std::vector<Vec<3>>{Vec<3>(-1, 0, 0)}, is_right_of_0), 0.0);
}

TEST(PointsOutside, of_none_is_no_number)
{
    EXPECT_TRUE(std::isnan(points_outside(std::vector<Vec<3>>{}, is_right_of_0)));
}

TEST(ZeroCrossings, are_found_by_straight_lines)
{
    EXPECT_EQ(zero_crossings({0, 1, 2, 3}, {1, -1, -1, 3}), (std::vector<double>{0.5, 2.25}));
}

TEST(ZeroCrossings, are_not_known_where_a_value_is_no_number)
{
    EXPECT_TRUE(zero_crossings({0, 1, 2, 3}, {1, -1, nan, 3}).empty());
    EXPECT_TRUE(zero_crossings({0, 1, 2, 3}, {1, -1, infinity, -3}).empty());
}

TEST(CrestTime, is_that_of_a_parabola)
{
    // 1 − (t − 1.25)²
    EXPECT_NEAR(crest_time({0, 1, 2, 3}, {-0.5625, 0.9375, 0.4375, -2.0625}), 1.25, 1e-12);
}

TEST(CrestTime, is_not_known_at_the_ends_or_where_a_value_is_no_number)
{
    EXPECT_TRUE(std::isnan(crest_time({0, 1, 2}, {3, 2, 1})));
    EXPECT_TRUE(std::isnan(crest_time({0, 1, 2}, {1, 2, 3})));
    EXPECT_TRUE(std::isnan(crest_time({0, 1, 2, 3}, {0, 1, 0, nan})));
    EXPECT_TRUE(std::isnan(crest_time({0, 1, 2, 3}, {nan, 1, 2, 1})));
}

TEST(ObservedOrder, of_an_error_that_vanishes_does_not_pass)
{
    const auto order = [](double finest) {
        return observed_order([&](double spacing) { return spacing > 0.3 ? spacing : finest; },
                              {.coarsest = 1.0, .halvings = 2});
    };
    EXPECT_TRUE(passes({order(0.25), 0.9, 0.0, Bound::AtLeast}));
    EXPECT_FALSE(passes({order(0.0), 0.9, 0.0, Bound::AtLeast})) << order(0.0);
    EXPECT_FALSE(passes({order(nan), 0.9, 0.0, Bound::AtLeast}));
}

} // namespace
} // namespace phyxel::detail::measuring_test
