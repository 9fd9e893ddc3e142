// SPDX-License-Identifier: MIT
// The pieces that cracks have left of a body, each as a closed mesh at rest: the surface of the body and the
// faces of its cracks, which meet in sharp edges.
//
//     const FragmentMesher mesher(shape, cell);
//     const FragmentMesh pieces = mesher.mesh(phyxels, fragments, cracks);
#pragma once

#include <phyxel/core/types.h>
#include <phyxel/fracture/crack_sheets.h>
#include <phyxel/geometry/shape.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace phyxel {

/// All pieces, one after the other. No two of them share a vertex, but where two lie against each other they
/// have the same triangles in the same places, so that there is neither a gap nor an overlap.
struct FragmentMesh {
    std::vector<Vec<3>> vertices; ///< at rest [m]
    /// A place in the piece near each vertex: from there nothing is hidden by the crack that it lies on.
    std::vector<Vec<3>> inner;
    std::vector<std::uint32_t> fragment;         ///< of each vertex, ascending
    std::vector<std::uint8_t> is_crack;          ///< whether a vertex lies on a face of a crack
    std::vector<std::array<Index, 3>> triangles; ///< in the order of their fragments
    /// Where the vertices of a fragment begin, and where its triangles do; one more than there are.
    std::vector<std::size_t> first_vertex, first_triangle;

    std::size_t count() const { return first_vertex.empty() ? 0 : first_vertex.size() - 1; }
};

/// Divides a shape among its fragments. The nodes of a grid that lie in the shape belong to the fragment of
/// the nearest phyxel that no crack hides from them, and an edge of the grid is cut where it comes out of the
/// shape, crosses a crack, or joins two fragments. Each cell with cut edges has a vertex for each of the
/// surfaces in it, in the place that fits the planes through the cuts best [JLSW02], and each side of a cut
/// edge is a face of four such vertices. So crack and surface meet in sharp edges, and a crack that ends
/// within a fragment is a slit in it.
///
/// Every mesh is closed, and a manifold by the numbers of its vertices, whatever the cracks are: around the
/// faces of the grid two sides of cuts meet wherever nodes between them hang together, and nowhere else.
class FragmentMesher {
public:
    /// `cell` [m] is the width of the grid. Throws InputError unless it is positive and finite, for a sheet,
    /// and for a grid of more than a billion nodes.
    FragmentMesher(const Shape<3>& shape, double cell);

    /// `fragments` are those of the phyxels at rest, numbered from 0 on. A fragment may be so small that it
    /// has no mesh. Throws InputError if there are no phyxels.
    FragmentMesh mesh(std::span<const Vec<3>> phyxels, std::span<const std::uint32_t> fragments,
                      const CrackSheets<3>& cracks) const;

private:
    using Node = std::uint64_t;
    /// An edge of the grid that is cut, from a node along an axis.
    struct Cut {
        std::uint64_t edge; ///< 3 times the node at its lower end, and the axis
        Vec<3> place;       ///< [m]
        Vec<3> normal;      ///< of what cuts it; zero if that is not known
        bool is_crack;
    };
    class Builder;

    Vec<3> place_of(Node node) const;
    Node next(Node node, int axis) const { return node + stride_[static_cast<std::size_t>(axis)]; }
    Cut cut_at_surface(Node node, int axis) const;
    std::vector<std::uint32_t> label_nodes(std::span<const Vec<3>> phyxels,
                                           std::span<const std::uint32_t> fragments,
                                           const CrackSheets<3>& cracks) const;
    std::vector<Cut> cut_inside(std::span<const std::uint32_t> labels, const CrackSheets<3>& cracks) const;

    Shape<3> shape_;
    double cell_;
    Vec<3> origin_;
    std::array<std::uint64_t, 3> count_, stride_;
    std::vector<Node> inside_;                ///< nodes, ascending
    std::vector<std::uint32_t> inner_number_; ///< of each node among these
    std::vector<Cut> surface_cuts_;           ///< by their edges
};

} // namespace phyxel
