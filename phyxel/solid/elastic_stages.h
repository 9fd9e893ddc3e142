// SPDX-License-Identifier: MIT
// The stages of a step of solids: from places to deformation and stress, from stress to forces, and how
// forces change with places [MKN*04, Sec. 3.3 and App. B]. Both halves gather over the neighbours of a
// phyxel.
#pragma once

#include <phyxel/core/parallel_for.h>
#include <phyxel/solid/solid_model.h>
#include <phyxel/solid/solid_state.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace phyxel {

/// A phyxel as its neighbours see it, in one cache line.
template <int Dim>
struct PhyxelPlace {
    Lane<Dim> rest; ///< X [m]
    Lane<Dim> now;  ///< x [m], or a change of it
};

/// What a phyxel does to its neighbours.
template <int Dim>
struct PhyxelPush {
    LaneMatrix<Dim> Q; ///< ∂U/∂F A⁻¹, see PhyxelGradient
    LaneMatrix<Dim> B; ///< b F, of the stabilisation
};

/// What flow the phyxels remember while responses are computed, and how long they may flow.
template <int Dim>
struct FlowMemory {
    std::span<const Mat<Dim>> shape = {}; ///< empty if nothing flows
    std::span<const double> strain = {};
    double dt = 0.0; ///< [s]
    // Where heat flows; empty otherwise.
    std::span<const double> enthalpy = {};
    std::span<const double> start_temperature = {};

    FlowMemory() = default;
    FlowMemory(const SolidState<Dim>& solid, double time)
        : shape(solid.plastic_shape),
          strain(solid.plastic_strain),
          dt(time),
          enthalpy(solid.enthalpy),
          start_temperature(solid.start_temperature)
    {
    }
};

/// How many times as long as at the start a phyxel is that has warmed and that nothing hinders. Warming does
/// not stress it: laws answer to F over this. In the plane, bodies expand freely across it.
template <int Dim>
double expansion_of(const SolidModel<Dim>& model, const FlowMemory<Dim>& memory, std::size_t i)
{
    if (memory.enthalpy.empty() || model.fault == Fault::NoThermalStrain) return 1.0;
    const ThermalMaterial& thermal = model.materials[model.part[i]].thermal;
    if (thermal.thermal_expansion == 0.0) return 1.0;
    const double warmer = temperature_of(thermal, memory.enthalpy[i]) - memory.start_temperature[i];
    return std::max(0.1, 1.0 + thermal.thermal_expansion * warmer);
}

/// Memory that the stages share.
template <int Dim>
class ElasticWorkspace {
public:
    explicit ElasticWorkspace(const SolidModel<Dim>& model);

    /// Of what flows; what is remembered must stay until the responses are no longer asked for.
    FlowMemory<Dim> memory = {};
    std::vector<FlowStep<Dim>> flown; ///< as the last responses found it; empty if nothing flows
    /// b_i of each phyxel, which is less than the model has where it has flown; empty if nothing flows.
    std::vector<double> stabilization;
    /// dP/dF of phyxels that are flowing, by columns, once apply_stiffness() has needed it.
    std::vector<Eigen::Matrix<double, Dim * Dim, Dim * Dim>> flowing_tangents;
    std::vector<std::uint8_t> has_tangent;

    std::vector<PhyxelPlace<Dim>> places;
    std::vector<Lane<Dim>> velocities; ///< only while there is viscosity
    std::vector<PhyxelPush<Dim>> pushes;
    std::vector<ElasticResponse<Dim>> responses;
};

/// F and the response of every phyxel to the places x, and with `velocities` also that of its viscosity. What
/// yields has flown before it answers.
template <int Dim>
void compute_responses(const SolidModel<Dim>& model, std::span<const Vec<Dim>> positions,
                       std::span<const Vec<Dim>> velocities, ElasticWorkspace<Dim>& work);

/// f_k = Σ_j w_kj (Q_k + Q_j) X_kj, and what keeps modes in check that F does not see [Gan15]:
///
///     U_s = ½ Σ_i b_i Σ_j w_ij/r_ij² |x_ij − F_i X_ij|²
///
/// which is 0 for every affine deformation. Needs the responses of the same places.
template <int Dim>
void compute_elastic_forces(const SolidModel<Dim>& model, const ElasticWorkspace<Dim>& work,
                            std::span<Vec<Dim>> forces);

/// K·change, where K = −∂f/∂x at the places of the last responses. `damping` is what a change of places is
/// taken times to be a velocity [1/s]: with it the product has the viscosity too.
template <int Dim>
void apply_stiffness(const SolidModel<Dim>& model, std::span<const Vec<Dim>> change, double damping,
                     ElasticWorkspace<Dim>& work, std::span<Vec<Dim>> product);

/// From here on apply_stiffness() is of a K that is positive, for solvers whose exact one was not. Until the
/// next responses.
template <int Dim>
void make_tangent_positive(const SolidModel<Dim>& model, ElasticWorkspace<Dim>& work);

/// What has flown in a step that is kept, from the last responses, is remembered from now on. Once for each
/// such step: also for each part of an implicit one that was cut.
template <int Dim>
void accept_step(const SolidModel<Dim>& model, const ElasticWorkspace<Dim>& work, SolidState<Dim>& solid);

struct ElasticEnergy {
    double strain = 0.0;        ///< [J]
    double stabilization = 0.0; ///< [J]
};

/// The energy of all phyxels at the places x.
template <int Dim>
ElasticEnergy elastic_energy(const SolidModel<Dim>& model, std::span<const Vec<Dim>> positions);

/// The same phyxel by phyxel.
template <int Dim>
void compute_energies(const SolidModel<Dim>& model, std::span<const Vec<Dim>> positions,
                      std::span<double> strain, std::span<double> stabilization,
                      std::span<const FlowStep<Dim>> flown = {}, std::span<const double> stabilizing = {},
                      const FlowMemory<Dim>& memory = {});

/// One third of the trace of the block of K that couples each phyxel with itself, at rest [N/m].
template <int Dim>
void compute_stiffness_diagonal(const SolidModel<Dim>& model, std::span<double> diagonal);
/// The same of these phyxels alone; the bits are the same.
template <int Dim>
void compute_stiffness_diagonal(const SolidModel<Dim>& model, std::span<const Index> which,
                                std::span<double> diagonal);

/// Bounds of the largest eigenvalues of M⁻¹K and of M⁻¹C, of viscosity.
struct LocalRates {
    double waves = 0.0;   ///< [1/s²]
    double damping = 0.0; ///< [1/s]
};

/// From what each phyxel feels when it alone moves: cheap enough for shapes at rest that change in every
/// step.
template <int Dim>
LocalRates local_rates(const SolidModel<Dim>& model);

} // namespace phyxel
