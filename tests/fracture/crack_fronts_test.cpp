// SPDX-License-Identifier: MIT
#include <phyxel/fracture/crack_fronts.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <utility>
#include <vector>

namespace phyxel::crack_fronts_test {
namespace {

constexpr double spacing = 0.2;

template <int Dim>
double cube(const Vec<Dim>& x)
{
    return x.cwiseAbs().maxCoeff() - 1.0;
}

template <int Dim>
CrackSheets<Dim> drawn(const std::vector<Vec<Dim>>& polygon)
{
    CrackSheets<Dim> cracks(spacing);
    draw_crack<Dim>(cracks, polygon, cube<Dim>);
    find_fronts(cracks);
    return cracks;
}

CrackSheets<3> disc(double radius)
{
    std::vector<Vec<3>> polygon;
    for (int k = 0; k < 12; ++k) {
        const double angle = std::numbers::pi * k / 6.0;
        polygon.push_back(radius * Vec<3>(std::cos(angle), std::sin(angle), 0.0));
    }
    return drawn<3>(polygon);
}

template <int Dim>
FrontGrowth grow(CrackSheets<Dim>& cracks, double way)
{
    const std::vector<FrontNode<Dim>> nodes = front_nodes(cracks);
    std::vector<Vec<Dim>> ways;
    for (const FrontNode<Dim>& node : nodes) ways.push_back(way * node.forward);
    FrontGrowth growth = advance_fronts<Dim>(cracks, nodes, ways, cube<Dim>);
    find_fronts(cracks);
    return growth;
}

TEST(CrackFronts, both_ends_of_a_line_look_away_from_it)
{
    const CrackSheets<2> cracks = drawn<2>({Vec<2>(-0.3, 0.1), Vec<2>(0.3, 0.1)});
    const std::vector<FrontNode<2>> nodes = front_nodes(cracks);
    ASSERT_EQ(nodes.size(), 2u);
    for (const FrontNode<2>& node : nodes) {
        EXPECT_NEAR(node.forward.dot(Vec<2>::UnitX()), std::copysign(1.0, node.place[0]), 1e-14);
        EXPECT_NEAR(std::abs(node.normal[1]), 1.0, 1e-14);
        EXPECT_EQ(node.share, 1.0);
    }
}

TEST(CrackFronts, a_line_grows_until_it_ends_at_the_surface)
{
    CrackSheets<2> cracks = drawn<2>({Vec<2>(-2.0, 0.1), Vec<2>(0.3, 0.1)});
    for (int n = 0; n < 30 && !cracks.data().fronts.empty(); ++n) EXPECT_TRUE(grow(cracks, 0.05).has_grown);
    EXPECT_TRUE(cracks.data().fronts.empty());
    EXPECT_NEAR(cracks.data().area, 2.0, 1e-12);
    EXPECT_FALSE(grow(cracks, 0.05).has_grown);
}

TEST(CrackFronts, a_line_ends_at_another)
{
    CrackSheets<2> cracks = drawn<2>({Vec<2>(-2.0, 0.1), Vec<2>(0.3, 0.1)});
    draw_crack<2>(cracks, std::vector<Vec<2>>{Vec<2>(0.52, -2.0), Vec<2>(0.52, 2.0)}, cube<2>);
    find_fronts(cracks);
    for (int n = 0; n < 30 && !cracks.data().fronts.empty(); ++n) grow(cracks, 0.05);
    EXPECT_TRUE(cracks.data().fronts.empty());
    double farthest = 0.0;
    for (const Vec<2>& x : cracks.data().nodes)
        if (std::abs(x[1] - 0.1) < 1e-9) farthest = std::max(farthest, x[0]);
    EXPECT_NEAR(farthest, 0.52, 0.1 * spacing);
    EXPECT_TRUE(cracks.is_crossed(Vec<2>(0.5, 0.0), Vec<2>(0.5, 0.2)));
}

TEST(CrackFronts, a_disc_grows_round_and_stays_whole)
{
    CrackSheets<3> cracks = disc(0.25);
    for (int n = 0; n < 8; ++n) EXPECT_TRUE(grow(cracks, 0.05).has_grown);
    const CrackData<3>& data = cracks.data();
    // A polygon that is smoothed falls behind a circle by little.
    EXPECT_NEAR(data.area, std::numbers::pi * 0.65 * 0.65, 0.1 * data.area);
    std::map<std::pair<Index, Index>, int> edges;
    for (const auto& face : data.faces)
        for (std::size_t k = 0; k < 3; ++k) ++edges[std::minmax(face[k], face[(k + 1) % 3])];
    std::size_t open = 0;
    for (const auto& [edge, count] : edges) {
        EXPECT_LE(count, 2);
        open += count == 1 ? 1 : 0;
    }
    EXPECT_EQ(open, data.fronts.size());
    double length = 0.0;
    for (const auto& front : data.fronts) {
        const double edge = (data.nodes[front[1]] - data.nodes[front[0]]).norm();
        EXPECT_GE(edge, 0.15 * spacing);
        EXPECT_LE(edge, 0.85 * spacing);
        length += edge;
    }
    EXPECT_NEAR(length, 2.0 * std::numbers::pi * 0.65, 0.1 * length);
    for (const FrontNode<3>& node : front_nodes(cracks)) {
        EXPECT_NEAR(std::abs(node.normal[2]), 1.0, 1e-9);
        EXPECT_GT(node.forward.dot(node.place.normalized()), 0.8);
        EXPECT_EQ(node.beside.size(), 2u);
    }
}

TEST(CrackFronts, a_disc_that_outgrows_its_body_parts_it)
{
    CrackSheets<3> cracks = disc(0.5);
    for (int n = 0; n < 60 && !cracks.data().fronts.empty(); ++n) grow(cracks, 0.05);
    EXPECT_TRUE(cracks.data().fronts.empty());
    EXPECT_NEAR(cracks.data().area, 4.0, 0.05);
}

TEST(CrackFronts, what_stays_or_is_no_way_leaves_nothing)
{
    CrackSheets<3> cracks = disc(0.25);
    const CrackData<3> before = cracks.data();
    EXPECT_FALSE(grow(cracks, 0.0).has_grown);
    const FrontGrowth growth = grow(cracks, std::numeric_limits<double>::quiet_NaN());
    EXPECT_FALSE(growth.has_grown);
    EXPECT_GT(growth.ended, 0u);
    EXPECT_EQ(cracks.data(), before);
}

} // namespace
} // namespace phyxel::crack_fronts_test
