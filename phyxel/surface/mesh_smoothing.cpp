// SPDX-License-Identifier: MIT
#include <phyxel/surface/mesh_smoothing.h>

#include <phyxel/core/assert.h>
#include <phyxel/core/disjoint_sets.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/geometry/box.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace phyxel {
namespace {

/// For each vertex the number of the connected part that it belongs to, from 0 on.
std::vector<Index> find_parts(const TriangleMesh& mesh, std::size_t& count)
{
    DisjointSets parts(mesh.vertices.size());
    for (const auto& t : mesh.triangles)
        for (const std::size_t k : {1, 2}) parts.join(t[0], t[k]);
    std::vector<Index> part(mesh.vertices.size());
    count = 0;
    // The lowest vertex of a part has its number before the others ask for it.
    for (Index v = 0; v < part.size(); ++v) {
        const Index lowest = parts.find(v);
        part[v] = lowest == v ? static_cast<Index>(count++) : part[lowest];
    }
    return part;
}

/// Volume of each part, by the divergence theorem. [m³]
std::vector<double> volumes(const TriangleMesh& mesh, const std::vector<Index>& part, std::size_t count,
                            const Vec<3>& origin)
{
    std::vector<double> volume(count, 0.0);
    for (const auto& t : mesh.triangles) {
        const Vec<3> a = mesh.vertices[t[0]] - origin;
        const Vec<3> b = mesh.vertices[t[1]] - origin;
        const Vec<3> c = mesh.vertices[t[2]] - origin;
        volume[part[t[0]]] += a.dot(b.cross(c)) / 6;
    }
    return volume;
}

/// Shifts every part along its normals until it has its volume again.
void restore_volumes(TriangleMesh& mesh, const std::vector<Index>& part, const std::vector<double>& wanted,
                     const Vec<3>& origin)
{
    std::vector<Vec<3>> gradient(mesh.vertices.size());
    // The volume is a cubic polynomial of the shift, and nearly a straight line: two steps of Newton.
    for (int step = 0; step < 2; ++step) {
        const std::vector<double> present = volumes(mesh, part, wanted.size(), origin);
        std::fill(gradient.begin(), gradient.end(), Vec<3>::Zero());
        for (const auto& t : mesh.triangles) {
            const Vec<3>& a = mesh.vertices[t[0]];
            const Vec<3> normal = (mesh.vertices[t[1]] - a).cross(mesh.vertices[t[2]] - a) / 6;
            for (const Index v : t) gradient[v] += normal;
        }
        std::vector<double> slope(wanted.size(), 0.0);
        for (std::size_t v = 0; v < gradient.size(); ++v) slope[part[v]] += gradient[v].norm();
        parallel_for(mesh.vertices.size(), [&](Index v) {
            const double length = gradient[v].norm();
            if (length == 0) return;
            const double shift = (wanted[part[v]] - present[part[v]]) / slope[part[v]];
            mesh.vertices[v] += shift / length * gradient[v];
        });
    }
}

} // namespace

MeshSmoother::MeshSmoother(const TriangleMesh& mesh) : begin_(mesh.vertices.size() + 1, 0)
{
    for (const auto& t : mesh.triangles)
        for (const Index v : t) ++begin_[v + 1];
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    neighbors_.resize(begin_.back());
    std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
    // In a closed manifold each neighbour of a vertex is the next one in exactly one triangle.
    for (const auto& t : mesh.triangles)
        for (std::size_t k = 0; k < 3; ++k) neighbors_[next[t[k]]++] = t[(k + 1) % 3];
}

/// x_i ← x_i + factor · (mean of the neighbours − x_i)
template <class Vector>
void MeshSmoother::relax(double factor, std::span<Vector> x, std::vector<Vector>& result) const
{
    using Real = typename Vector::Scalar;
    result.resize(x.size());
    parallel_for(x.size(), [&](Index i) {
        const std::size_t count = begin_[i + 1] - begin_[i];
        Vector sum = Vector::Zero();
        for (std::size_t n = begin_[i]; n < begin_[i + 1]; ++n) sum += x[neighbors_[n]];
        result[i] = count == 0 ? x[i] : Vector(x[i] + Real(factor) * (sum / Real(count) - x[i]));
    });
    parallel_for(x.size(), [&](Index i) { x[i] = result[i]; });
}

void MeshSmoother::smooth(TriangleMesh& mesh, int passes) const
{
    PHYXEL_ASSERT(passes >= 0);
    PHYXEL_ASSERT(mesh.vertices.size() + 1 == begin_.size());
    if (passes == 0 || mesh.triangles.empty()) return;
    // [Tau95]: waves longer than the pass band 1/λ + 1/μ = 0.1 are left alone.
    constexpr double inward = 0.5;
    constexpr double outward = -0.526;
    std::size_t count = 0;
    const std::vector<Index> part = find_parts(mesh, count);
    const Vec<3> origin = bounds(mesh).center();
    const std::vector<double> wanted = volumes(mesh, part, count, origin);
    std::vector<Vec<3>> result;
    for (int pass = 0; pass < passes; ++pass) {
        relax<Vec<3>>(inward, mesh.vertices, result);
        relax<Vec<3>>(outward, mesh.vertices, result);
    }
    restore_volumes(mesh, part, wanted, origin);
}

void MeshSmoother::smooth_directions(std::span<Vec<3, float>> directions, int passes) const
{
    PHYXEL_ASSERT(directions.size() + 1 == begin_.size());
    if (passes == 0) return;
    std::vector<Vec<3, float>> result;
    for (int pass = 0; pass < passes; ++pass) relax<Vec<3, float>>(0.5, directions, result);
    parallel_for(directions.size(), [&](Index i) {
        const float length = directions[i].norm();
        if (length > 0) directions[i] /= length;
    });
}

} // namespace phyxel
