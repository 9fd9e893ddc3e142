// SPDX-License-Identifier: MIT
#include <phyxel/io/xyz.h>

#include "io_support.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace phyxel::xyz_test {
namespace {

SnapshotFile parse(std::string_view text) { return parse_xyz(bytes_of(text), "scan.xyz"); }

std::string error_in(std::string_view text)
{
    return error_of([&] { static_cast<void>(parse(text)); });
}

TEST(Xyz, a_line_is_a_point_with_or_without_a_normal)
{
    const SnapshotFile plain = parse("# a scan\n2\n0 0 0\n\n1e-3, 2; -3\n");
    EXPECT_EQ(plain.snapshot.points, (std::vector<Vec<3>>{{0, 0, 0}, {1e-3, 2, -3}}));
    EXPECT_EQ(plain.snapshot.find("normal"), nullptr);
    EXPECT_TRUE(plain.report.warnings.empty());
    const SnapshotFile oriented = parse("0 0 0 0 0 -1\n0 0 1 0.6 0 0.8\n");
    ASSERT_NE(oriented.snapshot.find("normal"), nullptr);
    EXPECT_EQ(vectors_of(*oriented.snapshot.find("normal")),
              (std::vector<Vec<3>>{{0, 0, -1}, {0.6, 0, 0.8}}));
    EXPECT_TRUE(oriented.report.warnings.empty());
}

TEST(Xyz, colours_are_no_normals)
{
    const SnapshotFile file = parse("0 0 0 0 0 1 7\n0 0 1 255 0 128\n");
    EXPECT_EQ(file.snapshot.points.size(), 2u);
    EXPECT_EQ(file.snapshot.find("normal"), nullptr);
    EXPECT_EQ(file.report.warnings,
              std::vector<std::string>{
                  "scan.xyz:1: what follows the places was skipped; normals are three numbers of length 1"});
}

TEST(Xyz, what_is_wrong_is_said_with_its_line)
{
    EXPECT_EQ(error_in("\n"), "scan.xyz: not an XYZ file, or an empty one: it has no points");
    EXPECT_EQ(error_in("0 0\n"), "scan.xyz:1: three numbers expected");
    EXPECT_EQ(error_in("3\nwater\nO 0 0 0\n"), "scan.xyz:2: \"water\" is not a number");
    EXPECT_EQ(error_in("1 2 3\n4\n"), "scan.xyz:2: three numbers expected");
}

} // namespace
} // namespace phyxel::xyz_test
