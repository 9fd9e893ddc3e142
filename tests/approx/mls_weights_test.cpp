// SPDX-License-Identifier: MIT
#include <phyxel/approx/mls_weights.h>
#include <phyxel/core/error.h>
#include <phyxel/core/rng.h>

#include "support/clouds.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>

namespace phyxel::mls_weights_test {
namespace {

template <class Dimension>
class MlsWeights : public testing::Test {
protected:
    static constexpr int dim = Dimension::value;

    /// Calls `claim(weight, support_radius)` for every weight and a few radii.
    template <class Claim>
    static void for_every_weight(Claim&& claim)
    {
        for (MlsWeight choice : all_mls_weights)
            for (double h : {0.1, 1.0, 3.0}) {
                SCOPED_TRACE(std::string(name_of(choice)) + " with support radius " + std::to_string(h));
                claim(make_mls_weight<dim>(choice), h);
            }
    }

    /// Offsets inside the support, away from its rim and from where profiles change their formula.
    static std::vector<Vec<dim>> smooth_offsets(double h)
    {
        std::vector<Vec<dim>> offsets;
        Rng rng(17);
        while (offsets.size() < 50) {
            const Vec<dim> x = rng.template point<dim>(-h, h);
            bool is_smooth = std::abs(x.norm() / h - 0.5) > 0.01 && x.norm() < 0.99 * h;
            for (int k = 0; k < dim; ++k)
                is_smooth =
                    is_smooth && std::abs(std::abs(x[k]) / h - 0.5) > 0.01 && std::abs(x[k]) > 0.01 * h;
            if (is_smooth) offsets.push_back(x);
        }
        return offsets;
    }
};

using Dimensions = testing::Types<std::integral_constant<int, 1>, std::integral_constant<int, 2>,
                                  std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(MlsWeights, Dimensions);

TYPED_TEST(MlsWeights, are_one_and_flat_at_the_node)
{
    constexpr int Dim = TestFixture::dim;
    this->for_every_weight([](const auto& weight, double h) {
        const Vec<Dim> node = Vec<Dim>::Zero();
        EXPECT_DOUBLE_EQ(weight.value(node, h), 1.0);
        EXPECT_EQ(weight.gradient(node, h), Vec<Dim>::Zero());
    });
}

TYPED_TEST(MlsWeights, have_an_isotropic_hessian_at_the_node_that_their_neighbourhood_tends_to)
{
    constexpr int Dim = TestFixture::dim;
    this->for_every_weight([](const auto& weight, double h) {
        const Mat<Dim> at_node = weight.hessian(Vec<Dim>::Zero(), h);
        EXPECT_LT(at_node(0, 0), 0.0);
        EXPECT_EQ(at_node, Mat<Dim>(at_node(0, 0) * Mat<Dim>::Identity()));
        // Third derivatives are of the order of 100 / h³.
        for (double distance : {1e-200, 1e-160, 1e-20, 1e-8}) {
            const Vec<Dim> close = Vec<Dim>::Constant(distance * h);
            EXPECT_LT((weight.hessian(close, h) - at_node).norm(), 1e-5 / (h * h)) << distance;
            const Vec<Dim> linear = at_node * close;
            EXPECT_LE((weight.gradient(close, h) - linear).cwiseAbs().maxCoeff(),
                      1e-6 * linear.cwiseAbs().maxCoeff())
                << distance;
        }
    });
}

TEST(MlsWeightHessian, at_the_node_is_the_second_derivative_of_the_profile)
{
    const double h = 0.5;
    const Vec<2> node = Vec<2>::Zero();
    const auto at_node = [&](MlsWeight choice) {
        return make_mls_weight<2>(choice).hessian(node, h)(0, 0) * h * h;
    };
    EXPECT_DOUBLE_EQ(at_node(MlsWeight::Quartic), -12.0);
    EXPECT_DOUBLE_EQ(at_node(MlsWeight::Poly6), -6.0);
    EXPECT_DOUBLE_EQ(at_node(MlsWeight::CubicSpline), -12.0);
    EXPECT_DOUBLE_EQ(at_node(MlsWeight::WendlandC2), -20.0);
    EXPECT_DOUBLE_EQ(at_node(MlsWeight::TruncatedGaussian), -2.0 / 0.16 / (1.0 - std::exp(-1.0 / 0.16)));
    EXPECT_DOUBLE_EQ(at_node(MlsWeight::QuarticProduct), -12.0);
    EXPECT_DOUBLE_EQ(at_node(MlsWeight::CompositeQuadraticProduct), -4.0);
}

TYPED_TEST(MlsWeights, vanish_exactly_at_the_rim_and_beyond)
{
    constexpr int Dim = TestFixture::dim;
    this->for_every_weight([](const auto& weight, double h) {
        for (double distance : {1.0, 1.0 + 1e-15, 1.5, 1e6, 1e200}) {
            const Vec<Dim> outside = Vec<Dim>::Unit(Dim - 1) * (-distance * h);
            EXPECT_EQ(weight.value(outside, h), 0.0);
            EXPECT_EQ(weight.gradient(outside, h), Vec<Dim>::Zero());
            EXPECT_EQ(weight.hessian(outside, h), Mat<Dim>::Zero());
        }
        EXPECT_GE(weight.value(Vec<Dim>::Unit(0) * std::nextafter(h, 0.0), h), -1e-15);
    });
}

TYPED_TEST(MlsWeights, are_positive_inside_and_even)
{
    constexpr int Dim = TestFixture::dim;
    this->for_every_weight([this](const auto& weight, double h) {
        for (const Vec<Dim>& x : this->smooth_offsets(h)) {
            EXPECT_GT(weight.value(x, h), 0.0);
            EXPECT_LT(weight.value(x, h), 1.0);
            EXPECT_EQ(weight.value(x, h), weight.value(-x, h));
            EXPECT_EQ(weight.gradient(x, h), -weight.gradient(-x, h));
            EXPECT_EQ(weight.hessian(x, h), weight.hessian(-x, h));
        }
    });
}

TYPED_TEST(MlsWeights, have_the_gradient_of_their_values)
{
    constexpr int Dim = TestFixture::dim;
    this->for_every_weight([this](const auto& weight, double h) {
        const double step = 1e-6 * h;
        for (const Vec<Dim>& x : this->smooth_offsets(h)) {
            const Vec<Dim> gradient = weight.gradient(x, h);
            for (int k = 0; k < Dim; ++k) {
                const Vec<Dim> dx = step * Vec<Dim>::Unit(k);
                const double difference = (weight.value(x + dx, h) - weight.value(x - dx, h)) / (2 * step);
                EXPECT_NEAR(gradient[k], difference, 1e-8 / h);
            }
        }
    });
}

TYPED_TEST(MlsWeights, have_the_hessian_of_their_values)
{
    constexpr int Dim = TestFixture::dim;
    this->for_every_weight([this](const auto& weight, double h) {
        const double step = 1e-6 * h;
        for (const Vec<Dim>& x : this->smooth_offsets(h)) {
            const Mat<Dim> hessian = weight.hessian(x, h);
            for (int k = 0; k < Dim; ++k) {
                const Vec<Dim> dx = step * Vec<Dim>::Unit(k);
                const Vec<Dim> difference =
                    (weight.gradient(x + dx, h) - weight.gradient(x - dx, h)) / (2 * step);
                EXPECT_LT((hessian.col(k) - difference).norm(), 1e-7 / (h * h));
            }
        }
    });
}

TYPED_TEST(MlsWeights, reach_exactly_as_far_as_they_say)
{
    constexpr int Dim = TestFixture::dim;
    this->for_every_weight([](const auto& weight, double h) {
        const Vec<Dim> diagonal = Vec<Dim>::Ones() / std::sqrt(double(Dim));
        EXPECT_GT(weight.value((0.99 * h * weight.reach()) * diagonal, h), 0.0);
        EXPECT_EQ(weight.value((1.000001 * h * weight.reach()) * diagonal, h), 0.0);
    });
}

TEST(ProductWeights, have_a_cube_as_support_and_radial_ones_a_ball)
{
    const Vec<3> corner = Vec<3>::Constant(0.9);
    for (MlsWeight choice : all_mls_weights) {
        const bool is_product = std::string(name_of(choice)).ends_with("product");
        EXPECT_EQ(make_mls_weight<3>(choice).value(corner, 1.0) > 0, is_product) << name_of(choice);
    }
}

TEST(ProductWeights, are_products_over_the_axes)
{
    const Vec<3> x(0.3, -0.1, 0.7);
    for (MlsWeight choice : {MlsWeight::QuarticProduct, MlsWeight::CompositeQuadraticProduct}) {
        const AnyMlsWeight<1> factor = make_mls_weight<1>(choice);
        double product = 1.0;
        for (int k = 0; k < 3; ++k) product *= factor.value(Vec<1>(x[k]), 0.8);
        EXPECT_NEAR(make_mls_weight<3>(choice).value(x, 0.8), product, 1e-16);
    }
}

TEST(CompositeQuadraticWeight, has_the_values_of_Guo_and_Qin)
{
    const AnyMlsWeight<1> c = make_mls_weight<1>(MlsWeight::CompositeQuadraticProduct);
    EXPECT_DOUBLE_EQ(c.value(Vec<1>(0.5), 1.0), 0.5);
    EXPECT_DOUBLE_EQ(c.value(Vec<1>(-0.5), 1.0), 0.5);
    EXPECT_NEAR(c.value(Vec<1>(0.3), 1.0), 0.82, 1e-15);
    EXPECT_EQ(c.value(Vec<1>(-0.3), 1.0), c.value(Vec<1>(0.3), 1.0));
    for (double side : {-1e-12, 0.0, 1e-12}) {
        EXPECT_NEAR(c.gradient(Vec<1>(0.5 + side), 1.0)[0], -2.0, 1e-11);
        EXPECT_NEAR(c.gradient(Vec<1>(-0.5 + side), 1.0)[0], 2.0, 1e-11);
    }
    EXPECT_EQ(c.hessian(Vec<1>(0.49), 1.0)(0, 0), -4.0);
    EXPECT_EQ(c.hessian(Vec<1>(0.51), 1.0)(0, 0), 4.0);
    const auto value = [&](double s) { return c.value(Vec<1>(s), 1.0); };
    EXPECT_NEAR(integrate(value, -1, -0.5) + integrate(value, -0.5, 0.5) + integrate(value, 0.5, 1), 1.0,
                1e-14);
}

TEST(MlsWeightNames, stand_for_one_weight_each)
{
    std::set<std::string_view> names;
    for (MlsWeight choice : all_mls_weights) {
        EXPECT_EQ(mls_weight_named(name_of(choice)), choice);
        names.insert(name_of(choice));
    }
    EXPECT_EQ(names.size(), all_mls_weights.size());
}

TEST(MlsWeightNames, that_are_unknown_are_refused_with_those_allowed)
{
    try {
        static_cast<void>(mls_weight_named("quintic"));
        FAIL() << "accepted";
    } catch (const InputError& error) {
        const std::string message = error.what();
        EXPECT_NE(message.find("\"quintic\""), std::string::npos);
        for (MlsWeight choice : all_mls_weights)
            EXPECT_NE(message.find(name_of(choice)), std::string::npos) << message;
    }
}

} // namespace
} // namespace phyxel::mls_weights_test
