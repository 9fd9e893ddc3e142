// SPDX-License-Identifier: MIT
// A bar of nodes with vertices all over its surface: what tests of skins and surfels share.
#pragma once

#include <phyxel/search/neighbor_search.h>
#include <phyxel/surface/skinning.h>

#include <array>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

namespace phyxel {

struct SkinnedBody {
    double spacing = 0.1; ///< [m]
    std::vector<Vec<3>> nodes = {};
    std::vector<double> supports = {};
    NeighborLists neighbors = {};
    std::vector<Vec<3>> vertices = {};
    std::vector<Vec<3>> normals = {};

    SkinningNodes skinning_nodes() const { return {nodes, supports, neighbors}; }

    /// Fills the box from `min` on with nodes in the middles of cells.
    void add_nodes(const Vec<3>& min, const std::array<int, 3>& cells)
    {
        for (int k = 0; k < cells[2]; ++k)
            for (int j = 0; j < cells[1]; ++j)
                for (int i = 0; i < cells[0]; ++i)
                    nodes.push_back(min + spacing * Vec<3>(i + 0.5, j + 0.5, k + 0.5));
    }

    /// Vertices at the corners of `fine` cells for each of the body's along all edges of a box.
    void add_vertices(const Vec<3>& min, const std::array<int, 3>& cells, int fine)
    {
        for (std::size_t axis = 0; axis < 3; ++axis)
            for (const bool is_end : {false, true}) {
                const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
                for (int j = 0; j <= fine * cells[v]; ++j)
                    for (int i = 0; i <= fine * cells[u]; ++i) {
                        Vec<3> x = Vec<3>::Zero();
                        x[static_cast<int>(axis)] = is_end ? cells[axis] * spacing : 0.0;
                        x[static_cast<int>(u)] = i * spacing / fine;
                        x[static_cast<int>(v)] = j * spacing / fine;
                        vertices.push_back(min + x);
                        normals.push_back((is_end ? 1.0 : -1.0) * Vec<3>::Unit(static_cast<int>(axis)));
                    }
            }
    }

    void connect(double support_ratio = 1.85)
    {
        supports.assign(nodes.size(), support_ratio * spacing);
        neighbors = find_neighbors<3, double>(nodes, support_ratio * spacing);
    }
};

inline SkinnedBody skinned_bar(const std::array<int, 3>& cells, int fine)
{
    SkinnedBody body;
    body.add_nodes(Vec<3>::Zero(), cells);
    body.add_vertices(Vec<3>::Zero(), cells, fine);
    body.connect();
    return body;
}

/// A motion of the body and its gradient, row = component.
using Deformation = std::function<std::pair<Vec<3>, Mat<3>>(const Vec<3>&)>;

/// Where it takes the nodes.
struct MovedNodes {
    std::vector<Vec<3>> positions;
    std::vector<Mat<3>> gradients;
};

inline MovedNodes move_nodes(const std::vector<Vec<3>>& nodes, const Deformation& deformation)
{
    MovedNodes moved;
    for (const Vec<3>& X : nodes) {
        const auto [x, F] = deformation(X);
        moved.positions.push_back(x);
        moved.gradients.push_back(F);
    }
    return moved;
}

inline Deformation affine_deformation(const Mat<3>& F, const Vec<3>& shift)
{
    return [=](const Vec<3>& X) { return std::pair<Vec<3>, Mat<3>>(F * X + shift, F); };
}

/// The x axis becomes an arc of this radius around the y axis [m].
inline Deformation bending(double radius)
{
    return [=](const Vec<3>& X) {
        const double angle = X[0] / radius, r = radius - X[2];
        const double c = std::cos(angle), s = std::sin(angle);
        Mat<3> F;
        F << r / radius * c, 0, -s, 0, 1, 0, r / radius * s, 0, c;
        return std::pair<Vec<3>, Mat<3>>({r * s, X[1], radius - r * c}, F);
    };
}

/// Around the x axis by `rate` [1/m], and stretched along it by a factor that grows from 1 with `growth`
/// [1/m].
inline Deformation twisting(double rate, double growth)
{
    return [=](const Vec<3>& X) {
        const double c = std::cos(rate * X[0]), s = std::sin(rate * X[0]);
        const double y = c * X[1] - s * X[2], z = s * X[1] + c * X[2];
        Mat<3> F;
        F << 1.0 + growth * X[0], 0, 0, -rate * z, c, -s, rate * y, s, c;
        return std::pair<Vec<3>, Mat<3>>({X[0] + 0.5 * growth * X[0] * X[0], y, z}, F);
    };
}

} // namespace phyxel
