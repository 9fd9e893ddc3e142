// SPDX-License-Identifier: MIT
// What a solid is made of.
#pragma once

#include <phyxel/approx/thermal_material.h>
#include <phyxel/core/types.h>
#include <phyxel/solid/breaking_material.h>

#include <array>
#include <optional>
#include <string_view>

namespace phyxel {

enum class ElasticLaw {
    StVenantKirchhoff, ///< S = C : E, Hooke's law in Green's strain [MKN*04, Eq. 4]; gives way when pressed
    NeoHookean,        ///< resists any compression, for large strain
    Corotated,         ///< stress in proportion to stretch; gives way to loads, but never stiffens
};

struct ElasticLawName {
    ElasticLaw law;
    std::string_view name;
};

/// All laws, as scenes call them.
inline constexpr std::array elastic_law_names = {
    ElasticLawName{ElasticLaw::StVenantKirchhoff, "st_venant_kirchhoff"},
    ElasticLawName{ElasticLaw::NeoHookean, "neo_hookean"},
    ElasticLawName{ElasticLaw::Corotated, "corotated"},
};

/// Stress (xx, yy, zz, xy, yz, xz) from strain, whose last three are twice the components of the tensor.
using StiffnessMatrix = Eigen::Matrix<double, 6, 6>;

/// How a material flows that yields; see plastic_flow.h.
enum class FlowLaw {
    Return,    ///< at once, back to where it yields
    Creep,     ///< towards that, at a rate
    Published, ///< plastic strain is taken off Green's strain [MKN*04, Sec. 4.1]
};

/// What else holds of a material while it is molten.
struct MoltenProperties {
    std::optional<double> youngs_modulus = {};
    std::optional<double> poisson_ratio = {};
    std::optional<double> volume_stiffness = {};
    std::optional<double> damping = {};
    std::optional<double> viscosity = {};
    std::optional<double> friction = {};
    std::optional<double> yield_strain = {};
    std::optional<double> yield_stress = {};
    std::optional<double> creep_rate = {};
    // What scenes say; where heat flows, ThermalMaterial has them.
    std::optional<double> conductivity = {};
    std::optional<double> heat_capacity = {};

    bool operator==(const MoltenProperties&) const = default;
};

struct SolidMaterial {
    ElasticLaw law = ElasticLaw::NeoHookean;
    double density = 1000.0;                       ///< [kg/m³]
    double youngs_modulus = 5e5;                   ///< E [Pa]
    double poisson_ratio = 0.3;                    ///< ν
    std::optional<double> volume_stiffness = {};   ///< k_v [MKN*04, Eq. 7] [Pa]; E/10 if not given
    std::optional<StiffnessMatrix> stiffness = {}; ///< C, instead of E and ν; St. Venant-Kirchhoff only [Pa]
    double damping = 0.0;                          ///< rate at which all motion dies [1/s]
    double viscosity = 0.0;                        ///< of deformation [Pa s]
    double friction = 0.5;                         ///< Coulomb's coefficient where it touches other solids

    // It yields if one of these is given.
    std::optional<double> yield_strain = {}; ///< norm of the deviator of the elastic strain
    std::optional<double> yield_stress = {}; ///< von Mises' [Pa]
    FlowLaw plastic_flow = FlowLaw::Return;
    double creep_rate = 0.0; ///< share of the elastic strain that flows [1/s]
    double hardening = 0.0;  ///< what the yield stress grows by for each plastic strain [Pa]
    /// What it grows by at most besides, which dies out: limit (1 − exp(−rate · plastic strain)) [Pa].
    double hardening_limit = 0.0;
    double hardening_rate = 0.0;
    std::optional<double> max_plastic_strain = {}; ///< after which it is elastic

    BreakingMaterial breaking = {}; ///< of what breaks by itself
    ThermalMaterial thermal = {};   ///< where heat flows
    /// Its shape at rest is forgotten; without a yield strain or stress it bears no shear for long.
    bool flows = false;
    std::optional<MoltenProperties> molten = {}; ///< what it is where it is hot; without it nothing melts
    /// Of a preset: what it is where it is hot, once heat flows. Until then it is a material that does not
    /// melt, so that what stays cold computes nothing for it.
    std::optional<MoltenProperties> molten_once_warm = {};

    bool is_plastic() const { return yield_strain || yield_stress; }
    /// Whether cracks start in it by themselves. What flows has none.
    bool breaks() const { return (breaking.strength || breaking.fracture_strain) && !may_flow(); }
    /// Whether a phyxel of it can come to flow, or does.
    bool may_flow() const { return flows || molten; }

    bool operator==(const SolidMaterial&) const = default;

    /// Lamé's λ and μ [Pa].
    double lame_lambda() const
    {
        return youngs_modulus * poisson_ratio / ((1.0 + poisson_ratio) * (1.0 - 2.0 * poisson_ratio));
    }
    double lame_mu() const { return youngs_modulus / (2.0 * (1.0 + poisson_ratio)); }
    double volume_stiffness_or_default() const { return volume_stiffness.value_or(0.1 * youngs_modulus); }
};

/// What a material that melts is then: it flows, with what it says of itself as molten in the place of the
/// same of the solid. What the solid yields at is no more.
SolidMaterial molten_material(const SolidMaterial& solid);

/// What a material is among others in which heat flows: one that melts, if it knows how, has a melting point
/// and can flow at all. No melt of a preset is stiffer than the solid.
SolidMaterial warmed(const SolidMaterial& solid);

/// `given`, and where it says nothing what `preset` says.
MoltenProperties completed(const MoltenProperties& given, const MoltenProperties& preset);

/// Throws InputError, naming the parameter, unless the material is one: positive density and stiffness,
/// ν in (−1, 0.499], C symmetric and positive definite.
void check_material(const SolidMaterial& material);

/// Speed of pressure waves at rest, volume term included [m/s].
double pressure_wave_speed(const SolidMaterial& material);

} // namespace phyxel
