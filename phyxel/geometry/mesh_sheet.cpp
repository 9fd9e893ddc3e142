// SPDX-License-Identifier: MIT
#include <phyxel/geometry/mesh_sheet.h>

#include <phyxel/core/disjoint_sets.h>
#include <phyxel/core/error.h>
#include <phyxel/geometry/detail/mean_over_box.h>
#include <phyxel/geometry/mesh_distance.h>
#include <phyxel/geometry/mesh_repair.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

namespace phyxel {
namespace {

/// Sides that one triangle only has, in its direction.
std::vector<std::array<Index, 2>> open_sides(const TriangleMesh& mesh)
{
    std::vector<std::array<Index, 2>> sides;
    for (const auto& triangle : mesh.triangles)
        for (std::size_t k = 0; k < 3; ++k) sides.push_back({triangle[k], triangle[(k + 1) % 3]});
    const auto ends = [](const std::array<Index, 2>& side) { return std::minmax(side[0], side[1]); };
    std::stable_sort(sides.begin(), sides.end(),
                     [&](const auto& a, const auto& b) { return ends(a) < ends(b); });
    std::vector<std::array<Index, 2>> open;
    for (std::size_t i = 0; i < sides.size();) {
        std::size_t next = i + 1;
        while (next < sides.size() && ends(sides[next]) == ends(sides[i])) ++next;
        if (next == i + 1) open.push_back(sides[i]);
        i = next;
    }
    return open;
}

/// Normal times area of what would close the largest hole.
double largest_hole(const TriangleMesh& mesh)
{
    const std::vector<std::array<Index, 2>> sides = open_sides(mesh);
    DisjointSets holes(mesh.vertices.size());
    for (const auto& [a, b] : sides) holes.join(a, b);
    std::vector<Vec<3>> area(mesh.vertices.size(), Vec<3>::Zero());
    for (const auto& [a, b] : sides) {
        const Index hole = holes.find(a);
        const Vec<3>& origin = mesh.vertices[hole];
        area[hole] += 0.5 * (mesh.vertices[a] - origin).cross(mesh.vertices[b] - origin);
    }
    double largest = 0.0;
    for (const Vec<3>& hole : area) largest = std::max(largest, hole.norm());
    return largest;
}

} // namespace

bool is_open_sheet(const TriangleMesh& mesh)
{
    constexpr double large = 0.01;
    const TriangleMesh repaired = repair_mesh(mesh).mesh;
    return largest_hole(repaired) > large * surface_area(repaired);
}

struct MeshSheet::Data {
    RepairedMesh repaired;
    Box<3> bounds;
    MeshDistance distance;
    double query_work;

    explicit Data(RepairedMesh mesh)
        : repaired(std::move(mesh)),
          bounds(phyxel::bounds(require_area(repaired))),
          distance(repaired.mesh),
          query_work(detail::query_work_of(bounds, repaired.mesh.vertices,
                                           [&](const Vec<3>& x) { return distance.work(x); }))
    {
    }

    static const TriangleMesh& require_area(const RepairedMesh& mesh)
    {
        if (!(surface_area(mesh.mesh) > 0.0))
            throw InputError("mesh has no surface: " + std::to_string(mesh.report.vertex_count) +
                             " points, " + std::to_string(mesh.report.triangle_count) + " triangles");
        return mesh.mesh;
    }
};

MeshSheet::MeshSheet(const TriangleMesh& mesh) : data_(std::make_shared<const Data>(repair_mesh(mesh))) {}

const TriangleMesh& MeshSheet::surface() const { return data_->repaired.mesh; }

const Box<3>& MeshSheet::bounds() const { return data_->bounds; }

Box<3> MeshSheet::bounds(const Similarity<3>& map) const
{
    Box<3> box;
    for (const Vec<3>& x : surface().vertices) box.extend(map.apply(x));
    return box;
}

const MeshReport& MeshSheet::report() const { return data_->repaired.report; }

double MeshSheet::query_work() const { return data_->query_work; }

SignedDistance<3> MeshSheet::distance(const Vec<3>& x) const
{
    const SurfacePoint nearest = data_->distance.closest(x);
    // Close to the surface the direction from it drowns in rounding.
    if (nearest.distance > 1e-9 * data_->bounds.longest_side())
        return {nearest.distance, (x - nearest.position) / nearest.distance};
    const auto& [a, b, c] = surface().triangles[nearest.triangle];
    const std::vector<Vec<3>>& v = surface().vertices;
    const Vec<3> n = Triangle{v[a], v[b], v[c]}.area_vector();
    return {nearest.distance, n.isZero(0.0) ? Vec<3>(Vec<3>::UnitZ()) : n.stableNormalized()};
}

} // namespace phyxel
