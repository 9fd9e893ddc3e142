// SPDX-License-Identifier: MIT
// What of solids does not change from step to step: masses, materials, and the shape at rest.
#pragma once

#include <phyxel/core/fault.h>
#include <phyxel/core/types.h>
#include <phyxel/solid/elastic_laws.h>
#include <phyxel/solid/phyxel_cloud.h>
#include <phyxel/solid/plastic_flow.h>
#include <phyxel/solid/rest_shape.h>
#include <phyxel/solid/solid_material.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace phyxel {

/// Vectors of pairs fill a vector register: four numbers in space, two in the plane.
template <int Dim>
using Lane = Eigen::Matrix<double, Dim == 3 ? 4 : 2, 1>;

template <int Dim>
using LaneMatrix = Eigen::Matrix<double, Dim == 3 ? 4 : 2, Dim>;

template <int Dim>
Lane<Dim> to_lane(const Vec<Dim>& v)
{
    Lane<Dim> lane = Lane<Dim>::Zero();
    lane.template head<Dim>() = v;
    return lane;
}

template <int Dim>
struct SolidModel {
    RestShape<Dim> rest;
    std::vector<double> mass;             ///< m_i [kg]
    std::vector<double> radius;           ///< how near a phyxel comes to what it touches [m]
    std::vector<std::uint8_t> is_surface; ///< whether it lies so near the surface that it can touch anything
    std::vector<std::uint32_t> part;      ///< whose it is; those of a part follow each other
    std::vector<Index> first_of_part;     ///< one more than there are parts
    std::vector<double> spacing_of_part;  ///< [m]

    std::vector<SolidMaterial> materials; ///< of the parts
    std::vector<ElasticModuli> moduli;    ///< of the parts
    std::vector<AnyLaw<Dim>> laws;        ///< of the parts
    std::vector<PlasticFlow<Dim>> flows;  ///< of the parts
    std::vector<double> stabilization;    ///< b_i = β E v_i / Σ_j w_ij [J]
    Fault fault = Fault::None;            ///< what verification has sabotaged; see set_fault()

    std::size_t size() const { return rest.size(); }
    bool has_flow() const
    {
        return std::any_of(flows.begin(), flows.end(),
                           [](const PlasticFlow<Dim>& flow) { return flow.yields(); });
    }
    const ElasticModuli& moduli_of(std::size_t i) const { return moduli[part[i]]; }

    /// Laws and gradients with the fault in them, so that no stage has to ask.
    void set_fault(Fault wanted);

    void set_material(std::size_t part_number, const SolidMaterial& material, double stabilization_share);

    /// refit() of the shape at rest, and of what depends on it here. Solvers have to be made anew.
    RefitReport refit(std::span<const Index> phyxels, double stabilization_share);
    /// The same after nothing but weights of pairs has.
    RefitReport refit_pairs(std::span<const Index> phyxels, double stabilization_share);

private:
    void set_stabilization(Index i, double share);
};

/// Of several solids; they are numbered one after the other. Throws InputError for what is no material.
template <int Dim>
SolidModel<Dim> make_solid_model(std::span<const PhyxelCloud<Dim>* const> clouds,
                                 std::span<const SolidMaterial> materials, double stabilization_share);

/// One more solid, numbered after the others, of which nothing changes.
template <int Dim>
void add_solid(SolidModel<Dim>& model, const PhyxelCloud<Dim>& cloud, const SolidMaterial& material,
               double stabilization_share);

/// Leaves a solid without phyxels; of the others nothing changes but their numbers.
template <int Dim>
void remove_solid(SolidModel<Dim>& model, std::size_t part);

extern template struct SolidModel<2>;
extern template struct SolidModel<3>;

} // namespace phyxel
