// SPDX-License-Identifier: MIT
// How a snapshot is drawn: triangles as a mesh, points with axes as ellipses, points with normals as discs,
// other points as spheres; and the numbers that colours and sizes are chosen from. Nothing that has points is
// left out: a mesh without triangles is its points.
#pragma once

#include <phyxel/core/snapshot.h>
#include <phyxel/render/color_map.h>
#include <phyxel/render/render_scene.h>

#include <optional>
#include <string>
#include <vector>

namespace phyxel::detail {

/// All but the outermost half percent at either end: one particle that was hit hard should not take all
/// colours from the others. None if there is no finite number.
std::optional<ValueRange> usual_range(std::vector<double> values);

/// Half the usual distance to the nearest other particle; 0 if there is none.
double usual_radius(const std::vector<Vec<3>>& points);

/// For each point the radius of a disc so that discs of a sampled surface leave no holes: as far as the ring
/// of its neighbours, but not much farther than is usual. 0 where no other point is at another place.
std::vector<float> covering_radii(const std::vector<Vec<3>>& points);

/// What decides how one snapshot looks.
struct SnapshotLook {
    std::string field = {}; ///< that colours it; `color` if empty
    ColorMap map = ColorMap::Viridis;
    ValueRange range = {};
    Color color = Color::Constant(0.5f);
    double radius = 0.0;       ///< of points without a size of their own [m]
    double shutter_time = 0.0; ///< in which things move by their velocity [s]
    /// If given, meshes are clear, and after this way through them light has a shade of `color`. [m]
    std::optional<double> liquid_depth = {};
};

void add_snapshot(RenderScene& scene, Snapshot snapshot, const SnapshotLook& look);

} // namespace phyxel::detail
