// SPDX-License-Identifier: MIT
#include <phyxel/kinds/solid/detail/carried_skin.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <phyxel/core/disjoint_sets.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/geometry/box.h>
#include <phyxel/kinds/solid/detail/cut_skin.h>
#include <phyxel/kinds/solid/detail/near_phyxels.h>
#include <phyxel/search/kd_tree.h>
#include <phyxel/solid/elastic_law.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <queue>
#include <span>
#include <utility>

namespace phyxel {
namespace {

/// Discs of this radius cover the surface that points sample: about the distance of the next ones.
double covering_radius(std::span<const Vec<3>> points)
{
    constexpr std::size_t ring = 6;
    const auto nearest = KdTree<3>(points).nearest(points, ring + 1);
    std::vector<double> distances;
    for (std::size_t i = 0; i < points.size(); ++i) distances.push_back(nearest.of(i).back().distance);
    const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
    std::nth_element(distances.begin(), middle, distances.end());
    return *middle;
}

/// Normals of the vertices of a mesh, by area of the triangles around them.
std::vector<Vec<3>> vertex_normals(const SolidSkin& skin)
{
    std::vector<Vec<3>> normals(skin.vertices.size(), Vec<3>::Zero());
    for (const auto& [a, b, c] : skin.triangles) {
        const Vec<3> u = skin.vertices[b] - skin.vertices[a];
        const Vec<3> v = skin.vertices[c] - skin.vertices[a];
        const Vec<3> n(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]);
        for (const Index corner : {a, b, c}) normals[corner] += n;
    }
    for (Vec<3>& n : normals)
        if (n.norm() > 0.0) n.normalize();
    return normals;
}

/// Vertices farther than this many spacings from the phyxel that they follow most are led.
constexpr double led_distance = 1.5;
/// Vertices beside each other follow phyxels that are at most this many neighbours apart, unless the phyxels
/// belong to different parts of the body.
constexpr int most_hops = 3;

/// For each vertex whether it follows phyxels of its own part of the body. A border between patches of the
/// skin runs where two vertices beside each other follow phyxels that are not connected. The smaller patch is
/// then the tip of a part whose nearest phyxels belong to another part.
std::vector<std::uint8_t> follow_their_own(const SolidSkin& skin, const PhyxelCloud<3>& phyxels,
                                           const Skinning<float>& skinning)
{
    const std::size_t count = skin.vertices.size();
    std::vector<Index> node(count);
    for (std::size_t i = 0; i < count; ++i) node[i] = skinning.main_node(i);
    DisjointSets patches(count);
    NearPhyxels near(phyxels.neighbors, most_hops);
    std::vector<std::pair<Index, Index>> borders;
    for (const std::array<Index, 3>& corners : skin.triangles)
        for (std::size_t k = 0; k < 3; ++k) {
            const Index i = corners[k], j = corners[(k + 1) % 3];
            // The ends of a long edge may well be carried by phyxels that are far apart.
            const bool is_long = (skin.vertices[i] - skin.vertices[j]).norm() > phyxels.spacing;
            if (is_long || near.hops(node[i], node[j]) <= most_hops)
                patches.join(i, j);
            else
                borders.emplace_back(i, j);
        }
    std::vector<std::uint8_t> is_own(count, 1);
    if (borders.empty()) return is_own;
    std::vector<std::size_t> size(count, 0);
    for (std::size_t i = 0; i < count; ++i) ++size[patches.find(static_cast<Index>(i))];
    std::vector<std::uint8_t> is_astray(count, 0);
    for (const auto& [i, j] : borders) {
        const Index a = patches.find(i), b = patches.find(j);
        if (a != b) is_astray[size[a] < size[b] || (size[a] == size[b] && a > b) ? a : b] = 1;
    }
    for (std::size_t i = 0; i < count; ++i) is_own[i] = is_astray[patches.find(static_cast<Index>(i))] == 0;
    return is_own;
}

/// A part of the skin that is far, along the skin, from the vertices that lead it is a tip. A whole tip
/// follows one leader, the nearest; with several it would be torn where they turn differently. A long rim
/// follows many leaders. Where the tips of two arms meet, each follows its own arm.
void lead_tips_as_one(const SolidSkin& skin, std::span<const std::vector<Index>> beside,
                      std::span<const double> way, const PhyxelCloud<3>& phyxels,
                      const Skinning<float>& skinning, std::span<Index> leader)
{
    constexpr double far = 0.75, largest_tip = 12.0; // in spacings
    constexpr int most_hops_in_tip = 5;
    const double spacing = phyxels.spacing;
    const std::vector<Index> first(leader.begin(), leader.end());
    NearPhyxels near(phyxels.neighbors, most_hops_in_tip);
    const auto are_of_one_part = [&](Index i, Index j) {
        return first[i] == first[j] ||
               near.hops(skinning.main_node(first[i]), skinning.main_node(first[j])) <= most_hops_in_tip;
    };
    std::vector<std::uint8_t> is_seen(way.size(), 0);
    const auto is_far = [&](Index i) { return std::isfinite(way[i]) && way[i] > far * spacing; };
    for (std::size_t start = 0; start < way.size(); ++start) {
        if (is_seen[start] != 0 || !is_far(static_cast<Index>(start))) continue;
        std::vector<Index> tip = {static_cast<Index>(start)};
        is_seen[start] = 1;
        Box<3> box;
        Index nearest = tip.front();
        for (std::size_t k = 0; k < tip.size(); ++k) {
            box.extend(skin.vertices[tip[k]]);
            if (way[tip[k]] < way[nearest]) nearest = tip[k];
            for (const Index j : beside[tip[k]])
                if (is_seen[j] == 0 && is_far(j) && are_of_one_part(tip[k], j)) {
                    is_seen[j] = 1;
                    tip.push_back(j);
                }
        }
        if ((box.max - box.min).maxCoeff() > largest_tip * spacing) continue;
        const Index one = leader[nearest];
        for (const Index i : tip) leader[i] = one;
    }
}

/// F with every stretch λ along its principal directions made λ share(λ).
template <class Share>
Mat<3> with_stretches(const Mat<3>& F, const Share& share)
{
    const Eigen::SelfAdjointEigenSolver<Mat<3>> modes(F.transpose() * F);
    Vec<3> shares;
    for (int k = 0; k < 3; ++k) shares[k] = share(std::sqrt(std::max(modes.eigenvalues()[k], 1e-12)));
    return F * modes.eigenvectors() * shares.asDiagonal() * modes.eigenvectors().transpose();
}

/// F of a phyxel whose neighbours lie in a plane or on a line. It is known in these directions only; the
/// other directions turn along with them. A skin has two sides even where a solid is one phyxel thick.
Mat<3> with_thickness(const Mat<3>& F, const Mat<3>& span)
{
    const Mat<3> beside = Mat<3>::Identity() - span;
    const double dimensions = span.trace();
    if (dimensions > 1.5) {
        const Mat<3> normals = cofactor(F); // one dyad, of the normals now and at rest
        const double area = std::sqrt(double_contraction<3>(normals, normals));
        return area > 0.0 ? Mat<3>(F + normals / area) : Mat<3>(F + beside);
    }
    if (dimensions < 0.5) return Mat<3>::Identity();
    Eigen::Index longest = 0;
    span.diagonal().maxCoeff(&longest);
    const Vec<3> at_rest = span.col(longest).normalized();
    const Vec<3> now = F * at_rest;
    if (!(now.norm() > 0.0)) return F + beside;
    return F + Eigen::Quaterniond::FromTwoVectors(at_rest, now).toRotationMatrix() * beside;
}

/// Who is led by whom.
struct Leading {
    std::vector<CarriedSkin::LedVertex> by_vertices = {};
    std::vector<CarriedSkin::EndVertex> by_nodes = {};
    std::vector<double> ways = {}; ///< as LongTips takes them
};

Leading find_led(const SolidSkin& skin, std::span<const Vec<3>> normals, const PhyxelCloud<3>& phyxels,
                 const Skinning<float>& skinning)
{
    /// A vertex follows its own phyxels, not its leader, if the leader is this many times as far away as
    /// these.
    constexpr double too_far = 2.0;
    constexpr Index nobody = std::numeric_limits<Index>::max();
    const std::size_t count = skin.vertices.size();
    const std::vector<std::uint8_t> is_own = follow_their_own(skin, phyxels, skinning);
    std::vector<Index> leader(count, nobody);
    std::vector<double> way(count, std::numeric_limits<double>::infinity()), distance(count);
    using Place = std::pair<double, Index>; // how far along the skin, and which vertex
    std::priority_queue<Place, std::vector<Place>, std::greater<>> next;
    bool are_all_near = true;
    for (std::size_t i = 0; i < count; ++i) {
        distance[i] = (skin.vertices[i] - phyxels.positions[skinning.main_node(i)]).norm();
        if (is_own[i] == 0 || distance[i] > led_distance * phyxels.spacing) {
            are_all_near = false;
            continue;
        }
        leader[i] = static_cast<Index>(i);
        way[i] = 0.0;
        next.emplace(0.0, static_cast<Index>(i));
    }
    if (are_all_near) return {};

    std::vector<std::vector<Index>> beside(count);
    for (const std::array<Index, 3>& corners : skin.triangles)
        for (std::size_t k = 0; k < 3; ++k) {
            beside[corners[k]].push_back(corners[(k + 1) % 3]);
            beside[corners[(k + 1) % 3]].push_back(corners[k]);
        }
    while (!next.empty()) {
        const auto [length, i] = next.top();
        next.pop();
        if (length > way[i]) continue;
        for (const Index j : beside[i]) {
            const double there = length + (skin.vertices[j] - skin.vertices[i]).norm();
            if (!(there < way[j])) continue;
            way[j] = there;
            leader[j] = leader[i];
            next.emplace(there, j);
        }
    }
    lead_tips_as_one(skin, beside, way, phyxels, skinning, leader);
    Leading led;
    for (std::size_t i = 0; i < count; ++i) {
        const Index node = skinning.main_node(i), vertex = static_cast<Index>(i);
        if (leader[i] == i) continue;
        if (is_own[i] != 0 && way[i] > too_far * distance[i])
            led.by_nodes.push_back({vertex, node, skin.vertices[i] - phyxels.positions[node], normals[i]});
        else if (leader[i] != nobody)
            led.by_vertices.push_back(
                {vertex, leader[i], skin.vertices[i] - skin.vertices[leader[i]], normals[i]});
    }
    led.ways = std::move(way);
    return led;
}

} // namespace

Mat<3> rotation_of(const Mat<3>& F)
{
    return with_stretches(F, [](double stretch) { return 1.0 / stretch; });
}

Mat<3> gradient_for_skin(const Mat<3>& F, const Mat<3>& span)
{
    const bool spans_space = span.trace() > 2.5;
    const Mat<3> whole = spans_space ? F : with_thickness(F, span);
    constexpr double most = 3.0;
    if (!(double_contraction<3>(whole, whole) > most * most)) return whole;
    return with_stretches(whole, [&](double stretch) { return std::min(1.0, most / stretch); });
}

void keep_out_of_walls(const Surroundings<3>& surroundings, const Unfelt& unfelt,
                       std::span<const std::uint8_t> may_pass, std::span<Vec<3>> vertices)
{
    if (!surroundings.domain.bounded && !surroundings.has_obstacles() && surroundings.forms.empty()) return;
    parallel_for(vertices.size(), [&](Index i) {
        if (!may_pass.empty() && may_pass[i] != 0) return;
        Vec<3> moved = vertices[i];
        for_each_wall_and_form(surroundings, vertices[i], 0.0, [&](const NearWall<3>& wall) {
            if (wall.normal.allFinite() && !unfelt.has_wall(wall.obstacle))
                moved -= wall.distance * wall.normal;
        });
        vertices[i] = moved;
    });
}

CarriedSkin::CarriedSkin(SolidSkin skin, PhyxelCloud<3> phyxels, std::vector<std::uint64_t> phyxel_ids,
                         std::function<bool(const Vec<3>&, Index)> sees)
    : size(skin.vertices.size()),
      options{.method = skin.method},
      nodes(std::move(phyxels)),
      node_ids(std::move(phyxel_ids)),
      first_size(skin.vertices.size()),
      sees_(std::move(sees))
{
    if (skin.triangles.empty()) {
        set_surfels(SurfelSet(skin.vertices, skin.normals, covering_radius(skin.vertices)));
    } else {
        carry(skin);
        sees_ = {};
        rest = std::move(skin.vertices);
        crack_sides = std::move(skin.crack_sides);
        crack_sides.resize(rest.size(), 0);
    }
    triangles = std::move(skin.triangles);
}

/// Which phyxels carry the vertices, and whom those follow that are led.
void CarriedSkin::carry(SolidSkin& skin)
{
    std::vector<Vec<3>> normals = vertex_normals(skin);
    skinning = Skinning<float>(skin.vertices, normals, skinning_nodes(), options);
    Leading leading = find_led(skin, normals, nodes, skinning);
    for (const EndVertex& vertex : leading.by_nodes) leading.ways[vertex.vertex] = 0.0;
    long_tips = LongTips(skin, normals, nodes, leading.ways);
    led = std::move(leading.by_vertices);
    ends = std::move(leading.by_nodes);
    std::vector<Index> followed(size), leader(size);
    for (std::size_t i = 0; i < size; ++i) {
        followed[i] = skinning.main_node(i);
        leader[i] = static_cast<Index>(i);
    }
    for (const LedVertex& vertex : led) {
        followed[vertex.vertex] = skinning.main_node(vertex.leader);
        leader[vertex.vertex] = vertex.leader;
    }

    const std::vector<CutVertex> added = cut_skin(skin, nodes, followed);
    for (const auto& [origin, guide, drawn_in] : added) {
        const Index vertex = static_cast<Index>(normals.size()), first = leader[guide];
        led.push_back({vertex, first, skin.vertices[vertex] - skin.vertices[first], normals[origin]});
        rims.push_back({vertex, first, origin, drawn_in - skin.vertices[first]});
        followed.push_back(followed[guide]);
        normals.push_back(Vec<3>(normals[origin]));
    }
    if (!added.empty()) {
        // The others are where they were, and to find their nodes is most of what a skin takes.
        std::vector<Index> kept(size);
        std::iota(kept.begin(), kept.end(), Index(0));
        skinning.replace(kept, std::span<const Vec<3>>(skin.vertices).subspan(size),
                         std::span<const Vec<3>>(normals).subspan(size), skinning_nodes());
        size = skin.vertices.size();
    }

    std::vector<std::uint8_t> is_led(size, 0);
    for (const LedVertex& vertex : led) is_led[vertex.vertex] = 1;
    for (const EndVertex& vertex : ends) is_led[vertex.vertex] = 1;
    seams = SkinSeams(skin, nodes, followed, is_led);
}

void CarriedSkin::update(std::span<const Vec<3>> positions, std::span<const Mat<3>> gradients,
                         std::span<Vec<3>> vertices, std::span<Vec<3, float>> normals)
{
    skinning.update(positions, gradients, vertices, normals);
    if (!led.empty() || !ends.empty()) {
        std::vector<Mat<3, float>> around(size);
        skinning.update_with_gradients(positions, gradients, vertices, around);
        for (const EndVertex& vertex : ends) {
            const Mat<3> R = rotation_of(around[vertex.vertex].cast<double>());
            vertices[vertex.vertex] = positions[vertex.node] + R * vertex.offset;
            const Vec<3> normal = R * vertex.normal;
            if (normal.norm() > 0.0) normals[vertex.vertex] = normal.normalized().cast<float>();
        }
        for (const LedVertex& vertex : led) {
            const Mat<3> R = rotation_of(around[vertex.leader].cast<double>());
            vertices[vertex.vertex] = vertices[vertex.leader] + R * vertex.offset;
            const Vec<3> normal = R * vertex.normal;
            if (normal.norm() > 0.0) normals[vertex.vertex] = normal.normalized().cast<float>();
        }
        // Triangles that reach over a cut would be a fringe where it opens.
        constexpr double open = 0.5; // spacings
        for (const RimVertex& vertex : rims) {
            Vec<3>& x = vertices[vertex.vertex];
            const Mat<3> R = rotation_of(around[vertex.leader].cast<double>());
            const Vec<3> drawn_in = vertices[vertex.leader] + R * vertex.offset;
            const double part = (x - vertices[vertex.origin]).norm() / (open * nodes.spacing);
            x += std::min(part, 1.0) * (drawn_in - x);
        }
    }
    seams.update(positions, gradients, vertices, normals);
    long_tips.update(positions, gradients, vertices, normals);
}

void CarriedSkin::transfer(std::span<const Vec<3>> nodal, std::span<Vec<3, float>> out)
{
    skinning.transfer(nodal, {}, out);
    for (const LedVertex& vertex : led) out[vertex.vertex] = out[vertex.leader];
    seams.transfer(nodal, out);
    long_tips.transfer(nodal, out);
}

void CarriedSkin::set_surfels(SurfelSet set)
{
    surfels = std::move(set);
    size = surfels->size();
    skinning = Skinning<float>(surfels->rest_positions(), surfels->rest_normals(), skinning_nodes(), options);
}

void CarriedSkin::save(CheckpointWriter& checkpoint, const std::string& name) const
{
    const SurfelState& state = surfels->state();
    std::vector<Vec<3>> axes;
    for (const SurfelAxes& pair : state.axes) axes.insert(axes.end(), pair.begin(), pair.end());
    checkpoint.add(name + "position", state.positions);
    checkpoint.add(name + "axes", axes);
    checkpoint.add(name + "id", state.ids);
    checkpoint.add_value(name + "next_id", state.next_id);
}

void CarriedSkin::load(const CheckpointReader& checkpoint, const std::string& name)
{
    SurfelState state;
    state.positions = checkpoint.section<Vec<3>>(name + "position");
    const auto axes = checkpoint.section<Vec<3>>(name + "axes");
    for (std::size_t k = 0; k + 1 < axes.size(); k += 2) state.axes.push_back({axes[k], axes[k + 1]});
    state.ids = checkpoint.section<std::uint64_t>(name + "id");
    state.next_id = checkpoint.value<std::uint64_t>(name + "next_id");
    set_surfels(SurfelSet(std::move(state), surfels->radius()));
}

} // namespace phyxel
