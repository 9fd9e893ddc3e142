// SPDX-License-Identifier: MIT
#include <phyxel/approx/mls.h>
#include <phyxel/approx/mls_approximation.h>
#include <phyxel/approx/mls_basis.h>
#include <phyxel/core/rng.h>

#include "approx/mls_cloud.h"
#include "support/clouds.h"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <string>
#include <type_traits>
#include <vector>

namespace phyxel::mls_test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <class Dimension>
class Mls : public MlsCloud<Dimension> {
};
TYPED_TEST_SUITE(Mls, Dimensions);

TYPED_TEST(Mls, bases_are_complete_and_have_unit_vectors_at_the_centre)
{
    constexpr int Dim = TestFixture::dim;
    using Linear = PolynomialBasis<Dim, 1>;
    using Quadratic = PolynomialBasis<Dim, 2>;
    EXPECT_EQ(basis_size<Dim>(0), 1);
    EXPECT_EQ(basis_size<Dim>(1), static_cast<int>(monomials_up_to<Dim>(1).size()));
    EXPECT_EQ(basis_size<Dim>(2), static_cast<int>(monomials_up_to<Dim>(2).size()));

    const double h = 0.7;
    const double step = 1e-3;
    const auto at_offset = [&](const Vec<Dim>& y) {
        std::array<double, Dim> t;
        for (int k = 0; k < Dim; ++k) t[k] = y[k] / h;
        const auto p = Quadratic::at(t);
        Vec<Quadratic::size> result;
        for (int i = 0; i < Quadratic::size; ++i) result[i] = p[i];
        return result;
    };
    EXPECT_EQ(at_offset(Vec<Dim>::Zero()), Vec<Quadratic::size>(Vec<Quadratic::size>::Unit(0)));
    // Differences of quadratic polynomials are exact up to rounding.
    for (int k = 0; k < Dim; ++k) {
        const Vec<Dim> dk = step * Vec<Dim>::Unit(k);
        EXPECT_LT(((at_offset(dk) - at_offset(-dk)) / (2 * step) - Quadratic::first_derivative(k, h)).norm(),
                  1e-12);
        EXPECT_EQ(Quadratic::first_derivative(k, h).template head<Linear::size>(),
                  Linear::first_derivative(k, h));
        for (int l = 0; l < Dim; ++l) {
            const Vec<Dim> dl = step * Vec<Dim>::Unit(l);
            const Vec<Quadratic::size> mixed =
                (at_offset(dk + dl) - at_offset(dk - dl) - at_offset(dl - dk) + at_offset(-dk - dl)) /
                (4 * step * step);
            EXPECT_LT((mixed - Quadratic::second_derivative(k, l, h)).norm(), 1e-9);
        }
    }
}

TYPED_TEST(Mls, of_every_order_reproduces_its_monomials_and_their_derivatives)
{
    constexpr int Dim = TestFixture::dim;
    for (int order : {0, 1, 2}) {
        int well_conditioned = 0;
        for (const Vec<Dim>& x : this->points_) {
            const ShapeFunctions<Dim> shape = at(x, this->nodes_, this->support_radius, {.order = order});
            ASSERT_TRUE(shape.quality.smooth);
            EXPECT_EQ(shape.quality.order, order);
            EXPECT_EQ(shape.quality.rank, basis_size<Dim>(order));
            if (shape.quality.condition > 1e8) continue;
            ++well_conditioned;
            for (const Monomial<Dim>& m : monomials_up_to<Dim>(order)) {
                const auto f = sampled<Dim>(this->nodes_, [&](const Vec<Dim>& y) { return m.value(y); });
                EXPECT_NEAR(shape.value(f), m.value(x), 1e-10);
                EXPECT_LT((shape.gradient(f) - m.gradient(x)).norm(), 1e-10);
                EXPECT_LT((shape.hessian(f) - m.hessian(x)).norm(), 1e-8);
            }
        }
        EXPECT_GT(well_conditioned, 36);
    }
}

TYPED_TEST(Mls, reproduces_just_as_well_where_nodes_are_badly_spread)
{
    constexpr int Dim = TestFixture::dim;
    // Supports so narrow that some points barely have the nodes that a quadratic needs.
    const double h = this->support_radius * (Dim == 2 ? 0.6 : 0.5);
    const auto f = sampled<Dim>(this->nodes_, [](const Vec<Dim>& y) { return std::pow(1 + y.sum(), 2); });
    int badly_conditioned = 0;
    for (const Vec<Dim>& x : random_cloud<Dim>({.count = 500, .seed = 9})) {
        const ShapeFunctions<Dim> shape = at(x, this->nodes_, h, {.order = 2});
        if (!shape.quality.smooth || shape.quality.condition < 1e4) continue;
        ++badly_conditioned;
        EXPECT_NEAR(shape.value(f), std::pow(1 + x.sum(), 2), 1e-12);
        EXPECT_LT((shape.gradient(f) - Vec<Dim>::Constant(2 + 2 * x.sum())).norm(), 1e-10);
        EXPECT_LT((shape.hessian(f) - Mat<Dim>::Constant(2)).norm(), 1e-8);
    }
    EXPECT_GT(badly_conditioned, 5);
}

TYPED_TEST(Mls, with_every_weight_reproduces_quadratics)
{
    constexpr int Dim = TestFixture::dim;
    for (MlsWeight weight : all_mls_weights) {
        SCOPED_TRACE(name_of(weight));
        for (const Vec<Dim>& x : this->points_) {
            const MlsOptions options{.order = 2, .weight = weight};
            const ShapeFunctions<Dim> shape = at(x, this->nodes_, this->support_radius, options);
            if (shape.quality.condition > 1e8) continue;
            for (const Monomial<Dim>& m : monomials_up_to<Dim>(2)) {
                const auto f = sampled<Dim>(this->nodes_, [&](const Vec<Dim>& y) { return m.value(y); });
                EXPECT_NEAR(shape.value(f), m.value(x), 1e-10);
                EXPECT_LT((shape.gradient(f) - m.gradient(x)).norm(), 1e-10);
                EXPECT_LT((shape.hessian(f) - m.hessian(x)).norm(), 1e-8);
            }
        }
    }
}

TYPED_TEST(Mls, shape_functions_are_a_partition_of_unity_and_their_derivatives_of_nullity)
{
    constexpr int Dim = TestFixture::dim;
    for (int order : {0, 1, 2})
        for (const Vec<Dim>& x : this->points_) {
            const ShapeFunctions<Dim> shape = at(x, this->nodes_, this->support_radius, {.order = order});
            if (shape.quality.condition > 1e8) continue;
            Vec<Dim> gradient = Vec<Dim>::Zero();
            for (const Vec<Dim>& g : shape.gradients) gradient += g;
            PairVec<Dim> second = PairVec<Dim>::Zero();
            for (const PairVec<Dim>& s : shape.second_derivatives) second += s;
            EXPECT_NEAR(sum_of_values(shape), 1.0, 1e-12);
            EXPECT_LT(gradient.norm(), 1e-10);
            EXPECT_LT(second.norm(), 1e-8);
        }
}

TYPED_TEST(Mls, derivatives_agree_with_finite_differences)
{
    constexpr int Dim = TestFixture::dim;
    const auto f = sampled<Dim>(this->nodes_, [](const Vec<Dim>& y) { return std::sin(3 * y.sum()); });
    for (int order : {0, 1, 2}) {
        const MlsOptions options{.order = order};
        const auto shape_at = [&](const Vec<Dim>& x) {
            return at(x, this->nodes_, this->support_radius, options);
        };
        for (const Vec<Dim>& outer : this->points_) {
            // Towards the middle: in the corners of a random cloud third derivatives are very large.
            const Vec<Dim> x = Vec<Dim>::Constant(0.5) + 0.6 * (outer - Vec<Dim>::Constant(0.5));
            const ShapeFunctions<Dim> shape = shape_at(x);
            const Vec<Dim> gradient = shape.gradient(f);
            const Mat<Dim> hessian = shape.hessian(f);
            const double step = 1e-6;
            for (int k = 0; k < Dim; ++k) {
                const Vec<Dim> dx = step * Vec<Dim>::Unit(k);
                const ShapeFunctions<Dim> ahead = shape_at(x + dx);
                const ShapeFunctions<Dim> behind = shape_at(x - dx);
                EXPECT_NEAR(gradient[k], (ahead.value(f) - behind.value(f)) / (2 * step), 1e-7);
                const Vec<Dim> bend = (ahead.gradient(f) - behind.gradient(f)) / (2 * step);
                EXPECT_LT((hessian.col(k) - bend).norm(), 1e-5 * (1 + hessian.norm()));
            }
        }
    }
}

TYPED_TEST(Mls, does_not_feel_a_shift_of_the_origin)
{
    constexpr int Dim = TestFixture::dim;
    const Vec<Dim> shift = Vec<Dim>::Constant(1000.0);
    std::vector<Vec<Dim>> shifted;
    for (const Vec<Dim>& y : this->nodes_) shifted.push_back(y + shift);
    // Back again, so that both clouds are the same up to the last bit.
    std::vector<Vec<Dim>> nodes;
    for (const Vec<Dim>& y : shifted) nodes.push_back(y - shift);
    for (int order : {0, 1, 2})
        for (const Vec<Dim>& point : this->points_) {
            const Vec<Dim> x = (point + shift) - shift;
            const ShapeFunctions<Dim> here = at(x, nodes, this->support_radius, {.order = order});
            const ShapeFunctions<Dim> there =
                at<Dim>(x + shift, shifted, this->support_radius, {.order = order});
            ASSERT_EQ(here.ids, there.ids);
            for (std::size_t a = 0; a < here.ids.size(); ++a) {
                EXPECT_NEAR(here.values[a], there.values[a], 1e-10);
                EXPECT_LT((here.gradients[a] - there.gradients[a]).norm(), 1e-10);
            }
        }
}

TEST(MlsCentering, is_needed_because_the_plain_moment_matrix_is_singular_far_from_the_origin)
{
    const auto nodes = random_cloud<2>({.count = 200, .seed = 3});
    const Vec<2> x(0.4, 0.5);
    const AnyMlsWeight<2> weight = make_mls_weight<2>(MlsWeight::Quartic);
    const auto condition_at = [&](double origin) {
        Mat<3> M = Mat<3>::Zero();
        for (const Vec<2>& y : nodes) {
            const Vec<3> p(1.0, y[0] + origin, y[1] + origin);
            M += weight.value(x - y, 0.35) * p * p.transpose();
        }
        return M.norm() * M.inverse().norm();
    };
    EXPECT_LT(condition_at(-0.45), 1e3);
    EXPECT_GT(condition_at(1000.0), 1e13);
    EXPECT_LT(at<2>(x + Vec<2>::Constant(1000.0), nodes, 0.35, {}).quality.condition, 1e3);
}

TEST(MlsCentering, does_not_change_the_shape_functions)
{
    // [AW09, Eq. 27] as it stands, with the basis 1, x, y, x², xy, y² of world coordinates.
    const auto nodes = random_cloud<2>({.count = 120, .seed = 2});
    const auto basis = [](const Vec<2>& y) {
        return Vec<6>{{1.0, y[0], y[1], y[0] * y[0], y[0] * y[1], y[1] * y[1]}};
    };
    for (MlsWeight choice : {MlsWeight::Quartic, MlsWeight::QuarticProduct}) {
        const AnyMlsWeight<2> weight = make_mls_weight<2>(choice);
        for (const Vec<2>& x : random_cloud<2>({.count = 20, .seed = 6, .low = 0.2, .high = 0.8})) {
            Mat<6> M = Mat<6>::Zero();
            for (const Vec<2>& y : nodes) M += weight.value(x - y, 0.45) * basis(y) * basis(y).transpose();
            const Vec<6> g = M.ldlt().solve(basis(x));
            const ShapeFunctions<2> shape = at(x, nodes, 0.45, {.order = 2, .weight = choice});
            for (std::size_t a = 0; a < shape.ids.size(); ++a) {
                const Vec<2>& y = nodes[shape.ids[a]];
                EXPECT_NEAR(shape.values[a], weight.value(x - y, 0.45) * basis(y).dot(g), 1e-9);
            }
        }
    }
}

TEST(MlsQuadratic, finds_the_derivatives_of_a_known_polynomial)
{
    const auto nodes = random_cloud<2>({.count = 200, .seed = 1});
    const auto f = sampled<2>(nodes, [](const Vec<2>& y) { return y[0] * y[0] + 3 * y[0] * y[1]; });
    const ShapeFunctions<2> shape = at<2>({0.5, 0.4}, nodes, 0.35, {.order = 2});
    EXPECT_NEAR(shape.value(f), 0.85, 1e-12);
    EXPECT_NEAR(shape.gradient(f)[0], 2.2, 1e-10);
    EXPECT_NEAR(shape.gradient(f)[1], 1.5, 1e-10);
    EXPECT_NEAR(shape.hessian(f)(0, 0), 2.0, 1e-8);
    EXPECT_NEAR(shape.hessian(f)(0, 1), 3.0, 1e-8);
    EXPECT_NEAR(shape.hessian(f)(1, 1), 0.0, 1e-8);
}

TYPED_TEST(Mls, is_not_interpolating)
{
    constexpr int Dim = TestFixture::dim;
    const Index i = 7;
    const ShapeFunctions<Dim> shape = at(this->nodes_[i], this->nodes_, this->support_radius, {});
    const auto own = std::find(shape.ids.begin(), shape.ids.end(), i) - shape.ids.begin();
    EXPECT_GT(shape.values[own], 0.0);
    EXPECT_LT(shape.values[own], 0.9);
}

TYPED_TEST(Mls, takes_exactly_the_nodes_whose_own_support_contains_the_point)
{
    constexpr int Dim = TestFixture::dim;
    Rng rng(11);
    std::vector<double> radii;
    for (std::size_t i = 0; i < this->nodes_.size(); ++i)
        radii.push_back(this->support_radius * rng.uniform(0.8, 1.6));
    for (const Vec<Dim>& x : this->points_) {
        const ShapeFunctions<Dim> shape = at(x, this->nodes_, radii, {.order = 2});
        std::vector<Index> expected;
        double smallest = 1e9;
        double largest = 0.0;
        for (Index i = 0; i < radii.size(); ++i)
            if ((this->nodes_[i] - x).norm() < radii[i]) {
                expected.push_back(i);
                smallest = std::min(smallest, radii[i]);
                largest = std::max(largest, radii[i]);
            }
        EXPECT_EQ(shape.ids, expected);
        EXPECT_DOUBLE_EQ(shape.quality.radius_ratio, largest / smallest);
        if (shape.quality.condition > 1e8) continue;
        for (const Monomial<Dim>& m : monomials_up_to<Dim>(2)) {
            const auto f = sampled<Dim>(this->nodes_, [&](const Vec<Dim>& y) { return m.value(y); });
            EXPECT_NEAR(shape.value(f), m.value(x), 1e-10);
            EXPECT_LT((shape.gradient(f) - m.gradient(x)).norm(), 1e-10);
            EXPECT_LT((shape.hessian(f) - m.hessian(x)).norm(), 1e-8);
        }
    }
}

TEST(MlsCondition, is_that_of_the_moment_matrix_scaled_by_the_mean_radius)
{
    // Symmetric nodes make M a multiple of diag(1, a) with a = (0.3 / scale)².
    const auto expected = [](double scale) {
        const double a = std::pow(0.3 / scale, 2);
        return std::hypot(1.0, a) * std::hypot(1.0, 1 / a);
    };
    const std::vector<Vec<1>> pair = {Vec<1>(-0.3), Vec<1>(0.3)};
    const std::vector<Vec<1>> two_pairs = {Vec<1>(-0.3), Vec<1>(0.3), Vec<1>(-0.3), Vec<1>(0.3)};
    const std::vector<double> radii = {1.0, 1.0, 2.0, 2.0};
    const Vec<1> x(0.0);
    EXPECT_NEAR(at(x, pair, 1.0, {}).quality.condition, expected(1.0), 1e-12);
    EXPECT_NEAR(at(x, two_pairs, radii, {}).quality.condition, expected(1.5), 1e-12);
}

TYPED_TEST(Mls, shares_the_shape_function_among_nodes_in_the_same_place)
{
    constexpr int Dim = TestFixture::dim;
    std::vector<Vec<Dim>> twice = this->nodes_;
    twice.insert(twice.end(), this->nodes_.begin(), this->nodes_.end());
    for (int order : {0, 1, 2})
        for (const Vec<Dim>& x : this->points_) {
            const ShapeFunctions<Dim> once = at(x, this->nodes_, this->support_radius, {.order = order});
            const ShapeFunctions<Dim> shape = at(x, twice, this->support_radius, {.order = order});
            const std::size_t count = once.ids.size();
            ASSERT_EQ(shape.ids.size(), 2 * count);
            for (std::size_t a = 0; a < count; ++a) {
                EXPECT_NEAR(shape.values[a], once.values[a] / 2, 1e-10);
                EXPECT_NEAR(shape.values[a], shape.values[a + count], 1e-13);
            }
        }
}

TYPED_TEST(Mls, does_not_depend_on_the_unit_of_length)
{
    constexpr int Dim = TestFixture::dim;
    for (double unit : {0x1p-300, 0x1p300})
        for (const Vec<Dim>& x : this->points_) {
            std::vector<Vec<Dim>> scaled;
            for (const Vec<Dim>& y : this->nodes_) scaled.push_back(unit * y);
            const ShapeFunctions<Dim> shape = at(x, this->nodes_, this->support_radius, {.order = 2});
            const ShapeFunctions<Dim> other =
                at<Dim>(unit * x, scaled, unit * this->support_radius, {.order = 2});
            ASSERT_EQ(shape.ids, other.ids);
            EXPECT_EQ(shape.values, other.values);
            for (std::size_t a = 0; a < shape.ids.size(); ++a) {
                EXPECT_EQ(shape.gradients[a], Vec<Dim>(unit * other.gradients[a]));
                EXPECT_EQ(shape.second_derivatives[a],
                          PairVec<Dim>(unit * (unit * other.second_derivatives[a])));
            }
        }
}

TYPED_TEST(Mls, computes_the_same_values_whatever_derivatives_are_asked_for)
{
    constexpr int Dim = TestFixture::dim;
    for (const Vec<Dim>& x : this->points_) {
        const ShapeFunctions<Dim> two = at(x, this->nodes_, this->support_radius, {}, 2);
        const ShapeFunctions<Dim> one = at(x, this->nodes_, this->support_radius, {}, 1);
        const ShapeFunctions<Dim> none = at(x, this->nodes_, this->support_radius, {}, 0);
        EXPECT_EQ(one.values, two.values);
        EXPECT_EQ(none.values, two.values);
        EXPECT_EQ(one.gradients, two.gradients);
        EXPECT_TRUE(none.gradients.empty() && none.second_derivatives.empty() &&
                    one.second_derivatives.empty());
    }
}

TYPED_TEST(Mls, builders_allocate_nothing_when_they_are_used_again)
{
    constexpr int Dim = TestFixture::dim;
    std::vector<Index> all(this->nodes_.size());
    std::iota(all.begin(), all.end(), Index(0));
    ShapeFunctionBuilder<Dim> builder({.order = 1}, 2);
    ShapeFunctions<Dim> shape;
    builder.build(Vec<Dim>::Constant(0.5), this->nodes_, 10.0, all, shape);
    const void* places[] = {shape.ids.data(), shape.values.data(), shape.gradients.data(),
                            shape.second_derivatives.data()};
    for (const Vec<Dim>& x : this->points_) {
        builder.build(x, this->nodes_, this->support_radius, all, shape);
        const ShapeFunctions<Dim> fresh = at(x, this->nodes_, this->support_radius, {.order = 1});
        EXPECT_EQ(shape.ids, fresh.ids);
        EXPECT_EQ(shape.values, fresh.values);
        EXPECT_EQ(shape.gradients, fresh.gradients);
        const void* now[] = {shape.ids.data(), shape.values.data(), shape.gradients.data(),
                             shape.second_derivatives.data()};
        EXPECT_EQ(std::memcmp(places, now, sizeof(places)), 0);
    }
}

/// Largest errors of a field, its gradient and its second derivatives.
struct Errors {
    double value = 0.0;
    double gradient = 0.0;
    double hessian = 0.0;
};

/// Errors in the middle of a jittered grid of ten nodes along each axis, shrunk to the given spacing.
/// Shrinking one cloud instead of filling the unit cube with more and more nodes keeps the geometry the same,
/// so that a few of them show the order.
template <int Dim>
Errors errors_at(double spacing, int order)
{
    const auto shrunk = [&](std::vector<Vec<Dim>> cloud) {
        for (Vec<Dim>& x : cloud) x = Vec<Dim>::Constant(0.3) + spacing * x;
        return cloud;
    };
    const auto nodes =
        shrunk(jittered_grid<Dim>({.spacing = 1.0, .jitter = 0.25, .seed = 8, .low = -5, .high = 5}));
    const auto f = sampled<Dim>(nodes, [](const Vec<Dim>& x) { return std::sin(2 * x.sum()); });
    const MlsApproximation<Dim> mls(nodes, 2.5 * spacing, {.order = order});
    Errors worst;
    for (const Vec<Dim>& x : shrunk(random_cloud<Dim>({.count = 60, .seed = 10, .low = -2, .high = 2}))) {
        const ShapeFunctions<Dim> shape = mls.shape_functions(x, 2);
        EXPECT_TRUE(shape.quality.smooth);
        const double s = 2 * x.sum();
        const Vec<Dim> gradient_error = shape.gradient(f) - Vec<Dim>::Constant(2 * std::cos(s));
        const Mat<Dim> hessian_error = shape.hessian(f) - Mat<Dim>::Constant(-4 * std::sin(s));
        worst.value = std::max(worst.value, std::abs(shape.value(f) - std::sin(s)));
        worst.gradient = std::max(worst.gradient, gradient_error.norm());
        worst.hessian = std::max(worst.hessian, hessian_error.norm());
    }
    return worst;
}

TYPED_TEST(Mls, converges_with_one_order_more_than_its_basis_and_loses_one_with_each_derivative)
{
    constexpr int Dim = TestFixture::dim;
    for (int order : {0, 1, 2}) {
        SCOPED_TRACE(order);
        const auto rate = [&](double Errors::*which) {
            return observed_order([&](double spacing) { return errors_at<Dim>(spacing, order).*which; },
                                  {.coarsest = 0.05, .halvings = 3});
        };
        EXPECT_GT(rate(&Errors::value), order + 0.8);
        EXPECT_GT(rate(&Errors::gradient), order - 0.2);
        // A linear basis does not give second derivatives, however fine the nodes.
        if (order == 1) {
            EXPECT_LT(rate(&Errors::hessian), 0.2);
        } else if (order == 2) {
            EXPECT_GT(rate(&Errors::hessian), 0.8);
        }
    }
}

TEST(MlsErrors, name_what_is_wrong)
{
    constexpr double infinity = std::numeric_limits<double>::infinity();
    auto nodes = random_cloud<2>({.count = 5, .seed = 2});
    const Vec<2> x(0.5, 0.5);
    EXPECT_EQ(error_of([&] { at(x, nodes, -1.0, {}); }), "support radius is -1, must be positive and finite");
    EXPECT_EQ(error_of([&] { at(x, nodes, infinity, {}); }),
              "support radius is inf, must be positive and finite");
    EXPECT_EQ(error_of([&] { at(x, nodes, 1e-200, {}); }),
              "support radius is 1e-200, too small to compute with");
    EXPECT_EQ(error_of([&] {
                  at(x, nodes, std::vector{1.0, 1.0, 1.0, nan, 1.0}, {});
              }),
              "support radius of node 3 is nan, must be positive and finite");
    EXPECT_EQ(error_of([&] {
                  at(x, nodes, std::vector{1.0, 1.0}, {});
              }),
              "there are 2 support radii for 5 nodes, must be one for each");
    EXPECT_EQ(error_of([&] { at<2>({nan, 0.0}, nodes, 1.0, {}); }), "evaluation point is not finite");
    EXPECT_EQ(error_of([&] { at<2>({nan, 0.0}, {}, 1.0, {}); }), "evaluation point is not finite");
    EXPECT_EQ(error_of([&] { at(x, nodes, 1.0, {.order = 3}); }), "MLS order is 3, must be 0, 1 or 2");
    EXPECT_EQ(error_of([&] { at(x, nodes, 1.0, {.tolerance = 0.0}); }),
              "MLS tolerance is 0, must be between 0 and 1");
    EXPECT_EQ(error_of([&] { at(x, nodes, 1.0, {}, 3); }),
              "number of MLS derivatives is 3, must be 0, 1 or 2");
    for (double bad : {nan, infinity}) {
        auto broken = nodes;
        broken[4][1] = bad;
        EXPECT_EQ(error_of([&] { at(x, broken, 1.0, {}); }), "position of node 4 is not finite");
    }
}

} // namespace
} // namespace phyxel::mls_test
