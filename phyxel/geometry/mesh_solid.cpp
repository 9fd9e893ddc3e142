// SPDX-License-Identifier: MIT
#include <phyxel/core/error.h>
#include <phyxel/geometry/detail/input_text.h>
#include <phyxel/geometry/mesh_distance.h>
#include <phyxel/geometry/mesh_repair.h>
#include <phyxel/geometry/mesh_solid.h>
#include <phyxel/geometry/tangent_cells.h>
#include <phyxel/geometry/winding_number.h>

#include <string>
#include <utility>

namespace phyxel {
namespace {

/// Whole numbers need not be known well to be told apart: with this the bounds of a query add up to 0.2, and
/// queries take two thirds of the time.
constexpr WindingOptions winding_options = {.cell_error = 5e-3};

/// From a cloud only what makes sense for loose cells is reported.
RepairedMesh oriented_cells(const PointCloud& cloud)
{
    RepairedMesh result{.mesh = tangent_cells(cloud).mesh};
    result.report.vertex_count = cloud.positions.size();
    result.report.area = surface_area(result.mesh);
    result.report.signed_volume = signed_volume(result.mesh);
    result.report.bounds = bounds(cloud);
    result.was_reversed = result.report.signed_volume < 0;
    if (result.was_reversed)
        for (auto& triangle : result.mesh.triangles) std::swap(triangle[1], triangle[2]);
    return result;
}

} // namespace

struct MeshSolid::Data {
    RepairedMesh repaired;
    bool is_cloud;
    std::vector<Vec<3>> outline; ///< the bounds are around these: cells of a cloud reach beyond its points
    Box<3> bounds;
    std::shared_ptr<const TriangleTree> tree;
    WindingNumber winding;
    MeshDistance distance;

    Data(RepairedMesh mesh, const PointCloud* cloud)
        : repaired(std::move(mesh)),
          is_cloud(cloud != nullptr),
          outline(is_cloud ? cloud->positions : repaired.mesh.vertices),
          bounds(bounds_after({})),
          tree(std::make_shared<const TriangleTree>(require_volume(repaired))),
          winding(tree, winding_options),
          distance(tree)
    {
    }

    Box<3> bounds_after(const Similarity<3>& map) const
    {
        Box<3> box;
        for (const Vec<3>& x : outline) box.extend(map.apply(x));
        return box;
    }

    /// Sheets and lines have no inside that could be filled.
    const TriangleMesh& require_volume(const RepairedMesh& mesh) const
    {
        const std::string name = is_cloud ? "point cloud" : "mesh";
        if (mesh.mesh.triangles.empty())
            throw InputError(name + " has no surface: " + std::to_string(mesh.report.vertex_count) +
                             " points, " + std::to_string(mesh.report.triangle_count) + " triangles, " +
                             std::to_string(mesh.report.degenerate_triangles) + " of them without area");
        const bool is_flat = !(bounds.shortest_side() > 1e-12 * bounds.longest_side());
        if (is_flat || !(signed_volume(mesh.mesh) > 1e-12 * bounds.volume()))
            throw InputError(name + " encloses no volume: its sides are " +
                             detail::text_of<3>(bounds.size()));
        return mesh.mesh;
    }
};

MeshSolid::MeshSolid(const TriangleMesh& mesh)
    : data_(std::make_shared<const Data>(repair_mesh(mesh), nullptr))
{
}

MeshSolid::MeshSolid(const PointCloud& cloud)
    : data_(std::make_shared<const Data>(oriented_cells(cloud), &cloud))
{
}

const TriangleMesh& MeshSolid::surface() const { return data_->repaired.mesh; }

const Box<3>& MeshSolid::bounds() const { return data_->bounds; }

Box<3> MeshSolid::bounds(const Similarity<3>& map) const { return data_->bounds_after(map); }

const MeshReport& MeshSolid::report() const { return data_->repaired.report; }

std::vector<std::string> MeshSolid::warnings() const
{
    std::vector<std::string> warnings;
    if (!data_->is_cloud) warnings = describe_defects(data_->repaired.report);
    if (data_->repaired.was_reversed)
        warnings.emplace_back(data_->is_cloud ? "normals point inwards and were turned"
                                              : "triangles face inwards and were turned");
    if (const std::size_t parts = data_->repaired.reversed_components; parts > 0)
        warnings.push_back(std::to_string(parts) + (parts == 1 ? " part that faces inwards and was turned"
                                                               : " parts that face inwards and were turned"));
    return warnings;
}

bool MeshSolid::is_watertight() const { return data_->repaired.is_watertight; }

double MeshSolid::winding_number(const Vec<3>& x) const { return data_->winding(x); }

bool MeshSolid::inside(const Vec<3>& x) const
{
    detail::require_finite_query<3>(x);
    // Sheets that lie behind each other may wind around places beyond all of them; no solid is meant there.
    return data_->bounds.contains(x) && data_->winding.inside(x);
}

bool MeshSolid::is_near_surface(const Vec<3>& x, double distance) const
{
    return data_->distance.is_within(x, distance);
}

SignedDistance<3> MeshSolid::signed_distance(const Vec<3>& x) const
{
    const SurfacePoint nearest = data_->distance.closest(x);
    const double sign = inside(x) ? -1.0 : 1.0;
    // Close to the surface the direction from it drowns in rounding.
    if (nearest.distance > 1e-9 * data_->bounds.longest_side())
        return {sign * nearest.distance, sign * (x - nearest.position) / nearest.distance};
    const auto& [a, b, c] = surface().triangles[nearest.triangle];
    const std::vector<Vec<3>>& v = surface().vertices;
    const Vec<3> n = Triangle{v[a], v[b], v[c]}.area_vector();
    return {sign * nearest.distance, n.isZero(0.0) ? Vec<3>(Vec<3>::UnitZ()) : n.stableNormalized()};
}

} // namespace phyxel
