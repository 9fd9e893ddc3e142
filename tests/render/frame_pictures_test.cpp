// SPDX-License-Identifier: MIT
#include <phyxel/core/error.h>
#include <phyxel/io/frames.h>
#include <phyxel/io/mesh_file.h>
#include <phyxel/render/frame_pictures.h>

#include "io/io_support.h"
#include "picture_files.h"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <numbers>
#include <string>
#include <vector>

namespace phyxel::frame_pictures_test {
namespace {

namespace fs = std::filesystem;

PictureLook quick() { return {.render = {.width = 96, .height = 72, .samples = 4}, .draw_legend = false}; }

/// Number of pixels that differ by more than a shade.
int difference(const Picture& a, const Picture& b)
{
    int count = 0;
    for (std::size_t i = 0; i < a.bytes.size(); i += 3)
        count += std::abs(int(a.bytes[i]) - int(b.bytes[i])) +
                     std::abs(int(a.bytes[i + 1]) - int(b.bytes[i + 1])) >
                 12;
    return count;
}

Snapshot square_mesh(double z)
{
    Snapshot mesh;
    mesh.points = {{0, 0, z}, {1, 0, z}, {1, 1, z}, {0, 1, z}};
    mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
    return mesh;
}

TEST(DrawFiles, several_files_are_in_one_picture_and_each_has_its_colour)
{
    const TemporaryFolder folder;
    write_snapshot(folder / "low.ply", square_mesh(0.0));
    write_snapshot(folder / "high.obj", square_mesh(0.6));
    PictureLook look = quick();
    // Alone, the lower one is seen from where both are seen.
    look.camera = {.from = Vec<3>(-2, -4, 2.5), .look_at = Vec<3>(0.5, 0.5, 0.3)};
    const Picture both = draw_files({folder / "low.ply", folder / "high.obj"}, look);
    const Picture one = draw_files({folder / "low.ply"}, look);
    EXPECT_GT(difference(both, one), 300);
}

TEST(DrawFiles, points_with_normals_are_discs_of_their_own_radius)
{
    const TemporaryFolder folder;
    Snapshot cloud;
    cloud.points = {{0, 0, 0.5}, {1, 0, 0.5}};
    cloud.fields = {{"normal", 3, std::vector<float>{0, -1, 0, 0, -1, 0}},
                    {"radius", 1, std::vector<float>{0.4f, 0.1f}}};
    write_snapshot(folder / "surfels.ply", cloud);
    PictureLook look = quick();
    look.render = {.width = 200, .height = 150, .samples = 1};
    look.camera = {.from = Vec<3>(0.5, -4, 0.5), .look_at = Vec<3>(0.5, 0, 0.5)};
    const Picture picture = draw_files({folder / "surfels.ply"}, look);
    // Seen from the front, discs cover π r² of the picture; ground and background are grey, they are blue.
    const CameraView view({.from = *look.camera.from, .look_at = *look.camera.look_at}, 200, 150);
    int left = 0;
    int right = 0;
    for (int y = 0; y < 150; ++y)
        for (int x = 0; x < 200; ++x)
            if (picture.at(x, y)[2] > picture.at(x, y)[0] + 60)
                ++(x < view.project({0.65, 0, 0.5}).pixel[0] ? left : right);
    const double area = view.pixel_size(4.0) * view.pixel_size(4.0);
    EXPECT_NEAR(left * area, std::numbers::pi * 0.16, 0.01);
    EXPECT_NEAR(right * area, std::numbers::pi * 0.01, 0.003);
}

TEST(DrawFiles, what_is_flat_is_seen_from_the_front_and_velocity_is_the_colour_where_there_is_one)
{
    const TemporaryFolder folder;
    Snapshot plane;
    plane.body = "water";
    std::vector<Vec<3>> velocity;
    for (int i = 0; i < 100; ++i) {
        plane.points.emplace_back(0.1 * (i % 10), 0.1 * (i / 10), 0.0);
        velocity.emplace_back(0.1 * i, 0.0, 0.0);
    }
    write_snapshot(folder / "still.ply", plane);
    plane.fields.push_back(vector_field<3, double>("velocity", velocity));
    write_snapshot(folder / "moving.ply", plane);
    EXPECT_GT(
        difference(draw_files({folder / "still.ply"}, quick()), draw_files({folder / "moving.ply"}, quick())),
        1000);
    const FramePictures flat("flat", {{"water", 0, folder / "moving.ply"}}, {.dimension = 2}, quick());
    EXPECT_EQ(flat.color(), "velocity");
    EXPECT_TRUE(flat.camera().is_parallel);
}

TEST(FramePictures, a_camera_may_be_given_in_part)
{
    const TemporaryFolder folder;
    write_snapshot(folder / "m.ply", square_mesh(0.5));
    const std::vector<FrameFile> files = {{"m", 0, folder / "m.ply"}};
    const auto camera = [&](const CameraChoice& choice) {
        PictureLook look = quick();
        look.camera = choice;
        return FramePictures("m", files, {}, look).camera();
    };
    const Camera own = camera({});
    EXPECT_EQ(camera({.from = Vec<3>(0, -9, 0)}).from, Vec<3>(0, -9, 0));
    EXPECT_LT((camera({.from = Vec<3>(0, -9, 0)}).look_at - Vec<3>(0.5, 0.5, 0.5)).norm(), 1e-12);
    const Camera moved = camera({.look_at = Vec<3>(7, 7, 7)});
    EXPECT_EQ(moved.look_at, Vec<3>(7, 7, 7));
    EXPECT_LT(((moved.from - moved.look_at) - (own.from - own.look_at)).norm(), 1e-12);
    const Camera wide = camera({.fov = 1.5});
    EXPECT_EQ(wide.fov, 1.5);
    EXPECT_LT((wide.from - wide.look_at).norm(), (own.from - own.look_at).norm())
        << "nearer, and sees the same";
    EXPECT_THROW(camera({.from = Vec<3>(1, 1, 1), .look_at = Vec<3>(1, 1, 1)}), InputError);
}

/// A ball of particles at a height, in a frame.
void write_ball(const fs::path& path, const Vec<3>& center, double radius, double time)
{
    Snapshot snapshot;
    snapshot.body = "ball";
    snapshot.time = time;
    for (int i = 0; i < 200; ++i) {
        const double z = 1.0 - (2.0 * i + 1.0) / 200.0, angle = 2.4 * i;
        const double r = std::sqrt(1.0 - z * z);
        snapshot.points.emplace_back(center + radius * Vec<3>(r * std::cos(angle), r * std::sin(angle), z));
    }
    snapshot.fields.push_back({"velocity", 3, std::vector<float>(600, 1.0f)});
    write_snapshot(path, snapshot);
}

/// What the particles of all frames reach of a picture, from 0 to 1 along both axes.
Box<2> part_of_picture(const FramePictures& pictures, const std::vector<FrameFile>& files, int width,
                       int height, double angle = 0.0)
{
    const CameraView view(orbited(pictures.camera(), angle), width, height);
    Box<2> part;
    for (const FrameFile& file : files)
        for (const Vec<3>& x : read_snapshot(file.path).snapshot.points) {
            const Vec<2> pixel = view.project(x).pixel;
            part.extend(Vec<2>(pixel[0] / width, pixel[1] / height));
        }
    return part;
}

TEST(FramePictures, the_camera_frames_what_moves_and_not_the_domain)
{
    const TemporaryFolder folder;
    std::vector<FrameFile> files;
    for (std::uint64_t frame = 0; frame < 3; ++frame) {
        files.push_back({"ball", frame, folder / ("ball_" + std::to_string(frame) + ".ply")});
        write_ball(files.back().path, Vec<3>(5.0, 5.0, 0.7 - 0.2 * double(frame)), 0.1, 0.1 * double(frame));
    }
    PictureLook look{.render = {.width = 640, .height = 360, .samples = 1}};
    for (const double size : {1.0, 10.0, 1000.0}) {
        SCOPED_TRACE(size);
        const Box<3> domain{.min = {5.0 - 0.5 * size, 5.0 - 0.5 * size, 0.0},
                            .max = {5.0 + 0.5 * size, 5.0 + 0.5 * size, size}};
        for (const int dimension : {2, 3}) {
            const FramePictures pictures("r", files, {.dimension = dimension, .domain = domain}, look);
            if (dimension == 2) continue;
            const Box<2> part = part_of_picture(pictures, files, 640, 360);
            EXPECT_GE(part.min.minCoeff(), 0.04);
            EXPECT_LE(part.max[0], 0.96);
            EXPECT_LE(part.max[1], 0.78) << "a colour bar is below";
            EXPECT_GT(part.size()[1], 0.35) << "it is large";
        }
    }
    // From every side, while the camera turns.
    look.camera.orbit = 30.0;
    const FramePictures turning("r", files, {}, look);
    for (double time = 0.0; time <= 0.2; time += 0.01) {
        const Box<2> part = part_of_picture(turning, files, 640, 360, 30.0 * time);
        EXPECT_GE(part.min.minCoeff(), 0.03) << time;
        EXPECT_LE(part.max.maxCoeff(), 0.97) << time;
    }
}

TEST(FramePictures, the_ground_is_the_floor_of_the_domain)
{
    const TemporaryFolder folder;
    const std::vector<FrameFile> files = {{"ball", 0, folder / "ball.ply"}};
    // It has sunk into the floor by half.
    write_ball(files[0].path, Vec<3>::Zero(), 0.5, 0.0);
    const Box<3> domain{.min = {-1, -1, 0}, .max = {1, 1, 1}};
    const auto floor_of = [&](const RunSurroundings& surroundings) {
        const std::string settings = FramePictures("r", files, surroundings, quick()).settings();
        return std::stod(settings.substr(settings.find("floor ") + 6));
    };
    EXPECT_EQ(floor_of({.domain = domain, .particle_radius = 0.02}), 0.0);
    EXPECT_NEAR(floor_of({.particle_radius = 0.02}), -0.52, 0.01)
        << "without a domain it is under everything";

    // What is below the floor is not seen.
    PictureLook look = quick();
    look.color = "body";
    look.draw_domain = false;
    look.camera = {.from = Vec<3>(0, -4, 1.5), .look_at = Vec<3>(0, 0, 0)};
    const auto blue_below = [&](const RunSurroundings& surroundings) {
        const Picture picture = FramePictures("r", files, surroundings, look).draw(0);
        const CameraView view({.from = *look.camera.from, .look_at = *look.camera.look_at}, 96, 72);
        const int y = static_cast<int>(view.project({0.0, -0.35, -0.35}).pixel[1]);
        int count = 0;
        for (int x = 0; x < 96; ++x) count += picture.at(x, y)[2] > picture.at(x, y)[0] + 50;
        return count;
    };
    EXPECT_EQ(blue_below({.domain = domain, .particle_radius = 0.05}), 0);
    EXPECT_GT(blue_below({.particle_radius = 0.05}), 5);
}

TEST(FramePictures, legends_stand_beside_the_bodies_however_many_there_are)
{
    const TemporaryFolder folder;
    for (const int count : {1, 3, 12, 90}) {
        SCOPED_TRACE(count);
        std::vector<FrameFile> files;
        for (int i = 0; i < count; ++i) {
            files.push_back({"body_" + std::to_string(i), 0, folder / ("b" + std::to_string(i) + ".ply")});
            if (!fs::exists(files.back().path))
                write_ball(files.back().path, Vec<3>(0.1 * i, 0, 0), 0.5, 0.0);
        }
        std::vector<LegendEntry> entries;
        for (const FrameFile& file : files) entries.push_back({Color::Zero(), file.body});
        if (count == 1) entries.clear();
        for (const int height : {180, 360, 720})
            for (const bool is_by_body : {true, false}) {
                const int width = 2 * height;
                const FramePictures pictures("r", files, {},
                                             {.render = {.width = width, .height = height},
                                              .color = is_by_body ? "body" : "velocity"});
                const double lowest = height * part_of_picture(pictures, files, width, height).max[1];
                const double needed =
                    is_by_body ? entries_height(width, height, entries) : bar_height(width, height);
                EXPECT_GT(needed, 0.0);
                EXPECT_LE(lowest, height - needed) << height;
            }
    }
}

TEST(FramePictures, with_a_camera_of_ones_own_the_legend_stands_where_no_body_is)
{
    const TemporaryFolder folder;
    const std::vector<FrameFile> files = {{"ball", 0, folder / "ball.ply"}};
    write_ball(files[0].path, Vec<3>::Zero(), 0.5, 0.0);
    const auto is_above = [&](double look_at, const std::string& color) {
        PictureLook look{.render = {.width = 320, .height = 180, .samples = 1}, .color = color};
        look.camera = {.from = Vec<3>(0, -4, look_at), .look_at = Vec<3>(0, 0, look_at)};
        const FramePictures pictures("r", files, {.particle_radius = 0.02}, look);
        EXPECT_EQ(pictures.camera().look_at, Vec<3>(0, 0, look_at)) << "the camera stays where it was put";
        const Picture with = pictures.draw(0);
        look.draw_legend = false;
        const Picture without = FramePictures("r", files, {.particle_radius = 0.02}, look).draw(0);
        const auto differs = [&](int first_row) {
            return !std::equal(with.at(0, first_row), with.at(0, first_row) + 3 * 320 * 60,
                               without.at(0, first_row));
        };
        EXPECT_NE(differs(0), differs(120));
        return differs(0);
    };
    for (const std::string color : {"velocity", "body"}) {
        EXPECT_FALSE(is_above(0.0, color));
        EXPECT_FALSE(is_above(-0.6, color)) << "at the upper edge";
    }
    EXPECT_TRUE(is_above(1.1, "velocity")) << "at the lower edge";
    EXPECT_FALSE(is_above(0.5, "body")) << "between, and only the time is written";
}

TEST(FramePictures, a_skin_without_triangles_is_seen_and_an_empty_surface_hides_nothing)
{
    const TemporaryFolder folder;
    write_ball(folder / "ball.ply", Vec<3>::Zero(), 0.5, 0.0);
    Snapshot skin = read_snapshot(folder / "ball.ply").snapshot;
    skin.triangles.emplace();
    std::vector<Vec<3>> u, v;
    for (const Vec<3>& x : skin.points) {
        u.emplace_back(0.12 * x.normalized().unitOrthogonal());
        v.emplace_back(x.normalized().cross(u.back()));
    }
    skin.fields = {vector_field<3, double>("axis_u", u), vector_field<3, double>("axis_v", v)};
    write_snapshot(folder / "skin.ply", skin);
    Snapshot nothing;
    nothing.triangles.emplace();
    write_snapshot(folder / "nothing.ply", nothing);

    PictureLook look = quick();
    look.color = "body";
    look.camera = {.from = Vec<3>(0, -3, 0.5), .look_at = Vec<3>::Zero()};
    const auto blue = [&](const std::vector<FrameFile>& files) {
        const Picture picture = FramePictures("r", files, {.particle_radius = 0.04}, look).draw(0);
        int count = 0;
        for (std::size_t i = 0; i < picture.bytes.size(); i += 3)
            count += picture.bytes[i + 2] > picture.bytes[i] + 50;
        return count;
    };
    const int particles = blue({{"ball", 0, folder / "ball.ply"}});
    EXPECT_GT(particles, 100);
    EXPECT_GT(blue({{"ball", 0, folder / "ball.ply"}, {"ball_surface", 0, folder / "skin.ply"}}), particles);
    EXPECT_EQ(blue({{"ball", 0, folder / "ball.ply"}, {"ball_surface", 0, folder / "nothing.ply"}}),
              particles);
}

TEST(FramePictures, a_liquid_has_no_legend_of_a_field_that_is_not_seen)
{
    const TemporaryFolder folder;
    Snapshot mesh = square_mesh(0.0);
    mesh.fields.push_back({"velocity", 3, std::vector<float>(12, 1.0f)});
    write_snapshot(folder / "mesh.ply", mesh);
    PictureLook look{.render = {.width = 320, .height = 240, .samples = 1}, .color = "velocity"};
    const auto draw = [&](bool liquid, const std::string& color) {
        look.liquid = liquid;
        look.color = color;
        return FramePictures("r", {{"mesh", 0, folder / "mesh.ply"}}, {}, look).draw(0);
    };
    EXPECT_EQ(difference(draw(true, "velocity"), draw(true, "body")), 0);
    EXPECT_GT(difference(draw(false, "velocity"), draw(false, "body")), 100) << "the bar, and the colour";
}

TEST(FramePictures, the_dark_style_is_dark_and_its_letters_are_light)
{
    const TemporaryFolder folder;
    Snapshot mesh = square_mesh(0.5);
    mesh.fields = {{"density", 1, std::vector<float>{1, 2, 3, 4}}};
    write_snapshot(folder / "m.ply", mesh);
    PictureLook look{.render = {.width = 640, .height = 360, .samples = 1}, .color = "density"};
    const auto extreme_green = [&](int x0, int y0, int x1, int y1, const Picture& picture, bool highest) {
        int result = highest ? 0 : 255;
        for (int y = y0; y < y1; ++y)
            for (int x = x0; x < x1; ++x)
                result = highest ? std::max(result, int(picture.at(x, y)[1]))
                                 : std::min(result, int(picture.at(x, y)[1]));
        return result;
    };
    const Picture light = draw_files({folder / "m.ply"}, look);
    look.style = PictureStyle::Dark;
    const Picture dark = draw_files({folder / "m.ply"}, look);
    EXPECT_GT(extreme_green(0, 0, 100, 40, light, false), 150) << "the backdrop";
    EXPECT_LT(extreme_green(0, 0, 100, 40, dark, true), 70);
    // Where the name of the field stands.
    EXPECT_LT(extreme_green(25, 285, 100, 300, light, false), 90);
    EXPECT_GT(extreme_green(25, 285, 100, 300, dark, true), 180);
}

TEST(FramePictures, files_that_cannot_be_read_are_named)
{
    EXPECT_EQ(error_of([] { draw_files({"absent.ply"}); }), "absent.ply: cannot read: it does not exist");
    EXPECT_EQ(error_of([] { draw_files({"picture.gif"}); }),
              "picture.gif: files of the kind \".gif\" cannot be read; allowed: .ply, .obj, .stl, .off, "
              ".xyz, .vtp");
    EXPECT_EQ(error_of([] { draw_files({}); }), "there are no files to draw");
}

} // namespace
} // namespace phyxel::frame_pictures_test
