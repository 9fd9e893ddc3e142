// SPDX-License-Identifier: MIT
#include <phyxel/io/frames.h>
#include <phyxel/io/mesh_file.h>
#include <phyxel/io/ply.h>

#include "io_support.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace phyxel::frames_test {
namespace {

namespace fs = std::filesystem;

TEST(Frames, names_have_six_digits_or_more)
{
    EXPECT_EQ(frame_file_name("water", 42), "water_000042.ply");
    EXPECT_EQ(frame_file_name("water_surface", 0, ".vtp"), "water_surface_000000.vtp");
    EXPECT_EQ(frame_file_name("b", 12345678), "b_12345678.ply");
    EXPECT_EQ(frame_path("run", "water", 1), fs::path("run/frames/water_000001.ply"));
}

TEST(Frames, names_of_bodies_fit_into_names_of_files)
{
    for (const char* name : {"water", "a b", "body.2", "Größe", "x_000001"})
        EXPECT_TRUE(is_body_name(name)) << name;
    for (const char* name : {"", ".", "..", ".hidden", "a/b", "a\\b", "a\nb", " a", "a ", "\x7f"})
        EXPECT_FALSE(is_body_name(name)) << name;
    EXPECT_TRUE(is_body_name(std::string(100, 'a')));
    EXPECT_FALSE(is_body_name(std::string(101, 'a')));
}

TEST(Frames, those_of_a_run_are_found_in_order)
{
    const TemporaryFolder run;
    EXPECT_TRUE(find_frames(run.path()).empty());
    create_folder(run / "frames");
    for (const char* name : {"water_000010.ply", "water_000002.ply", "water_1000000.ply", "ball_000001.vtp",
                             "water_surface_000002.ply", "x_000001_000003.ply"})
        write_file(run / "frames" / name, "x");
    for (const char* name : {"water_42.ply", "water_0000042.ply", "water_00004x.ply", "water.ply",
                             "_000001.ply", "water_000001.txt", ".phyxel-1-1.partial", "water_+00001.ply"})
        write_file(run / "frames" / name, "x");
    std::vector<std::string> found;
    for (const FrameFile& file : find_frames(run.path())) {
        found.push_back(file.body + " " + std::to_string(file.number));
        EXPECT_TRUE(fs::exists(file.path));
    }
    EXPECT_EQ(found, (std::vector<std::string>{"ball 1", "water 2", "water 10", "water 1000000",
                                               "water_surface 2", "x_000001 3"}));
}

TEST(Frames, a_frame_is_read_back_as_it_was_written)
{
    const TemporaryFolder run;
    create_folder(run / "frames");
    const fs::path path = frame_path(run.path(), "water", 3);
    write_snapshot(path, sample_snapshot());
    const SnapshotFile file = read_snapshot(path);
    EXPECT_EQ(file.snapshot.body, "water");
    EXPECT_EQ(file.snapshot.time, 0.1);
    EXPECT_EQ(file.snapshot.points, sample_snapshot().points);
    EXPECT_EQ(file.snapshot.find("id")->values, sample_snapshot().find("id")->values);
}

TEST(Frames, conversion_goes_by_the_extension_and_keeps_the_precision)
{
    const TemporaryFolder folder;
    for (const bool double_precision : {false, true}) {
        write_ply(folder / "in.ply", sample_snapshot(), {.double_precision = double_precision});
        EXPECT_EQ(convert_file(folder / "in.ply", folder / "out.PLY").vertex_count, 4u);
        EXPECT_EQ(text_of(folder / "out.PLY").size(), text_of(folder / "in.ply").size());
        EXPECT_EQ(read_snapshot(folder / "out.PLY").is_double, double_precision);
    }
    static_cast<void>(convert_file(folder / "in.ply", folder / "out.csv"));
    EXPECT_TRUE(text_of(folder / "out.csv").starts_with("x,y,z,normal_x,normal_y,normal_z,id,velocity_x,"));
    static_cast<void>(convert_file(folder / "in.ply", folder / "out.vtp"));
    EXPECT_TRUE(text_of(folder / "out.vtp").starts_with("<?xml"));
    static_cast<void>(convert_file(folder / "out.vtp", folder / "back.ply"));
    EXPECT_EQ(read_snapshot(folder / "back.ply").snapshot.triangles, sample_snapshot().triangles);
    static_cast<void>(convert_file(folder / "in.ply", folder / "out.obj"));
    static_cast<void>(convert_file(folder / "out.obj", folder / "again.ply"));
    EXPECT_EQ(read_snapshot(folder / "again.ply").snapshot.points, sample_snapshot().points);
    EXPECT_EQ(read_snapshot(folder / "again.ply").snapshot.triangles, sample_snapshot().triangles);
}

TEST(Frames, formats_that_cannot_be_written_are_named_before_anything_is_read)
{
    EXPECT_EQ(error_of([] { static_cast<void>(convert_file("absent.ply", "out.stl")); }),
              "out.stl: files of the kind \".stl\" cannot be written; allowed: .ply, .vtp, .obj, .csv");
    EXPECT_EQ(
        error_of([] { static_cast<void>(convert_file("in.csv", "out.ply")); }),
        "in.csv: files of the kind \".csv\" cannot be read; allowed: .ply, .obj, .stl, .off, .xyz, .vtp");
}

} // namespace
} // namespace phyxel::frames_test
