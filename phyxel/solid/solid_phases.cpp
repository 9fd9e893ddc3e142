// SPDX-License-Identifier: MIT
#include <phyxel/solid/solid_phases.h>

#include <phyxel/core/assert.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/solid/elastic_stages.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <type_traits>
#include <utility>
#include <variant>
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
    AnyLaw<Dim> law;
    Mat<Dim> shape; ///< that counted
};

/// Of Kirchhoff [Pa]; in the plane also what holds the plane strain across it.
template <int Dim>
Mat<3> kirchhoff_stress(const AnyLaw<Dim>& any, const Mat<Dim>& F, const Mat<Dim>& shape)
{
    return std::visit(
        [&](const auto& law) {
            const ElasticResponse<Dim> response = law.respond(F, shape, true);
            Mat<3> tau = Mat<3>::Zero();
            tau.template topLeftCorner<Dim, Dim>() = F * response.S * F.transpose();
            if constexpr (Dim == 2) tau(2, 2) = law.stress_across(F, shape);
            tau.diagonal().array() += response.p * determinant<Dim>(F, cofactor(F));
            return tau;
        },
        any);
}

template <int Dim>
Mat<Dim> strain_of(const Svk<Dim>& law, const Mat<Dim>& S)
{
    Mat<Dim> E = S / (2.0 * law.moduli.mu);
    E.diagonal().array() -= law.moduli.lambda /
                            (2.0 * law.moduli.mu * (2.0 * law.moduli.mu + Dim * law.moduli.lambda)) *
                            S.trace();
    return E;
}

template <int Dim>
Mat<Dim> strain_of(const Hooke<Dim>& law, const Mat<Dim>& S)
{
    constexpr int components = Hooke<Dim>::components;
    Eigen::Matrix<double, components, 1> s;
    if constexpr (Dim == 2)
        s << S(0, 0), S(1, 1), S(0, 1);
    else
        s << S(0, 0), S(1, 1), S(2, 2), S(0, 1), S(1, 2), S(0, 2);
    const Eigen::Matrix<double, components, 1> e = law.C.fullPivLu().solve(s);
    if constexpr (Dim == 2)
        return Mat<2>{{e[0], e[2]}, {e[2], e[1]}};
    else
        return Mat<3>{{e[0], e[3], e[5]}, {e[3], e[1], e[4]}, {e[5], e[4], e[2]}};
}

/// What a law of Green's strain has to take for what is at rest to have this stress: FᵀF − 2 C⁻¹ : S.
template <int Dim, class Law>
Mat<Dim> shape_with_stress(const Law& law, const Mat<Dim>& F, const Mat<3>& tau)
{
    const Mat<Dim> cof = cofactor(F);
    const double J = determinant<Dim>(F, cof);
    const Mat<Dim> inverse = cof.transpose() / J;
    Mat<Dim> own = tau.template topLeftCorner<Dim, Dim>();
    own.diagonal().array() -= law.respond(F, Mat<Dim>::Identity(), true).p * J;
    const Mat<Dim> shape = F.transpose() * F - 2.0 * strain_of<Dim>(law, inverse * own * inverse.transpose());
    return 0.5 * (shape + shape.transpose());
}

template <int Dim>
bool answer_alike(const AnyLaw<Dim>& a, const AnyLaw<Dim>& b)
{
    if (a.index() != b.index()) return false;
    return std::visit(
        [&](const auto& law) {
            const auto& other = std::get<std::decay_t<decltype(law)>>(b);
            bool is_alike = law.moduli.has_same_stress_as(other.moduli);
            if constexpr (requires { law.C; }) is_alike = is_alike && law.C == other.C;
            return is_alike;
        },
        a);
}

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
        all[k] = {i,
                  model.moduli_of(i),
                  F,
                  elastic_state<Dim>(F, solid.plastic_shape[i]),
                  model.law_of(i),
                  model.remembers_flow(i) ? solid.plastic_shape[i] : Mat<Dim>(Mat<Dim>::Identity())};
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
        return model.rest.scale_of(was.phyxel) > 0.0 && answer_alike<Dim>(was.law, model.law_of(was.phyxel));
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
        const AnyLaw<Dim>& law = model.law_of(i);
        if (!std::holds_alternative<NeoHookean<Dim>>(law)) {
            const Mat<3> tau = kirchhoff_stress<Dim>(was.law, was.F, was.shape);
            if (const auto* svk = std::get_if<Svk<Dim>>(&law))
                solid.plastic_shape[i] = shape_with_stress<Dim>(*svk, was.F, tau);
            else if (const auto* hooke = std::get_if<Hooke<Dim>>(&law))
                solid.plastic_shape[i] = shape_with_stress<Dim>(*hooke, was.F, tau);
            return;
        }
        const ElasticState state =
            std::holds_alternative<NeoHookean<Dim>>(was.law)
                ? with_same_stress(was.state, was.moduli, model.moduli_of(i))
                : with_stress(kirchhoff_stress<Dim>(was.law, was.F, was.shape), model.moduli_of(i));
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

/// From the deviator of bₑ and the mean of the stress [Pa].
ElasticState with_parts(const Mat<3>& deviator, double pressure, const ElasticModuli& after)
{
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
    return with_parts(deviator, before.mu * mean + stress_of_volume(state.volume, before), after);
}

ElasticState with_stress(const Mat<3>& tau, const ElasticModuli& moduli)
{
    const double pressure = tau.trace() / 3.0;
    return with_parts((tau - pressure * Mat<3>::Identity()) / moduli.mu, pressure, moduli);
}

bool changes_stress(const SolidMaterial& before, const SolidMaterial& after)
{
    return !answer_alike<3>(make_law<3>(before), make_law<3>(after));
}

template <int Dim>
void switch_material(SolidModel<Dim>& model, SolidState<Dim>& solid, std::size_t part,
                     const SolidMaterial& material, double stabilization_share)
{
    const bool may_flow = model.materials[part].may_flow() || material.may_flow();
    if (!may_flow && !solid.remembers_rest()) {
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
