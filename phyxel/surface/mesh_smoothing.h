// SPDX-License-Identifier: MIT
// Smoothing of closed meshes that does not eat them.
#pragma once

#include <phyxel/geometry/triangle_mesh.h>

#include <cstddef>
#include <span>
#include <vector>

namespace phyxel {

/// The vertices around each vertex of a closed manifold mesh, kept for smoothing it and what is on it.
class MeshSmoother {
public:
    explicit MeshSmoother(const TriangleMesh& mesh);

    /// Takes away what is shorter than a few edges, `passes` times: a step towards the mean of the neighbours
    /// and a slightly larger one back [Tau95], which keeps long waves where they are. Afterwards each
    /// connected part of the mesh gets its volume back by an even shift along the normals. `mesh` is the one
    /// that the smoother was made for, wherever its vertices are by now.
    void smooth(TriangleMesh& mesh, int passes) const;

    /// Averages directions over the neighbours in the mesh, `passes` times, and gives them unit length; a
    /// direction of zero length stays zero.
    void smooth_directions(std::span<Vec<3, float>> directions, int passes) const;

private:
    template <class Vector>
    void relax(double factor, std::span<Vector> x, std::vector<Vector>& result) const;

    std::vector<std::size_t> begin_;
    std::vector<Index> neighbors_;
};

} // namespace phyxel
