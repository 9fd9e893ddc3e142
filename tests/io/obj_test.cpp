// SPDX-License-Identifier: MIT
#include <phyxel/io/obj.h>

#include "io_support.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace phyxel::obj_test {
namespace {

SnapshotFile parse(std::string_view text) { return parse_obj(bytes_of(text), "part.obj"); }

std::string error_in(std::string_view text)
{
    return error_of([&] { static_cast<void>(parse(text)); });
}

using Triangles = std::vector<std::array<Index, 3>>;

TEST(Obj, vertices_and_polygons_are_read)
{
    const SnapshotFile file =
        parse("# a house\n"
              "mtllib house.mtl\no house\ng walls roof\ns off\nusemtl brick\n"
              "v 0 0 0\nv 1 0 0 1.0\n  v\t1 1 0 0.5 0.5 0.5  # coloured\nv 0 1 0\nv .5 .5 1e0\n"
              "vt 0 0\nvn 0 0 1\n"
              "f 1/1/1 2/1/1 3/1/1 4/1/1\nf 1//1 2//1 5//1\nf 2/1 3/1 5/1\nl 1 2\n");
    EXPECT_EQ(file.snapshot.points,
              (std::vector<Vec<3>>{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0.5, 0.5, 1}}));
    ASSERT_TRUE(file.snapshot.triangles.has_value());
    EXPECT_EQ(*file.snapshot.triangles, (Triangles{{0, 1, 2}, {0, 2, 3}, {0, 1, 4}, {1, 2, 4}}));
    EXPECT_EQ(file.report.face_count, 3u);
    EXPECT_EQ(file.report.polygon_count, 1u);
    EXPECT_TRUE(file.report.warnings.empty());
    EXPECT_TRUE(file.snapshot.fields.empty()) << "normals of corners are not those of vertices";
}

TEST(Obj, negative_indices_count_backwards_from_where_they_stand)
{
    const SnapshotFile file = parse("v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\nv 0 0 1\nf -1/-1 -3//-2 1\n");
    EXPECT_EQ(*file.snapshot.triangles, (Triangles{{0, 1, 2}, {3, 1, 0}}));
}

TEST(Obj, positive_indices_may_come_before_their_vertices)
{
    const SnapshotFile file = parse("f 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 1 0\n");
    EXPECT_EQ(*file.snapshot.triangles, (Triangles{{0, 1, 2}}));
}

TEST(Obj, any_line_ends_continuations_and_byte_order_marks_are_read)
{
    for (const std::string end : {"\n", "\r\n", "\r"}) {
        const SnapshotFile file = parse("\xef\xbb\xbfv 0 0 0" + end + "v 1 0 0" + end + "v 0 1 \\" + end +
                                        " 0" + end + end + "f 1 2\\" + end + "3" + end);
        EXPECT_EQ(file.snapshot.points, (std::vector<Vec<3>>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}));
        EXPECT_EQ(*file.snapshot.triangles, (Triangles{{0, 1, 2}}));
    }
    EXPECT_EQ(error_in("v 0 0 \\\n\\\n0\nf 1 1 x"), "part.obj:4: \"x\" is not the corner of a face");
}

TEST(Obj, points_with_a_normal_each_are_a_cloud)
{
    const SnapshotFile file = parse("v 0 0 0\nvn 0 0 1\nv 1 0 0\nvn 0 1 0\n");
    EXPECT_FALSE(file.snapshot.triangles.has_value());
    ASSERT_NE(file.snapshot.find("normal"), nullptr);
    EXPECT_EQ(std::get<std::vector<double>>(file.snapshot.find("normal")->values),
              (std::vector<double>{0, 0, 1, 0, 1, 0}));
    EXPECT_EQ(parse("v 0 0 0\nvn 0 0 1\nvn 0 0 1").snapshot.find("normal"), nullptr);
}

TEST(Obj, numbers_are_read_exactly)
{
    const Vec<3> x = parse("v 0.7310585786300049 5e-324 3.141592653589793").snapshot.points[0];
    EXPECT_EQ(x[0], 0.7310585786300049);
    EXPECT_EQ(x[1], 5e-324);
    EXPECT_EQ(x[2], 3.141592653589793);
    EXPECT_TRUE(std::isnan(parse("v nan 1 2").snapshot.points[0][0])) << "not silently zero";
    EXPECT_TRUE(std::isinf(parse("v 0 1e2147483649 0").snapshot.points[0][1]));
}

TEST(Obj, what_is_wrong_is_named_with_its_line)
{
    EXPECT_EQ(error_in(""), "part.obj: not an OBJ file, or an empty one: it has no vertices");
    EXPECT_EQ(error_in("v 1 2\n"), "part.obj:1: three numbers expected");
    EXPECT_EQ(error_in("v 0 0 0\n\nv 1 2 z\n"), "part.obj:3: \"z\" is not a number");
    EXPECT_EQ(error_in("v 0 0 0\nf 1 0 1\n"),
              "part.obj:2: a face has the vertex 0, but vertices count from 1");
    EXPECT_EQ(error_in("v 0 0 0\nf 1 -2 1\n"),
              "part.obj:2: a face has the vertex -2, which is before the first one");
    EXPECT_EQ(error_in("v 0 0 0\nf 1 1 1\nf 1 7 1\nf 1 2 1\n"),
              "part.obj:3: a face has the vertex 7, but the file has 1 vertex");
    EXPECT_EQ(error_in("v 0 0 0\nf 1 1 9999999999\n"),
              "part.obj:2: a face has the vertex 9999999999, more than any file has");
    EXPECT_EQ(error_in("v 0 0 0\nf 1 1 1.5\n"), "part.obj:2: \"1.5\" is not the corner of a face");
    EXPECT_EQ(error_in("v 0 0 0\nf 1 1 99999999999999999999\n"),
              "part.obj:2: \"99999999999999999999\" is not the corner of a face");
    EXPECT_EQ(error_in("v 0 0 0\nf 1 1 -9223372036854775808\n"),
              "part.obj:2: a face has the vertex -9223372036854775808, which is before the first one");
}

TEST(Obj, lines_of_an_unknown_kind_and_faces_of_two_corners_are_worth_a_warning)
{
    const SnapshotFile file = parse("v 0 0 0\nf 1 1\nwhat is this\nand this\n");
    EXPECT_EQ(
        file.report.warnings,
        (std::vector<std::string>{"part.obj: 1 face with fewer than three corners dropped",
                                  "part.obj:3: 2 lines of an unknown kind skipped, the first is here"}));
    EXPECT_TRUE(file.snapshot.triangles->empty());
}

TEST(Obj, what_is_written_is_read_back_bit_for_bit)
{
    Snapshot snapshot = sample_snapshot();
    snapshot.points[0] = {0.1, 1.0 / 3.0, -1e-300};
    SnapshotFile file = parse(encode_obj(snapshot));
    EXPECT_EQ(file.snapshot.points, snapshot.points);
    EXPECT_EQ(file.snapshot.triangles, snapshot.triangles);

    snapshot.triangles.reset();
    const TemporaryFolder folder;
    write_obj(folder / "part.obj", snapshot);
    file = read_obj(folder / "part.obj");
    EXPECT_EQ(file.snapshot.points, snapshot.points);
    EXPECT_FALSE(file.snapshot.triangles.has_value());
    EXPECT_EQ(std::get<std::vector<double>>(file.snapshot.find("normal")->values),
              (std::vector<double>{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, -1}));
}

TEST(Obj, the_text_of_a_mesh_is_what_it_was)
{
    Snapshot snapshot;
    snapshot.points = {{0, 0.5, -1}, {1, 0, 0}, {0, 1, 0}};
    snapshot.triangles = {{0, 1, 2}};
    EXPECT_EQ(encode_obj(snapshot), "# written by Phyxel, SI units\nv 0 0.5 -1\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    snapshot.fields = {{"normal", 3, std::vector<float>(9, 0.1f)}};
    EXPECT_EQ(encode_obj(snapshot).substr(30),
              "v 0 0.5 -1\nv 1 0 0\nv 0 1 0\nvn 0.1 0.1 0.1\nvn 0.1 0.1 0.1\n"
              "vn 0.1 0.1 0.1\nf 1//1 2//2 3//3\n");
}

} // namespace
} // namespace phyxel::obj_test
