// SPDX-License-Identifier: MIT
#include <phyxel/fracture/crack_fronts.h>

#include <phyxel/core/assert.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace phyxel {
namespace {

/// In spacings: nodes of a front that come nearer than this become one, an edge that gets longer is halved,
/// and a way that meets a sheet goes on by this.
constexpr double nearest = 0.2, farthest = 0.75, beyond = 0.02;

/// A row of faces becomes no wider than so many spacings, and is stretched along itself only: up to this
/// sine of an angle.
constexpr double row_width = 0.25, straight_on = 0.05;

/// By how much a node is drawn to the middle of its neighbours along the front when it moves.
constexpr double smoothing = 0.1;

/// Cosine of the angle between two directions that are the same way to one who stands for both.
constexpr double same_way = 0.9;

/// Faces smaller than this share of the square of a spacing are left out.
constexpr double least_share = 1e-4;

/// An edge of a front, as the face beside it has it, and the two directions of that face.
template <int Dim>
struct FrontEdge {
    std::array<std::size_t, Dim - 1> nodes = {}; ///< places among the nodes of the fronts
    Vec<Dim> forward = Vec<Dim>::Zero();
    Vec<Dim> normal = Vec<Dim>::Zero();
    double length = 1.0;
    double width = 0.0;
    bool is_first = false; ///< in the plane: whether the node is the first of its face
};

template <int Dim>
std::optional<std::size_t> position_of(std::span<const FrontNode<Dim>> nodes, std::uint32_t crack, Index node)
{
    const auto found =
        std::lower_bound(nodes.begin(), nodes.end(), std::pair(crack, node),
                         [](const auto& a, const auto& b) { return std::pair(a.crack, a.node) < b; });
    if (found == nodes.end() || found->crack != crack || found->node != node) return std::nullopt;
    return static_cast<std::size_t>(found - nodes.begin());
}

/// In the order of the fronts; those whose face has no direction are left out.
template <int Dim>
std::vector<FrontEdge<Dim>> front_edges(const CrackSheets<Dim>& cracks, std::span<const FrontNode<Dim>> nodes)
{
    const CrackData<Dim>& data = cracks.data();
    std::vector<FrontEdge<Dim>> edges;
    for (std::size_t front = 0; front < data.fronts.size(); ++front) {
        CrackSide<Dim> side{data.crack_of_front[front], data.fronts[front]};
        std::sort(side.nodes.begin(), side.nodes.end());
        const std::optional<Index> face = cracks.rim_face(side);
        if (!face) continue;
        const auto& corners = data.faces[*face];
        FrontEdge<Dim> edge;
        std::array<Index, Dim - 1> ends = data.fronts[front];
        if constexpr (Dim == 2) {
            edge.is_first = corners[0] == ends[0];
            const Vec<2> along = data.nodes[corners[1]] - data.nodes[corners[0]];
            if (!(along.norm() > 0.0)) continue;
            edge.forward = (edge.is_first ? -1.0 : 1.0) * along.normalized();
            edge.width = along.norm();
            edge.normal = Vec<2>(-along[1], along[0]).normalized();
        } else {
            for (std::size_t k = 0; k < 3; ++k)
                if (corners[k] == ends[1] && corners[(k + 1) % 3] == ends[0]) std::swap(ends[0], ends[1]);
            const Vec<3> along = data.nodes[ends[1]] - data.nodes[ends[0]];
            const std::array<Vec<3>, 3> x = cracks.corners(*face);
            const Vec<3> across = Vec<3>(x[1] - x[0]).cross(x[2] - x[0]);
            edge.length = along.norm();
            if (!(edge.length > 0.0) || !(across.norm() > 0.0)) continue;
            edge.normal = across.normalized();
            edge.forward = along.cross(across).normalized();
            edge.width = across.norm() / edge.length;
        }
        bool is_known = true;
        for (std::size_t k = 0; k + 1 < Dim; ++k) {
            const auto place = position_of<Dim>(nodes, data.crack_of_front[front], ends[k]);
            is_known = is_known && place.has_value();
            edge.nodes[k] = place.value_or(0);
        }
        if (is_known) edges.push_back(edge);
    }
    return edges;
}

/// Where a way from a node meets a sheet that the node is no corner of, as a share of the way; 1 if none.
template <int Dim>
double free_share(const CrackSheets<Dim>& cracks, const FrontNode<Dim>& from, const Vec<Dim>& way)
{
    double share = 1.0;
    cracks.for_each_crossing(from.place, from.place + way, [&](Index face, const Vec<Dim>& met) {
        const auto& corners = cracks.data().faces[face];
        if (std::find(corners.begin(), corners.end(), from.node) != corners.end()) return;
        share = std::min(share, (met - from.place).norm() / way.norm());
    });
    return share;
}

/// The sheet between an edge of a front and where it has come: polygons of up to five corners, cut into
/// triangles from the second corner of the edge.
template <int Dim>
class RowMaker {
public:
    RowMaker(CrackSheets<Dim>& cracks, std::uint32_t crack) : cracks_(cracks), crack_(crack) {}

    bool add(const typename CrackData<Dim>::Face& face)
    {
        std::array<Vec<Dim>, Dim> corners;
        for (std::size_t k = 0; k < Dim; ++k) corners[k] = cracks_.data().nodes[face[k]];
        const double least = least_share * std::pow(cracks_.spacing(), Dim - 1);
        if (!(measure_of<Dim>(corners) >= least)) return false;
        cracks_.add_face(face, crack_);
        return true;
    }

private:
    CrackSheets<Dim>& cracks_;
    std::uint32_t crack_;
};

} // namespace

template <int Dim>
std::vector<FrontNode<Dim>> front_nodes(const CrackSheets<Dim>& cracks)
{
    const CrackData<Dim>& data = cracks.data();
    std::vector<std::pair<std::uint32_t, Index>> keys;
    for (std::size_t front = 0; front < data.fronts.size(); ++front)
        for (const Index node : data.fronts[front]) keys.emplace_back(data.crack_of_front[front], node);
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    std::vector<FrontNode<Dim>> nodes;
    for (const auto& [crack, node] : keys)
        nodes.push_back({.node = node, .crack = crack, .place = data.nodes[node]});
    for (const FrontEdge<Dim>& edge : front_edges<Dim>(cracks, nodes))
        for (std::size_t k = 0; k + 1 < Dim; ++k) {
            FrontNode<Dim>& node = nodes[edge.nodes[k]];
            node.forward += edge.length * edge.forward;
            node.normal += edge.length * edge.normal;
            node.width = std::max(node.width, edge.width);
            if constexpr (Dim == 2) continue;
            if (node.beside.empty()) node.share = 0.0;
            node.share += 0.5 * edge.length;
            node.beside.push_back(edge.nodes[1 - k]);
        }
    for (FrontNode<Dim>& node : nodes) {
        if (node.normal.norm() > 0.0) node.normal.normalize();
        node.forward -= node.normal.dot(node.forward) * node.normal;
        if (node.forward.norm() > 0.0) node.forward.normalize();
    }
    return nodes;
}

template <int Dim>
FrontStations<Dim> front_stations(std::span<const FrontNode<Dim>> nodes, double reach)
{
    constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
    FrontStations<Dim> stations;
    stations.of_node.assign(nodes.size(), none);
    for (std::size_t k = 0; k < nodes.size(); ++k) {
        if (stations.of_node[k] != none) continue;
        const std::size_t number = stations.nodes.size();
        FrontNode<Dim> station = nodes[k];
        station.beside.clear();
        stations.of_node[k] = number;
        for (std::size_t next : nodes[k].beside) {
            std::size_t from = k;
            double way = 0.0;
            while (stations.of_node[next] == none) {
                way += (nodes[next].place - nodes[from].place).norm();
                if (way > reach || nodes[next].forward.dot(station.forward) < same_way) break;
                stations.of_node[next] = number;
                station.share += nodes[next].share;
                const auto& beside = nodes[next].beside;
                const auto onward = std::find_if(beside.begin(), beside.end(), [&](std::size_t other) {
                    return stations.of_node[other] == none;
                });
                if (onward == beside.end()) break;
                from = std::exchange(next, *onward);
            }
        }
        stations.nodes.push_back(std::move(station));
    }
    return stations;
}

template <int Dim>
FrontGrowth advance_fronts(CrackSheets<Dim>& cracks, std::span<const FrontNode<Dim>> nodes,
                           std::span<const Vec<Dim>> ways, const DistanceFromSurface<Dim>& distance)
{
    PHYXEL_ASSERT(ways.size() == nodes.size());
    const double spacing = cracks.spacing();
    const std::vector<FrontEdge<Dim>> edges = front_edges<Dim>(cracks, nodes);
    FrontGrowth growth;
    std::vector<Vec<Dim>> target;
    std::vector<std::uint8_t> moves(nodes.size(), 0);
    for (std::size_t k = 0; k < nodes.size(); ++k) {
        growth.next.push_back(nodes[k].node);
        target.push_back(nodes[k].place);
        const double length = ways[k].norm();
        if (length == 0.0) continue;
        if (!ways[k].allFinite()) {
            ++growth.ended;
            continue;
        }
        const double share = free_share<Dim>(cracks, nodes[k], ways[k]);
        target[k] += (share < 1.0 ? share + beyond * spacing / length : 1.0) * ways[k];
        moves[k] = 1;
    }
    const std::vector<Vec<Dim>> straight = target;
    for (std::size_t k = 0; k < nodes.size(); ++k) {
        if (moves[k] == 0 || nodes[k].beside.size() != 2) continue;
        const Vec<Dim> middle = 0.5 * (straight[nodes[k].beside[0]] + straight[nodes[k].beside[1]]);
        target[k] += smoothing * (middle - straight[k]);
    }
    // Those that come together are one, the one of the earlier edge.
    std::vector<std::size_t> same(nodes.size());
    for (std::size_t k = 0; k < nodes.size(); ++k) same[k] = k;
    std::vector<std::uint8_t> is_taken(nodes.size(), 0);
    if constexpr (Dim == 3)
        for (const FrontEdge<3>& edge : edges) {
            const auto [a, b] = edge.nodes;
            if (moves[a] == 0 || moves[b] == 0 || same[a] != a || same[b] != b) continue;
            if ((target[a] - target[b]).norm() >= nearest * spacing) continue;
            if (is_taken[b] != 0) continue;
            same[b] = a;
            is_taken[a] = 1;
            ++growth.merged;
        }
    std::vector<std::uint8_t> is_new = moves;
    for (std::size_t k = 0; k < nodes.size(); ++k) {
        if (moves[k] == 0 || same[k] != k) continue;
        const Vec<Dim> way = target[k] - nodes[k].place;
        const double ahead = nodes[k].forward.dot(way);
        const bool is_straight =
            nodes[k].width > 0.0 && (way - ahead * nodes[k].forward).norm() <= straight_on * ahead;
        const bool is_merged = std::any_of(nodes[k].beside.begin(), nodes[k].beside.end(),
                                           [&](std::size_t other) { return same[other] != other; });
        if (is_straight && !is_merged && nodes[k].width + ahead <= row_width * spacing) {
            cracks.move_node(nodes[k].node, target[k], distance(target[k]));
            is_new[k] = 0;
            growth.has_grown = true;
        } else {
            growth.next[k] = cracks.add_node(target[k], distance(target[k]));
        }
    }
    for (std::size_t k = 0; k < nodes.size(); ++k)
        if (same[k] != k) growth.next[k] = growth.next[same[k]];
    for (const FrontEdge<Dim>& edge : edges) {
        RowMaker<Dim> row(cracks, nodes[edge.nodes[0]].crack);
        if constexpr (Dim == 2) {
            const std::size_t k = edge.nodes[0];
            if (is_new[k] == 0) continue;
            const bool is_added = edge.is_first ? row.add({growth.next[k], nodes[k].node})
                                                : row.add({nodes[k].node, growth.next[k]});
            growth.has_grown |= is_added;
            growth.ended += is_added ? 0 : 1;
        } else {
            const auto [a, b] = edge.nodes;
            if (is_new[a] == 0 && is_new[b] == 0) continue;
            std::vector<Index> corners = {nodes[b].node, nodes[a].node};
            const auto go_on = [&](Index node) {
                if (node != corners.back() && node != corners.front()) corners.push_back(node);
            };
            go_on(growth.next[a]);
            const Vec<3>& from = cracks.data().nodes[growth.next[a]];
            const Vec<3>& to = cracks.data().nodes[growth.next[b]];
            if ((to - from).norm() > farthest * spacing) {
                const Vec<3> middle = 0.5 * (from + to);
                go_on(cracks.add_node(middle, distance(middle)));
            }
            go_on(growth.next[b]);
            for (std::size_t k = 2; k < corners.size(); ++k) {
                const bool is_added = row.add({corners[0], corners[k - 1], corners[k]});
                growth.has_grown |= is_added;
                growth.ended += is_added ? 0 : 1;
            }
        }
    }
    return growth;
}

template std::vector<FrontNode<2>> front_nodes(const CrackSheets<2>&);
template std::vector<FrontNode<3>> front_nodes(const CrackSheets<3>&);
template FrontStations<2> front_stations(std::span<const FrontNode<2>>, double);
template FrontStations<3> front_stations(std::span<const FrontNode<3>>, double);
template FrontGrowth advance_fronts(CrackSheets<2>&, std::span<const FrontNode<2>>, std::span<const Vec<2>>,
                                    const DistanceFromSurface<2>&);
template FrontGrowth advance_fronts(CrackSheets<3>&, std::span<const FrontNode<3>>, std::span<const Vec<3>>,
                                    const DistanceFromSurface<3>&);

} // namespace phyxel
