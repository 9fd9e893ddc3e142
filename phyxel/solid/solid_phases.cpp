// SPDX-License-Identifier: MIT
#include <phyxel/solid/solid_phases.h>

#include <phyxel/core/assert.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/solid/elastic_stages.h>

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

namespace phyxel {
namespace {

/// Where f, which grows, is zero: between 0 and as far above as it takes, by halves.
template <class F>
double zero_above(double lowest, double step, const F& f)
{
    double low = lowest, high = lowest + step;
    for (int n = 0; n < 200 && f(high) < 0.0; ++n) {
        low = high;
        step *= 2.0;
        high = lowest + step;
    }
    for (int n = 0; n < 100; ++n) {
        const double middle = 0.5 * (low + high);
        (f(middle) < 0.0 ? low : high) = middle;
    }
    return 0.5 * (low + high);
}

/// What of Kirchhoff's stress the volume has: λ ln J − μ + k_v (J − 1) J [Pa].
double stress_of_volume(double J, const ElasticModuli& m)
{
    return m.lambda * std::log(J) - m.mu + m.volume_stiffness * (J - 1.0) * J;
}

template <int Dim>
ElasticState elastic_state(const Mat<Dim>& F, const Mat<Dim>& shape)
{
    ElasticState state;
    state.volume = determinant<Dim>(F, cofactor(F));
    state.stretch.setZero();
    state.stretch.template topLeftCorner<Dim, Dim>() = F * shape * F.transpose();
    if constexpr (Dim == 2) state.stretch(2, 2) = 1.0 / determinant<2>(shape, cofactor(shape));
    return state;
}

/// A phyxel before its material changes.
template <int Dim>
struct Strained {
    Index phyxel;
    ElasticModuli moduli;
    Mat<Dim> F;
    ElasticState state;
};

/// What flows at once has done so. What a phyxel has expanded by is no strain, before and after.
template <int Dim>
std::vector<Strained<Dim>> strained(const SolidModel<Dim>& model, SolidState<Dim>& solid,
                                    std::span<const Index> phyxels)
{
    std::vector<Strained<Dim>> all(phyxels.size());
    parallel_for(phyxels.size(), [&](Index k) {
        const Index i = phyxels[k];
        const Mat<Dim> F = model.rest.deformation(solid.position, i) /
                           expansion_of<Dim>(model, FlowMemory<Dim>(solid, 0.0), i);
        if (model.flow_of(i).yields() && model.rest.spans_space[i] != 0) {
            const FlowStep<Dim> flown =
                model.flow_of(i).flow(F, solid.plastic_shape[i], solid.plastic_strain[i], 0.0);
            solid.plastic_shape[i] = flown.shape;
            solid.plastic_strain[i] += flown.strain;
        }
        all[k] = {i, model.moduli_of(i), F, elastic_state<Dim>(F, solid.plastic_shape[i])};
    });
    return all;
}

/// What is liquid has nothing that hardens, and begins anew when it sets.
template <int Dim>
void anneal(const SolidModel<Dim>& model, SolidState<Dim>& solid, std::span<const Index> phyxels)
{
    for (const Index i : phyxels)
        if (model.flow_of(i).is_liquid()) solid.plastic_strain[i] = 0.0;
}

/// What phyxels remember whose moduli are others now.
template <int Dim>
void keep_stress(SolidModel<Dim>& model, SolidState<Dim>& solid, std::vector<Strained<Dim>> before)
{
    if (model.fault == Fault::KeptStrain) return;
    std::erase_if(before, [&](const Strained<Dim>& was) {
        return model.rest.scale_of(was.phyxel) > 0.0 &&
               was.moduli.has_same_stress_as(model.moduli_of(was.phyxel));
    });
    std::vector<Index> phyxels(before.size());
    std::vector<double> scales(before.size());
    parallel_for(before.size(), [&](Index k) {
        const Strained<Dim>& was = before[k];
        const Index i = phyxels[k] = was.phyxel;
        scales[k] = model.rest.scale_of(i);
        if (scales[k] == 0.0 && !model.material_of(i).flows) scales[k] = 1.0; // a drop has a shape again
        const double J = was.state.volume;
        if (model.rest.spans_space[i] == 0 || !(J > least_log_volume) || !std::isfinite(J)) return;
        const ElasticState state = with_same_stress(was.state, was.moduli, model.moduli_of(i));
        const double change = std::pow(state.volume / J, 1.0 / Dim);
        const Mat<Dim> inverse = cofactor(was.F).transpose() / (J * change);
        const Mat<Dim> shape =
            inverse * state.stretch.template topLeftCorner<Dim, Dim>() * inverse.transpose();
        solid.plastic_shape[i] = 0.5 * (shape + shape.transpose());
        scales[k] *= change;
    });
    set_scales<Dim>(model.rest, phyxels, scales);
    for (std::size_t k = 0; k < phyxels.size(); ++k) solid.rest_scale[phyxels[k]] = scales[k];
}

} // namespace

Mat<3> kirchhoff_stress(const ElasticState& state, const ElasticModuli& moduli)
{
    return moduli.mu * state.stretch + stress_of_volume(state.volume, moduli) * Mat<3>::Identity();
}

ElasticState with_same_stress(const ElasticState& state, const ElasticModuli& before,
                              const ElasticModuli& after)
{
    const double mean = state.stretch.trace() / 3.0;
    const Mat<3> deviator = before.mu / after.mu * (state.stretch - mean * Mat<3>::Identity());
    const double pressure = before.mu * mean + stress_of_volume(state.volume, before);
    const Vec<3> modes =
        Eigen::SelfAdjointEigenSolver<Mat<3>>(deviator, Eigen::EigenvaluesOnly).eigenvalues();
    const double size = modes.cwiseAbs().maxCoeff() + 1.0;
    // t, of which both J and the pressure grow: from where the least stretch is 0.
    const auto volume = [&](double t) { return std::sqrt(std::max(0.0, (modes.array() + t).prod())); };
    const double lowest = -modes[0];
    const double t = zero_above(lowest, 1e-3 * size, [&](double s) {
        const double J = volume(s);
        return J > 0.0 ? after.mu * s + stress_of_volume(J, after) - pressure : -1.0;
    });
    return {deviator + t * Mat<3>::Identity(), volume(t)};
}

template <int Dim>
void switch_material(SolidModel<Dim>& model, SolidState<Dim>& solid, std::size_t part,
                     const SolidMaterial& material, double stabilization_share)
{
    if (!model.materials[part].may_flow() && !material.may_flow()) {
        model.set_material(part, material, stabilization_share);
        return;
    }
    PHYXEL_ASSERT(solid.remembers_rest());
    std::vector<Index> phyxels(model.first_of_part[part + 1] - model.first_of_part[part]);
    std::iota(phyxels.begin(), phyxels.end(), model.first_of_part[part]);
    std::vector<Strained<Dim>> before = strained<Dim>(model, solid, phyxels);
    model.set_material(part, material, stabilization_share);
    if (!model.is_molten.empty()) solid.is_molten = model.is_molten;
    anneal<Dim>(model, solid, phyxels);
    keep_stress<Dim>(model, solid, std::move(before));
}

template <int Dim>
bool set_molten(SolidModel<Dim>& model, SolidState<Dim>& solid, std::span<const std::uint8_t> is_molten,
                double stabilization_share)
{
    PHYXEL_ASSERT(solid.remembers_rest() && is_molten.size() == model.size());
    std::vector<Index> phyxels;
    for (Index i = 0; i < model.size(); ++i) {
        const bool melts = is_molten[i] != 0 && model.molten[model.part[i]].has_value();
        if (melts != (solid.is_molten[i] != 0)) phyxels.push_back(i);
    }
    if (phyxels.empty()) return false;
    std::vector<Strained<Dim>> before = strained<Dim>(model, solid, phyxels);
    model.set_molten(is_molten, stabilization_share);
    solid.is_molten = model.is_molten;
    anneal<Dim>(model, solid, phyxels);
    keep_stress<Dim>(model, solid, std::move(before));
    return true;
}

template void switch_material(SolidModel<2>&, SolidState<2>&, std::size_t, const SolidMaterial&, double);
template void switch_material(SolidModel<3>&, SolidState<3>&, std::size_t, const SolidMaterial&, double);
template bool set_molten(SolidModel<2>&, SolidState<2>&, std::span<const std::uint8_t>, double);
template bool set_molten(SolidModel<3>&, SolidState<3>&, std::span<const std::uint8_t>, double);

} // namespace phyxel
