// SPDX-License-Identifier: MIT
#include <phyxel/core/error.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/core/rng.h>
#include <phyxel/geometry/shape_mesh.h>
#include <phyxel/render/ray_tracer.h>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace phyxel::ray_tracer_test {
namespace {

constexpr RenderOptions small = {.width = 160, .height = 120, .samples = 4};

/// Light that leaves the numbers of a test in the image: a sky of one colour, no sun, black behind.
Lighting even_light(const Color& sky)
{
    Lighting lighting;
    lighting.horizon = lighting.zenith = lighting.below = sky;
    lighting.sun = Color::Zero();
    lighting.bounce = 0.0f;
    lighting.backdrop_low = lighting.backdrop_high = Color::Zero();
    return lighting;
}

RenderScene one_sphere(const Vec<3>& center, double radius)
{
    RenderScene scene;
    scene.spheres.push_back({.centers = {center},
                             .radii = {static_cast<float>(radius)},
                             .colors = {Color::Ones()},
                             .gloss = 0.0f});
    scene.lighting = even_light(Color::Ones());
    return scene;
}

/// Blocks of spheres, surfels, a mesh, a box and ground: everything that can be in a picture.
RenderScene everything()
{
    Rng rng(5);
    RenderScene scene;
    DrawnSpheres spheres{.radii = {0.04f}};
    for (int i = 0; i < 2000; ++i) {
        spheres.centers.push_back(rng.point<3>(0.0, 1.0));
        spheres.colors.push_back(rng.point<3>(0.0, 1.0).cast<float>());
    }
    // Twins of another colour at exactly the same places: which of them is seen must not be left to chance.
    for (int i = 0; i < 500; ++i) {
        spheres.centers.push_back(spheres.centers[static_cast<std::size_t>(i)]);
        spheres.colors.push_back(rng.point<3>(0.0, 1.0).cast<float>());
    }
    scene.spheres.push_back(spheres);
    DrawnSurfels surfels{.radii = {0.1f}, .colors = {Color(0.8f, 0.2f, 0.1f)}};
    for (int i = 0; i < 200; ++i) {
        const Vec<3> n = rng.point<3>(-1.0, 1.0).normalized();
        surfels.centers.push_back(Vec<3>(-0.6, 0.5, 0.5) + 0.4 * n);
        surfels.normals.push_back(n);
    }
    scene.surfels.push_back(surfels);
    for (const Vec<3>& n : surfels.normals) surfels.axes.push_back({0.1 * n.unitOrthogonal(), 0.02 * n});
    for (Vec<3>& x : surfels.centers) x[0] += 1.0;
    scene.surfels.push_back(surfels);
    scene.meshes.push_back({.mesh = {.vertices = {{1.2, 0, 0}, {1.8, 0, 0}, {1.2, 1, 0}, {1.2, 0, 1}},
                                     .triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}}},
                            .colors = {Color(0.3f, 0.3f, 0.3f)}});
    scene.boxes.push_back({.box = {.min = {-1, 0, 0}, .max = {1.8, 1, 1}}});
    scene.ground = Ground{};
    return scene;
}

const Camera camera_of_everything = framing_camera({.min = {-1, 0, 0}, .max = {1.8, 1, 1}}, 4.0 / 3.0);

bool is_finite(const Image& image)
{
    return std::all_of(image.pixels.begin(), image.pixels.end(),
                       [](const Color& color) { return color.allFinite() && color.minCoeff() >= 0.0f; });
}

TEST(RayTracer, a_sphere_covers_the_disc_that_geometry_says)
{
    // Seen from distance d a sphere of radius r subtends the angle asin(r/d), so on the axis its disc has
    // radius tan asin(r/d) at distance 1.
    for (const double scale : {1e-6, 1.0, 1e6}) {
        const double distance = 5.0 * scale;
        const double radius = 0.9 * scale;
        const Vec<3> center(scale * 3.0, 0.0, 0.0);
        const Camera camera{.from = center - Vec<3>(0.0, distance, 0.0), .look_at = center, .fov = 0.6};
        const Image image =
            render_image(one_sphere(center, radius), camera, {.width = 400, .height = 300, .samples = 16});
        double covered = 0.0;
        Vec<2> middle = Vec<2>::Zero();
        Box<2> box;
        for (int y = 0; y < image.height; ++y)
            for (int x = 0; x < image.width; ++x) {
                const double part = image.at(x, y)[1];
                covered += part;
                middle += part * Vec<2>(x + 0.5, y + 0.5);
                if (part > 0.5) {
                    box.extend(Vec<2>(x, y));
                    box.extend(Vec<2>(x + 1, y + 1));
                }
            }
        const double expected = 150.0 * std::tan(std::asin(radius / distance)) / std::tan(0.3);
        EXPECT_NEAR(std::sqrt(covered / std::numbers::pi), expected, 0.1);
        EXPECT_LT((middle / covered - Vec<2>(200.0, 150.0)).norm(), 0.1);
        EXPECT_NEAR(box.size()[0], 2.0 * expected, 2.0);
        EXPECT_NEAR(box.size()[1], 2.0 * expected, 2.0);
    }
}

TEST(RayTracer, discs_and_triangles_cover_what_geometry_says)
{
    const Camera camera{.from = {0, -4, 0}, .look_at = {0, 0, 0}, .fov = 2.0 * std::atan(0.25)};
    const RenderOptions options{.width = 200, .height = 200, .samples = 16};
    const auto covered = [&](const RenderScene& scene) {
        double sum = 0.0;
        for (const Color& color : render_image(scene, camera, options).pixels)
            sum += color[0] > 0.0f ? color[0] : 0.0f;
        return sum / (100.0 * 100.0); // a pixel is 0.01 wide at the distance of the origin
    };
    RenderScene discs;
    discs.lighting = even_light(Color::Ones());
    discs.surfels.push_back({.centers = {Vec<3>::Zero()},
                             .normals = {{0, -7, 0}},
                             .radii = {0.5f},
                             .colors = {Color::Ones()},
                             .gloss = 0.0f});
    EXPECT_NEAR(covered(discs), std::numbers::pi * 0.25, 0.005);
    discs.surfels[0].normals = {{std::sqrt(3.0), 1.0, 0.0}}; // turned by 60°, and seen from behind
    EXPECT_NEAR(covered(discs), 0.5 * std::numbers::pi * 0.25, 0.02);

    RenderScene ellipses;
    ellipses.lighting = discs.lighting;
    ellipses.surfels.push_back({.centers = {Vec<3>::Zero()},
                                .axes = {{Vec<3>(0.3, 0, 0.3), Vec<3>(0.1, 0, -0.1)}},
                                .colors = {Color::Ones()},
                                .gloss = 0.0f});
    EXPECT_NEAR(covered(ellipses), std::numbers::pi * 0.06, 0.003);
    ellipses.surfels[0].axes = {{Vec<3>(0.3, 0, 0), Vec<3>(0.2, 0, 0.2)}}; // any two conjugate half-axes do
    EXPECT_NEAR(covered(ellipses), std::numbers::pi * 0.06, 0.003);
    ellipses.surfels[0].motions = {Vec<3>(0.0, 1.0, 0.0)}; // towards the viewer and away
    EXPECT_NEAR(covered(ellipses), std::numbers::pi * 0.06, 0.01);

    RenderScene triangle;
    triangle.lighting = discs.lighting;
    triangle.meshes.push_back(
        {.mesh = {.vertices = {{-0.5, 0, -0.5}, {0.5, 0, -0.5}, {0, 0, 0.5}}, .triangles = {{0, 1, 2}}},
         .colors = {Color::Ones()},
         .gloss = 0.0f});
    EXPECT_NEAR(covered(triangle), 0.5, 0.005);
}

TEST(RayTracer, an_even_sky_shows_the_colour_of_chalk_as_it_is)
{
    RenderScene scene = one_sphere(Vec<3>::Zero(), 1.0);
    scene.spheres[0].colors = {Color(0.5f, 0.25f, 0.75f)};
    scene.lighting = even_light(Color(1.0f, 0.8f, 0.4f));
    const Image image = render_image(scene, {.from = {0, -3, 0}}, small);
    // E = ∫ L cos dω = πL, and a Lambertian surface throws back ρE/π = ρL, at every place of the sphere.
    for (const auto& [x, y] : {std::pair{80, 60}, std::pair{60, 50}, std::pair{100, 70}})
        EXPECT_LT((image.at(x, y) - Color(0.5f, 0.2f, 0.3f)).norm(), 1e-6f);
}

TEST(RayTracer, the_sun_follows_the_cosine_law)
{
    RenderScene scene = one_sphere(Vec<3>::Zero(), 1.0);
    scene.spheres[0].colors = {Color(0.5f, 0.25f, 0.75f)};
    scene.lighting = even_light(Color::Zero());
    scene.lighting.sun = Color(2.0f, 1.0f, 0.5f);
    scene.lighting.sun_radius = 0.0;
    for (const double angle : {0.0, 0.5, 1.2}) {
        scene.lighting.sun_direction = Vec<3>(std::sin(angle), -std::cos(angle), 0.0);
        const Image image = render_image(scene, {.from = {0, -100, 0}, .fov = 0.03},
                                         {.width = 101, .height = 101, .samples = 1});
        const Color expected = static_cast<float>(std::cos(angle)) * Color(1.0f, 0.25f, 0.375f);
        EXPECT_LT((image.at(50, 50) - expected).norm(), 0.02f) << angle;
    }
    scene.lighting.sun_direction = Vec<3>(0.0, 1.0, 0.0);
    const Image image =
        render_image(scene, {.from = {0, -100, 0}, .fov = 0.03}, {.width = 101, .height = 101, .samples = 1});
    EXPECT_EQ(image.at(50, 50), Color(Color::Zero())) << "the far side is dark";
}

TEST(RayTracer, shadows_are_dark_and_the_sun_disc_makes_their_edge_soft)
{
    RenderScene scene = one_sphere({0.0, 0.0, 2.0}, 0.5);
    scene.lighting = even_light(Color::Zero());
    scene.lighting.sun = Color::Ones();
    scene.lighting.sun_direction = Vec<3>(0.0, 0.0, 1.0);
    scene.ground = Ground{.color = Color::Ones()};
    const Camera camera{.from = {0, -3, 1.0}, .look_at = {0, 0, 0}, .fov = 1.0};
    const CameraView view(camera, 100, 100);
    const auto light_at = [&](double x, double sun_radius) {
        scene.lighting.sun_radius = sun_radius;
        const Image image = render_image(scene, camera, {.width = 100, .height = 100, .samples = 64});
        const Vec<2> pixel = view.project({x, 0.0, 0.0}).pixel;
        return image.at(static_cast<int>(pixel[0]), static_cast<int>(pixel[1]))[0];
    };
    EXPECT_EQ(light_at(0.0, 0.0), 0.0f);
    EXPECT_EQ(light_at(0.4, 0.0), 0.0f);
    EXPECT_NEAR(light_at(0.6, 0.0), 1.0f, 1e-5f);
    // The penumbra is 2 · 2 m · tan 0.1 = 0.4 m wide around the edge at 0.5 m.
    EXPECT_EQ(light_at(0.0, 0.1), 0.0f);
    const float inner = light_at(0.4, 0.1);
    const float outer = light_at(0.6, 0.1);
    EXPECT_GT(inner, 0.02f);
    EXPECT_LT(inner, outer);
    EXPECT_LT(outer, 0.98f);
}

TEST(RayTracer, places_that_see_little_of_the_sky_are_darker)
{
    RenderScene scene = one_sphere({0.0, 0.0, 0.5}, 0.5);
    scene.ground = Ground{.color = Color::Ones()};
    const Camera camera{.from = {0, -3, 1.0}, .look_at = {0, 0, 0}, .fov = 1.0};
    const CameraView view(camera, 100, 100);
    const Image image = render_image(scene, camera, {.width = 100, .height = 100, .samples = 256});
    const auto light_at = [&](double x) {
        const Vec<2> pixel = view.project({x, 0.0, 0.0}).pixel;
        return image.at(static_cast<int>(pixel[0]), static_cast<int>(pixel[1]))[0];
    };
    // A sphere of radius r seen at the angle θ from the normal at distance d hides (r/d)² cos θ of the sky.
    for (const double x : {0.6, 0.8, 1.0}) {
        const double d2 = x * x + 0.25;
        EXPECT_NEAR(light_at(x), 1.0 - 0.25 / d2 * 0.5 / std::sqrt(d2), 0.05) << x;
    }
}

TEST(RayTracer, smooth_meshes_have_no_facets_and_sharp_edges_stay_sharp)
{
    // A coarse cylinder around z: its normals should turn with the angle and not from facet to facet.
    DrawnMesh cylinder{.colors = {Color::Ones()}, .smooth_angle = 1.0, .gloss = 0.0f};
    constexpr int sides = 12;
    for (int k = 0; k < sides; ++k) {
        const double angle = 2.0 * std::numbers::pi * k / sides;
        for (const double z : {-1.0, 1.0})
            cylinder.mesh.vertices.emplace_back(std::cos(angle), std::sin(angle), z);
        const auto at = [](int i) { return static_cast<Index>(i % (2 * sides)); };
        cylinder.mesh.triangles.push_back({at(2 * k), at(2 * k + 2), at(2 * k + 3)});
        cylinder.mesh.triangles.push_back({at(2 * k), at(2 * k + 3), at(2 * k + 1)});
    }
    RenderScene scene;
    scene.lighting = even_light(Color::Zero());
    scene.lighting.sun = Color::Ones();
    scene.lighting.sun_radius = 0.0;
    scene.lighting.sun_direction = Vec<3>(-1.0, -1.0, 0.0);
    scene.meshes = {cylinder};
    const Camera camera{.from = {0, -8, 0}, .look_at = {0, 0, 0}, .fov = 0.3};
    const auto largest_step = [&](const RenderScene& drawn) {
        const Image image = render_image(drawn, camera, {.width = 300, .height = 100, .samples = 4});
        float step = 0.0f;
        for (int x = 120; x < 160; ++x)
            step = std::max(step, std::abs(image.at(x, 50)[0] - image.at(x - 1, 50)[0]));
        return step;
    };
    EXPECT_LT(largest_step(scene), 0.03f);
    scene.meshes[0].smooth_angle = 0.0;
    EXPECT_GT(largest_step(scene), 0.1f);
    scene.meshes[0].smooth_angle = 0.3; // facets meet at 0.52
    EXPECT_GT(largest_step(scene), 0.1f);
}

TEST(RayTracer, discs_that_overlap_look_like_one_smooth_surface)
{
    // Light from the left on a ball of discs: its brightness should follow the cosine of the ball's normals,
    // not that of each disc.
    DrawnSurfels ball{.radii = {0.15f}, .colors = {Color::Ones()}, .gloss = 0.0f};
    constexpr int count = 1000;
    for (int i = 0; i < count; ++i) {
        const double z = 1.0 - (2.0 * i + 1.0) / count, angle = std::numbers::pi * (3.0 - std::sqrt(5.0)) * i;
        const double r = std::sqrt(1.0 - z * z);
        ball.centers.emplace_back(r * std::cos(angle), r * std::sin(angle), z);
    }
    ball.normals = ball.centers;
    RenderScene discs;
    discs.lighting = even_light(Color::Zero());
    discs.lighting.sun = Color::Ones();
    discs.lighting.sun_radius = 0.0;
    discs.lighting.sun_direction = Vec<3>(-1.0, -1.0, 0.3);
    RenderScene ellipses = discs;
    discs.surfels = {ball};
    ball.radii = {};
    for (const Vec<3>& n : ball.normals) {
        const Vec<3> u = 0.15 * n.unitOrthogonal();
        ball.axes.push_back({u, n.cross(u)});
    }
    ellipses.surfels = {ball};
    RenderScene sphere = one_sphere(Vec<3>::Zero(), 1.0);
    sphere.lighting = discs.lighting;
    const Camera camera{.from = {0, -8, 0}, .look_at = {0, 0, 0}, .fov = 0.3};
    const auto row = [&](const RenderScene& scene) {
        const Image image = render_image(scene, camera, {.width = 120, .height = 100, .samples = 4});
        std::vector<float> values;
        for (int x = 30; x < 75; ++x) values.push_back(image.at(x, 50)[0]);
        return values;
    };
    const std::vector<float> exact = row(sphere);
    for (const RenderScene* scene : {&discs, &ellipses}) {
        const std::vector<float> values = row(*scene);
        for (std::size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(values[i], exact[i], 0.04f) << i;
    }
}

TEST(RayTracer, the_image_is_the_same_for_any_number_of_threads)
{
    const RenderScene scene = everything();
    const auto traced = [&](int threads) {
        const ThreadLimit limit(threads);
        return render_image(scene, camera_of_everything, small);
    };
    const Image one = traced(1);
    EXPECT_TRUE(is_finite(one));
    for (const int threads : {2, 7})
        for (int repeat = 0; repeat < 3; ++repeat) EXPECT_EQ(traced(threads).pixels, one.pixels) << threads;
}

TEST(RayTracer, which_of_two_things_at_the_same_place_is_seen_is_no_matter_of_chance)
{
    // Enough of them that a tree would be built by several threads.
    RenderScene scene;
    DrawnSpheres spheres{.radii = {0.02f}};
    Rng rng(3);
    for (int i = 0; i < 30000; ++i) {
        const Vec<3> x(rng.uniform(), rng.uniform(), rng.uniform());
        for (const Color& color : {Color(0.9f, 0.1f, 0.1f), Color(0.1f, 0.1f, 0.9f)}) {
            spheres.centers.push_back(x);
            spheres.colors.push_back(color);
        }
    }
    scene.spheres.push_back(std::move(spheres));
    const Camera camera{.from = {0.5, -3, 0.5}, .look_at = {0.5, 0.5, 0.5}};
    const auto traced = [&](int threads) {
        const ThreadLimit limit(threads);
        return render_image(scene, camera, {.width = 160, .height = 120, .samples = 1});
    };
    const Image one = traced(1);
    for (const int threads : {2, 7})
        for (int repeat = 0; repeat < 3; ++repeat) EXPECT_EQ(traced(threads).pixels, one.pixels) << threads;
}

TEST(RayTracer, degenerate_scenes_have_no_pixels_that_are_not_numbers)
{
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const auto draw = [](const std::vector<Vec<3>>& centers, float radius) {
        Box<3> bounds;
        RenderScene scene;
        scene.spheres.push_back(
            {.centers = centers, .radii = {radius}, .colors = {Color::Constant(0.5f)}, .gloss = 1.0f});
        scene.surfels.push_back({.centers = centers,
                                 .normals = std::vector<Vec<3>>(centers.size(), Vec<3>::Zero()),
                                 .radii = {radius},
                                 .colors = {Color::Constant(0.5f)}});
        DrawnMesh mesh{.mesh = {.vertices = centers, .triangles = {}}, .colors = {Color::Constant(0.5f)}};
        for (Index i = 0; i + 2 < centers.size(); ++i) mesh.mesh.triangles.push_back({i, i + 1, i + 2});
        scene.meshes.push_back(mesh);
        for (const Vec<3>& x : centers)
            if (x.allFinite()) bounds.extend(x);
        if (!bounds.is_empty()) scene.ground = Ground{.point = bounds.min};
        scene.boxes.push_back({.box = bounds});
        const Camera camera = framing_camera(bounds, 4.0 / 3.0);
        scene.lighting = lighting_for(camera);
        return render_image(scene, camera, small);
    };
    std::vector<Vec<3>> cloud;
    Rng rng(9);
    for (int i = 0; i < 300; ++i) cloud.push_back(rng.point<3>(0.0, 1.0));
    const auto scaled = [&](double scale) {
        std::vector<Vec<3>> points = cloud;
        for (Vec<3>& x : points) x *= scale;
        return points;
    };
    EXPECT_TRUE(is_finite(draw({}, 0.1f))) << "nothing";
    EXPECT_TRUE(is_finite(draw({{1, 2, 3}}, 0.1f))) << "one";
    EXPECT_TRUE(is_finite(draw({{1, 2, 3}}, 0.0f))) << "a point";
    EXPECT_TRUE(is_finite(draw(std::vector<Vec<3>>(1000, Vec<3>(1, 2, 3)), 0.1f))) << "all at one place";
    EXPECT_TRUE(is_finite(draw(scaled(1e6), 2e4f))) << "enormous";
    EXPECT_TRUE(is_finite(draw(scaled(1e-6), 2e-8f))) << "tiny";
    EXPECT_TRUE(is_finite(draw(scaled(1e150), 1e30f))) << "beyond single precision";
    EXPECT_TRUE(is_finite(draw(scaled(1.0), 1e9f))) << "the camera is inside";
    EXPECT_TRUE(is_finite(draw({{nan, 0, 0}, {0, infinity, 0}, {0, 0, 0}, {1, 1, 1}}, 0.2f)))
        << "not numbers";
}

TEST(RayTracer, scale_and_place_do_not_change_the_picture)
{
    const auto draw = [](double scale, const Vec<3>& place) {
        RenderScene scene = everything();
        scene.surfels.clear();
        for (Vec<3>& x : scene.spheres[0].centers) x = scale * x + place;
        scene.spheres[0].radii[0] *= static_cast<float>(scale);
        for (Vec<3>& x : scene.meshes[0].mesh.vertices) x = scale * x + place;
        scene.boxes.clear();
        scene.ground->point = place;
        const Box<3> box{.min = scale * Vec<3>(-1, 0, 0) + place, .max = scale * Vec<3>(1.8, 1, 1) + place};
        return render_image(scene, framing_camera(box, 4.0 / 3.0), small);
    };
    const Image image = draw(1.0, Vec<3>::Zero());
    for (const auto& [scale, place] :
         {std::pair{1048576.0, Vec<3>(0, 0, 0)}, std::pair{1.0 / 1048576.0, Vec<3>(0, 0, 0)},
          std::pair{1.0, Vec<3>(1e6, -2e6, 3e5)}}) {
        const Image other = draw(scale, place);
        std::size_t different = 0;
        for (std::size_t i = 0; i < image.pixels.size(); ++i)
            if ((image.pixels[i] - other.pixels[i]).cwiseAbs().maxCoeff() > 0.02f) ++different;
        EXPECT_LT(different, image.pixels.size() / 100) << scale;
    }
}

TEST(RayTracer, a_sphere_takes_at_most_200_bytes)
{
    constexpr std::size_t count = 100000;
    Rng rng(1);
    RenderScene scene;
    DrawnSpheres spheres{.radii = {0.01f}};
    for (std::size_t i = 0; i < count; ++i) {
        spheres.centers.push_back(rng.point<3>(0.0, 1.0));
        spheres.colors.push_back(Color::Ones());
    }
    scene.spheres.push_back(std::move(spheres));
    const RayTracer tracer(scene, framing_camera({.min = {0, 0, 0}, .max = {1, 1, 1}}, 1.0), small);
    const std::size_t given = sizeof(Vec<3>) + sizeof(Color);
    EXPECT_LE(given + tracer.peak_memory() / count, 200u);
}

TEST(RayTracer, what_does_not_fit_together_is_refused)
{
    RenderScene scene = one_sphere(Vec<3>::Zero(), 1.0);
    EXPECT_THROW(render_image(scene, {}, {.width = 0}), InputError);
    EXPECT_THROW(render_image(scene, {}, {.samples = 0}), InputError);
    scene.spheres[0].colors.clear();
    EXPECT_THROW(render_image(scene, {}, small), InputError);
    scene = one_sphere(Vec<3>::Zero(), -1.0);
    EXPECT_THROW(render_image(scene, {}, small), InputError);
    scene = {};
    scene.meshes.push_back(
        {.mesh = {.vertices = {Vec<3>::Zero()}, .triangles = {{0, 0, 1}}}, .colors = {Color::Ones()}});
    EXPECT_THROW(render_image(scene, {}, small), InputError);
}

TEST(RayTracer, lines_are_seen_and_cast_no_shadow)
{
    RenderScene scene;
    scene.lighting = even_light(Color::Ones());
    scene.ground = Ground{.color = Color::Ones()};
    const Camera camera{.from = {0, -3, 2.0}, .look_at = {0, 0, 0}, .fov = 1.0};
    const Image without = render_image(scene, camera, small);
    scene.boxes.push_back(
        {.box = {.min = {-0.5, -0.5, 0.1}, .max = {0.5, 0.5, 0.8}}, .color = Color::Zero()});
    const Image with = render_image(scene, camera, small);
    std::size_t changed = 0;
    for (std::size_t i = 0; i < with.pixels.size(); ++i)
        changed += with.pixels[i] != without.pixels[i] ? 1u : 0u;
    EXPECT_GT(changed, 200u);
    EXPECT_LT(changed, with.pixels.size() / 5);
}

TEST(RayTracer, one_looks_into_what_shows_only_its_far_side)
{
    // A red ball in a green box under a sun.
    RenderScene scene;
    scene.spheres.push_back(
        {.centers = {{0, 0, 0}}, .radii = {0.5f}, .colors = {Color(1, 0, 0)}, .gloss = 0.0f});
    scene.lighting = even_light(Color::Ones());
    scene.lighting.sun = Color::Ones();
    scene.meshes.push_back(
        {.mesh = shape_mesh(Shape<3>(Box<3>{Vec<3>::Constant(-1.0), Vec<3>::Constant(1.0)})),
         .colors = {Color(0, 1, 0)},
         .gloss = 0.0f});
    const Camera camera{.from = {0, -6, 0}, .look_at = {0, 0, 0}, .fov = 0.6};
    const auto at = [&](const Image& image, int x, int y) {
        return image.pixels[static_cast<std::size_t>(y * small.width + x)];
    };
    const Image closed = render_image(scene, camera, small);
    EXPECT_EQ(at(closed, 80, 60)[0], 0.0f);
    EXPECT_GT(at(closed, 80, 60)[1], 0.5f);

    scene.meshes[0].only_far_side = true;
    const Image open = render_image(scene, camera, small);
    EXPECT_EQ(at(open, 80, 60)[1], 0.0f);
    EXPECT_GT(at(open, 80, 60)[0], 1.0f); // lit by sky and sun
    // The far wall is seen beside the ball, and smaller than the near one was.
    EXPECT_GT(at(open, 56, 60)[1], 0.5f);
    const auto green = [](const Image& image) {
        return std::count_if(image.pixels.begin(), image.pixels.end(),
                             [](const Color& pixel) { return pixel[1] > 0.0f; });
    };
    EXPECT_LT(green(open), green(closed));
}

} // namespace
} // namespace phyxel::ray_tracer_test
