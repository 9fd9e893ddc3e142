// SPDX-License-Identifier: MIT
#include <phyxel/fracture/crack_drawing.h>

#include <phyxel/core/error.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace phyxel::crack_drawing_test {
namespace {

/// The cube from −1 to 1.
double cube(const Vec<3>& x) { return x.cwiseAbs().maxCoeff() - 1.0; }
double square(const Vec<2>& x) { return x.cwiseAbs().maxCoeff() - 1.0; }

std::vector<Vec<3>> plane_at(double z, double from, double to)
{
    return {Vec<3>(from, -3, z), Vec<3>(to, -3, z), Vec<3>(to, 3, z), Vec<3>(from, 3, z)};
}

TEST(CrackDrawing, triangles_cover_a_polygon_that_is_not_convex)
{
    const std::vector<Vec<3>> polygon = {Vec<3>(0, 0, 1), Vec<3>(4, 0, 1), Vec<3>(4, 3, 1),
                                         Vec<3>(3, 1, 1), Vec<3>(1, 1, 1), Vec<3>(0, 3, 1)};
    double area = 0.0;
    for (const auto& triangle : faces_of<3>(polygon)) {
        area += measure_of<3>(triangle);
        EXPECT_GT((triangle[1] - triangle[0]).cross(triangle[2] - triangle[0])[2], 0.0);
    }
    EXPECT_NEAR(area, 4.0 + 1.0 + 1.0, 1e-14);
}

TEST(CrackDrawing, polygons_that_are_none_are_refused)
{
    const double nan = std::nan("");
    EXPECT_THROW(faces_of<3>(std::vector<Vec<3>>{Vec<3>(0, 0, 0), Vec<3>(1, 0, 0)}), InputError);
    EXPECT_THROW(faces_of<3>(std::vector<Vec<3>>{Vec<3>(0, 0, 0), Vec<3>(1, 0, 0), Vec<3>(2, 0, 0)}),
                 InputError);
    EXPECT_THROW(faces_of<3>(std::vector<Vec<3>>{Vec<3>(0, 0, 0), Vec<3>(1, 0, nan), Vec<3>(2, 1, 0)}),
                 InputError);
    EXPECT_THROW(faces_of<2>(std::vector<Vec<2>>{Vec<2>(1, 1), Vec<2>(1, 1)}), InputError);
    EXPECT_THROW(faces_of<2>(std::vector<Vec<2>>(2000, Vec<2>(1, 1))), InputError);
}

TEST(CrackDrawing, a_crack_through_a_body_has_its_area_and_no_front)
{
    CrackSheets<3> cracks(0.25);
    EXPECT_TRUE(draw_crack<3>(cracks, plane_at(0.1, -3, 3), cube));
    find_fronts(cracks);
    EXPECT_NEAR(cracks.data().area, 4.0, 1e-9);
    EXPECT_TRUE(cracks.data().fronts.empty());
    // Nothing far from the body is kept.
    for (const Vec<3>& node : cracks.data().nodes) EXPECT_LT(cube(node), 0.25 + 0.25);
}

TEST(CrackDrawing, the_size_of_a_polygon_costs_nothing)
{
    CrackSheets<3> small(0.25), large(0.25);
    draw_crack<3>(small, plane_at(0.1, -3, 3), cube);
    const std::vector<Vec<3>> huge = {Vec<3>(-1e6, -1e6, 0.1), Vec<3>(1e6, -1e6, 0.1), Vec<3>(1e6, 1e6, 0.1),
                                      Vec<3>(-1e6, 1e6, 0.1)};
    draw_crack<3>(large, huge, cube);
    EXPECT_NEAR(large.data().area, 4.0, 1e-9);
    EXPECT_LT(large.data().faces.size(), 4 * small.data().faces.size());
    const double most = std::numeric_limits<double>::max();
    const std::vector<Vec<3>> beyond = {Vec<3>(-most, -1, 0.1), Vec<3>(most, -1, 0.1), Vec<3>(0, most, 0.1)};
    CrackSheets<3> none(0.25);
    try {
        draw_crack<3>(none, beyond, cube);
    } catch (const InputError&) {
    }
}

TEST(CrackDrawing, a_crack_half_through_a_body_ends_in_a_straight_front)
{
    CrackSheets<3> cracks(0.25);
    draw_crack<3>(cracks, plane_at(0.1, -3, 0.3), cube);
    find_fronts(cracks);
    // The distance from the surface is not linear along the diagonals of the cube.
    EXPECT_NEAR(cracks.data().area, 2.0 * 1.3, 0.005);
    double length = 0.0;
    for (const auto& front : cracks.data().fronts) {
        const Vec<3>&a = cracks.data().nodes[front[0]], &b = cracks.data().nodes[front[1]];
        EXPECT_NEAR(a[0], 0.3, 1e-14);
        EXPECT_NEAR(b[0], 0.3, 1e-14);
        length += (a - b).norm();
    }
    EXPECT_NEAR(length, 2.0, 0.2);
}

TEST(CrackDrawing, a_crack_that_ends_on_another_has_no_front_there)
{
    CrackSheets<3> cracks(0.25);
    draw_crack<3>(cracks, plane_at(0.1, -3, 3), cube);
    const std::vector<Vec<3>> wall = {Vec<3>(0, -3, 0.1), Vec<3>(0, 3, 0.1), Vec<3>(0, 3, 0.7),
                                      Vec<3>(0, -3, 0.7)};
    draw_crack<3>(cracks, wall, cube);
    find_fronts(cracks);
    EXPECT_FALSE(cracks.data().fronts.empty());
    for (const auto& front : cracks.data().fronts)
        for (const Index node : front) EXPECT_NEAR(cracks.data().nodes[node][2], 0.7, 1e-14);
}

TEST(CrackDrawing, a_closed_line_has_no_end)
{
    std::vector<Vec<2>> circle;
    for (int k = 0; k <= 40; ++k) {
        const double angle = 2.0 * std::numbers::pi * (k % 40) / 40.0;
        circle.emplace_back(0.5 * std::cos(angle), 0.5 * std::sin(angle));
    }
    CrackSheets<2> closed(0.1), open(0.1);
    draw_crack<2>(closed, circle, square);
    circle.pop_back();
    draw_crack<2>(open, circle, square);
    find_fronts(closed);
    find_fronts(open);
    EXPECT_TRUE(closed.data().fronts.empty());
    // Its ends are a chord apart, which is less than a tenth of a spacing only in the first.
    EXPECT_EQ(open.data().fronts.size(), 2u);
    EXPECT_NEAR(closed.data().area, 40.0 * 2.0 * 0.5 * std::sin(std::numbers::pi / 40.0), 1e-12);
}

TEST(CrackDrawing, what_lies_beside_a_body_is_no_crack_of_it)
{
    CrackSheets<3> cracks(0.25);
    EXPECT_FALSE(draw_crack<3>(cracks, plane_at(2.0, -3, 3), cube));
    EXPECT_TRUE(cracks.is_empty());
}

} // namespace
} // namespace phyxel::crack_drawing_test
