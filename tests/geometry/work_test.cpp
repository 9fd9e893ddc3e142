// SPDX-License-Identifier: MIT
// What bad shapes may take: one far coordinate, triangles that lie across each other.
#include "meshes.h"

#include <phyxel/core/work_budget.h>
#include <phyxel/geometry/sampling.h>
#include <phyxel/geometry/shape_mesh.h>

#include <gtest/gtest.h>

#include <numbers>

namespace phyxel::work_test {
namespace {

using std::numbers::pi;

/// Triangles as large as all of it, at random.
TriangleMesh soup(int count)
{
    Rng rng(5);
    TriangleMesh mesh;
    for (int i = 0; i < 3 * count; ++i) mesh.vertices.push_back(rng.point<3>(-1.0, 1.0));
    for (Index t = 0; t < static_cast<Index>(count); ++t)
        mesh.triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
    return mesh;
}

/// A sphere whose triangles above z = 0.9 are missing.
TriangleMesh open_sphere()
{
    TriangleMesh mesh = sphere_mesh(4);
    std::erase_if(mesh.triangles, [&](const auto& t) {
        return std::all_of(t.begin(), t.end(), [&](Index v) { return mesh.vertices[v][2] > 0.9; });
    });
    return mesh;
}

TEST(WorkOnShapes, estimating_a_lattice_takes_no_longer_for_a_far_coordinate)
{
    // 3.8e10 points of which 3e7 are near the surface; counting them took minutes.
    const Shape<3> capsule = Capsule<3>{{0, 0, 0}, {0, 0, 1e6}, 0.11};
    const double spacing = 0.01;
    const double volume = pi * 0.11 * 0.11 * (1e6 + 4.0 / 3.0 * 0.11);
    constexpr double questions = 3e5, question_work = 5.0;
    EXPECT_NEAR(estimate_lattice(capsule, spacing, WorkBudget(questions * question_work)) *
                    std::pow(spacing, 3) / volume,
                1.0, 0.02);
}

TEST(WorkOnShapes, an_estimated_lattice_is_exact_where_there_are_few_sites)
{
    const Shape<3> ball = Sphere<3>{{0, 0, 0}, 1.0};
    EXPECT_EQ(estimate_lattice(ball, 0.2), static_cast<double>(count_lattice(ball, 0.2)));
}

TEST(WorkOnShapes, counting_and_filling_stop_at_the_limit)
{
    const Shape<3> ball = Sphere<3>{{0, 0, 0}, 1.0};
    EXPECT_THROW(count_lattice(ball, 0.01, WorkBudget(1000.0)), WorkLimitReached);
    EXPECT_THROW(fill_lattice(ball, 0.01, WorkBudget(1000.0)), WorkLimitReached);
    EXPECT_THROW(fill_poisson_disk(ball, 0.05, {}, WorkBudget(1000.0)), WorkLimitReached);
    EXPECT_THROW(shape_mesh(ball, 64, WorkBudget(1000.0)), WorkLimitReached);
}

TEST(WorkOnShapes, whoever_asks_for_it_stops_a_filling)
{
    std::stop_source source;
    source.request_stop();
    const WorkBudget work(source.get_token());
    const Shape<3> ball = Sphere<3>{{0, 0, 0}, 1.0};
    EXPECT_THROW(fill_lattice(ball, 0.1, work), WorkStopped);
    EXPECT_THROW(fill_jittered(ball, 0.1, {}, work), WorkStopped);
    EXPECT_THROW(fill_poisson_disk(ball, 0.1, {}, work), WorkStopped);
    EXPECT_THROW(spacing_for_count<3>(std::span<const Shape<3>>(&ball, 1), 100, work), WorkStopped);
    EXPECT_THROW(shape_mesh(ball, 32, work), WorkStopped);
}

TEST(WorkOnShapes, a_query_of_a_good_mesh_grows_slowly_and_of_a_soup_with_all_triangles)
{
    const double coarse = MeshSolid(sphere_mesh(2)).query_work();
    const double fine = MeshSolid(sphere_mesh(5)).query_work();
    EXPECT_LT(fine, 4.0 * coarse) << "of 64 times the triangles";
    EXPECT_LT(fine, 2000.0);
    EXPECT_GT(MeshSolid(soup(3000)).query_work(), 3000.0);
}

TEST(WorkOnShapes, the_volume_of_a_soup_takes_bounded_work)
{
    const Shape<3> shape = MeshSolid(soup(3000));
    const VolumeEstimate volume = shape.volume(WorkBudget(4e7)); // 2.6e9 with the usual number of places
    EXPECT_GT(volume.value, 0.0);
    EXPECT_LT(volume.value, shape.bounds().volume());
}

TEST(WorkOnShapes, a_hole_leaves_most_balls_decided_and_rightly_so)
{
    const MeshSolid solid(open_sphere());
    ASSERT_FALSE(solid.is_watertight());
    Rng rng(3);
    int decided = 0;
    constexpr int trials = 500;
    for (int trial = 0; trial < trials; ++trial) {
        const Vec<3> center = rng.point<3>(-1.1, 1.1);
        const double radius = rng.uniform(0.01, 0.2);
        const std::optional<bool> all = solid.ball_inside(center, radius);
        if (!all) continue;
        ++decided;
        for (int i = 0; i < 20; ++i) {
            Vec<3> offset = rng.point<3>(-1.0, 1.0);
            offset *= rng.uniform() * radius / offset.norm();
            EXPECT_EQ(solid.inside(center + offset), *all) << center.transpose() << ", " << radius;
        }
    }
    EXPECT_GT(decided, trials / 2);
}

TEST(WorkOnShapes, an_open_mesh_is_filled_by_its_surface_and_not_site_by_site)
{
    const Shape<3> shape = MeshSolid(open_sphere());
    const double spacing = 0.02; // a million sites within the bounds
    const double sites = 1e6 * shape.query_work();
    EXPECT_NEAR(static_cast<double>(fill_lattice(shape, spacing, WorkBudget(0.3 * sites)).size()) *
                    std::pow(spacing, 3),
                4.0 / 3.0 * pi, 0.05 * 4.0);
}

TEST(WorkOnShapes, the_surface_of_a_shape_is_found_without_asking_everywhere)
{
    const Shape<3> ball = Sphere<3>{{0, 0, 0}, 1.0};
    const double at_vertices = 60.0 * static_cast<double>(shape_mesh(ball, 96).vertices.size());
    const TriangleMesh mesh = shape_mesh(ball, 96, WorkBudget(at_vertices + 4e5)); // of 10⁶ nodes
    EXPECT_NEAR(signed_volume(mesh), 4.0 / 3.0 * pi, 0.02);
}

} // namespace
} // namespace phyxel::work_test
