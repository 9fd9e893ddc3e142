// SPDX-License-Identifier: MIT
#include <phyxel/core/parallel_for.h>
#include <phyxel/render/detail/corner_normals.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numbers>
#include <utility>

namespace phyxel::detail {
namespace {

using Vec3f = Vec<3, float>;

/// Around a vertex with more triangles than this, those that face nearly the same way are taken together:
/// each of them would have to look at all others.
constexpr Index many = 128;

/// Triangles around one vertex that face nearly the same way.
struct Facing {
    Vec3f direction; ///< of unit length, or zero
    Vec3f sum;       ///< of the normals times the angles
};

/// Cells of a cube around the directions, a few degrees wide.
std::uint32_t cell_of(const Vec3f& direction)
{
    constexpr float cells = 16.0f;
    std::uint32_t cell = 0;
    for (int k = 0; k < 3; ++k)
        cell = 32u * cell + static_cast<std::uint32_t>(0.5f * cells * (direction[k] + 1.0f));
    return cell;
}

/// Of normals with their angles, in the order of the cells.
std::vector<Facing> gather(const std::vector<std::pair<Vec3f, float>>& weighted)
{
    std::vector<std::pair<std::uint32_t, std::size_t>> order;
    for (std::size_t i = 0; i < weighted.size(); ++i) order.emplace_back(cell_of(weighted[i].first), i);
    std::sort(order.begin(), order.end());
    std::vector<Facing> facings;
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (i == 0 || order[i].first != order[i - 1].first) facings.push_back({Vec3f::Zero(), Vec3f::Zero()});
        const auto& [normal, angle] = weighted[order[i].second];
        facings.back().direction += normal;
        facings.back().sum += angle * normal;
    }
    for (Facing& facing : facings) facing.direction.normalize();
    return facings;
}

} // namespace

std::vector<Vec3f> corner_normals(const DrawnMesh& drawn)
{
    const auto& x = drawn.mesh.vertices;
    const auto& triangles = drawn.mesh.triangles;
    if (drawn.smooth_angle <= 0.0) return {};
    std::vector<Vec3f> faces(triangles.size());
    std::vector<Index> offsets(x.size() + 1, 0);
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        const auto& [a, b, c] = triangles[t];
        const Vec<3> u = x[b] - x[a];
        const Vec<3> v = x[c] - x[a];
        const double size = std::max(u.cwiseAbs().maxCoeff(), v.cwiseAbs().maxCoeff());
        const Vec<3> n = size > 0.0 ? Vec<3>((u / size).cross(v / size)) : Vec<3>(Vec<3>::Zero());
        const double length = n.norm();
        faces[t] =
            length > 0.0 && std::isfinite(length) ? Vec3f((n / length).cast<float>()) : Vec3f(Vec3f::Zero());
        for (const Index corner : triangles[t]) ++offsets[corner + 1];
    }
    for (std::size_t i = 0; i < x.size(); ++i) offsets[i + 1] += offsets[i];
    std::vector<Index> around(offsets.back());
    std::vector<Index> next(offsets.begin(), offsets.end() - 1);
    for (std::size_t t = 0; t < triangles.size(); ++t)
        for (const Index corner : triangles[t]) around[next[corner]++] = static_cast<Index>(t);

    const auto angle_at = [&](Index t, Index vertex) {
        const auto& corners = triangles[t];
        const auto k =
            static_cast<std::size_t>(std::find(corners.begin(), corners.end(), vertex) - corners.begin());
        const Vec<3> u = (x[corners[(k + 1) % 3]] - x[vertex]).stableNormalized();
        const Vec<3> v = (x[corners[(k + 2) % 3]] - x[vertex]).stableNormalized();
        return static_cast<float>(std::acos(std::clamp(u.dot(v), -1.0, 1.0)));
    };
    const auto least_cosine = static_cast<float>(std::cos(std::min(drawn.smooth_angle, std::numbers::pi)));
    std::map<Index, std::vector<Facing>> crowded;
    for (Index vertex = 0; vertex < x.size(); ++vertex) {
        if (offsets[vertex + 1] - offsets[vertex] <= many) continue;
        std::vector<std::pair<Vec3f, float>> weighted;
        for (Index i = offsets[vertex]; i < offsets[vertex + 1]; ++i)
            weighted.emplace_back(faces[around[i]], angle_at(around[i], vertex));
        crowded[vertex] = gather(weighted);
    }
    std::vector<Vec3f> normals(3 * triangles.size());
    parallel_for(triangles.size(), [&](Index t) {
        for (std::size_t k = 0; k < 3; ++k) {
            const Index vertex = triangles[t][k];
            Vec3f sum = Vec3f::Zero();
            if (offsets[vertex + 1] - offsets[vertex] > many) {
                for (const Facing& facing : crowded.at(vertex))
                    if (facing.direction.dot(faces[t]) >= least_cosine) sum += facing.sum;
            } else {
                for (Index i = offsets[vertex]; i < offsets[vertex + 1]; ++i)
                    if (faces[around[i]].dot(faces[t]) >= least_cosine)
                        sum += angle_at(around[i], vertex) * faces[around[i]];
            }
            const float length = sum.norm();
            normals[3 * t + k] = length > 0.0f ? Vec3f(sum / length) : faces[t];
        }
    });
    return normals;
}

} // namespace phyxel::detail
