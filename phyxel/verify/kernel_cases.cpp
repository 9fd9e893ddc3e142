// SPDX-License-Identifier: MIT
// V-K: kernels and weights by themselves.
#include <phyxel/verify/detail/case_families.h>

#include <phyxel/approx/kernels.h>
#include <phyxel/approx/mls_weights.h>
#include <phyxel/verify/detail/measurements.h>
#include <phyxel/verify/detail/worst.h>
#include <phyxel/verify/quadrature.h>

#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

namespace phyxel::detail {
namespace {

using std::numbers::pi;

constexpr std::array support_radii = {0.1, 1.0, 3.0};

/// A function of support radius h and distance r.
using RadialFunction = std::function<double(double h, double r)>;

/// A kernel as its users see it.
template <int Dim>
struct KernelFunctions {
    RadialFunction value;
    RadialFunction derivative;
    RadialFunction second_derivative;
    RadialFunction laplacian;
    std::function<Vec<Dim>(double h, const Vec<Dim>& x)> gradient;
};

template <int Dim, class K>
KernelFunctions<Dim> functions_of()
{
    return {[](double h, double r) { return K(h).value(r); },
            [](double h, double r) { return K(h).derivative(r); },
            [](double h, double r) { return K(h).second_derivative(r); },
            [](double h, double r) { return K(h).laplacian(r); },
            [](double h, const Vec<Dim>& x) { return K(h).gradient(x); }};
}

RadialFunction times(double factor, const RadialFunction& f)
{
    return [=](double h, double r) { return factor * f(h, r); };
}

std::string dimension(int dim) { return std::to_string(dim) + "d"; }

/// ∫ f(|x|) dx over the ball of radius h, exact for profiles that are polynomials in q = r / h on either side
/// of q = ½.
template <int Dim>
double integrate_ball(const std::function<double(double r)>& f, double h)
{
    constexpr std::array sphere = {2.0, 2 * pi, 4 * pi}; // of radius 1 in Dim dimensions
    const auto shell = [&](double r) { return sphere[Dim - 1] * std::pow(r, Dim - 1) * f(r); };
    const Quadrature rule = gauss_legendre(64);
    return integrate(shell, 0, h / 2, rule) + integrate(shell, h / 2, h, rule);
}

// V-K0: values in closed form

/// ω(0), and ω, ω′, ω″, Δω in the middle of the support, for h = 1.
struct TableRow {
    double at_centre, value, derivative, second_derivative, laplacian;
};

template <int Dim>
Case table_case(const std::string& kernel, const std::string& source, const TableRow& row,
                const KernelFunctions<Dim>& honest)
{
    KernelFunctions<Dim> sabotaged = honest;
    std::string sabotage = "Δω = ω″ [AW09, Eq. 11]";
    if constexpr (Dim == 1) {
        sabotage = "normalised for two dimensions";
        sabotaged.value = times(4 / pi, honest.value);
    } else {
        sabotaged.laplacian = honest.second_derivative;
    }
    const auto check = [row](const KernelFunctions<Dim>& k) {
        const double error = worst_of({k.value(1, 0) - row.at_centre, k.value(1, 0.5) - row.value,
                                       k.derivative(1, 0.5) - row.derivative,
                                       k.second_derivative(1, 0.5) - row.second_derivative,
                                       k.laplacian(1, 0.5) - row.laplacian});
        return error_measurement(error / row.at_centre, 1e-13, "largest error of five, relative to ω(0)");
    };
    return make_case({"V-K0/" + kernel + "/" + dimension(Dim),
                      "ω(0) and ω, ω′, ω″, Δω at r = h/2 are what the formulas give", source},
                     check, honest, sabotage, sabotaged);
}

void add_table_cases(std::vector<Case>& cases)
{
    const std::string poly6 = "[AW09, Eq. 86–91] by hand; Δω = ω″ + (d − 1) ω′/r";
    const std::string spiky = "[AW09, Eq. 92–97] by hand; Δω = ω″ + (d − 1) ω′/r";
    cases.push_back(table_case<1>("poly6", poly6,
                                  {35.0 / 32, 945.0 / 2048, -945.0 / 512, 315.0 / 256, 315.0 / 256},
                                  functions_of<1, Poly6<1>>()));
    cases.push_back(table_case<2>("poly6", poly6,
                                  {4 / pi, 27 / (16 * pi), -27 / (4 * pi), 9 / (2 * pi), -9 / pi},
                                  functions_of<2, Poly6<2>>()));
    cases.push_back(table_case<3>(
        "poly6", poly6,
        {315 / (64 * pi), 8505 / (4096 * pi), -8505 / (1024 * pi), 2835 / (512 * pi), -14175 / (512 * pi)},
        functions_of<3, Poly6<3>>()));
    cases.push_back(table_case<1>("spiky", spiky, {2, 0.25, -1.5, 6, 6}, functions_of<1, Spiky<1>>()));
    cases.push_back(table_case<2>("spiky", spiky, {10 / pi, 5 / (4 * pi), -15 / (2 * pi), 30 / pi, 15 / pi},
                                  functions_of<2, Spiky<2>>()));
    cases.push_back(table_case<3>("spiky", spiky, {15 / pi, 15 / (8 * pi), -45 / (4 * pi), 45 / pi, 0},
                                  functions_of<3, Spiky<3>>()));
}

// V-K1: unit integral

template <int Dim>
Case integral_case(const std::string& kernel, const RadialFunction& honest, const std::string& sabotage,
                   const RadialFunction& sabotaged)
{
    const auto check = [](const RadialFunction& value) {
        Worst integral(1.0);
        for (double h : support_radii)
            integral.add(integrate_ball<Dim>([&](double r) { return value(h, r); }, h));
        return Measurement{integral.value(), 1.0, 1e-12, Bound::Near, "1", "h = 0.1, 1, 3 m"};
    };
    return make_case({"V-K1/" + kernel + "/" + dimension(Dim), "∫ ω dx = 1", "[AW09, Eq. 8]"}, check, honest,
                     sabotage, sabotaged);
}

template <int Dim>
void add_integral_cases(std::vector<Case>& cases)
{
    constexpr int other = Dim == 3 ? 2 : Dim + 1;
    const std::string of_another = "normalised for " + std::to_string(other) + " dimensions";
    const auto factor = [](auto profile) {
        using P = decltype(profile);
        return P::template integral<Dim>() / P::template integral<other>();
    };
    const RadialFunction poly6 = functions_of<Dim, Poly6<Dim>>().value;
    cases.push_back(integral_case<Dim>("poly6", poly6, of_another, times(factor(Poly6Profile()), poly6)));
    const RadialFunction spiky = functions_of<Dim, Spiky<Dim>>().value;
    cases.push_back(integral_case<Dim>("spiky", spiky, of_another, times(factor(SpikyProfile()), spiky)));

    const RadialFunction spline = functions_of<Dim, CubicSpline<Dim>>().value;
    cases.push_back(integral_case<Dim>("cubic_spline", spline,
                                       "h taken for the smoothing length, which is half of the support",
                                       [=](double h, double r) { return spline(2 * h, r); }));

    const RadialFunction wendland = functions_of<Dim, WendlandC2<Dim>>().value;
    if constexpr (Dim == 1)
        cases.push_back(integral_case<Dim>(
            "wendland_c2", wendland, "the form for two and three dimensions, (1 − q)⁴(1 + 4q)",
            [](double h, double r) { return 5 / (4 * h) * WendlandC2Profile<3>::value(r / h); }));
    else
        cases.push_back(integral_case<Dim>(
            "wendland_c2", wendland, "the form for one dimension, (1 − q)³(1 + 3q)", [](double h, double r) {
                return WendlandC2<Dim>(h).value(0) * WendlandC2Profile<1>::value(r / h);
            }));
}

// V-K2: second moments

template <int Dim>
Case second_moment_case(const std::string& kernel, double reference, const RadialFunction& honest)
{
    const auto check = [reference](const RadialFunction& value) {
        Worst moment(reference);
        for (double h : support_radii)
            moment.add(integrate_ball<Dim>([&](double r) { return value(h, r) * r * r / Dim; }, h) / (h * h));
        return Measurement{moment.value(), reference, 1e-12 * reference,
                           Bound::Near,    "h²",      "h = 0.1, 1, 3 m"};
    };
    return make_case({"V-K2/" + kernel + "/" + dimension(Dim),
                      "∫ ω x² dx, which is twice the error constant of smoothing, is what the formula gives",
                      "[AW09, Eq. 86–97] integrated by hand"},
                     check, honest, "halved support", [=](double h, double r) { return honest(h / 2, r); });
}

void add_second_moment_cases(std::vector<Case>& cases)
{
    cases.push_back(second_moment_case<1>("poly6", 1.0 / 9, functions_of<1, Poly6<1>>().value));
    cases.push_back(second_moment_case<2>("poly6", 1.0 / 10, functions_of<2, Poly6<2>>().value));
    cases.push_back(second_moment_case<3>("poly6", 1.0 / 11, functions_of<3, Poly6<3>>().value));
    cases.push_back(second_moment_case<1>("spiky", 1.0 / 15, functions_of<1, Spiky<1>>().value));
    cases.push_back(second_moment_case<2>("spiky", 1.0 / 14, functions_of<2, Spiky<2>>().value));
    cases.push_back(second_moment_case<3>("spiky", 1.0 / 14, functions_of<3, Spiky<3>>().value));
}

// V-K3: the moment by which a Laplacian is normalised

/// ∫ r²/(2d) Δω dx: what Δω makes of a field with Laplacian 1.
template <int Dim>
Measurement laplacian_moment(const RadialFunction& laplacian, double reference)
{
    Worst moment(reference);
    for (double h : support_radii)
        moment.add(integrate_ball<Dim>([&](double r) { return laplacian(h, r) * r * r / (2 * Dim); }, h));
    return {moment.value(), reference, 1e-12, Bound::Near, "1", "h = 0.1, 1, 3 m"};
}

template <int Dim>
void add_laplacian_moment_cases(std::vector<Case>& cases)
{
    const KernelFunctions<Dim> poly6 = functions_of<Dim, Poly6<Dim>>();
    const auto is_one = [](const RadialFunction& f) { return laplacian_moment<Dim>(f, 1.0); };
    const CaseInfo info = {"V-K3/poly6/" + dimension(Dim),
                           "∫ r²/(2d) Δω dx = 1, so diffusion has the right strength",
                           "∫ r² Δω dx = ∫ ω Δr² dx = 2d, by parts"};
    if constexpr (Dim == 1)
        cases.push_back(make_case(info, is_one, poly6.laplacian, "derivatives by q instead of r",
                                  [=](double h, double r) { return h * h * poly6.laplacian(h, r); }));
    else
        cases.push_back(
            make_case(info, is_one, poly6.laplacian, "Δω = ω″ [AW09, Eq. 11]", poly6.second_derivative));

    const RadialFunction viscosity = [](double h, double r) {
        return ViscosityLaplacian<Dim>(h).laplacian(r);
    };
    constexpr std::array constant = {12.0, 40 / pi, 45 / pi};
    constexpr int other = Dim == 3 ? 2 : Dim + 1;
    cases.push_back(make_case({"V-K3/viscosity/" + dimension(Dim), "∫ r²/(2d) C (1 − q) dx = 1",
                               "∫ r² Δω dx = 2d, which C is chosen for; [MCG03, Eq. 22] in three dimensions"},
                              is_one, viscosity, "the constant for " + std::to_string(other) + " dimensions",
                              times(constant[other - 1] / constant[Dim - 1], viscosity)));

    if constexpr (Dim > 1) {
        const double reference = (Dim + 1) / 2.0;
        cases.push_back(make_case(
            {"V-K3/second_derivative/" + dimension(Dim),
             "ω″ in place of Δω diffuses (d + 1)/2 times too much: the misprint can be told from the truth",
             "∫ r² ω″ dx = d (d + 1), by parts"},
            [reference](const RadialFunction& f) { return laplacian_moment<Dim>(f, reference); },
            poly6.second_derivative, "Δω passed off as ω″", poly6.laplacian));
    }
}

// V-K4: derivatives against finite differences

/// Central difference of f at t.
template <class Function>
double difference_quotient(Function&& f, double t, double step)
{
    return (f(t + step) - f(t - step)) / (2 * step);
}

/// Collects errors of a quantity, to be judged by the largest value that it has.
class RelativeError {
public:
    void add(double value, double expected)
    {
        error_.add(value - expected);
        size_.add(expected);
    }
    double value() const { return std::abs(error_.value() / size_.value()); }

private:
    Worst error_;
    Worst size_;
};

/// A direction that is not along any axis.
template <int Dim>
Vec<Dim> skew_direction()
{
    Vec<Dim> direction;
    for (int k = 0; k < Dim; ++k) direction[k] = k + 2;
    return direction.normalized();
}

/// Distances in units of h to look at: 0.05 … 0.95 without the knot at ½.
std::vector<double> inner_distances()
{
    std::vector<double> q;
    for (int k = 1; k < 20; ++k)
        if (k != 10) q.push_back(k / 20.0);
    return q;
}

template <int Dim>
Measurement check_kernel_derivatives(const KernelFunctions<Dim>& kernel)
{
    Worst worst;
    for (double h : support_radii) {
        const double step = 1e-6 * h;
        RelativeError first, second, gradient, laplacian;
        for (double q : inner_distances()) {
            const double r = q * h;
            const auto value_at = [&](double t) { return kernel.value(h, t); };
            const auto derivative_at = [&](double t) { return kernel.derivative(h, t); };
            first.add(kernel.derivative(h, r), difference_quotient(value_at, r, step));
            second.add(kernel.second_derivative(h, r), difference_quotient(derivative_at, r, step));

            const Vec<Dim> x = r * skew_direction<Dim>();
            double divergence = 0.0;
            for (int k = 0; k < Dim; ++k) {
                const Vec<Dim> along = Vec<Dim>::Unit(k);
                const auto value_along = [&](double t) {
                    const Vec<Dim> y = x + t * along;
                    return kernel.value(h, y.norm());
                };
                const auto gradient_along = [&](double t) { return kernel.gradient(h, x + t * along)[k]; };
                gradient.add(kernel.gradient(h, x)[k], difference_quotient(value_along, 0, step));
                divergence += difference_quotient(gradient_along, 0, step);
            }
            laplacian.add(kernel.laplacian(h, r), divergence);
        }
        worst.add(worst_of({first.value(), second.value(), gradient.value(), laplacian.value()}));
    }
    return error_measurement(worst.value(), 1e-6, "ω′, ω″, ∇ω, Δω, each relative to its largest value");
}

template <int Dim, class K>
void add_derivative_case(std::vector<Case>& cases, const std::string& kernel)
{
    const KernelFunctions<Dim> honest = functions_of<Dim, K>();
    KernelFunctions<Dim> sabotaged = honest;
    std::string sabotage = "Δω = ω″ [AW09, Eq. 11]";
    if constexpr (Dim == 1) {
        sabotage = "ω″ lacks one factor 1/h";
        sabotaged.second_derivative = [=](double h, double r) { return h * honest.second_derivative(h, r); };
    } else {
        sabotaged.laplacian = honest.second_derivative;
    }
    cases.push_back(
        make_case({"V-K4/" + kernel + "/" + dimension(Dim), "derivatives agree with finite differences",
                   "central differences, step 1e-6 h"},
                  check_kernel_derivatives<Dim>, honest, sabotage, sabotaged));
}

template <int Dim>
void add_derivative_cases(std::vector<Case>& cases)
{
    add_derivative_case<Dim, Poly6<Dim>>(cases, "poly6");
    add_derivative_case<Dim, Spiky<Dim>>(cases, "spiky");
    add_derivative_case<Dim, CubicSpline<Dim>>(cases, "cubic_spline");
    add_derivative_case<Dim, WendlandC2<Dim>>(cases, "wendland_c2");
}

/// (2 − r/h)³ scaled to unit integral, in the notation of [DC99], whose h is half of the support.
template <int Dim>
void add_desbrun_case(std::vector<Case>& cases)
{
    const auto check = [](const RadialFunction& kernel) {
        constexpr std::array constant = {1.0 / 8, 5 / (16 * pi), 15 / (64 * pi)};
        Worst worst;
        for (double h : support_radii)
            for (int k = 0; k <= 100; ++k) {
                const double r = 2 * h * k / 100;
                const double scale = constant[Dim - 1] / std::pow(h, Dim);
                const double u = 2 - r / h;
                worst.add((kernel(h, r) - scale * u * u * u) / (8 * scale));
            }
        return error_measurement(worst.value(), 1e-15, "largest error, relative to ω(0)");
    };
    const RadialFunction spiky = functions_of<Dim, Spiky<Dim>>().value;
    cases.push_back(make_case(
        {"V-K4/desbrun/" + dimension(Dim), "the kernel of Desbrun and Cani is spiky with twice their h",
         "[DC99, Eq. 21]"},
        check, RadialFunction([=](double h, double r) { return spiky(2 * h, r); }), "halved support", spiky));
}

/// An MLS weight as its users see it.
struct WeightFunctions {
    std::function<double(const Vec<3>& offset, double h)> value;
    std::function<Vec<3>(const Vec<3>& offset, double h)> gradient;
    std::function<Mat<3>(const Vec<3>& offset, double h)> hessian;
};

WeightFunctions functions_of(MlsWeight choice)
{
    const AnyMlsWeight<3> weight = make_mls_weight<3>(choice);
    return {[=](const Vec<3>& offset, double h) { return weight.value(offset, h); },
            [=](const Vec<3>& offset, double h) { return weight.gradient(offset, h); },
            [=](const Vec<3>& offset, double h) { return weight.hessian(offset, h); }};
}

Measurement check_weight_derivatives(const WeightFunctions& weight)
{
    Worst worst;
    for (double h : support_radii) {
        const double step = 1e-6 * h;
        RelativeError gradient, hessian;
        for (double q : inner_distances()) {
            const Vec<3> x = q * h * skew_direction<3>();
            for (int k = 0; k < 3; ++k) {
                const Vec<3> along = Vec<3>::Unit(k);
                const auto value_along = [&](double t) { return weight.value(x + t * along, h); };
                gradient.add(weight.gradient(x, h)[k], difference_quotient(value_along, 0, step));
                for (int l = 0; l < 3; ++l) {
                    const auto slope_along = [&](double t) { return weight.gradient(x + t * along, h)[l]; };
                    hessian.add(weight.hessian(x, h)(k, l), difference_quotient(slope_along, 0, step));
                }
            }
        }
        worst.add(worst_of({gradient.value(), hessian.value()}));
    }
    return error_measurement(worst.value(), 1e-6, "∇ω and ∂²ω, each relative to its largest value");
}

void add_weight_derivative_cases(std::vector<Case>& cases)
{
    for (MlsWeight choice : all_mls_weights) {
        const bool is_product =
            choice == MlsWeight::QuarticProduct || choice == MlsWeight::CompositeQuadraticProduct;
        const WeightFunctions honest = functions_of(choice);
        WeightFunctions sabotaged = honest;
        if (is_product)
            sabotaged.hessian = [=](const Vec<3>& offset, double h) -> Mat<3> {
                return honest.hessian(offset, h).diagonal().asDiagonal();
            };
        else
            // n nᵀ (nᵀ ∂²ω n) is w″ n nᵀ.
            sabotaged.hessian = [=](const Vec<3>& offset, double h) -> Mat<3> {
                const Vec<3> n = offset.normalized();
                return n * (n.transpose() * honest.hessian(offset, h) * n) * n.transpose();
            };
        cases.push_back(make_case({"V-K4/weight/" + std::string(name_of(choice)),
                                   "gradient and Hessian agree with finite differences",
                                   "central differences, step 1e-6 h"},
                                  check_weight_derivatives, honest,
                                  is_product ? "mixed second derivatives left out"
                                             : "∂²ω = w″ n nᵀ, without the term (w′/q)(I − n nᵀ)",
                                  sabotaged));
    }
}

// V-K5: the weights of moving least squares

/// A weight along one axis: a function of s = (x − x_i) / h.
struct AxisWeight {
    std::function<double(double s)> value;
    std::function<double(double s)> derivative;
};

AxisWeight along_axis(MlsWeight choice)
{
    const AnyMlsWeight<1> weight = make_mls_weight<1>(choice);
    return {[=](double s) { return weight.value(Vec<1>(s), 1.0); },
            [=](double s) { return weight.gradient(Vec<1>(s), 1.0)[0]; }};
}

/// [GQ09, Eq. 13] with each of its numbers open to error.
AxisWeight composite_quadratic(double inner_factor, double outer_factor, bool is_even)
{
    const auto argument = [=](double s) { return is_even ? std::abs(s) : s; };
    const auto sign = [=](double s) { return is_even && s < 0 ? -1.0 : 1.0; };
    return {[=](double s) {
                const double u = argument(s);
                return u <= 0.5 ? 1 - inner_factor * u * u : outer_factor * (1 - u) * (1 - u);
            },
            [=](double s) {
                const double u = argument(s);
                return sign(s) * (u <= 0.5 ? -2 * inner_factor * u : -2 * outer_factor * (1 - u));
            }};
}

void add_composite_quadratic_cases(std::vector<Case>& cases)
{
    const AxisWeight honest = along_axis(MlsWeight::CompositeQuadraticProduct);
    const std::string source = "[GQ09, Eq. 13] with |s|";
    const double inside = std::nextafter(0.5, 0.0);
    const double outside = std::nextafter(0.5, 1.0);

    cases.push_back(make_case(
        {"V-K5/value_at_knot", "c(±½) = ½ from either side", source},
        [=](const AxisWeight& c) {
            const double value =
                worst_of({c.value(0.5), c.value(outside), c.value(-0.5), c.value(-outside)}, 0.5);
            return Measurement{value, 0.5, 1e-15};
        },
        honest, "the factor 2 before (1 − s)² left out", composite_quadratic(2, 1, true)));
    cases.push_back(make_case(
        {"V-K5/slope_at_knot", "c′(½) = −2 from either side", source},
        [=](const AxisWeight& c) {
            const double slope = worst_of({c.derivative(inside), c.derivative(outside)}, -2.0);
            return Measurement{slope, -2.0, 1e-14};
        },
        honest, "the factor 2 before s² left out", composite_quadratic(1, 2, true)));
    cases.push_back(make_case(
        {"V-K5/integral", "∫ c ds from −1 to 1 is 1", source},
        [](const AxisWeight& c) {
            double integral = 0.0;
            for (double a : {-1.0, -0.5, 0.0, 0.5}) integral += integrate(c.value, a, a + 0.5);
            return Measurement{integral, 1.0, 1e-12};
        },
        honest, "s in place of |s|, as printed", composite_quadratic(2, 2, false)));
    cases.push_back(make_case(
        {"V-K5/even", "c(−0.3) = c(0.3) = 0.82 and c(−0.7) = c(0.7) = 0.18", source},
        [](const AxisWeight& c) {
            const double inner = worst_of({c.value(0.3), c.value(-0.3)}, 0.82) - 0.82;
            const double outer = worst_of({c.value(0.7), c.value(-0.7)}, 0.18) - 0.18;
            return error_measurement(worst_of({inner, outer}), 1e-15);
        },
        honest, "s in place of |s|, as printed", composite_quadratic(2, 2, false)));
}

void add_rim_case(std::vector<Case>& cases, MlsWeight choice, const std::string& source,
                  const std::string& sabotage, std::function<double(double s)> faulty)
{
    const auto check = [](const std::function<double(double s)>& weight) {
        const double at_node = weight(0.0) - 1;
        const double inside_rim = weight(1 - 1e-9);
        return error_measurement(worst_of({at_node, inside_rim}), 1e-8,
                                 "the larger of |ω(0) − 1| and |ω(1 − 1e-9)|");
    };
    cases.push_back(make_case(
        {"V-K5/ends/" + std::string(name_of(choice)), "ω is 1 at the node and goes to 0 at the rim", source},
        check, along_axis(choice).value, sabotage, std::move(faulty)));
}

void add_rim_cases(std::vector<Case>& cases)
{
    add_rim_case(cases, MlsWeight::Quartic, "1 − 6q² + 8q³ − 3q⁴", "the last term left out",
                 [](double s) { return 1 - 6 * s * s + 8 * s * s * s; });
    add_rim_case(cases, MlsWeight::TruncatedGaussian, "exp(−(q/β)²) lowered by its value at q = 1",
                 "a Gaussian cut off at r = h [MKN*04, Eq. 27]", [](double s) { return std::exp(-s * s); });
    add_rim_case(cases, MlsWeight::CompositeQuadraticProduct, "[GQ09, Eq. 13]",
                 "1 − 2s² on the whole support", [](double s) { return 1 - 2 * s * s; });
}

} // namespace

std::vector<Case> kernel_cases()
{
    std::vector<Case> cases;
    add_table_cases(cases);
    add_integral_cases<1>(cases);
    add_integral_cases<2>(cases);
    add_integral_cases<3>(cases);
    add_second_moment_cases(cases);
    add_laplacian_moment_cases<1>(cases);
    add_laplacian_moment_cases<2>(cases);
    add_laplacian_moment_cases<3>(cases);
    add_derivative_cases<1>(cases);
    add_derivative_cases<2>(cases);
    add_derivative_cases<3>(cases);
    add_desbrun_case<1>(cases);
    add_desbrun_case<2>(cases);
    add_desbrun_case<3>(cases);
    add_weight_derivative_cases(cases);
    add_composite_quadratic_cases(cases);
    add_rim_cases(cases);
    return cases;
}

} // namespace phyxel::detail
