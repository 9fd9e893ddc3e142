// SPDX-License-Identifier: MIT
#include <phyxel/world/detail/carried_skin.h>

#include <phyxel/search/kd_tree.h>
#include <phyxel/solid/elastic_law.h>

#include <algorithm>
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

/// Vertices farther from every phyxel than this many spacings are led.
constexpr double led_distance = 1.5;

std::vector<CarriedSkin::LedVertex> find_led(const SolidSkin& skin, std::span<const Vec<3>> normals,
                                             const PhyxelCloud<3>& phyxels)
{
    constexpr Index nobody = std::numeric_limits<Index>::max();
    const std::size_t count = skin.vertices.size();
    const auto nearest =
        KdTree<3>(std::span<const Vec<3>>(phyxels.positions)).nearest(std::span(skin.vertices), 1);
    std::vector<Index> leader(count, nobody);
    std::vector<double> way(count, std::numeric_limits<double>::infinity());
    using Place = std::pair<double, Index>; // how far along the skin, and which vertex
    std::priority_queue<Place, std::vector<Place>, std::greater<>> next;
    bool are_all_near = true;
    for (std::size_t i = 0; i < count; ++i) {
        if (nearest.of(i).front().distance > led_distance * phyxels.spacing) {
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
    std::vector<CarriedSkin::LedVertex> led;
    for (std::size_t i = 0; i < count; ++i)
        if (leader[i] != nobody && leader[i] != i)
            led.push_back(
                {static_cast<Index>(i), leader[i], skin.vertices[i] - skin.vertices[leader[i]], normals[i]});
    return led;
}

} // namespace

CarriedSkin::CarriedSkin(SolidSkin skin, PhyxelCloud<3> phyxels)
    : size(skin.vertices.size()),
      options{.method = skin.method},
      nodes(std::move(phyxels)),
      first_size(skin.vertices.size())
{
    if (skin.triangles.empty()) {
        set_surfels(SurfelSet(skin.vertices, skin.normals, covering_radius(skin.vertices)));
    } else {
        const std::vector<Vec<3>> normals = vertex_normals(skin);
        skinning = Skinning<float>(skin.vertices, normals, skinning_nodes(), options);
        led = find_led(skin, normals, nodes);
    }
    triangles = std::move(skin.triangles);
}

void CarriedSkin::update(std::span<const Vec<3>> positions, std::span<const Mat<3>> gradients,
                         std::span<Vec<3>> vertices, std::span<Vec<3, float>> normals)
{
    skinning.update(positions, gradients, vertices, normals);
    if (led.empty()) return;
    std::vector<Mat<3, float>> around(size);
    skinning.update_with_gradients(positions, gradients, vertices, around);
    for (const LedVertex& vertex : led) {
        const Mat<3> F = around[vertex.leader].cast<double>();
        vertices[vertex.vertex] = vertices[vertex.leader] + F * vertex.offset;
        const Vec<3> normal = cofactor(F) * vertex.normal;
        if (normal.norm() > 0.0) normals[vertex.vertex] = normal.normalized().cast<float>();
    }
}

void CarriedSkin::transfer(std::span<const Vec<3>> nodal, std::span<Vec<3, float>> out)
{
    skinning.transfer(nodal, {}, out);
    for (const LedVertex& vertex : led) out[vertex.vertex] = out[vertex.leader];
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
