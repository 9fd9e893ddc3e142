// SPDX-License-Identifier: MIT
#include "meshes.h"

#include <phyxel/core/error.h>
#include <phyxel/geometry/mesh_repair.h>
#include <phyxel/geometry/winding_number.h>

#include <gtest/gtest.h>

namespace phyxel::mesh_repair_test {
namespace {

TEST(MeshRepair, good_mesh_stays_as_it_is)
{
    const TriangleMesh mesh = torus_mesh(1, 0.25);
    const RepairedMesh repaired = repair_mesh(mesh);
    EXPECT_EQ(repaired.mesh.vertices, mesh.vertices);
    EXPECT_EQ(repaired.mesh.triangles, mesh.triangles);
    EXPECT_TRUE(repaired.is_watertight);
    EXPECT_FALSE(repaired.was_reversed);
    EXPECT_EQ(repaired.reversed_components, 0u);
}

TEST(MeshRepair, spoiled_spheres_become_the_sphere_again)
{
    const TriangleMesh sphere = sphere_mesh(3);
    const double volume = signed_volume(sphere);
    for (const TriangleMesh& mesh :
         {reversed(sphere), with_flipped(sphere, 7), reversed(with_flipped(sphere, 3)), unshared(sphere),
          with_doubled(sphere, 1, false), with_doubled(sphere, 1, true), with_doubled(sphere, 9, true),
          unshared(with_doubled(with_flipped(sphere, 4), 5, true))}) {
        const RepairedMesh repaired = repair_mesh(mesh);
        EXPECT_NEAR(signed_volume(repaired.mesh), volume, 1e-12);
        EXPECT_EQ(repaired.mesh.triangles.size(), sphere.triangles.size());
        EXPECT_TRUE(repaired.is_watertight);
        EXPECT_TRUE(check_mesh(repaired.mesh).is_clean());
    }
    EXPECT_TRUE(repair_mesh(reversed(sphere)).was_reversed);
    EXPECT_FALSE(repair_mesh(with_flipped(sphere, 7)).was_reversed);
}

TEST(MeshRepair, cavity_stays_a_cavity_even_if_everything_is_reversed)
{
    const TriangleMesh hollow = joined(sphere_mesh(2), reversed(sphere_mesh(2, 0.5)));
    for (const TriangleMesh& mesh : {hollow, reversed(hollow)}) {
        const RepairedMesh repaired = repair_mesh(mesh);
        EXPECT_EQ(repaired.reversed_components, 0u);
        EXPECT_NEAR(winding_number(repaired.mesh, {0, 0, 0}), 0.0, 1e-12);
        EXPECT_NEAR(winding_number(repaired.mesh, {0, 0.7, 0}), 1.0, 1e-12);
    }
}

TEST(MeshRepair, part_that_faces_inwards_beside_others_is_turned)
{
    const TriangleMesh mesh = joined(joined(sphere_mesh(2), reversed(sphere_mesh(2, 0.5, {3, 0, 0}))),
                                     sphere_mesh(1, 0.2, {0, 3, 0}));
    const RepairedMesh repaired = repair_mesh(mesh);
    EXPECT_EQ(repaired.reversed_components, 1u);
    for (const Vec<3>& x : {Vec<3>(0, 0, 0), Vec<3>(3, 0, 0), Vec<3>(0, 3, 0)})
        EXPECT_NEAR(winding_number(repaired.mesh, x), 1.0, 1e-12);
}

TEST(MeshRepair, cells_put_together_are_filled_on_both_sides_of_their_wall)
{
    TriangleMesh mesh = box_mesh({{0, 0, 0}, {1, 1, 1}});
    for (const Vec<3>& shift : {Vec<3>(1, 0, 0), Vec<3>(0, 1, 0), Vec<3>(1, 1, 0), Vec<3>(0, 0, 1)})
        mesh = joined(mesh, box_mesh({shift, shift + Vec<3>::Ones()}));
    const RepairedMesh repaired = repair_mesh(mesh);
    EXPECT_TRUE(repaired.is_watertight);
    EXPECT_NEAR(signed_volume(repaired.mesh), 5.0, 1e-12);
    for (const Vec<3>& x :
         {Vec<3>(0.9, 0.5, 0.5), Vec<3>(1.1, 0.6, 0.5), Vec<3>(1.1, 1.2, 0.9), Vec<3>(0.2, 0.3, 1.5)})
        EXPECT_NEAR(winding_number(repaired.mesh, x), 1.0, 1e-12);
    EXPECT_NEAR(winding_number(repaired.mesh, {1.1, 1.2, 1.1}), 0.0, 1e-12);
}

TEST(MeshRepair, refuses_what_is_not_a_number_or_not_there)
{
    const auto message_of = [](const TriangleMesh& mesh) -> std::string {
        try {
            static_cast<void>(repair_mesh(mesh));
        } catch (const InputError& error) {
            return error.what();
        }
        return "";
    };
    TriangleMesh mesh = sphere_mesh(0);
    mesh.vertices[3][1] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(message_of(mesh), "mesh has 1 of 12 vertices that are not finite");
    mesh = sphere_mesh(0);
    mesh.triangles[5][2] = 12;
    EXPECT_EQ(message_of(mesh), "mesh has 1 of 20 triangles that name a vertex beyond its 12");
}

} // namespace
} // namespace phyxel::mesh_repair_test
