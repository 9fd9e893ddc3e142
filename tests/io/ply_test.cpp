// SPDX-License-Identifier: MIT
#include <phyxel/io/ply.h>

#include "io_support.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <string>

namespace phyxel::ply_test {
namespace {

SnapshotFile parse(std::string_view text) { return parse_ply(bytes_of(text), "scan.ply"); }

std::string error_in(std::string_view text)
{
    return error_of([&] { static_cast<void>(parse(text)); });
}

void expect_equal(const Snapshot& a, const Snapshot& b)
{
    EXPECT_EQ(a.body, b.body);
    EXPECT_EQ(a.time, b.time);
    EXPECT_EQ(a.points, b.points);
    EXPECT_EQ(a.triangles, b.triangles);
    ASSERT_EQ(a.fields.size(), b.fields.size());
    for (const Field& field : a.fields) {
        SCOPED_TRACE(field.name);
        const Field* other = b.find(field.name);
        ASSERT_NE(other, nullptr);
        EXPECT_EQ(field.components, other->components);
        EXPECT_EQ(field.values, other->values);
    }
}

/// The header up to the data, with CR LF if asked for.
std::string header(std::string_view format, std::string_view elements, std::string_view end = "\n")
{
    std::string text =
        "ply\nformat " + std::string(format) + " 1.0\n" + std::string(elements) + "end_header\n";
    std::string result;
    for (const char c : text) {
        if (c == '\n')
            result += end;
        else
            result += c;
    }
    return result;
}

constexpr std::string_view triangle_elements = "element vertex 3\n"
                                               "property float x\nproperty float y\nproperty float z\n"
                                               "element face 1\nproperty list uchar int vertex_indices\n";
constexpr std::string_view point_elements = "element vertex 1\n"
                                            "property float x\nproperty float y\nproperty float z\n";

/// Three vertices and one face, in either byte order.
std::string triangle_data(std::endian order, std::uint32_t last_corner = 2)
{
    std::string data;
    auto put = [&](std::uint32_t bits) {
        for (int k = 0; k < 4; ++k)
            data += static_cast<char>(bits >> (8 * (order == std::endian::little ? k : 3 - k)));
    };
    for (const float value : {0.f, 0.f, 0.f, 1.f, 0.f, 0.f, 0.f, 1.f, 0.5f})
        put(std::bit_cast<std::uint32_t>(value));
    data += '\3';
    for (const std::uint32_t corner : {0u, 1u, last_corner}) put(corner);
    return data;
}

TEST(Ply, snapshots_in_double_precision_are_read_back_bit_for_bit)
{
    Snapshot snapshot = sample_snapshot();
    snapshot.points[1] = {1.0 / 3.0, 5e-324, -1e300};
    const SnapshotFile file = parse_ply(encode_ply(snapshot, {.double_precision = true}).span(), "frame.ply");
    expect_equal(snapshot, file.snapshot);
    EXPECT_TRUE(file.is_double);
    EXPECT_TRUE(file.report.warnings.empty());
    EXPECT_EQ(file.report.vertex_count, 4u);
    EXPECT_EQ(file.report.face_count, 2u);
}

TEST(Ply, single_precision_is_the_default_and_keeps_integers_exact)
{
    const Snapshot snapshot = sample_snapshot();
    const SnapshotFile file = parse_ply(encode_ply(snapshot).span(), "frame.ply");
    EXPECT_FALSE(file.is_double);
    EXPECT_EQ(file.snapshot.points, snapshot.points);
    EXPECT_EQ(file.snapshot.find("id")->values, snapshot.find("id")->values);
    EXPECT_EQ(file.snapshot.find("kind")->values, snapshot.find("kind")->values);
    const auto& velocity = std::get<std::vector<float>>(file.snapshot.find("velocity")->values);
    EXPECT_EQ(velocity[9], 0.5f);
    EXPECT_EQ(file.snapshot.find("velocity")->components, 3);
}

TEST(Ply, the_header_of_a_frame_is_what_it_was)
{
    Snapshot snapshot = sample_snapshot();
    snapshot.fields.resize(3);
    const std::string text = text_of(encode_ply(snapshot).span());
    const std::string expected = "ply\n"
                                 "format binary_little_endian 1.0\n"
                                 "comment written by Phyxel, SI units\n"
                                 "comment body water\n"
                                 "comment time 0.1\n"
                                 "element vertex 4\n"
                                 "property float x\n"
                                 "property float y\n"
                                 "property float z\n"
                                 "property uint id\n"
                                 "property uint id_high\n"
                                 "property float velocity_x\n"
                                 "property float velocity_y\n"
                                 "property float velocity_z\n"
                                 "property float density\n"
                                 "element face 2\n"
                                 "property list uchar int vertex_indices\n"
                                 "end_header\n";
    EXPECT_EQ(text.substr(0, expected.size()), expected);
    EXPECT_EQ(text.size(), expected.size() + 4 * 9 * 4 + 2 * 13);
}

TEST(Ply, an_empty_body_and_an_empty_mesh_are_read_back)
{
    Snapshot snapshot;
    snapshot.fields = {{"id", 1, std::vector<std::uint64_t>()}};
    SnapshotFile file = parse_ply(encode_ply(snapshot).span(), "frame.ply");
    EXPECT_TRUE(file.snapshot.points.empty());
    EXPECT_NE(file.snapshot.find("id"), nullptr);
    EXPECT_FALSE(file.snapshot.triangles.has_value());

    snapshot.triangles.emplace();
    file = parse_ply(encode_ply(snapshot).span(), "frame.ply");
    EXPECT_TRUE(file.snapshot.triangles.has_value());
}

TEST(Ply, both_byte_orders_give_the_same_mesh)
{
    for (const std::endian order : {std::endian::little, std::endian::big}) {
        const std::string format =
            order == std::endian::little ? "binary_little_endian" : "binary_big_endian";
        const SnapshotFile file = parse(header(format, triangle_elements) + triangle_data(order));
        EXPECT_EQ(file.snapshot.points, (std::vector<Vec<3>>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0.5}}));
        ASSERT_TRUE(file.snapshot.triangles.has_value());
        EXPECT_EQ(*file.snapshot.triangles, (std::vector<std::array<Index, 3>>{{0, 1, 2}}));
    }
}

TEST(Ply, text_is_read_with_any_line_ends)
{
    for (const std::string_view end : {"\n", "\r\n", "\r"}) {
        const std::string text =
            header("ascii", triangle_elements, end) + "0 0 0\r\n1 0 0\n+0 1e0 .5\r\n3 0 1 2";
        const SnapshotFile file = parse(text);
        EXPECT_EQ(file.snapshot.points, (std::vector<Vec<3>>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0.5}}));
        EXPECT_EQ(file.snapshot.triangles->size(), 1u);
    }
}

TEST(Ply, binary_data_that_begin_with_a_line_feed_are_not_taken_for_a_line_end)
{
    const std::string data("\n\0\0\0\n\0\0\0\n\0\0\0", 12);
    const double tiny = static_cast<double>(std::bit_cast<float>(10));
    for (const std::string_view end : {"\n", "\r\n", "\r"}) {
        const SnapshotFile file = parse(header("binary_little_endian", point_elements, end) + data);
        EXPECT_EQ(file.snapshot.points[0], Vec<3>(tiny, tiny, tiny));
        EXPECT_TRUE(file.report.warnings.empty());
    }
}

TEST(Ply, properties_come_in_any_order_and_type_and_unknown_things_are_skipped)
{
    const std::string text =
        header("ascii", "comment made by hand\n"
                        "obj_info nothing\n"
                        "element camera 2\nproperty float view\nproperty list uchar int flags\n"
                        "element vertex 2\n"
                        "property uchar red\nproperty double z\nproperty list uint8 float weights\n"
                        "property float32 nz\nproperty int16 x\nproperty float ny\nproperty float nx\n"
                        "property int y\nproperty uint label\n"
                        "element face 1\n"
                        "property uchar flag\nproperty list ushort uint16 vertex_index\n"
                        "property list uchar float texcoord\n") +
        "0.5 2 1 2\n0.5 0\n"
        "255 0.1 2 0.5 0.5 3 -7 2 1 8 4294967295\n"
        "0 0.2 0 1 -8 0 0 9 1\n"
        "1 3 0 1 0 2 0.5 0.5\n";
    const SnapshotFile file = parse(text);
    const Snapshot& snapshot = file.snapshot;
    EXPECT_EQ(snapshot.points, (std::vector<Vec<3>>{{-7, 8, 0.1}, {-8, 9, 0.2}}));
    EXPECT_EQ(std::get<std::vector<float>>(snapshot.find("normal")->values),
              (std::vector<float>{1, 2, 3, 0, 0, 1}));
    EXPECT_EQ(std::get<std::vector<std::int32_t>>(snapshot.find("red")->values),
              (std::vector<std::int32_t>{255, 0}));
    EXPECT_EQ(std::get<std::vector<std::uint64_t>>(snapshot.find("label")->values),
              (std::vector<std::uint64_t>{4294967295u, 1}));
    EXPECT_EQ(snapshot.fields.size(), 3u);
    EXPECT_EQ(*snapshot.triangles, (std::vector<std::array<Index, 3>>{{0, 1, 0}}));
    EXPECT_TRUE(file.is_double);
    EXPECT_EQ(file.report.warnings, std::vector<std::string>{"scan.ply: 2 times \"camera\" was skipped"});
}

TEST(Ply, polygons_become_fans_and_faces_of_two_corners_are_dropped)
{
    const std::string text =
        header("ascii", "element vertex 5\nproperty float x\nproperty float y\nproperty float z\n"
                        "element face 3\nproperty list uchar uint vertex_indices\n") +
        "0 0 0\n1 0 0\n1 1 0\n0 1 0\n0 0 1\n5 0 1 2 3 4\n2 0 1\n3 4 3 2\n";
    const SnapshotFile file = parse(text);
    EXPECT_EQ(*file.snapshot.triangles,
              (std::vector<std::array<Index, 3>>{{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {4, 3, 2}}));
    EXPECT_EQ(file.report.face_count, 3u);
    EXPECT_EQ(file.report.polygon_count, 1u);
    EXPECT_EQ(file.report.dropped_face_count, 1u);
    EXPECT_EQ(file.report.warnings,
              std::vector<std::string>{"scan.ply: 1 face with fewer than three corners dropped"});
}

TEST(Ply, columns_are_joined_only_if_they_belong_together)
{
    const std::string text =
        header("ascii", "element vertex 1\nproperty float x\nproperty float y\nproperty float z\n"
                        "property float a_x\nproperty float a_y\nproperty float a_z\n"
                        "property float b_x\nproperty double b_y\nproperty float b_z\n"
                        "property float c_y\nproperty float c_x\nproperty float c_z\n"
                        "property float _x\nproperty float _y\nproperty float _z\n"
                        "property uint d\nproperty int d_high\nproperty float nx\n") +
        "0 0 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15\n";
    const Snapshot snapshot = parse(text).snapshot;
    std::vector<std::string> names;
    for (const Field& field : snapshot.fields) names.push_back(field.name);
    EXPECT_EQ(names, (std::vector<std::string>{"a", "b_x", "b_y", "b_z", "c_y", "c_x", "c_z", "_x", "_y",
                                               "_z", "d", "d_high", "nx"}));
}

TEST(Ply, headers_that_lie_are_refused_before_memory_is_asked_for)
{
    const std::string many =
        "element vertex 4000000000\nproperty float x\nproperty float y\nproperty float z\n";
    EXPECT_EQ(
        error_in(header("binary_little_endian", many) + "1234"),
        "scan.ply: byte 124: the header promises 4000000000 times \"vertex\", of at least 12 bytes each, but "
        "the file is too short for them");
    EXPECT_EQ(error_in(header("ascii", many) + "1 2 3\n"),
              "scan.ply:8: the header promises 4000000000 times \"vertex\", of at least 6 bytes each, but "
              "the file is "
              "too short for them");
    const std::string huge =
        "element vertex 9223372036854775807\nproperty float x\nproperty float y\nproperty float z\n";
    EXPECT_NE(error_in(header("binary_little_endian", huge) + "1234"), "");
    const std::string faces =
        std::string(point_elements) + "element face 1000000000000\nproperty list uchar int vertex_indices\n";
    EXPECT_NE(error_in(header("binary_little_endian", faces) + std::string(12, '\0')), "");
    const std::string long_list =
        std::string(point_elements) + "element face 1\nproperty list uint int vertex_indices\n";
    EXPECT_EQ(
        error_in(header("binary_little_endian", long_list) + std::string(12, '\0') + "\xff\xff\xff\x7f"),
        "scan.ply: byte 184: a list of 2147483647 is longer than the file");
    const std::string nothing = "element ghost 9223372036854775807\n" + std::string(point_elements);
    EXPECT_EQ(error_in(header("ascii", nothing) + "1 2 3\n"), "")
        << "elements without properties take no time";
}

TEST(Ply, truncated_files_are_refused)
{
    const std::string text =
        header("binary_little_endian", triangle_elements) + triangle_data(std::endian::little);
    for (std::size_t size = 0; size < text.size(); ++size)
        EXPECT_NE(error_in(text.substr(0, size)), "") << size;
    EXPECT_EQ(error_in(text), "");
    const std::string ascii = header("ascii", triangle_elements) + "0 0 0 1 0 0 0 1 0 3 0 1 ";
    EXPECT_EQ(error_in(ascii), "scan.ply:10: the file ends too early");
}

TEST(Ply, faces_with_vertices_that_do_not_exist_are_refused)
{
    const std::string text = header("binary_little_endian", triangle_elements);
    EXPECT_EQ(error_in(text + triangle_data(std::endian::little, 3)),
              "scan.ply: byte 218: face 0 has a vertex 3, but the file has 3 vertices");
    EXPECT_EQ(error_in(text + triangle_data(std::endian::little, 0xffffffffu)),
              "scan.ply: byte 218: face 0 has a vertex -1, but the file has 3 vertices");
    const std::string floats =
        std::string(point_elements) + "element face 1\nproperty list uchar float vertex_indices\n";
    EXPECT_NE(error_in(header("ascii", floats) + "0 0 0\n3 0 0 0.5"), "");
    EXPECT_NE(error_in(header("ascii", floats) + "0 0 0\n3 0 0 nan"), "");
    EXPECT_EQ(error_in(header("ascii", floats) + "0 0 0\n3 0 0 0"), "");
}

TEST(Ply, values_must_fit_their_type)
{
    const std::string bytes = "element vertex 1\nproperty uchar x\nproperty char y\nproperty uint z\n";
    EXPECT_EQ(error_in(header("ascii", bytes) + "255 -128 4294967295"), "");
    EXPECT_EQ(error_in(header("ascii", bytes) + "256 0 0"),
              "scan.ply:8: \"256\" is not an integer of the type that the header names");
    EXPECT_NE(error_in(header("ascii", bytes) + "0 -129 0"), "");
    EXPECT_NE(error_in(header("ascii", bytes) + "0 0 -1"), "");
    EXPECT_NE(error_in(header("ascii", bytes) + "0.5 0 0"), "");
    EXPECT_NE(error_in(header("ascii", bytes) + "nan 0 0"), "");
    EXPECT_NE(error_in(header("ascii", bytes) + "1e300 0 0"), "");
    EXPECT_EQ(error_in(header("ascii", bytes) + "0 zero 0"), "scan.ply:8: \"zero\" is not a number");
}

TEST(Ply, what_is_wrong_with_a_header_is_named_with_its_line)
{
    EXPECT_EQ(error_in(""), "scan.ply: not a PLY file: it does not begin with the line \"ply\"");
    EXPECT_EQ(error_in("plyx\n"), "scan.ply: not a PLY file: it does not begin with the line \"ply\"");
    EXPECT_EQ(error_in("ply\nformat ascii 1.0\n"), "scan.ply:3: the header ends without \"end_header\"");
    EXPECT_EQ(error_in("ply\nformat binary_middle_endian 1.0\n"),
              "scan.ply:2: unknown format \"binary_middle_endian\"; allowed: ascii, binary_little_endian, "
              "binary_big_endian");
    EXPECT_EQ(error_in("ply\nelement vertex 0\nend_header\n"),
              "scan.ply:3: the header has no line \"format\"");
    EXPECT_EQ(error_in(header("ascii", "element vertex -1\n")),
              "scan.ply:3: \"element\" needs a name and a count that is not negative");
    EXPECT_EQ(error_in(header("ascii", "element vertex many\n")),
              "scan.ply:3: \"element\" needs a name and a count that is not negative");
    EXPECT_EQ(error_in(header("ascii", "element a 1\nelement a 1\n")),
              "scan.ply:4: element \"a\" appears twice");
    EXPECT_EQ(error_in(header("ascii", "property float x\n")),
              "scan.ply:3: a property before the first element");
    EXPECT_EQ(
        error_in(header("ascii", "element vertex 1\nproperty quad x\n")),
        "scan.ply:4: unknown type \"quad\"; allowed: char, uchar, short, ushort, int, uint, float, double");
    EXPECT_EQ(error_in(header("ascii", "element vertex 1\nproperty list float int x\n")),
              "scan.ply:4: the length of a list must be an integer");
    EXPECT_EQ(error_in(header("ascii", "element vertex 1\nproperty float\n")),
              "scan.ply:4: a property without a name");
    EXPECT_EQ(error_in(header("ascii", "element vertex 1\nproperty float x\nproperty int x\n")),
              "scan.ply:5: property \"x\" appears twice");
    EXPECT_EQ(
        error_in(header("ascii", "elephant 1\n")),
        "scan.ply:3: unknown keyword \"elephant\"; allowed: format, comment, obj_info, element, property, "
        "end_header");
    EXPECT_EQ(error_in(header("ascii", "element face 0\n")),
              "scan.ply:5: the file has no element \"vertex\"");
    EXPECT_EQ(error_in(header("ascii", "element vertex 1\nproperty float x\nproperty float y\n") + "1 2"),
              "scan.ply:7: vertices need the properties x, y and z");
    EXPECT_EQ(error_in(header("ascii", std::string(point_elements) + "element face 1\nproperty int a\n") +
                       "1 2 3 4"),
              "scan.ply:10: faces need the list vertex_indices");
    std::string many = "element vertex 1\n";
    for (int i = 0; i < 5000; ++i) many += "property float p" + std::to_string(i) + "\n";
    EXPECT_EQ(error_in(header("ascii", many)), "scan.ply:4099: too many elements and properties");
}

TEST(Ply, more_data_than_promised_is_worth_a_warning)
{
    const std::vector<std::string> expected = {
        "scan.ply: there is more in the file than its header promises"};
    EXPECT_EQ(parse(header("ascii", point_elements) + "1 2 3 4").report.warnings, expected);
    EXPECT_EQ(parse(header("binary_little_endian", point_elements) + std::string(13, '\0')).report.warnings,
              expected);
    EXPECT_TRUE(parse(header("ascii", point_elements) + "1 2 3\n\n").report.warnings.empty());
}

TEST(Ply, positions_that_are_not_finite_are_read_as_they_are)
{
    const SnapshotFile file = parse(header("ascii", point_elements) + "nan inf -1e999");
    EXPECT_FALSE(file.snapshot.points[0].array().isFinite().any());
}

TEST(Ply, names_that_the_format_cannot_hold_are_refused)
{
    Snapshot snapshot;
    snapshot.fields = {{"two words", 1, std::vector<double>()}};
    EXPECT_EQ(error_of([&] { encode_ply(snapshot); }),
              "the name \"two words\" cannot be that of a property in a PLY file");
    snapshot.fields = {{"x", 1, std::vector<double>()}};
    EXPECT_EQ(error_of([&] { encode_ply(snapshot); }), "two fields would be called \"x\" in a PLY file");
    snapshot.fields.clear();
    snapshot.body = "two\nlines";
    EXPECT_EQ(error_of([&] { encode_ply(snapshot); }), "the name \"two?lines\" of a body must be printable");
}

TEST(Ply, files_are_written_and_read)
{
    const TemporaryFolder folder;
    write_ply(folder / "frame.ply", sample_snapshot(), {.double_precision = true});
    expect_equal(sample_snapshot(), read_ply(folder / "frame.ply").snapshot);
    EXPECT_EQ(error_of([&] { static_cast<void>(read_ply(folder / "absent.ply")); }),
              (folder / "absent.ply").string() + ": cannot read: it does not exist");
}

} // namespace
} // namespace phyxel::ply_test
