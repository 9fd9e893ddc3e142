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
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace phyxel {

template <int Dim>
using LaneMatrix = Eigen::Matrix<double, Dim == 3 ? 4 : 2, Dim>;

/// Of what a phyxel was when it was whole, in length.
template <int Dim>
double length_after_halving(int times)
{
    return times == 0 ? 1.0 : std::exp2(-static_cast<double>(times) / Dim);
}

/// What a part is while it is molten.
template <int Dim>
struct MoltenPart {
    SolidMaterial material;
    ElasticModuli moduli;
    AnyLaw<Dim> law;
    PlasticFlow<Dim> flow;
};

template <int Dim>
struct SolidModel {
    RestShape<Dim> rest;           ///< of what flows, its shape when it last forgot the one before
    std::vector<Vec<Dim>> origin;  ///< where the phyxels were at the start [m]
    NeighborLists first_neighbors; ///< those at the start, once there are others; see start_neighbors()
    std::vector<double> mass;      ///< m_i [kg]
    std::vector<double> radius;    ///< how near a phyxel comes to what it touches [m]
    std::vector<std::uint8_t> is_surface; ///< whether it lies so near the surface that it can touch anything
    std::vector<std::uint32_t> part;      ///< whose it is; those of a part follow each other
    std::vector<Index> first_of_part;     ///< one more than there are parts
    std::vector<double> spacing_of_part;  ///< of phyxels that are whole [m]
    /// Of the phyxels, as pieces of what they were at the start. Empty if all are whole; see resampling.h.
    struct Halved {
        std::vector<std::uint8_t> times;    ///< how often, as in the state
        std::vector<double> support_radius; ///< that it had when it was whole [m]
        std::vector<double> radius;         ///< the same [m]
        std::vector<Index> whole_of_part;   ///< how many phyxels of a part were there at the start
    } halved;

    std::vector<SolidMaterial> materials;                ///< of the parts
    std::vector<ElasticModuli> moduli;                   ///< of the parts
    std::vector<AnyLaw<Dim>> laws;                       ///< of the parts
    std::vector<PlasticFlow<Dim>> flows;                 ///< of the parts
    std::vector<std::optional<MoltenPart<Dim>>> molten;  ///< of the parts; nothing for those that do not melt
    std::vector<std::vector<std::uint32_t>> merges_with; ///< of the parts: others that they may fuse with
    std::vector<int> most_halvings;      ///< of the parts: how often a phyxel may be halved; 0 for never
    std::vector<std::uint8_t> is_molten; ///< of the phyxels, as in the state; empty if none of them is
    std::vector<double> stabilization;   ///< b_i = β E v_i / Σ_j w_ij [J]
    Fault fault = Fault::None;           ///< what verification has sabotaged; see set_fault()

    std::size_t size() const { return rest.size(); }
    /// Who were neighbours at the start.
    const NeighborLists& start_neighbors() const
    {
        return first_neighbors.size() > 0 ? first_neighbors : rest.neighbors;
    }

    /// How far apart phyxels like this one are [m]
    double spacing_of(std::size_t i) const
    {
        const double whole = spacing_of_part[part[i]];
        return halved.times.empty() ? whole : length_after_halving<Dim>(halved.times[i]) * whole;
    }
    /// Its support when it was whole [m]
    double first_support(std::size_t i) const
    {
        return halved.times.empty() ? rest.support_radius[i] : halved.support_radius[i];
    }
    /// How many phyxels a part had at the start: these come first among its own.
    Index whole_count(std::size_t part_number) const
    {
        return halved.times.empty() ? first_of_part[part_number + 1] - first_of_part[part_number]
                                    : halved.whole_of_part[part_number];
    }

    /// Whether anything can forget what it was: yield, flow or melt.
    bool has_flow() const;
    /// Whether anything can forget its shape at rest.
    bool may_flow() const;
    bool may_flow(std::uint32_t part_number) const { return materials[part_number].may_flow(); }
    /// Whether phyxels of one part may become neighbours of those of another.
    bool may_couple(std::uint32_t a, std::uint32_t b) const;

    /// Whether a phyxel flows and has no shape, as its neighbours are too few or lie badly.
    bool is_drop(std::size_t i) const
    {
        return !rest.scale.empty() && (rest.scale[i] == 0.0 || rest.spans_space[i] == 0) &&
               material_of(i).flows;
    }

    const MoltenPart<Dim>* molten_at(std::size_t i) const
    {
        return is_molten.empty() || is_molten[i] == 0 ? nullptr : &*molten[part[i]];
    }
    const SolidMaterial& material_of(std::size_t i) const
    {
        const MoltenPart<Dim>* liquid = molten_at(i);
        return liquid != nullptr ? liquid->material : materials[part[i]];
    }
    const ElasticModuli& moduli_of(std::size_t i) const
    {
        const MoltenPart<Dim>* liquid = molten_at(i);
        return liquid != nullptr ? liquid->moduli : moduli[part[i]];
    }
    const AnyLaw<Dim>& law_of(std::size_t i) const
    {
        const MoltenPart<Dim>* liquid = molten_at(i);
        return liquid != nullptr ? liquid->law : laws[part[i]];
    }
    const PlasticFlow<Dim>& flow_of(std::size_t i) const
    {
        const MoltenPart<Dim>* liquid = molten_at(i);
        return liquid != nullptr ? liquid->flow : flows[part[i]];
    }

    /// Whether what has flown counts at a phyxel, and it is not merely remembered beside others that flow.
    bool remembers_flow(std::size_t i) const
    {
        return rest.spans_space[i] != 0 && (flow_of(i).remembers() || may_flow(part[i]));
    }

    /// Laws and gradients with the fault in them, so that no stage has to ask.
    void set_fault(Fault wanted);

    void set_material(std::size_t part_number, const SolidMaterial& material, double stabilization_share);

    /// After phyxels were fitted anew by others than refit().
    void update_stabilization(std::span<const Index> phyxels, double stabilization_share)
    {
        for (const Index i : phyxels) set_stabilization(i, stabilization_share);
    }

    /// Which phyxels are molten from now on; those of parts that do not melt are not.
    void set_molten(std::span<const std::uint8_t> flags, double stabilization_share);

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
