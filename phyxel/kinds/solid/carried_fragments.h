// SPDX-License-Identifier: MIT
// The closed meshes of the pieces of a broken solid, as their phyxels carry them along: for those who make
// them of a recorded run.
//
//     CarriedFragments pieces(mesher.mesh(at_rest, fragments, cracks), at_rest, fragments, spacing, cracks);
//     pieces.update(positions, vertices);    // every frame
#pragma once

#include <phyxel/core/types.h>
#include <phyxel/fracture/crack_sheets.h>
#include <phyxel/fracture/fragment_mesh.h>
#include <phyxel/search/neighbor_lists.h>
#include <phyxel/surface/skinning.h>

#include <cstdint>
#include <span>
#include <vector>

namespace phyxel {

/// Each piece follows its own phyxels and no others, and beside a slit those that the slit does not hide:
/// nothing holds two sides of a crack together. A phyxel without neighbours does not turn its piece.
class CarriedFragments {
public:
    /// `phyxels` and their `fragments` are those that the mesh was made with, `spacing` [m] apart.
    CarriedFragments(FragmentMesh mesh, std::span<const Vec<3>> phyxels,
                     std::span<const std::uint32_t> fragments, double spacing, const CrackSheets<3>& cracks);

    const FragmentMesh& mesh() const { return mesh_; }

    /// Where the vertices of the mesh are when the phyxels are at `positions`.
    void update(std::span<const Vec<3>> positions, std::span<Vec<3>> vertices);

    /// What phyxels have, such as velocities, at the vertices.
    void transfer(std::span<const Vec<3>> of_phyxels, std::span<Vec<3>> of_vertices);

private:
    struct Piece {
        std::vector<Index> phyxels;
        std::vector<Vec<3>> rest;
        NeighborLists neighbors; ///< that no crack hides from each other
        double support;          ///< [m]
        std::size_t first_vertex, vertex_count;
        Skinning<double> skinning;
    };
    Mat<3> gradient_of(const Piece& piece, std::size_t phyxel, std::span<const Vec<3>> positions) const;

    FragmentMesh mesh_;
    std::vector<Piece> pieces_; ///< those with a mesh
};

} // namespace phyxel
