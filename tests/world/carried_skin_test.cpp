// SPDX-License-Identifier: MIT
#include <phyxel/kinds/solid/detail/carried_skin.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>
#include <vector>

namespace phyxel::carried_skin_test {
namespace {

/// Two rows of phyxels side by side, three spacings apart, that are not coupled: the first has ten, the
/// second fifteen.
PhyxelCloud<3> two_rows()
{
    PhyxelCloud<3> cloud;
    cloud.spacing = 1.0;
    std::vector<std::uint64_t> offsets = {0};
    std::vector<Index> ids;
    for (const int length : {10, 15}) {
        const auto first = static_cast<Index>(cloud.size());
        for (int i = 0; i < length; ++i) {
            cloud.positions.emplace_back(i, length == 10 ? 0.0 : 3.0, 0.0);
            if (i > 0) ids.push_back(first + static_cast<Index>(i) - 1);
            if (i + 1 < length) ids.push_back(first + static_cast<Index>(i) + 1);
            offsets.push_back(ids.size());
        }
    }
    cloud.volumes.assign(cloud.size(), 1.0);
    cloud.supports.assign(cloud.size(), 1.85);
    cloud.depths.assign(cloud.size(), 0.5);
    cloud.neighbors = NeighborLists(offsets, ids);
    return cloud;
}

TEST(CarriedSkin, a_tip_without_phyxels_goes_with_what_it_is_the_tip_of)
{
    // A needle around the first row, which goes on for five spacings beyond its last phyxel.
    SolidSkin skin;
    const int rings = 57;
    for (int i = 0; i < rings; ++i)
        for (const auto& [y, z] : {std::pair(0.3, 0.0), std::pair(-0.15, 0.26), std::pair(-0.15, -0.26)})
            skin.vertices.emplace_back(0.25 * i, y, z);
    for (Index i = 0; i + 1 < static_cast<Index>(rings); ++i)
        for (Index k = 0; k < 3; ++k) {
            const Index a = 3 * i + k, b = 3 * i + (k + 1) % 3;
            skin.triangles.push_back({a, b, a + 3});
            skin.triangles.push_back({b, b + 3, a + 3});
        }
    const std::vector<Vec<3>> rest = skin.vertices;
    CarriedSkin carried(skin, two_rows());

    // The first row turns by a right angle about its beginning, the second is far away.
    Mat<3> R;
    R << 0, -1, 0, 1, 0, 0, 0, 0, 1;
    std::vector<Vec<3>> positions = carried.nodes.positions;
    std::vector<Mat<3>> gradients(positions.size(), Mat<3>::Identity());
    for (std::size_t i = 0; i < positions.size(); ++i) {
        if (i < 10) {
            positions[i] = R * positions[i];
            gradients[i] = R;
        } else {
            positions[i] += Vec<3>(50.0, 0.0, 0.0);
        }
    }
    std::vector<Vec<3>> vertices(rest.size());
    std::vector<Vec<3, float>> normals(rest.size());
    carried.update(positions, gradients, vertices, normals);
    for (std::size_t i = 0; i < rest.size(); ++i)
        EXPECT_LT((vertices[i] - R * rest[i]).norm(), 1e-4) << "vertex " << i;
}

TEST(CarriedSkin, the_point_of_a_skin_of_few_triangles_turns_with_the_phyxels_below_it)
{
    // A spear of five vertices around the first row, whose point is three spacings beyond its last phyxel.
    SolidSkin skin;
    skin.vertices = {{0, 0.5, 0.5}, {0, -0.5, 0.5}, {0, -0.5, -0.5}, {0, 0.5, -0.5}, {12, 0, 0}};
    for (Index k = 0; k < 4; ++k) skin.triangles.push_back({k, (k + 1) % 4, 4});
    CarriedSkin carried(skin, two_rows());

    // Half of the row is bent by a right angle.
    Mat<3> R;
    R << 0, -1, 0, 1, 0, 0, 0, 0, 1;
    std::vector<Vec<3>> positions = carried.nodes.positions, vertices(5);
    std::vector<Mat<3>> gradients(positions.size(), Mat<3>::Identity());
    for (int i = 5; i < 10; ++i) {
        positions[static_cast<std::size_t>(i)] = Vec<3>(4, i - 4, 0);
        gradients[static_cast<std::size_t>(i)] = R;
    }
    std::vector<Vec<3, float>> normals(5);
    carried.update(positions, gradients, vertices, normals);
    // It turns as the mean of the nearest phyxels, of which some are not bent.
    EXPECT_LT((vertices[4] - Vec<3>(4, 8, 0)).norm(), 0.5) << vertices[4].transpose();
}

/// Phyxels one apart that hold each other as listed.
PhyxelCloud<3> cloud_of(const std::vector<Vec<3>>& positions,
                        const std::vector<std::pair<Index, Index>>& pairs)
{
    PhyxelCloud<3> cloud;
    cloud.spacing = 1.0;
    cloud.positions = positions;
    cloud.volumes.assign(cloud.size(), 1.0);
    cloud.supports.assign(cloud.size(), 1.85);
    cloud.depths.assign(cloud.size(), 0.5);
    std::vector<std::vector<Index>> lists(cloud.size());
    for (const auto& [a, b] : pairs) {
        lists[a].push_back(b);
        lists[b].push_back(a);
    }
    std::vector<std::uint64_t> offsets = {0};
    std::vector<Index> ids;
    for (std::vector<Index>& list : lists) {
        std::sort(list.begin(), list.end());
        ids.insert(ids.end(), list.begin(), list.end());
        offsets.push_back(ids.size());
    }
    cloud.neighbors = NeighborLists(offsets, ids);
    return cloud;
}

/// The surface of a box from `low`, of so many cells.
SolidSkin box_skin(const Vec<3>& low, double cell, const std::array<int, 3>& cells)
{
    SolidSkin skin;
    std::map<std::array<int, 3>, Index> numbers;
    const auto vertex = [&](const std::array<int, 3>& place) {
        const auto [entry, is_new] = numbers.try_emplace(place, static_cast<Index>(skin.vertices.size()));
        if (is_new) skin.vertices.push_back(low + cell * Vec<3>(place[0], place[1], place[2]));
        return entry->second;
    };
    for (std::size_t axis = 0; axis < 3; ++axis)
        for (const bool is_high : {false, true}) {
            const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
            for (int i = 0; i < cells[u]; ++i)
                for (int j = 0; j < cells[v]; ++j) {
                    std::array<Index, 4> corners;
                    for (int k = 0; k < 4; ++k) {
                        std::array<int, 3> place = {};
                        place[axis] = is_high ? cells[axis] : 0;
                        place[u] = i + (k == 1 || k == 2 ? 1 : 0);
                        place[v] = j + (k > 1 ? 1 : 0);
                        corners[static_cast<std::size_t>(k)] = vertex(place);
                    }
                    if (!is_high) std::swap(corners[1], corners[3]);
                    skin.triangles.push_back({corners[0], corners[1], corners[2]});
                    skin.triangles.push_back({corners[0], corners[2], corners[3]});
                }
        }
    return skin;
}

/// The largest length of an edge over what it was, beyond a spacing of 1: as tests/torture has it.
double edge_stretch(const std::vector<std::array<Index, 3>>& triangles, const std::vector<Vec<3>>& rest,
                    const std::vector<Vec<3>>& now)
{
    double most = 0.0;
    for (const std::array<Index, 3>& corners : triangles)
        for (std::size_t k = 0; k < 3; ++k) {
            const Index i = corners[k], j = corners[(k + 1) % 3];
            most = std::max(most, ((now[i] - now[j]).norm() - 1.0) / ((rest[i] - rest[j]).norm() + 0.25));
        }
    return most;
}

/// A bar of nine phyxels with a tooth of twenty at either end; both are turned by `angle` about a line
/// through their middles, to the same side.
struct Comb {
    PhyxelCloud<3> cloud;
    std::vector<Vec<3>> positions;
    std::vector<Mat<3>> gradients;
    Mat<3> R;

    explicit Comb(double angle)
    {
        std::vector<Vec<3>> rest;
        std::vector<std::pair<Index, Index>> pairs;
        for (Index i = 0; i < 9; ++i) {
            rest.emplace_back(static_cast<double>(i) - 4.0, 0.0, 0.0);
            if (i > 0) pairs.emplace_back(i - 1, i);
        }
        const auto add_row = [&](Index root, int count, double step) {
            for (int k = 1; k <= count; ++k) {
                const auto number = static_cast<Index>(rest.size());
                rest.emplace_back(rest[root][0], 0.0, step * k);
                pairs.emplace_back(k == 1 ? root : number - 1, number);
            }
        };
        add_row(0, 20, -1.0);
        add_row(8, 20, -1.0);
        add_row(4, 30, 1.0);
        cloud = cloud_of(rest, pairs);
        R << 1, 0, 0, 0, std::cos(angle), -std::sin(angle), 0, std::sin(angle), std::cos(angle);
        for (const Vec<3>& X : rest) {
            positions.push_back(moved(X));
            gradients.push_back(X[2] < -10.0 ? R : Mat<3>::Identity());
        }
    }

    Vec<3> moved(const Vec<3>& X) const
    {
        const Vec<3> pivot(X[0], 0.0, -10.0);
        return X[2] < -10.0 ? Vec<3>(pivot + R * (X - pivot)) : X;
    }
};

TEST(CarriedSkin, a_long_tooth_without_phyxels_bends_with_those_beside_it)
{
    // The skin of the handle goes on as a tooth without phyxels, between the two that have some.
    const SolidSkin skin = box_skin(Vec<3>(-0.25, -0.25, -20.0), 0.25, {2, 2, 200});
    Comb comb(std::numbers::pi / 2);
    CarriedSkin carried(skin, std::move(comb.cloud));
    ASSERT_GT(carried.long_tips.size(), 0u);
    std::vector<Vec<3>> vertices(carried.size);
    std::vector<Vec<3, float>> normals(carried.size);
    carried.update(comb.positions, comb.gradients, vertices, normals);
    for (std::size_t i = 0; i < skin.vertices.size(); ++i) {
        const Vec<3>& X = skin.vertices[i];
        if (X[2] > -18.0 && X[2] < -5.0) continue; // between what is stiff and what is bent
        EXPECT_LT((vertices[i] - comb.moved(X)).norm(), 0.5) << "vertex at " << X.transpose();
        EXPECT_NEAR(normals[i].norm(), 1.0f, 1e-5f);
    }
    EXPECT_LT(edge_stretch(carried.triangles, skin.vertices, vertices), 1.5);

    // What is at rest stays where it is, and goes on as a whole.
    const Comb rest(0.0);
    carried.update(rest.positions, rest.gradients, vertices, normals);
    for (std::size_t i = 0; i < skin.vertices.size(); ++i)
        EXPECT_LT((vertices[i] - skin.vertices[i]).norm(), 1e-5);
    const std::vector<Vec<3>> velocity(rest.positions.size(), Vec<3>(1, 2, 3));
    carried.transfer(velocity, normals);
    for (const Vec<3, float>& v : normals) EXPECT_LT((v - Vec<3, float>(1, 2, 3)).norm(), 1e-5f);
}

/// Two prongs of ten phyxels, 1.5 apart, that hang together at their first ones only. The second is turned
/// away from the first by `angle`.
struct Fork {
    PhyxelCloud<3> cloud;
    std::vector<Vec<3>> positions;
    std::vector<Mat<3>> gradients;

    explicit Fork(double angle)
    {
        std::vector<Vec<3>> rest;
        std::vector<std::pair<Index, Index>> pairs = {{0, 10}};
        for (Index i = 0; i < 20; ++i) {
            rest.emplace_back(i % 10, i < 10 ? 0.0 : 1.5, 0.0);
            if (i % 10 > 0) pairs.emplace_back(i - 1, i);
        }
        cloud = cloud_of(rest, pairs);
        Mat<3> R;
        R << std::cos(angle), -std::sin(angle), 0, std::sin(angle), std::cos(angle), 0, 0, 0, 1;
        for (std::size_t i = 0; i < 20; ++i) {
            positions.push_back(i < 10 ? rest[i] : Vec<3>(rest[10] + R * (rest[i] - rest[10])));
            gradients.push_back(i < 10 ? Mat<3>::Identity() : R);
        }
    }
};

TEST(CarriedSkin, a_skin_is_cut_where_the_parts_under_it_come_apart)
{
    // One box around both prongs, as if the gap between them were too narrow to be seen.
    const SolidSkin skin = box_skin(Vec<3>(-0.5, -0.5, -0.25), 0.25, {41, 10, 2});
    const auto shape_at = [&](double angle) {
        Fork fork(angle);
        CarriedSkin carried(skin, std::move(fork.cloud));
        std::vector<Vec<3>> vertices(carried.size);
        std::vector<Vec<3, float>> normals(carried.size);
        carried.update(fork.positions, fork.gradients, vertices, normals);
        return std::pair(carried.triangles, vertices);
    };
    const auto [triangles, rest] = shape_at(0.0);
    const auto [same, turned] = shape_at(2.0);
    ASSERT_EQ(triangles, same);
    EXPECT_LT(edge_stretch(triangles, rest, turned), 4.0);

    // At rest nothing shows: every vertex is where one of the skin is.
    ASSERT_GT(rest.size(), skin.vertices.size());
    for (const Vec<3>& x : rest)
        EXPECT_TRUE(std::any_of(skin.vertices.begin(), skin.vertices.end(),
                                [&](const Vec<3>& X) { return (x - X).norm() < 1e-5; }));

    // Both sides are closed: what goes along an edge comes back.
    std::map<std::pair<Index, Index>, int> edges;
    for (const std::array<Index, 3>& corners : triangles)
        for (std::size_t k = 0; k < 3; ++k) {
            ++edges[{corners[k], corners[(k + 1) % 3]}];
            --edges[{corners[(k + 1) % 3], corners[k]}];
        }
    for (const auto& [edge, count] : edges) EXPECT_EQ(count, 0) << edge.first << " " << edge.second;
}

TEST(CarriedSkin, a_skin_of_triangles_longer_than_a_spacing_is_cut_as_well)
{
    const SolidSkin skin = box_skin(Vec<3>(-0.5, -0.5, -0.25), 1.25, {8, 2, 1});
    Fork fork(1.5);
    const Fork rest(0.0);
    CarriedSkin carried(skin, std::move(fork.cloud));
    ASSERT_GT(carried.size, skin.vertices.size());
    std::vector<Vec<3>> vertices(carried.size), at_rest(carried.size);
    std::vector<Vec<3, float>> normals(carried.size);
    carried.update(rest.positions, rest.gradients, at_rest, normals);
    carried.update(fork.positions, fork.gradients, vertices, normals);
    EXPECT_LT(edge_stretch(carried.triangles, at_rest, vertices), 4.0);
}

TEST(CarriedSkin, where_the_tips_of_two_arms_meet_each_goes_with_its_own)
{
    // A ring-shaped tube: around both prongs, three apart, their root, and where they meet beyond their ends.
    std::vector<Vec<3>> rest;
    std::vector<std::pair<Index, Index>> pairs = {{0, 20}, {20, 21}, {21, 10}};
    for (Index i = 0; i < 20; ++i) {
        rest.emplace_back(i % 10, i < 10 ? 0.0 : 3.0, 0.0);
        if (i % 10 > 0) pairs.emplace_back(i - 1, i);
    }
    rest.emplace_back(0, 1, 0);
    rest.emplace_back(0, 2, 0);
    std::vector<std::pair<Vec<3>, Vec<3>>> rings; // middles, and directions across
    for (int i = 0; i <= 48; ++i) rings.emplace_back(Vec<3>(0.25 * i, 0, 0), Vec<3>(0, -0.3, 0));
    for (int i = 1; i <= 11; ++i) rings.emplace_back(Vec<3>(12, 0.25 * i, 0), Vec<3>(0.3, 0, 0));
    for (int i = 48; i >= 0; --i) rings.emplace_back(Vec<3>(0.25 * i, 3, 0), Vec<3>(0, 0.3, 0));
    for (int i = 11; i >= 1; --i) rings.emplace_back(Vec<3>(0, 0.25 * i, 0), Vec<3>(-0.3, 0, 0));
    SolidSkin skin;
    for (const auto& [middle, across] : rings)
        for (const auto& [u, z] : {std::pair(1.0, 0.0), std::pair(-0.5, 0.26), std::pair(-0.5, -0.26)})
            skin.vertices.push_back(middle + u * across + Vec<3>(0, 0, z));
    const auto count = static_cast<Index>(rings.size());
    for (Index i = 0; i < count; ++i)
        for (Index k = 0; k < 3; ++k) {
            const Index next = 3 * ((i + 1) % count);
            const Index a = 3 * i + k, b = 3 * i + (k + 1) % 3, c = next + k, d = next + (k + 1) % 3;
            skin.triangles.push_back({a, b, c});
            skin.triangles.push_back({b, d, c});
        }

    // The second is turned away by a right angle.
    Mat<3> R;
    R << 0, -1, 0, 1, 0, 0, 0, 0, 1;
    const auto moved = [&](const Vec<3>& X) { return Vec<3>(Vec<3>(0, 3, 0) + R * (X - Vec<3>(0, 3, 0))); };
    CarriedSkin carried(skin, cloud_of(rest, pairs));
    std::vector<Vec<3>> positions = rest, vertices(carried.size);
    std::vector<Mat<3>> gradients(rest.size(), Mat<3>::Identity());
    for (std::size_t i = 10; i < 20; ++i) {
        positions[i] = moved(rest[i]);
        gradients[i] = R;
    }
    std::vector<Vec<3, float>> normals(carried.size);
    carried.update(positions, gradients, vertices, normals);
    for (std::size_t i = 0; i < skin.vertices.size(); ++i) {
        const Vec<3>& X = skin.vertices[i];
        if (X[0] < 4.0 || std::abs(X[1] - 1.5) < 0.8) continue; // at the roots, and where they meet
        EXPECT_LT((vertices[i] - (X[1] > 1.5 ? moved(X) : X)).norm(), 0.1) << "vertex at " << X.transpose();
    }
    std::vector<Vec<3>> before(carried.size);
    carried.update(rest, std::vector<Mat<3>>(rest.size(), Mat<3>::Identity()), before, normals);
    EXPECT_LT(edge_stretch(carried.triangles, before, vertices), 4.0);
}

TEST(CarriedSkin, a_skin_over_a_solid_that_holds_together_is_not_cut)
{
    const Fork fork(0.0);
    std::vector<std::pair<Index, Index>> pairs;
    for (Index i = 0; i < 20; ++i) {
        if (i % 10 > 0) pairs.emplace_back(i - 1, i);
        if (i < 10) pairs.emplace_back(i, i + 10);
    }
    const SolidSkin skin = box_skin(Vec<3>(-0.5, -0.5, -0.25), 0.25, {41, 10, 2});
    const CarriedSkin carried(skin, cloud_of(fork.cloud.positions, pairs));
    EXPECT_EQ(carried.size, skin.vertices.size());
    EXPECT_EQ(carried.triangles, skin.triangles);
    EXPECT_EQ(carried.seams.size(), 0u);
}

TEST(SkinSeams, what_comes_between_two_sides_is_spread_over_the_skin)
{
    // A neck: the phyxels on both sides see each other over two more only.
    const PhyxelCloud<3> cloud =
        cloud_of({Vec<3>(-0.7, 0, 0), Vec<3>(0.7, 0, 0), Vec<3>(-0.7, -1, 0), Vec<3>(0.7, -1, 0)},
                 {{0, 2}, {2, 3}, {3, 1}});
    const SolidSkin skin = box_skin(Vec<3>(-2.95, -0.5, -0.5), 0.1, {60, 10, 10});
    std::vector<Index> followed;
    for (const Vec<3>& x : skin.vertices) followed.push_back(x[0] < 0.0 ? 0 : 1);
    const SkinSeams seams(skin, cloud, followed, std::vector<std::uint8_t>(followed.size(), 0));

    // The second goes four spacings away.
    std::vector<Vec<3>> positions = cloud.positions;
    positions[1] += Vec<3>(0.0, 4.0, 0.0);
    const std::vector<Mat<3>> gradients(4, Mat<3>::Identity());
    std::vector<Vec<3>> apart = skin.vertices;
    for (std::size_t i = 0; i < apart.size(); ++i)
        if (followed[i] == 1) apart[i] += Vec<3>(0.0, 4.0, 0.0);
    ASSERT_GT(edge_stretch(skin.triangles, skin.vertices, apart), 4.0);
    std::vector<Vec<3>> vertices = apart;
    std::vector<Vec<3, float>> normals(vertices.size());
    seams.update(positions, gradients, vertices, normals);
    EXPECT_LT(edge_stretch(skin.triangles, skin.vertices, vertices), 1.0);
    for (std::size_t i = 0; i < vertices.size(); ++i) {
        if (std::abs(skin.vertices[i][0]) > 1.6) {
            EXPECT_EQ(vertices[i], apart[i]);
        }
        EXPECT_GT(vertices[i][1] - skin.vertices[i][1], -1e-9);
        EXPECT_LT(vertices[i][1] - skin.vertices[i][1], 4.0 + 1e-9);
    }

    // A turn of the whole is a turn of the skin.
    Mat<3> R;
    R << 0, -1, 0, 1, 0, 0, 0, 0, 1;
    for (std::size_t i = 0; i < 4; ++i) positions[i] = R * cloud.positions[i];
    for (std::size_t i = 0; i < vertices.size(); ++i) vertices[i] = R * skin.vertices[i];
    seams.update(positions, std::vector<Mat<3>>(4, R), vertices, normals);
    for (std::size_t i = 0; i < vertices.size(); ++i)
        EXPECT_LT((vertices[i] - R * skin.vertices[i]).norm(), 1e-12);
}

} // namespace
} // namespace phyxel::carried_skin_test
