// SPDX-License-Identifier: MIT
// Seams of a skin: where vertices beside each other follow parts of a solid that move on their own.
#pragma once

#include <phyxel/core/types.h>
#include <phyxel/kinds/solid/solid_body.h>
#include <phyxel/solid/phyxel_cloud.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace phyxel {

/// A skin may be whole where the phyxels are not: a gap between two teeth is narrower than its triangles, a
/// web between two arms too thin for a phyxel, a neck so narrow that the phyxels on both sides do not see
/// each other. The vertices on one side of such a seam follow other phyxels than those on the other side, and
/// one row of triangles would span all that comes between them. Around a seam the motion is made a mean over
/// the skin instead, with weights by the way along it, so that it changes over some spacings.
class SkinSeams {
public:
    SkinSeams() = default;

    /// `followed` is the phyxel that each vertex goes with, `is_led` whether over a vertex that leads it.
    SkinSeams(const SolidSkin& skin, const PhyxelCloud<3>& phyxels, std::span<const Index> followed,
              std::span<const std::uint8_t> is_led);

    /// Vertices whose motion is a mean.
    std::size_t size() const { return vertices_.empty() ? 0 : vertices_.size() - 1; }

    /// `vertices` and `normals` are as if there were no seams.
    void update(std::span<const Vec<3>> positions, std::span<const Mat<3>> gradients,
                std::span<Vec<3>> vertices, std::span<Vec<3, float>> normals) const;

    void transfer(std::span<const Vec<3>> nodal, std::span<Vec<3, float>> out) const;

private:
    struct Share {
        Index node;
        double weight;
        double stretch; ///< 1 where F of the phyxel is known to hold, 0 where only its rotation is taken
    };
    /// Its shares end where those of the next begin; there is one more than vertices.
    struct Vertex {
        Index vertex;
        double own; ///< weight of where the vertex would be without seams
        Vec<3> rest;
        std::size_t shares_begin;
    };

    std::vector<Vertex> vertices_;
    std::vector<Share> shares_;
    std::vector<std::array<Index, 3>> triangles_; ///< around the vertices
    std::vector<Vec<3>> rest_positions_;          ///< of the phyxels
    std::vector<Index> far_nodes_;                ///< whose rotation is needed
};

} // namespace phyxel
