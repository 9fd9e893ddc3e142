// SPDX-License-Identifier: MIT
// The surface of bodies as heat passes through it: points that each stand for a piece, and the nodes under
// them that get what passes.
#pragma once

#include <phyxel/core/types.h>

#include <cstdint>
#include <span>
#include <vector>

namespace phyxel {

template <int Dim>
struct HeatSurface {
    struct Share {
        Index node;
        double share; ///< of the piece; those of a piece add up to 1
        double depth; ///< of the node under the piece [m]
    };
    std::vector<Vec<Dim>> position;       ///< at present [m]
    std::vector<Vec<Dim>> area;           ///< outward normal times area, at present [m^(Dim − 1)]
    std::vector<std::uint32_t> part;      ///< whose it is
    std::vector<std::size_t> first = {0}; ///< share of each piece; one more than there are pieces
    std::vector<Share> shares;

    std::size_t size() const { return position.size(); }
    std::span<const Share> shares_of(std::size_t piece) const
    {
        return {shares.data() + first[piece], first[piece + 1] - first[piece]};
    }
};

} // namespace phyxel
