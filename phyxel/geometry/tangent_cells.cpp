// SPDX-License-Identifier: MIT
#include <phyxel/core/error.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/geometry/detail/input_text.h>
#include <phyxel/geometry/tangent_cells.h>
#include <phyxel/search/kd_tree.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>
#include <string>

namespace phyxel {
namespace {

using Polygon = std::vector<Vec<2>>;

/// The part of a convex polygon with n · x ≤ limit.
Polygon clipped(const Polygon& polygon, const Vec<2>& n, double limit)
{
    Polygon result;
    for (std::size_t k = 0; k < polygon.size(); ++k) {
        const Vec<2>& p = polygon[k];
        const Vec<2>& q = polygon[(k + 1) % polygon.size()];
        const double p_excess = n.dot(p) - limit;
        const double q_excess = n.dot(q) - limit;
        if (p_excess <= 0) result.push_back(p);
        if ((p_excess < 0 && q_excess > 0) || (p_excess > 0 && q_excess < 0))
            result.push_back(p + (q - p) * (p_excess / (p_excess - q_excess)));
    }
    return result;
}

/// Around a circle, counter-clockwise.
Polygon regular_polygon(double radius)
{
    constexpr int corners = 12;
    Polygon polygon;
    for (int k = 0; k < corners; ++k) {
        const double angle = 2 * std::numbers::pi * k / corners;
        polygon.push_back(radius * Vec<2>(std::cos(angle), std::sin(angle)));
    }
    return polygon;
}

double area_of(const Polygon& polygon)
{
    double twice = 0.0;
    for (std::size_t k = 0; k < polygon.size(); ++k) {
        const Vec<2>& p = polygon[k];
        const Vec<2>& q = polygon[(k + 1) % polygon.size()];
        twice += p[0] * q[1] - p[1] * q[0];
    }
    return 0.5 * twice;
}

/// Two axes that make a right-handed frame with n.
std::array<Vec<3>, 2> tangents_of(const Vec<3>& n)
{
    int thinnest = 0;
    n.cwiseAbs().minCoeff(&thinnest);
    const Vec<3> u = n.cross(Vec<3>::Unit(thinnest)).normalized();
    return {u, n.cross(u)};
}

void require_usable(const PointCloud& cloud)
{
    if (cloud.positions.empty()) throw InputError("point cloud has no points");
    if (cloud.normals.empty())
        throw InputError("point cloud has no normals; without faces a surface needs them");
    if (cloud.normals.size() != cloud.positions.size())
        throw InputError("point cloud has " + std::to_string(cloud.positions.size()) + " points and " +
                         std::to_string(cloud.normals.size()) + " normals, must be as many");
    for (std::size_t i = 0; i < cloud.positions.size(); ++i) {
        const std::string number = std::to_string(i);
        if (!detail::all_finite<3>(cloud.positions[i]))
            detail::require_finite_value<3>(cloud.positions[i], "point " + number);
        if (!detail::all_finite<3>(cloud.normals[i]))
            detail::require_finite_value<3>(cloud.normals[i], "normal " + number);
        if (cloud.normals[i].isZero(0.0))
            throw InputError("normal " + number + " is zero, must have a direction");
    }
}

} // namespace

TangentCells tangent_cells(const PointCloud& cloud, const TangentCellOptions& options)
{
    require_usable(cloud);
    if (options.neighbor_count < 3)
        throw InputError("tangent cells: neighbor_count is " + std::to_string(options.neighbor_count) +
                         ", must be at least 3");
    const std::vector<Vec<3>>& positions = cloud.positions;
    const std::size_t count = positions.size();
    TangentCells cells;
    cells.area.assign(count, 0.0);

    const KdTree<3> tree{std::span<const Vec<3>>(positions)};
    std::vector<std::vector<Vec<3>>> corners(count);
    parallel_for_blocks(count, 256, [&](const Block& block) {
        std::vector<Neighbor<double>> neighbors;
        for (std::size_t i = block.begin; i < block.end; ++i) {
            // One more than asked for: the point finds itself.
            tree.nearest(positions[i], options.neighbor_count + 1, neighbors);
            const double reach = neighbors.back().distance;
            const bool has_earlier_twin = std::any_of(neighbors.begin(), neighbors.end(), [&](const auto& j) {
                return j.distance == 0 && j.id < i;
            });
            if (reach == 0 || has_earlier_twin) continue;

            const Vec<3> n = cloud.normals[i].stableNormalized();
            const auto [u, v] = tangents_of(n);
            Polygon cell = regular_polygon(0.5 * reach);
            for (const Neighbor<double>& j : neighbors) {
                if (n.dot(cloud.normals[j.id]) <= 0) continue;
                const Vec<3> offset = positions[j.id] - positions[i];
                const Vec<2> d(u.dot(offset), v.dot(offset));
                const double square = d.squaredNorm();
                if (square > 0) cell = clipped(cell, d, 0.5 * square);
            }
            cells.area[i] = area_of(cell);
            for (const Vec<2>& p : cell) corners[i].push_back(positions[i] + p[0] * u + p[1] * v);
        }
    });

    for (const std::vector<Vec<3>>& polygon : corners) {
        const std::size_t first = cells.mesh.vertices.size();
        cells.mesh.vertices.insert(cells.mesh.vertices.end(), polygon.begin(), polygon.end());
        for (std::size_t k = 2; k < polygon.size(); ++k)
            cells.mesh.triangles.push_back({static_cast<Index>(first), static_cast<Index>(first + k - 1),
                                            static_cast<Index>(first + k)});
    }
    return cells;
}

} // namespace phyxel
