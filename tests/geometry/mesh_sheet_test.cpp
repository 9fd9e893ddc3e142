// SPDX-License-Identifier: MIT
#include <phyxel/geometry/mesh_sheet.h>

#include <phyxel/core/error.h>
#include <phyxel/geometry/shape.h>

#include "geometry/meshes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace phyxel::mesh_sheet_test {
namespace {

/// A sphere without what is above `height`.
TriangleMesh bowl(double height = 0.0)
{
    TriangleMesh mesh = sphere_mesh(4);
    std::erase_if(mesh.triangles, [&](const auto& t) {
        return (mesh.vertices[t[0]][2] + mesh.vertices[t[1]][2] + mesh.vertices[t[2]][2]) / 3 > height;
    });
    return mesh;
}

TriangleMesh flat_sheet() { return {{{0, 0, 1}, {2, 0, 1}, {2, 1, 1}, {0, 1, 1}}, {{0, 1, 2}, {0, 2, 3}}}; }

TEST(MeshSheet, open_meshes_are_sheets_and_meshes_with_defects_are_not)
{
    EXPECT_TRUE(is_open_sheet(flat_sheet()));
    EXPECT_TRUE(is_open_sheet(bowl()));
    EXPECT_TRUE(is_open_sheet(bowl(0.9))); // a jar with a small mouth
    EXPECT_TRUE(is_open_sheet(unshared(with_flipped(bowl(), 7))));
    EXPECT_FALSE(is_open_sheet(sphere_mesh(3)));
    EXPECT_FALSE(is_open_sheet(with_holes(sphere_mesh(4), 50)));
    EXPECT_FALSE(is_open_sheet(unshared(with_flipped(sphere_mesh(3), 5))));
    EXPECT_FALSE(is_open_sheet(with_doubled(sphere_mesh(3), 5, true)));
}

TEST(MeshSheet, distances_are_those_to_the_triangles_from_either_side)
{
    const MeshSheet sheet(flat_sheet());
    for (const double z : {-0.5, 0.25, 0.999, 1.001, 2.0}) {
        const SignedDistance<3> d = sheet.distance({0.7, 0.4, z});
        EXPECT_NEAR(d.value, std::abs(z - 1), 1e-15);
        EXPECT_NEAR(d.normal[2], z < 1 ? -1 : 1, 1e-12);
    }
    EXPECT_NEAR(sheet.distance({3, 0.5, 1}).value, 1.0, 1e-15);
    EXPECT_NEAR(std::abs(sheet.distance({0.7, 0.4, 1.0}).normal[2]), 1.0, 1e-15) << "on it, either will do";
}

TEST(MeshSheet, the_shape_of_a_sheet_has_no_inside_and_moves_like_others)
{
    const Shape<3> shape{MeshSheet(bowl())};
    EXPECT_TRUE(shape.is_sheet());
    EXPECT_FALSE(shape.inside({0, 0, -0.5}));
    EXPECT_NEAR(shape.signed_distance({0, 0, -0.5}), 0.5, 0.01);
    EXPECT_NEAR(shape.signed_distance({0, 0, -1.5}), 0.5, 0.01);
    EXPECT_EQ(shape.volume().value, 0.0);
    EXPECT_EQ(shape.side({0, 0, -0.99}, 0.05), Side::Surface);
    EXPECT_EQ(shape.region_side({{-0.1, -0.1, -0.6}, {0.1, 0.1, -0.4}}, 0.0), Side::Outside);
    EXPECT_EQ(shape.region_side({{-0.1, -0.1, -1.1}, {0.1, 0.1, -0.9}}, 0.0), Side::Surface);

    const Similarity<3> map{
        .scale = 2, .rotation = rotation_matrix(Vec<3>(0.3, 0.2, 0.1)), .translation = {1, 2, 3}};
    const Shape<3> moved = shape.transformed(map);
    const Vec<3> x(0.3, 0.1, -0.4);
    EXPECT_NEAR(moved.signed_distance(map.apply(x)), 2 * shape.signed_distance(x), 1e-12);
    EXPECT_TRUE(moved.bounds().contains(map.apply(Vec<3>(0, 0, -0.99))));
}

TEST(MeshSheet, what_encloses_nothing_cannot_be_combined)
{
    const Shape<3> sheet{MeshSheet(bowl())};
    const Shape<3> ball(Sphere<3>{{0, 0, 0}, 0.5});
    EXPECT_TRUE(unite<3>({sheet}).is_sheet());
    EXPECT_THROW(unite<3>({ball, sheet}), InputError);
    EXPECT_THROW(subtract<3>({ball, sheet}), InputError);
    EXPECT_THROW(MeshSheet(TriangleMesh{}), InputError);
    EXPECT_THROW(Shape<2>{MeshSheet(bowl())}, InputError);
}

} // namespace
} // namespace phyxel::mesh_sheet_test
