// SPDX-License-Identifier: MIT
// What a shutter, a lens and a liquid do to a picture, against their formulas.
#include <phyxel/core/error.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/render/ray_tracer.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

namespace phyxel::camera_effects_test {
namespace {

/// A sky of one colour, no sun, and `behind` where nothing is.
Lighting even_light(const Color& sky, const Color& behind)
{
    Lighting lighting;
    lighting.horizon = lighting.zenith = lighting.below = sky;
    lighting.sun = Color::Zero();
    lighting.bounce = 0.0f;
    lighting.backdrop_low = lighting.backdrop_high = behind;
    return lighting;
}

/// White on black.
RenderScene one_sphere(const Vec<3>& center, double radius)
{
    RenderScene scene;
    scene.spheres.push_back({.centers = {center},
                             .radii = {static_cast<float>(radius)},
                             .colors = {Color::Ones()},
                             .gloss = 0.0f});
    scene.lighting = even_light(Color::Ones(), Color::Zero());
    return scene;
}

/// A box of which the sides are along x, y, z before it is turned about z.
TriangleMesh turned_box(const Vec<3>& half, double angle)
{
    TriangleMesh mesh;
    for (int i = 0; i < 8; ++i) {
        const Vec<3> x(i & 1 ? half[0] : -half[0], i & 2 ? half[1] : -half[1], i & 4 ? half[2] : -half[2]);
        mesh.vertices.emplace_back(std::cos(angle) * x[0] - std::sin(angle) * x[1],
                                   std::sin(angle) * x[0] + std::cos(angle) * x[1], x[2]);
    }
    mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                      {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    return mesh;
}

TriangleMesh ball_mesh(int sides)
{
    TriangleMesh mesh;
    const int rows = sides / 2;
    for (int j = 0; j <= rows; ++j)
        for (int i = 0; i < sides; ++i) {
            const double t = std::numbers::pi * j / rows;
            const double p = 2.0 * std::numbers::pi * i / sides;
            mesh.vertices.emplace_back(std::sin(t) * std::cos(p), std::sin(t) * std::sin(p), std::cos(t));
        }
    const auto at = [&](int j, int i) { return static_cast<Index>(j * sides + i % sides); };
    for (int j = 0; j < rows; ++j)
        for (int i = 0; i < sides; ++i) {
            if (j > 0) mesh.triangles.push_back({at(j, i), at(j + 1, i), at(j, i + 1)});
            if (j + 1 < rows) mesh.triangles.push_back({at(j, i + 1), at(j + 1, i), at(j + 1, i + 1)});
        }
    return mesh;
}

TEST(MotionBlur, a_thing_is_seen_for_as_long_as_it_covers_a_pixel)
{
    // A sphere of radius r that moves by m along the picture covers the middle of its way for 2 r / m of the
    // time.
    RenderScene scene = one_sphere(Vec<3>::Zero(), 0.2);
    scene.spheres[0].motions = {Vec<3>(1.6, 0.0, 0.0)};
    Camera camera{.from = {0, -10, 0}, .look_at = {0, 0, 0}, .fov = 0.2};
    camera.is_parallel = true;
    const Image image = render_image(scene, camera, {.width = 120, .height = 100, .samples = 256});
    const CameraView view(camera, 120, 100);
    const auto value = [&](double x) {
        const Vec<2> pixel = view.project({x, 0, 0}).pixel;
        return image.at(static_cast<int>(pixel[0]), static_cast<int>(pixel[1]))[1];
    };
    for (const double x : {-0.5, 0.0, 0.31, 0.55}) EXPECT_NEAR(value(x), 2.0 * 0.2 / 1.6, 0.02) << x;
    EXPECT_NEAR(value(0.8), 0.125, 0.03) << "at its end, where it has half of its width";
    EXPECT_EQ(value(1.05), 0.0f);
    scene.spheres[0].motions.clear();
    EXPECT_EQ(render_image(scene, camera, {.width = 120, .height = 100, .samples = 4}).at(65, 50)[1], 1.0f);
}

TEST(MotionBlur, discs_and_meshes_move_as_spheres_do)
{
    const Camera camera{.from = {0, -10, 0}, .look_at = {0, 0, 0}, .fov = 0.3};
    const RenderOptions options{.width = 80, .height = 60, .samples = 64};
    RenderScene discs;
    discs.surfels.push_back({.centers = {Vec<3>::Zero()},
                             .normals = {Vec<3>(0, -1, 0)},
                             .radii = {0.3f},
                             .colors = {Color::Ones()},
                             .gloss = 0.0f,
                             .motions = {Vec<3>(0, 0, 1.2)}});
    RenderScene mesh;
    mesh.meshes.push_back({.mesh = turned_box({0.3, 0.3, 0.3}, 0.0),
                           .colors = {Color::Ones()},
                           .gloss = 0.0f,
                           .motions = std::vector<Vec<3>>(8, Vec<3>(0, 0, 1.2))});
    for (RenderScene* scene : {&discs, &mesh}) {
        scene->lighting = even_light(Color::Ones(), Color::Zero());
        const Image image = render_image(*scene, camera, options);
        EXPECT_NEAR(image.at(40, 30)[1], 0.5f, 0.04f) << "0.6 of 1.2";
        EXPECT_NEAR(image.at(40, 24)[1], 0.5f, 0.04f);
    }
    EXPECT_THROW(
        {
            discs.surfels[0].motions.emplace_back(0, 0, 0);
            render_image(discs, camera, options);
        },
        InputError);
}

TEST(DepthOfField, what_is_out_of_focus_is_as_wide_as_its_circle_of_confusion)
{
    // From the focus f to the distance d a lens of width a spreads a point over a |d − f| / f.
    const double distance = 8.0;
    const double radius = 0.05;
    const RenderScene scene = one_sphere({0, distance, 0}, radius);
    Camera camera{.from = {0, 0, 0}, .look_at = {0, distance, 0}, .fov = 0.3};
    const RenderOptions options{.width = 160, .height = 120, .samples = 256};
    const CameraView view(camera, 160, 120);
    const auto width_and_light = [&](double aperture, double focus) {
        camera.aperture = aperture;
        camera.focus = focus;
        const Image image = render_image(scene, camera, options);
        int first = 160;
        int last = 0;
        double sum = 0.0;
        for (int y = 0; y < 120; ++y)
            for (int x = 0; x < 160; ++x) {
                sum += image.at(x, y)[1];
                if (image.at(x, y)[1] > 0.0f) first = std::min(first, x), last = std::max(last, x);
            }
        return std::pair((last - first + 1) * view.pixel_size(distance), sum);
    };
    const double pixel = view.pixel_size(distance);
    const auto [sharp, light] = width_and_light(0.0, 0.0);
    EXPECT_NEAR(sharp, 2.0 * radius, 2.0 * pixel);
    EXPECT_NEAR(width_and_light(0.3, 0.0).first, sharp, 2.1 * pixel) << "look_at is sharp if nothing is said";
    for (const double focus : {4.0, 16.0}) {
        const auto [width, spread] = width_and_light(0.3, focus);
        EXPECT_NEAR(width, 2.0 * radius + 0.3 * std::abs(distance - focus) / focus, 2.5 * pixel) << focus;
        EXPECT_NEAR(spread, light, 0.03 * light) << "no light is lost";
    }
    camera.aperture = -1.0;
    EXPECT_THROW(check_camera(camera), InputError);
}

TEST(Liquid, light_is_neither_made_nor_lost_where_nothing_is_absorbed)
{
    // Under a sky of one colour a clear ball cannot be seen.
    RenderScene scene;
    scene.meshes.push_back({.mesh = ball_mesh(64), .liquid = Liquid{.refractive_index = 1.5f}});
    scene.lighting = even_light(Color::Constant(0.7f), Color::Constant(0.7f));
    const Camera camera{.from = {0, -5, 1}, .look_at = {0, 0, 0}, .fov = 0.5};
    const Image image = render_image(scene, camera, {.width = 80, .height = 60, .samples = 4});
    for (const Color& color : image.pixels) ASSERT_NEAR(color[1], 0.7f, 1e-4f);
}

TEST(Liquid, a_slab_absorbs_by_the_law_of_beer_and_lambert)
{
    RenderScene scene;
    scene.meshes.push_back({.mesh = turned_box({2, 0.25, 2}, 0.0),
                            .smooth_angle = 0.0,
                            .liquid = Liquid{.absorption = {3.0f, 1.0f, 0.0f}}});
    scene.lighting = even_light(Color::Ones(), Color::Ones());
    Camera camera{.from = {0, -6, 0}, .look_at = {0, 0, 0}, .fov = 0.1};
    camera.is_parallel = true;
    const Image image = render_image(scene, camera, {.width = 20, .height = 20, .samples = 1});
    const Color& color = image.at(10, 10);
    EXPECT_NEAR(color[0], std::exp(-1.5), 1e-3);
    EXPECT_NEAR(color[1], std::exp(-0.5), 1e-3);
    EXPECT_NEAR(color[2], 1.0, 1e-3);
}

TEST(Liquid, a_tilted_slab_shifts_what_is_behind_it_as_snell_says)
{
    // Rays at the angle a to the normal of a slab of thickness t leave it parallel, shifted by
    // t sin(a − b) / cos b with sin b = sin a / n.
    const double angle = 0.7;
    const double thickness = 0.6;
    RenderScene scene;
    scene.meshes.push_back({.mesh = turned_box({4, 0.5 * thickness, 4}, angle),
                            .smooth_angle = 0.0,
                            .liquid = Liquid{.refractive_index = 1.4f}});
    // An edge at x = 0 behind it.
    scene.meshes.push_back({.mesh = {.vertices = {{0, 6, -4}, {9, 6, -4}, {9, 6, 4}, {0, 6, 4}},
                                     .triangles = {{0, 1, 2}, {0, 2, 3}}},
                            .colors = {Color::Ones()},
                            .gloss = 0.0f});
    scene.lighting = even_light(Color::Ones(), Color::Zero());
    Camera camera{.from = {0, -10, 0}, .look_at = {0, 0, 0}, .fov = 0.2};
    camera.is_parallel = true;
    const Image image = render_image(scene, camera, {.width = 300, .height = 300, .samples = 4});
    int edge = 0;
    while (edge < 299 && image.at(edge, 150)[1] < 0.5f * image.at(299, 150)[1]) ++edge;
    const CameraView view(camera, 300, 300);
    const double b = std::asin(std::sin(angle) / 1.4);
    const double shift = thickness * std::sin(angle - b) / std::cos(b);
    EXPECT_NEAR(std::abs(edge - 150.0) * view.pixel_size(10.0), shift, 1.5 * view.pixel_size(10.0));
}

TEST(Liquid, pictures_are_the_same_for_any_number_of_threads_and_need_no_colours)
{
    RenderScene scene;
    scene.meshes.push_back({.mesh = ball_mesh(40), .liquid = Liquid{.absorption = {1.0f, 0.3f, 0.2f}}});
    scene.spheres.push_back(
        {.centers = {{0.3, 2.0, 0.2}}, .radii = {0.5f}, .colors = {Color(0.8f, 0.2f, 0.1f)}});
    scene.ground = Ground{.point = {0, 0, -1.01}};
    const Camera camera{.from = {-2, -5, 2}, .look_at = {0, 0, 0}};
    const auto traced = [&](int threads) {
        const ThreadLimit limit(threads);
        return render_image(scene, camera, {.width = 100, .height = 80, .samples = 2});
    };
    const Image one = traced(1);
    for (const Color& color : one.pixels) ASSERT_TRUE(color.allFinite() && color.minCoeff() >= 0.0f);
    EXPECT_EQ(traced(2).pixels, one.pixels);
    EXPECT_EQ(traced(7).pixels, one.pixels);
    scene.meshes[0].liquid->refractive_index = 0.5f;
    EXPECT_THROW(traced(1), InputError);
}

} // namespace
} // namespace phyxel::camera_effects_test
