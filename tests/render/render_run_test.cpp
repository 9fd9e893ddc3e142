// SPDX-License-Identifier: MIT
#include <phyxel/core/error.h>
#include <phyxel/io/frames.h>
#include <phyxel/render/render_run.h>

#include "io/io_support.h"
#include "picture_files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace phyxel::render_run_test {
namespace {

namespace fs = std::filesystem;

/// A block of 4³ particles that falls and turns, three frames.
void write_run(const fs::path& run, std::uint64_t frame_count = 3)
{
    create_folder(run / "frames");
    for (std::uint64_t frame = 0; frame < frame_count; ++frame) {
        Snapshot snapshot;
        snapshot.body = "water";
        snapshot.time = 0.1 * static_cast<double>(frame);
        std::vector<double> speed;
        std::vector<Vec<3>> velocity;
        for (int i = 0; i < 64; ++i) {
            snapshot.points.emplace_back(0.1 * (i % 4), 0.1 * (i / 4 % 4),
                                         0.1 * (i / 16) + 1.0 - 0.3 * double(frame));
            velocity.emplace_back(0.0, 0.0, -3.0 * double(frame) - 0.01 * i);
            speed.push_back(300.0 + i);
        }
        snapshot.fields.push_back(vector_field<3, double>("velocity", velocity));
        snapshot.fields.push_back(scalar_field<double>("temperature", speed));
        write_snapshot(frame_path(run, "water", frame), snapshot);
    }
}

RunPictureOptions quick()
{
    return {.look = {.render = {.width = 64, .height = 48, .samples = 1}, .color = "body"}};
}

TEST(RenderRun, every_frame_becomes_a_picture_named_after_the_field)
{
    const TemporaryFolder run;
    write_run(run.path());
    RunPictureOptions options = quick();
    EXPECT_EQ(render_run(run.path(), {}, options), 3u);
    options.look.color = "velocity";
    options.extension = ".jpg";
    options.first_frame = 1;
    EXPECT_EQ(render_run(run.path(), {}, options), 2u);
    EXPECT_EQ(names_in(run / "pictures"),
              (std::vector<std::string>{"body.txt", "body_000000.png", "body_000001.png", "body_000002.png",
                                        "velocity.txt", "velocity_000001.jpg", "velocity_000002.jpg"}));
    EXPECT_EQ(read_png(run / "pictures/body_000001.png").width, 64);
    EXPECT_EQ(read_jpeg(run / "pictures/velocity_000002.jpg").height, 48);
}

TEST(RenderRun, it_goes_on_where_it_stopped_and_the_picture_is_the_same)
{
    const TemporaryFolder run;
    write_run(run.path());
    RunPictureOptions options = quick();
    options.look.color = "velocity";
    render_run(run.path(), {}, options);
    const fs::path second = run / "pictures/velocity_000001.png";
    const std::string before = text_of(second);
    fs::remove(second);
    std::vector<std::uint64_t> made;
    render_run(run.path(), {}, options, [&](std::uint64_t frame) { made.push_back(frame); });
    EXPECT_EQ(made, std::vector<std::uint64_t>{1});
    EXPECT_EQ(text_of(second), before);
    options.redo = true;
    EXPECT_EQ(render_run(run.path(), {}, options), 3u);
}

TEST(RenderRun, pictures_made_with_other_options_are_not_taken_for_finished)
{
    const TemporaryFolder run;
    write_run(run.path());
    RunPictureOptions options = quick();
    render_run(run.path(), {}, options);
    const std::string before = text_of(run / "pictures/body_000002.png");
    options.look.render.samples = 2;
    try {
        render_run(run.path(), {}, options);
        FAIL() << "pictures were replaced";
    } catch (const OtherPicturesError& error) {
        EXPECT_EQ(std::string(error.what()),
                  (run / "pictures").string() +
                      ": holds 3 pictures named body made with other options, which body.txt lists");
    }
    EXPECT_EQ(text_of(run / "pictures/body_000002.png"), before);
    options.redo = true;
    EXPECT_EQ(render_run(run.path(), {}, options), 3u);
    options.redo = false;
    EXPECT_EQ(render_run(run.path(), {}, options), 0u);
    options.look.render.samples = 3;
    options.last_frame = 0;
    options.redo = true;
    EXPECT_EQ(render_run(run.path(), {}, options), 1u);
    options.redo = false;
    options.last_frame = 2;
    EXPECT_EQ(render_run(run.path(), {}, options), 2u) << "those of before are not mixed with these";
}

TEST(RenderRun, camera_and_range_are_those_of_the_whole_run_whatever_frames_are_asked_for)
{
    const TemporaryFolder run;
    write_run(run.path());
    RunPictureOptions options = quick();
    options.look.color = "velocity";
    const RunPictures all(run.path(), {}, options);
    options.first_frame = options.last_frame = 0;
    const RunPictures first(run.path(), {}, options);
    EXPECT_EQ(first.frames(), std::vector<std::uint64_t>{0});
    EXPECT_EQ(all.camera().from, first.camera().from);
    EXPECT_EQ(all.range().min, 0.0) << "magnitudes begin at 0";
    EXPECT_GE(all.range().max, 6.6);
    EXPECT_LE(all.range().max, 8.0);
    EXPECT_EQ(first.range().max, all.range().max);
    const CameraView view(all.camera(), 64, 48);
    for (const Vec<3>& x : {Vec<3>(0, 0, 0.4), Vec<3>(0.3, 0.3, 1.3)}) {
        const Vec<2> pixel = view.project(x).pixel;
        EXPECT_TRUE((Box<2>{.min = {0, 0}, .max = {64, 48}}).contains(pixel)) << pixel.transpose();
    }
    options.look.range = ValueRange{1.0, 2.0};
    EXPECT_EQ(RunPictures(run.path(), {}, options).range().max, 2.0);
}

TEST(RenderRun, a_surface_is_drawn_instead_of_its_particles_and_obstacles_are_added)
{
    const TemporaryFolder run;
    write_run(run.path(), 1);
    const Picture particles = RunPictures(run.path(), {}, quick()).draw(0);
    Snapshot surface;
    surface.body = "water_surface";
    surface.points = {{0, 0, 1}, {0.3, 0, 1}, {0, 0.3, 1.3}};
    surface.triangles = {{0, 1, 2}};
    write_snapshot(frame_path(run.path(), "water_surface", 0), surface);
    const Picture with_surface = RunPictures(run.path(), {.particle_radius = 0.05}, quick()).draw(0);
    EXPECT_NE(with_surface.bytes, particles.bytes);
    RunSurroundings surroundings{.domain = Box<3>{.min = {0, 0, 0}, .max = {1, 1, 2}}};
    surroundings.obstacles = [](double) {
        return std::vector<TriangleMesh>{
            {.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, .triangles = {{0, 1, 2}}}};
    };
    EXPECT_NE(RunPictures(run.path(), surroundings, quick()).draw(0).bytes, with_surface.bytes);
}

TEST(RenderRun, bodies_without_particles_and_runs_in_the_plane_are_drawn)
{
    const TemporaryFolder run;
    create_folder(run / "frames");
    Snapshot empty;
    empty.body = "nothing";
    write_snapshot(frame_path(run.path(), "nothing", 0), empty);
    EXPECT_EQ(render_run(run.path(), {}, quick()), 1u);
    RunPictureOptions redone = quick();
    redone.redo = true;
    EXPECT_EQ(render_run(run.path(), {.dimension = 2, .domain = Box<3>{.min = {0, 0, 0}, .max = {1, 1, 0}}},
                         redone),
              1u);
    const RunPictures flat(run.path(), {.dimension = 2, .domain = Box<3>{.min = {0, 0, 0}, .max = {1, 1, 0}}},
                           quick());
    EXPECT_TRUE(flat.camera().is_parallel);
    EXPECT_EQ(flat.camera().up, Vec<3>(0, 1, 0));
}

TEST(RenderRun, a_run_made_anew_is_drawn_anew)
{
    const TemporaryFolder run;
    write_run(run.path());
    EXPECT_EQ(render_run(run.path(), {}, quick()), 3u);
    const fs::path picture = run / "pictures/body_000001.png";
    fs::last_write_time(frame_path(run.path(), "water", 1),
                        fs::last_write_time(picture) + std::chrono::seconds(1));
    EXPECT_EQ(render_run(run.path(), {}, quick()), 1u);
}

TEST(RenderRun, pictures_of_others_are_not_replaced)
{
    const TemporaryFolder run;
    write_run(run.path());
    RunPictureOptions options = quick();
    options.folder = run / "album";
    create_folder(options.folder);
    write_file(options.folder / "body_000001.png", "a photograph");
    EXPECT_EQ(error_of([&] { render_run(run.path(), {}, options); }),
              (options.folder / "body_000001.png").string() +
                  ": is there and not a picture that Phyxel made; it stays as it is");
    EXPECT_EQ(text_of(options.folder / "body_000001.png"), "a photograph");
}

TEST(RenderRun, what_a_killed_render_left_behind_goes)
{
    const TemporaryFolder run;
    write_run(run.path(), 1);
    create_folder(run / "pictures");
    write_file(run / "pictures/.phyxel-999999999-0.partial", "half a picture");
    render_run(run.path(), {}, quick());
    EXPECT_EQ(names_in(run / "pictures"), (std::vector<std::string>{"body.txt", "body_000000.png"}));
}

TEST(RenderRun, frames_for_paraview_give_the_same_picture)
{
    const TemporaryFolder ply;
    const TemporaryFolder vtk;
    write_run(ply.path(), 1);
    create_folder(vtk / "frames");
    static_cast<void>(
        convert_file(frame_path(ply.path(), "water", 0), frame_path(vtk.path(), "water", 0, ".vtp")));
    EXPECT_EQ(RunPictures(ply.path(), {}, quick()).draw(0).bytes,
              RunPictures(vtk.path(), {}, quick()).draw(0).bytes);
}

TEST(RenderRun, two_runs_beside_each_other_have_the_same_camera_and_range)
{
    const TemporaryFolder first;
    const TemporaryFolder second;
    write_run(first.path(), 2);
    write_run(second.path(), 3); // falls deeper and faster
    RunPictureOptions options = quick();
    options.look.color = "velocity";
    options.look.draw_legend = false;
    const RunPictures alone(second.path(), {}, options);
    options.compare = ComparedRun{second.path()};
    RunPictures both(first.path(), {}, options);
    EXPECT_EQ(both.frames(), (std::vector<std::uint64_t>{0, 1})) << "frames that both have";
    EXPECT_GE(both.range().max, alone.range().max);
    const Picture picture = both.draw(0);
    EXPECT_EQ(picture.width, 64);
    EXPECT_EQ(picture.height, 48);
    // In their first frames the two are the same.
    int equal = 0;
    for (int y = 0; y < 48; ++y)
        for (int x = 1; x < 31; ++x)
            equal += std::equal(picture.at(x, y), picture.at(x, y) + 3, picture.at(x + 32, y));
    EXPECT_EQ(equal, 48 * 30);
    both.make(1);
    EXPECT_TRUE(fs::exists(first / "pictures/velocity_compared_000001.png"));
    EXPECT_TRUE(both.is_done(1));
    options.compare->run = second / "absent";
    EXPECT_EQ(error_of([&] { RunPictures(first.path(), {}, options); }),
              (second / "absent").string() + ": no such run");
}

TEST(RenderRun, a_body_at_rest_has_a_range_that_begins_at_zero)
{
    const TemporaryFolder run;
    create_folder(run / "frames");
    Snapshot snapshot;
    snapshot.points = {{0, 0, 0}, {0.1, 0, 0}};
    snapshot.fields = {{"velocity", 3, std::vector<float>(6, 0.0f)},
                       {"density", 1, std::vector<float>(2, 1000.0f)}};
    write_snapshot(frame_path(run.path(), "water", 0), snapshot);
    RunPictureOptions options = quick();
    options.look.color = "velocity";
    EXPECT_EQ(RunPictures(run.path(), {}, options).range().min, 0.0);
    EXPECT_EQ(RunPictures(run.path(), {}, options).range().max, 1.0);
    options.look.color = "density";
    EXPECT_LT(RunPictures(run.path(), {}, options).range().min, 1000.0);
    EXPECT_GT(RunPictures(run.path(), {}, options).range().max, 1000.0);
}

TEST(RenderRun, what_is_missing_is_said_in_one_line)
{
    const TemporaryFolder folder;
    const std::string run = folder.path().string();
    EXPECT_EQ(error_of([&] { RunPictures(run + "/no", {}, {}); }), run + "/no: no such run");
    EXPECT_EQ(error_of([&] { RunPictures(run, {}, {}); }),
              run + ": there are no frames in " + run + "/frames");
    write_run(run);
    EXPECT_EQ(error_of([&] { RunPictures(run, {}, {.look = {.color = "velocty"}}); }),
              run + ": no body has a field \"velocty\"; did you mean \"velocity\"? allowed: body, "
                    "temperature, velocity");
    EXPECT_EQ(error_of([&] { RunPictures(run, {}, {.first_frame = 7}); }),
              run + ": none of the frames that were asked for exist; there are 0 to 2");
    EXPECT_EQ(error_of([&] { RunPictures(run, {}, {.extension = ".bmp"}); }),
              "pictures of the kind \".bmp\" cannot be written; allowed: .png, .jpg, .jpeg");
    write_file(frame_path(run, "water", 1), "ply\nnonsense");
    EXPECT_NE(error_of([&] { RunPictures(run, {}, {}); }), "");
}

} // namespace
} // namespace phyxel::render_run_test
