// SPDX-License-Identifier: MIT
#include <phyxel/solid/elastic_laws.h>

#include <phyxel/core/rng.h>
#include <phyxel/solid/elastic_stages.h>

#include <Eigen/Geometry>

#include <gtest/gtest.h>

namespace phyxel::elastic_law_test {
namespace {

/// Stiffer along x, and with a shear of its own.
StiffnessMatrix wooden_stiffness(const SolidMaterial& material)
{
    StiffnessMatrix C = StiffnessMatrix::Zero();
    C.topLeftCorner<3, 3>().setConstant(material.lame_lambda());
    for (int k = 0; k < 3; ++k) {
        C(k, k) += (k == 0 ? 4.0 : 2.0) * material.lame_mu();
        C(3 + k, 3 + k) = (1.0 + 0.2 * k) * material.lame_mu();
    }
    return C;
}

template <class Law>
struct DimensionOf;
template <template <int> class Law, int Dim>
struct DimensionOf<Law<Dim>> : std::integral_constant<int, Dim> {
};

template <class Law>
SolidMaterial material_of()
{
    constexpr int Dim = DimensionOf<Law>::value;
    SolidMaterial material{.youngs_modulus = 1e4, .poisson_ratio = 0.45};
    if constexpr (std::is_same_v<Law, NeoHookean<Dim>>) return material;
    material.law =
        std::is_same_v<Law, Corotated<Dim>> ? ElasticLaw::Corotated : ElasticLaw::StVenantKirchhoff;
    material.volume_stiffness = 500.0;
    if constexpr (std::is_same_v<Law, Hooke<Dim>>) material.stiffness = wooden_stiffness(material);
    return material;
}

template <class Law>
Law law_of()
{
    return std::get<Law>(make_law<DimensionOf<Law>::value>(material_of<Law>()));
}

template <int Dim>
Mat<Dim> random_matrix(Rng& rng, double size)
{
    Mat<Dim> matrix;
    for (int r = 0; r < Dim; ++r)
        for (int c = 0; c < Dim; ++c) matrix(r, c) = rng.uniform(-size, size);
    return matrix;
}

template <int Dim>
Mat<Dim> stretched(double first, double last)
{
    Vec<Dim> stretches = Vec<Dim>::Ones();
    stretches[0] = first;
    stretches[Dim - 1] = last;
    return stretches.asDiagonal();
}

template <int Dim>
Mat<Dim> turn()
{
    if constexpr (Dim == 2)
        return Eigen::Rotation2Dd(0.7).toRotationMatrix();
    else
        return Eigen::AngleAxisd(0.7, Vec<3>(1, 2, 3).normalized()).toRotationMatrix();
}

/// How stiff the stiffest of many plane waves is, by the tangent itself.
template <int Dim, class Law>
double stiffest_wave(const Law& law, const ElasticResponse<Dim>& response, Rng& rng)
{
    double largest = 0.0;
    for (int n = 0; n < 400; ++n) {
        const Vec<Dim> direction = n < Dim ? Vec<Dim>(Vec<Dim>::Unit(n)) : rng.point<Dim>(-1, 1).normalized();
        Vec<Dim> a = rng.point<Dim>(-1, 1).normalized();
        // The stiffest polarisation, by powers of the acoustic tensor.
        for (int power = 0; power < 8; ++power) {
            const Mat<Dim> H = a * direction.transpose();
            const Vec<Dim> next = law.tangent(response, H) * direction;
            largest = std::max(largest, a.dot(next));
            a = next.normalized();
        }
    }
    return largest;
}

template <class Law>
class ElasticLaws : public testing::Test {
};
using Laws = testing::Types<Svk<2>, Svk<3>, NeoHookean<2>, NeoHookean<3>, Hooke<2>, Hooke<3>, Corotated<2>,
                            Corotated<3>>;
TYPED_TEST_SUITE(ElasticLaws, Laws);

/// Stress against the slope of the energy, and the tangent against that of the stress, at F along H.
template <int Dim, class Law>
void check_slopes(const Law& law, const Mat<Dim>& F, const Mat<Dim>& H, const Mat<Dim>& at_rest,
                  bool spans_space)
{
    constexpr double h = 1e-6;
    const auto respond = [&](double t) { return law.respond(F + t * H, at_rest, spans_space); };
    const auto energy = [&](double t) { return law.energy(F + t * H, at_rest, spans_space); };
    const double slope = (energy(h) - energy(-h)) / (2.0 * h);
    const Mat<Dim> P = first_piola(respond(0.0));
    EXPECT_NEAR(double_contraction<Dim>(P, H), slope, 1e-5 * std::abs(slope) + 1e-6 * P.norm()) << F;
    const Mat<Dim> change = (first_piola(respond(h)) - first_piola(respond(-h))) / (2.0 * h);
    const Mat<Dim> dP = law.tangent(respond(0.0), H, spans_space);
    EXPECT_LT((change - dP).norm(), 1e-5 * dP.norm()) << F;
}

TYPED_TEST(ElasticLaws, stress_is_the_slope_of_the_energy_and_the_tangent_that_of_the_stress)
{
    constexpr int Dim = DimensionOf<TypeParam>::value;
    const TypeParam law = law_of<TypeParam>();
    Rng rng(5);
    // Also where the logarithm is continued, and beyond.
    for (const double pressed : {1.1, 0.6, 0.12, 0.09, 0.02, -0.1}) {
        const Mat<Dim> F = turn<Dim>() * stretched<Dim>(1.1, pressed) + random_matrix<Dim>(rng, 0.01);
        check_slopes<Dim>(law, F, random_matrix<Dim>(rng, 1.0), Mat<Dim>::Identity(), true);
    }
}

TYPED_TEST(ElasticLaws, the_same_is_true_where_neighbours_do_not_span_space)
{
    constexpr int Dim = DimensionOf<TypeParam>::value;
    const TypeParam law = law_of<TypeParam>();
    Rng rng(7);
    const Mat<Dim> span = stretched<Dim>(1.0, 0.0); // all but the last direction
    for (const double pulled : {1.3, 0.8}) {
        const Mat<Dim> F = turn<Dim>() * (stretched<Dim>(pulled, 1.0) + random_matrix<Dim>(rng, 0.01)) * span;
        check_slopes<Dim>(law, F, random_matrix<Dim>(rng, 1.0) * span, span, false);
    }
}

TYPED_TEST(ElasticLaws, a_small_strain_is_answered_as_by_linear_elasticity)
{
    constexpr int Dim = DimensionOf<TypeParam>::value;
    const SolidMaterial material = material_of<TypeParam>();
    const TypeParam law = law_of<TypeParam>();
    Rng rng(13);
    for (int n = 0; n < 10; ++n) {
        constexpr double small = 1e-6;
        const Mat<Dim> strain = [&] {
            const Mat<Dim> A = random_matrix<Dim>(rng, small);
            return Mat<Dim>(0.5 * (A + A.transpose()));
        }();
        const double lambda = material.lame_lambda(), k = material.volume_stiffness_or_default();
        Mat<Dim> sigma;
        if (material.stiffness) {
            sigma = Hooke<Dim>{{}, tensor_stiffness<Dim>(*material.stiffness)}.hooke(strain);
            sigma.diagonal().array() += k * strain.trace();
        } else {
            sigma = 2.0 * material.lame_mu() * strain;
            sigma.diagonal().array() += (lambda + k) * strain.trace();
        }
        const Mat<Dim> P = first_piola(law.respond(turn<Dim>() * (Mat<Dim>::Identity() + strain)));
        EXPECT_LT((turn<Dim>().transpose() * P - sigma).norm(), 20.0 * small * sigma.norm());
        const double energy = law.energy(Mat<Dim>::Identity() + strain);
        EXPECT_NEAR(energy, 0.5 * double_contraction<Dim>(sigma, strain), 1e-3 * energy);
    }
}

TYPED_TEST(ElasticLaws, the_tangent_is_positive_where_it_is_asked_to_be)
{
    constexpr int Dim = DimensionOf<TypeParam>::value;
    const TypeParam law = law_of<TypeParam>();
    Rng rng(17);
    int uphill = 0;
    for (const double pressed : {1.5, 1.0, 0.7, 0.3, 0.01, -0.2, -0.9})
        for (int n = 0; n < 50; ++n) {
            const Mat<Dim> F = turn<Dim>() * stretched<Dim>(1.0, pressed) + random_matrix<Dim>(rng, 0.1);
            const Mat<Dim> H = random_matrix<Dim>(rng, 1.0);
            ElasticResponse<Dim> response = law.respond(F);
            if (double_contraction<Dim>(H, law.tangent(response, H)) < 0.0) ++uphill;
            make_positive<Dim>(law, response, true);
            const Mat<Dim> dP = law.tangent(response, H);
            EXPECT_GE(double_contraction<Dim>(H, dP), -1e-12 * dP.norm() * H.norm()) << F;
        }
    EXPECT_GT(uphill, 0) << "the test would pass without it";
}

TYPED_TEST(ElasticLaws, nothing_is_strained_at_rest_however_it_is_turned)
{
    constexpr int Dim = DimensionOf<TypeParam>::value;
    const TypeParam law = law_of<TypeParam>();
    EXPECT_NEAR(law.energy(turn<Dim>()), 0.0, 1e-9);
    EXPECT_LT(first_piola(law.respond(turn<Dim>())).norm(), 1e-9);
}

TYPED_TEST(ElasticLaws, stiffening_bounds_every_plane_wave_and_is_met_where_it_matters)
{
    constexpr int Dim = DimensionOf<TypeParam>::value;
    const TypeParam law = law_of<TypeParam>();
    constexpr bool is_exact =
        std::is_same_v<TypeParam, NeoHookean<Dim>> || std::is_same_v<TypeParam, Corotated<Dim>>;
    constexpr bool is_wood = std::is_same_v<TypeParam, Hooke<Dim>>;
    Rng rng(3);
    const double at_rest = law.moduli.wave_modulus + law.moduli.volume_stiffness;
    if (!is_wood) {
        EXPECT_NEAR(law.moduli.wave_modulus / (law.moduli.lambda + 2.0 * law.moduli.mu), 1.0, 1e-12);
    }
    const auto check = [&](const Mat<Dim>& F, double closest) {
        const ElasticResponse<Dim> response = law.respond(F);
        const double bound = law.stiffening(response).waves * at_rest;
        const double wave = stiffest_wave<Dim>(law, response, rng);
        EXPECT_GE(bound, wave * (1.0 - 1e-9)) << F;
        // Of wood only the largest eigenvalue of C is known, which no wave has to itself.
        EXPECT_LE(bound, (is_wood ? 3.0 : 1.0) * closest * wave) << F;
    };
    check(Mat<Dim>::Identity(), 1.01);
    for (const double pressed : {0.8, 0.5, 0.2, 0.05, -0.2})
        check(stretched<Dim>(1.0, pressed), is_exact ? 1.001 : 3.0);
    for (const double pulled : {1.2, 2.0, 4.0}) check(stretched<Dim>(pulled, 1.0), 1.5);
    for (int n = 0; n < 20; ++n) check(Mat<Dim>::Identity() + random_matrix<Dim>(rng, 0.3), 3.0);
}

TEST(ElasticLaw, neo_hookean_gets_ever_stiffer_when_it_is_pressed)
{
    const auto law = law_of<NeoHookean<3>>();
    double before = 0.0;
    for (double J = 1.0; J > -0.5; J -= 0.01) {
        const Mat<3> P = first_piola(law.respond(Vec<3>(1.0, 1.0, J).asDiagonal()));
        EXPECT_LE(P(2, 2), before) << J;
        before = P(2, 2);
    }
}

TEST(ElasticLaw, corotated_is_a_linear_spring_through_and_beyond_inversion)
{
    const auto law = law_of<Corotated<3>>();
    const double modulus = 2.0 * law.moduli.mu + law.moduli.lambda + law.moduli.volume_stiffness;
    for (double stretch = 2.0; stretch > -0.8; stretch -= 0.0173) {
        const Mat<3> P = first_piola(law.respond(turn<3>() * Vec<3>(1.0, 1.0, stretch).asDiagonal()));
        EXPECT_NEAR((turn<3>().transpose() * P)(2, 2), modulus * (stretch - 1.0), 1e-7 * modulus) << stretch;
    }
}

/// Two of the stretches are opposite where a rotation by any angle is as near as another, and a phyxel may be
/// as thin as a sheet of paper or a thread.
TEST(ElasticLaw, corotated_has_an_answer_to_whatever_happens)
{
    const auto law = law_of<Corotated<3>>();
    for (const Vec<3>& stretches : {Vec<3>(1, 1, 0), Vec<3>(1, 0, 0), Vec<3>(0, 0, 0), Vec<3>(1, 0.5, -0.5),
                                    Vec<3>(1, 1, -1), Vec<3>(1, 1, 1e-9), Vec<3>(1e3, 1, -1e-12)}) {
        ElasticResponse<3> response = law.respond(turn<3>() * stretches.asDiagonal());
        const Mat<3> H = Vec<3>(1, 2, 3) * Vec<3>(3, -1, 2).transpose();
        EXPECT_TRUE(first_piola(response).allFinite()) << stretches;
        EXPECT_TRUE(std::isfinite(law.energy(response.F))) << stretches;
        EXPECT_TRUE(law.tangent(response, H).allFinite()) << stretches;
        make_positive<3>(law, response, true);
        EXPECT_GE(double_contraction<3>(H, law.tangent(response, H)), 0.0) << stretches;
    }
}

TEST(ElasticLaw, hooke_with_the_stiffness_of_an_isotropic_material_is_st_venant_kirchhoff)
{
    SolidMaterial material = material_of<Svk<3>>();
    StiffnessMatrix C = StiffnessMatrix::Zero();
    C.topLeftCorner<3, 3>().setConstant(material.lame_lambda());
    for (int k = 0; k < 3; ++k) {
        C(k, k) += 2.0 * material.lame_mu();
        C(3 + k, 3 + k) = material.lame_mu();
    }
    const Svk<3> svk{{ElasticModuli(material)}};
    const Hooke<3> hooke{{ElasticModuli(material)}, tensor_stiffness<3>(C)};
    Rng rng(9);
    for (int n = 0; n < 5; ++n) {
        const Mat<3> F = Mat<3>::Identity() + random_matrix<3>(rng, 0.4);
        EXPECT_NEAR(hooke.energy(F), svk.energy(F), 1e-12 * svk.energy(F));
        EXPECT_LT((hooke.respond(F).S - svk.respond(F).S).norm(), 1e-12 * svk.respond(F).S.norm());
    }
}

} // namespace
} // namespace phyxel::elastic_law_test
