// SPDX-License-Identifier: MIT
// Long parts of a skin in which there are no phyxels, such as a tooth of a comb that is too thin for any.
#pragma once

#include <phyxel/core/types.h>
#include <phyxel/kinds/solid/solid_body.h>
#include <phyxel/solid/phyxel_cloud.h>

#include <cstddef>
#include <span>
#include <vector>

namespace phyxel {

/// What is led by a vertex far away stands stiff, however the body bends beside it. Where the way to that
/// vertex, along the skin, is long, and far longer than the distance to the nearest phyxels, the motion is
/// that of these phyxels, a mean with weights that end smoothly. In between it changes over some spacings.
class LongTips {
public:
    LongTips() = default;

    /// `normals` are those of the vertices. `ways` has how far each vertex of the skin is from the one that
    /// leads it, along the skin: 0 for those that are not led, and infinite for those that nobody leads. [m]
    LongTips(const SolidSkin& skin, std::span<const Vec<3>> normals, const PhyxelCloud<3>& phyxels,
             std::span<const double> ways);

    /// Vertices that go with what is beside them.
    std::size_t size() const { return vertices_.empty() ? 0 : vertices_.size() - 1; }

    /// `vertices` are as if all of a tip went with its leader.
    void update(std::span<const Vec<3>> positions, std::span<const Mat<3>> gradients,
                std::span<Vec<3>> vertices, std::span<Vec<3, float>> normals) const;

    void transfer(std::span<const Vec<3>> nodal, std::span<Vec<3, float>> out) const;

private:
    struct Share {
        Index node;
        double weight;
    };
    /// Its shares end where those of the next begin; there is one more than vertices.
    struct Vertex {
        Index vertex;
        double part; ///< of the motion that is that of the phyxels beside it
        Vec<3> rest;
        Vec<3> normal; ///< at rest
        std::size_t shares_begin;
    };

    std::vector<Vertex> vertices_;
    std::vector<Share> shares_;
    std::vector<Vec<3>> rest_positions_; ///< of the phyxels
    std::vector<Index> nodes_;           ///< that have shares
};

} // namespace phyxel
