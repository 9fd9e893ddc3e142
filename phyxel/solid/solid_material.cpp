// SPDX-License-Identifier: MIT
#include <phyxel/solid/solid_material.h>

#include <phyxel/core/error.h>
#include <phyxel/core/number_text.h>

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <string>

namespace phyxel {
namespace {

void require(bool is_right, const char* name, double value, const char* what)
{
    if (!is_right)
        throw InputError("material: " + std::string(name) + " is " + number_text(value, 6) + ", " + what);
}

} // namespace

void check_material(const SolidMaterial& material)
{
    const auto is_positive = [](double value) { return value > 0.0 && std::isfinite(value); };
    const auto is_not_negative = [](double value) { return value >= 0.0 && std::isfinite(value); };
    require(is_positive(material.density), "density", material.density, "must be above 0");
    require(is_positive(material.youngs_modulus), "youngs_modulus", material.youngs_modulus,
            "must be above 0");
    require(material.poisson_ratio > -1.0 && material.poisson_ratio <= 0.499, "poisson_ratio",
            material.poisson_ratio, "must be above -1 and at most 0.499");
    require(is_not_negative(material.volume_stiffness_or_default()), "volume_stiffness",
            material.volume_stiffness_or_default(), "must not be negative");
    require(is_not_negative(material.damping), "damping", material.damping, "must not be negative");
    require(is_not_negative(material.viscosity), "viscosity", material.viscosity, "must not be negative");
    require(is_not_negative(material.friction), "friction", material.friction, "must not be negative");
    if (!material.stiffness) return;
    const StiffnessMatrix& C = *material.stiffness;
    if (material.law != ElasticLaw::StVenantKirchhoff)
        throw InputError("material: stiffness goes with the law st_venant_kirchhoff only");
    if (!C.allFinite()) throw InputError("material: stiffness has entries that are not finite");
    constexpr double rounding = 1e-9;
    if (!C.isApprox(C.transpose(), rounding)) throw InputError("material: stiffness is not symmetric");
    const Eigen::SelfAdjointEigenSolver<StiffnessMatrix> modes(C);
    require(modes.eigenvalues()[0] > 0.0, "stiffness", modes.eigenvalues()[0],
            "its least eigenvalue, and must be positive definite");
}

double pressure_wave_speed(const SolidMaterial& material)
{
    double modulus = material.lame_lambda() + 2.0 * material.lame_mu();
    // No wave in an anisotropic solid is faster than its stiffest direction allows.
    if (material.stiffness)
        modulus = Eigen::SelfAdjointEigenSolver<StiffnessMatrix>(*material.stiffness).eigenvalues()[5];
    return std::sqrt((modulus + material.volume_stiffness_or_default()) / material.density);
}

} // namespace phyxel
