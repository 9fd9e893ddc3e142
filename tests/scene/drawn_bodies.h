// SPDX-License-Identifier: MIT
// Whether every body of a world can be seen in a picture, from its particles and from its skin, as they are
// written to files.
#pragma once

#include <phyxel/core/snapshot.h>
#include <phyxel/io/frames.h>
#include <phyxel/io/mesh_file.h>
#include <phyxel/render/detail/snapshot_drawing.h>
#include <phyxel/render/ray_tracer.h>
#include <phyxel/world/world.h>

#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace phyxel {

struct DrawnPixels {
    static constexpr int width = 48, height = 36;

    /// Which pixels show the snapshot, written and read again, if the camera frames the box.
    static std::vector<bool> of(const Snapshot& snapshot, const Box<3>& box, bool is_flat, double radius)
    {
        const TemporaryFolder folder;
        write_snapshot(folder / "body.ply", snapshot);
        RenderScene scene;
        detail::add_snapshot(scene, read_snapshot(folder / "body.ply").snapshot, {.radius = radius});
        constexpr double aspect = double(width) / height;
        const Camera camera = is_flat ? front_camera(box, aspect) : framing_camera(box, aspect);
        const RayTracer tracer(scene, camera, {.width = width, .height = height, .samples = 1});
        std::vector<bool> pixels;
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x) pixels.push_back(tracer.hits_anything({x + 0.5, y + 0.5}));
        return pixels;
    }
};

/// Particles cover pixels, and a skin most of those that its particles cover. A rigid body has its skin
/// whatever its particles, of which a thin one has hardly any.
template <int Dim>
void expect_bodies_are_seen(World<Dim>& world)
{
    constexpr std::size_t hardly_any = 60;
    for (Snapshot& snapshot : world.snapshots({})) {
        SCOPED_TRACE(snapshot.body);
        if (snapshot.points.empty()) continue; // joins later
        Box<3> box;
        for (const Vec<3>& x : snapshot.points) box.extend(x);
        if (snapshot.points.size() < hardly_any && snapshot.surface)
            for (const Vec<3>& x : snapshot.surface->vertices) box.extend(x);
        const double radius = detail::usual_radius(snapshot.points);
        const Snapshot skin = surface_snapshot(snapshot);
        const bool has_skin = snapshot.surface.has_value();
        snapshot.surface.reset();
        const std::vector<bool> particles = DrawnPixels::of(snapshot, box, Dim == 2, radius);
        const std::vector<bool> seen = has_skin ? DrawnPixels::of(skin, box, Dim == 2, radius) : particles;
        if (has_skin && snapshot.points.size() < hardly_any) {
            EXPECT_GT(std::count(seen.begin(), seen.end(), true), 10);
            continue;
        }
        int expected = 0, found = 0;
        for (std::size_t i = 0; i < seen.size(); ++i) {
            expected += particles[i] ? 1 : 0;
            found += particles[i] && seen[i] ? 1 : 0;
        }
        EXPECT_GT(expected, 10);
        EXPECT_GT(found, 0.75 * expected);
    }
}

} // namespace phyxel
