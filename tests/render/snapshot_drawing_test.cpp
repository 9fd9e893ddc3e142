// SPDX-License-Identifier: MIT
#include <phyxel/core/rng.h>
#include <phyxel/core/snapshot.h>
#include <phyxel/render/detail/snapshot_drawing.h>
#include <phyxel/render/ray_tracer.h>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

namespace phyxel::snapshot_drawing_test {
namespace {

struct Cloud {
    std::vector<Vec<3>> points;
    std::vector<Vec<3>> normals;
};

Cloud sphere_cloud(std::size_t count)
{
    Rng rng(1);
    Cloud cloud;
    while (cloud.points.size() < count) {
        const Vec<3> x = rng.point<3>(-1.0, 1.0);
        if (x.norm() > 1.0 || x.norm() < 0.1) continue;
        cloud.normals.push_back(x.normalized());
        cloud.points.push_back(cloud.normals.back());
    }
    return cloud;
}

Cloud torus_cloud(std::size_t count)
{
    Rng rng(2);
    Cloud cloud;
    while (cloud.points.size() < count) {
        const Vec<3> angles = rng.point<3>(0.0, 1.0);
        const double u = 2.0 * std::numbers::pi * angles[0], v = 2.0 * std::numbers::pi * angles[1];
        // The outer side has more area than the inner one.
        if (angles[2] * 1.4 > 1.0 + 0.4 * std::cos(v)) continue;
        const Vec<3> out(std::cos(u), std::sin(u), 0.0);
        cloud.normals.push_back(std::cos(v) * out + std::sin(v) * Vec<3>::UnitZ());
        cloud.points.push_back(out + 0.4 * cloud.normals.back());
    }
    return cloud;
}

/// The sides of a box, with a round hole in each.
Cloud box_cloud(std::size_t count)
{
    Rng rng(3);
    Cloud cloud;
    while (cloud.points.size() < count) {
        const Vec<3> x = rng.point<3>(-1.0, 1.0);
        const int axis = static_cast<int>(cloud.points.size() % 3);
        Vec<3> p = x;
        p[axis] = x[axis] < 0.0 ? -1.0 : 1.0;
        if ((p - p[axis] * Vec<3>::Unit(axis)).norm() < 0.5) continue;
        cloud.points.push_back(p);
        cloud.normals.emplace_back(p[axis] * Vec<3>::Unit(axis));
    }
    return cloud;
}

/// As from a poor scanner.
Cloud noisy_cloud(std::size_t count)
{
    Rng rng(4);
    Cloud cloud = sphere_cloud(count);
    for (std::size_t i = 0; i < count; ++i) {
        cloud.points[i] += 0.02 * rng.point<3>(-1.0, 1.0);
        cloud.normals[i] += 0.3 * rng.point<3>(-1.0, 1.0);
    }
    return cloud;
}

/// Seen from one side only.
Cloud partial_cloud(std::size_t count)
{
    const Cloud whole = sphere_cloud(4 * count);
    Cloud cloud;
    for (std::size_t i = 0; i < whole.points.size() && cloud.points.size() < count; ++i)
        if (whole.points[i].dot(Vec<3>(-0.4, -1.0, 0.5)) > 0.3) {
            cloud.points.push_back(whole.points[i]);
            cloud.normals.push_back(whole.normals[i]);
        }
    return cloud;
}

/// One of the pictures of a snapshot that is 64 pixels wide: whether each pixel shows something.
std::vector<bool> covered(Snapshot snapshot, const Box<3>& box, double radius = 0.02)
{
    RenderScene scene;
    detail::add_snapshot(scene, std::move(snapshot), {.radius = radius});
    const RenderOptions options{.width = 64, .height = 48, .samples = 1};
    const RayTracer tracer(scene, framing_camera(box, 4.0 / 3.0), options);
    std::vector<bool> result;
    for (int y = 0; y < options.height; ++y)
        for (int x = 0; x < options.width; ++x) result.push_back(tracer.hits_anything({x + 0.5, y + 0.5}));
    return result;
}

struct Overlap {
    double found = 0.0;  ///< part of the expected pixels that are covered
    double beside = 0.0; ///< others, in the same unit
};

Overlap compare(const std::vector<bool>& expected, const std::vector<bool>& seen)
{
    double total = 0.0;
    Overlap overlap;
    for (std::size_t i = 0; i < seen.size(); ++i) {
        total += expected[i] ? 1.0 : 0.0;
        overlap.found += expected[i] && seen[i] ? 1.0 : 0.0;
        overlap.beside += !expected[i] && seen[i] ? 1.0 : 0.0;
    }
    return {overlap.found / total, overlap.beside / total};
}

/// As solids that were made from clouds write their surface: a mesh without triangles.
Snapshot as_surfels(const Cloud& cloud, double radius)
{
    Snapshot snapshot;
    snapshot.points = cloud.points;
    snapshot.triangles.emplace();
    std::vector<Vec<3>> u, v;
    for (const Vec<3>& normal : cloud.normals) {
        u.emplace_back(radius * normal.unitOrthogonal());
        v.emplace_back(normal.normalized().cross(u.back()));
    }
    snapshot.fields = {vector_field<3, double>("normal", cloud.normals), vector_field<3, double>("axis_u", u),
                       vector_field<3, double>("axis_v", v)};
    return snapshot;
}

TEST(SnapshotDrawing, every_kind_of_skin_of_five_clouds_covers_what_the_shape_covers)
{
    const std::vector<std::pair<std::string, std::function<Cloud(std::size_t)>>> clouds = {
        {"sphere", sphere_cloud}, {"torus", torus_cloud},     {"box with holes", box_cloud},
        {"noisy", noisy_cloud},   {"partial", partial_cloud},
    };
    for (const auto& [name, make] : clouds) {
        SCOPED_TRACE(name);
        Box<3> box;
        Snapshot dense;
        dense.points = make(20000).points;
        for (const Vec<3>& x : dense.points) box.extend(x);
        const std::vector<bool> expected = covered(dense, box);

        const Cloud cloud = make(1500);
        Snapshot discs;
        discs.points = cloud.points;
        discs.fields = {vector_field<3, double>("normal", cloud.normals)};
        Snapshot sized = discs;
        sized.fields.push_back({"radius", 1, std::vector<double>(cloud.points.size(), 0.12)});
        Snapshot points;
        points.points = cloud.points;
        for (const auto& [kind, snapshot] : {std::pair{"ellipses", as_surfels(cloud, 0.12)},
                                             {"discs", discs},
                                             {"discs with a radius", sized},
                                             {"points", points}}) {
            SCOPED_TRACE(kind);
            const Overlap overlap = compare(expected, covered(snapshot, box, 0.06));
            // Nothing tells how far apart plain points are meant to be; one sees between them here and there.
            EXPECT_GT(overlap.found, snapshot.fields.empty() ? 0.85 : 0.97);
            EXPECT_LT(overlap.beside, 0.25); // discs stand out at edges
        }
    }
}

TEST(SnapshotDrawing, a_mesh_without_triangles_is_its_points_and_with_them_a_mesh)
{
    Snapshot snapshot;
    snapshot.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    snapshot.triangles.emplace();
    RenderScene scene;
    detail::add_snapshot(scene, snapshot, {.radius = 0.1});
    EXPECT_EQ(scene.spheres.size(), 1u);
    snapshot.fields = {{"normal", 3, std::vector<float>{0, 0, 1, 0, 0, 1, 0, 0, 1}}};
    detail::add_snapshot(scene, snapshot, {.radius = 0.1});
    EXPECT_EQ(scene.surfels.size(), 1u);
    snapshot.triangles->push_back({0, 1, 2});
    detail::add_snapshot(scene, snapshot, {.radius = 0.1});
    EXPECT_EQ(scene.meshes.size(), 1u);
}

TEST(SnapshotDrawing, surfels_that_face_nowhere_are_spheres)
{
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    Snapshot snapshot;
    snapshot.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
    snapshot.fields = {{"normal", 3, std::vector<float>{0, 0, 1, 0, 0, 0, nan, 0, 1, 0, 0, 2}},
                       {"density", 1, std::vector<float>{1, 2, 3, 4}}};
    RenderScene scene;
    detail::add_snapshot(scene, snapshot, {.field = "density", .range = {0, 4}, .radius = 0.1});
    ASSERT_EQ(scene.surfels.size(), 1u);
    ASSERT_EQ(scene.spheres.size(), 1u);
    EXPECT_EQ(scene.surfels[0].centers, (std::vector<Vec<3>>{{0, 0, 0}, {1, 1, 0}}));
    EXPECT_EQ(scene.spheres[0].centers, (std::vector<Vec<3>>{{1, 0, 0}, {0, 1, 0}}));
    EXPECT_EQ(scene.spheres[0].colors.size(), 2u);
    EXPECT_NO_THROW(check_scene(scene));

    // Squeezed to a line, all of them.
    snapshot.fields = {{"axis_u", 3, std::vector<float>(12, 1.0f)},
                       {"axis_v", 3, std::vector<float>(12, 2.0f)}};
    RenderScene lines;
    detail::add_snapshot(lines, snapshot, {.radius = 0.1});
    EXPECT_TRUE(lines.surfels.empty());
    ASSERT_EQ(lines.spheres.size(), 1u);
    EXPECT_EQ(lines.spheres[0].centers.size(), 4u);
}

TEST(SnapshotDrawing, discs_reach_to_their_neighbours_wherever_these_are)
{
    std::vector<Vec<3>> points;
    for (int i = 0; i < 20; ++i)
        for (int j = 0; j < 20; ++j) points.emplace_back(0.1 * i, 0.1 * j, 0.0);
    points.emplace_back(100.0, 0.0, 0.0); // a stray
    points.push_back(points.front());     // a twin
    points.emplace_back(std::numeric_limits<double>::quiet_NaN(), 0.0, 0.0);
    const std::vector<float> radii = detail::covering_radii(points);
    EXPECT_NEAR(radii[210], 0.1 * std::numbers::sqrt2, 1e-6);
    EXPECT_LT(radii[400], 0.5f) << "not over everything";
    EXPECT_EQ(radii[401], radii[0]);
    EXPECT_EQ(radii[402], 0.0f);
    EXPECT_EQ(detail::covering_radii({5, Vec<3>::Zero()}), std::vector<float>(5, 0.0f));
    EXPECT_TRUE(detail::covering_radii({}).empty());
}

} // namespace
} // namespace phyxel::snapshot_drawing_test
