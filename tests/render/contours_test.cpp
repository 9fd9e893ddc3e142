// SPDX-License-Identifier: MIT
#include <phyxel/render/field_chart.h>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <vector>

namespace phyxel::contours_test {
namespace {

FieldGrid grid_of(int cells, const std::function<double(const Vec<2>&)>& f)
{
    FieldGrid grid{.min = Vec<2>(-1, -1), .max = Vec<2>(1, 1), .columns = cells + 1, .rows = cells + 1};
    for (int row = 0; row <= cells; ++row)
        for (int column = 0; column <= cells; ++column) grid.values.push_back(f(grid.position(column, row)));
    return grid;
}

/// Area inside closed curves, negative if they run clockwise.
double area_of(const std::vector<std::vector<Vec<2>>>& curves)
{
    double sum = 0.0;
    for (const std::vector<Vec<2>>& curve : curves)
        for (std::size_t k = 0; k < curve.size(); ++k) {
            const Vec<2>& a = curve[k];
            const Vec<2>& b = curve[(k + 1) % curve.size()];
            sum += 0.5 * (a[0] * b[1] - a[1] * b[0]);
        }
    return sum;
}

TEST(Contours, of_a_cone_are_circles)
{
    const FieldGrid cone = grid_of(200, [](const Vec<2>& x) { return 1.0 - x.norm(); });
    const auto curves = contours(cone, 0.5);
    ASSERT_EQ(curves.size(), 1u);
    EXPECT_NEAR(area_of(curves), 0.25 * std::numbers::pi, 1e-4);
    for (const Vec<2>& x : curves[0]) EXPECT_NEAR(x.norm(), 0.5, 1e-4);
}

TEST(Contours, have_what_is_above_to_their_left_also_around_holes)
{
    const FieldGrid ring = grid_of(200, [](const Vec<2>& x) { return 0.2 - std::abs(x.norm() - 0.6); });
    const auto curves = contours(ring, 0.0);
    EXPECT_EQ(curves.size(), 2u);
    EXPECT_NEAR(area_of(curves), std::numbers::pi * (0.64 - 0.16), 1e-3);
    // Below is the square without the ring.
    EXPECT_NEAR(area_of(contours(ring, 0.0, true)), 4.0 - std::numbers::pi * (0.64 - 0.16), 1e-3);
}

TEST(Contours, run_along_the_rim_where_they_leave_the_grid)
{
    const FieldGrid slope = grid_of(10, [](const Vec<2>& x) { return x[0]; });
    EXPECT_NEAR(area_of(contours(slope, 0.3)), 2.0 * 0.7, 1e-12);
    EXPECT_NEAR(area_of(contours(slope, 0.3, true)), 2.0 * 1.3, 1e-12);
    EXPECT_NEAR(area_of(contours(slope, -5)), 4.0, 1e-12) << "all of it";
    EXPECT_TRUE(contours(slope, 5).empty());
}

TEST(Contours, at_saddles_follow_the_middle_of_the_cell)
{
    FieldGrid saddle{.columns = 2, .rows = 2, .values = {1, 0, 0, 1}};
    EXPECT_EQ(contours(saddle, 0.4).size(), 1u) << "the middle, 0.5, joins both corners";
    EXPECT_EQ(contours(saddle, 0.6).size(), 2u);
}

TEST(Contours, take_what_is_no_number_for_nothing)
{
    FieldGrid grid{.columns = 3, .rows = 3, .values = std::vector<double>(9, 1.0)};
    grid.values[4] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_NEAR(area_of(contours(grid, 0.5)), 1.0 - 0.125, 1e-12);
    grid.values[4] = std::numeric_limits<double>::infinity();
    EXPECT_NEAR(area_of(contours(grid, 0.5)), 1.0, 1e-12);
}

TEST(ContourLevels, are_round_and_show_where_a_field_ends)
{
    const auto near = [](const std::vector<double>& found, const std::vector<double>& expected) {
        ASSERT_EQ(found.size(), expected.size());
        for (std::size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k], expected[k], 1e-12);
    };
    near(contour_levels({.columns = 2, .rows = 2, .values = {0.0, 0.65, -0.16, 0.1}}),
         {-0.1, -0.01, 0.01, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6});
    near(contour_levels({.columns = 2, .rows = 2, .values = {0.0, 1.0, 0.5, 0.1}}),
         {0.02, 0.2, 0.4, 0.6, 0.8});
    EXPECT_TRUE(contour_levels({.columns = 2, .rows = 2, .values = {0, 0, 0, 0}}).empty());
}

} // namespace
} // namespace phyxel::contours_test
