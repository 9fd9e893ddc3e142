// SPDX-License-Identifier: MIT
// V-A1 … V-A5: what MLS shape functions reproduce, and what they do where they cannot.
#include <phyxel/verify/detail/case_families.h>

#include <phyxel/approx/mls.h>
#include <phyxel/approx/mls_basis.h>
#include <phyxel/core/rng.h>
#include <phyxel/verify/clouds.h>
#include <phyxel/verify/detail/measurements.h>
#include <phyxel/verify/detail/shape_makers.h>
#include <phyxel/verify/detail/worst.h>

#include <Eigen/Geometry>

#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace phyxel::detail {
namespace {

/// Beyond this the moment matrix is too ill-conditioned to promise anything but a safe inversion.
constexpr double largest_condition = 1e8;

std::string dimension(int dim) { return std::to_string(dim) + "d"; }

/// Nodes and the places at which shape functions are made from them.
template <int Dim>
struct Cloud {
    std::vector<Vec<Dim>> nodes;
    std::vector<Vec<Dim>> places;
    double support_radius;
};

enum class Support {
    Ample,  ///< dozens of nodes within reach everywhere
    Scarce, ///< few enough for the moment matrix to be nearly singular here and there
    Starved ///< too few at many places
};

/// Random nodes in the unit cube and random places in it, also next to its faces.
template <int Dim>
Cloud<Dim> random_nodes_and_places(std::uint64_t seed, Support support = Support::Ample)
{
    constexpr std::array<std::size_t, 3> node_count = {40, 200, 700};
    constexpr std::array ample = {0.25, 0.35, 0.5};
    constexpr std::array scarce = {0.12, 0.2, 0.25};
    constexpr std::array starved = {0.075, 0.1, 0.15};
    double radius = ample[Dim - 1];
    if (support == Support::Scarce) radius = scarce[Dim - 1];
    if (support == Support::Starved) radius = starved[Dim - 1];
    return {random_cloud<Dim>({.count = node_count[Dim - 1], .seed = seed}),
            random_cloud<Dim>({.count = 40, .seed = 1000 + seed}), radius};
}

/// 1, x_k or x_k x_l.
template <int Dim>
struct Monomial {
    int k = -1;
    int l = -1;

    double value(const Vec<Dim>& x) const { return factor(x, k) * factor(x, l); }
    Vec<Dim> gradient(const Vec<Dim>& x) const
    {
        Vec<Dim> result = Vec<Dim>::Zero();
        if (k >= 0) result[k] += factor(x, l);
        if (l >= 0) result[l] += factor(x, k);
        return result;
    }
    Mat<Dim> hessian() const
    {
        Mat<Dim> result = Mat<Dim>::Zero();
        if (l >= 0) {
            result(k, l) += 1;
            result(l, k) += 1;
        }
        return result;
    }

    std::vector<double> at(std::span<const Vec<Dim>> points) const
    {
        std::vector<double> values;
        for (const Vec<Dim>& x : points) values.push_back(value(x));
        return values;
    }

private:
    static double factor(const Vec<Dim>& x, int axis) { return axis < 0 ? 1.0 : x[axis]; }
};

template <int Dim>
std::vector<Monomial<Dim>> monomials_up_to(int order)
{
    std::vector<Monomial<Dim>> result = {{}};
    if (order >= 1)
        for (int k = 0; k < Dim; ++k) result.push_back({k, -1});
    if (order >= 2)
        for (int k = 0; k < Dim; ++k)
            for (int l = k; l < Dim; ++l) result.push_back({k, l});
    return result;
}

double sum_of_values(const std::vector<double>& values)
{
    double sum = 0.0;
    for (double value : values) sum += value;
    return sum;
}

template <int Dim>
bool is_finite(const ShapeFunctions<Dim>& shape)
{
    for (double value : shape.values)
        if (!std::isfinite(value)) return false;
    for (const Vec<Dim>& gradient : shape.gradients)
        if (!gradient.allFinite()) return false;
    for (const PairVec<Dim>& second : shape.second_derivatives)
        if (!second.allFinite()) return false;
    return true;
}

/// Whether the nodes determine a polynomial of the wanted order well enough for the promises below.
bool is_well_posed(const ShapeQuality& quality, int order)
{
    return !quality.empty && quality.smooth && quality.order == order &&
           quality.condition < largest_condition;
}

/// Calls `visit(cloud, order, x, shape)` for all orders at all places of `cloud_count` clouds.
template <int Dim, class Visit>
void for_each_shape(const ShapeMaker<Dim>& make, int derivatives, int cloud_count, Support support,
                    Visit&& visit)
{
    for (int seed = 1; seed <= cloud_count; ++seed) {
        const Cloud<Dim> cloud = random_nodes_and_places<Dim>(static_cast<std::uint64_t>(seed), support);
        for (int order = 0; order <= largest_mls_order; ++order)
            for (const Vec<Dim>& x : cloud.places)
                visit(cloud, order, x,
                      make(x, cloud.nodes, cloud.support_radius, MlsOptions{.order = order}, derivatives));
    }
}

/// The same, with each kind of support, for those places only at which the order can be had; says how many
/// there were.
template <int Dim, class Visit>
std::string for_each_well_posed_shape(const ShapeMaker<Dim>& make, int derivatives, int cloud_count,
                                      const std::vector<Support>& supports, Visit&& visit)
{
    int count = 0;
    int left_out = 0;
    for (Support support : supports)
        for_each_shape<Dim>(
            make, derivatives, cloud_count, support,
            [&](const Cloud<Dim>& cloud, int order, const Vec<Dim>& x, const ShapeFunctions<Dim>& shape) {
                ++count;
                if (is_well_posed(shape.quality, order))
                    visit(cloud, order, x, shape);
                else
                    ++left_out;
            });
    return "order 0, 1, 2 at " + std::to_string(count) + " places in all, without " +
           std::to_string(left_out) + " beyond condition 1e8";
}

// V-A1: reproduction of polynomials

/// Largest error of all polynomials up to the order, or of their derivatives.
template <int Dim>
Measurement check_reproduction(const ShapeMaker<Dim>& make, int derivative, int cloud_count,
                               const std::vector<Support>& supports)
{
    Worst error;
    const auto visit = [&](const Cloud<Dim>& cloud, int order, const Vec<Dim>& x,
                           const ShapeFunctions<Dim>& shape) {
        for (const Monomial<Dim>& f : monomials_up_to<Dim>(order)) {
            const std::vector<double> nodal = f.at(cloud.nodes);
            if (derivative == 0) error.add(shape.value(nodal) - f.value(x));
            if (derivative == 1)
                for (double e : Vec<Dim>(shape.gradient(nodal) - f.gradient(x))) error.add(e);
            if (derivative == 2) {
                const Mat<Dim> errors = shape.hessian(nodal) - f.hessian();
                for (double e : errors.reshaped()) error.add(e);
            }
        }
    };
    const std::string note = for_each_well_posed_shape<Dim>(make, derivative, cloud_count, supports, visit);
    constexpr std::array tolerance = {1e-10, 1e-10, 1e-8};
    return error_measurement(error.value(), tolerance[derivative], note);
}

template <int Dim>
void add_reproduction_cases(std::vector<Case>& cases, const std::string& suffix, int cloud_count,
                            const std::vector<Support>& supports, Tier tier)
{
    struct Claim {
        std::string name, claim, sabotage;
        MlsMistake mistake;
    };
    const std::array<Claim, 3> claims = {{
        {"values", "polynomials up to the order of the basis are reproduced",
         "p(x) on the right-hand side of the centred basis, in place of p(0)", MlsMistake::UncentredTarget},
        {"gradients", "gradients of polynomials up to the order of the basis are reproduced",
         "[AW09, Eq. 30] with the centred basis, whose derivative it lacks",
         MlsMistake::BasisTakenForConstant},
        {"second_derivatives",
         "second derivatives of polynomials up to the order of the basis are reproduced",
         "mixed terms ∂_k M ∂_l g left out of the product rule", MlsMistake::NoMixedTerms},
    }};
    for (int derivative = 0; derivative <= 2; ++derivative) {
        const Claim& c = claims[derivative];
        cases.push_back(make_case(
            {"V-A1/" + c.name + "/" + dimension(Dim) + suffix, c.claim, "[AW09, Sec. 3.2]", tier},
            [=](const ShapeMaker<Dim>& make) {
                return check_reproduction<Dim>(make, derivative, cloud_count, supports);
            },
            library_shapes<Dim>(), c.sabotage, textbook_shapes<Dim>(c.mistake)));
    }
}

/// The share of places at which the moment matrix is too ill-conditioned for the promises above, where
/// support is so scarce that there are some.
template <int Dim>
void add_share_case(std::vector<Case>& cases)
{
    const auto check = [](const ShapeMaker<Dim>& make) {
        int count = 0;
        int beyond = 0;
        for_each_shape<Dim>(
            make, 0, 20, Support::Scarce,
            [&](const Cloud<Dim>&, int order, const Vec<Dim>&, const ShapeFunctions<Dim>& shape) {
                ++count;
                if (!is_well_posed(shape.quality, order)) ++beyond;
            });
        const std::string note = std::to_string(beyond) + " of " + std::to_string(count) +
                                 " places with scarce support, order 0, 1, 2";
        return Measurement{100.0 * beyond / count, 1.0, 0.0, Bound::AtMost, "%", note};
    };
    cases.push_back(
        make_case({"V-A1/ill_conditioned_share/" + dimension(Dim),
                   "on random clouds the condition of the moment matrix is below 1e8 almost everywhere",
                   "the share that the promises of V-A1 may leave out"},
                  check, library_shapes<Dim>(), "halved support", library_shapes_with<Dim>(0.5, 0)));
}

/// Places at which the moment matrix is singular or nearly so.
template <int Dim>
void add_safe_inversion_case(std::vector<Case>& cases)
{
    const auto check = [](const ShapeMaker<Dim>& make) {
        int beyond = 0;
        int wrong = 0;
        for_each_shape<Dim>(
            make, 2, 5, Support::Starved,
            [&](const Cloud<Dim>&, int order, const Vec<Dim>&, const ShapeFunctions<Dim>& shape) {
                if (shape.quality.empty || is_well_posed(shape.quality, order)) return;
                ++beyond;
                if (!is_finite(shape) || !(std::abs(sum_of_values(shape.values) - 1) <= 1e-8)) ++wrong;
            });
        return count_measurement(wrong, "places", "of " + std::to_string(beyond) + " beyond condition 1e8");
    };
    cases.push_back(make_case({"V-A1/safe_inversion/" + dimension(Dim),
                               "where the moment matrix is ill-conditioned or singular, shape functions are "
                               "finite and add up to 1",
                               "[AW09, Sec. 3.3]"},
                              check, library_shapes<Dim>(), "plain inverse of the moment matrix",
                              textbook_shapes<Dim>(MlsMistake::None)));
}

// V-A2: sums of shape functions

/// Largest deviation of Σ Φ_i from 1, or of the sum of its derivatives from 0.
template <int Dim>
Measurement check_sum(const ShapeMaker<Dim>& make, int derivative)
{
    Worst error;
    const auto visit = [&](const Cloud<Dim>&, int, const Vec<Dim>&, const ShapeFunctions<Dim>& shape) {
        double values = 0.0;
        Vec<Dim> gradients = Vec<Dim>::Zero();
        PairVec<Dim> second_derivatives = PairVec<Dim>::Zero();
        for (std::size_t a = 0; a < shape.ids.size(); ++a) {
            values += shape.values[a];
            if (derivative >= 1) gradients += shape.gradients[a];
            if (derivative >= 2) second_derivatives += shape.second_derivatives[a];
        }
        if (derivative == 0) error.add(values - 1);
        if (derivative == 1)
            for (double sum : gradients) error.add(sum);
        if (derivative == 2)
            for (double sum : second_derivatives) error.add(sum);
    };
    const std::string note =
        for_each_well_posed_shape<Dim>(make, derivative, 5, {Support::Ample, Support::Scarce}, visit);
    constexpr std::array tolerance = {1e-12, 1e-10, 1e-8};
    return error_measurement(error.value(), tolerance[derivative], note);
}

template <int Dim>
void add_sum_cases(std::vector<Case>& cases)
{
    const auto check = [](int derivative) {
        return [derivative](const ShapeMaker<Dim>& make) { return check_sum<Dim>(make, derivative); };
    };
    cases.push_back(make_case({"V-A2/partition_of_unity/" + dimension(Dim), "Σ Φ_i = 1", "[AW09, Sec. 3.2]"},
                              check(0), library_shapes<Dim>(),
                              "SPH: Shepard's method without its denominator", sph_shapes<Dim>()));
    cases.push_back(
        make_case({"V-A2/gradient_sum/" + dimension(Dim), "Σ ∇Φ_i = 0", "derivative of Σ Φ_i = 1"}, check(1),
                  library_shapes<Dim>(), "∂(M⁻¹) left out of the product rule",
                  textbook_shapes<Dim>(MlsMistake::InverseTakenForConstant)));
    cases.push_back(make_case(
        {"V-A2/second_derivative_sum/" + dimension(Dim), "Σ ∂²Φ_i = 0", "second derivative of Σ Φ_i = 1"},
        check(2), library_shapes<Dim>(), "mixed terms ∂_k M ∂_l g left out of the product rule",
        textbook_shapes<Dim>(MlsMistake::NoMixedTerms)));
}

/// x² + 3xy at (0.5, 0.4): an example that can be followed by hand.
void add_quadratic_example_cases(std::vector<Case>& cases)
{
    struct Quantity {
        std::string name;
        double reference, tolerance;
        std::function<double(const ShapeFunctions<2>&, std::span<const double>)> of;
        MlsMistake mistake;
    };
    const auto second = [](int k, int l) {
        return
            [=](const ShapeFunctions<2>& shape, std::span<const double> f) { return shape.hessian(f)(k, l); };
    };
    const std::vector<Quantity> quantities = {
        {"value", 0.85, 1e-10,
         [](const ShapeFunctions<2>& shape, std::span<const double> f) { return shape.value(f); },
         MlsMistake::UncentredTarget},
        {"dx", 2.2, 1e-10,
         [](const ShapeFunctions<2>& shape, std::span<const double> f) { return shape.gradient(f)[0]; },
         MlsMistake::BasisTakenForConstant},
        {"dxx", 2.0, 1e-8, second(0, 0), MlsMistake::NoMixedTerms},
        {"dxy", 3.0, 1e-8, second(0, 1), MlsMistake::NoMixedTerms},
        {"dyy", 0.0, 1e-8, second(1, 1), MlsMistake::NoMixedTerms},
    };
    for (const Quantity& quantity : quantities) {
        const auto check = [quantity](const ShapeMaker<2>& make) {
            const Cloud<2> cloud = random_nodes_and_places<2>(1);
            std::vector<double> f;
            for (const Vec<2>& x : cloud.nodes) f.push_back(x[0] * x[0] + 3 * x[0] * x[1]);
            const ShapeFunctions<2> shape =
                make(Vec<2>(0.5, 0.4), cloud.nodes, cloud.support_radius, {.order = 2}, 2);
            return Measurement{quantity.of(shape, f), quantity.reference, quantity.tolerance};
        };
        std::string sabotage = "mixed terms ∂_k M ∂_l g left out of the product rule";
        if (quantity.mistake == MlsMistake::UncentredTarget)
            sabotage = "p(x) on the right-hand side of the centred basis, in place of p(0)";
        if (quantity.mistake == MlsMistake::BasisTakenForConstant)
            sabotage = "[AW09, Eq. 30] with the centred basis, whose derivative it lacks";
        cases.push_back(make_case({"V-A2/quadratic/" + quantity.name, "x² + 3xy at (0.5, 0.4) is reproduced",
                                   "differentiated by hand"},
                                  check, library_shapes<2>(), sabotage,
                                  textbook_shapes<2>(quantity.mistake)));
    }
}

// V-A3: derivatives against finite differences

/// A field that no basis reproduces: sin(3 Σ x_k).
template <int Dim>
std::vector<double> sine_at(std::span<const Vec<Dim>> points)
{
    std::vector<double> values;
    for (const Vec<Dim>& x : points) values.push_back(std::sin(3 * x.sum()));
    return values;
}

template <int Dim>
Measurement check_difference_quotients(const ShapeMaker<Dim>& make, int derivative)
{
    constexpr double step = 1e-6;
    Worst error;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const Cloud<Dim> cloud = random_nodes_and_places<Dim>(seed);
        const std::vector<double> f = sine_at<Dim>(cloud.nodes);
        for (const Vec<Dim>& place : cloud.places) {
            const Vec<Dim> x = Vec<Dim>::Constant(0.2) + 0.6 * place; // away from the faces
            for (int order = 0; order <= largest_mls_order; ++order) {
                const auto shape_at = [&](const Vec<Dim>& y, int derivatives) {
                    return make(y, cloud.nodes, cloud.support_radius, {.order = order}, derivatives);
                };
                const ShapeFunctions<Dim> shape = shape_at(x, derivative);
                for (int k = 0; k < Dim; ++k) {
                    const Vec<Dim> along = step * Vec<Dim>::Unit(k);
                    const auto ahead = shape_at(x + along, derivative - 1);
                    const auto behind = shape_at(x - along, derivative - 1);
                    if (derivative == 1)
                        error.add(shape.gradient(f)[k] - (ahead.value(f) - behind.value(f)) / (2 * step));
                    else
                        for (int l = 0; l < Dim; ++l)
                            error.add(shape.hessian(f)(k, l) -
                                      (ahead.gradient(f)[l] - behind.gradient(f)[l]) / (2 * step));
                }
            }
        }
    }
    constexpr std::array tolerance = {1e-7, 1e-6};
    return error_measurement(error.value(), tolerance[derivative - 1],
                             "order 0, 1, 2 at 200 places in five clouds", derivative == 1 ? "1/m" : "1/m²");
}

template <int Dim>
void add_difference_quotient_cases(std::vector<Case>& cases)
{
    const std::string source = "central differences, step 1e-6 m";
    const auto check = [](int derivative) {
        return [derivative](const ShapeMaker<Dim>& make) {
            return check_difference_quotients<Dim>(make, derivative);
        };
    };
    cases.push_back(make_case({"V-A3/gradient/" + dimension(Dim),
                               "the gradient of sin(3 Σ x_k) is that of the approximation", source},
                              check(1), library_shapes<Dim>(),
                              "∂ω left out: the diffuse derivative, which reproduces polynomials",
                              textbook_shapes<Dim>(MlsMistake::WeightTakenForConstant)));
    cases.push_back(
        make_case({"V-A3/second_derivative/" + dimension(Dim),
                   "the second derivatives of sin(3 Σ x_k) are those of the approximation", source},
                  check(2), library_shapes<Dim>(), "mixed terms ∂_k M ∂_l g left out of the product rule",
                  textbook_shapes<Dim>(MlsMistake::NoMixedTerms)));
}

// V-A4: far from the origin

template <int Dim>
Cloud<Dim> shifted(Cloud<Dim> cloud, double shift)
{
    for (Vec<Dim>& x : cloud.nodes) x.array() += shift;
    for (Vec<Dim>& x : cloud.places) x.array() += shift;
    return cloud;
}

template <int Dim>
void add_shift_cases(std::vector<Case>& cases)
{
    const auto check_values = [](const ShapeMaker<Dim>& make) {
        Worst change;
        for (std::uint64_t seed = 1; seed <= 5; ++seed) {
            const Cloud<Dim> here = random_nodes_and_places<Dim>(seed);
            const Cloud<Dim> there = shifted(here, 1000.0);
            for (int order = 0; order <= largest_mls_order; ++order)
                for (std::size_t p = 0; p < here.places.size(); ++p) {
                    const auto a = make(here.places[p], here.nodes, here.support_radius, {.order = order}, 0);
                    const auto b =
                        make(there.places[p], there.nodes, there.support_radius, {.order = order}, 0);
                    // A node on the very rim may be in one and not in the other.
                    std::vector<double> difference(here.nodes.size(), 0.0);
                    for (std::size_t i = 0; i < a.ids.size(); ++i) difference[a.ids[i]] += a.values[i];
                    for (std::size_t i = 0; i < b.ids.size(); ++i) difference[b.ids[i]] -= b.values[i];
                    for (double d : difference) change.add(d);
                }
        }
        return error_measurement(change.value(), 1e-10, "order 0, 1, 2 at 200 places in five clouds");
    };
    cases.push_back(make_case({"V-A4/centred/" + dimension(Dim),
                               "shape functions of a cloud and of the cloud 1000 m away are the same",
                               "shape functions do not depend on the origin [AW09, Sec. 3.3]"},
                              check_values, library_shapes<Dim>(),
                              "a basis that is neither centred nor scaled",
                              textbook_shapes<Dim>(MlsMistake::UncentredBasis)));

    const auto check_condition = [](const ShapeMaker<Dim>& make) {
        Worst condition;
        for (std::uint64_t seed = 1; seed <= 5; ++seed) {
            const Cloud<Dim> cloud = shifted(random_nodes_and_places<Dim>(seed), 1000.0);
            for (const Vec<Dim>& x : cloud.places)
                condition.add(make(x, cloud.nodes, cloud.support_radius, {.order = 1}, 0).quality.condition);
        }
        const std::string note = "largest at 200 places in five clouds, order 1";
        return Measurement{condition.value(), 1e14, 0.0, Bound::AtLeast, "1", note};
    };
    cases.push_back(make_case(
        {"V-A4/uncentred_condition/" + dimension(Dim),
         "1000 m from the origin, a basis that is not centred has a moment matrix that cannot be inverted",
         "λ₁/λ₂ ≈ x⁴ / (variance of the nodes) ≥ 1000⁴ / 0.01"},
        check_condition, textbook_shapes<Dim>(MlsMistake::UncentredBasis), "a centred and scaled basis",
        textbook_shapes<Dim>(MlsMistake::None)));
}

// V-A5: nodes that do not determine a polynomial

/// 200 nodes on the plane with the given normal through (½, ½, ½), and 40 places at a distance from it.
Cloud<3> coplanar_cloud(const Vec<3>& normal, double distance)
{
    const Vec<3> middle = Vec<3>::Constant(0.5);
    const auto onto_plane = [&](const Vec<3>& x) -> Vec<3> { return x - normal * normal.dot(x - middle); };
    Cloud<3> cloud{random_cloud<3>({.count = 200, .seed = 1}), random_cloud<3>({.count = 40, .seed = 2}),
                   0.4};
    for (Vec<3>& x : cloud.nodes) x = onto_plane(x);
    for (Vec<3>& x : cloud.places) x = onto_plane(x) + distance * normal;
    return cloud;
}

/// A plane across an axis, where the moment matrix has zeros, and one for which rounding hides that it is
/// singular.
std::vector<Vec<3>> plane_normals() { return {Vec<3>(0, 0, 1), Vec<3>(1, -2, 3).normalized()}; }

/// Largest deviation of Σ Φ_i from 1 at places on and beside planes on which all nodes lie.
Measurement check_coplanar_sum(const ShapeMaker<3>& make, MlsFallback fallback)
{
    Worst error;
    for (const Vec<3>& normal : plane_normals())
        for (double distance : {0.0, 0.1}) {
            const Cloud<3> cloud = coplanar_cloud(normal, distance);
            for (const Vec<3>& x : cloud.places) {
                const ShapeFunctions<3> shape =
                    make(x, cloud.nodes, cloud.support_radius, {.order = 1, .fallback = fallback}, 2);
                if (!is_finite(shape)) error.add_missing();
                error.add(sum_of_values(shape.values) - 1);
            }
        }
    return error_measurement(error.value(), 1e-10, "|Σ Φ_i − 1| at 160 places on and beside two planes");
}

/// Errors of fields that are linear along the plane, at places on it. There the directions along the plane
/// are determined, and safe inversion keeps them. Lowering the order does not: Shepard's method reproduces
/// constants only. Beside the plane a constant cannot be told from the distance, so safe inversion lowers the
/// order too.
Measurement check_coplanar_slope(const ShapeMaker<3>& make)
{
    Worst error;
    for (const Vec<3>& normal : plane_normals()) {
        const Cloud<3> cloud = coplanar_cloud(normal, 0.0);
        for (int axis : {0, 1}) {
            const Vec<3> slope = normal.cross(Vec<3>::Unit(axis));
            std::vector<double> f;
            for (const Vec<3>& x : cloud.nodes) f.push_back(slope.dot(x));
            for (const Vec<3>& x : cloud.places) {
                const ShapeFunctions<3> shape = make(x, cloud.nodes, cloud.support_radius, {.order = 1}, 1);
                error.add(shape.value(f) - slope.dot(x));
                for (double e : Vec<3>(shape.gradient(f) - slope)) error.add(e);
            }
        }
    }
    return error_measurement(error.value(), 1e-10, "values and gradients at 80 places on two planes");
}

void add_coplanar_cases(std::vector<Case>& cases)
{
    const std::string sabotage = "plain inverse of the moment matrix";
    const ShapeMaker<3> plain = textbook_shapes<3>(MlsMistake::None);
    const auto check_sum_with = [](MlsFallback fallback) {
        return [fallback](const ShapeMaker<3>& make) { return check_coplanar_sum(make, fallback); };
    };
    cases.push_back(
        make_case({"V-A5/coplanar/safe_inverse/partition_of_unity",
                   "with all nodes on a plane the linear basis still gives Σ Φ_i = 1", "[AW09, Sec. 3.3]"},
                  check_sum_with(MlsFallback::SafeInverse), library_shapes<3>(), sabotage, plain));
    cases.push_back(make_case({"V-A5/coplanar/lower_order/partition_of_unity",
                               "with all nodes on a plane and the order lowered, Σ Φ_i = 1", "[Dil99]"},
                              check_sum_with(MlsFallback::LowerOrder), library_shapes<3>(), sabotage, plain));
    cases.push_back(
        make_case({"V-A5/coplanar/safe_inverse/linear_fields",
                   "with all nodes on a plane, fields that are linear along it are reproduced on it",
                   "[AW09, Sec. 3.3]"},
                  check_coplanar_slope, library_shapes<3>(), sabotage, plain));
}

template <int Dim>
void count_failures_of_few_nodes(const ShapeMaker<Dim>& make, std::size_t node_count, int& count, int& wrong)
{
    // n nodes in general position determine a basis of at most n terms.
    int expected_order = 0;
    while (expected_order < largest_mls_order &&
           static_cast<std::size_t>(basis_size<Dim>(expected_order + 1)) <= node_count)
        ++expected_order;

    const auto nodes = random_cloud<Dim>({.count = node_count, .seed = 3, .low = 0.3, .high = 0.7});
    for (const Vec<Dim>& x : random_cloud<Dim>({.count = 40, .seed = 4})) {
        const ShapeFunctions<Dim> shape =
            make(x, nodes, 2.0, {.order = 2, .fallback = MlsFallback::LowerOrder}, 2);
        Worst error;
        if (!is_finite(shape)) error.add_missing();
        for (const Monomial<Dim>& f : monomials_up_to<Dim>(expected_order)) {
            const std::vector<double> nodal = f.at(nodes);
            error.add(shape.value(nodal) - f.value(x));
            for (double e : Vec<Dim>(shape.gradient(nodal) - f.gradient(x))) error.add(e);
        }
        ++count;
        if (shape.quality.order != expected_order || !(std::abs(error.value()) <= 1e-9)) ++wrong;
    }
}

/// Shape functions in one, two and three dimensions.
struct AllShapeMakers {
    ShapeMaker<1> in_1d;
    ShapeMaker<2> in_2d;
    ShapeMaker<3> in_3d;
};

AllShapeMakers library_shapes_in_all()
{
    return {library_shapes<1>(), library_shapes<2>(), library_shapes<3>()};
}

AllShapeMakers textbook_shapes_in_all()
{
    return {textbook_shapes<1>(MlsMistake::None), textbook_shapes<2>(MlsMistake::None),
            textbook_shapes<3>(MlsMistake::None)};
}

void add_few_nodes_cases(std::vector<Case>& cases)
{
    const std::array<std::string, 3> names = {"one_node", "two_nodes", "three_nodes"};
    for (std::size_t node_count = 1; node_count <= 3; ++node_count) {
        const auto check = [node_count](const AllShapeMakers& make) {
            int count = 0;
            int wrong = 0;
            count_failures_of_few_nodes<1>(make.in_1d, node_count, count, wrong);
            count_failures_of_few_nodes<2>(make.in_2d, node_count, count, wrong);
            count_failures_of_few_nodes<3>(make.in_3d, node_count, count, wrong);
            return count_measurement(wrong, "places",
                                     "of " + std::to_string(count) + " in 1, 2 and 3 dimensions");
        };
        cases.push_back(make_case({"V-A5/rank_lowering/" + names[node_count - 1],
                                   "a quadratic basis on " + std::to_string(node_count) +
                                       " node(s) is lowered to the order that they determine, which is "
                                       "reproduced",
                                   "[Dil99]; number of terms of a basis"},
                                  check, library_shapes_in_all(), "plain inverse of the moment matrix",
                                  textbook_shapes_in_all()));
    }
}

void add_isolated_and_empty_cases(std::vector<Case>& cases)
{
    const std::vector<Vec<3>> node = {Vec<3>(0.5, 0.4, 0.3)};
    const auto check_isolated = [node](const ShapeMaker<3>& make) {
        Worst value(1.0);
        for (int order = 0; order <= largest_mls_order; ++order)
            for (MlsFallback fallback : all_mls_fallbacks)
                for (const Vec<3>& x : {node[0], Vec<3>(node[0] + Vec<3>(0.3, 0.1, -0.2))}) {
                    const ShapeFunctions<3> shape =
                        make(x, node, 1.0, {.order = order, .fallback = fallback}, 2);
                    if (shape.ids.size() != 1 || !is_finite(shape))
                        value.add_missing();
                    else
                        value.add(shape.values[0]);
                }
        return Measurement{value.value(), 1.0, 1e-12,
                           Bound::Near,   "1", "Φ at and beside the node, order 0, 1, 2"};
    };
    cases.push_back(make_case(
        {"V-A5/isolated", "a node with no others near it has Φ = 1", "Shepard's method of one node"},
        check_isolated, library_shapes<3>(), "plain inverse of the moment matrix",
        textbook_shapes<3>(MlsMistake::None)));

    const auto check_empty = [node](const ShapeMaker<3>& make) {
        const std::vector<double> f = {7.0};
        int flagged = 0;
        for (int order = 0; order <= largest_mls_order; ++order)
            for (MlsFallback fallback : all_mls_fallbacks) {
                const Vec<3> x = node[0] + Vec<3>(0.0, 1.5, 0.0);
                const ShapeFunctions<3> shape = make(x, node, 1.0, {.order = order, .fallback = fallback}, 0);
                if (shape.quality.empty && shape.ids.empty() && shape.value(f) == 0) ++flagged;
            }
        return Measurement{static_cast<double>(flagged),          6.0, 0.0, Bound::Near, "queries",
                           "1.5 support radii from the only node"};
    };
    cases.push_back(
        make_case({"V-A5/empty", "a place that no node reaches is flagged, and every field is 0 there",
                   "the support ends at h"},
                  check_empty, library_shapes<3>(), "doubled support, as with an h that is half of it",
                  library_shapes_with<3>(2.0, 0)));
}

} // namespace

std::vector<Case> mls_cases()
{
    std::vector<Case> cases;
    const std::vector<Support> both = {Support::Ample, Support::Scarce};
    add_reproduction_cases<1>(cases, "", 5, both, Tier::Quick);
    add_reproduction_cases<2>(cases, "", 5, both, Tier::Quick);
    add_reproduction_cases<3>(cases, "", 5, both, Tier::Quick);
    // Among very many places with scarce support there are some whose second derivatives ∂²Φ_i reach 1e10
    // just below condition 1e8. Their rounding errors alone are beyond 1e-8 then.
    const std::vector<Support> ample = {Support::Ample};
    add_reproduction_cases<1>(cases, "/many_clouds", 500, ample, Tier::Full);
    add_reproduction_cases<2>(cases, "/many_clouds", 200, ample, Tier::Full);
    add_reproduction_cases<3>(cases, "/many_clouds", 50, ample, Tier::Full);
    add_share_case<1>(cases);
    add_share_case<2>(cases);
    add_share_case<3>(cases);
    add_safe_inversion_case<1>(cases);
    add_safe_inversion_case<2>(cases);
    add_safe_inversion_case<3>(cases);
    add_sum_cases<1>(cases);
    add_sum_cases<2>(cases);
    add_sum_cases<3>(cases);
    add_quadratic_example_cases(cases);
    add_difference_quotient_cases<1>(cases);
    add_difference_quotient_cases<2>(cases);
    add_difference_quotient_cases<3>(cases);
    add_shift_cases<1>(cases);
    add_shift_cases<2>(cases);
    add_shift_cases<3>(cases);
    add_coplanar_cases(cases);
    add_few_nodes_cases(cases);
    add_isolated_and_empty_cases(cases);
    return cases;
}

} // namespace phyxel::detail
