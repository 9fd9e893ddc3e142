// SPDX-License-Identifier: MIT
#include "surface_support.h"

#include <phyxel/core/error.h>
#include <phyxel/surface/coat_mesh.h>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace phyxel::coat_mesh_test {
namespace {

constexpr CoatMeshOptions options{.spacing = 1.0, .radius = 0.3};

/// Phyxels of a ball of radius 5, but for those within `hollow`.
std::vector<Vec<3>> ball(double hollow = 0.0)
{
    std::vector<Vec<3>> phyxels;
    for (int k = -5; k < 5; ++k)
        for (int j = -5; j < 5; ++j)
            for (int i = -5; i < 5; ++i)
                if (const Vec<3> x(i + 0.5, j + 0.5, k + 0.5); x.norm() <= 5.0 && x.norm() >= hollow)
                    phyxels.push_back(x);
    return phyxels;
}

/// Surfels all over a sphere.
std::vector<Vec<3>> sphere(double radius)
{
    std::vector<Vec<3>> points;
    constexpr int count = 4000;
    for (int i = 0; i < count; ++i) {
        const double z = (2.0 * i + 1.0) / count - 1.0, angle = i * std::numbers::pi * (3.0 - std::sqrt(5.0));
        const double wide = std::sqrt(1.0 - z * z);
        points.push_back(radius * Vec<3>(wide * std::cos(angle), wide * std::sin(angle), z));
    }
    return points;
}

TEST(CoatMesh, is_closed_and_holds_the_volume_of_the_phyxels)
{
    const std::vector<Vec<3>> phyxels = ball();
    const ParticleSurface surface = coat_mesh(phyxels, {}, {}, {}, options);
    expect_closed_manifold(surface.mesh);
    EXPECT_EQ(euler_characteristic(surface.mesh), 2);
    EXPECT_NEAR(signed_volume(surface.mesh) / static_cast<double>(phyxels.size()), 1.0, 0.02);
}

TEST(CoatMesh, lies_on_the_surfels_where_there_are_some)
{
    const std::vector<Vec<3>> surfels = sphere(5.1);
    const std::vector<Vec<3>> phyxels = ball(), velocities(phyxels.size(), Vec<3>(1, 2, 3));
    const ParticleSurface surface = coat_mesh(phyxels, velocities, surfels, surfels, options);
    expect_closed_manifold(surface.mesh);
    EXPECT_GT(surface.mesh.vertices.size(), 1000u);
    for (std::size_t v = 0; v < surface.mesh.vertices.size(); ++v) {
        ASSERT_NEAR(surface.mesh.vertices[v].norm(), 5.1, 0.005);
        ASSERT_GT(surface.normals[v].cast<double>().dot(surface.mesh.vertices[v].normalized()), 0.99);
        ASSERT_LT((surface.velocities[v] - Vec<3, float>(1, 2, 3)).norm(), 1e-5f);
    }
}

TEST(CoatMesh, gaps_inside_are_filled_and_hollows_are_not)
{
    EXPECT_EQ(euler_characteristic(coat_mesh(ball(1.0), {}, {}, {}, options).mesh), 2);
    EXPECT_EQ(euler_characteristic(coat_mesh(ball(3.0), {}, {}, {}, options).mesh), 4);
}

TEST(CoatMesh, what_makes_no_mesh_is_refused)
{
    const std::vector<Vec<3>> phyxels = ball(), one = {Vec<3>::Zero()};
    EXPECT_THROW(coat_mesh(phyxels, one, {}, {}, options), InputError);
    EXPECT_THROW(coat_mesh(phyxels, {}, one, {}, options), InputError);
    EXPECT_THROW(coat_mesh(phyxels, {}, std::vector<Vec<3>>{{std::nan(""), 0, 0}}, one, options), InputError);
    EXPECT_THROW(coat_mesh(phyxels, {}, {}, {}, {.spacing = 0.0, .radius = 1.0}), InputError);
    EXPECT_THROW(coat_mesh(phyxels, {}, {}, {}, {.spacing = 1.0, .radius = 1.0, .cell = 1e-9}), InputError);
    EXPECT_TRUE(coat_mesh({}, {}, {}, {}, options).mesh.vertices.empty());
}

} // namespace
} // namespace phyxel::coat_mesh_test
