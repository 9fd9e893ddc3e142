// SPDX-License-Identifier: MIT
#include <phyxel/kinds/solid/detail/body_evaluation.h>

#include <phyxel/approx/symmetric_inverse.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/solid/cauchy_stress.h>
#include <phyxel/solid/solid_heat.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace phyxel {
namespace {

double von_mises(const Mat<3>& sigma)
{
    const Mat<3> deviator = sigma - sigma.trace() / 3.0 * Mat<3>::Identity();
    return std::sqrt(1.5 * double_contraction<3>(deviator, deviator));
}

} // namespace

template <int Dim>
BodyEvaluation<Dim>::BodyEvaluation(const BodyParts<Dim>& parts, std::optional<SolidSolver<Dim>>& solver)
    : parts_(parts),
      solver_(solver)
{
}

template <int Dim>
void BodyEvaluation<Dim>::evaluate()
{
    if (is_known_) return;
    const SolidModel<Dim>& model = parts_.model;
    strain_energy_.resize(model.size());
    stabilization_energy_.resize(model.size());
    responses_ = solver_->evaluate(parts_.state);
    compute_energies<Dim>(model, parts_.state.position, strain_energy_, stabilization_energy_,
                          solver_->flown(), solver_->stabilization(), FlowMemory<Dim>(parts_.state, 0.0));
    solver_->add_crowding_energy(strain_energy_);
    is_known_ = true;
}

template <int Dim>
bool BodyEvaluation<Dim>::is_strained(std::uint32_t part)
{
    constexpr double rounding = 1e-9;
    evaluate();
    return std::any_of(responses_.begin() + parts_.model.first_of_part[part],
                       responses_.begin() + parts_.model.first_of_part[part + 1],
                       [](const ElasticResponse<Dim>& one) {
                           const Mat<Dim> C = one.F.transpose() * one.F;
                           return !((C - Mat<Dim>::Identity()).cwiseAbs().maxCoeff() <= rounding);
                       });
}

/// det F; 1 where neighbours do not span space, and none is known.
template <int Dim>
double BodyEvaluation<Dim>::volume_ratio(Index phyxel) const
{
    const Mat<Dim>& F = responses_[phyxel].F;
    return parts_.model.rest.spans_space[phyxel] && !parts_.model.is_drop(phyxel)
               ? determinant<Dim>(F, cofactor(F))
               : 1.0;
}

template <int Dim>
ParticleAmounts BodyEvaluation<Dim>::amounts()
{
    evaluate();
    const SolidModel<Dim>& model = parts_.model;
    const std::size_t count = model.size();
    volume_.resize(count);
    internal_energy_.resize(count);
    parallel_for(count, [&](Index i) {
        volume_[i] = model.rest.volume[i] * volume_ratio(i);
        internal_energy_[i] = strain_energy_[i] + stabilization_energy_[i];
    });
    if (model.fault == Fault::MassOfVolume) {
        weighed_.resize(count);
        parallel_for(count, [&](Index i) { weighed_[i] = model.material_of(i).density * volume_[i]; });
    }
    return {.mass = weighed_.empty() ? model.mass : weighed_,
            .volume = volume_,
            .rest_volume = model.rest.volume,
            .weight = model.rest.volume,
            .internal_energy = internal_energy_,
            .stabilization_energy = stabilization_energy_};
}

template <int Dim>
std::vector<double> BodyEvaluation<Dim>::field(std::string_view field, BodyCracks<Dim>& cracks)
{
    evaluate();
    const SolidModel<Dim>& model = parts_.model;
    const SolidState<Dim>& state = parts_.state;
    const std::span<const FlowStep<Dim>> flown = solver_->flown();
    const auto stress = [&](Index i) {
        const bool has_flown = !flown.empty() && model.remembers_flow(i);
        return cauchy_stress<Dim>(model.law_of(i), responses_[i],
                                  has_flown ? flown[i].shape : Mat<Dim>(Mat<Dim>::Identity()),
                                  expansion_of(model, FlowMemory<Dim>(state, 0.0), i));
    };
    if (field == "stress_tensor") {
        std::vector<double> values(6 * model.size());
        parallel_for(model.size(), [&](Index i) {
            const Mat<3> sigma = stress(i);
            const std::array<double, 6> parts = {sigma(0, 0), sigma(1, 1), sigma(2, 2),
                                                 sigma(0, 1), sigma(1, 2), sigma(0, 2)};
            std::copy(parts.begin(), parts.end(), values.begin() + 6 * static_cast<std::ptrdiff_t>(i));
        });
        return values;
    }
    if (field == "rest_position") {
        std::vector<double> values(3 * model.size(), 0.0);
        for (std::size_t i = 0; i < model.size(); ++i)
            for (std::size_t k = 0; k < Dim; ++k)
                values[3 * i + k] = model.rest.position[i][static_cast<Eigen::Index>(k)];
        return values;
    }
    if (field == "deformation_gradient") {
        std::vector<double> values(9 * model.size());
        parallel_for(model.size(), [&](Index i) {
            Mat<3> F = Mat<3>::Identity();
            F.template topLeftCorner<Dim, Dim>() = responses_[i].F;
            for (int row = 0; row < 3; ++row)
                for (int column = 0; column < 3; ++column)
                    values[9 * i + static_cast<std::size_t>(3 * row + column)] = F(row, column);
        });
        return values;
    }
    std::vector<double> values(model.size());
    parallel_for(model.size(), [&](Index i) {
        const Mat<Dim>& F = responses_[i].F;
        if (field == "strain") {
            const Mat<Dim> E = 0.5 * (F.transpose() * F - model.rest.rest_gradient(i));
            values[i] = std::sqrt(double_contraction<Dim>(E, E));
        } else if (field == "stress") {
            values[i] = von_mises(stress(i));
        } else if (field == "energy") {
            values[i] = strain_energy_[i] / model.rest.volume[i];
        } else if (field == "plastic_strain") {
            values[i] = state.remembers_flow() ? state.plastic_strain[i] : 0.0;
        } else if (field == "temperature") {
            values[i] = state.has_heat() ? temperature_of(model, state, i) : 0.0;
        } else if (field == "liquid_fraction") {
            values[i] = liquid_fraction_of(model, state, i);
        } else if (field == "volume_ratio") {
            values[i] = volume_ratio(i);
        }
    });
    if (field == "fragment")
        for (std::size_t part = 0; part < parts_.names.size(); ++part) {
            const std::span<const std::uint32_t> numbers = cracks.fragments(model, part);
            std::copy(numbers.begin(), numbers.end(),
                      values.begin() + static_cast<std::ptrdiff_t>(model.first_of_part[part]));
        }
    return values;
}

template class BodyEvaluation<2>;
template class BodyEvaluation<3>;

} // namespace phyxel
