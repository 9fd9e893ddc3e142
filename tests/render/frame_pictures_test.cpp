// SPDX-License-Identifier: MIT
#include <phyxel/core/error.h>
#include <phyxel/io/frames.h>
#include <phyxel/render/frame_pictures.h>

#include "io/io_support.h"
#include "picture_files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <numbers>
#include <string>
#include <vector>

namespace phyxel {
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
              "picture.gif: files of the kind \".gif\" cannot be read; allowed: .ply, .obj, .stl, .vtp");
    EXPECT_EQ(error_of([] { draw_files({}); }), "there are no files to draw");
}

} // namespace
} // namespace phyxel
