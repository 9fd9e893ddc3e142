// SPDX-License-Identifier: MIT
#include <phyxel/fracture/crack_fronts.h>

#include <phyxel/core/rng.h>

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

/// Steps of cracks that bend, meet each other and the surface.
template <int Dim, class Check>
void grow_at_random(CrackSheets<Dim>& cracks, int steps, const Check& check)
{
    Rng rng(11);
    for (int n = 0; n < steps; ++n) {
        const std::vector<FrontNode<Dim>> nodes = front_nodes(cracks);
        std::vector<Vec<Dim>> ways;
        for (const FrontNode<Dim>& node : nodes) {
            const bool moves = rng.uniform(0.0, 1.0) < 0.8;
            ways.push_back(moves ? Vec<Dim>(0.05 * node.forward + 0.02 * rng.uniform(-1.0, 1.0) * node.normal)
                                 : Vec<Dim>(Vec<Dim>::Zero()));
        }
        advance_fronts<Dim>(cracks, nodes, ways, cube<Dim>);
        find_fronts(cracks);
        check();
    }
}

template <int Dim>
std::size_t expect_fronts_to_be_those_of_all_rims(CrackSheets<Dim> cracks, int steps)
{
    std::size_t most = 0;
    grow_at_random(cracks, steps, [&] {
        CrackSheets<Dim> again(spacing, {}, cracks.data());
        find_fronts(again);
        EXPECT_EQ(again.data().fronts, cracks.data().fronts);
        EXPECT_EQ(again.data().crack_of_front, cracks.data().crack_of_front);
        most = std::max(most, cracks.data().fronts.size());
    });
    return most;
}

TEST(CrackFronts, found_where_something_has_changed_are_those_of_looking_at_all_rims)
{
    CrackSheets<2> lines = drawn<2>({Vec<2>(-0.3, 0.1), Vec<2>(0.2, 0.1)});
    draw_crack<2>(lines, std::vector<Vec<2>>{Vec<2>(0.5, -0.6), Vec<2>(0.52, -0.1)}, cube<2>);
    find_fronts(lines);
    EXPECT_EQ(expect_fronts_to_be_those_of_all_rims<2>(lines, 30), 4u);
    CrackSheets<3> discs = disc(0.25);
    draw_crack<3>(discs,
                  std::vector<Vec<3>>{Vec<3>(0.5, -0.3, -0.4), Vec<3>(0.5, 0.3, -0.4), Vec<3>(0.6, 0.3, 0.4),
                                      Vec<3>(0.6, -0.3, 0.4)},
                  cube<3>);
    find_fronts(discs);
    EXPECT_GT(expect_fronts_to_be_those_of_all_rims<3>(discs, 20), 40u);
}

TEST(CrackFronts, faces_and_places_that_change_are_told_once)
{
    CrackSheets<3> cracks = disc(0.25);
    const std::size_t all = cracks.data().faces.size();
    EXPECT_EQ(cracks.take_changes().faces.size(), all);
    EXPECT_TRUE(cracks.take_changes().is_empty());
    grow<3>(cracks, 0.01);
    // A row at the front has come, and nothing else.
    const CrackChanges<3> changes = cracks.take_changes();
    EXPECT_LT(changes.faces.size(), all);
    EXPECT_GE(changes.faces.size(), cracks.data().fronts.size());
    for (const Index face : changes.faces)
        for (const Index node : cracks.data().faces[face]) {
            const Vec<3>& x = cracks.data().nodes[node];
            double nearest = std::numeric_limits<double>::infinity();
            for (const Vec<3>& place : changes.places) nearest = std::min(nearest, (place - x).norm());
            EXPECT_LE(nearest, changes.radius);
        }
}

TEST(CrackFronts, stations_stand_for_all_nodes_that_are_near_them_and_look_the_same_way)
{
    const std::vector<FrontNode<2>> ends = front_nodes(drawn<2>({Vec<2>(-0.3, 0.1), Vec<2>(0.3, 0.1)}));
    EXPECT_EQ(front_stations<2>(ends, 10.0).of_node, (std::vector<std::size_t>{0, 1}));
    const std::vector<FrontNode<3>> nodes = front_nodes(disc(0.6));
    const FrontStations<3> stations = front_stations<3>(nodes, 0.15);
    EXPECT_LT(3 * stations.nodes.size(), 2 * nodes.size());
    double length = 0.0, shares = 0.0;
    for (const FrontNode<3>& node : nodes) length += node.share;
    for (const FrontNode<3>& station : stations.nodes) shares += station.share;
    EXPECT_NEAR(length, shares, 1e-12);
    for (std::size_t k = 0; k < nodes.size(); ++k) {
        const FrontNode<3>& station = stations.nodes[stations.of_node[k]];
        EXPECT_LE((station.place - nodes[k].place).norm(), 0.15 + 1e-12);
        EXPECT_GE(station.forward.dot(nodes[k].forward), 0.9);
    }
}

} // namespace
} // namespace phyxel::crack_fronts_test
