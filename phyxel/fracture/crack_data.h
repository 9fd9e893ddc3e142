// SPDX-License-Identifier: MIT
// Sheets of cracks as they are saved.
#pragma once

#include <phyxel/core/types.h>

#include <array>
#include <cstdint>
#include <vector>

namespace phyxel {

/// All that is to be known of the cracks of a body: what is saved of them.
template <int Dim>
struct CrackData {
    /// A line in the plane, a triangle in space. Those of a crack are turned alike, as far as it has two
    /// sides.
    using Face = std::array<Index, Dim>;
    /// Where a crack ends within the body: a node in the plane, an edge in space.
    using Front = std::array<Index, Dim - 1>;

    std::vector<Vec<Dim>> nodes;  ///< [m]
    std::vector<double> distance; ///< of the nodes from the surface of the body at rest, negative inside [m]
    std::vector<Face> faces;
    std::vector<std::uint32_t> crack_of_face;
    std::vector<Front> fronts;
    std::vector<std::uint32_t> crack_of_front;
    double area = 0.0; ///< of the faces, as far as they lie in the body; length in the plane

    bool operator==(const CrackData&) const = default;
};

} // namespace phyxel
