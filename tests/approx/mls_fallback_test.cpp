// SPDX-License-Identifier: MIT
#include <phyxel/approx/mls.h>
#include <phyxel/approx/mls_basis.h>
#include <phyxel/core/rng.h>

#include "approx/mls_cloud.h"
#include "support/clouds.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace phyxel::mls_fallback_test {
namespace {

template <int Dim>
bool is_finite(const ShapeFunctions<Dim>& shape)
{
    for (double value : shape.values)
        if (!std::isfinite(value)) return false;
    for (const Vec<Dim>& g : shape.gradients)
        if (!g.allFinite()) return false;
    for (const PairVec<Dim>& s : shape.second_derivatives)
        if (!s.allFinite()) return false;
    return std::isfinite(shape.quality.condition);
}

template <class Dimension>
class MlsWithFewNodes : public MlsCloud<Dimension> {
};
TYPED_TEST_SUITE(MlsWithFewNodes, Dimensions);

/// Random nodes on the plane z = 0.
std::vector<Vec<3>> planar_cloud()
{
    std::vector<Vec<3>> nodes;
    for (const Vec<2>& x : random_cloud<2>({.count = 80, .seed = 5})) nodes.push_back({x[0], x[1], 0.0});
    return nodes;
}

TEST(MlsSafeInverse, on_a_plane_reproduces_what_the_plane_determines)
{
    const auto nodes = planar_cloud();
    for (int order : {1, 2})
        for (const Vec<2>& point : random_cloud<2>({.count = 30, .seed = 6})) {
            const Vec<3> x(point[0], point[1], 0.0);
            const ShapeFunctions<3> shape = at(x, nodes, 0.45, {.order = order});
            ASSERT_TRUE(is_finite(shape));
            EXPECT_EQ(shape.quality.order, order);
            EXPECT_EQ(shape.quality.rank, basis_size<2>(order));
            EXPECT_FALSE(shape.quality.smooth);
            EXPECT_NEAR(sum_of_values(shape), 1.0, 1e-12);
            for (const Monomial<2>& m : monomials_up_to<2>(order)) {
                const auto f = sampled<3>(nodes, [&](const Vec<3>& y) { return m.value(y.head<2>()); });
                EXPECT_NEAR(shape.value(f), m.value(point), 1e-10);
                EXPECT_LT((shape.gradient(f).head<2>() - m.gradient(point)).norm(), 1e-9);
                EXPECT_EQ(shape.gradient(f)[2], 0.0);
            }
        }
}

TEST(MlsSafeInverse, beside_a_plane_lowers_the_order_rather_than_lose_the_constant)
{
    const auto nodes = planar_cloud();
    const Vec<3> x(0.5, 0.5, 0.1);
    const ShapeFunctions<3> shape = at(x, nodes, 0.45, {.order = 1});
    ASSERT_TRUE(is_finite(shape));
    EXPECT_EQ(shape.quality.order, 0);
    EXPECT_FALSE(shape.quality.smooth);
    EXPECT_NEAR(sum_of_values(shape), 1.0, 1e-13);
}

TEST(MlsLowerOrder, on_a_plane_becomes_the_method_of_Shepard)
{
    const auto nodes = planar_cloud();
    const AnyMlsWeight<3> weight = make_mls_weight<3>(MlsWeight::Quartic);
    for (double z : {0.0, 0.1}) {
        const Vec<3> x(0.4, 0.6, z);
        const ShapeFunctions<3> shape = at(x, nodes, 0.45, {.order = 1, .fallback = MlsFallback::LowerOrder});
        EXPECT_EQ(shape.quality.order, 0);
        EXPECT_EQ(shape.quality.rank, 1);
        EXPECT_FALSE(shape.quality.smooth);
        double sum = 0.0;
        for (Index i : shape.ids) sum += weight.value(x - nodes[i], 0.45);
        for (std::size_t a = 0; a < shape.ids.size(); ++a)
            EXPECT_NEAR(shape.values[a], weight.value(x - nodes[shape.ids[a]], 0.45) / sum, 1e-15);
    }
}

TEST(MlsLowerOrder, keeps_the_highest_order_that_the_nodes_allow)
{
    // Five nodes in general position determine a plane, but no quadric.
    const std::vector<Vec<2>> nodes = {{0.1, 0.1}, {0.8, 0.2}, {0.3, 0.9}, {0.6, 0.5}, {0.2, 0.4}};
    const ShapeFunctions<2> shape =
        at<2>({0.4, 0.4}, nodes, 2.0, {.order = 2, .fallback = MlsFallback::LowerOrder});
    EXPECT_EQ(shape.quality.order, 1);
    EXPECT_FALSE(shape.quality.smooth);
    for (const Monomial<2>& m : monomials_up_to<2>(1)) {
        const auto f = sampled<2>(nodes, [&](const Vec<2>& y) { return m.value(y); });
        EXPECT_NEAR(shape.value(f), m.value({0.4, 0.4}), 1e-13);
        EXPECT_LT((shape.gradient(f) - m.gradient({0.4, 0.4})).norm(), 1e-12);
    }
}

TEST(MlsFallbacks, see_that_nodes_on_a_circle_determine_no_quadratic)
{
    std::vector<Vec<2>> nodes;
    for (int i = 0; i < 12; ++i) nodes.push_back({std::cos(0.5 * i), std::sin(0.5 * i)});
    for (MlsFallback fallback : all_mls_fallbacks) {
        // In the centre x² + y² = 1 is a constant that would be lost; elsewhere too.
        for (const Vec<2>& x : {Vec<2>(0.0, 0.0), Vec<2>(0.2, -0.1)}) {
            const ShapeFunctions<2> shape = at(x, nodes, 2.5, {.order = 2, .fallback = fallback});
            EXPECT_EQ(shape.quality.order, 1);
            const auto f = sampled<2>(nodes, [](const Vec<2>& y) { return 1 + y[0] - 2 * y[1]; });
            EXPECT_NEAR(shape.value(f), 1 + x[0] - 2 * x[1], 1e-13);
        }
    }
}

TEST(MlsFallbacks, along_a_line_reproduce_what_the_line_determines)
{
    const Vec<3> direction = Vec<3>(2.0, -1.0, 2.0) / 3.0;
    std::vector<Vec<3>> nodes;
    for (int i = 0; i < 20; ++i) nodes.push_back(Vec<3>::Ones() + 0.1 * i * direction);
    const Vec<3> x = Vec<3>::Ones() + 0.93 * direction;
    const ShapeFunctions<3> shape = at(x, nodes, 0.5, {.order = 1});
    ASSERT_TRUE(is_finite(shape));
    EXPECT_EQ(shape.quality.rank, 2);
    const Vec<3> slope(0.3, 0.7, -0.2);
    const auto f = sampled<3>(nodes, [&](const Vec<3>& y) { return 4 + slope.dot(y); });
    EXPECT_NEAR(shape.value(f), 4 + slope.dot(x), 1e-10);
    EXPECT_NEAR(shape.gradient(f).dot(direction), slope.dot(direction), 1e-9);
}

TYPED_TEST(MlsWithFewNodes, of_a_single_node_is_one_and_flat)
{
    constexpr int Dim = TestFixture::dim;
    const std::vector<Vec<Dim>> node = {Vec<Dim>::Constant(0.5)};
    for (MlsFallback fallback : all_mls_fallbacks)
        for (int order : {0, 1, 2})
            for (double distance : {0.0, 0.1, 0.5, 0.99}) {
                const Vec<Dim> x = node[0] + distance * Vec<Dim>::Unit(Dim - 1);
                const ShapeFunctions<Dim> shape = at(x, node, 1.0, {.order = order, .fallback = fallback});
                ASSERT_EQ(shape.values.size(), 1u);
                EXPECT_NEAR(shape.values[0], 1.0, 1e-15);
                EXPECT_LT(shape.gradients[0].norm(), 1e-12);
                EXPECT_LT(shape.second_derivatives[0].norm(), 1e-9);
                EXPECT_FALSE(shape.quality.empty);
                EXPECT_EQ(shape.quality.smooth, order == 0);
            }
}

TYPED_TEST(MlsWithFewNodes, of_two_and_three_nodes_is_finite_and_a_partition_of_unity)
{
    constexpr int Dim = TestFixture::dim;
    std::vector<Vec<Dim>> nodes = {Vec<Dim>::Constant(0.5),
                                   Vec<Dim>::Constant(0.5) + 0.3 * Vec<Dim>::Unit(0)};
    for (int count : {2, 3}) {
        if (count == 3) nodes.push_back(Vec<Dim>::Constant(0.6) + 0.4 * Vec<Dim>::Unit(Dim - 1));
        for (MlsFallback fallback : all_mls_fallbacks)
            for (int order : {0, 1, 2})
                for (const Vec<Dim>& x : this->points_) {
                    const ShapeFunctions<Dim> shape =
                        at(x, nodes, 2.5, {.order = order, .fallback = fallback});
                    ASSERT_TRUE(is_finite(shape));
                    EXPECT_NEAR(sum_of_values(shape), 1.0, 1e-8);
                    EXPECT_LE(shape.quality.rank, count);
                }
    }
}

TYPED_TEST(MlsWithFewNodes, on_any_degenerate_neighbourhood_is_finite_and_a_partition_of_unity)
{
    constexpr int Dim = TestFixture::dim;
    // A few nodes on a very coarse lattice: many coincide or lie on a line, a plane or a quadric.
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        Rng rng(seed, 77);
        std::vector<Vec<Dim>> nodes(rng.below(13));
        for (Vec<Dim>& y : nodes)
            for (int k = 0; k < Dim; ++k) y[k] = 0.5 * static_cast<double>(rng.below(3));
        Vec<Dim> x;
        for (int k = 0; k < Dim; ++k) x[k] = 0.25 * static_cast<double>(rng.below(5));
        for (MlsFallback fallback : all_mls_fallbacks) {
            const ShapeFunctions<Dim> shape =
                at(x, nodes, 1.3, {.order = static_cast<int>(seed % 3), .fallback = fallback});
            ASSERT_TRUE(is_finite(shape)) << seed;
            EXPECT_EQ(shape.quality.empty, shape.ids.empty());
            if (shape.quality.empty) continue;
            EXPECT_NEAR(sum_of_values(shape), 1.0, 1e-8) << seed;
            if (fallback == MlsFallback::LowerOrder) {
                EXPECT_EQ(shape.quality.rank, basis_size<Dim>(shape.quality.order));
            }
        }
    }
}

TYPED_TEST(MlsWithFewNodes, flags_points_that_none_of_them_reaches)
{
    constexpr int Dim = TestFixture::dim;
    const Vec<Dim> far = Vec<Dim>::Constant(7.0);
    const std::vector<double> f(this->nodes_.size(), 1.0);
    for (MlsFallback fallback : all_mls_fallbacks) {
        const ShapeFunctions<Dim> shape = at(far, this->nodes_, this->support_radius, {.fallback = fallback});
        EXPECT_TRUE(shape.quality.empty);
        EXPECT_FALSE(shape.quality.smooth);
        EXPECT_TRUE(shape.ids.empty());
        EXPECT_EQ(shape.value(f), 0.0);
        EXPECT_EQ(shape.gradient(f), Vec<Dim>::Zero());
        EXPECT_TRUE(at(far, {}, 1.0, {.fallback = fallback}).quality.empty);
        // Exactly on the rim counts as outside.
        const std::vector<Vec<Dim>> node = {Vec<Dim>::Zero()};
        EXPECT_TRUE(at<Dim>(Vec<Dim>::Unit(0), node, 1.0, {.fallback = fallback}).quality.empty);
        // As close to the rim as numbers get, there is either nothing or a single 1.
        const Vec<Dim> rim = std::nextafter(1.0, 0.0) * Vec<Dim>::Unit(0);
        const ShapeFunctions<Dim> at_rim = at(rim, node, 1.0, {.fallback = fallback});
        EXPECT_TRUE(is_finite(at_rim));
        EXPECT_NEAR(sum_of_values(at_rim), at_rim.quality.empty ? 0.0 : 1.0, 1e-12);
    }
}

} // namespace
} // namespace phyxel::mls_fallback_test
