// SPDX-License-Identifier: MIT
#include <phyxel/kinds/solid/detail/skin_surface.h>

#include <phyxel/core/parallel_for.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>

namespace phyxel {

SurfaceMesh coat_surface(const Coat& coat, const CoatSkin::Now& now, std::span<const Index> numbers,
                         std::span<const Vec<3>> velocities, std::span<const BodyField> fields)
{
    SurfaceMesh surface;
    const CoatSurfels& surfels = coat.state().surfels;
    surface.vertices = surfels.position;
    keep_out_of_walls(now.surroundings, now.unfelt, {}, surface.vertices);
    const std::size_t count = surfels.size();
    const std::shared_ptr<const BlinnField> bells = coat.field(now.phyxels, now.others, now.sizes);
    const BlinnField& around = *bells;
    const auto transferred = [&](std::size_t components, const auto& value_of) {
        std::vector<float> values(components * count);
        parallel_for(
            count,
            [&](Index i) {
                std::array<double, 9> sum{};
                double weights = 0.0;
                const auto add = [&](Index j, double w) {
                    for (std::size_t k = 0; k < components; ++k) sum[k] += w * value_of(numbers[j], k);
                    weights += w;
                };
                around.for_each_bell(surfels.position[i], add);
                if (!(weights > 0.0)) add(around.nearest(surfels.position[i]), 1.0);
                for (std::size_t k = 0; k < components; ++k)
                    values[components * i + k] = static_cast<float>(sum[k] / weights);
            },
            64);
        return values;
    };
    std::vector<Vec<3, float>> normals(count);
    std::array<std::vector<Vec<3>>, 2> axes = {std::vector<Vec<3>>(count), std::vector<Vec<3>>(count)};
    for (std::size_t i = 0; i < count; ++i) {
        const Vec<3>& n = surfels.normal[i];
        normals[i] = n.cast<float>();
        axes[0][i] = coat.options().radius * n.unitOrthogonal();
        axes[1][i] = n.cross(axes[0][i]);
    }
    surface.fields.push_back(scalar_field<std::uint64_t>("id", surfels.id));
    surface.fields.push_back({"velocity", 3, transferred(3, [&](Index j, std::size_t k) {
                                  return velocities[j][static_cast<Eigen::Index>(k)];
                              })});
    surface.fields.push_back(vector_field<3, float>("normal", normals));
    surface.fields.push_back(vector_field<3, double>("axis_u", axes[0]));
    surface.fields.push_back(vector_field<3, double>("axis_v", axes[1]));
    surface.fields.push_back(vector_field<3, double>("rest_position", coat.colors()));
    for (const BodyField& field : fields) {
        if (field.name == "rest_position") continue;
        const auto components = static_cast<std::size_t>(field.components);
        surface.fields.push_back(
            {field.name, field.components, transferred(components, [&](Index j, std::size_t k) {
                 return static_cast<double>(field.values[components * j + k]);
             })});
    }
    return surface;
}

SurfaceMesh carried_surface(CarriedSkin& skin, const CarriedNodes& nodes, std::span<const BodyField> fields,
                            const std::function<void(std::span<Vec<3>>)>& keep_out)
{
    SurfaceMesh surface;
    std::vector<Vec<3, float>> normals(skin.size), moved(skin.size);
    std::vector<std::uint64_t> vertex_ids(skin.size);
    std::iota(vertex_ids.begin(), vertex_ids.end(), std::uint64_t(0));
    surface.vertices.resize(skin.size);
    surface.triangles = skin.triangles;
    if (skin.surfels) {
        skin.surfels->update(skin.skinning, nodes.positions, nodes.gradients);
        std::copy(skin.surfels->positions().begin(), skin.surfels->positions().end(),
                  surface.vertices.begin());
        normals = skin.surfels->normals();
        vertex_ids = skin.surfels->state().ids;
    } else {
        skin.update(nodes.positions, nodes.gradients, surface.vertices, normals);
    }
    keep_out(surface.vertices);
    std::vector<Vec<3>> velocities;
    for (const Index i : nodes.numbers) velocities.push_back(nodes.velocities[i]);
    skin.transfer(velocities, moved);
    surface.fields.push_back(scalar_field<std::uint64_t>("id", vertex_ids));
    surface.fields.push_back(vector_field<3, float>("velocity", moved));
    surface.fields.push_back(vector_field<3, float>("normal", normals));
    if (skin.surfels)
        for (const std::size_t k : {0u, 1u}) {
            std::vector<Vec<3>> axes;
            for (const SurfelAxes& pair : skin.surfels->axes()) axes.push_back(pair[k]);
            surface.fields.push_back(vector_field<3, double>(k == 0 ? "axis_u" : "axis_v", axes));
        }
    for (const BodyField& field : fields) {
        // That of a vertex is known, and not only around it.
        if (field.name == "rest_position" && !skin.rest.empty()) {
            surface.fields.push_back(vector_field<3, double>("rest_position", skin.rest));
            surface.fields.push_back(
                {"crack_side", 1,
                 std::vector<std::int32_t>(skin.crack_sides.begin(), skin.crack_sides.end())});
            continue;
        }
        // Three components at a time travel as vectors.
        const auto components = static_cast<std::size_t>(field.components);
        std::vector<float> carried(components * skin.size);
        for (std::size_t k = 0; k < components; k += 3) {
            const std::size_t width = std::min<std::size_t>(3, components - k);
            std::vector<Vec<3>> nodal(nodes.numbers.size(), Vec<3>::Zero());
            for (std::size_t i = 0; i < nodes.numbers.size(); ++i)
                for (std::size_t m = 0; m < width; ++m)
                    nodal[i][static_cast<Eigen::Index>(m)] =
                        field.values[components * nodes.numbers[i] + k + m];
            skin.transfer(nodal, moved);
            for (std::size_t i = 0; i < skin.size; ++i)
                for (std::size_t m = 0; m < width; ++m)
                    carried[components * i + k + m] = moved[i][static_cast<Eigen::Index>(m)];
        }
        surface.fields.push_back({field.name, field.components, std::move(carried)});
    }
    return surface;
}

} // namespace phyxel
