// SPDX-License-Identifier: MIT
#include <phyxel/approx/kernels.h>
#include <phyxel/core/error.h>
#include <phyxel/core/rng.h>

#include "support/clouds.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <set>
#include <string>
#include <string_view>

namespace phyxel::kernels_test {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double infinity = std::numeric_limits<double>::infinity();

static_assert(Kernel<Poly6<2>, 2> && Kernel<WendlandC2<3, float>, 3>);
static_assert(!Kernel<Poly6<2>, 3> && !Kernel<AnyKernel<2>, 2> && !Kernel<ViscosityLaplacian<3>, 3>);
static_assert(LaplacianKernel<Spiky<1>> && LaplacianKernel<ViscosityLaplacian<3, float>>);

template <class K>
struct Traits;

template <class P, int D, class Real>
struct Traits<RadialKernel<P, D, Real>> {
    static constexpr int dim = D;
    using Single = RadialKernel<P, D, float>;
};

/// ∫ g(|x|) dx over the ball of radius h; g may have a knot at h / 2.
template <int Dim, class Function>
double integral_over_ball(double h, Function&& g)
{
    const auto on_sphere = [&](double r) {
        if constexpr (Dim == 1) return 2 * g(r);
        if constexpr (Dim == 2) return 2 * pi * r * g(r);
        if constexpr (Dim == 3) return 4 * pi * r * r * g(r);
    };
    return integrate(on_sphere, 0, h / 2) + integrate(on_sphere, h / 2, h);
}

template <class K>
class RadialKernels : public testing::Test {
protected:
    static constexpr int dim = Traits<K>::dim;
    const K unit_{1.0};
};

using AllKernels =
    testing::Types<Poly6<1>, Poly6<2>, Poly6<3>, Spiky<1>, Spiky<2>, Spiky<3>, CubicSpline<1>, CubicSpline<2>,
                   CubicSpline<3>, WendlandC2<1>, WendlandC2<2>, WendlandC2<3>>;
TYPED_TEST_SUITE(RadialKernels, AllKernels);

TYPED_TEST(RadialKernels, integrate_to_one)
{
    constexpr int Dim = TestFixture::dim;
    for (double h : {0.1, 1.0, 3.0}) {
        const TypeParam kernel(h);
        EXPECT_NEAR(integral_over_ball<Dim>(h, [&](double r) { return kernel.value(r); }), 1, 1e-12);
    }
}

TYPED_TEST(RadialKernels, laplacian_of_a_parabola_is_its_curvature)
{
    // ∫ |x|² / (2 Dim) Δω dx = 1. With ω″ alone, as printed in [AW09], it would be (Dim + 1) / 2.
    constexpr int Dim = TestFixture::dim;
    for (double h : {0.1, 1.0, 3.0}) {
        const TypeParam kernel(h);
        const auto moment = [&](auto&& laplacian) {
            return integral_over_ball<Dim>(h, [&](double r) { return r * r / (2 * Dim) * laplacian(r); });
        };
        EXPECT_NEAR(moment([&](double r) { return kernel.laplacian(r); }), 1, 1e-12);
        EXPECT_NEAR(moment([&](double r) { return kernel.second_derivative(r); }), (Dim + 1) / 2.0, 1e-12);
    }
}

TYPED_TEST(RadialKernels, laplacian_integrates_to_the_flux_out_of_the_centre)
{
    // By Gauss' theorem 0, but for the kink of spiky on a line, whose flux is that of a point source.
    constexpr int Dim = TestFixture::dim;
    const TypeParam& kernel = this->unit_;
    const double flux = Dim == 1 ? -2 * kernel.derivative(0) : 0;
    EXPECT_NEAR(integral_over_ball<Dim>(1, [&](double r) { return kernel.laplacian(r); }), flux, 1e-11);
}

TYPED_TEST(RadialKernels, derivatives_agree_with_finite_differences)
{
    const double h = 0.7;
    const TypeParam kernel(h);
    const double step = 1e-6 * h;
    const auto difference = [&](auto&& f, double r) { return (f(r + step) - f(r - step)) / (2 * step); };
    for (double q = 0.05; q < 0.96; q += 0.03) {
        if (std::abs(q - 0.5) < 1e-3) continue;
        const double r = q * h;
        EXPECT_NEAR(kernel.derivative(r), difference([&](double s) { return kernel.value(s); }, r),
                    1e-9 * kernel.value(0) / h);
        EXPECT_NEAR(kernel.second_derivative(r),
                    difference([&](double s) { return kernel.derivative(s); }, r),
                    1e-8 * kernel.value(0) / (h * h));
    }
}

TYPED_TEST(RadialKernels, gradient_and_laplacian_are_those_of_the_field_in_space)
{
    constexpr int Dim = TestFixture::dim;
    const double h = 0.7;
    const TypeParam kernel(h);
    const double step = 1e-6 * h;
    Rng rng(3);
    for (int sample = 0; sample < 50; ++sample) {
        Vec<Dim> x = rng.point<Dim>(-0.5, 0.5);
        if (x.norm() < 0.05 * h || std::abs(x.norm() - h / 2) < 1e-3 * h || x.norm() > 0.95 * h) continue;
        double divergence = 0;
        Vec<Dim> gradient;
        for (int k = 0; k < Dim; ++k) {
            const Vec<Dim> shift = step * Vec<Dim>::Unit(k);
            gradient[k] = (kernel.value((x + shift).norm()) - kernel.value((x - shift).norm())) / (2 * step);
            divergence += (kernel.gradient(x + shift) - kernel.gradient(x - shift))[k] / (2 * step);
        }
        EXPECT_LT((kernel.gradient(x) - gradient).norm(), 1e-8 * kernel.value(0) / h);
        EXPECT_NEAR(kernel.laplacian(x.norm()), divergence, 1e-7 * kernel.value(0) / (h * h));
    }
}

TYPED_TEST(RadialKernels, vanish_exactly_from_the_support_radius_on)
{
    constexpr int Dim = TestFixture::dim;
    for (double h : {0.1, 0.3, 1.0 / 3.0, 0.7, 1.0, 3.0, 49.0}) {
        const TypeParam kernel(h);
        EXPECT_EQ(kernel.support_radius(), h);
        for (double r : {h, std::nextafter(h, 2 * h), 1.5 * h, 1e6 * h}) {
            EXPECT_EQ(kernel.value(r), 0);
            EXPECT_EQ(kernel.derivative(r), 0);
            EXPECT_EQ(kernel.second_derivative(r), 0);
            EXPECT_EQ(kernel.laplacian(r), 0);
            EXPECT_EQ(kernel.gradient(r * Vec<Dim>::Unit(Dim - 1)), Vec<Dim>(Vec<Dim>::Zero()));
        }
    }
}

TYPED_TEST(RadialKernels, are_positive_and_fall_monotonically_inside)
{
    for (double h : {0.1, 0.3, 1.0, 49.0}) {
        const TypeParam kernel(h);
        for (double q = 0.001; q < 0.9995; q += 0.001) {
            EXPECT_GT(kernel.value(q * h), 0);
            EXPECT_LT(kernel.derivative(q * h), 0);
        }
        EXPECT_GE(kernel.value(std::nextafter(h, 0.0)), 0);
    }
}

TYPED_TEST(RadialKernels, gradient_is_zero_at_the_centre_and_exactly_antisymmetric)
{
    constexpr int Dim = TestFixture::dim;
    const TypeParam& kernel = this->unit_;
    EXPECT_EQ(kernel.gradient(Vec<Dim>::Zero()), Vec<Dim>(Vec<Dim>::Zero()));
    Rng rng(5);
    for (int sample = 0; sample < 100; ++sample) {
        const Vec<Dim> x = rng.point<Dim>(-0.6, 0.6);
        EXPECT_EQ(kernel.gradient(-x), Vec<Dim>(-kernel.gradient(x)));
    }
}

TYPED_TEST(RadialKernels, laplacian_tends_to_its_value_at_the_centre)
{
    constexpr int Dim = TestFixture::dim;
    const TypeParam& kernel = this->unit_;
    if (kernel.derivative(0) == 0 || Dim == 1) {
        const double centre = kernel.laplacian(0);
        EXPECT_NEAR(centre, Dim * kernel.second_derivative(0), 1e-15 * std::abs(centre));
        for (double r : {1e-15, 1e-30, 1e-200, 1e-310, std::numeric_limits<double>::denorm_min()})
            EXPECT_NEAR(kernel.laplacian(r), centre, 1e-13 * std::abs(centre)) << r;
    } else {
        EXPECT_EQ(kernel.laplacian(0), -infinity);
        EXPECT_LT(kernel.laplacian(1e-100), -1e99);
    }
}

TYPED_TEST(RadialKernels, in_single_precision_are_those_in_double_precision)
{
    constexpr int Dim = TestFixture::dim;
    const double h = 0.0375;
    const TypeParam kernel(h);
    const typename Traits<TypeParam>::Single single(static_cast<float>(h));
    Rng rng(9);
    for (int sample = 0; sample < 200; ++sample) {
        const Vec<Dim> x = rng.point<Dim>(-0.03, 0.03);
        const double r = x.norm();
        const double value_scale = kernel.value(0);
        EXPECT_NEAR(single.value(static_cast<float>(r)), kernel.value(r), 2e-6 * value_scale);
        EXPECT_NEAR(single.derivative(static_cast<float>(r)), kernel.derivative(r), 5e-6 * value_scale / h);
        EXPECT_NEAR(single.second_derivative(static_cast<float>(r)), kernel.second_derivative(r),
                    3e-5 * value_scale / (h * h));
        EXPECT_NEAR(single.laplacian(static_cast<float>(r)), kernel.laplacian(r),
                    3e-5 * value_scale / (h * h) * std::max(1.0, h / r));
        EXPECT_LT(
            (single.gradient(x.template cast<float>()).template cast<double>() - kernel.gradient(x)).norm(),
            5e-6 * value_scale / h);
    }
}

TYPED_TEST(RadialKernels, refuse_a_support_radius_they_cannot_work_with)
{
    using Single = typename Traits<TypeParam>::Single;
    for (double h : {0.0, -0.0, -1.0, infinity, -infinity, std::nan(""), 1e-200, 1e200})
        EXPECT_THROW(TypeParam{h}, InputError) << h;
    for (float h : {0.0f, -1.0f, std::numeric_limits<float>::infinity(), 1e-20f, 1e20f})
        EXPECT_THROW(Single{h}, InputError) << h;
    EXPECT_NO_THROW(TypeParam{1e-40});
    EXPECT_NO_THROW(Single{1e-6f});
}

/// ω(0), and ω, ω′, ω″, Δω at half the support radius, for h = 1; and ∫ ω x₁² dx.
struct ReferenceValues {
    double centre, value, derivative, second_derivative, laplacian, second_moment;
};

template <int Dim, class K>
void expect_reference_values(const K& kernel, const ReferenceValues& expected)
{
    EXPECT_NEAR(kernel.value(0), expected.centre, 1e-14);
    EXPECT_NEAR(kernel.value(0.5), expected.value, 1e-14);
    EXPECT_NEAR(kernel.derivative(0.5), expected.derivative, 1e-14);
    EXPECT_NEAR(kernel.second_derivative(0.5), expected.second_derivative, 1e-14);
    EXPECT_NEAR(kernel.laplacian(0.5), expected.laplacian, 1e-14);

    const double h = 0.3;
    const K scaled(h);
    const double moment = integral_over_ball<Dim>(h, [&](double r) { return r * r / Dim * scaled.value(r); });
    EXPECT_NEAR(moment / (h * h), expected.second_moment, 1e-13);
}

TEST(KernelValues, of_poly6_are_those_of_its_formula)
{
    expect_reference_values<1>(Poly6<1>(1),
                               {1.09375, 0.46142578125, -1.845703125, 1.23046875, 1.23046875, 1 / 9.0});
    expect_reference_values<2>(Poly6<2>(1), {1.2732395447351627, 0.53714793293514676, -2.1485917317405870,
                                             1.4323944878270580, -2.8647889756541160, 1 / 10.0});
    expect_reference_values<3>(Poly6<3>(1), {1.5666814710608447, 0.66094374560379386, -2.6437749824151755,
                                             1.7625166549434503, -8.8125832747172515, 1 / 11.0});
}

TEST(KernelValues, of_spiky_are_those_of_its_formula)
{
    expect_reference_values<1>(Spiky<1>(1), {2, 0.25, -1.5, 6, 6, 1 / 15.0});
    expect_reference_values<2>(Spiky<2>(1), {3.1830988618379067, 0.39788735772973834, -2.3873241463784300,
                                             9.5492965855137201, 4.7746482927568601, 1 / 14.0});
    expect_reference_values<3>(Spiky<3>(1), {4.7746482927568601, 0.59683103659460751, -3.5809862195676451,
                                             14.323944878270580, 0, 1 / 14.0});
}

TEST(KernelValues, of_the_cubic_spline_are_those_of_its_formula)
{
    expect_reference_values<1>(CubicSpline<1>(1), {4 / 3.0, 1 / 3.0, -2, 8, 8, 1 / 12.0});
    expect_reference_values<2>(CubicSpline<2>(1),
                               {1.8189136353359467, 0.45472840883398667, -2.7283704530039200,
                                10.913481812015680, 5.4567409060078401, 31 / 392.0});
    expect_reference_values<3>(CubicSpline<3>(1), {2.5464790894703254, 0.63661977236758134,
                                                   -3.8197186342054881, 15.278874536821952, 0, 3 / 40.0});
}

TEST(KernelValues, of_wendland_c2_are_those_of_its_formula)
{
    expect_reference_values<1>(WendlandC2<1>(1), {1.25, 0.390625, -1.875, 3.75, 3.75, 2 / 21.0});
    expect_reference_values<2>(WendlandC2<2>(1),
                               {2.2281692032865347, 0.41778172561622526, -2.7852115041081684,
                                11.140846016432673, 5.5704230082163367, 5 / 72.0});
    expect_reference_values<3>(WendlandC2<3>(1), {3.3422538049298020, 0.62667258842433788,
                                                  -4.1778172561622526, 16.711269024649010, 0, 1 / 15.0});
}

TEST(KernelValues, laplacians_have_their_closed_forms)
{
    const double h = 0.8;
    const Poly6<1> poly6_1(h);
    const Poly6<2> poly6_2(h);
    const Poly6<3> poly6_3(h);
    const Spiky<2> spiky_2(h);
    const Spiky<3> spiky_3(h);
    for (double q : {1e-12, 1e-6, 1e-3, 0.1, 0.3, 0.6, 0.8, 0.99}) {
        const double r = q * h;
        const double u = 1 - q * q;
        const auto expect_equal = [q](double laplacian, double closed_form, double scale) {
            EXPECT_NEAR(laplacian, closed_form, 1e-14 * scale) << q;
        };
        expect_equal(poly6_1.laplacian(r), 105 / (16 * std::pow(h, 3)) * u * (5 * q * q - 1),
                     20 / std::pow(h, 3));
        expect_equal(poly6_2.laplacian(r), 48 / (pi * std::pow(h, 4)) * u * (3 * q * q - 1),
                     40 / std::pow(h, 4));
        expect_equal(poly6_3.laplacian(r), 945 / (32 * pi * std::pow(h, 5)) * u * (7 * q * q - 3),
                     80 / std::pow(h, 5));
        expect_equal(spiky_2.laplacian(r), 30 / (pi * std::pow(h, 4)) * (1 - q) * (3 * q - 1) / q,
                     40 / (q * std::pow(h, 4)));
        expect_equal(spiky_3.laplacian(r), 90 / (pi * std::pow(h, 5)) * (1 - q) * (2 * q - 1) / q,
                     80 / (q * std::pow(h, 5)));
    }
}

TEST(KernelValues, second_derivative_of_poly6_alone_is_no_laplacian)
{
    // ∫ ω″ dx is 8 / h² and 18 / h² where the Laplacian has 0.
    const Poly6<2> two(0.5);
    const Poly6<3> three(0.5);
    EXPECT_NEAR(integral_over_ball<2>(0.5, [&](double r) { return two.second_derivative(r); }), 8 / 0.25,
                1e-11);
    EXPECT_NEAR(integral_over_ball<3>(0.5, [&](double r) { return three.second_derivative(r); }), 18 / 0.25,
                1e-11);
}

TEST(KernelValues, kernel_of_desbrun_and_cani_is_spiky_with_twice_the_support)
{
    const double h = 0.65;
    const Spiky<1> one(2 * h);
    const Spiky<2> two(2 * h);
    const Spiky<3> three(2 * h);
    for (double r = 0; r < 2 * h; r += 0.01) {
        const double cube = std::pow(2 - r / h, 3);
        EXPECT_NEAR(one.value(r), cube / (8 * h), 1e-15 * one.value(0));
        EXPECT_NEAR(two.value(r), 5 * cube / (16 * pi * h * h), 1e-15 * two.value(0));
        EXPECT_NEAR(three.value(r), 15 * cube / (pi * std::pow(4 * h, 3)), 1e-15 * three.value(0));
    }
}

template <class Dimension>
class ViscosityLaplacians : public testing::Test {
};

using Dimensions = testing::Types<std::integral_constant<int, 1>, std::integral_constant<int, 2>,
                                  std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(ViscosityLaplacians, Dimensions);

TYPED_TEST(ViscosityLaplacians, of_a_parabola_is_its_curvature)
{
    constexpr int Dim = TypeParam::value;
    for (double h : {0.1, 1.0, 3.0}) {
        const ViscosityLaplacian<Dim> kernel(h);
        const auto integrand = [&](double r) { return r * r / (2 * Dim) * kernel.laplacian(r); };
        EXPECT_NEAR(integral_over_ball<Dim>(h, integrand), 1, 1e-12);
    }
}

TYPED_TEST(ViscosityLaplacians, is_positive_inside_and_exactly_zero_outside)
{
    constexpr int Dim = TypeParam::value;
    for (double h : {0.1, 0.3, 1.0, 49.0}) {
        const ViscosityLaplacian<Dim> kernel(h);
        EXPECT_EQ(kernel.support_radius(), h);
        for (double q = 0; q < 0.9995; q += 0.001) EXPECT_GT(kernel.laplacian(q * h), 0);
        EXPECT_GE(kernel.laplacian(std::nextafter(h, 0.0)), 0);
        EXPECT_EQ(kernel.laplacian(h), 0);
        EXPECT_EQ(kernel.laplacian(2 * h), 0);
    }
}

TYPED_TEST(ViscosityLaplacians, refuses_a_support_radius_it_cannot_work_with)
{
    constexpr int Dim = TypeParam::value;
    for (double h : {0.0, -1.0, infinity, std::nan(""), 1e-200})
        EXPECT_THROW(ViscosityLaplacian<Dim>{h}, InputError) << h;
}

TEST(ViscosityLaplacian, in_space_is_half_the_second_derivative_of_spiky)
{
    const ViscosityLaplacian<3> viscosity(0.4);
    const Spiky<3> spiky(0.4);
    for (double r = 0; r < 0.4; r += 0.01)
        EXPECT_NEAR(2 * viscosity.laplacian(r), spiky.second_derivative(r),
                    1e-15 * spiky.second_derivative(0));
}

template <class Dimension>
class AnyKernels : public testing::Test {
};
TYPED_TEST_SUITE(AnyKernels, Dimensions);

TYPED_TEST(AnyKernels, are_the_kernels_that_were_asked_for)
{
    constexpr int Dim = TypeParam::value;
    EXPECT_TRUE(std::holds_alternative<Poly6<Dim>>(make_kernel<Dim>(KernelType::Poly6, 1).choice));
    EXPECT_TRUE(std::holds_alternative<Spiky<Dim>>(make_kernel<Dim>(KernelType::Spiky, 1).choice));
    EXPECT_TRUE(
        std::holds_alternative<CubicSpline<Dim>>(make_kernel<Dim>(KernelType::CubicSpline, 1).choice));
    EXPECT_TRUE(std::holds_alternative<WendlandC2<Dim>>(make_kernel<Dim>(KernelType::WendlandC2, 1).choice));
    for (KernelType type : all_kernel_types) {
        EXPECT_EQ((make_kernel<Dim>(type, 0.3).support_radius()), 0.3);
        EXPECT_EQ((make_kernel<Dim, float>(type, 0.3f).support_radius()), 0.3f);
        EXPECT_THROW(make_kernel<Dim>(type, 0), InputError);
    }
}

TEST(KernelType, has_a_word_of_its_own)
{
    std::set<std::string_view> words;
    for (KernelType type : all_kernel_types) words.insert(name_of(type));
    EXPECT_EQ(words, (std::set<std::string_view>{"poly6", "spiky", "cubic_spline", "wendland_c2"}));
}

TEST(KernelErrors, say_what_is_wrong_with_the_support_radius)
{
    const auto message = [](double h) -> std::string {
        try {
            Poly6<2> kernel(h);
        } catch (const InputError& error) {
            return error.what();
        }
        return {};
    };
    EXPECT_EQ(message(-2), "support radius of a kernel is -2, must be positive and finite");
    EXPECT_EQ(message(1e-300), "support radius of a kernel is 1e-300, too small to compute with");
    EXPECT_EQ(message(1e300), "support radius of a kernel is 1e+300, too large to compute with");
}

} // namespace
} // namespace phyxel::kernels_test
