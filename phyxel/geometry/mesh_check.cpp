// SPDX-License-Identifier: MIT
#include <phyxel/geometry/detail/clean_mesh.h>
#include <phyxel/geometry/mesh_check.h>

namespace phyxel {
namespace {

std::string counted(std::size_t count, const std::string& one, const std::string& many)
{
    return std::to_string(count) + " " + (count == 1 ? one : many);
}

} // namespace

MeshReport check_mesh(const TriangleMesh& mesh) { return detail::clean_mesh(mesh).report; }

std::vector<std::string> describe_defects(const MeshReport& report)
{
    std::vector<std::string> defects;
    const auto add = [&](std::size_t count, const std::string& one, const std::string& many) {
        if (count > 0) defects.push_back(counted(count, one, many));
    };
    add(report.non_finite_vertices, "vertex that is not finite", "vertices that are not finite");
    add(report.out_of_range_triangles, "triangle that names a missing vertex",
        "triangles that name missing vertices");
    if (report.boundary_edges > 0)
        defects.push_back(counted(report.boundary_edges, "edge at ", "edges at ") +
                          counted(report.holes, "hole", "holes"));
    add(report.flipped_triangles, "flipped triangle", "flipped triangles");
    add(report.duplicate_triangles, "doubled triangle", "doubled triangles");
    add(report.non_manifold_edges, "edge of more than two triangles", "edges of more than two triangles");
    add(report.degenerate_triangles, "triangle without area", "triangles without area");
    return defects;
}

} // namespace phyxel
