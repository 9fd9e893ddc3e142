// SPDX-License-Identifier: MIT
#include "meshes.h"

#include <phyxel/core/error.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/geometry/tangent_cells.h>

#include <gtest/gtest.h>

#include <numeric>

namespace phyxel::tangent_cells_test {
namespace {

/// A square grid in the plane at the given height, facing up or down.
PointCloud plane_cloud(int count, double spacing, double height, double up)
{
    PointCloud cloud;
    for (int i = 0; i < count; ++i) {
        for (int j = 0; j < count; ++j) {
            cloud.positions.emplace_back(i * spacing, j * spacing, height);
            cloud.normals.emplace_back(0, 0, up);
        }
    }
    return cloud;
}

TEST(TangentCells, cells_of_a_grid_are_its_squares)
{
    const TangentCells cells = tangent_cells(plane_cloud(9, 0.5, 2.0, 3.0));
    EXPECT_NEAR(cells.area[40], 0.25, 1e-15);
    double area = 0.0;
    for (const auto& [a, b, c] : cells.mesh.triangles) {
        const Vec<3>& x = cells.mesh.vertices[a];
        EXPECT_DOUBLE_EQ(x[2], 2.0);
        const Vec<3> u = cells.mesh.vertices[b] - x;
        const Vec<3> v = cells.mesh.vertices[c] - x;
        EXPECT_GE(u[0] * v[1] - u[1] * v[0], 0);
        area += 0.5 * (u[0] * v[1] - u[1] * v[0]);
    }
    EXPECT_NEAR(area, std::accumulate(cells.area.begin(), cells.area.end(), 0.0), 1e-12);
}

TEST(TangentCells, cells_of_a_sphere_have_its_area)
{
    const auto excess = [](std::size_t count) {
        const TangentCells cells = tangent_cells(sphere_cloud(count));
        return std::accumulate(cells.area.begin(), cells.area.end(), 0.0) / (4 * std::numbers::pi) - 1;
    };
    // Plane pieces differ from curved ones by the square of their size.
    EXPECT_NEAR(excess(500), 0.0, 0.01);
    EXPECT_NEAR(excess(500) / excess(2000), 4.0, 1.0);
}

TEST(TangentCells, other_side_of_a_thin_sheet_does_not_cut)
{
    PointCloud sheet = plane_cloud(9, 1.0, 0.0, 1.0);
    const PointCloud below = plane_cloud(9, 1.0, -0.01, -1.0);
    sheet.positions.insert(sheet.positions.end(), below.positions.begin(), below.positions.end());
    for (Vec<3>& x : sheet.positions)
        if (x[2] < 0) x[0] += 0.3;
    sheet.normals.insert(sheet.normals.end(), below.normals.begin(), below.normals.end());
    EXPECT_NEAR(tangent_cells(sheet).area[40], 1.0, 1e-12);
}

TEST(TangentCells, of_points_in_one_place_the_first_has_the_cell)
{
    PointCloud cloud = plane_cloud(9, 1.0, 0.0, 1.0);
    for (int k = 0; k < 2; ++k) {
        cloud.positions.push_back(cloud.positions[40]);
        cloud.normals.push_back(cloud.normals[40]);
    }
    const TangentCells cells = tangent_cells(cloud);
    EXPECT_NEAR(cells.area[40], 1.0, 1e-12);
    EXPECT_EQ(cells.area[81], 0.0);
    EXPECT_EQ(cells.area[82], 0.0);
}

TEST(TangentCells, do_not_depend_on_the_number_of_threads)
{
    const PointCloud cloud = sphere_cloud(1000);
    const auto areas = [&](int threads) {
        const ThreadLimit limit(threads);
        return tangent_cells(cloud).area;
    };
    EXPECT_EQ(areas(1), areas(3));
}

TEST(TangentCells, refuses_clouds_without_proper_normals)
{
    const auto message_of = [](const PointCloud& cloud) -> std::string {
        try {
            tangent_cells(cloud);
        } catch (const InputError& error) {
            return error.what();
        }
        return "";
    };
    PointCloud cloud = sphere_cloud(10);
    cloud.normals.clear();
    EXPECT_EQ(message_of(cloud), "point cloud has no normals; without faces a surface needs them");
    cloud = sphere_cloud(10);
    cloud.normals.pop_back();
    EXPECT_EQ(message_of(cloud), "point cloud has 10 points and 9 normals, must be as many");
    cloud = sphere_cloud(10);
    cloud.normals[3].setZero();
    EXPECT_EQ(message_of(cloud), "normal 3 is zero, must have a direction");
    cloud = sphere_cloud(10);
    cloud.positions[4][0] = NAN;
    EXPECT_NE(message_of(cloud).find("point 4 is (nan, "), std::string::npos);
}

} // namespace
} // namespace phyxel::tangent_cells_test
