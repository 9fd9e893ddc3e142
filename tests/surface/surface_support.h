// SPDX-License-Identifier: MIT
// What tests of surfaces share. The check of manifolds looks at the numbers of the vertices alone, so that it
// sees what a mesh is and not what it would be after repair.
#pragma once

#include <phyxel/geometry/triangle_mesh.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace phyxel {

/// What keeps a mesh from being a closed, oriented 2-manifold; empty if nothing does.
inline std::string manifold_defects(const TriangleMesh& mesh)
{
    // Each edge must be walked once in each direction.
    std::vector<std::pair<Index, Index>> walked;
    for (const std::array<Index, 3>& t : mesh.triangles)
        for (std::size_t k = 0; k < 3; ++k) {
            if (t[k] >= mesh.vertices.size()) return "a triangle names a vertex that is not there";
            if (t[k] == t[(k + 1) % 3]) return "a triangle names a vertex twice";
            walked.emplace_back(t[k], t[(k + 1) % 3]);
        }
    std::sort(walked.begin(), walked.end());
    if (std::adjacent_find(walked.begin(), walked.end()) != walked.end())
        return "an edge is walked twice in one direction";
    for (const auto& [a, b] : walked)
        if (!std::binary_search(walked.begin(), walked.end(), std::pair(b, a))) return "an edge is open";

    // The triangles around each vertex must be one ring: from any of them all others are reached over edges.
    std::vector<std::map<Index, Index>> ring(mesh.vertices.size());
    for (const std::array<Index, 3>& t : mesh.triangles)
        for (std::size_t k = 0; k < 3; ++k) ring[t[k]][t[(k + 1) % 3]] = t[(k + 2) % 3];
    for (const auto& next : ring) {
        if (next.empty()) return "a vertex belongs to no triangle";
        std::size_t length = 0;
        Index at = next.begin()->first;
        do {
            at = next.at(at);
            ++length;
        } while (at != next.begin()->first && length <= next.size());
        if (length != next.size()) return "a vertex belongs to two rings of triangles";
    }
    return {};
}

inline void expect_closed_manifold(const TriangleMesh& mesh) { EXPECT_EQ(manifold_defects(mesh), ""); }

/// V − E + F, which is 2 for each sphere and 0 for each torus.
inline long euler_characteristic(const TriangleMesh& mesh)
{
    std::set<std::pair<Index, Index>> edges;
    for (const std::array<Index, 3>& t : mesh.triangles)
        for (std::size_t k = 0; k < 3; ++k) edges.insert(std::minmax({t[k], t[(k + 1) % 3]}));
    return static_cast<long>(mesh.vertices.size()) - static_cast<long>(edges.size()) +
           static_cast<long>(mesh.triangles.size());
}

} // namespace phyxel
