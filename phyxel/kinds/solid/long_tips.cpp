// SPDX-License-Identifier: MIT
#include <phyxel/kinds/solid/detail/long_tips.h>

#include <phyxel/approx/profiles.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/kinds/solid/detail/carried_skin.h>
#include <phyxel/search/kd_tree.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace phyxel {
namespace {

/// In spacings: a tip is stiff up to the first, and none of it is from the second on.
constexpr std::array<double, 2> long_way = {6.0, 12.0};

/// The same, in distances to the nearest phyxel. A tip that is as near to other parts as to its own is not a
/// tooth of a comb; it may be the end of an arm that lies beside another one.
constexpr std::array<double, 2> long_detour = {2.0, 4.0};

/// In distances to the nearest phyxel: others that are farther do not count.
constexpr double mean_reach = 1.5;

constexpr double least_tip_share = 1e-3;

/// From 0 to 1 between the two, without kinks.
double rise(double x, const std::array<double, 2>& between)
{
    const double t = std::clamp((x - between[0]) / (between[1] - between[0]), 0.0, 1.0);
    return t * t * (3.0 - 2.0 * t);
}

} // namespace

LongTips::LongTips(const SolidSkin& skin, std::span<const Vec<3>> normals, const PhyxelCloud<3>& phyxels,
                   std::span<const double> ways)
{
    const auto is_long = [&](double way) {
        return std::isfinite(way) && way > long_way[0] * phyxels.spacing;
    };
    if (std::none_of(ways.begin(), ways.end(), is_long)) return;
    const KdTree<3> tree(phyxels.positions);
    std::vector<Neighbor<>> nearest;
    std::vector<Index> near;
    std::vector<std::uint8_t> is_used(phyxels.size(), 0);
    for (std::size_t i = 0; i < ways.size(); ++i) {
        if (!is_long(ways[i])) continue;
        const Vec<3>& X = skin.vertices[i];
        tree.nearest(X, 1, nearest);
        const double distance = nearest.front().distance;
        const double part = rise(ways[i] / phyxels.spacing, long_way) * rise(ways[i] / distance, long_detour);
        if (!(part > 0.0)) continue;
        vertices_.push_back({static_cast<Index>(i), part, X, normals[i], shares_.size()});
        const double reach = mean_reach * std::max(distance, phyxels.spacing);
        tree.radius(X, reach, near);
        double sum = 0.0;
        for (const Index j : near) sum += Poly6Profile::value((X - phyxels.positions[j]).norm() / reach);
        double kept = 0.0;
        for (const Index j : near) {
            const double weight = Poly6Profile::value((X - phyxels.positions[j]).norm() / reach);
            if (weight < least_tip_share * sum) continue;
            shares_.push_back({j, weight});
            is_used[j] = 1;
            kept += weight;
        }
        for (std::size_t a = vertices_.back().shares_begin; a < shares_.size(); ++a)
            shares_[a].weight /= kept;
    }
    if (vertices_.empty()) return;
    vertices_.push_back({0, 0.0, Vec<3>::Zero(), Vec<3>::Zero(), shares_.size()});
    for (Index j = 0; j < phyxels.size(); ++j)
        if (is_used[j] != 0) nodes_.push_back(j);
    rest_positions_ = phyxels.positions;
}

void LongTips::update(std::span<const Vec<3>> positions, std::span<const Mat<3>> gradients,
                      std::span<Vec<3>> vertices, std::span<Vec<3, float>> normals) const
{
    if (size() == 0) return;
    std::vector<Mat<3>> rotations(positions.size(), Mat<3>::Identity());
    parallel_for(nodes_.size(), [&](Index k) { rotations[nodes_[k]] = rotation_of(gradients[nodes_[k]]); });
    parallel_for(size(), [&](Index k) {
        const Vertex& vertex = vertices_[k];
        Vec<3> mean = Vec<3>::Zero(), normal = Vec<3>::Zero();
        for (std::size_t a = vertex.shares_begin; a < vertices_[k + 1].shares_begin; ++a) {
            const auto& [node, weight] = shares_[a];
            mean += weight * (positions[node] + rotations[node] * (vertex.rest - rest_positions_[node]));
            normal += weight * (rotations[node] * vertex.normal);
        }
        Vec<3>& x = vertices[vertex.vertex];
        x += vertex.part * (mean - x);
        const Vec<3> stiff = normals[vertex.vertex].cast<double>();
        const Vec<3> turned = stiff + vertex.part * (normal - stiff);
        if (turned.norm() > 0.0) normals[vertex.vertex] = turned.normalized().cast<float>();
    });
}

void LongTips::transfer(std::span<const Vec<3>> nodal, std::span<Vec<3, float>> out) const
{
    for (std::size_t k = 0; k < size(); ++k) {
        Vec<3> mean = Vec<3>::Zero();
        for (std::size_t a = vertices_[k].shares_begin; a < vertices_[k + 1].shares_begin; ++a)
            mean += shares_[a].weight * nodal[shares_[a].node];
        Vec<3, float>& value = out[vertices_[k].vertex];
        const Vec<3> stiff = value.cast<double>();
        value = (stiff + vertices_[k].part * (mean - stiff)).cast<float>();
    }
}

} // namespace phyxel
