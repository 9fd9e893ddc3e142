// SPDX-License-Identifier: MIT
#include "meshes.h"

#include <phyxel/core/error.h>
#include <phyxel/core/rng.h>
#include <phyxel/geometry/mesh_solid.h>
#include <phyxel/geometry/primitives.h>

#include <gtest/gtest.h>

#include <array>
#include <utility>

namespace phyxel::mesh_solid_test {
namespace {

template <class Source>
std::string refusal_of(const Source& source)
{
    try {
        const MeshSolid solid(source);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

using Phrases = std::vector<std::string>;

TEST(MeshSolid, cube_mesh_has_the_distance_and_normals_of_the_cube)
{
    const Box<3> box{{-1, -0.5, 0}, {1, 0.5, 0.75}};
    const MeshSolid solid(box_mesh(box));
    EXPECT_TRUE(solid.is_watertight());
    EXPECT_EQ(solid.bounds(), box);
    for (const Vec<3>& x : random_points(500, -1.5, 1.5, 1)) {
        const SignedDistance<3> expected = signed_distance(box, x);
        const SignedDistance<3> found = solid.signed_distance(x);
        EXPECT_NEAR(found.value, expected.value, 1e-15);
        EXPECT_LT((found.normal - expected.normal).norm(), 1e-12);
        EXPECT_EQ(solid.inside(x), expected.value < 0);
    }
}

TEST(MeshSolid, normal_on_the_surface_is_that_of_the_face)
{
    const MeshSolid solid(reversed(box_mesh({{0, 0, 0}, {1, 1, 1}})));
    const SignedDistance<3> top = solid.signed_distance({0.3, 0.4, 1.0});
    EXPECT_NEAR(top.value, 0.0, 1e-15);
    EXPECT_LT((top.normal - Vec<3>::UnitZ()).norm(), 1e-15);
}

TEST(MeshSolid, gradient_of_the_distance_is_the_normal)
{
    const MeshSolid solid(torus_mesh(1, 0.25, 24, 12));
    const double h = 1e-6;
    int tested = 0;
    for (const Vec<3>& x : random_points(200, -1.3, 1.3, 2)) {
        Vec<3> gradient;
        for (int k = 0; k < 3; ++k)
            gradient[k] = (solid.signed_distance(x + h * Vec<3>::Unit(k)).value -
                           solid.signed_distance(x - h * Vec<3>::Unit(k)).value) /
                          (2 * h);
        // Where the nearest point jumps there is no gradient.
        if (std::abs(gradient.norm() - 1) > 1e-4) continue;
        ++tested;
        EXPECT_LT((gradient - solid.signed_distance(x).normal).norm(), 1e-4);
    }
    EXPECT_GT(tested, 190);
}

TEST(MeshSolid, spoiled_spheres_are_filled_like_the_sphere)
{
    const TriangleMesh sphere = sphere_mesh(3);
    const double inner = inner_radius(sphere);
    // Holes of single faces bulge in or out by less than the width of a face.
    const double width =
        (sphere.vertices[sphere.triangles[0][0]] - sphere.vertices[sphere.triangles[0][1]]).norm();
    struct Case {
        std::string name;
        TriangleMesh mesh;
        double uncertainty;
    };
    for (const Case& spoiled :
         {Case{"holes", with_holes(sphere, 20), 0.5 * width}, Case{"flipped", with_flipped(sphere, 10), 0.0},
          Case{"doubled", with_doubled(sphere, 3, false), 0.0},
          Case{"doubled, copies flipped", with_doubled(sphere, 3, true), 0.0},
          Case{"all doubled", with_doubled(sphere, 1, false), 0.0},
          Case{"two-sided", with_doubled(sphere, 1, true), 0.0}, Case{"reversed", reversed(sphere), 0.0},
          Case{"all of it", reversed(with_doubled(with_flipped(with_holes(sphere, 20), 10), 7, true)),
               0.5 * width}}) {
        SCOPED_TRACE(spoiled.name);
        const MeshSolid solid(unshared(spoiled.mesh));
        for (const Vec<3>& x : random_points(400, -1.1, 1.1, 3)) {
            if (x.norm() < inner - spoiled.uncertainty) {
                EXPECT_TRUE(solid.inside(x));
                EXPECT_LT(solid.signed_distance(x).value, 0);
            }
            if (x.norm() > 1 + spoiled.uncertainty) {
                EXPECT_FALSE(solid.inside(x));
                EXPECT_GT(solid.signed_distance(x).value, 0);
            }
        }
    }
}

TEST(MeshSolid, warnings_count_what_was_wrong)
{
    const TriangleMesh sphere = sphere_mesh(2);
    EXPECT_EQ(MeshSolid(sphere).warnings(), Phrases{});
    EXPECT_EQ(MeshSolid(reversed(sphere)).warnings(), Phrases{"triangles face inwards and were turned"});
    EXPECT_EQ(MeshSolid(with_doubled(with_holes(sphere, 400), 100, false)).warnings(),
              (Phrases{"3 edges at 1 hole", "4 doubled triangles"}));
    EXPECT_EQ(MeshSolid(joined(sphere, reversed(sphere_mesh(1, 0.5, {3, 0, 0})))).warnings(),
              Phrases{"1 part that faces inwards and was turned"});
    PointCloud inverted = sphere_cloud(200);
    for (Vec<3>& n : inverted.normals) n = -n;
    EXPECT_EQ(MeshSolid(inverted).warnings(), Phrases{"normals point inwards and were turned"});
}

TEST(MeshSolid, thin_gap_and_thin_sheet_have_their_sides)
{
    const double thin = 1e-5;
    const MeshSolid gap(joined(box_mesh({{0, 0, 0}, {1, 1, 1}}), box_mesh({{0, 0, 1 + thin}, {1, 1, 2}})));
    const MeshSolid sheet(box_mesh({{0, 0, 0}, {1, 1, thin}}));
    for (const Vec<3>& x : random_points(50, 0.01, 0.99, 4)) {
        EXPECT_NEAR(gap.signed_distance({x[0], x[1], 1 + 0.25 * thin}).value, 0.25 * thin, 1e-15);
        EXPECT_NEAR(gap.signed_distance({x[0], x[1], 1 - 0.25 * thin}).value, -0.25 * thin, 1e-15);
        EXPECT_NEAR(sheet.signed_distance({x[0], x[1], 0.25 * thin}).value, -0.25 * thin, 1e-15);
        EXPECT_NEAR(sheet.signed_distance({x[0], x[1], -thin}).value, thin, 1e-15);
    }
}

TEST(MeshSolid, cloud_on_a_sphere_is_the_ball)
{
    for (const double orientation : {1.0, -1.0}) {
        PointCloud cloud = sphere_cloud(2000, 2.0);
        for (Vec<3>& n : cloud.normals) n *= orientation;
        const MeshSolid solid(cloud);
        EXPECT_FALSE(solid.is_watertight());
        EXPECT_EQ(solid.bounds(), bounds(cloud));
        // Tangent cells of radius r stand off the sphere by r²/2R.
        const double spacing = std::sqrt(4 * std::numbers::pi * 4 / 2000);
        const double flatness = 0.5 * spacing * spacing / 2;
        for (const Vec<3>& x : random_points(1000, -2.5, 2.5, 5)) {
            const double expected = x.norm() - 2;
            if (std::abs(expected) < 2 * flatness) continue;
            EXPECT_EQ(solid.inside(x), expected < 0);
            const SignedDistance<3> found = solid.signed_distance(x);
            EXPECT_NEAR(found.value, expected, flatness);
            if (std::abs(expected) > 0.2 && x.norm() > 0.2) {
                EXPECT_LT((found.normal - x.normalized()).norm(), 0.2);
            }
        }
    }
}

TEST(MeshSolid, cloud_with_gaps_is_still_filled)
{
    // Nothing on a cap, and the rest thinned at random.
    const PointCloud full = sphere_cloud(4000);
    PointCloud cloud;
    Rng rng(1);
    for (std::size_t i = 0; i < full.positions.size(); ++i) {
        if (full.positions[i][2] > 0.95 || rng.uniform() < 0.5) continue;
        cloud.positions.push_back(full.positions[i]);
        cloud.normals.push_back(full.normals[i]);
    }
    const MeshSolid solid(cloud);
    for (const Vec<3>& x : random_points(500, -1.2, 1.2, 6)) {
        if (x.norm() < 0.9) {
            EXPECT_TRUE(solid.inside(x));
        }
        if (x.norm() > 1.05) {
            EXPECT_FALSE(solid.inside(x));
        }
    }
}

TEST(MeshSolid, a_single_vertex_far_away_does_not_hide_what_a_query_takes)
{
    // Tetrahedra across each other, the dearest that there is.
    Rng rng(5);
    TriangleMesh soup;
    for (Index n = 0; n < 300; ++n) {
        std::array<Vec<3>, 4> corners;
        for (Vec<3>& x : corners) x = rng.point<3>(-1, 1);
        if ((corners[1] - corners[0]).cross(corners[2] - corners[0]).dot(corners[3] - corners[0]) > 0.0)
            std::swap(corners[0], corners[1]);
        const Index first = 4 * n;
        soup.vertices.insert(soup.vertices.end(), corners.begin(), corners.end());
        for (const std::array<Index, 3>& t : {std::array<Index, 3>{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {0, 2, 3}})
            soup.triangles.push_back({first + t[0], first + t[1], first + t[2]});
    }
    const double near = MeshSolid(soup).query_work();
    soup.vertices.front() = Vec<3>(1e4, 0, 0);
    EXPECT_GT(MeshSolid(soup).query_work(), 0.5 * near);
}

TEST(MeshSolid, refuses_what_encloses_no_volume)
{
    EXPECT_EQ(refusal_of(TriangleMesh{}),
              "mesh has no surface: 0 points, 0 triangles, 0 of them without area");
    TriangleMesh square;
    square.vertices = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    square.triangles = {{0, 1, 2}, {0, 2, 3}};
    EXPECT_EQ(refusal_of(square), "mesh encloses no volume: its sides are (1, 1, 0)");
    EXPECT_EQ(refusal_of(with_doubled(square, 1, true)), "mesh encloses no volume: its sides are (1, 1, 0)");
    square.triangles = {{0, 0, 1}};
    EXPECT_EQ(refusal_of(square), "mesh has no surface: 4 points, 1 triangles, 1 of them without area");
    PointCloud flat;
    flat.positions = square.vertices;
    flat.normals.assign(4, Vec<3>::UnitZ());
    EXPECT_EQ(refusal_of(flat), "point cloud encloses no volume: its sides are (1, 1, 0)");
    EXPECT_EQ(refusal_of(PointCloud{}), "point cloud has no points");
}

TEST(MeshSolid, bounds_of_a_turned_solid_are_exact)
{
    const MeshSolid solid(sphere_mesh(3, 2.0));
    const Similarity<3> map{0.5, rotation_matrix(Angles<3>(0.3, 1.0, -2.0)), {1, 2, 3}};
    EXPECT_EQ(solid.bounds(map), bounds(transformed(sphere_mesh(3, 2.0), map)));
}

} // namespace
} // namespace phyxel::mesh_solid_test
