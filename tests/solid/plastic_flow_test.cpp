// SPDX-License-Identifier: MIT
#include <phyxel/solid/plastic_flow.h>

#include <phyxel/core/rng.h>
#include <phyxel/solid/neo_hookean.h>
#include <phyxel/solid/svk.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <Eigen/LU>

#include <gtest/gtest.h>

#include <cmath>

#include "solid_support.h"

namespace phyxel::plastic_flow_test {
namespace {

using solid_support::Solids;

SolidMaterial yielding(double strain)
{
    SolidMaterial material{.youngs_modulus = 1e6};
    material.volume_stiffness = 0.0;
    material.yield_strain = strain;
    return material;
}

SolidMaterial published(double strain)
{
    SolidMaterial material = yielding(strain);
    material.law = ElasticLaw::StVenantKirchhoff;
    material.plastic_flow = FlowLaw::Published;
    return material;
}

Mat<3> random_deformation(Rng& rng, double size)
{
    Mat<3> F = Mat<3>::Identity();
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) F(r, c) += size * (2.0 * rng.uniform() - 1.0);
    return F;
}

/// The norm of the deviator of ½ ln bₑ.
double elastic_strain(const Mat<3>& F, const Mat<3>& shape)
{
    const Eigen::SelfAdjointEigenSolver<Mat<3>> modes(F * shape * F.transpose());
    const Vec<3> h = 0.5 * modes.eigenvalues().array().log();
    return (h.array() - h.mean()).matrix().norm();
}

double von_mises(const SolidMaterial& material, const Mat<3>& F, const Mat<3>& shape)
{
    const NeoHookean<3> law{ElasticModuli(material)};
    const Mat<3> sigma = first_piola(law.respond(F, shape)) * F.transpose() / F.determinant();
    const Mat<3> deviator = sigma - sigma.trace() / 3.0 * Mat<3>::Identity();
    return std::sqrt(1.5) * deviator.norm();
}

TEST(PlasticFlow, brings_the_elastic_strain_back_to_where_it_yields_and_keeps_volume)
{
    const PlasticFlow<3> law(yielding(0.05));
    Rng rng(1);
    Mat<3> shape = Mat<3>::Identity();
    double strain = 0.0;
    for (int n = 0; n < 200; ++n) {
        const Mat<3> F = random_deformation(rng, 0.4);
        const double before = elastic_strain(F, shape);
        const FlowStep<3> step = law.flow(F, shape, strain, 0.1);
        EXPECT_NEAR(elastic_strain(F, step.shape), std::min(before, 0.05), 1e-9);
        EXPECT_NEAR(step.strain, std::sqrt(2.0 / 3.0) * std::max(0.0, before - 0.05), 1e-9);
        EXPECT_NEAR(step.shape.determinant(), 1.0, 1e-12);
        shape = step.shape;
        strain += step.strain;
    }
}

TEST(PlasticFlow, below_the_yield_strain_nothing_flows)
{
    Rng rng(2);
    for (const double yield : {0.01, 0.1, 0.5, 3.0}) {
        const PlasticFlow<3> law(yielding(yield));
        for (int n = 0; n < 500; ++n) {
            const Mat<3> F = random_deformation(rng, 0.8 * yield);
            if (F.determinant() <= 0.0) continue;
            const FlowStep<3> step = law.flow(F, Mat<3>::Identity(), 0.0, 0.1);
            EXPECT_EQ(step.strain > 0.0, elastic_strain(F, Mat<3>::Identity()) > yield) << F;
        }
    }
}

TEST(PlasticFlow, does_not_depend_on_how_the_body_is_turned)
{
    const PlasticFlow<3> law(yielding(0.02));
    Rng rng(3);
    const Mat<3> F = random_deformation(rng, 0.3);
    const Mat<3> R = Eigen::AngleAxisd(1.0, Vec<3>(1, 2, 3).normalized()).toRotationMatrix();
    EXPECT_TRUE(law.flow(R * F, Mat<3>::Identity(), 0.0, 0.1)
                    .shape.isApprox(law.flow(F, Mat<3>::Identity(), 0.0, 0.1).shape, 1e-12));
}

TEST(PlasticFlow, stress_that_yields_is_the_one_that_was_given_and_grows_with_hardening)
{
    SolidMaterial material = yielding(0.05);
    material.yield_strain.reset();
    material.yield_stress = 3e4;
    material.hardening = 1e5;
    const PlasticFlow<3> law(material);
    Rng rng(4);
    Mat<3> shape = Mat<3>::Identity();
    double strain = 0.0;
    for (int n = 0; n < 100; ++n) {
        const Mat<3> F = random_deformation(rng, 0.3);
        const FlowStep<3> step = law.flow(F, shape, strain, 0.1);
        shape = step.shape;
        strain += step.strain;
        const double bound = 3e4 + 1e5 * strain;
        EXPECT_LE(von_mises(material, F, shape), bound * (1.0 + 1e-9));
        if (step.strain > 0.0) {
            EXPECT_NEAR(von_mises(material, F, shape), bound, 1e-9 * bound);
        }
    }
}

TEST(PlasticFlow, hardening_may_die_out)
{
    for (const bool by_stress : {true, false}) {
        SolidMaterial material = yielding(0.05);
        if (by_stress) {
            material.yield_strain.reset();
            material.yield_stress = 3e4;
        }
        material.hardening = 1e4;
        material.hardening_limit = 2e4;
        material.hardening_rate = 15.0;
        const PlasticFlow<3> law(material);
        Rng rng(8);
        Mat<3> shape = Mat<3>::Identity();
        double strain = 0.0;
        for (int n = 0; n < 50; ++n) {
            const Mat<3> F = random_deformation(rng, 0.3);
            const FlowStep<3> step = law.flow(F, shape, strain, 0.1);
            shape = step.shape;
            strain += step.strain;
            if (step.strain == 0.0) continue;
            const double grown = 1e4 * strain + 2e4 * (1.0 - std::exp(-15.0 * strain));
            if (by_stress) {
                EXPECT_NEAR(von_mises(material, F, shape), 3e4 + grown, 1e-6);
            } else {
                EXPECT_NEAR(elastic_strain(F, shape), 0.05 + grown / (std::sqrt(6.0) * 1e6 / 2.6), 1e-10);
            }
        }
        EXPECT_GT(strain, 1.0);
    }
}

TEST(PlasticFlow, creep_depends_on_time_and_not_on_steps)
{
    SolidMaterial material = yielding(0.01);
    material.plastic_flow = FlowLaw::Creep;
    material.creep_rate = 2.0;
    const PlasticFlow<3> law(material);
    Rng rng(5);
    const Mat<3> F = random_deformation(rng, 0.2);
    const double at_first = elastic_strain(F, Mat<3>::Identity());
    const auto after = [&](double time, int steps) {
        FlowStep<3> all;
        for (int n = 0; n < steps; ++n) {
            const FlowStep<3> step = law.flow(F, all.shape, all.strain, time / steps);
            all = {step.shape, all.strain + step.strain};
        }
        return elastic_strain(F, all.shape);
    };
    EXPECT_NEAR(after(0.4, 1), at_first * std::exp(-0.8), 1e-9);
    EXPECT_NEAR(after(0.4, 40), at_first * std::exp(-0.8), 1e-9);
    EXPECT_NEAR(after(100.0, 3), 0.01, 1e-9);
    EXPECT_NEAR(after(100.0, 300), 0.01, 1e-9);
}

TEST(PlasticFlow, ends_at_the_largest_plastic_strain)
{
    SolidMaterial material = yielding(0.01);
    material.max_plastic_strain = 0.1;
    const PlasticFlow<3> law(material);
    FlowStep<3> all;
    for (double stretch = 1.0; stretch < 1.5; stretch += 0.01) {
        const Mat<3> F = Vec<3>(stretch, 1.0 / std::sqrt(stretch), 1.0 / std::sqrt(stretch)).asDiagonal();
        const FlowStep<3> step = law.flow(F, all.shape, all.strain, 0.1);
        all = {step.shape, all.strain + step.strain};
    }
    EXPECT_NEAR(all.strain, 0.1, 1e-12);
}

TEST(PlasticFlow, in_the_plane_is_that_of_a_sheet_that_cannot_get_thicker)
{
    const SolidMaterial material = yielding(0.03);
    Rng rng(6);
    Mat<2> shape = Mat<2>::Identity();
    Mat<3> in_space = Mat<3>::Identity();
    for (int n = 0; n < 50; ++n) {
        Mat<3> F = random_deformation(rng, 0.3);
        F.row(2) = Vec<3>(0, 0, 1).transpose();
        F.col(2) = Vec<3>(0, 0, 1);
        const Mat<2> in_plane = F.topLeftCorner<2, 2>();
        shape = PlasticFlow<2>(material).flow(in_plane, shape, 0.0, 0.1).shape;
        in_space = PlasticFlow<3>(material).flow(F, in_space, 0.0, 0.1).shape;
        EXPECT_TRUE(shape.isApprox(in_space.topLeftCorner<2, 2>(), 1e-9));
        EXPECT_NEAR(1.0 / shape.determinant(), in_space(2, 2), 1e-9);
        const ElasticModuli moduli(material);
        EXPECT_NEAR(NeoHookean<2>{moduli}.energy(in_plane, shape), NeoHookean<3>{moduli}.energy(F, in_space),
                    1e-9 * moduli.mu);
    }
}

/// V-E9: along one path on which only E_xx is not 0.
TEST(PlasticFlow, published_flow_has_the_hysteresis_of_the_paper)
{
    const PlasticFlow<3> law(published(0.02));
    FlowStep<3> all;
    double work = 0.0; // Σ σ : dEₚ, over E
    const auto go_to = [&](double E) {
        Mat<3> F = Mat<3>::Identity();
        F(0, 0) = std::sqrt(1.0 + 2.0 * E);
        const FlowStep<3> step = law.flow(F, all.shape, all.strain, 0.1);
        const double plastic = 0.5 * (step.shape(0, 0) - 1.0), before = 0.5 * (all.shape(0, 0) - 1.0);
        work += (E - plastic) * (plastic - before);
        all = {step.shape, all.strain + step.strain};
        return plastic;
    };
    const auto load = [&](double from, double to) {
        double plastic = 0.0;
        for (int n = 1; n <= 1000; ++n) plastic = go_to(from + (to - from) * n / 1000);
        return plastic;
    };
    EXPECT_NEAR(load(0.0, 0.1), 0.08, 1e-12);
    EXPECT_NEAR(load(0.1, 0.0), 0.02, 1e-12);
    work = 0.0;
    EXPECT_NEAR(load(0.0, 0.1), 0.08, 1e-12);
    EXPECT_NEAR(load(0.1, 0.0), 0.02, 1e-12);
    EXPECT_NEAR(work, 2.0 * 0.02 * 0.06, 1e-9); // the area of the loop
    EXPECT_NEAR(all.strain, 0.08 + 3.0 * 0.06, 1e-9);
}

TEST(PlasticFlow, published_creep_takes_its_share_in_each_step_and_stops_below_the_yield_strain)
{
    SolidMaterial material = published(0.02);
    material.creep_rate = 5.0;
    const PlasticFlow<3> law(material);
    Mat<3> F = Mat<3>::Identity();
    F(0, 0) = std::sqrt(1.2);
    FlowStep<3> all;
    double elastic = 0.1;
    for (int n = 0; n < 100; ++n) {
        const FlowStep<3> step = law.flow(F, all.shape, all.strain, 0.02);
        all = {step.shape, all.strain + step.strain};
        if (elastic > 0.02) elastic *= std::exp(-0.1);
        EXPECT_NEAR(0.1 - 0.5 * (all.shape(0, 0) - 1.0), elastic, 1e-12);
    }
    EXPECT_GT(elastic, 0.02 * std::exp(-0.1));
    EXPECT_LE(elastic, 0.02);
}

TEST(PlasticSolid, stiffness_is_the_derivative_of_the_forces_while_it_flows)
{
    Solids solid({Box<3>{Vec<3>::Zero(), Vec<3>::Ones()}}, 0.25, yielding(0.02), ImplicitOptions{});
    Rng rng(7);
    const Mat<3> F = random_deformation(rng, 0.15);
    std::vector<Vec<3>> places = solid.state.position;
    for (Vec<3>& x : places) x = F * x + 0.01 * Vec<3>(rng.uniform(), rng.uniform(), rng.uniform());
    std::vector<Vec<3>> change(places.size());
    for (Vec<3>& c : change) c = Vec<3>(rng.uniform(), rng.uniform(), rng.uniform()) - Vec<3>::Constant(0.5);
    ElasticWorkspace<3> work(solid.model);
    work.memory = FlowMemory<3>(solid.state, 0.1);
    const auto forces_at = [&](double step) {
        std::vector<Vec<3>> moved = places, forces(places.size());
        for (std::size_t i = 0; i < moved.size(); ++i) moved[i] += step * change[i];
        compute_responses<3>(solid.model, moved, {}, work);
        compute_elastic_forces<3>(solid.model, work, forces);
        return forces;
    };
    const double step = 1e-6;
    const std::vector<Vec<3>> ahead = forces_at(step), behind = forces_at(-step), now = forces_at(0.0);
    double flowing = 0.0;
    for (const FlowStep<3>& flown : work.flown) flowing += flown.strain > 0.0 ? 1.0 : 0.0;
    EXPECT_GT(flowing, 0.9 * static_cast<double>(work.flown.size()));
    std::vector<Vec<3>> product(places.size());
    apply_stiffness<3>(solid.model, change, 0.0, work, product);
    double error = 0.0, size = 0.0;
    for (std::size_t i = 0; i < product.size(); ++i) {
        error += (product[i] + (ahead[i] - behind[i]) / (2.0 * step)).squaredNorm();
        size += product[i].squaredNorm();
    }
    EXPECT_LT(std::sqrt(error / size), 1e-5);
}

const Box<3> drawn_bar{Vec<3>::Zero(), Vec<3>(1.0, 0.3, 0.3)};

/// Its ends are held, and drawn out by a tenth of its length in a second.
std::vector<SolidRegion<3>> drawn_ends()
{
    const PhyxelCloud<3> cloud = solid_support::box_of_phyxels(drawn_bar, 0.1);
    const auto layer = [&](double from) {
        return solid_support::phyxels_where(
            cloud, [&](const Vec<3>& X) { return X[0] > from && X[0] < from + 0.1; });
    };
    const std::vector<MotionKey<3>> keys = {{.time = 0.0}, {.time = 1.0, .move = Vec<3>(0.1, 0.0, 0.0)}};
    return {{"held", layer(0.0), PrescribedMotion<3>{}},
            {"drawn", layer(0.9), PrescribedMotion<3>{Motion<3>(keys, Interpolation::Linear)}}};
}

/// However often a step evaluates it, and however large it is.
TEST(PlasticSolid, flows_once_in_a_step)
{
    SolidMaterial material = yielding(0.02);
    material.hardening = 1e5;
    for (const SolidOptions& options :
         {SolidOptions(LeapfrogOptions{}), SolidOptions(ImplicitOptions{.time_step = 0.1}),
          SolidOptions(QuasiStaticOptions{})}) {
        Solids solid({drawn_bar}, 0.1, material, options, drawn_ends());
        const double dt = std::min(0.25, solid.solver.stable_time_step(solid.state));
        double most = 0.0;
        for (int n = 0; n * dt < 0.8; ++n) {
            const SolidState<3> before = solid.state;
            const SolidStepReport report = solid.step(dt);
            ASSERT_TRUE(report.converged);
            const bool is_explicit = std::holds_alternative<LeapfrogOptions>(options);
            ElasticWorkspace<3> work(solid.model);
            work.memory = FlowMemory<3>(before, dt);
            compute_responses<3>(solid.model, (is_explicit ? before : solid.state).position, {}, work);
            for (std::size_t i = 0; i < solid.state.size(); ++i) {
                ASSERT_NEAR(solid.state.plastic_strain[i], before.plastic_strain[i] + work.flown[i].strain,
                            1e-14);
                most = std::max(most, solid.state.plastic_strain[i]);
            }
        }
        EXPECT_GT(most, 0.05);
    }
}

/// With its own tangent, Newton's method takes few iterations, and few more than for what is elastic.
TEST(PlasticSolid, takes_few_iterations_to_equilibrium)
{
    const auto iterations = [](const SolidMaterial& material) {
        Solids solid({drawn_bar}, 0.1, material, QuasiStaticOptions{.tolerance = 1e-8}, drawn_ends());
        int count = 0;
        for (int n = 0; n < 4; ++n) {
            const SolidStepReport report = solid.step(0.25);
            EXPECT_TRUE(report.converged);
            count += report.newton_iterations;
        }
        return count;
    };
    SolidMaterial elastic{.youngs_modulus = 1e6};
    elastic.volume_stiffness = 0.0;
    SolidMaterial hardens = yielding(0.02);
    hardens.hardening = 1e5;
    const int before = iterations(elastic);
    EXPECT_LE(iterations(hardens), 2 * before) << before;
    EXPECT_LE(iterations(yielding(0.02)), 2 * before) << before;
}

TEST(PlasticSolid, that_was_stretched_stays_longer)
{
    // One end is drawn away and let go.
    for (const SolidOptions& options : {SolidOptions(LeapfrogOptions{}), SolidOptions(ImplicitOptions{})}) {
        const Box<3> bar{Vec<3>::Zero(), Vec<3>(1.0, 0.3, 0.3)};
        for (const bool yields : {false, true}) {
            SolidMaterial material{.youngs_modulus = 1e5, .damping = 20.0};
            if (yields) material.yield_strain = 0.05;
            Solids solid({bar}, 0.1, material, options);
            for (std::size_t i = 0; i < solid.state.size(); ++i) solid.state.position[i][0] *= 1.3;
            for (int n = 0; n < 1000; ++n) ASSERT_FALSE(solid.step(1e-3).lost);
            double longest = 0.0, shortest = 1.0;
            for (const Vec<3>& x : solid.state.position) {
                longest = std::max(longest, x[0]);
                shortest = std::min(shortest, x[0]);
            }
            if (yields) {
                EXPECT_GT(longest - shortest, 1.1 * 0.9);
            } else {
                EXPECT_NEAR(longest - shortest, 0.9, 0.01);
            }
        }
    }
}

} // namespace
} // namespace phyxel::plastic_flow_test
