// SPDX-License-Identifier: MIT
#include <phyxel/kinds/solid/detail/skin_seams.h>

#include <Eigen/Geometry>
#include <phyxel/approx/profiles.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/kinds/solid/detail/carried_skin.h>
#include <phyxel/kinds/solid/detail/near_phyxels.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <queue>
#include <unordered_map>
#include <utility>

namespace phyxel {
namespace {

/// In spacings, along the skin: how far from a seam the motion is a mean, and how far this mean reaches.
constexpr double mean_radius = 1.5;

/// In spacings: F of a phyxel holds for places nearer than the first, its rotation for places beyond the
/// second.
constexpr std::array<double, 2> far = {1.5, 2.5};

/// Phyxels that two vertices beside each other follow are fewer neighbours apart than this where there is no
/// seam: the weights of both then overlap. Led vertices follow one each, so theirs must be neighbours.
constexpr int seam_hops = 3, seam_hops_of_led = 2;

constexpr double least_share = 1e-3;

double stretch_share(double distance)
{
    const double t = std::clamp((far[1] - distance) / (far[1] - far[0]), 0.0, 1.0);
    return t * t * (3.0 - 2.0 * t);
}

/// Ways along the edges of a skin.
class SkinWays {
public:
    explicit SkinWays(const SolidSkin& skin) : skin_(skin), beside_(skin.vertices.size())
    {
        for (const std::array<Index, 3>& corners : skin.triangles)
            for (std::size_t k = 0; k < 3; ++k) {
                beside_[corners[k]].push_back(corners[(k + 1) % 3]);
                beside_[corners[(k + 1) % 3]].push_back(corners[k]);
            }
        for (std::vector<Index>& list : beside_) {
            std::sort(list.begin(), list.end());
            list.erase(std::unique(list.begin(), list.end()), list.end());
        }
    }

    /// Of one thread.
    struct Scratch {
        std::vector<double> ways = {}; ///< of all vertices, infinite between walks
        std::vector<Index> seen = {};
    };

    /// Calls visit(vertex, way) for all vertices within `radius` of any of the starts, nearest first.
    template <class Visit>
    void walk(std::span<const Index> starts, double radius, Scratch& scratch, const Visit& visit) const
    {
        std::vector<double>& ways = scratch.ways;
        ways.resize(beside_.size(), std::numeric_limits<double>::infinity());
        using Place = std::pair<double, Index>;
        std::priority_queue<Place, std::vector<Place>, std::greater<>> next;
        const auto reach = [&](Index i, double way) {
            if (!(way < radius && way < ways[i])) return;
            if (std::isinf(ways[i])) scratch.seen.push_back(i);
            ways[i] = way;
            next.emplace(way, i);
        };
        for (const Index i : starts) reach(i, 0.0);
        while (!next.empty()) {
            const auto [way, i] = next.top();
            next.pop();
            if (way > ways[i]) continue;
            visit(i, way);
            for (const Index j : beside_[i]) reach(j, way + (skin_.vertices[j] - skin_.vertices[i]).norm());
        }
        for (const Index i : scratch.seen) ways[i] = std::numeric_limits<double>::infinity();
        scratch.seen.clear();
    }

private:
    const SolidSkin& skin_;
    std::vector<std::vector<Index>> beside_;
};

/// Of each vertex the area that it stands for, so that a mean does not depend on how fine the skin is.
std::vector<double> vertex_areas(const SolidSkin& skin, double spacing)
{
    std::vector<double> areas(skin.vertices.size(), 1e-6 * spacing * spacing);
    for (const auto& [a, b, c] : skin.triangles) {
        const Vec<3> u = skin.vertices[b] - skin.vertices[a];
        const Vec<3> v = skin.vertices[c] - skin.vertices[a];
        for (const Index corner : {a, b, c}) areas[corner] += u.cross(v).norm() / 6.0;
    }
    return areas;
}

/// Both ends of edges that cross a seam.
std::vector<Index> seam_vertices(const SolidSkin& skin, const PhyxelCloud<3>& phyxels,
                                 std::span<const Index> followed, std::span<const std::uint8_t> is_led)
{
    NearPhyxels near(phyxels.neighbors, seam_hops - 1);
    std::vector<Index> found;
    for (const std::array<Index, 3>& corners : skin.triangles)
        for (std::size_t k = 0; k < 3; ++k) {
            const Index i = corners[k], j = corners[(k + 1) % 3];
            if (followed[i] == followed[j]) continue;
            // The ends of a long edge may well be carried by phyxels that are far apart.
            if ((skin.vertices[i] - skin.vertices[j]).norm() > phyxels.spacing) continue;
            const bool has_led = is_led[i] != 0 || is_led[j] != 0;
            if (near.hops(followed[i], followed[j]) < (has_led ? seam_hops_of_led : seam_hops)) continue;
            found.push_back(i);
            found.push_back(j);
        }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

} // namespace

SkinSeams::SkinSeams(const SolidSkin& skin, const PhyxelCloud<3>& phyxels, std::span<const Index> followed,
                     std::span<const std::uint8_t> is_led)
{
    const std::vector<Index> starts = seam_vertices(skin, phyxels, followed, is_led);
    if (starts.empty()) return;
    const double radius = mean_radius * phyxels.spacing;
    const SkinWays ways(skin);
    SkinWays::Scratch first_scratch;
    ways.walk(starts, radius, first_scratch, [&](Index i, double way) {
        const double mean = Poly6Profile::value(way / radius);
        vertices_.push_back({i, 1.0 - mean, skin.vertices[i], 0});
    });

    const std::vector<double> areas = vertex_areas(skin, phyxels.spacing);
    std::vector<std::vector<Share>> shares(vertices_.size());
    parallel_for_blocks(vertices_.size(), 256, [&](const Block& block) {
        SkinWays::Scratch scratch;
        for (std::size_t k = block.begin; k < block.end; ++k) {
            std::vector<Share>& own = shares[k];
            double sum = 0.0;
            ways.walk(std::span(&vertices_[k].vertex, 1), radius, scratch, [&](Index j, double way) {
                const double weight = areas[j] * Poly6Profile::value(way / radius);
                sum += weight;
                const auto same = std::find_if(own.begin(), own.end(),
                                               [&](const Share& share) { return share.node == followed[j]; });
                if (same == own.end())
                    own.push_back({followed[j], weight, 0.0});
                else
                    same->weight += weight;
            });
            std::erase_if(own, [&](const Share& share) { return share.weight < least_share * sum; });
            sum = 0.0;
            for (const Share& share : own) sum += share.weight;
            for (Share& share : own) {
                share.weight /= sum;
                const double distance = (vertices_[k].rest - phyxels.positions[share.node]).norm();
                share.stretch = stretch_share(distance / phyxels.spacing);
            }
        }
    });
    for (std::size_t k = 0; k < vertices_.size(); ++k) {
        vertices_[k].shares_begin = shares_.size();
        shares_.insert(shares_.end(), shares[k].begin(), shares[k].end());
    }
    vertices_.push_back({0, 1.0, Vec<3>::Zero(), shares_.size()});

    std::vector<std::uint8_t> is_mean(skin.vertices.size(), 0), is_far(phyxels.size(), 0);
    for (std::size_t k = 0; k < size(); ++k) is_mean[vertices_[k].vertex] = 1;
    for (const std::array<Index, 3>& corners : skin.triangles)
        if (is_mean[corners[0]] != 0 || is_mean[corners[1]] != 0 || is_mean[corners[2]] != 0)
            triangles_.push_back(corners);
    for (const Share& share : shares_)
        if (share.stretch < 1.0) is_far[share.node] = 1;
    for (Index j = 0; j < phyxels.size(); ++j)
        if (is_far[j] != 0) far_nodes_.push_back(j);
    rest_positions_ = phyxels.positions;
}

void SkinSeams::update(std::span<const Vec<3>> positions, std::span<const Mat<3>> gradients,
                       std::span<Vec<3>> vertices, std::span<Vec<3, float>> normals) const
{
    if (size() == 0) return;
    std::vector<Mat<3>> rotations(positions.size(), Mat<3>::Identity());
    parallel_for(far_nodes_.size(),
                 [&](Index k) { rotations[far_nodes_[k]] = rotation_of(gradients[far_nodes_[k]]); });
    parallel_for(size(), [&](Index k) {
        const Vertex& vertex = vertices_[k];
        Vec<3> mean = Vec<3>::Zero();
        for (std::size_t a = vertex.shares_begin; a < vertices_[k + 1].shares_begin; ++a) {
            const Share& share = shares_[a];
            const Vec<3> offset = vertex.rest - rest_positions_[share.node];
            Vec<3> moved = share.stretch * (gradients[share.node] * offset);
            if (share.stretch < 1.0) moved += (1.0 - share.stretch) * (rotations[share.node] * offset);
            mean += share.weight * (positions[share.node] + moved);
        }
        Vec<3>& x = vertices[vertex.vertex];
        x = vertex.own * x + (1.0 - vertex.own) * mean;
    });

    // How the skin turns at a seam is not what the phyxels on either side of it do.
    std::unordered_map<Index, Vec<3>> sums;
    for (std::size_t k = 0; k < size(); ++k) sums.emplace(vertices_[k].vertex, Vec<3>::Zero());
    for (const auto& [a, b, c] : triangles_) {
        const Vec<3> normal = (vertices[b] - vertices[a]).cross(vertices[c] - vertices[a]);
        for (const Index corner : {a, b, c})
            if (const auto place = sums.find(corner); place != sums.end()) place->second += normal;
    }
    for (const auto& [vertex, sum] : sums)
        if (sum.norm() > 0.0) normals[vertex] = sum.normalized().cast<float>();
}

void SkinSeams::transfer(std::span<const Vec<3>> nodal, std::span<Vec<3, float>> out) const
{
    for (std::size_t k = 0; k < size(); ++k) {
        Vec<3> mean = Vec<3>::Zero();
        for (std::size_t a = vertices_[k].shares_begin; a < vertices_[k + 1].shares_begin; ++a)
            mean += shares_[a].weight * nodal[shares_[a].node];
        Vec<3, float>& value = out[vertices_[k].vertex];
        value = (vertices_[k].own * value.cast<double>() + (1.0 - vertices_[k].own) * mean).cast<float>();
    }
}

} // namespace phyxel
