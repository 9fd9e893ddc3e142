// SPDX-License-Identifier: MIT
#include <phyxel/geometry/shape_mesh.h>
#include <phyxel/render/detail/corner_normals.h>
#include <phyxel/render/detail/twins.h>
#include <phyxel/render/ray_tracer.h>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <cmath>
#include <ctime>
#include <functional>
#include <limits>
#include <numbers>
#include <vector>

namespace phyxel::twins_test {
namespace {

using detail::find_twins;

TEST(Twins, the_first_stays_and_things_without_a_place_have_none)
{
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    const std::vector<float> numbers = {1, 2, 3, 4, 1, 2, nan, 2, nan, 2, 0.0f, 1, -0.0f, 1, 1, 2};
    EXPECT_EQ(find_twins(8, 2, numbers),
              (std::vector<bool>{false, false, true, false, false, false, true, true}));
    EXPECT_TRUE(find_twins(2, 2, std::vector<float>{1, 2, 2, 1}).empty());
    EXPECT_TRUE(find_twins(0, 3, {}).empty());
}

double processor_time_of(const RenderScene& scene)
{
    const std::clock_t start = std::clock();
    const Camera camera = framing_camera({.min = {-1, -1, -1}, .max = {1, 1, 1}}, 4.0 / 3.0);
    render_image(scene, camera, {.width = 32, .height = 24, .samples = 4});
    return double(std::clock() - start) / CLOCKS_PER_SEC;
}

constexpr int many = 60000;

DrawnMesh large_triangle()
{
    return {.mesh = {{{-1, 0, -1}, {1, 0, -1}, {0, 0, 1}}, {}}, .colors = {Color::Ones()}};
}

TEST(Twins, many_things_at_one_place_take_no_longer_than_many_elsewhere)
{
    RenderScene ordinary;
    DrawnMesh waves{.colors = {Color::Ones()}};
    constexpr Index side = 174; // 60,000 triangles
    for (Index i = 0; i < side; ++i)
        for (Index j = 0; j < side; ++j) {
            const double x = 2.0 * i / side - 1.0, y = 2.0 * j / side - 1.0;
            waves.mesh.vertices.emplace_back(x, y, 0.1 * std::sin(9.0 * x) * std::cos(9.0 * y));
            if (i == 0 || j == 0) continue;
            const Index a = i * side + j;
            waves.mesh.triangles.push_back({a, a - 1, a - side});
            waves.mesh.triangles.push_back({a - 1, a - side - 1, a - side});
        }
    ordinary.meshes = {waves};
    const double expected = processor_time_of(ordinary);

    RenderScene shared;
    shared.meshes = {large_triangle()};
    shared.meshes[0].mesh.triangles.assign(many, {0, 1, 2});

    RenderScene apart; // each with vertices of its own, and turned around now and then
    apart.meshes = {large_triangle()};
    for (Index i = 0; i < many; ++i) {
        apart.meshes[0].mesh.triangles.push_back({3 * i, 3 * i + 1 + i % 2, 3 * i + 2 - i % 2});
        if (i > 0)
            for (int k = 0; k < 3; ++k)
                apart.meshes[0].mesh.vertices.push_back(
                    apart.meshes[0].mesh.vertices[static_cast<std::size_t>(k)]);
    }
    RenderScene moving = apart;
    moving.meshes[0].motions.assign(moving.meshes[0].mesh.vertices.size(), Vec<3>(0.1, 0, 0));

    RenderScene spheres;
    spheres.spheres.push_back(
        {.centers = std::vector<Vec<3>>(many, Vec<3>::Zero()), .radii = {0.5f}, .colors = {Color::Ones()}});
    RenderScene discs;
    discs.surfels.push_back({.centers = std::vector<Vec<3>>(many, Vec<3>::Zero()),
                             .normals = std::vector<Vec<3>>(many, Vec<3>::UnitY()),
                             .radii = {0.5f},
                             .colors = {Color::Ones()}});
    RenderScene ellipses;
    ellipses.surfels.push_back(
        {.centers = std::vector<Vec<3>>(many, Vec<3>::Zero()),
         .axes = std::vector<std::array<Vec<3>, 2>>(many, {Vec<3>(0.5, 0, 0), Vec<3>(0, 0.1, 0.3)}),
         .colors = {Color::Ones()}});
    for (const auto& [name, scene] : {std::pair{"shared vertices", &shared},
                                      {"own vertices", &apart},
                                      {"moving", &moving},
                                      {"spheres", &spheres},
                                      {"discs", &discs},
                                      {"ellipses", &ellipses}})
        EXPECT_LT(processor_time_of(*scene), 4.0 * expected + 0.1)
            << name << ", ordinary " << expected << " s";
}

TEST(Twins, of_twins_the_first_is_seen_and_the_others_change_nothing)
{
    const Camera camera{.from = {0, -4, 0}, .look_at = {0, 0, 0}};
    const RenderOptions options{.width = 40, .height = 30, .samples = 4};
    for (const bool is_moving : {false, true}) {
        RenderScene one;
        one.meshes = {large_triangle()};
        one.meshes[0].mesh.triangles = {{0, 1, 2}};
        one.meshes[0].colors = {Color(1, 0, 0), Color(0, 1, 0), Color(0, 0, 1)};
        if (is_moving) one.meshes[0].motions = {{0.2, 0, 0}, {0, 0, 0.2}, {0, 0, 0}};
        RenderScene two = one;
        DrawnMesh& mesh = two.meshes[0];
        for (std::size_t k = 0; k < 3; ++k) {
            mesh.mesh.vertices.push_back(mesh.mesh.vertices[k]);
            mesh.colors.push_back(Color::Ones());
            if (is_moving) mesh.motions.push_back(mesh.motions[k]);
        }
        mesh.mesh.triangles.push_back({4, 5, 3});
        EXPECT_EQ(render_image(one, camera, options).pixels, render_image(two, camera, options).pixels);
        mesh.mesh.triangles.erase(mesh.mesh.triangles.begin());
        EXPECT_NE(render_image(one, camera, options).pixels, render_image(two, camera, options).pixels);
    }
}

TEST(CornerNormals, many_triangles_around_one_vertex_take_no_time)
{
    DrawnMesh fan{.mesh = {{Vec<3>::Zero()}, {}}};
    for (Index i = 0; i < many; ++i) {
        const double angle = 2.0 * std::numbers::pi * i / many;
        fan.mesh.vertices.emplace_back(std::cos(angle), 0.3 * std::sin(8.0 * angle), std::sin(angle));
        fan.mesh.triangles.push_back({0, i + 1, (i + 1) % many + 1});
    }
    const std::clock_t start = std::clock();
    EXPECT_EQ(detail::corner_normals(fan).size(), 3u * many);
    EXPECT_LT(double(std::clock() - start) / CLOCKS_PER_SEC, 2.0);
}

TEST(CornerNormals, around_a_crowded_vertex_they_are_nearly_those_of_its_triangles)
{
    // A flat cone with so many sides that they are taken together, and one side more that faces down.
    constexpr Index sides = 500;
    DrawnMesh cone{.mesh = {{{0, 0, 0.2}}, {}}, .smooth_angle = 1.0};
    for (Index i = 0; i < sides; ++i) {
        const double angle = 2.0 * std::numbers::pi * i / sides;
        cone.mesh.vertices.emplace_back(std::cos(angle), std::sin(angle), 0.0);
        cone.mesh.triangles.push_back({0, i + 1, (i + 1) % sides + 1});
    }
    cone.mesh.vertices.emplace_back(0, 0, -1);
    cone.mesh.triangles.push_back({0, sides + 1, 1});
    const auto normals = detail::corner_normals(cone);
    for (std::size_t t = 0; t < sides; ++t) {
        EXPECT_LT((normals[3 * t] - Vec<3, float>::UnitZ()).norm(), 0.02f) << t;
        EXPECT_GT(normals[3 * t + 1][2], 0.9f);
    }
    EXPECT_NEAR(normals[3 * sides][2], 0.0f, 1e-3f) << "across a sharp edge nothing is mixed";
}

} // namespace
} // namespace phyxel::twins_test
