// SPDX-License-Identifier: MIT
#include <phyxel/surface/coat_mesh.h>

#include <phyxel/core/disjoint_sets.h>
#include <phyxel/core/error.h>
#include <phyxel/core/number_text.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/surface/detail/coat_surfaces.h>
#include <phyxel/surface/detail/point_set_surface.h>
#include <phyxel/surface/marching_cubes.h>

#include <Eigen/Geometry>

#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace phyxel {
namespace {

/// A hollow of less than this is none, in spacings³.
constexpr double smallest_hollow = 8.0;

/// A vertex is drawn no farther, in spacings.
constexpr double farthest = 0.75;

/// The mesh without pieces that face inwards and hold little.
TriangleMesh without_hollows(TriangleMesh mesh, double largest)
{
    DisjointSets pieces(mesh.vertices.size());
    for (const auto& [a, b, c] : mesh.triangles) {
        pieces.join(a, b);
        pieces.join(a, c);
    }
    std::vector<double> volume(mesh.vertices.size(), 0.0);
    for (const auto& [a, b, c] : mesh.triangles) {
        // From a corner of the piece, so that it does not matter how far from the origin it is.
        const Vec<3>& o = mesh.vertices[pieces.find(a)];
        volume[pieces.find(a)] +=
            (mesh.vertices[a] - o).dot((mesh.vertices[b] - o).cross(mesh.vertices[c] - o)) / 6.0;
    }
    const auto is_hollow = [&](Index v) {
        return volume[pieces.find(v)] < 0.0 && volume[pieces.find(v)] > -largest;
    };
    std::vector<Index> number(mesh.vertices.size());
    TriangleMesh left;
    for (Index v = 0; v < mesh.vertices.size(); ++v)
        if (!is_hollow(v)) {
            number[v] = static_cast<Index>(left.vertices.size());
            left.vertices.push_back(mesh.vertices[v]);
        }
    for (const auto& [a, b, c] : mesh.triangles)
        if (!is_hollow(a)) left.triangles.push_back({number[a], number[b], number[c]});
    return left;
}

void check(const char* what, double value, double least, double most)
{
    if (!(value >= least && value <= most))
        throw InputError(std::string(what) + " " + number_text(value) + ": must be from " +
                         number_text(least) + " to " + number_text(most));
}

} // namespace

ParticleSurface coat_mesh(std::span<const Vec<3>> phyxels, std::span<const Vec<3>> velocities,
                          std::span<const Vec<3>> surfels, std::span<const Vec<3>> normals,
                          const CoatMeshOptions& options)
{
    constexpr double largest = 1e6;
    check("cell", options.cell, 0.05, 4.0);
    check("spacing", options.spacing, 1.0 / largest, largest);
    check("radius", options.radius, 1.0 / largest, largest);
    if (surfels.size() != normals.size() || (!velocities.empty() && velocities.size() != phyxels.size()))
        throw InputError("there are " + std::to_string(surfels.size()) + " surfels with " +
                         std::to_string(normals.size()) + " normals, and " + std::to_string(phyxels.size()) +
                         " phyxels with " + std::to_string(velocities.size()) + " velocities");
    for (std::size_t i = 0; i < surfels.size(); ++i)
        if (!surfels[i].allFinite() || !normals[i].allFinite())
            throw InputError("surfel " + std::to_string(i) + " has no finite place and normal");
    const BlinnField field(phyxels, blinn_shape(options.spacing, options.blobbiness));
    std::vector<Vec<3>> outwards(normals.begin(), normals.end());
    for (Vec<3>& n : outwards) n.normalize();
    const detail::PointSetSurface detail(surfels, outwards, detail::detail_reach * options.radius);

    ParticleSurface surface;
    surface.mesh = without_hollows(
        marching_cubes(field.sampled(options.cell * options.spacing), static_cast<float>(blinn_level)).mesh,
        smallest_hollow * std::pow(options.spacing, 3));
    const std::size_t count = surface.mesh.vertices.size();
    surface.normals.resize(count);
    surface.velocities.assign(count, Vec<3, float>::Zero());
    parallel_for(
        count,
        [&](Index v) {
            Vec<3>& x = surface.mesh.vertices[v];
            Vec<3> normal = -field.sample(x).gradient;
            if (normal.norm() > 0.0) normal.normalize();
            if (!velocities.empty()) {
                Vec<3> sum = Vec<3>::Zero();
                double weights = 0.0;
                field.for_each_bell(x, [&](Index i, double bell) {
                    sum += bell * velocities[i];
                    weights += bell;
                });
                if (weights > 0.0) surface.velocities[v] = (sum / weights).cast<float>();
            }
            const detail::PointSetSurface::Place place =
                detail.project(x, normal, 1e-4 * options.radius, detail::PointSetSurface::Bent::Through);
            if (place.weight > 0.0 && (place.x - x).norm() <= farthest * options.spacing) {
                x = place.x;
                normal = place.normal;
            }
            surface.normals[v] = normal.cast<float>();
        },
        128);
    return surface;
}

} // namespace phyxel
