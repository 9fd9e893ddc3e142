// SPDX-License-Identifier: MIT
// Deformation, stress and energies of the solids as they are, and the fields made of them.
#pragma once

#include <phyxel/kinds/solid/detail/body_cracks.h>
#include <phyxel/kinds/solid/detail/body_parts.h>
#include <phyxel/solid/solid_solver.h>
#include <phyxel/world/body.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace phyxel {

/// Computed once for all who ask between two steps.
template <int Dim>
class BodyEvaluation {
public:
    /// The parts and the solver must outlive it.
    BodyEvaluation(const BodyParts<Dim>& parts, std::optional<SolidSolver<Dim>>& solver);

    /// After anything has changed.
    void forget() { is_known_ = false; }

    /// Of the phyxels.
    std::span<const ElasticResponse<Dim>> responses()
    {
        evaluate();
        return responses_;
    }
    /// Whether a part is strained by more than rounding, at one of its phyxels at least.
    bool is_strained(std::uint32_t part);
    ParticleAmounts amounts();
    std::vector<double> field(std::string_view field, BodyCracks<Dim>& cracks);

private:
    void evaluate();
    double volume_ratio(Index phyxel) const;

    const BodyParts<Dim>& parts_;
    std::optional<SolidSolver<Dim>>& solver_;
    bool is_known_ = false;
    std::span<const ElasticResponse<Dim>> responses_;
    std::vector<double> strain_energy_, stabilization_energy_; ///< [J]
    std::vector<double> volume_, internal_energy_;             ///< [m^Dim], [J]
    std::vector<double> weighed_;                              ///< empty without the fault of that [kg]
};

extern template class BodyEvaluation<2>;
extern template class BodyEvaluation<3>;

} // namespace phyxel
