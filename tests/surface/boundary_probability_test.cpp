// SPDX-License-Identifier: MIT
#include <phyxel/search/neighbor_search.h>
#include <phyxel/surface/boundary_probability.h>

#include <gtest/gtest.h>

#include <algorithm>

namespace phyxel::boundary_probability_test {
namespace {

std::vector<Vec<3>> cube(int n)
{
    std::vector<Vec<3>> points;
    for (int k = 0; k < n; ++k)
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i) points.emplace_back(i, j, k);
    return points;
}

TEST(BoundaryProbability, what_spans_no_space_is_on_the_boundary_for_sure)
{
    std::vector<Vec<3>> points = {{0, 0, 0}, {9, 0, 0}, {9.5, 0, 0}};      // alone, and a pair
    for (int i = 0; i < 9; ++i) points.emplace_back(20 + i % 3, i / 3, 0); // a sheet
    for (const double P : boundary_probability(points, find_neighbors<3, double>(points, 2.0)))
        EXPECT_NEAR(P, 1.0, 1e-12);
}

TEST(BoundaryProbability, exposure_is_none_inside_and_grows_towards_corners)
{
    constexpr int n = 13;
    const std::vector<Vec<3>> points = cube(n);
    const std::vector<double> exposure = boundary_exposure(points, 3.0);
    for (std::size_t p = 0; p < points.size(); ++p) {
        int sides = 0;
        bool is_inner = true;
        for (int k = 0; k < 3; ++k) {
            sides += points[p][k] == 0 || points[p][k] == n - 1 ? 1 : 0;
            is_inner &= points[p][k] >= 3 && points[p][k] <= n - 4;
        }
        if (is_inner) {
            EXPECT_NEAR(exposure[p], 0.0, 1e-9);
        } else if (sides > 0) {
            EXPECT_GT(exposure[p], sides == 1 ? 0.4 : 0.8) << points[p].transpose();
        }
        EXPECT_LE(exposure[p], 1.0);
    }
}

} // namespace
} // namespace phyxel::boundary_probability_test
