// SPDX-License-Identifier: MIT
#include <phyxel/world/detail/carried_skin.h>

#include <phyxel/search/kd_tree.h>

#include <algorithm>
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

} // namespace

CarriedSkin::CarriedSkin(SolidSkin skin, PhyxelCloud<3> phyxels)
    : size(skin.vertices.size()),
      options{.method = skin.method},
      nodes(std::move(phyxels)),
      first_size(skin.vertices.size())
{
    if (skin.triangles.empty())
        set_surfels(SurfelSet(skin.vertices, skin.normals, covering_radius(skin.vertices)));
    else
        skinning = Skinning<float>(skin.vertices, vertex_normals(skin), skinning_nodes(), options);
    triangles = std::move(skin.triangles);
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
