// SPDX-License-Identifier: MIT
#include "geometry/meshes.h"

#include <phyxel/core/error.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/core/work_budget.h>
#include <phyxel/geometry/sampling.h>
#include <phyxel/solid/phyxel_cloud.h>

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace phyxel::phyxel_cloud_test {
namespace {

constexpr PhyxelSampling samplings[] = {PhyxelSampling::Lattice, PhyxelSampling::Jittered,
                                        PhyxelSampling::PoissonDisk};

template <int Dim>
double total_volume(const PhyxelCloud<Dim>& cloud)
{
    return std::accumulate(cloud.volumes.begin(), cloud.volumes.end(), 0.0);
}

template <int Dim>
Index nearest_to(const PhyxelCloud<Dim>& cloud, const Vec<Dim>& x)
{
    const auto closer = [&](const Vec<Dim>& a, const Vec<Dim>& b) { return (a - x).norm() < (b - x).norm(); };
    const auto found = std::min_element(cloud.positions.begin(), cloud.positions.end(), closer);
    return static_cast<Index>(found - cloud.positions.begin());
}

/// Every pair within (h_i + h_j) / 2 for which `may_meet` holds, and no other.
template <int Dim, class MayMeet>
void expect_pairs(const PhyxelCloud<Dim>& cloud, MayMeet&& may_meet)
{
    ASSERT_EQ(cloud.neighbors.size(), cloud.size());
    for (std::size_t i = 0; i < cloud.size(); ++i) {
        std::vector<Index> expected;
        for (std::size_t j = 0; j < cloud.size(); ++j) {
            const double distance = (cloud.positions[i] - cloud.positions[j]).norm();
            if (i != j && distance < 0.5 * (cloud.supports[i] + cloud.supports[j]) && may_meet(i, j))
                expected.push_back(static_cast<Index>(j));
        }
        const std::span<const Index> found = cloud.neighbors.of(i);
        ASSERT_EQ(std::vector<Index>(found.begin(), found.end()), expected) << i;
    }
}

/// The pieces that phyxels which feel each other make; numbered by their first phyxel.
template <int Dim>
std::vector<Index> pieces_of(const PhyxelCloud<Dim>& cloud)
{
    std::vector<Index> piece(cloud.size());
    std::iota(piece.begin(), piece.end(), Index(0));
    for (bool has_changed = true; has_changed;) {
        has_changed = false;
        for (std::size_t i = 0; i < cloud.size(); ++i)
            for (const Index j : cloud.neighbors.of(i))
                if (piece[j] < piece[i]) {
                    piece[i] = piece[j];
                    has_changed = true;
                }
    }
    return piece;
}

template <int Dim>
std::size_t piece_count(const PhyxelCloud<Dim>& cloud)
{
    const std::vector<Index> piece = pieces_of(cloud);
    std::size_t count = 0;
    for (std::size_t i = 0; i < piece.size(); ++i) count += piece[i] == i ? 1 : 0;
    return count;
}

TEST(PhyxelCloud, volumes_add_up_to_what_the_shape_encloses)
{
    const std::vector<Shape<3>> shapes = {
        Box<3>{{0, 0, 0}, {1, 0.52, 0.33}}, Sphere<3>{{0, 0, 0}, 0.5}, MeshSolid(sphere_mesh(2, 0.5)),
        unite<3>({Sphere<3>{{0, 0, 0}, 0.5}, Capsule<3>{{0, 0, 0}, {0.8, 0, 0}, 0.2}})};
    for (const Shape<3>& shape : shapes)
        for (const PhyxelSampling sampling : samplings) {
            const PhyxelCloud<3> cloud = make_phyxels(shape, 0.1, {.sampling = sampling});
            EXPECT_GT(cloud.size(), 100u);
            EXPECT_NEAR(total_volume(cloud), shape.volume().value, 1e-12);
        }
    const Shape<2> disc = Sphere<2>{{0, 0}, 1};
    EXPECT_NEAR(total_volume(make_phyxels(disc, 0.1)), std::numbers::pi, 1e-12);
}

TEST(PhyxelCloud, cubic_lattice_has_the_numbers_of_a_cubic_lattice)
{
    constexpr double a = 0.1;
    const PhyxelCloud<3> cloud = make_phyxels<3>(Box<3>{{0, 0, 0}, {1.3, 1.3, 1.3}}, a);
    ASSERT_EQ(cloud.size(), 13u * 13 * 13);
    EXPECT_NEAR(cloud.volumes[0], a * a * a, 1e-15);

    // Six neighbours at a and four of twelve at √2 a.
    const Index inner = nearest_to<3>(cloud, {0.65, 0.65, 0.65});
    const double r = (6 + 4 * std::sqrt(2.0)) / 10 * a;
    EXPECT_NEAR(r, 1.16569 * a, 1e-5 * a);
    EXPECT_NEAR(cloud.supports[inner], 1.6 * r, 1e-12);
    EXPECT_NEAR(cloud.depths[inner], 0.65, 1e-12);
    EXPECT_EQ(cloud.neighbors.of(inner).size(), 6u + 12 + 8);

    const Index face = nearest_to<3>(cloud, {0.65, 0.65, 0.05});
    EXPECT_NEAR(cloud.supports[face], 1.6 * (5 + 5 * std::sqrt(2.0)) / 10 * a, 1e-12);
    EXPECT_EQ(cloud.neighbors.of(face).size(), 5u + 8 + 4);
    const Index edge = nearest_to<3>(cloud, {0.65, 0.05, 0.05});
    EXPECT_NEAR(cloud.supports[edge], 1.6 * (4 + 5 * std::sqrt(2.0) + std::sqrt(3.0)) / 10 * a, 1e-12);
    // The mean distance at a corner is more than a quarter above that inside.
    const Index corner = nearest_to<3>(cloud, {0, 0, 0});
    EXPECT_NEAR(cloud.supports[corner], 1.25 * 1.6 * r, 1e-12);
    EXPECT_NEAR(cloud.depths[corner], 0.05, 1e-12);
}

TEST(PhyxelCloud, with_the_ratio_of_the_paper_a_lattice_has_178_neighbors)
{
    const PhyxelCloud<3> cloud =
        make_phyxels<3>(Box<3>{{0, 0, 0}, {1.1, 1.1, 1.1}}, 0.1, {.support_ratio = 3.0});
    const Index inner = nearest_to<3>(cloud, {0.55, 0.55, 0.55});
    EXPECT_NEAR(cloud.supports[inner], 0.349706, 1e-6);
    EXPECT_EQ(cloud.neighbors.of(inner).size(), 178u);
}

TEST(PhyxelCloud, square_lattice_reaches_as_far_as_a_cubic_one)
{
    const PhyxelCloud<2> cloud = make_phyxels<2>(Box<2>{{0, 0}, {0.9, 0.9}}, 0.1);
    const Index inner = nearest_to<2>(cloud, {0.45, 0.45});
    EXPECT_NEAR(cloud.supports[inner], 1.6 * (4 + 2 * std::sqrt(2.0)) / 6 * 0.1, 1e-12);
    EXPECT_EQ(cloud.neighbors.of(inner).size(), 8u);
}

TEST(PhyxelCloud, in_convex_solids_all_pairs_in_reach_are_neighbors)
{
    const auto always = [](std::size_t, std::size_t) { return true; };
    const std::vector<Shape<3>> shapes = {Box<3>{{0, 0, 0}, {1, 0.52, 0.33}}, Sphere<3>{{0, 0, 0}, 0.4},
                                          MeshSolid(sphere_mesh(2, 0.4)),
                                          Cylinder<3>{{0, 0, 0}, {0.3, 0.4, 0.5}, 0.2}};
    for (const Shape<3>& shape : shapes)
        for (const PhyxelSampling sampling : samplings)
            expect_pairs(make_phyxels(shape, 0.08, {.sampling = sampling}), always);
    const Shape<2> disc = Sphere<2>{{0, 0}, 1};
    for (const PhyxelSampling sampling : samplings)
        expect_pairs(make_phyxels(disc, 0.08, {.sampling = sampling}), always);
}

TEST(PhyxelCloud, gently_concave_surfaces_part_nobody)
{
    // A ring whose hole bulges by an eighth of its radius into segments as long as that.
    const Shape<2> ring = subtract<2>({Sphere<2>{{0, 0}, 1}, Sphere<2>{{0, 0}, 0.5}});
    for (const PhyxelSampling sampling : samplings) {
        const PhyxelCloud<2> cloud = make_phyxels(ring, 0.05, {.sampling = sampling});
        expect_pairs(cloud, [](std::size_t, std::size_t) { return true; });
        EXPECT_EQ(piece_count(cloud), 1u);
    }
}

/// Two fingers of a hand, a quarter of a spacing or less apart.
Shape<3> hand(double gap)
{
    return subtract<3>(
        {Box<3>{{0, 0, 0}, {1, 0.3, 1}}, Box<3>{{0.5 - 0.5 * gap, -1, 0.4}, {0.5 + 0.5 * gap, 1, 2}}});
}

TEST(PhyxelCloud, fingers_that_nearly_touch_are_not_coupled)
{
    constexpr double spacing = 0.1;
    for (const double gap : {0.08, 0.025, 0.005})
        for (const PhyxelSampling sampling : samplings) {
            const PhyxelCloud<3> cloud = make_phyxels(hand(gap), spacing, {.sampling = sampling});
            std::size_t across_root = 0;
            for (std::size_t i = 0; i < cloud.size(); ++i)
                for (const Index j : cloud.neighbors.of(i)) {
                    const Vec<3>& a = cloud.positions[i];
                    const Vec<3>& b = cloud.positions[j];
                    if ((a.x() < 0.5) == (b.x() < 0.5)) continue;
                    // Where the segment crosses the middle between the fingers it has to be below the slit.
                    const double z = a.z() + (b.z() - a.z()) * (0.5 - a.x()) / (b.x() - a.x());
                    EXPECT_LT(z, 0.4 + 0.1 * spacing);
                    ++across_root;
                }
            EXPECT_GT(across_root, 0u);
            EXPECT_EQ(piece_count(cloud), 1u);
        }
}

TEST(PhyxelCloud, fingers_of_a_mesh_are_not_coupled_either)
{
    TriangleMesh fingers = box_mesh({{0, 0, 0}, {0.49, 0.3, 1}});
    const TriangleMesh other = box_mesh({{0.51, 0, 0}, {1, 0.3, 1}});
    const auto first = static_cast<Index>(fingers.vertices.size());
    fingers.vertices.insert(fingers.vertices.end(), other.vertices.begin(), other.vertices.end());
    for (const auto& [a, b, c] : other.triangles)
        fingers.triangles.push_back({a + first, b + first, c + first});
    for (const PhyxelSampling sampling : samplings)
        EXPECT_EQ(piece_count(make_phyxels<3>(MeshSolid(fingers), 0.1, {.sampling = sampling})), 2u);
}

TEST(PhyxelCloud, neighbors_span_space_also_at_corners_and_in_thin_parts)
{
    // A plate two phyxels thick with a pin on it.
    const Shape<3> shape =
        unite<3>({Box<3>{{0, 0, 0}, {1, 1, 0.2}}, Cylinder<3>{{0.5, 0.5, 0.1}, {0.5, 0.5, 0.8}, 0.11}});
    for (const PhyxelSampling sampling : samplings) {
        const PhyxelCloud<3> cloud = make_phyxels(shape, 0.1, {.sampling = sampling});
        for (std::size_t i = 0; i < cloud.size(); ++i) {
            Mat<3> moments = Mat<3>::Zero();
            for (const Index j : cloud.neighbors.of(i)) {
                const Vec<3> x = cloud.positions[j] - cloud.positions[i];
                const double q = 2 * x.norm() / (cloud.supports[i] + cloud.supports[j]);
                moments += std::pow(1 - q * q, 3) * x * x.transpose();
            }
            const Vec<3> values = Eigen::SelfAdjointEigenSolver<Mat<3>>(moments).eigenvalues();
            EXPECT_GT(values[0], 0.01 * values[2]) << i;
        }
    }
}

TEST(PhyxelCloud, supports_grow_only_where_that_helps)
{
    // In one layer no support makes the neighbours span space.
    const PhyxelCloud<3> layer = make_phyxels<3>(Box<3>{{0, 0, 0}, {1, 1, 0.1}}, 0.1);
    ASSERT_EQ(layer.size(), 100u);
    for (const double h : layer.supports) EXPECT_LT(h, 0.28);

    // Above a lattice of the spacing 1, out of reach but for a wider support.
    std::vector<Vec<2>> points;
    for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j) points.emplace_back(i, j);
    points.emplace_back(3.4, 9.4);
    const PhyxelCloud<2> tower = make_phyxels<2>(std::span<const Vec<2>>(points), 1.0, 1.0);
    EXPECT_GT(tower.supports.back(), 1.3 * tower.supports[nearest_to<2>(tower, {3, 3})]);
    EXPECT_GE(tower.neighbors.of(64).size(), 3u);
    EXPECT_LE(tower.neighbors.of(64).size(), 6u);
    expect_pairs(tower, [](std::size_t, std::size_t) { return true; });
}

TEST(PhyxelCloud, what_the_shape_is_asked_is_taken_from_the_budget_and_nothing_is_asked_twice)
{
    // A needle of one row of phyxels, 0.2 deep, whose supports are grown in vain. Segments to the k-th of the
    // row are walked in 2(k − 1) steps. Of each phyxel are asked the ten nearest, 2(0 + 2 + 4 + 6 + 8) steps;
    // those beyond it in reach of its support of 1.92, 0 + 2 + 4 + 6; and once those in reach of the widest,
    // up to the ninth on both sides, 2(0 + 2 + … + 16). The depth is one more.
    constexpr double steps = 40 + 12 + 144 + 1;
    constexpr double budget = 1e9;
    const WorkBudget work(budget);
    const Shape<3> needle = Box<3>{{0, 0, 0}, {200, 0.4, 0.4}};
    const PhyxelCloud<3> cloud = make_phyxels<3>(needle, 0.4, {.work = work});
    ASSERT_EQ(cloud.size(), 500u);
    const double spent = (budget - work.left()) / needle.query_work() / static_cast<double>(cloud.size());
    EXPECT_GT(spent, 0.8 * steps);
    EXPECT_LT(spent, 1.3 * steps); // rounding of steps, and filling
}

TEST(PhyxelCloud, given_points_are_taken_as_they_are)
{
    const std::vector<Vec<3>> points = fill_lattice<3>(Box<3>{{0, 0, 0}, {1, 1, 1}}, 0.1);
    const PhyxelCloud<3> given = make_phyxels<3>(std::span<const Vec<3>>(points), 0.1, 1e-3);
    const PhyxelCloud<3> filled = make_phyxels<3>(Box<3>{{0, 0, 0}, {1, 1, 1}}, 0.1);
    EXPECT_EQ(given.positions, filled.positions);
    EXPECT_EQ(given.supports, filled.supports);
    EXPECT_NEAR(total_volume(given), 1.0, 1e-12);
    EXPECT_EQ(given.depths, std::vector<double>(1000, 0.05));
    expect_pairs(given, [](std::size_t, std::size_t) { return true; });
}

TEST(PhyxelCloud, solids_with_few_or_no_phyxels_are_no_trouble)
{
    const PhyxelCloud<3> none = make_phyxels<3>(Sphere<3>{{0.1, 0.2, 0.3}, 0.01}, 1.0);
    EXPECT_EQ(none.size(), 0u);
    EXPECT_EQ(none.neighbors.size(), 0u);
    const PhyxelCloud<3> one = make_phyxels<3>(Box<3>{{0, 0, 0}, {1, 1, 1}}, 1.0);
    ASSERT_EQ(one.size(), 1u);
    EXPECT_EQ(one.neighbors.of(0).size(), 0u);
    EXPECT_TRUE(std::isfinite(one.supports[0]) && one.supports[0] > 0);
    const std::vector<Vec<2>> twins(5, Vec<2>(1, 2));
    const PhyxelCloud<2> same = make_phyxels<2>(std::span<const Vec<2>>(twins), 0.1, 1.0);
    for (const double h : same.supports) EXPECT_GT(h, 0.0);
    EXPECT_EQ(make_phyxels<2>(std::span<const Vec<2>>(), 0.1, 1.0).size(), 0u);
}

TEST(PhyxelCloud, phyxels_that_nothing_holds_are_left_out)
{
    // A crumb of one phyxel beside a box, so far away that no support reaches it, and a hair on the box:
    // those at its end have nobody but each other, and go one after the other.
    const Box<3> crumb{{2, 2, 0}, {2.1, 2.1, 0.1}};
    const Box<3> hair{{1, 0.5, 0.5}, {1.7, 0.6, 0.6}};
    const PhyxelCloud<3> cloud = make_phyxels<3>(unite<3>({crumb, hair, Box<3>{{0, 0, 0}, {1, 1, 1}}}), 0.1);
    EXPECT_GE(cloud.size(), 1000u);
    EXPECT_LT(cloud.size(), 1007u);
    EXPECT_NEAR(total_volume(cloud), 1.008, 1e-12);
    EXPECT_EQ(cloud.depths.size(), cloud.size());
    EXPECT_EQ(cloud.supports.size(), cloud.size());
    ASSERT_EQ(cloud.neighbors.size(), cloud.size());
    for (std::size_t i = 0; i < cloud.size(); ++i) {
        EXPECT_GE(cloud.neighbors.of(i).size(), 3u);
        for (const Index j : cloud.neighbors.of(i)) {
            const double distance = (cloud.positions[i] - cloud.positions[j]).norm();
            EXPECT_LT(distance, 0.5 * (cloud.supports[i] + cloud.supports[j]));
            EXPECT_TRUE(std::ranges::binary_search(cloud.neighbors.of(j), static_cast<Index>(i)));
        }
    }
    // What is a hair all over stays.
    EXPECT_EQ(make_phyxels<3>(hair, 0.1).size(), 7u);
}

TEST(PhyxelCloud, broken_meshes_and_clouds_of_points_become_solids_in_one_piece)
{
    const TriangleMesh sphere = sphere_mesh(2);
    PointCloud points;
    for (const Vec<3>& x : sphere.vertices) {
        points.positions.push_back(x);
        points.normals.push_back(x.normalized());
    }
    for (const Shape<3>& shape : {Shape<3>(MeshSolid(with_holes(sphere, 10))), Shape<3>(MeshSolid(points))})
        for (const PhyxelSampling sampling : samplings) {
            const PhyxelCloud<3> cloud = make_phyxels(shape, 0.2, {.sampling = sampling});
            EXPECT_GT(cloud.size(), 400u);
            EXPECT_NEAR(total_volume(cloud), 4.1, 0.2);
            EXPECT_EQ(piece_count(cloud), 1u);
            for (const double depth : cloud.depths) EXPECT_GE(depth, 0.0);
        }
}

TEST(PhyxelCloud, same_bits_on_any_number_of_threads)
{
    for (const Shape<3>& shape : {hand(0.02), Shape<3>(MeshSolid(torus_mesh(0.4, 0.15, 24, 12)))})
        for (const PhyxelSampling sampling : samplings) {
            const auto cloud_with = [&](int threads) {
                const ThreadLimit limit(threads);
                return make_phyxels(shape, 0.1, {.sampling = sampling, .seed = 3});
            };
            const PhyxelCloud<3> one = cloud_with(1);
            for (const int threads : {2, 7}) {
                const PhyxelCloud<3> many = cloud_with(threads);
                EXPECT_EQ(one.positions, many.positions);
                EXPECT_EQ(one.volumes, many.volumes);
                EXPECT_EQ(one.supports, many.supports);
                EXPECT_EQ(one.depths, many.depths);
                EXPECT_TRUE(std::ranges::equal(one.neighbors.offsets(), many.neighbors.offsets()));
                EXPECT_TRUE(std::ranges::equal(one.neighbors.ids(), many.neighbors.ids()));
            }
        }
}

TEST(PhyxelCloud, refuses_numbers_that_make_no_sense)
{
    const Shape<3> ball = Sphere<3>{{0, 0, 0}, 1};
    const auto nan = static_cast<double>(NAN);
    for (const PhyxelSampling sampling : samplings)
        for (const double spacing : {0.0, -0.1, nan, static_cast<double>(INFINITY), 1e-300, 1e-5})
            EXPECT_THROW(make_phyxels(ball, spacing, {.sampling = sampling}), InputError) << spacing;
    EXPECT_THROW(make_phyxels(ball, 0.1, {.nearest = 0}), InputError);
    EXPECT_THROW(make_phyxels(ball, 0.1, {.support_ratio = 0}), InputError);
    EXPECT_THROW(make_phyxels(ball, 0.1, {.support_ratio = nan}), InputError);
    const std::vector<Vec<2>> bad = {{0, 0}, {1, nan}};
    EXPECT_THROW(make_phyxels<2>(std::span<const Vec<2>>(bad), 1.0, 1.0), InputError);
    const std::vector<Vec<2>> good = {{0, 0}, {1, 0}};
    EXPECT_THROW(make_phyxels<2>(std::span<const Vec<2>>(good), 0.0, 1.0), InputError);
    EXPECT_THROW(make_phyxels<2>(std::span<const Vec<2>>(good), 1.0, nan), InputError);
}

} // namespace
} // namespace phyxel::phyxel_cloud_test
