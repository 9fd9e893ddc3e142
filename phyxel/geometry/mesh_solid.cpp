// SPDX-License-Identifier: MIT
#include <phyxel/core/error.h>
#include <phyxel/geometry/detail/input_text.h>
#include <phyxel/geometry/detail/mean_over_box.h>
#include <phyxel/geometry/mesh_distance.h>
#include <phyxel/geometry/mesh_repair.h>
#include <phyxel/geometry/mesh_solid.h>
#include <phyxel/geometry/tangent_cells.h>
#include <phyxel/geometry/winding_number.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

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

/// The sides of triangles that nothing continues, with twice the length where two triangles end in one. The
/// winding number of a surface changes by the law of Biot and Savart for a current along its rim,
///
///     |∇w(x)| = |∮ dl × (x − y) / |x − y|³| / 4π ≤ (length of the rim) / (4π (distance to the rim)²),
///
/// so one knows how much it may change within a ball that no triangle reaches into.
class HoleRims {
public:
    explicit HoleRims(const TriangleMesh& mesh)
    {
        struct Side {
            std::array<Index, 2> ends;
            int direction;
        };
        std::vector<Side> sides;
        sides.reserve(3 * mesh.triangles.size());
        for (const auto& triangle : mesh.triangles)
            for (std::size_t k = 0; k < 3; ++k) {
                const Index from = triangle[k];
                const Index to = triangle[(k + 1) % 3];
                sides.push_back({{std::min(from, to), std::max(from, to)}, from < to ? 1 : -1});
            }
        std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) { return a.ends < b.ends; });
        TriangleMesh rims{mesh.vertices, {}};
        for (std::size_t i = 0, next = 0; i < sides.size(); i = next) {
            int balance = 0;
            for (; next < sides.size() && sides[next].ends == sides[i].ends; ++next)
                balance += sides[next].direction;
            if (balance == 0) continue;
            const auto [a, b] = sides[i].ends;
            length_ += std::abs(balance) * (mesh.vertices[a] - mesh.vertices[b]).norm();
            rims.triangles.push_back({a, b, b});
        }
        side_count_ = rims.triangles.size();
        if (side_count_ > 0) distance_.emplace(rims);
    }

    std::size_t side_count() const { return side_count_; }

    /// The most that the winding number in a ball without triangles may differ from that of its centre.
    double change_within(const Vec<3>& center, double radius) const
    {
        if (!distance_) return 0.0;
        const double nearest = (*distance_)(center)-radius;
        if (!(nearest > 0.0)) return std::numeric_limits<double>::infinity();
        return radius * length_ / (4.0 * std::numbers::pi * nearest * nearest);
    }

private:
    double length_ = 0.0; ///< [m]
    std::size_t side_count_ = 0;
    std::optional<MeshDistance> distance_;
};

} // namespace

struct MeshSolid::Data {
    RepairedMesh repaired;
    bool is_cloud;
    std::vector<Vec<3>> outline; ///< the bounds are around these: cells of a cloud reach beyond its points
    Box<3> bounds;
    std::shared_ptr<const TriangleTree> tree;
    WindingNumber winding;
    MeshDistance distance;
    std::optional<HoleRims> rims; ///< none where there are too many to tell anything, as in a cloud
    double query_work = 0.0;

    Data(RepairedMesh mesh, const PointCloud* cloud)
        : repaired(std::move(mesh)),
          is_cloud(cloud != nullptr),
          outline(is_cloud ? cloud->positions : repaired.mesh.vertices),
          bounds(bounds_after({})),
          tree(std::make_shared<const TriangleTree>(require_volume(repaired))),
          winding(tree, winding_options),
          distance(tree)
    {
        if (!is_cloud) rims.emplace(repaired.mesh);
        constexpr double many = 0.3; // of all sides, of which a closed mesh has 1.5 for each triangle
        if (rims && static_cast<double>(rims->side_count()) >
                        many * 1.5 * static_cast<double>(repaired.mesh.triangles.size()))
            rims.reset();
        query_work = detail::query_work_of(bounds, repaired.mesh.vertices, [&](const Vec<3>& x) {
            return winding.work(x) + distance.work(x);
        });
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

std::optional<bool> MeshSolid::ball_inside(const Vec<3>& center, double radius) const
{
    detail::require_finite_query<3>(center);
    if (data_->bounds.distance(center) > radius) return false;
    if (!data_->rims || data_->distance.is_within(center, radius)) return std::nullopt;
    const WindingValue w = data_->winding.evaluate(center);
    const double change = data_->rims->change_within(center, radius) + w.error;
    if (w.value < 0.5 - change) return false;
    // Nothing beyond the bounds is inside, whatever the winding number says.
    const Vec<3> reach = Vec<3>::Constant(radius);
    const bool is_within_bounds =
        data_->bounds.contains(center - reach) && data_->bounds.contains(center + reach);
    if (w.value > 0.5 + change && is_within_bounds) return true;
    return std::nullopt;
}

double MeshSolid::query_work() const { return data_->query_work; }

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
