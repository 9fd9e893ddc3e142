// SPDX-License-Identifier: MIT
#include <phyxel/core/error.h>
#include <phyxel/geometry/mesh_check.h>
#include <phyxel/geometry/shape_mesh.h>

#include <gtest/gtest.h>

#include <numbers>

namespace phyxel::shape_mesh_test {
namespace {

void expect_on_surface(const TriangleMesh& mesh, const Shape<3>& shape, double tolerance)
{
    for (const Vec<3>& x : mesh.vertices)
        EXPECT_NEAR(shape.signed_distance(x), 0.0, tolerance) << x.transpose();
}

TEST(ShapeMesh, a_ball_is_round_closed_and_faces_outwards)
{
    for (const double scale : {1e-6, 1.0, 1e6}) {
        const Shape<3> ball(Sphere<3>{.center = scale * Vec<3>(1.0, 2.0, 3.0), .radius = 0.5 * scale});
        const TriangleMesh mesh = shape_mesh(ball, 40);
        expect_on_surface(mesh, ball, 0.003 * scale);
        const double volume = std::numbers::pi / 6.0 * scale * scale * scale;
        EXPECT_NEAR(signed_volume(mesh) / volume, 1.0, 0.01);
        EXPECT_NEAR(surface_area(mesh) / (std::numbers::pi * scale * scale), 1.0, 0.01);
    }
}

TEST(ShapeMesh, boxes_and_what_is_cut_out_of_them_keep_their_sharp_edges)
{
    const Shape<3> box(Box<3>{.min = {0, 0, 0}, .max = {1.0, 0.5, 0.25}});
    EXPECT_NEAR(signed_volume(shape_mesh(box, 32)), 0.125, 1e-4);
    EXPECT_NEAR(surface_area(shape_mesh(box, 32)), 1.75, 1e-3);
    const Shape<3> hole(Box<3>{.min = {0.25, 0.1, -1}, .max = {0.75, 0.4, 1}});
    const TriangleMesh mesh = shape_mesh(subtract<3>({box, hole}), 32);
    EXPECT_NEAR(signed_volume(mesh), 0.125 - 0.5 * 0.3 * 0.25, 1e-3);
}

TEST(ShapeMesh, the_mesh_is_closed)
{
    const Shape<3> shape = unite<3>({Shape<3>(Sphere<3>{.center = {0, 0, 0}, .radius = 0.5}),
                                     Shape<3>(Box<3>{.min = {0, 0, 0}, .max = {1.0, 0.5, 0.25}})});
    const TriangleMesh mesh = shape_mesh(shape, 32);

    Vec<3> sum = Vec<3>::Zero();
    for (const auto& [a, b, c] : mesh.triangles) {
        const Vec<3> u = mesh.vertices[b] - mesh.vertices[a];
        const Vec<3> v = mesh.vertices[c] - mesh.vertices[a];
        sum += Vec<3>(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]);
    }
    EXPECT_LT(sum.norm(), 1e-12) << "the areas of a closed surface add up to nothing";
    EXPECT_GT(signed_volume(mesh), 0.5);
}

TEST(ShapeMesh, a_sheet_is_drawn_as_it_is)
{
    const TriangleMesh sheet{{{0, 0, 1}, {2, 0, 1}, {2, 1, 1}, {0, 1, 1}}, {{0, 1, 2}, {0, 2, 3}}};
    const TriangleMesh mesh = shape_mesh(Shape<3>(MeshSheet(sheet)).transformed({.translation = {0, 0, 1}}));
    EXPECT_EQ(mesh.triangles.size(), 2u);
    EXPECT_NEAR(surface_area(mesh), 2.0, 1e-12);
    for (const Vec<3>& x : mesh.vertices) EXPECT_EQ(x[2], 2.0);
}

TEST(ShapeMesh, plane_shapes_become_plates)
{
    const Shape<2> disc(Sphere<2>{.center = {1.0, 2.0}, .radius = 0.5});
    EXPECT_NEAR(signed_volume(shape_mesh(disc, 0.2, 40)), 0.2 * std::numbers::pi * 0.25, 0.002);
    EXPECT_THROW(shape_mesh(disc, 0.2, 1), InputError);
}

} // namespace
} // namespace phyxel::shape_mesh_test
