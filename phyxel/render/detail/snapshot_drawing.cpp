// SPDX-License-Identifier: MIT
#include <phyxel/core/parallel_for.h>
#include <phyxel/render/detail/snapshot_drawing.h>
#include <phyxel/search/kd_tree.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>
#include <utility>
#include <variant>

namespace phyxel::detail {
namespace {

/// One colour for each point, or one for all.
std::vector<Color> colors_for(const Snapshot& snapshot, const SnapshotLook& look)
{
    if (look.field.empty()) return {look.color};
    const Field* field = snapshot.find(look.field);
    // Grey, as numbers that are none.
    if (field == nullptr) return {map_color(look.map, std::nan(""))};
    const std::vector<double> values = magnitudes(*field);
    std::vector<Color> colors(values.size());
    parallel_for(values.size(),
                 [&](Index i) { colors[i] = map_color(look.map, look.range.fraction(values[i])); });
    return colors;
}

std::vector<float> radii_for(const Snapshot& snapshot, double usual)
{
    const Field* field = snapshot.find("radius");
    if (field == nullptr || field->components != 1) return {static_cast<float>(usual)};
    const std::vector<double> values = magnitudes(*field);
    std::vector<float> radii(values.size());
    for (std::size_t i = 0; i < values.size(); ++i)
        radii[i] = std::isfinite(values[i]) ? static_cast<float>(std::max(0.0, values[i])) : 0.0f;
    return radii;
}

std::vector<Vec<3>> motions_for(const Snapshot& snapshot, double shutter_time)
{
    const Field* velocity = snapshot.find("velocity");
    if (!(shutter_time > 0.0) || velocity == nullptr || velocity->components != 3) return {};
    std::vector<Vec<3>> motions = vectors_of(*velocity);
    for (Vec<3>& motion : motions) motion *= shutter_time;
    return motions;
}

/// After the way `depth` white light has a paler shade of the colour.
Liquid liquid_of(const Color& color, double depth)
{
    Liquid liquid;
    for (int k = 0; k < 3; ++k) {
        const float left = 0.35f + 0.65f * std::clamp(color[k], 0.0f, 1.0f);
        liquid.absorption[k] = -std::log(left) / static_cast<float>(depth);
    }
    return liquid;
}

} // namespace

std::optional<ValueRange> usual_range(std::vector<double> values)
{
    std::erase_if(values, [](double value) { return !std::isfinite(value); });
    if (values.empty()) return std::nullopt;
    const std::size_t cut = values.size() / 200;
    const auto low = values.begin() + static_cast<std::ptrdiff_t>(cut);
    std::nth_element(values.begin(), low, values.end());
    const double min = *low;
    const auto high = values.end() - 1 - static_cast<std::ptrdiff_t>(cut);
    std::nth_element(values.begin(), high, values.end());
    return ValueRange{min, *high};
}

double usual_radius(const std::vector<Vec<3>>& points)
{
    std::vector<Vec<3>> finite;
    std::copy_if(points.begin(), points.end(), std::back_inserter(finite),
                 [](const Vec<3>& x) { return x.allFinite(); });
    if (finite.size() < 2) return 0.0;
    const KdTree<3> tree{std::span<const Vec<3>>(finite)};
    std::vector<double> distances;
    std::vector<Neighbor<double>> found;
    const std::size_t stride = std::max<std::size_t>(1, finite.size() / 1000);
    for (std::size_t i = 0; i < finite.size(); i += stride) {
        tree.nearest(finite[i], 2, found);
        distances.push_back(found[1].distance);
    }
    const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
    std::nth_element(distances.begin(), middle, distances.end());
    return 0.5 * *middle;
}

void add_snapshot(RenderScene& scene, Snapshot snapshot, const SnapshotLook& look)
{
    std::vector<Color> colors = colors_for(snapshot, look);
    std::vector<Vec<3>> motions = motions_for(snapshot, look.shutter_time);
    if (snapshot.triangles) {
        DrawnMesh drawn{.mesh = {std::move(snapshot.points), std::move(*snapshot.triangles)},
                        .colors = std::move(colors),
                        .motions = std::move(motions)};
        if (look.liquid_depth) drawn.liquid = liquid_of(look.color, *look.liquid_depth);
        scene.meshes.push_back(std::move(drawn));
        return;
    }
    std::vector<float> radii = radii_for(snapshot, look.radius);
    const Field* normal = snapshot.find("normal");
    if (normal == nullptr || normal->components != 3) {
        scene.spheres.push_back({.centers = std::move(snapshot.points),
                                 .radii = std::move(radii),
                                 .colors = std::move(colors),
                                 .motions = std::move(motions)});
        return;
    }
    // Discs as wide as the particles' distance leave holes between them.
    if (snapshot.find("radius") == nullptr)
        for (float& radius : radii) radius *= 1.5f;
    std::vector<Vec<3>> normals = vectors_of(*normal);
    scene.surfels.push_back({.centers = std::move(snapshot.points),
                             .normals = std::move(normals),
                             .radii = std::move(radii),
                             .colors = std::move(colors),
                             .motions = std::move(motions)});
}

} // namespace phyxel::detail
