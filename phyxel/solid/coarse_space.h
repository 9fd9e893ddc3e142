// SPDX-License-Identifier: MIT
// A few smooth displacements that a solid can make as a whole. Conjugate gradients alone carry a push from
// phyxel to phyxel, one neighbourhood an iteration; solved for exactly in this small space, it is everywhere
// at once.
#pragma once

#include <phyxel/core/types.h>
#include <phyxel/solid/solid_model.h>

#include <Eigen/Core>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace phyxel {

/// Displacements that are linear between the nodes of a coarse grid over each solid at rest, which turns with
/// the solid. With Z from nodes to phyxels,
///
///     change += Z E⁻¹ Zᵀ residual,    E = Zᵀ (K + s M) Z,
///
/// where K is the stiffness at rest without its stabilisation, which smooth displacements hardly feel. Beside
/// a diagonal this is a preconditioner of two levels.
template <int Dim>
class CoarseSpace {
public:
    /// Of phyxels that are not `fixed`.
    void build(const SolidModel<Dim>& model, std::span<const std::uint8_t> fixed);

    /// s, up to a factor of two: what m is taken times in the system [1/s²]. What is chosen depends on this
    /// number alone, never on those before it.
    void set_inertia(double inertia);

    /// How the solids are turned now, from their deformation.
    void turn(const SolidModel<Dim>& model, std::span<const ElasticResponse<Dim>> responses);

    void add_correction(std::span<const Vec<Dim>> residual, std::span<Vec<Dim>> change);

private:
    static constexpr int corners = 1 << Dim;

    /// A phyxel between the nodes of its cell; weights of a fixed one are 0.
    struct Share {
        std::array<Index, corners> node;
        std::array<double, corners> weight;
    };
    /// What a node has of a phyxel.
    struct Portion {
        Index phyxel;
        double weight;
    };
    struct Grid {
        Index first_node = 0;
        Index end_node = 0;
        Eigen::MatrixXd stiffness; ///< Zᵀ K Z
        Eigen::MatrixXd mass;      ///< Zᵀ M Z, of one component
        Mat<Dim> rotation = Mat<Dim>::Identity();
    };
    /// Grids with their E⁻¹ for an inertia, row by row.
    struct Inverses {
        int exponent = 0;
        std::vector<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> of_grid;
    };

    void lay_grids(const SolidModel<Dim>& model, std::span<const std::uint8_t> fixed);
    void assemble(const SolidModel<Dim>& model, Grid& grid, std::size_t part);

    std::vector<Share> shares_;
    std::vector<Grid> grids_;                 ///< one for each part
    std::vector<std::uint32_t> grid_of_node_; ///< the part
    std::vector<std::size_t> portions_begin_; ///< by node, one more than there are nodes
    std::vector<Portion> portions_;
    std::vector<Inverses> known_; ///< a few inertias alternate when steps have to meet frames
    std::size_t chosen_ = 0;
    std::vector<Vec<Dim>> restricted_, solved_;
    std::vector<Mat<Dim>> partial_;
};

extern template class CoarseSpace<2>;
extern template class CoarseSpace<3>;

} // namespace phyxel
