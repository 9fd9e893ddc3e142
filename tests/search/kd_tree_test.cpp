// SPDX-License-Identifier: MIT
#include "point_sets.h"

#include <phyxel/core/error.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/search/kd_tree.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace phyxel::kd_tree_test {
namespace {

template <int Dim, std::floating_point Real>
KdTree<Dim, Real> tree_of(const std::vector<Vec<Dim, Real>>& points, const KdTreeOptions& options = {})
{
    return KdTree<Dim, Real>(points, options);
}

template <int Dim, std::floating_point Real>
std::vector<Index> within(const KdTree<Dim, Real>& tree, const std::type_identity_t<Vec<Dim, Real>>& x,
                          std::type_identity_t<Real> r)
{
    std::vector<Index> out = {12345};
    tree.radius(x, r, out);
    return out;
}

template <int Dim, std::floating_point Real>
std::vector<Neighbor<Real>> nearest(const KdTree<Dim, Real>& tree,
                                    const std::type_identity_t<Vec<Dim, Real>>& x, std::size_t k)
{
    std::vector<Neighbor<Real>> out = {{12345, 0}};
    tree.nearest(x, k, out);
    return out;
}

template <int Dim, std::floating_point Real>
std::vector<Neighbor<Real>> brute_force_nearest(const std::vector<Vec<Dim, Real>>& points,
                                                const std::type_identity_t<Vec<Dim, Real>>& x, std::size_t k)
{
    std::vector<Neighbor<Real>> all;
    for (std::size_t i = 0; i < points.size(); ++i)
        all.push_back({static_cast<Index>(i), std::sqrt(squared_distance<Dim, Real>(points[i], x))});
    std::stable_sort(all.begin(), all.end(),
                     [](const auto& a, const auto& b) { return a.distance < b.distance; });
    all.resize(std::min(k, all.size()));
    return all;
}

template <class Space>
class KdTreeSearch : public ::testing::Test {
};

TYPED_TEST_SUITE(KdTreeSearch, AllSpaces);

template <class Space>
class KdTreeContract : public ::testing::Test {
};

TYPED_TEST_SUITE(KdTreeContract, TwoSpaces);

TYPED_TEST(KdTreeSearch, finds_the_same_points_within_a_radius_as_brute_force)
{
    for (const auto& set : hard_point_sets<TypeParam::dim, typename TypeParam::Real>(10000, 7)) {
        SCOPED_TRACE(set.name);
        const auto tree = tree_of(set.points);
        for (const auto& x : query_points(set, 20, 8)) {
            for (const double r : {0.0, 1e-3, 0.125, 0.3, 1.0, 10.0}) {
                const auto radius = static_cast<typename TypeParam::Real>(r);
                EXPECT_EQ(within(tree, x, radius), brute_force_radius(set.points, x, radius));
            }
        }
    }
}

TYPED_TEST(KdTreeSearch, finds_the_same_nearest_points_as_brute_force_with_ties_by_lower_id)
{
    for (const auto& set : hard_point_sets<TypeParam::dim, typename TypeParam::Real>(1000, 17)) {
        SCOPED_TRACE(set.name);
        const auto tree = tree_of(set.points);
        for (const auto& x : query_points(set, 20, 18))
            for (const std::size_t k : {0, 1, 2, 17, 100})
                EXPECT_EQ(nearest(tree, x, k), brute_force_nearest(set.points, x, k));
    }
}

TYPED_TEST(KdTreeContract, results_do_not_depend_on_leaf_size_or_split_axis)
{
    using Real = typename TypeParam::Real;
    for (const auto& set : hard_point_sets<TypeParam::dim, Real>(500, 27)) {
        SCOPED_TRACE(set.name);
        for (const Index leaf_size : {1u, 2u, 3u, 64u, 1000000u}) {
            for (const SplitAxis split_axis : {SplitAxis::Widest, SplitAxis::Cycling}) {
                const auto tree = tree_of(set.points, {.leaf_size = leaf_size, .split_axis = split_axis});
                for (const auto& x : query_points(set, 10, 28)) {
                    EXPECT_EQ(within(tree, x, Real(0.25)), brute_force_radius(set.points, x, Real(0.25)));
                    EXPECT_EQ(nearest(tree, x, 9), brute_force_nearest(set.points, x, 9));
                }
            }
        }
    }
}

TYPED_TEST(KdTreeSearch, every_number_of_points_from_none_to_a_hundred_is_balanced_right)
{
    using Real = typename TypeParam::Real;
    std::vector<typename TypeParam::Point> points;
    Rng rng(3);
    for (std::size_t n = 0; n <= 100; ++n) {
        const auto tree = tree_of(points, {.leaf_size = 1});
        EXPECT_EQ(tree.size(), n);
        const auto x = rng.point<TypeParam::dim>(-1, 1).template cast<Real>().eval();
        EXPECT_EQ(nearest(tree, x, n + 1), brute_force_nearest(points, x, n));
        EXPECT_EQ(within(tree, x, Real(0.5)), brute_force_radius(points, x, Real(0.5)));
        points.push_back(rng.point<TypeParam::dim>(-1, 1).template cast<Real>());
    }
}

TYPED_TEST(KdTreeSearch, ball_is_closed_and_includes_the_centre)
{
    using Real = typename TypeParam::Real;
    using Point = typename TypeParam::Point;
    const Point x = Point::Constant(Real(0.75));
    std::vector<Point> points = {x};
    for (int k = 0; k < TypeParam::dim; ++k) {
        for (const Real offset : {Real(-0.5), Real(0.5)}) {
            points.push_back(x);
            points.back()[k] += offset;
        }
    }
    const auto tree = tree_of(points, {.leaf_size = 1});
    EXPECT_EQ(within(tree, x, Real(0.5)).size(), points.size());
    EXPECT_EQ(within(tree, x, std::nextafter(Real(0.5), Real(0))), std::vector<Index>{0});
    EXPECT_EQ(within(tree, x, Real(0)), std::vector<Index>{0});
}

TYPED_TEST(KdTreeContract, infinite_radius_finds_every_point)
{
    using Real = typename TypeParam::Real;
    const auto set = hard_point_sets<TypeParam::dim, Real>(300, 37)[2];
    auto points = set.points;
    points.push_back(TypeParam::Point::Constant(std::numeric_limits<Real>::max()));
    points.push_back(TypeParam::Point::Constant(std::numeric_limits<Real>::lowest()));
    std::vector<Index> all(points.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<Index>(i);
    const auto tree = tree_of(points);
    EXPECT_EQ(within(tree, points.back(), TypeParam::infinity), all);
    EXPECT_EQ(within(tree, points.front(), TypeParam::infinity), all);
}

TYPED_TEST(KdTreeContract, k_nearest_are_all_points_if_k_is_larger)
{
    using Real = typename TypeParam::Real;
    for (const auto& set : hard_point_sets<TypeParam::dim, Real>(50, 47)) {
        SCOPED_TRACE(set.name);
        const auto tree = tree_of(set.points);
        const typename TypeParam::Point x = TypeParam::Point::Zero();
        const std::size_t huge = std::numeric_limits<std::size_t>::max();
        EXPECT_EQ(nearest(tree, x, huge), brute_force_nearest(set.points, x, huge));
    }
}

TYPED_TEST(KdTreeContract, points_at_one_distance_are_ordered_by_id)
{
    using Real = typename TypeParam::Real;
    using Point = typename TypeParam::Point;
    // ±e_k · ½ around the origin, many times over, so that the tie runs through many cells.
    std::vector<Point> points;
    for (int i = 0; i < 200; ++i)
        points.push_back(Point::Unit(i % TypeParam::dim) * Real(i % 2 ? 0.5 : -0.5));
    const auto tree = tree_of(points, {.leaf_size = 2});
    const auto found = nearest(tree, Point::Zero(), 50);
    ASSERT_EQ(found.size(), 50u);
    for (Index i = 0; i < 50; ++i) EXPECT_EQ(found[i], (Neighbor<Real>{i, Real(0.5)}));
}

TYPED_TEST(KdTreeSearch, distances_whose_squares_overflow_or_underflow_are_told_apart)
{
    using Real = typename TypeParam::Real;
    using Point = typename TypeParam::Point;
    for (const Real unit : {std::numeric_limits<Real>::max() / 16, std::numeric_limits<Real>::denorm_min()}) {
        SCOPED_TRACE(unit);
        std::vector<Point> points;
        for (const int i : {4, 2, 3, 1, 0}) points.push_back(Point::Unit(0) * (unit * static_cast<Real>(i)));
        const auto tree = tree_of(points, {.leaf_size = 1});

        const auto found = nearest(tree, Point::Zero(), 3);
        EXPECT_EQ(found, (std::vector<Neighbor<Real>>{{4, 0}, {3, unit}, {1, 2 * unit}}));
        EXPECT_EQ(within(tree, Point::Zero(), 2 * unit), (std::vector<Index>{1, 3, 4}));
        EXPECT_EQ(within(tree, Point::Zero(), Real(0)), std::vector<Index>{4});
    }
}

TYPED_TEST(KdTreeContract, batch_equals_single_queries_for_any_number_of_threads)
{
    using Real = typename TypeParam::Real;
    for (const auto& set : hard_point_sets<TypeParam::dim, Real>(5000, 57)) {
        SCOPED_TRACE(set.name);
        const auto queries = query_points(set, 600, 58);
        for (const int threads : {1, 3}) {
            const ThreadLimit limit(threads);
            const auto tree = tree_of(set.points);
            const auto balls = tree.radius(queries, Real(0.01));
            const auto near = tree.nearest(queries, 3);
            ASSERT_EQ(balls.size(), queries.size());
            ASSERT_EQ(near.size(), queries.size());
            EXPECT_EQ(balls.offsets.back(), balls.items.size());
            for (std::size_t q = 0; q < queries.size(); q += 7) {
                const auto ids = balls.of(q);
                EXPECT_EQ(std::vector<Index>(ids.begin(), ids.end()), within(tree, queries[q], Real(0.01)));
                const auto neighbors = near.of(q);
                EXPECT_EQ(std::vector<Neighbor<Real>>(neighbors.begin(), neighbors.end()),
                          nearest(tree, queries[q], 3));
            }
        }
    }
    const KdTree<TypeParam::dim, Real> empty;
    EXPECT_EQ(empty.radius(std::vector<typename TypeParam::Point>(), Real(1)).size(), 0u);
}

TYPED_TEST(KdTreeContract, refuses_points_that_are_not_finite_and_names_the_first)
{
    using Point = typename TypeParam::Point;
    for (const auto bad : {TypeParam::nan, TypeParam::infinity, -TypeParam::infinity}) {
        std::vector<Point> points(10, Point::Zero());
        points[9][0] = bad;
        points[6][TypeParam::dim - 1] = bad;
        const std::string at_build = input_error_of([&] { tree_of(points); });
        EXPECT_NE(at_build.find("point 6 is "), std::string::npos) << at_build;

        const auto tree = tree_of(std::vector<Point>{Point::Zero()});
        const std::string in_batch = input_error_of([&] { (void)tree.radius(points, 1); });
        EXPECT_NE(in_batch.find("query point 6 is "), std::string::npos) << in_batch;
        EXPECT_THROW((void)tree.nearest(points, 1), InputError);
        EXPECT_THROW(within(tree, points[6], 1), InputError);
        EXPECT_THROW(nearest(tree, points[6], 1), InputError);
    }
}

TYPED_TEST(KdTreeContract, refuses_a_negative_radius_no_number_and_empty_leaves)
{
    using Point = typename TypeParam::Point;
    const auto tree = tree_of(std::vector<Point>{Point::Zero()});
    EXPECT_THROW(within(tree, Point::Zero(), -1), InputError);
    EXPECT_THROW(within(tree, Point::Zero(), TypeParam::nan), InputError);
    EXPECT_THROW((void)tree.radius(std::vector<Point>(3, Point::Zero()), TypeParam::nan), InputError);
    EXPECT_THROW(tree_of(std::vector<Point>{Point::Zero()}, {.leaf_size = 0}), InputError);
}

TYPED_TEST(KdTreeContract, default_constructed_tree_is_empty)
{
    const KdTree<TypeParam::dim, typename TypeParam::Real> tree;
    EXPECT_EQ(tree.size(), 0u);
    EXPECT_TRUE(within(tree, TypeParam::Point::Zero(), TypeParam::infinity).empty());
    EXPECT_TRUE(nearest(tree, TypeParam::Point::Zero(), 5).empty());
}

} // namespace
} // namespace phyxel::kd_tree_test
