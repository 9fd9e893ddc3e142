// SPDX-License-Identifier: MIT
// Materials that change while the solid is strained: what melts, sets, or is made another by an event. Stress
// stays as it is; what is remembered of the deformation changes to that which has this stress in the other
// material.
#pragma once

#include <phyxel/solid/solid_model.h>
#include <phyxel/solid/solid_state.h>

#include <cstdint>
#include <span>

namespace phyxel {

/// What is elastic of a deformation: bₑ, in space also where the solid is a plane, and J.
struct ElasticState {
    Mat<3> stretch = Mat<3>::Identity(); ///< with the determinant J²
    double volume = 1.0;
};

/// Kirchhoff's stress of neo-Hooke's law, without what is added where it is crushed [Pa].
Mat<3> kirchhoff_stress(const ElasticState& state, const ElasticModuli& moduli);

/// The state that has the same stress in another material: bₑ' = (μ/μ') dev bₑ + t, where t and J' follow
/// from det bₑ' = J'² and the pressure.
ElasticState with_same_stress(const ElasticState& state, const ElasticModuli& before,
                              const ElasticModuli& after);

/// That which has a stress of Kirchhoff's [Pa] in a material of neo-Hooke's law.
ElasticState with_stress(const Mat<3>& tau, const ElasticModuli& moduli);

/// Whether the same strain can have another stress in the other material.
bool changes_stress(const SolidMaterial& before, const SolidMaterial& after);

/// SolidModel::set_material for a solid in motion. If its state remembers its rest it keeps its stress, that
/// of Kirchhoff, and with it all forces but those that keep neighbours in line: what is remembered is what
/// has this stress in the other material. Not what becomes `corotated`, a law that has no memory, nor phyxels
/// whose neighbours do not span space. What flows or melts, before or after, has to remember its rest.
template <int Dim>
void switch_material(SolidModel<Dim>& model, SolidState<Dim>& solid, std::size_t part,
                     const SolidMaterial& material, double stabilization_share);

/// Melts and sets phyxels: `is_molten` for all of them; of parts that do not melt it is passed over. Says
/// whether anything has changed. Solvers have to be told.
template <int Dim>
bool set_molten(SolidModel<Dim>& model, SolidState<Dim>& solid, std::span<const std::uint8_t> is_molten,
                double stabilization_share);

} // namespace phyxel
