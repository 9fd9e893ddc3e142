// SPDX-License-Identifier: MIT
#include <phyxel/core/parallel_for.h>
#include <phyxel/render/detail/snapshot_drawing.h>
#include <phyxel/search/kd_tree.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

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

/// A field of one vector for each point, or nullptr.
const Field* vectors_named(const Snapshot& snapshot, std::string_view name)
{
    const Field* field = snapshot.find(name);
    return field != nullptr && field->components == 3 ? field : nullptr;
}

/// Of values, one for each, those that were asked for. One for all stays as it is.
template <class T>
std::vector<T> chosen(const std::vector<T>& values, const std::vector<Index>& choice)
{
    if (choice.back() >= values.size()) return values;
    std::vector<T> result;
    for (const Index i : choice) result.push_back(values[i]);
    return result;
}

/// Surfels, and as spheres those among them that face nowhere: without a normal, or squeezed to a line.
void add_surfels(RenderScene& scene, DrawnSurfels surfels, double radius)
{
    std::vector<Index> facing, others;
    for (Index i = 0; i < surfels.centers.size(); ++i) {
        const Vec<3> normal =
            surfels.axes.empty()
                ? surfels.normals[i].stableNormalized()
                : Vec<3>(surfels.axes[i][0].stableNormalized().cross(surfels.axes[i][1].stableNormalized()));
        (normal.norm() > 1e-6 && normal.allFinite() ? facing : others).push_back(i);
    }
    if (!others.empty()) {
        scene.spheres.push_back({.centers = chosen(surfels.centers, others),
                                 .radii = {static_cast<float>(radius)},
                                 .colors = chosen(surfels.colors, others),
                                 .motions = chosen(surfels.motions, others)});
        if (facing.empty()) return;
        surfels = {.centers = chosen(surfels.centers, facing),
                   .normals = chosen(surfels.normals, facing),
                   .radii = chosen(surfels.radii, facing),
                   .axes = chosen(surfels.axes, facing),
                   .colors = chosen(surfels.colors, facing),
                   .motions = chosen(surfels.motions, facing)};
    }
    scene.surfels.push_back(std::move(surfels));
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

std::vector<float> covering_radii(const std::vector<Vec<3>>& points)
{
    // Points at the same place are one: a tree that has many of them finds nothing else.
    std::vector<Index> order;
    for (Index i = 0; i < points.size(); ++i)
        if (points[i].allFinite()) order.push_back(i);
    const auto key = [&](Index i) { return std::tie(points[i][0], points[i][1], points[i][2]); };
    std::sort(order.begin(), order.end(), [&](Index a, Index b) { return key(a) < key(b); });
    std::vector<Vec<3>> places;
    std::vector<Index> place_of(points.size(), 0);
    for (const Index i : order) {
        if (places.empty() || places.back() != points[i]) places.push_back(points[i]);
        place_of[i] = static_cast<Index>(places.size() - 1);
    }
    std::vector<float> radii(points.size(), 0.0f);
    if (places.size() < 2) return radii;

    constexpr std::size_t ring = 6;
    const KdTree<3> tree{std::span<const Vec<3>>(places)};
    const QueryResults<Neighbor<double>> nearest = tree.nearest(places, ring + 1);
    std::vector<double> reaches(places.size());
    for (std::size_t k = 0; k < places.size(); ++k) reaches[k] = nearest.of(k).back().distance;
    std::vector<double> sorted = reaches;
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    for (const Index i : order) radii[i] = static_cast<float>(std::min(reaches[place_of[i]], 2.0 * *middle));
    return radii;
}

void add_snapshot(RenderScene& scene, Snapshot snapshot, const SnapshotLook& look)
{
    std::vector<Color> colors = colors_for(snapshot, look);
    std::vector<Vec<3>> motions = motions_for(snapshot, look.shutter_time);
    if (snapshot.triangles && !snapshot.triangles->empty()) {
        DrawnMesh drawn{.mesh = {std::move(snapshot.points), std::move(*snapshot.triangles)},
                        .colors = std::move(colors),
                        .motions = std::move(motions)};
        if (look.liquid_depth) drawn.liquid = liquid_of(look.color, *look.liquid_depth);
        scene.meshes.push_back(std::move(drawn));
        return;
    }
    const Field* u = vectors_named(snapshot, "axis_u");
    const Field* v = vectors_named(snapshot, "axis_v");
    const Field* normal = vectors_named(snapshot, "normal");
    if (u != nullptr && v != nullptr) {
        const std::vector<Vec<3>> first = vectors_of(*u);
        const std::vector<Vec<3>> second = vectors_of(*v);
        std::vector<std::array<Vec<3>, 2>> axes(first.size());
        for (std::size_t i = 0; i < axes.size(); ++i) axes[i] = {first[i], second[i]};
        add_surfels(scene,
                    {.centers = std::move(snapshot.points),
                     .axes = std::move(axes),
                     .colors = std::move(colors),
                     .motions = std::move(motions)},
                    look.radius);
    } else if (normal != nullptr) {
        std::vector<float> radii;
        if (snapshot.find("radius") != nullptr) {
            radii = radii_for(snapshot, look.radius);
        } else {
            radii = covering_radii(snapshot.points);
            for (float& radius : radii)
                if (!(radius > 0.0f)) radius = static_cast<float>(look.radius);
        }
        std::vector<Vec<3>> normals = vectors_of(*normal);
        add_surfels(scene,
                    {.centers = std::move(snapshot.points),
                     .normals = std::move(normals),
                     .radii = std::move(radii),
                     .colors = std::move(colors),
                     .motions = std::move(motions)},
                    look.radius);
    } else {
        std::vector<float> radii = radii_for(snapshot, look.radius);
        scene.spheres.push_back({.centers = std::move(snapshot.points),
                                 .radii = std::move(radii),
                                 .colors = std::move(colors),
                                 .motions = std::move(motions)});
    }
}

} // namespace phyxel::detail
