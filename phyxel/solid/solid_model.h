// SPDX-License-Identifier: MIT
// What of solids does not change from step to step: masses, the shape at rest, who is coupled with whom.
#pragma once

#include <phyxel/core/types.h>
#include <phyxel/search/neighbor_lists.h>
#include <phyxel/solid/elastic_law.h>
#include <phyxel/solid/phyxel_cloud.h>
#include <phyxel/solid/solid_material.h>

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

/// The weights of a pair of phyxels at rest.
struct PairWeight {
    double w;      ///< ω of their distance and the mean of their supports
    double per_r2; ///< one over the square of their distance [1/m²]
};

/// How the gradient at a phyxel is made of its neighbours [MKN*04, Eq. 11–15]:
///
///     F = (Σ_j w_ij x_ij X_ijᵀ) A⁻¹,    A = Σ_j w_ij X_ij X_ijᵀ
///
/// With weights that are the same for both phyxels of a pair, the force on phyxel k becomes a sum over its
/// own neighbours, Σ_j w_kj (Q_k + Q_j) X_kj with Q = v P A⁻¹: gathered, never scattered.
template <int Dim>
struct PhyxelGradient {
    Mat<Dim> inverse_moment;      ///< A⁻¹, or its pseudo-inverse where neighbours lie in a plane
    Mat<Dim> stabilizing_moment;  ///< T = Σ_j w_ij/r² X_ij X_ijᵀ
    Vec<Dim> weighted_offsets;    ///< Σ_j w_ij X_ij [m]
    Vec<Dim> stabilizing_offsets; ///< Σ_j w_ij/r² X_ij [1/m]
    double weight_sum = 0.0;      ///< Σ_j w_ij
};

/// A phyxel whose neighbours do not span space: it is strained in the directions that they do span.
template <int Dim>
struct FlatPhyxel {
    Index phyxel = 0;
    Mat<Dim> span = Mat<Dim>::Zero(); ///< A A⁺, the projection onto these directions
    /// A⁻¹, or its inverse on all that is more than rounding. What neighbours that nearly lie in a plane say
    /// of strain across it is worth nothing, but where they are at rest must be rest to the stabilisation.
    Mat<Dim> full_inverse = Mat<Dim>::Zero();
};

template <int Dim>
struct SolidModel {
    std::vector<Vec<Dim>> rest_position;  ///< X_i [m]
    std::vector<double> volume;           ///< v_i [m^Dim]
    std::vector<double> mass;             ///< m_i [kg]
    std::vector<double> radius;           ///< how near a phyxel comes to what it touches [m]
    std::vector<double> support_radius;   ///< h_i [m]
    std::vector<std::uint8_t> is_surface; ///< whether it lies so near the surface that it can touch anything
    std::vector<std::uint32_t> part;      ///< whose it is
    std::vector<Index> first_of_part;     ///< one more than there are parts
    std::vector<double> spacing_of_part;  ///< [m]

    NeighborLists neighbors;
    std::vector<PairWeight> pairs; ///< parallel to the neighbour lists
    std::vector<PhyxelGradient<Dim>> gradients;
    std::vector<std::uint8_t> spans_space; ///< whether the neighbours of a phyxel do
    std::vector<FlatPhyxel<Dim>> flat;     ///< those of which they do not, ascending
    /// Σ_i v_i ∂F_i/∂x_k: area times outward normal as a uniform stress sees it, about 0 inside.
    std::vector<Vec<Dim>> area; ///< [m^(Dim − 1)]

    std::vector<SolidMaterial> materials;         ///< of the parts
    std::vector<ElasticConstants<Dim>> constants; ///< of the parts
    std::vector<double> stabilization;            ///< b_i = β E v_i / Σ_j w_ij [J]

    std::size_t size() const { return rest_position.size(); }
    const ElasticConstants<Dim>& constants_of(std::size_t i) const { return constants[part[i]]; }

    /// The unit matrix, or its part in the directions that the neighbours of i span.
    Mat<Dim> rest_gradient(std::size_t i) const;

    /// A⁻¹ as the stabilisation takes it: exact for every affine motion of the neighbours of i.
    const Mat<Dim>& stabilizing_inverse(std::size_t i) const
    {
        return spans_space[i] ? gradients[i].inverse_moment : flat_at(i).full_inverse;
    }

    void set_material(std::size_t part_number, const SolidMaterial& material, double stabilization_share);

private:
    const FlatPhyxel<Dim>& flat_at(std::size_t i) const;
};

/// Of several solids; they are numbered one after the other. Throws InputError for what is no material.
template <int Dim>
SolidModel<Dim> make_solid_model(std::span<const PhyxelCloud<Dim>* const> clouds,
                                 std::span<const SolidMaterial> materials, double stabilization_share);

/// One more solid, numbered after the others, of which nothing changes.
template <int Dim>
void add_solid(SolidModel<Dim>& model, const PhyxelCloud<Dim>& cloud, const SolidMaterial& material,
               double stabilization_share);

extern template struct SolidModel<2>;
extern template struct SolidModel<3>;

} // namespace phyxel
