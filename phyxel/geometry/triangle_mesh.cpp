// SPDX-License-Identifier: MIT
#include <phyxel/core/ordered_sum.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/geometry/triangle_mesh.h>

#include <Eigen/Geometry>

namespace phyxel {
namespace {

Box<3> box_around(const std::vector<Vec<3>>& points)
{
    Box<3> box;
    for (const Vec<3>& x : points) box.extend(x);
    return box;
}

void map_points(std::vector<Vec<3>>& points, const Similarity<3>& map)
{
    parallel_for(points.size(), [&](Index i) { points[i] = map.apply(points[i]); });
}

} // namespace

Box<3> bounds(const TriangleMesh& mesh) { return box_around(mesh.vertices); }

Box<3> bounds(const PointCloud& cloud) { return box_around(cloud.positions); }

TriangleMesh transformed(TriangleMesh mesh, const Similarity<3>& map)
{
    map_points(mesh.vertices, map);
    return mesh;
}

PointCloud transformed(PointCloud cloud, const Similarity<3>& map)
{
    map_points(cloud.positions, map);
    parallel_for(cloud.normals.size(),
                 [&](Index i) { cloud.normals[i] = (map.rotation * cloud.normals[i]).eval(); });
    return cloud;
}

double surface_area(const TriangleMesh& mesh)
{
    return ordered_sum(mesh.triangles.size(), [&](Index t) {
        const auto& [a, b, c] = mesh.triangles[t];
        const Vec<3>& x = mesh.vertices[a];
        return 0.5 * (mesh.vertices[b] - x).cross(mesh.vertices[c] - x).norm();
    });
}

double signed_volume(const TriangleMesh& mesh)
{
    // Coordinates about the centre: far from the origin the tetrahedra would cancel to nothing.
    const Vec<3> center = bounds(mesh).center();
    return ordered_sum(mesh.triangles.size(), [&](Index t) {
        const auto& [a, b, c] = mesh.triangles[t];
        const Vec<3> x = mesh.vertices[a] - center;
        const Vec<3> y = mesh.vertices[b] - center;
        const Vec<3> z = mesh.vertices[c] - center;
        return x.dot(y.cross(z)) / 6.0;
    });
}

} // namespace phyxel
