// SPDX-License-Identifier: MIT
// Which triangles a cell of marching cubes has, for every way in which its corners can lie inside or outside
// and its ambiguous faces can be cut. The table is not written down: it follows from the geometry of a cube.
//
// On each face the surface is drawn first. A face whose corners alternate can be cut in two ways; which one
// is decided from the four values of that face alone, so that both cells that share it agree. The strokes on
// the six faces join to loops, and each loop is spanned by triangles. No inner edge of a loop lies on a face,
// where the neighbour could draw the same edge again: this is what makes the surface a manifold, always. The
// few loops that cannot be spanned like this get a vertex of their own in their middle.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace phyxel::detail {

/// Corner c lies at (c & 1, c >> 1 & 1, c >> 2 & 1).
inline constexpr int corner_count = 8;

/// Edge 4·axis + m is parallel to `axis` and begins at the corner `edge_corner`.
inline constexpr int edge_count = 12;

struct CellEdge {
    std::uint8_t axis;
    std::uint8_t begin; ///< corner
    std::uint8_t end;   ///< corner
};

/// The four corners of a face, around it counter-clockwise as seen from outside of the cell.
using CellFace = std::array<std::uint8_t, 4>;

class CellCases {
public:
    /// Made once, when it is first asked for.
    static const CellCases& instance();

    struct Triangles {
        /// Three edges each. `edge_count + m` stands for the m-th vertex in the middle of a loop.
        std::span<const std::uint8_t> edges;
        /// The loops that need a vertex in their middle, one after the other; each begins with its length.
        std::span<const std::uint8_t> middle_loops;
        int middle_count;
    };

    /// Bit c of `inside` says whether corner c lies inside, bit f of `joined` whether the inner corners of
    /// the ambiguous face f are connected on it. Bits of other faces must be 0.
    Triangles triangles(unsigned inside, unsigned joined) const
    {
        const Entry& entry = entries_[inside * 64 + joined];
        return {{bytes_.data() + entry.edges, entry.edge_count},
                {bytes_.data() + entry.middle, entry.middle_size},
                entry.middle_count};
    }

    /// Bit f says whether the corners of face f alternate.
    unsigned ambiguous_faces(unsigned inside) const { return ambiguous_[inside]; }

    static const std::array<CellEdge, edge_count>& edges();
    static const std::array<CellFace, 6>& faces();

private:
    CellCases();
    void add_case(unsigned inside, unsigned joined);

    struct Entry {
        std::uint32_t edges = 0;
        std::uint32_t middle = 0;
        std::uint8_t edge_count = 0;
        std::uint8_t middle_size = 0;
        std::uint8_t middle_count = 0;
    };
    std::vector<Entry> entries_;
    std::vector<std::uint8_t> bytes_;
    std::array<std::uint8_t, 256> ambiguous_{};
};

} // namespace phyxel::detail
