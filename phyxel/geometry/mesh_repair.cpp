// SPDX-License-Identifier: MIT
#include <phyxel/core/error.h>
#include <phyxel/geometry/detail/clean_mesh.h>
#include <phyxel/geometry/mesh_repair.h>
#include <phyxel/geometry/winding_number.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace phyxel {
namespace {

void flip(std::array<Index, 3>& triangle) { std::swap(triangle[1], triangle[2]); }

/// What decides whether a part of the mesh faces inwards.
struct Part {
    Box<3> bounds;
    double area = 0.0;
    double signed_volume = 0.0;
    Vec<3> area_vector = Vec<3>::Zero();
    Vec<3> place = Vec<3>::Zero(); ///< centre of its largest triangle
    double largest_area = -1.0;

    /// The area vector of a closed surface vanishes. The volume of a sheet says nothing.
    bool is_nearly_closed() const { return area_vector.norm() < 0.3 * area; }
};

std::vector<Part> measure_parts(const TriangleMesh& mesh, std::span<const Index> component, std::size_t count)
{
    std::vector<Part> parts(count);
    const auto corners = [&](std::size_t t) {
        const auto& [a, b, c] = mesh.triangles[t];
        return Triangle{mesh.vertices[a], mesh.vertices[b], mesh.vertices[c]};
    };
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
        for (const Index v : mesh.triangles[t]) parts[component[t]].bounds.extend(mesh.vertices[v]);
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        const Triangle triangle = corners(t);
        Part& part = parts[component[t]];
        const Vec<3> n = triangle.area_vector();
        const double area = n.norm();
        part.area += area;
        part.area_vector += n;
        part.signed_volume += (triangle.a - part.bounds.center()).dot(n) / 3;
        if (area > part.largest_area) {
            part.largest_area = area;
            part.place = triangle.centroid();
        }
    }
    return parts;
}

/// Turns parts that face inwards and lie in no other part. Returns how many.
std::size_t turn_lone_parts(TriangleMesh& mesh, std::span<const Index> component, std::size_t count)
{
    const std::vector<Part> parts = measure_parts(mesh, component, count);
    const auto faces_inwards = [](const Part& part) {
        return part.signed_volume < 0 && part.is_nearly_closed();
    };
    if (std::none_of(parts.begin(), parts.end(), faces_inwards)) return 0;

    TriangleMesh others{mesh.vertices, {}};
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
        if (!faces_inwards(parts[component[t]])) others.triangles.push_back(mesh.triangles[t]);
    const WindingNumber winding(others);

    std::vector<bool> is_turned(count, false);
    std::size_t turned = 0;
    for (std::size_t p = 0; p < count; ++p) {
        is_turned[p] = faces_inwards(parts[p]) && !winding.inside(parts[p].place);
        turned += is_turned[p] ? 1 : 0;
    }
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
        if (is_turned[component[t]]) flip(mesh.triangles[t]);
    return turned;
}

} // namespace

RepairedMesh repair_mesh(const TriangleMesh& mesh)
{
    detail::CleanMesh clean = detail::clean_mesh(mesh);
    const MeshReport& report = clean.report;
    if (report.non_finite_vertices > 0)
        throw InputError("mesh has " + std::to_string(report.non_finite_vertices) + " of " +
                         std::to_string(report.vertex_count) + " vertices that are not finite");
    if (report.out_of_range_triangles > 0)
        throw InputError("mesh has " + std::to_string(report.out_of_range_triangles) + " of " +
                         std::to_string(report.triangle_count) + " triangles that name a vertex beyond its " +
                         std::to_string(report.vertex_count));

    RepairedMesh result{.mesh = std::move(clean.mesh), .report = report};
    std::vector<std::array<Index, 3>>& triangles = result.mesh.triangles;
    for (std::size_t t = 0; t < triangles.size(); ++t)
        if (clean.is_flipped[t]) flip(triangles[t]);

    result.was_reversed = signed_volume(result.mesh) < 0;
    if (result.was_reversed)
        for (auto& triangle : triangles) flip(triangle);
    if (report.components > 1)
        result.reversed_components = turn_lone_parts(result.mesh, clean.component, report.components);

    result.is_watertight = check_mesh(result.mesh).is_watertight;
    return result;
}

} // namespace phyxel
