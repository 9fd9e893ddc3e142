// SPDX-License-Identifier: MIT
#include <phyxel/approx/mls_approximation.h>
#include <phyxel/approx/shape_set.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/core/rng.h>
#include <phyxel/core/state_hash.h>
#include <phyxel/search/kd_tree.h>

#include "approx/mls_cloud.h"
#include "support/clouds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace phyxel::shape_set_test {
namespace {

/// Adds all numbers of a set of shape functions to a hash, so that two can be compared bit by bit.
template <int Dim>
void add_to_hash(StateHash& hash, std::span<const Index> ids, std::span<const double> values,
                 std::span<const Vec<Dim>> gradients, std::span<const PairVec<Dim>> second,
                 const ShapeQuality& quality)
{
    hash.add(ids);
    hash.add(values);
    for (const Vec<Dim>& g : gradients) hash.add(std::span<const double>(g.data(), g.size()));
    for (const PairVec<Dim>& s : second) hash.add(std::span<const double>(s.data(), s.size()));
    hash.add(quality.order);
    hash.add(quality.rank);
    hash.add(quality.condition);
}

template <int Dim>
std::uint64_t hash_of(const ShapeSet<Dim>& set)
{
    StateHash hash;
    for (std::size_t p = 0; p < set.size(); ++p)
        add_to_hash<Dim>(hash, set.ids(p), set.values(p), set.gradients(p), set.second_derivatives(p),
                         set.quality(p));
    return hash.value();
}

template <class Dimension>
class ShapeSets : public MlsCloud<Dimension> {
};
TYPED_TEST_SUITE(ShapeSets, Dimensions);

/// Point p of a set is computed from the nodes within `radius`.
template <int Dim>
QueryResults<Index> candidates_near(const std::vector<Vec<Dim>>& points, const std::vector<Vec<Dim>>& nodes,
                                    double radius)
{
    QueryResults<Index> lists;
    for (const Vec<Dim>& x : points) {
        for (Index i : brute_force_points_near<Dim>(x, nodes, radius)) lists.items.push_back(i);
        lists.offsets.push_back(lists.items.size());
    }
    return lists;
}

TYPED_TEST(ShapeSets, have_the_bits_of_their_points_one_by_one)
{
    constexpr int Dim = TestFixture::dim;
    for (int order : {0, 1, 2})
        for (int derivatives : {0, 1, 2}) {
            const MlsOptions options{.order = order};
            const auto lists = candidates_near<Dim>(this->points_, this->nodes_, 1.5 * this->support_radius);
            ShapeSet<Dim> set(options, derivatives);
            const ShapeSetReport report = set.rebuild(this->points_, this->nodes_, this->support_radius,
                                                      CandidateLists(lists.offsets, lists.items));
            ASSERT_EQ(set.size(), this->points_.size());
            double worst_condition = 1.0;
            for (std::size_t p = 0; p < set.size(); ++p) {
                const ShapeFunctions<Dim> shape =
                    at(this->points_[p], this->nodes_, this->support_radius, options, derivatives);
                EXPECT_TRUE(std::ranges::equal(set.ids(p), shape.ids));
                EXPECT_TRUE(std::ranges::equal(set.values(p), shape.values));
                if (derivatives >= 1) {
                    EXPECT_TRUE(std::ranges::equal(set.gradients(p), shape.gradients));
                }
                if (derivatives >= 2) {
                    EXPECT_TRUE(std::ranges::equal(set.second_derivatives(p), shape.second_derivatives));
                }
                worst_condition = std::max(worst_condition, shape.quality.condition);
            }
            EXPECT_EQ(report.worst_condition, worst_condition);
            EXPECT_EQ(report.lowered + report.truncated + report.empty, 0u);
        }
}

TYPED_TEST(ShapeSets, evaluate_fields_and_their_derivatives_at_all_points)
{
    constexpr int Dim = TestFixture::dim;
    const auto lists = candidates_near<Dim>(this->points_, this->nodes_, this->support_radius);
    ShapeSet<Dim> set({.order = 2}, 2);
    static_cast<void>(set.rebuild(this->points_, this->nodes_, this->support_radius,
                                  CandidateLists(lists.offsets, lists.items)));
    const auto f = sampled<Dim>(this->nodes_, [](const Vec<Dim>& y) { return std::cos(2 * y.sum()); });
    std::vector<Vec<2>> u;
    for (std::size_t i = 0; i < f.size(); ++i) u.push_back({f[i], 3 * f[i] + this->nodes_[i][0]});

    const std::size_t count = this->points_.size();
    std::vector<double> value(count);
    std::vector<Vec<Dim>> gradient(count);
    std::vector<Mat<Dim>> hessian(count);
    std::vector<Vec<2>> vector_value(count);
    std::vector<Eigen::Matrix<double, 2, Dim>> vector_gradient(count);
    set.evaluate(f, value);
    set.evaluate_gradient(f, gradient);
    set.evaluate_hessian(f, hessian);
    set.template evaluate<2>(u, vector_value);
    set.template evaluate_gradient<2>(u, vector_gradient);
    for (std::size_t p = 0; p < count; ++p) {
        const ShapeFunctions<Dim> shape =
            at(this->points_[p], this->nodes_, this->support_radius, {.order = 2});
        EXPECT_EQ(value[p], shape.value(f));
        EXPECT_EQ(gradient[p], shape.gradient(f));
        EXPECT_EQ(hessian[p], shape.hessian(f));
        EXPECT_EQ(vector_value[p], shape.template value<2>(u));
        EXPECT_EQ(vector_gradient[p], shape.template gradient<2>(u));
        EXPECT_NEAR(vector_value[p][0], value[p], 1e-13);
        EXPECT_LT((vector_gradient[p].row(0).transpose() - gradient[p]).norm(), 1e-11);
        if (shape.quality.condition < 1e8) {
            const Vec<Dim> second_row = 3 * gradient[p] + Vec<Dim>::Unit(0);
            EXPECT_LT((vector_gradient[p].row(1).transpose() - second_row).norm(), 1e-9);
        }
    }
}

TYPED_TEST(ShapeSets, at_the_nodes_count_the_node_itself)
{
    constexpr int Dim = TestFixture::dim;
    const double h = this->support_radius;
    ShapeSet<Dim> at_nodes({}, 2);
    static_cast<void>(
        at_nodes.rebuild_at_nodes(this->nodes_, h, brute_force_neighbors<Dim>(this->nodes_, h)));
    const auto lists = candidates_near<Dim>(this->nodes_, this->nodes_, h);
    ShapeSet<Dim> at_points({}, 2);
    static_cast<void>(
        at_points.rebuild(this->nodes_, this->nodes_, h, CandidateLists(lists.offsets, lists.items)));
    EXPECT_EQ(hash_of(at_nodes), hash_of(at_points));
    for (Index i = 0; i < this->nodes_.size(); ++i) EXPECT_EQ(std::ranges::count(at_nodes.ids(i), i), 1);
}

TYPED_TEST(ShapeSets, that_are_rebuilt_equal_fresh_ones)
{
    constexpr int Dim = TestFixture::dim;
    const double h = this->support_radius;
    const NeighborLists neighbors = brute_force_neighbors<Dim>(this->nodes_, h);
    ShapeSet<Dim> fresh({}, 2);
    static_cast<void>(fresh.rebuild_at_nodes(this->nodes_, h, neighbors));
    ShapeSet<Dim> rebuilt({}, 2);
    // Moved, fewer and wider: nothing of that may remain.
    std::vector<Vec<Dim>> moved(this->nodes_.begin(), this->nodes_.begin() + 30);
    for (Vec<Dim>& y : moved) y = y.array().sin();
    static_cast<void>(rebuilt.rebuild_at_nodes(moved, 1.5 * h, brute_force_neighbors<Dim>(moved, 1.5 * h)));
    EXPECT_EQ(rebuilt.size(), 30u);
    static_cast<void>(rebuilt.rebuild_at_nodes(this->nodes_, h, neighbors));
    EXPECT_EQ(hash_of(rebuilt), hash_of(fresh));
    EXPECT_EQ(rebuilt.report().worst_condition, fresh.report().worst_condition);
}

TYPED_TEST(ShapeSets, have_the_same_bits_on_one_and_on_seven_threads)
{
    constexpr int Dim = TestFixture::dim;
    const auto nodes = jittered_grid<Dim>({.spacing = Dim == 3 ? 0.1 : Dim == 2 ? 0.03 : 0.001, .seed = 4});
    const double h = Dim == 3 ? 0.22 : Dim == 2 ? 0.08 : 0.0031;
    const auto points = random_cloud<Dim>({.count = 1500, .seed = 2});
    const KdTree<Dim> tree(nodes);
    const QueryResults<Index> near = tree.radius(points, h);
    const auto f = sampled<Dim>(nodes, [](const Vec<Dim>& y) { return std::sin(y.sum()); });
    const auto run = [&](int threads) {
        const ThreadLimit limit(threads);
        ShapeSet<Dim> set({.order = 2}, 2);
        static_cast<void>(set.rebuild(points, nodes, h, CandidateLists(near.offsets, near.items)));
        std::vector<Vec<Dim>> gradient(points.size());
        set.evaluate_gradient(f, gradient);
        StateHash hash;
        for (const Vec<Dim>& g : gradient) hash.add(std::span<const double>(g.data(), Dim));
        hash.add(hash_of(set));
        return hash.value();
    };
    EXPECT_EQ(run(1), run(7));
}

TEST(ShapeSetReport, counts_points_that_are_lowered_truncated_or_empty)
{
    // A dense patch, a row on the x-axis and a loner.
    auto nodes = random_cloud<2>({.count = 60, .seed = 1, .low = 0.0, .high = 0.5});
    for (int i = 0; i < 10; ++i) nodes.push_back({5.0 + 0.1 * i, 0.0});
    nodes.push_back({9.0, 9.0});
    const std::vector<Vec<2>> points = {{0.25, 0.25}, {5.42, 0.0}, {5.42, 0.05}, {9.1, 9.0}, {20.0, 20.0}};
    const auto lists = candidates_near<2>(points, nodes, 0.3);
    ShapeSet<2> set({.order = 1});
    const ShapeSetReport report = set.rebuild(points, nodes, 0.3, CandidateLists(lists.offsets, lists.items));
    EXPECT_EQ(report.lowered, 2u);
    EXPECT_EQ(report.truncated, 1u);
    EXPECT_EQ(report.empty, 1u);
    EXPECT_EQ(report.largest_radius_ratio, 1.0);
    EXPECT_TRUE(set.quality(0).smooth);
    EXPECT_EQ(set.quality(1).rank, 2);
    EXPECT_EQ(set.quality(2).order, 0);
    EXPECT_EQ(set.quality(3).order, 0);
    EXPECT_TRUE(set.quality(4).empty);

    ShapeSet<2> lowering({.order = 1, .fallback = MlsFallback::LowerOrder});
    EXPECT_EQ(lowering.rebuild(points, nodes, 0.3, CandidateLists(lists.offsets, lists.items)).lowered, 3u);
    EXPECT_EQ(lowering.report().truncated, 0u);
    std::vector<double> value(points.size(), -1.0);
    lowering.evaluate(std::vector<double>(nodes.size(), 4.0), value);
    EXPECT_NEAR(value[3], 4.0, 1e-14);
    EXPECT_EQ(value[4], 0.0);

    std::vector<double> radii(nodes.size(), 0.3);
    radii[0] = 0.9;
    EXPECT_DOUBLE_EQ(
        set.rebuild(points, nodes, radii, CandidateLists(lists.offsets, lists.items)).largest_radius_ratio,
        3.0);
}

template <class Dimension>
class MlsApproximations : public MlsCloud<Dimension> {
};
TYPED_TEST_SUITE(MlsApproximations, Dimensions);

TYPED_TEST(MlsApproximations, reproduce_linear_fields_and_their_gradients)
{
    constexpr int Dim = TestFixture::dim;
    const auto nodes = jittered_grid<Dim>({.spacing = 0.1, .jitter = 0.3, .seed = 7});
    const Vec<Dim> slope = Rng(11).template point<Dim>(-1.0, 1.0);
    const auto f = sampled<Dim>(nodes, [&](const Vec<Dim>& y) { return 0.5 + slope.dot(y); });
    const MlsApproximation<Dim> mls(nodes, 0.25, {.order = 1});
    for (const Vec<Dim>& x : random_cloud<Dim>({.count = 30, .seed = 8})) {
        EXPECT_NEAR(mls.value(f, x), 0.5 + slope.dot(x), 1e-12);
        EXPECT_LT((mls.gradient(f, x) - slope).norm(), 1e-11);
    }
}

TYPED_TEST(MlsApproximations, find_all_nodes_that_reach_a_point)
{
    constexpr int Dim = TestFixture::dim;
    Rng rng(5);
    std::vector<double> radii;
    for (std::size_t i = 0; i < this->nodes_.size(); ++i) radii.push_back(rng.uniform(0.3, 0.6));
    for (MlsWeight weight : all_mls_weights) {
        SCOPED_TRACE(name_of(weight));
        const MlsOptions options{.order = 1, .weight = weight};
        const MlsApproximation<Dim> mls(this->nodes_, radii, options);
        const ShapeSet<Dim> set = mls.shape_set(this->points_, 1);
        for (std::size_t p = 0; p < this->points_.size(); ++p) {
            const ShapeFunctions<Dim> expected = at(this->points_[p], this->nodes_, radii, options, 1);
            const ShapeFunctions<Dim> shape = mls.shape_functions(this->points_[p], 1);
            EXPECT_EQ(shape.ids, expected.ids);
            EXPECT_EQ(shape.gradients, expected.gradients);
            EXPECT_TRUE(std::ranges::equal(set.values(p), expected.values));
        }
    }
}

TEST(MlsApproximation, outlives_the_nodes_it_was_made_from)
{
    const MlsApproximation<2> mls = [] {
        const auto nodes = random_cloud<2>({.count = 50, .seed = 1});
        const std::vector<double> radii(nodes.size(), 0.6);
        return MlsApproximation<2>(nodes, radii);
    }();
    EXPECT_EQ(mls.nodes().size(), 50u);
    std::vector<Vec<3>> u;
    for (const Vec<2>& y : mls.nodes()) u.push_back({y[0], y[1], y[0] - y[1]});
    EXPECT_LT((mls.value<3>(u, {0.5, 0.4}) - Vec<3>(0.5, 0.4, 0.1)).norm(), 1e-12);
    Eigen::Matrix<double, 3, 2> G;
    G << 1, 0, 0, 1, 1, -1;
    EXPECT_LT((mls.gradient<3>(u, {0.5, 0.4}) - G).norm(), 1e-11);
}

TEST(ShapeSetErrors, name_what_is_wrong)
{
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    auto nodes = random_cloud<2>({.count = 5, .seed = 2});
    std::vector<Vec<2>> points = {{0.5, 0.5}, {0.2, 0.3}};
    const auto lists = candidates_near<2>(points, nodes, 1.0);
    ShapeSet<2> set;
    const auto rebuild = [&] {
        static_cast<void>(set.rebuild(points, nodes, 1.0, CandidateLists(lists.offsets, lists.items)));
    };
    EXPECT_EQ(error_of([] { ShapeSet<2>({.order = -1}); }), "MLS order is -1, must be 0, 1 or 2");
    EXPECT_EQ(error_of([&] { MlsApproximation<2>(nodes, 1.0, {.order = 7}); }),
              "MLS order is 7, must be 0, 1 or 2");
    EXPECT_EQ(error_of([&] { MlsApproximation<2>(nodes, std::vector{1.0}); }),
              "there are 1 support radii for 5 nodes, must be one for each");
    EXPECT_EQ(error_of([&] { MlsApproximation<2>(nodes, 1.0).value(std::vector{1.0}, points[0]); }),
              "there are 1 values for 5 nodes, must be one for each");
    EXPECT_EQ(error_of([&] {
                  static_cast<void>(set.rebuild_at_nodes(points, 1.0, brute_force_neighbors<2>(nodes, 1.0)));
              }),
              "there are 5 neighbour lists for 2 nodes, must be one for each");
    points[1][0] = nan;
    EXPECT_EQ(error_of(rebuild), "position of evaluation point 1 is not finite");
    points[1][0] = 0.2;
    nodes[2][1] = nan;
    EXPECT_EQ(error_of(rebuild), "position of node 2 is not finite");
    EXPECT_EQ(error_of([&] { MlsApproximation<2>(nodes, 1.0); }), "position of node 2 is not finite");
    points.pop_back();
    EXPECT_EQ(error_of(rebuild), "there are 2 candidate lists for 1 evaluation points, must be one for each");
}

} // namespace
} // namespace phyxel::shape_set_test
