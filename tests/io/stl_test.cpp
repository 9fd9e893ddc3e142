// SPDX-License-Identifier: MIT
#include <phyxel/io/stl.h>

#include "io_support.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <string>
#include <vector>

namespace phyxel::stl_test {
namespace {

SnapshotFile parse(std::string_view text) { return parse_stl(bytes_of(text), "part.stl"); }

std::string error_in(std::string_view text)
{
    return error_of([&] { static_cast<void>(parse(text)); });
}

using Triangle = std::array<std::array<float, 3>, 3>;

std::string binary(std::string_view title, const std::vector<Triangle>& triangles, std::uint32_t promised)
{
    ByteWriter file;
    std::string head(title);
    head.resize(80, ' ');
    file.put(head);
    file.put(promised);
    for (const Triangle& triangle : triangles) {
        for (int k = 0; k < 3; ++k) file.put(0.0f);
        for (const auto& corner : triangle)
            for (const float x : corner) file.put(x);
        file.put(std::uint16_t(0));
    }
    return text_of(file.bytes());
}

const std::vector<Triangle> square = {{{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}}},
                                      {{{0, 0, -0.0f}, {1, 1, 0}, {0, 1, 0}}}};
constexpr std::string_view square_text =
    "solid a square of two triangles\n"
    "facet normal 0 0 1\n outer loop\n"
    "  vertex 0 0 0\n  vertex 1 0 0\n  vertex 1 1 0\n endloop\nendfacet\n"
    "FACET NORMAL 0 0 1 OUTER LOOP VERTEX 0 0 -0.0\r\n VERTEX 1e0 1 0\r\n"
    "VERTEX 0 1 0 ENDLOOP ENDFACET\nendsolid a square\n";

void expect_square(const SnapshotFile& file)
{
    EXPECT_EQ(file.snapshot.points, (std::vector<Vec<3>>{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}));
    ASSERT_TRUE(file.snapshot.triangles.has_value());
    EXPECT_EQ(*file.snapshot.triangles, (std::vector<std::array<Index, 3>>{{0, 1, 2}, {0, 2, 3}}));
    EXPECT_EQ(file.report.face_count, 2u);
    EXPECT_EQ(file.report.vertex_count, 4u);
    EXPECT_TRUE(file.report.warnings.empty());
}

TEST(Stl, binary_files_are_read_and_equal_corners_merged) { expect_square(parse(binary("part", square, 2))); }

TEST(Stl, text_files_are_read_and_equal_corners_merged) { expect_square(parse(square_text)); }

TEST(Stl, binary_files_that_begin_with_solid_are_binary)
{
    expect_square(parse(binary("solid facet outer loop", square, 2)));
}

TEST(Stl, corners_that_differ_by_one_bit_stay_apart)
{
    std::vector<Triangle> triangles = square;
    triangles[1][1][0] = std::nextafter(1.0f, 2.0f);
    EXPECT_EQ(parse(binary("part", triangles, 2)).snapshot.points.size(), 5u);
}

TEST(Stl, several_solids_are_one_mesh)
{
    const std::string text = std::string(square_text) + "solid\nendsolid\n" + std::string(square_text);
    const SnapshotFile file = parse(text);
    EXPECT_EQ(file.snapshot.triangles->size(), 4u);
    EXPECT_EQ(file.snapshot.points.size(), 4u);
}

TEST(Stl, a_count_that_lies_is_refused_before_memory_is_asked_for)
{
    EXPECT_EQ(
        error_in(binary("part", square, 4000000000u)),
        "part.stl: byte 84: the header promises 4000000000 triangles of 50 bytes, but 100 bytes follow");
    const std::string text = binary("part", square, 2);
    for (std::size_t size = 0; size < text.size(); ++size)
        EXPECT_NE(error_in(text.substr(0, size)), "") << size;
}

TEST(Stl, more_data_than_promised_is_worth_a_warning)
{
    const SnapshotFile file = parse(binary("part", square, 1));
    EXPECT_EQ(file.snapshot.triangles->size(), 1u);
    EXPECT_EQ(file.report.warnings,
              std::vector<std::string>{"part.stl: there is more in the file than its header promises"});
}

TEST(Stl, what_is_wrong_with_a_text_is_named_with_its_line)
{
    EXPECT_EQ(error_in("solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 zero\n"),
              "part.stl:4: \"zero\" is not a number");
    EXPECT_EQ(error_in("solid\nfacet normal 0 0 1\nouter hoop\n"),
              "part.stl:3: \"hoop\" instead of \"loop\"");
    EXPECT_EQ(error_in("solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\n"),
              "part.stl:5: the file ends within a facet");
    EXPECT_EQ(error_in("solid\nface\n"), "part.stl:2: \"face\" instead of \"facet\" or \"endsolid\"");
    EXPECT_EQ(error_in("solid\nendsolid\nfacet"), "part.stl:3: \"facet\" instead of \"solid\"");
    EXPECT_EQ(error_in("ply\n"),
              "part.stl: not an STL file: it neither begins with \"solid\" nor has a header of 84 bytes");
    EXPECT_EQ(parse("solid\n").report.warnings,
              std::vector<std::string>{"part.stl: the file ends without \"endsolid\""});
}

TEST(Stl, files_are_read)
{
    const TemporaryFolder folder;
    write_file(folder / "part.stl", binary("part", square, 2));
    expect_square(read_stl(folder / "part.stl"));
}

} // namespace
} // namespace phyxel::stl_test
