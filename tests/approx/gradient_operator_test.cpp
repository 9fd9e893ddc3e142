// SPDX-License-Identifier: MIT
#include <phyxel/approx/gradient_operator.h>
#include <phyxel/core/error.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/core/rng.h>
#include <phyxel/core/state_hash.h>

#include "support/clouds.h"

#include <Eigen/LU>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace phyxel::gradient_operator_test {
namespace {

template <class Dimension>
class GradientOperators : public testing::Test {
protected:
    static constexpr int dim = Dimension::value;
    static constexpr double support_radius = 0.33;

    /// On jittered particles that fill the unit cube.
    GradientOperators()
        : positions_(jittered_grid<dim>({.spacing = 0.125, .jitter = 0.3, .seed = 5})),
          neighbors_(brute_force_neighbors<dim>(positions_, support_radius))
    {
    }

    const std::vector<Vec<dim>> positions_;
    const NeighborLists neighbors_;
};

using Dimensions = testing::Types<std::integral_constant<int, 1>, std::integral_constant<int, 2>,
                                  std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(GradientOperators, Dimensions);

/// A random matrix with entries in [−1, 1).
template <int Rows, int Cols>
Eigen::Matrix<double, Rows, Cols> random_matrix(std::uint64_t seed)
{
    Rng rng(seed);
    Eigen::Matrix<double, Rows, Cols> result;
    for (int i = 0; i < Rows; ++i)
        for (int j = 0; j < Cols; ++j) result(i, j) = rng.uniform(-1.0, 1.0);
    return result;
}

template <int Dim>
std::uint64_t hash_of(const GradientOperator<Dim>& gradient)
{
    StateHash hash;
    for (std::size_t i = 0; i < gradient.size(); ++i) {
        hash.add(gradient.ids(i));
        for (const Vec<Dim>& d : gradient.coefficients(i)) hash.add(std::span<const double>(d.data(), Dim));
        hash.add(std::span<const double>(gradient.center(i).data(), Dim));
        hash.add(gradient.fit(i).rank);
        hash.add(gradient.fit(i).condition);
    }
    return hash.value();
}

TYPED_TEST(GradientOperators, are_exact_for_affine_fields)
{
    constexpr int Dim = TestFixture::dim;
    const Vec<Dim> slope = random_matrix<Dim, 1>(3);
    std::vector<double> f;
    for (const Vec<Dim>& x : this->positions_) f.push_back(3.0 + slope.dot(x));

    for (MlsWeight weight : all_mls_weights) {
        SCOPED_TRACE(name_of(weight));
        GradientOperator<Dim> gradient({.weight = weight});
        const GradientReport report =
            gradient.rebuild(this->positions_, this->support_radius, this->neighbors_);
        EXPECT_EQ(report.deficient, 0u);
        EXPECT_LT(report.worst_condition, 100.0);
        std::vector<Vec<Dim>> out(f.size());
        gradient.evaluate(f, out);
        for (const Vec<Dim>& g : out) EXPECT_LT((g - slope).norm(), 1e-12);
    }
}

TYPED_TEST(GradientOperators, of_vector_fields_have_components_as_rows_and_coordinates_as_columns)
{
    constexpr int Dim = TestFixture::dim;
    const Eigen::Matrix<double, 2, Dim> G = random_matrix<2, Dim>(4);
    std::vector<Vec<2>> u;
    for (const Vec<Dim>& x : this->positions_) u.push_back(Vec<2>(1.0, -2.0) + G * x);

    GradientOperator<Dim> gradient;
    ASSERT_EQ(gradient.rebuild(this->positions_, this->support_radius, this->neighbors_).deficient, 0u);
    std::vector<Eigen::Matrix<double, 2, Dim>> out(u.size());
    gradient.template evaluate<2>(u, out);
    for (const auto& g : out) EXPECT_LT((g - G).norm(), 1e-12);
}

TYPED_TEST(GradientOperators, are_exactly_zero_for_constant_fields)
{
    constexpr int Dim = TestFixture::dim;
    GradientOperator<Dim> gradient;
    ASSERT_EQ(gradient.rebuild(this->positions_, this->support_radius, this->neighbors_).deficient, 0u);
    const std::vector<double> f(this->positions_.size(), 0.1);
    std::vector<Vec<Dim>> out(f.size());
    gradient.evaluate(f, out);
    for (const Vec<Dim>& g : out) EXPECT_EQ(g, Vec<Dim>::Zero());
}

TYPED_TEST(GradientOperators, follow_the_formula_with_the_inverse_of_A)
{
    constexpr int Dim = TestFixture::dim;
    const double h = this->support_radius;
    Rng rng(8);
    std::vector<double> f;
    for (std::size_t i = 0; i < this->positions_.size(); ++i) f.push_back(rng.uniform(-1.0, 1.0));
    GradientOperator<Dim> gradient;
    ASSERT_EQ(gradient.rebuild(this->positions_, h, this->neighbors_).deficient, 0u);
    std::vector<Vec<Dim>> out(f.size());
    gradient.evaluate(f, out);

    for (Index i = 0; i < f.size(); i += 3) {
        Mat<Dim> A = Mat<Dim>::Zero();
        Vec<Dim> b = Vec<Dim>::Zero();
        for (Index j : this->neighbors_.of(i)) {
            const Vec<Dim> x_ij = this->positions_[j] - this->positions_[i];
            const double w = std::pow(1 - x_ij.squaredNorm() / (h * h), 3);
            A += w * x_ij * x_ij.transpose();
            b += w * (f[j] - f[i]) * x_ij;
        }
        const Vec<Dim> expected = A.inverse() * b;
        EXPECT_LT((out[i] - expected).norm(), 1e-11);

        Vec<Dim> by_coefficients = gradient.center(i) * f[i];
        for (std::size_t a = 0; a < gradient.ids(i).size(); ++a)
            by_coefficients += gradient.coefficients(i)[a] * f[gradient.ids(i)[a]];
        EXPECT_LT((by_coefficients - expected).norm(), 1e-11);
    }
}

TYPED_TEST(GradientOperators, weigh_neighbours_with_the_radius_of_the_particle_in_the_centre)
{
    constexpr int Dim = TestFixture::dim;
    std::vector<double> radii(this->positions_.size(), this->support_radius);
    const Index i = static_cast<Index>(this->positions_.size() / 2);
    const Index neighbor = this->neighbors_.of(i).front();

    GradientOperator<Dim> before;
    ASSERT_EQ(before.rebuild(this->positions_, radii, this->neighbors_).deficient, 0u);
    radii[neighbor] *= 0.8;
    GradientOperator<Dim> after;
    ASSERT_EQ(after.rebuild(this->positions_, radii, this->neighbors_).deficient, 0u);

    EXPECT_EQ(before.center(i), after.center(i));
    EXPECT_NE(before.center(neighbor), after.center(neighbor));
    // A particle just outside the smaller radius no longer counts.
    for (std::size_t a = 0; a < after.ids(neighbor).size(); ++a) {
        const double r = (this->positions_[after.ids(neighbor)[a]] - this->positions_[neighbor]).norm();
        EXPECT_EQ(after.coefficients(neighbor)[a] == Vec<Dim>::Zero(), r >= radii[neighbor]);
    }
}

TYPED_TEST(GradientOperators, converge_with_first_order_on_irregular_particles)
{
    constexpr int Dim = TestFixture::dim;
    const auto f = [](const Vec<Dim>& x) { return std::sin(2.0 * x.sum()); };
    const auto error_at = [&](double spacing) {
        const auto x = jittered_grid<Dim>({.spacing = spacing, .jitter = 0.2, .seed = 2});
        const NeighborLists neighbors = brute_force_neighbors<Dim>(x, 2.0 * spacing);
        GradientOperator<Dim> gradient;
        EXPECT_EQ(gradient.rebuild(x, 2.0 * spacing, neighbors).deficient, 0u);
        std::vector<double> values;
        for (const Vec<Dim>& p : x) values.push_back(f(p));
        std::vector<Vec<Dim>> out(x.size());
        gradient.evaluate(values, out);
        double worst = 0.0;
        for (std::size_t i = 0; i < x.size(); ++i)
            worst = std::max(worst, (out[i] - Vec<Dim>::Constant(2.0 * std::cos(2.0 * x[i].sum()))).norm());
        return worst;
    };
    const OrderOptions halvings[] = {{1.0 / 32, 4}, {1.0 / 8, 2}, {1.0 / 4, 2}};
    EXPECT_GT(observed_order(error_at, halvings[Dim - 1]), 0.8);
}

TYPED_TEST(GradientOperators, have_the_same_bits_on_one_and_on_seven_threads)
{
    constexpr int Dim = TestFixture::dim;
    const auto positions = jittered_grid<Dim>({.spacing = Dim == 3 ? 0.1 : 0.02, .jitter = 0.3, .seed = 12});
    const double h = Dim == 3 ? 0.2 : 0.045;
    const NeighborLists neighbors = brute_force_neighbors<Dim>(positions, h);
    const auto run = [&](int threads) {
        const ThreadLimit limit(threads);
        GradientOperator<Dim> gradient;
        static_cast<void>(gradient.rebuild(positions, h, neighbors));
        return hash_of(gradient);
    };
    EXPECT_EQ(run(1), run(7));
}

TYPED_TEST(GradientOperators, that_are_rebuilt_equal_fresh_ones)
{
    constexpr int Dim = TestFixture::dim;
    GradientOperator<Dim> fresh;
    static_cast<void>(fresh.rebuild(this->positions_, this->support_radius, this->neighbors_));
    GradientOperator<Dim> rebuilt;
    const auto other = random_cloud<Dim>({.count = 200, .seed = 31});
    static_cast<void>(rebuilt.rebuild(other, 0.3, brute_force_neighbors<Dim>(other, 0.3)));
    EXPECT_NE(hash_of(rebuilt), hash_of(fresh));
    static_cast<void>(rebuilt.rebuild(this->positions_, this->support_radius, this->neighbors_));
    EXPECT_EQ(hash_of(rebuilt), hash_of(fresh));
}

TYPED_TEST(GradientOperators, scale_with_the_unit_of_length)
{
    constexpr int Dim = TestFixture::dim;
    GradientOperator<Dim> gradient;
    static_cast<void>(gradient.rebuild(this->positions_, this->support_radius, this->neighbors_));
    for (double unit : {0x1p-260, 0x1p260}) {
        std::vector<Vec<Dim>> scaled;
        for (const Vec<Dim>& x : this->positions_) scaled.push_back(unit * x);
        GradientOperator<Dim> other;
        static_cast<void>(other.rebuild(scaled, unit * this->support_radius, this->neighbors_));
        for (std::size_t i = 0; i < scaled.size(); ++i) {
            EXPECT_EQ(other.fit(i).rank, gradient.fit(i).rank);
            EXPECT_EQ(other.center(i) * unit, gradient.center(i));
        }
    }
}

TEST(GradientOperator, finds_the_slope_of_a_line_on_a_jittered_lattice)
{
    auto x = lattice<2>({.spacing = 1.0, .reach = 5});
    Rng rng(6);
    for (Vec<2>& p : x) p += rng.point<2>(-0.1, 0.1);
    std::vector<double> f;
    for (const Vec<2>& p : x) f.push_back(3.0 + 2.0 * p[0]);
    GradientOperator<2> gradient;
    ASSERT_EQ(gradient.rebuild(x, 3.0, brute_force_neighbors<2>(x, 3.0)).deficient, 0u);
    std::vector<Vec<2>> out(x.size());
    gradient.evaluate(f, out);
    for (const Vec<2>& g : out) EXPECT_LT((g - Vec<2>(2.0, 0.0)).norm(), 1e-12);
}

TEST(GradientOperator, is_exact_within_a_sheet_and_zero_across_it)
{
    std::vector<Vec<3>> sheet;
    for (const Vec<2>& x : random_cloud<2>({.count = 60, .seed = 3})) sheet.push_back({x[0], x[1], 0.25});
    // Tilted, so that the missing direction is no axis.
    const Vec<3> normal = Vec<3>(1.0, 2.0, 2.0) / 3.0;
    const Mat<3> turn = Mat<3>::Identity() - 2.0 * normal * normal.transpose();
    for (Vec<3>& x : sheet) x = turn * x;
    const Vec<3> across = turn * Vec<3>::UnitZ();

    GradientOperator<3> gradient;
    const GradientReport report = gradient.rebuild(sheet, 0.6, brute_force_neighbors<3>(sheet, 0.6));
    EXPECT_EQ(report.deficient, sheet.size());
    EXPECT_EQ(report.isolated, 0u);
    const Vec<3> slope(0.5, -1.0, 2.0);
    std::vector<double> f;
    for (const Vec<3>& x : sheet) f.push_back(slope.dot(x));
    std::vector<Vec<3>> out(f.size());
    gradient.evaluate(f, out);
    for (std::size_t i = 0; i < sheet.size(); ++i) {
        EXPECT_EQ(gradient.fit(i).rank, 2);
        EXPECT_LT((out[i] - (slope - across * across.dot(slope))).norm(), 1e-11);
    }
}

TEST(GradientOperator, tells_a_thin_slab_from_a_sheet_by_its_tolerance)
{
    const auto rank_at = [](double thickness) {
        std::vector<Vec<3>> slab;
        Rng rng(4);
        for (int i = 0; i < 100; ++i)
            slab.push_back({rng.uniform(), rng.uniform(), thickness * rng.uniform()});
        GradientOperator<3> gradient({.tolerance = 1e-6});
        static_cast<void>(gradient.rebuild(slab, 2.0, brute_force_neighbors<3>(slab, 2.0)));
        return gradient.fit(0).rank;
    };
    EXPECT_EQ(rank_at(1e-1), 3);
    EXPECT_EQ(rank_at(1e-2), 3);
    EXPECT_EQ(rank_at(1e-4), 2);
    EXPECT_EQ(rank_at(0.0), 2);
}

TEST(GradientOperator, has_the_rank_of_what_few_neighbours_span)
{
    const auto ranks = [](const std::vector<Vec<3>>& x) {
        GradientOperator<3> gradient;
        static_cast<void>(gradient.rebuild(x, 2.0, brute_force_neighbors<3>(x, 2.0)));
        for (std::size_t i = 0; i < x.size(); ++i) {
            EXPECT_TRUE(gradient.center(i).allFinite());
            EXPECT_EQ(gradient.fit(i).rank, gradient.fit(0).rank);
        }
        return gradient.fit(0).rank;
    };
    const Vec<3> o = Vec<3>::Zero();
    const Vec<3> a(1.0, 0.0, 0.0);
    const Vec<3> b(0.3, 0.9, 0.0);
    const Vec<3> c(0.2, 0.1, 0.7);
    EXPECT_EQ(ranks({o}), 0);
    EXPECT_EQ(ranks({o, o, o}), 0);
    EXPECT_EQ(ranks({o, a}), 1);
    EXPECT_EQ(ranks({o, a, 0.5 * a}), 1);
    EXPECT_EQ(ranks({o, a, b}), 2);
    EXPECT_EQ(ranks({o, a, b, c}), 3);
    EXPECT_EQ(ranks({o, a, b, c, o, a}), 3);
}

TEST(GradientOperator, of_an_isolated_particle_is_zero_and_reported)
{
    const std::vector<Vec<2>> x = {{0.0, 0.0}, {0.1, 0.0}, {0.0, 0.1}, {5.0, 5.0}};
    GradientOperator<2> gradient;
    const GradientReport report = gradient.rebuild(x, 1.0, brute_force_neighbors<2>(x, 1.0));
    EXPECT_EQ(report.deficient, 1u);
    EXPECT_EQ(report.isolated, 1u);
    EXPECT_EQ(gradient.fit(3).rank, 0);
    EXPECT_EQ(gradient.center(3), Vec<2>::Zero());
    std::vector<Vec<2>> out(4, Vec<2>::Ones());
    gradient.evaluate(std::vector<double>{1.0, 2.0, 3.0, 4.0}, out);
    EXPECT_EQ(out[3], Vec<2>::Zero());
}

TEST(GradientOperator, with_given_weights_sees_each_side_of_a_crack_alone)
{
    const auto x = jittered_grid<2>({.spacing = 0.1, .jitter = 0.3, .seed = 9});
    const NeighborLists neighbors = brute_force_neighbors<2>(x, 0.3);
    const auto is_right = [&](Index i) { return x[i][0] > 0.5; };
    std::vector<double> weights;
    for (Index i = 0; i < x.size(); ++i)
        for (Index j : neighbors.of(i)) weights.push_back(is_right(i) == is_right(j) ? 1.0 : 0.0);
    GradientOperator<2> gradient;
    ASSERT_EQ(gradient.rebuild(x, neighbors, weights).deficient, 0u);

    std::vector<double> f;
    for (Index i = 0; i < x.size(); ++i) f.push_back(is_right(i) ? 7.0 + 2.0 * x[i][1] : -x[i][0]);
    std::vector<Vec<2>> out(f.size());
    gradient.evaluate(f, out);
    for (Index i = 0; i < x.size(); ++i) {
        const Vec<2> expected = is_right(i) ? Vec<2>(0.0, 2.0) : Vec<2>(-1.0, 0.0);
        EXPECT_LT((out[i] - expected).norm(), 1e-11);
    }
}

TEST(GradientOperator, with_the_same_weights_given_has_the_same_bits)
{
    const auto x = random_cloud<3>({.count = 150, .seed = 2});
    const NeighborLists neighbors = brute_force_neighbors<3>(x, 0.4);
    std::vector<double> weights;
    const AnyMlsWeight<3> weight = make_mls_weight<3>(MlsWeight::Poly6);
    for (Index i = 0; i < x.size(); ++i)
        for (Index j : neighbors.of(i)) weights.push_back(weight.value(x[j] - x[i], 0.4));
    GradientOperator<3> by_radius;
    static_cast<void>(by_radius.rebuild(x, 0.4, neighbors));
    GradientOperator<3> by_weights;
    static_cast<void>(by_weights.rebuild(x, neighbors, weights));
    EXPECT_EQ(hash_of(by_radius), hash_of(by_weights));
}

/// The message of the InputError that `call` must throw.
template <class Call>
std::string error_of(Call&& call)
{
    try {
        call();
    } catch (const InputError& error) {
        return error.what();
    }
    return "nothing was thrown";
}

TEST(GradientOperator, refuses_input_that_it_cannot_work_with)
{
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    auto x = random_cloud<2>({.count = 5, .seed = 2});
    const NeighborLists neighbors = brute_force_neighbors<2>(x, 1.0);
    const std::vector<double> weights(neighbors.entry_count(), 1.0);
    GradientOperator<2> gradient;
    const auto rebuild = [&](const SupportRadii& radii) {
        static_cast<void>(gradient.rebuild(x, radii, neighbors));
    };

    EXPECT_EQ(error_of([&] { rebuild(0.0); }), "support radius is 0, must be positive and finite");
    EXPECT_EQ(error_of([&] {
                  rebuild(std::vector{1.0, 1.0, -2.0, 1.0, 1.0});
              }),
              "support radius of node 2 is -2, must be positive and finite");
    EXPECT_EQ(error_of([&] { rebuild(std::vector{1.0}); }),
              "there are 1 support radii for 5 nodes, must be one for each");
    EXPECT_EQ(error_of([&] { GradientOperator<2>({.tolerance = nan}); }),
              "tolerance of the gradient operator is nan, must be between 0 and 1");
    EXPECT_EQ(error_of([&] { static_cast<void>(gradient.rebuild(x, neighbors, std::vector{1.0})); }),
              "there are 1 weights for " + std::to_string(weights.size()) +
                  " neighbours, must be one for each");
    std::vector<double> negative = weights;
    negative[3] = -1.0;
    EXPECT_EQ(error_of([&] { static_cast<void>(gradient.rebuild(x, neighbors, negative)); }),
              "weight 3 is -1.000000, must be finite and not negative");
    x[4][1] = nan;
    EXPECT_EQ(error_of([&] { rebuild(1.0); }), "position of particle 4 is not finite");
    x.pop_back();
    EXPECT_EQ(error_of([&] { rebuild(1.0); }),
              "there are 5 neighbour lists for 4 particles, must be one for each");
}

} // namespace
} // namespace phyxel::gradient_operator_test
