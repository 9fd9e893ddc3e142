// SPDX-License-Identifier: MIT
#include <phyxel/solid/solid_material.h>

#include <phyxel/core/error.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace phyxel::solid_material_test {
namespace {

std::string refusal(const SolidMaterial& material)
{
    try {
        check_material(material);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(SolidMaterial, defaults_are_a_material) { EXPECT_EQ(refusal({}), ""); }

TEST(SolidMaterial, what_is_none_is_named)
{
    EXPECT_EQ(refusal({.poisson_ratio = 0.5}),
              "material: poisson_ratio is 0.5, must be above -1 and at most 0.499");
    EXPECT_EQ(refusal({.density = 0.0}), "material: density is 0, must be above 0");
    EXPECT_EQ(refusal({.youngs_modulus = -1.0}), "material: youngs_modulus is -1, must be above 0");
    EXPECT_EQ(refusal({.damping = -2.0}), "material: damping is -2, must not be negative");
    EXPECT_NE(refusal({.youngs_modulus = std::numeric_limits<double>::quiet_NaN()}), "");
    EXPECT_NE(refusal({.viscosity = std::numeric_limits<double>::infinity()}), "");
}

TEST(SolidMaterial, a_stiffness_is_symmetric_and_positive)
{
    SolidMaterial material{.law = ElasticLaw::StVenantKirchhoff};
    material.stiffness = StiffnessMatrix::Identity();
    EXPECT_EQ(refusal(material), "");
    (*material.stiffness)(0, 1) = 0.5;
    EXPECT_EQ(refusal(material), "material: stiffness is not symmetric");
    (*material.stiffness)(0, 1) = (*material.stiffness)(1, 0) = 2.0;
    EXPECT_EQ(refusal(material),
              "material: stiffness is -1, its least eigenvalue, and must be positive definite");
    material.stiffness = StiffnessMatrix::Identity();
    material.law = ElasticLaw::NeoHookean;
    EXPECT_EQ(refusal(material), "material: stiffness goes with the law st_venant_kirchhoff only");
}

TEST(SolidMaterial, pressure_waves_run_at_the_root_of_modulus_over_density)
{
    SolidMaterial material{.density = 1000.0, .youngs_modulus = 1e6, .poisson_ratio = 0.0};
    material.volume_stiffness = 0.0;
    EXPECT_DOUBLE_EQ(pressure_wave_speed(material), std::sqrt(1000.0));
    material.volume_stiffness = 3e6;
    EXPECT_DOUBLE_EQ(pressure_wave_speed(material), std::sqrt(4000.0));
}

} // namespace
} // namespace phyxel::solid_material_test
