// SPDX-License-Identifier: MIT
#include <phyxel/solid/elastic_law.h>

#include <phyxel/core/rng.h>

#include <Eigen/Geometry>

#include <gtest/gtest.h>

namespace phyxel {
namespace {

SolidMaterial material_with(ElasticLaw law)
{
    SolidMaterial material{.law = law, .youngs_modulus = 1e4, .poisson_ratio = 0.45};
    if (law == ElasticLaw::StVenantKirchhoff) material.volume_stiffness = 500.0;
    return material;
}

template <int Dim>
Mat<Dim> random_matrix(Rng& rng, double size)
{
    Mat<Dim> matrix;
    for (int r = 0; r < Dim; ++r)
        for (int c = 0; c < Dim; ++c) matrix(r, c) = rng.uniform(-size, size);
    return matrix;
}

/// How stiff the stiffest of many plane waves is, by the tangent itself.
template <int Dim>
double stiffest_wave(const ElasticConstants<Dim>& material, const ElasticResponse<Dim>& response, Rng& rng)
{
    double largest = 0.0;
    for (int n = 0; n < 400; ++n) {
        const Vec<Dim> direction = n < Dim ? Vec<Dim>(Vec<Dim>::Unit(n)) : rng.point<Dim>(-1, 1).normalized();
        Vec<Dim> a = rng.point<Dim>(-1, 1).normalized();
        // The stiffest polarisation, by powers of the acoustic tensor.
        for (int power = 0; power < 8; ++power) {
            const Mat<Dim> H = a * direction.transpose();
            const Vec<Dim> next = first_piola_change<Dim>(material, response, H, true) * direction;
            largest = std::max(largest, a.dot(next));
            a = next.normalized();
        }
    }
    return largest;
}

TEST(ElasticLaw, stiffening_bounds_every_plane_wave_and_is_met_where_it_matters)
{
    Rng rng(3);
    for (const ElasticLaw law : {ElasticLaw::StVenantKirchhoff, ElasticLaw::NeoHookean}) {
        const ElasticConstants<3> material(material_with(law));
        const double at_rest = material.wave_modulus + material.volume_stiffness;
        EXPECT_DOUBLE_EQ(material.wave_modulus, material.lambda + 2.0 * material.mu);
        const auto check = [&](const Mat<3>& F, double closest) {
            const ElasticResponse<3> response = respond<3>(material, F, Mat<3>::Identity(), true);
            const double bound = stiffening<3>(material, response, true).waves * at_rest;
            const double wave = stiffest_wave<3>(material, response, rng);
            EXPECT_GE(bound, wave * (1.0 - 1e-9)) << F;
            EXPECT_LE(bound, closest * wave) << F;
        };
        check(Mat<3>::Identity(), 1.01);
        for (const double pressed : {0.8, 0.5, 0.2, 0.05, -0.2})
            check(Vec<3>(1.0, 1.0, pressed).asDiagonal(), law == ElasticLaw::NeoHookean ? 1.001 : 3.0);
        for (const double pulled : {1.2, 2.0, 4.0}) check(Vec<3>(1.0, pulled, 1.0).asDiagonal(), 1.5);
        for (int n = 0; n < 20; ++n) check(Mat<3>::Identity() + random_matrix<3>(rng, 0.3), 3.0);
    }
}

TEST(ElasticLaw, neo_hookean_gets_ever_stiffer_when_it_is_pressed)
{
    const ElasticConstants<3> material(material_with(ElasticLaw::NeoHookean));
    double before = 0.0;
    for (double J = 1.0; J > -0.5; J -= 0.01) {
        const Mat<3> F = Vec<3>(1.0, 1.0, J).asDiagonal();
        const Mat<3> P = first_piola(respond<3>(material, F, Mat<3>::Identity(), true));
        EXPECT_LE(P(2, 2), before) << J;
        before = P(2, 2);
    }
}

TEST(ElasticLaw, stress_is_the_slope_of_the_energy_and_the_tangent_that_of_the_stress)
{
    Rng rng(5);
    for (const ElasticLaw law : {ElasticLaw::StVenantKirchhoff, ElasticLaw::NeoHookean}) {
        const ElasticConstants<3> material(material_with(law));
        // Also where the logarithm is continued, and beyond.
        for (const double pressed : {1.1, 0.6, 0.12, 0.09, 0.02, -0.1}) {
            const Mat<3> turn = Eigen::AngleAxisd(0.7, Vec<3>(1, 2, 3).normalized()).toRotationMatrix();
            const Mat<3> F = turn * Vec<3>(1.1, 0.95, pressed).asDiagonal() + random_matrix<3>(rng, 0.01);
            const Mat<3> H = random_matrix<3>(rng, 1.0);
            constexpr double h = 1e-6;
            const auto response = [&](double t) {
                return respond<3>(material, F + t * H, Mat<3>::Identity(), true);
            };
            const auto energy = [&](double t) {
                return strain_energy<3>(material, F + t * H, Mat<3>::Identity(), true);
            };
            const double slope = (energy(h) - energy(-h)) / (2.0 * h);
            const Mat<3> P = first_piola(response(0.0));
            EXPECT_NEAR(double_contraction<3>(P, H) / slope, 1.0, 1e-5) << pressed;
            const Mat<3> change = (first_piola(response(h)) - first_piola(response(-h))) / (2.0 * h);
            const Mat<3> dP = first_piola_change<3>(material, response(0.0), H, true);
            EXPECT_LT((change - dP).norm(), 1e-5 * dP.norm()) << pressed;
        }
    }
}

} // namespace
} // namespace phyxel
