// SPDX-License-Identifier: MIT
#include "meshes.h"

#include <phyxel/geometry/mesh_check.h>

#include <gtest/gtest.h>

namespace phyxel::mesh_check_test {
namespace {

using Phrases = std::vector<std::string>;

TEST(MeshCheck, clean_meshes_have_no_defects)
{
    for (const TriangleMesh& mesh : {box_mesh({{0, 0, 0}, {1, 1, 1}}), sphere_mesh(2), torus_mesh(1, 0.25)}) {
        const MeshReport report = check_mesh(mesh);
        EXPECT_TRUE(report.is_clean());
        EXPECT_EQ(report.vertex_count, mesh.vertices.size());
        EXPECT_EQ(report.triangle_count, mesh.triangles.size());
        EXPECT_EQ(report.components, 1u);
        EXPECT_EQ(report.bounds, bounds(mesh));
        EXPECT_DOUBLE_EQ(report.area, surface_area(mesh));
        EXPECT_DOUBLE_EQ(report.signed_volume, signed_volume(mesh));
        EXPECT_EQ(describe_defects(report), Phrases{});
    }
}

TEST(MeshCheck, triangles_that_share_no_vertices_are_as_closed_as_those_that_do)
{
    const TriangleMesh mesh = sphere_mesh(2);
    const MeshReport report = check_mesh(unshared(mesh));
    EXPECT_TRUE(report.is_clean());
    EXPECT_EQ(report.duplicate_vertices, 3 * mesh.triangles.size() - mesh.vertices.size());
    EXPECT_EQ(report.boundary_edges, 0u);
    EXPECT_EQ(report.components, 1u);
}

TEST(MeshCheck, negative_zero_is_the_same_place_as_zero)
{
    TriangleMesh mesh = unshared(box_mesh({{0, 0, 0}, {1, 1, 1}}));
    for (std::size_t v = 0; v < mesh.vertices.size(); v += 2)
        for (int k = 0; k < 3; ++k)
            if (mesh.vertices[v][k] == 0) mesh.vertices[v][k] = -0.0;
    EXPECT_TRUE(check_mesh(mesh).is_clean());
}

TEST(MeshCheck, each_missing_face_is_a_hole_with_three_edges)
{
    const MeshReport report = check_mesh(with_holes(sphere_mesh(3), 100));
    EXPECT_EQ(report.holes, 13u);
    EXPECT_EQ(report.boundary_edges, 39u);
    EXPECT_FALSE(report.is_watertight);
    EXPECT_EQ(describe_defects(report), Phrases{"39 edges at 13 holes"});
}

TEST(MeshCheck, each_flipped_face_is_found)
{
    const MeshReport report = check_mesh(with_flipped(sphere_mesh(3), 100));
    EXPECT_EQ(report.flipped_triangles, 13u);
    EXPECT_EQ(report.inconsistent_edges, 39u);
    EXPECT_EQ(report.boundary_edges, 0u);
    EXPECT_EQ(describe_defects(report), Phrases{"13 flipped triangles"});
}

TEST(MeshCheck, minority_is_flipped_even_if_the_majority_faces_inwards)
{
    const MeshReport report = check_mesh(reversed(with_flipped(sphere_mesh(3), 100)));
    EXPECT_EQ(report.flipped_triangles, 13u);
    EXPECT_LT(report.signed_volume, 0);
    EXPECT_FALSE(report.is_clean());
}

TEST(MeshCheck, doubled_faces_count_once_more_in_either_orientation)
{
    for (const bool is_turned : {false, true}) {
        const TriangleMesh mesh = sphere_mesh(2);
        const MeshReport some = check_mesh(with_doubled(mesh, 10, is_turned));
        EXPECT_EQ(some.duplicate_triangles, 32u);
        EXPECT_TRUE(some.is_watertight);
        EXPECT_EQ(some.non_manifold_edges, 0u);
        EXPECT_NEAR(some.area, surface_area(mesh), 1e-12);
        EXPECT_EQ(describe_defects(some), Phrases{"32 doubled triangles"});

        const MeshReport all = check_mesh(with_doubled(mesh, 1, is_turned));
        EXPECT_EQ(all.duplicate_triangles, 320u);
        EXPECT_NEAR(all.area, surface_area(mesh), 1e-12);
        EXPECT_NEAR(all.signed_volume, signed_volume(mesh), 1e-12);
    }
}

TEST(MeshCheck, wall_between_two_cells_is_no_part_of_the_surface)
{
    const TriangleMesh two = joined(box_mesh({{0, 0, 0}, {1, 1, 1}}), box_mesh({{1, 0, 0}, {2, 1, 1}}));
    const MeshReport report = check_mesh(two);
    EXPECT_DOUBLE_EQ(report.area, 10.0);
    EXPECT_DOUBLE_EQ(report.signed_volume, 2.0);
    EXPECT_TRUE(report.is_watertight);
}

TEST(MeshCheck, cubes_that_share_an_edge_are_not_manifold_but_watertight)
{
    const TriangleMesh two = joined(box_mesh({{0, 0, 0}, {1, 1, 1}}), box_mesh({{1, 1, 0}, {2, 2, 1}}));
    const MeshReport report = check_mesh(two);
    EXPECT_EQ(report.non_manifold_edges, 1u);
    EXPECT_EQ(report.components, 2u);
    EXPECT_TRUE(report.is_watertight);
    EXPECT_DOUBLE_EQ(report.signed_volume, 2.0);
}

TEST(MeshCheck, triangles_without_meaning_are_counted_and_left_out)
{
    TriangleMesh mesh = sphere_mesh(1);
    const double area = surface_area(mesh);
    mesh.vertices.emplace_back(0, std::numeric_limits<double>::quiet_NaN(), 0);
    mesh.vertices.emplace_back(std::numeric_limits<double>::infinity(), 0, 0);
    const Index count = static_cast<Index>(mesh.vertices.size());
    mesh.triangles.push_back({0, 1, count});
    mesh.triangles.push_back({count + 5, 1, 2});
    mesh.triangles.push_back({0, 1, count - 1});
    mesh.triangles.push_back({3, 3, 4});
    const MeshReport report = check_mesh(mesh);
    EXPECT_EQ(report.non_finite_vertices, 2u);
    EXPECT_EQ(report.out_of_range_triangles, 2u);
    EXPECT_EQ(report.degenerate_triangles, 1u);
    EXPECT_TRUE(report.is_watertight);
    EXPECT_DOUBLE_EQ(report.area, area);
    EXPECT_EQ(describe_defects(report),
              (Phrases{"2 vertices that are not finite", "2 triangles that name missing vertices",
                       "1 triangle without area"}));
}

TEST(MeshCheck, thin_triangle_along_an_edge_keeps_its_neighbours_together)
{
    // The side (0, 1) of the box is cut at its middle on one side and not on the other.
    TriangleMesh mesh = box_mesh({{0, 0, 0}, {1, 1, 1}});
    mesh.vertices.emplace_back(0.5, 0, 0);
    mesh.triangles[0] = {0, 2, 8};
    mesh.triangles.push_back({8, 2, 1});
    EXPECT_FALSE(check_mesh(mesh).is_watertight);
    mesh.triangles.push_back({0, 8, 1});
    const MeshReport report = check_mesh(mesh);
    EXPECT_TRUE(report.is_watertight);
    EXPECT_EQ(report.degenerate_triangles, 1u);
    EXPECT_EQ(report.components, 1u);
}

TEST(MeshCheck, nothing_is_not_watertight)
{
    const MeshReport report = check_mesh({});
    EXPECT_FALSE(report.is_watertight);
    EXPECT_FALSE(report.is_clean());
    EXPECT_EQ(report.components, 0u);
    EXPECT_EQ(describe_defects(report), Phrases{});
}

} // namespace
} // namespace phyxel::mesh_check_test
