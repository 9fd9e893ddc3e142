// SPDX-License-Identifier: MIT
#include <phyxel/io/off.h>

#include "io_support.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace phyxel::off_test {
namespace {

SnapshotFile parse(std::string_view text) { return parse_off(bytes_of(text), "part.off"); }

std::string error_in(std::string_view text)
{
    return error_of([&] { static_cast<void>(parse(text)); });
}

TEST(Off, polygons_become_fans_and_colours_are_skipped)
{
    const SnapshotFile file =
        parse("# made by hand\nCOFF\n\n4 2 0 # vertices, faces, edges\r\n0 0 0 255 0 0 255\n"
              "1 0 0 1 1 1 1\n1 1 0 1 1 1 1\n0 1e0 -0.5 1 1 1 1\n4 0 1 2 3 0.5 0.5 0.5\n2 0 1\n");
    EXPECT_EQ(file.snapshot.points, (std::vector<Vec<3>>{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, -0.5}}));
    EXPECT_EQ(*file.snapshot.triangles, (std::vector<std::array<Index, 3>>{{0, 1, 2}, {0, 2, 3}}));
    EXPECT_EQ(file.report.face_count, 2u);
    EXPECT_EQ(file.report.polygon_count, 1u);
    EXPECT_EQ(file.report.warnings,
              std::vector<std::string>{"part.off: 1 face with fewer than three corners dropped"});
}

TEST(Off, the_counts_may_stand_beside_the_keyword_or_without_one)
{
    for (const char* head : {"OFF 3 1 0\n", "OFF3 1 0\n", "3 1 0\n", "  OFF  \n3 1\n"}) {
        SCOPED_TRACE(head);
        const SnapshotFile file = parse(std::string(head) + "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
        EXPECT_EQ(file.snapshot.triangles->size(), 1u);
    }
}

TEST(Off, without_faces_it_is_a_cloud_with_normals)
{
    const SnapshotFile file = parse("NOFF\n1 0 0\n1 2 3 0 0 1\n");
    EXPECT_FALSE(file.snapshot.triangles.has_value());
    ASSERT_NE(file.snapshot.find("normal"), nullptr);
    EXPECT_EQ(vectors_of(*file.snapshot.find("normal")), (std::vector<Vec<3>>{{0, 0, 1}}));
}

TEST(Off, what_is_wrong_is_said_with_its_line)
{
    EXPECT_EQ(error_in(""), "part.off:0: the file ends, and the number of vertices is missing");
    EXPECT_EQ(error_in("OFF\nx"), "part.off:2: the number of vertices expected");
    EXPECT_EQ(error_in("OFF\n1 -1"), "part.off:2: the number of faces expected");
    EXPECT_EQ(error_in("OFF\n0 0 0"), "part.off: the file has no vertices");
    EXPECT_EQ(error_in("OFF BINARY\n"), "part.off:1: binary OFF files cannot be read, only those of text");
    EXPECT_EQ(error_in("4OFF\n1 0 0\n0 0 0 1"),
              "part.off:1: points of three coordinates expected, the file has others");
    EXPECT_EQ(error_in("OFF\n2 0 0\n0 0 0\n"), "part.off:3: the file ends, and vertex 1 is missing");
    EXPECT_EQ(error_in("OFF\n1 0 0\n0 0\n"), "part.off:3: three numbers expected");
    EXPECT_EQ(error_in("OFF\n1 1 0\n0 0 0\n3 0 0 1\n"),
              "part.off:4: \"1\" is not the number of a vertex; the file has 1 vertex");
    EXPECT_EQ(error_in("OFF\n1 1 0\n0 0 0\n3 0 0\n"), "part.off:4: a face has fewer corners than it says");
    EXPECT_EQ(error_in("OFF\n9999999999 0 0\n"),
              "part.off:2: 9999999999 vertices are more than any file has");
}

} // namespace
} // namespace phyxel::off_test
