// SPDX-License-Identifier: MIT
// Meshes whose solids are known, and ways to spoil them.
#pragma once

#include <phyxel/core/rng.h>
#include <phyxel/geometry/box.h>
#include <phyxel/geometry/triangle_mesh.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <numbers>
#include <utility>
#include <vector>

namespace phyxel {

/// Twelve triangles that face outwards.
inline TriangleMesh box_mesh(const Box<3>& box)
{
    TriangleMesh mesh;
    for (int k = 0; k < 8; ++k)
        mesh.vertices.emplace_back(k & 1 ? box.max[0] : box.min[0], k & 2 ? box.max[1] : box.min[1],
                                   k & 4 ? box.max[2] : box.min[2]);
    mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                      {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    return mesh;
}

/// An icosahedron whose triangles are split into four `levels` times, with all vertices on the sphere:
/// 20 · 4^levels triangles that face outwards.
inline TriangleMesh sphere_mesh(int levels, double radius = 1.0, const Vec<3>& center = Vec<3>::Zero())
{
    const double g = std::numbers::phi;
    TriangleMesh mesh;
    mesh.vertices = {{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
                     {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
    mesh.triangles = {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
                      {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
                      {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
    for (int level = 0; level < levels; ++level) {
        std::map<std::pair<Index, Index>, Index> middles;
        const auto middle = [&](Index a, Index b) {
            const auto [entry, is_new] =
                middles.try_emplace(std::minmax(a, b), static_cast<Index>(mesh.vertices.size()));
            if (is_new) mesh.vertices.push_back(0.5 * (mesh.vertices[a] + mesh.vertices[b]));
            return entry->second;
        };
        std::vector<std::array<Index, 3>> finer;
        for (const auto& [a, b, c] : mesh.triangles) {
            const Index ab = middle(a, b);
            const Index bc = middle(b, c);
            const Index ca = middle(c, a);
            finer.insert(finer.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
        }
        mesh.triangles = std::move(finer);
    }
    for (Vec<3>& x : mesh.vertices) x = center + radius * x.normalized();
    return mesh;
}

/// Least distance from the centre of a sphere mesh to its triangles: everything nearer is inside.
inline double inner_radius(const TriangleMesh& mesh, const Vec<3>& center = Vec<3>::Zero())
{
    double least = std::numeric_limits<double>::infinity();
    for (const auto& [a, b, c] : mesh.triangles) {
        // The triangles are acute, so the foot of the perpendicular is on them.
        const Vec<3> u = mesh.vertices[b] - mesh.vertices[a];
        const Vec<3> v = mesh.vertices[c] - mesh.vertices[a];
        const Vec<3> n(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]);
        least = std::min(least, (mesh.vertices[a] - center).dot(n.normalized()));
    }
    return least;
}

/// Ring about the z axis.
inline TriangleMesh torus_mesh(double radius, double tube, int around = 64, int across = 32)
{
    TriangleMesh mesh;
    for (int i = 0; i < around; ++i) {
        for (int j = 0; j < across; ++j) {
            const double u = 2 * std::numbers::pi * i / around;
            const double v = 2 * std::numbers::pi * j / across;
            const double r = radius + tube * std::cos(v);
            mesh.vertices.emplace_back(r * std::cos(u), r * std::sin(u), tube * std::sin(v));
            const auto number = [&](int k, int l) {
                return static_cast<Index>((k % around) * across + l % across);
            };
            mesh.triangles.push_back({number(i, j), number(i + 1, j), number(i + 1, j + 1)});
            mesh.triangles.push_back({number(i, j), number(i + 1, j + 1), number(i, j + 1)});
        }
    }
    return mesh;
}

inline TriangleMesh joined(TriangleMesh first, const TriangleMesh& second)
{
    const Index offset = static_cast<Index>(first.vertices.size());
    first.vertices.insert(first.vertices.end(), second.vertices.begin(), second.vertices.end());
    for (const auto& [a, b, c] : second.triangles)
        first.triangles.push_back({a + offset, b + offset, c + offset});
    return first;
}

inline void flip(std::array<Index, 3>& triangle) { std::swap(triangle[1], triangle[2]); }

inline TriangleMesh reversed(TriangleMesh mesh)
{
    for (auto& triangle : mesh.triangles) flip(triangle);
    return mesh;
}

/// As in STL files: every triangle has vertices of its own.
inline TriangleMesh unshared(const TriangleMesh& mesh)
{
    TriangleMesh soup;
    for (const auto& triangle : mesh.triangles) {
        const Index first = static_cast<Index>(soup.vertices.size());
        for (const Index v : triangle) soup.vertices.push_back(mesh.vertices[v]);
        soup.triangles.push_back({first, first + 1, first + 2});
    }
    return soup;
}

/// Every `stride`-th triangle left out.
inline TriangleMesh with_holes(const TriangleMesh& mesh, std::size_t stride)
{
    TriangleMesh result{mesh.vertices, {}};
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
        if (t % stride != 0) result.triangles.push_back(mesh.triangles[t]);
    return result;
}

/// Every `stride`-th triangle turned.
inline TriangleMesh with_flipped(TriangleMesh mesh, std::size_t stride)
{
    for (std::size_t t = 0; t < mesh.triangles.size(); t += stride) flip(mesh.triangles[t]);
    return mesh;
}

/// Every `stride`-th triangle twice; the copy turned if wanted.
inline TriangleMesh with_doubled(TriangleMesh mesh, std::size_t stride, bool is_turned)
{
    const std::size_t count = mesh.triangles.size();
    for (std::size_t t = 0; t < count; t += stride) {
        mesh.triangles.push_back(mesh.triangles[t]);
        if (is_turned) flip(mesh.triangles.back());
    }
    return mesh;
}

/// Triangles at random in the unit cube, each about `size` wide. They enclose nothing.
inline TriangleMesh triangle_soup(std::size_t count, double size, std::uint64_t seed)
{
    TriangleMesh mesh;
    Rng rng(seed);
    for (std::size_t t = 0; t < count; ++t) {
        const Vec<3> x = rng.point<3>(0, 1);
        const Index first = static_cast<Index>(mesh.vertices.size());
        for (int k = 0; k < 3; ++k) mesh.vertices.push_back(x + rng.point<3>(-size, size));
        mesh.triangles.push_back({first, first + 1, first + 2});
    }
    return mesh;
}

/// Evenly spread on a sphere along a spiral, with outward normals.
inline PointCloud sphere_cloud(std::size_t count, double radius = 1.0)
{
    PointCloud cloud;
    const double golden_angle = std::numbers::pi * (3 - std::sqrt(5.0));
    for (std::size_t i = 0; i < count; ++i) {
        const double k = static_cast<double>(i);
        const double z = 1 - (2 * k + 1) / static_cast<double>(count);
        const double r = std::sqrt(1 - z * z);
        cloud.normals.emplace_back(r * std::cos(golden_angle * k), r * std::sin(golden_angle * k), z);
        cloud.positions.push_back(radius * cloud.normals.back());
    }
    return cloud;
}

inline std::vector<Vec<3>> random_points(std::size_t count, double low, double high, std::uint64_t seed)
{
    std::vector<Vec<3>> points;
    Rng rng(seed);
    for (std::size_t i = 0; i < count; ++i) points.push_back(rng.point<3>(low, high));
    return points;
}

} // namespace phyxel
