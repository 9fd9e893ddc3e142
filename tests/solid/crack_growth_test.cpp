// SPDX-License-Identifier: MIT
#include <phyxel/solid/crack_growth.h>

#include <phyxel/core/error.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>
#include <vector>

namespace phyxel::crack_growth_test {
namespace {

constexpr double share = 0.1; // of stabilisation
constexpr double E = 1e6;

SolidMaterial breaking(double strength)
{
    SolidMaterial material;
    material.youngs_modulus = E;
    material.poisson_ratio = 0.25;
    material.volume_stiffness = 0.0;
    material.breaking.strength = strength;
    return material;
}

template <int Dim>
SolidModel<Dim> block(const SolidMaterial& material)
{
    std::vector<Vec<Dim>> places;
    for (int x = 0; x < 8; ++x)
        for (int y = 0; y < 8; ++y)
            for (int z = 0; z < (Dim == 3 ? 8 : 1); ++z) {
                Vec<Dim> place = Vec<Dim>::Constant(0.5 + z);
                place[0] = 0.5 + x;
                place[1] = 0.5 + y;
                places.push_back(place);
            }
    const PhyxelCloud<Dim> cloud = make_phyxels<Dim>(places, 1.0, 1.0);
    const PhyxelCloud<Dim>* const clouds[] = {&cloud};
    return make_solid_model<Dim>(clouds, std::span(&material, 1), share);
}

/// All phyxels count, and those at the surface no more than others.
template <int Dim>
std::optional<Onset<Dim>> onset_in(const SolidModel<Dim>& model, const Mat<Dim>& F,
                                   std::span<const double> plastic_strain = {})
{
    std::vector<Vec<Dim>> places = model.rest.position;
    for (Vec<Dim>& x : places) x = F * x;
    ElasticWorkspace<Dim> work(model);
    compute_responses<Dim>(model, places, {}, work);
    const BreakingLaw<Dim> law(model.materials[0], 1.0);
    std::vector<double> strength;
    for (const Vec<Dim>& x : model.rest.position) strength.push_back(law.strength_along(x));
    const std::vector<std::uint8_t> is_surface(model.size(), 0);
    return find_onset<Dim>(model, work, 0, law, strength, plastic_strain, is_surface,
                           [](Index) { return true; });
}

TEST(BreakingLaw, strength_is_between_those_along_and_across_the_grain)
{
    SolidMaterial wood = breaking(80.0);
    wood.breaking.grain = {0.0, 2.0, 0.0};
    wood.breaking.strength_across = 4.0;
    const BreakingLaw<3> law(wood, 0.1);
    const Vec<3> x(1.0, 2.0, 3.0);
    EXPECT_DOUBLE_EQ(law.strength(x, Vec<3>::UnitY()), 80.0);
    EXPECT_DOUBLE_EQ(law.strength(x, Vec<3>::UnitX()), 4.0);
    // Hankinson: 80 · 4 / (80 sin² + 4 cos²)
    EXPECT_NEAR(law.strength(x, Vec<3>(0.0, 0.6, 0.8)), 320.0 / (80.0 * 0.64 + 4.0 * 0.36), 1e-12);
}

TEST(BreakingLaw, a_crack_of_two_spacings_runs_under_the_strength)
{
    const SolidMaterial material = breaking(1e4);
    const BreakingLaw<2> law(material, 0.1);
    const Vec<2> x(0.0, 0.0), n(1.0, 0.0);
    const double modulus = E / (1.0 - 0.0625);
    EXPECT_NEAR(law.modulus(), modulus, 1e-9 * modulus);
    EXPECT_NEAR(law.fracture_energy(x, n), 0.1 * 1e8 / modulus, 1e-12);
    EXPECT_DOUBLE_EQ(law.first_radius(x, n), 0.1);
    const double released = std::numbers::pi * law.first_radius(x, n) * 1e8 / modulus;
    EXPECT_GT(released, law.fracture_energy(x, n));
}

TEST(BreakingLaw, strength_is_a_formula_of_the_place_at_rest)
{
    SolidMaterial material = breaking(1.0);
    material.breaking.strength = Formula("= 5 + 2*x - y");
    const BreakingLaw<2> law(material, 0.1);
    EXPECT_DOUBLE_EQ(law.strength(Vec<2>(3.0, 4.0), Vec<2>(1.0, 0.0)), 7.0);
    EXPECT_TRUE(std::isinf(law.strength(Vec<2>(0.0, 5.0), Vec<2>(1.0, 0.0))));
}

TEST(BreakingLaw, strength_varies_by_chance_within_its_bounds)
{
    const std::vector<double> factors = strength_factors(0.3, 7, 4000);
    EXPECT_EQ(factors, strength_factors(0.3, 7, 4000));
    EXPECT_NE(factors, strength_factors(0.3, 8, 4000));
    double mean = 0.0;
    for (const double factor : factors) {
        EXPECT_GE(factor, 0.7);
        EXPECT_LE(factor, 1.3);
        mean += factor / 4000.0;
    }
    EXPECT_NEAR(mean, 1.0, 0.02);
    for (const double factor : strength_factors(1.0, 7, 1000)) EXPECT_GT(factor, 0.0);
}

TEST(BreakingLaw, what_only_tears_has_no_strength_and_takes_no_energy)
{
    SolidMaterial material;
    material.breaking.fracture_strain = 0.5;
    const BreakingLaw<2> law(material, 0.1);
    const Vec<2> x(0.0, 0.0), n(1.0, 0.0);
    EXPECT_FALSE(law.has_strength());
    EXPECT_TRUE(std::isinf(law.strength(x, n)));
    EXPECT_DOUBLE_EQ(law.fracture_energy(x, n), 0.0);
    EXPECT_DOUBLE_EQ(law.first_radius(x, n), 0.1);
}

TEST(BreakingLaw, a_plastic_strain_that_tears_needs_a_material_that_yields)
{
    SolidMaterial material;
    material.breaking.fracture_strain = 0.5;
    EXPECT_THROW(check_material(material), InputError);
    material.yield_stress = 1e4;
    check_material(material);
    material.breaking.fracture_strain = 0.0;
    EXPECT_THROW(check_material(material), InputError);
}

TEST(BreakingLaw, numbers_that_make_no_sense_are_refused)
{
    const auto refuse = [](auto change) {
        SolidMaterial material = breaking(1.0);
        change(material.breaking);
        EXPECT_THROW(check_material(material), InputError);
    };
    check_material(breaking(1.0));
    refuse([](BreakingMaterial& b) { b.strength = -1.0; });
    refuse([](BreakingMaterial& b) { b.fracture_energy = 0.0; });
    refuse([](BreakingMaterial& b) { b.strength_variation = 1.5; });
    refuse([](BreakingMaterial& b) { b.crack_speed = 0.0; });
    refuse([](BreakingMaterial& b) { b.strength_across = -1.0; });
    refuse([](BreakingMaterial& b) { b.grain = {std::nan(""), 0.0, 0.0}; });
}

TEST(CrackGrowth, starts_where_what_is_pulled_has_flowed_too_far)
{
    SolidMaterial material;
    material.youngs_modulus = E;
    material.yield_stress = 0.1 * E;
    material.breaking.fracture_strain = 0.5;
    const SolidModel<3> model = block<3>(material);
    std::vector<double> plastic_strain(model.size(), 0.5);
    plastic_strain[77] = 0.6;
    plastic_strain[78] = 0.7;
    Mat<3> pulled = Mat<3>::Identity(), pressed = Mat<3>::Identity();
    pulled(1, 1) = 1.01;
    pressed(1, 1) = pressed(0, 0) = pressed(2, 2) = 0.99;
    const auto onset = onset_in<3>(model, pulled, plastic_strain);
    ASSERT_TRUE(onset);
    EXPECT_EQ(onset->phyxel, 78u);
    EXPECT_DOUBLE_EQ(onset->ratio, 0.7 / 0.5);
    EXPECT_NEAR(std::abs(onset->normal[1]), 1.0, 1e-9);
    EXPECT_FALSE(onset_in<3>(model, pressed, plastic_strain));
    EXPECT_FALSE(onset_in<3>(model, pulled, std::vector<double>(model.size(), 0.5)));
}

TEST(CrackGrowth, starts_across_the_largest_principal_stress_above_the_strength)
{
    Mat<2> turned;
    turned << std::cos(0.3), -std::sin(0.3), std::sin(0.3), std::cos(0.3);
    const Mat<2> stretch = Vec<2>(1.011, 1.0).asDiagonal();
    // The body is pulled along x at rest, and turned.
    const SolidModel<2> model = block<2>(breaking(1e4));
    const auto onset = onset_in<2>(model, turned * stretch);
    ASSERT_TRUE(onset);
    EXPECT_NEAR(std::abs(onset->normal[0]), 1.0, 1e-6);
    // λ + 2μ of plane strain is 1.2 E.
    EXPECT_NEAR(onset->ratio, 1.2 * 1.1, 0.02);
    EXPECT_FALSE(onset_in<2>(block<2>(breaking(1.4e4)), turned * stretch));
    EXPECT_FALSE(onset_in<2>(model, Mat<2>(Vec<2>(0.98, 0.98).asDiagonal())));
}

TEST(CrackGrowth, starts_along_the_grain_though_the_pull_is_along_it)
{
    SolidMaterial wood = breaking(1e5);
    wood.breaking.grain = {1.0, 0.0, 0.0};
    wood.breaking.strength_across = 1e3;
    const auto onset = onset_in<3>(block<3>(wood), Mat<3>(Vec<3>(1.02, 1.0, 1.005).asDiagonal()));
    ASSERT_TRUE(onset);
    EXPECT_NEAR(std::abs(onset->normal[2]), 1.0, 1e-6);
}

TEST(CrackGrowth, no_energy_is_released_where_a_body_only_moves_and_turns)
{
    SolidModel<2> model = block<2>(breaking(1e4));
    SolidCracks<2> cracks;
    draw_crack<2>(cracks.of(model, 0), std::vector<Vec<2>>{Vec<2>(-2.0, 4.0), Vec<2>(4.0, 4.0)},
                  [](const Vec<2>& x) { return (x - Vec<2>(4.0, 4.0)).cwiseAbs().maxCoeff() - 4.0; });
    find_fronts(cracks.of(model, 0));
    static_cast<void>(cracks.update(model, share));
    Mat<2> turn;
    turn << std::cos(2.0), -std::sin(2.0), std::sin(2.0), std::cos(2.0);
    std::vector<Vec<2>> places, velocities(model.size(), Vec<2>(3.0, -5.0)), forces(model.size());
    for (const Vec<2>& x : model.rest.position) places.push_back(turn * x + Vec<2>(7.0, 1.0));
    ElasticWorkspace<2> work(model);
    compute_responses<2>(model, places, {}, work);
    compute_elastic_forces<2>(model, work, forces);
    const std::vector<FrontNode<2>> nodes = front_nodes(*cracks.find(0));
    ASSERT_EQ(nodes.size(), 1u);
    const std::vector<Index> near = cracks.phyxels_near(model, 0, nodes[0].place, outer_reach);
    std::vector<std::size_t> domain;
    for (std::size_t k = 0; k < near.size(); ++k) domain.push_back(k);
    const DrivingField<2> field = driving_field<2>(model, work, forces, velocities, near);
    EXPECT_NEAR(energy_release<2>(model, field, domain, nodes, 0, 1.0), 0.0, 1e-12 * E);
    EXPECT_LT((mean_rotation(field, domain) - turn).norm(), 1e-12);
}

} // namespace
} // namespace phyxel::crack_growth_test
