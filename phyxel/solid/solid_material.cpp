// SPDX-License-Identifier: MIT
#include <phyxel/solid/solid_material.h>

#include <phyxel/core/error.h>
#include <phyxel/core/number_text.h>

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace phyxel {
namespace {

void require(bool is_right, const char* name, double value, const char* what)
{
    if (!is_right)
        throw InputError("material: " + std::string(name) + " is " + number_text(value, 6) + ", " + what);
}

void check_flow(const SolidMaterial& material)
{
    const auto is_not_negative = [](double value) { return value >= 0.0 && std::isfinite(value); };
    for (const auto& [name, value] :
         {std::pair("yield_strain", material.yield_strain), std::pair("yield_stress", material.yield_stress)})
        if (value) require(*value > 0.0 && std::isfinite(*value), name, *value, "must be above 0");
    for (const auto& [name, value] :
         {std::pair("creep_rate", material.creep_rate), std::pair("hardening", material.hardening),
          std::pair("hardening_limit", material.hardening_limit),
          std::pair("hardening_rate", material.hardening_rate)})
        require(is_not_negative(value), name, value, "must not be negative");
    if (material.max_plastic_strain)
        require(is_not_negative(*material.max_plastic_strain), "max_plastic_strain",
                *material.max_plastic_strain, "must not be negative");
    if (material.may_flow() && material.law != ElasticLaw::NeoHookean)
        throw InputError("material: what flows or melts goes with the law neo_hookean");
    if (material.may_flow() && material.plastic_flow == FlowLaw::Published)
        throw InputError("material: what flows or melts does not go with plastic_flow \"published\"");
    if (!material.is_plastic()) return;
    if (material.yield_strain && material.yield_stress)
        throw InputError("material: yield_strain and yield_stress are both given, use one of them");
    const bool is_published = material.plastic_flow == FlowLaw::Published;
    if (is_published && material.law != ElasticLaw::StVenantKirchhoff)
        throw InputError("material: plastic_flow \"published\" goes with the law st_venant_kirchhoff only");
    if (!is_published && material.law != ElasticLaw::NeoHookean)
        throw InputError(
            "material: what yields goes with the law neo_hookean, or with st_venant_kirchhoff and "
            "plastic_flow \"published\"");
}

void check_breaking(const BreakingMaterial& breaking)
{
    const auto is_positive = [](double value) { return value > 0.0 && std::isfinite(value); };
    if (breaking.strength && breaking.strength->is_number()) {
        const double value = breaking.strength->evaluate(0.0, 0.0, 0.0, 0.0);
        require(is_positive(value), "strength", value, "must be above 0");
    }
    for (const auto& [name, value] : {std::pair("fracture_energy", breaking.fracture_energy),
                                      std::pair("fracture_strain", breaking.fracture_strain),
                                      std::pair("strength_across", breaking.strength_across)})
        if (value) require(is_positive(*value), name, *value, "must be above 0");
    require(breaking.strength_variation >= 0.0 && breaking.strength_variation <= 1.0, "strength_variation",
            breaking.strength_variation, "must be from 0 to 1");
    require(breaking.crack_speed > 0.0 && breaking.crack_speed <= 1.0, "crack_speed", breaking.crack_speed,
            "must be above 0 and at most 1");
    for (const double component : breaking.grain)
        require(std::isfinite(component), "grain", component, "must be a direction");
}

} // namespace

SolidMaterial molten_material(const SolidMaterial& solid)
{
    SolidMaterial liquid = solid;
    const MoltenProperties& molten = *solid.molten;
    const auto take = [](auto& value, const std::optional<double>& given) {
        if (given) value = *given;
    };
    take(liquid.youngs_modulus, molten.youngs_modulus);
    take(liquid.poisson_ratio, molten.poisson_ratio);
    take(liquid.damping, molten.damping);
    take(liquid.viscosity, molten.viscosity);
    take(liquid.friction, molten.friction);
    liquid.volume_stiffness = molten.volume_stiffness ? molten.volume_stiffness
                              : molten.youngs_modulus ? std::nullopt
                                                      : solid.volume_stiffness;
    liquid.yield_strain = molten.yield_strain;
    liquid.yield_stress = molten.yield_stress;
    liquid.creep_rate = molten.creep_rate.value_or(0.0);
    liquid.plastic_flow = molten.creep_rate ? FlowLaw::Creep : FlowLaw::Return;
    liquid.hardening = liquid.hardening_limit = liquid.hardening_rate = 0.0;
    liquid.max_plastic_strain.reset();
    liquid.flows = true;
    liquid.molten.reset();
    return liquid;
}

SolidMaterial warmed(const SolidMaterial& solid)
{
    const bool can_flow = solid.law == ElasticLaw::NeoHookean && solid.plastic_flow != FlowLaw::Published;
    if (solid.molten || !solid.molten_once_warm || !solid.thermal.melting_point || !can_flow) return solid;
    SolidMaterial warm = solid;
    warm.molten = solid.molten_once_warm;
    if (warm.molten->youngs_modulus)
        warm.molten->youngs_modulus = std::min(*warm.molten->youngs_modulus, solid.youngs_modulus);
    return warm;
}

MoltenProperties completed(const MoltenProperties& given, const MoltenProperties& preset)
{
    MoltenProperties all = given;
    const auto take = [&](std::optional<double> MoltenProperties::*property) {
        if (!(all.*property)) all.*property = preset.*property;
    };
    for (const auto property :
         {&MoltenProperties::youngs_modulus, &MoltenProperties::poisson_ratio,
          &MoltenProperties::volume_stiffness, &MoltenProperties::damping, &MoltenProperties::viscosity,
          &MoltenProperties::friction, &MoltenProperties::creep_rate, &MoltenProperties::conductivity,
          &MoltenProperties::heat_capacity})
        take(property);
    // One takes the place of the other.
    if (!given.yield_strain && !given.yield_stress) {
        take(&MoltenProperties::yield_strain);
        take(&MoltenProperties::yield_stress);
    }
    return all;
}

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
    check_flow(material);
    check_breaking(material.breaking);
    if (material.breaking.fracture_strain && !material.is_plastic())
        throw InputError("material: a fracture_strain is plastic, and the material does not yield");
    check_thermal_material(material.thermal);
    if (material.molten) check_material(molten_material(material));
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
