// SPDX-License-Identifier: MIT
#include <phyxel/core/snapshot.h>

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace phyxel::snapshot_test {
namespace {

Snapshot two_points()
{
    Snapshot snapshot;
    snapshot.body = "block";
    snapshot.time = 1.5;
    snapshot.points = {{0, 0, 0}, {1, 2, 3}};
    snapshot.fields.push_back(scalar_field<float>("density", std::vector<float>{1, 2}));
    return snapshot;
}

TEST(Snapshot, fields_are_found_by_their_name)
{
    const Snapshot snapshot = two_points();
    ASSERT_NE(snapshot.find("density"), nullptr);
    EXPECT_EQ(snapshot.find("density")->size(), 2u);
    EXPECT_EQ(snapshot.find("velocity"), nullptr);
}

TEST(Snapshot, vectors_in_the_plane_become_vectors_in_space)
{
    const std::vector<Vec<2>> velocity = {{1, 2}, {3, 4}};
    const Field field = vector_field<2, double>("velocity", velocity);
    EXPECT_EQ(field.components, 3);
    EXPECT_EQ(std::get<std::vector<double>>(field.values), (std::vector<double>{1, 2, 0, 3, 4, 0}));
    EXPECT_EQ(points_in_space<2>(velocity), (std::vector<Vec<3>>{{1, 2, 0}, {3, 4, 0}}));
    EXPECT_EQ(points_in_space<1>(std::vector<Vec<1>>{Vec<1>(5.0)}), (std::vector<Vec<3>>{{5, 0, 0}}));
}

TEST(Snapshot, a_field_of_another_length_is_inconsistent)
{
    Snapshot snapshot = two_points();
    EXPECT_TRUE(is_consistent(snapshot));
    snapshot.fields.push_back(scalar_field<double>("pressure", std::vector<double>{1, 2, 3}));
    EXPECT_FALSE(is_consistent(snapshot));
    snapshot.fields.back() = {"pressure", 2, std::vector<double>{1, 2, 3, 4}};
    EXPECT_FALSE(is_consistent(snapshot)) << "no quantity has two components";
}

TEST(Snapshot, a_triangle_without_its_point_is_inconsistent)
{
    Snapshot snapshot = two_points();
    snapshot.triangles = {{0, 1, 1}};
    EXPECT_TRUE(is_consistent(snapshot));
    snapshot.triangles = {{0, 1, 2}};
    EXPECT_FALSE(is_consistent(snapshot));
}

TEST(Snapshot, a_surface_has_vertices_and_fields_of_its_own)
{
    Snapshot snapshot = two_points();
    snapshot.surface.emplace();
    snapshot.surface->vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    snapshot.surface->triangles = {{0, 1, 2}};
    snapshot.surface->fields.push_back(scalar_field<double>("speed", std::vector<double>{1, 2, 3}));
    EXPECT_TRUE(is_consistent(snapshot));

    const Snapshot surface = surface_snapshot(snapshot);
    EXPECT_EQ(surface.body, "block_surface");
    EXPECT_EQ(surface.time, 1.5);
    EXPECT_EQ(surface.points.size(), 3u);
    EXPECT_NE(surface.find("speed"), nullptr);
    EXPECT_EQ(surface.triangles->size(), 1u);
    EXPECT_TRUE(is_consistent(surface));

    snapshot.surface->triangles[0][2] = 3;
    EXPECT_FALSE(is_consistent(snapshot));
}

TEST(Snapshot, magnitudes_are_numbers_lengths_and_norms)
{
    EXPECT_EQ(magnitudes(scalar_field<double>("density", std::vector<double>{-2, 3})),
              (std::vector<double>{-2, 3}));
    EXPECT_EQ(magnitudes({"v", 3, std::vector<float>{3, 0, -4, 0, 0, 0}}), (std::vector<double>{5, 0}));
    EXPECT_DOUBLE_EQ(magnitudes({"large", 3, std::vector<double>{3e200, 4e200, 0}})[0], 5e200);
    // The same tensor, with and without its symmetric half: 4 + 1 + 2 (2²) = 13.
    EXPECT_DOUBLE_EQ(magnitudes({"stress", 6, std::vector<double>{2, 1, 0, 2, 0, 0}})[0], std::sqrt(13.0));
    EXPECT_DOUBLE_EQ(magnitudes({"stress", 9, std::vector<double>{2, 2, 0, 2, 1, 0, 0, 0, 0}})[0],
                     std::sqrt(13.0));
}

TEST(Snapshot, without_a_surface_its_mesh_is_empty)
{
    const Snapshot surface = surface_snapshot(two_points());
    EXPECT_TRUE(surface.points.empty());
    ASSERT_TRUE(surface.triangles.has_value());
    EXPECT_TRUE(surface.triangles->empty());
}

} // namespace
} // namespace phyxel::snapshot_test
