// SPDX-License-Identifier: MIT
// What drives a front: the energy that it would release, and the way that it would go.
//
// The energy release rate is Freund's flux of energy into the front, as an integral over the phyxels around
// it [Fre90, Sec. 5.2]: with q = φ t, where φ is 1 at the front and 0 some spacings away from it and t the
// way that the front looks,
//
//     G ∫φ ds = ∫ (PᵀH t)·∇φ − (W + T) t·∇φ + φ (∇·P)·H t − φ ρ v·(∇v t) dV.
//
// H is F without the mean rotation R of the domain, v the velocity without its mean.
#pragma once

#include <phyxel/core/types.h>
#include <phyxel/fracture/crack_fronts.h>
#include <phyxel/solid/breaking_law.h>
#include <phyxel/solid/elastic_stages.h>
#include <phyxel/solid/solid_model.h>

#include <cstddef>
#include <span>
#include <vector>

namespace phyxel {

/// How far around a front phyxels count, in spacings; up to the first φ is 1.
inline constexpr double inner_reach = 1.5, outer_reach = 6.0;

/// What the integral takes from phyxels, once for all fronts near them.
template <int Dim>
struct DrivingField {
    std::vector<Vec<Dim>> place;       ///< at rest [m]
    std::vector<double> volume;        ///< at rest [m^Dim]
    std::vector<double> density;       ///< at rest [kg/m^Dim]
    std::vector<Mat<Dim>> F, P, sigma; ///< deformation, Piola's and Cauchy's stress
    std::vector<double> energy;        ///< W [J/m^Dim]
    std::vector<Vec<Dim>> force;       ///< of the solid on the phyxel, ∇·P times its volume [N]
    std::vector<Vec<Dim>> velocity;    ///< zero in an equilibrium [m/s]
    std::vector<Mat<Dim>> velocity_gradient;
};

/// Of these phyxels, from the last responses. `forces` are those of compute_elastic_forces(); `velocities`
/// are empty in an equilibrium.
template <int Dim>
DrivingField<Dim> driving_field(const SolidModel<Dim>& model, const ElasticWorkspace<Dim>& work,
                                std::span<const Vec<Dim>> forces, std::span<const Vec<Dim>> velocities,
                                std::span<const Index> phyxels);

/// The mean rotation of a domain: that of the mean of F, weighted by volumes.
template <int Dim>
Mat<Dim> mean_rotation(const DrivingField<Dim>& field, std::span<const std::size_t> domain);

/// G of a node of a front [J/m²]. `domain` are places in the field, those within `outer_reach` that hang
/// together with the front. Between fronts that look in opposite ways φ goes from 1 to 0.
template <int Dim>
double energy_release(const SolidModel<Dim>& model, const DrivingField<Dim>& field,
                      std::span<const std::size_t> domain, std::span<const FrontNode<Dim>> nodes,
                      std::size_t node, double spacing);

/// The way that a front goes.
template <int Dim>
struct FrontWay {
    Vec<Dim> direction = Vec<Dim>::Zero(); ///< of unit length, across the front
    Vec<Dim> normal = Vec<Dim>::Zero();    ///< of the sheet that would come
    double angle = 0.0;   ///< by which the direction is turned from the forward of the node to its normal
    double opening = 0.0; ///< stress that opens it a spacing ahead [Pa]; below 0 where it is pressed
};

/// Where the hoop stress over the strength is largest [ES63]: from the stress intensities of modes I and II
/// that fit the stress around the front best, beside a uniform stress along the crack.
template <int Dim>
FrontWay<Dim> front_way(const SolidModel<Dim>& model, const DrivingField<Dim>& field,
                        std::span<const std::size_t> domain, const FrontNode<Dim>& node,
                        const BreakingLaw<Dim>& law, double spacing);

} // namespace phyxel
