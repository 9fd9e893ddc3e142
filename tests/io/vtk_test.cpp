// SPDX-License-Identifier: MIT
#include <phyxel/core/error.h>
#include <phyxel/io/vtk.h>

#include "io_support.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace phyxel::vtk_test {
namespace {

/// The value of an attribute in the element that begins at `element`.
std::string attribute(const std::string& text, std::size_t element, const std::string& name)
{
    const std::size_t begin = text.find(" " + name + "=\"", element) + name.size() + 3;
    return text.substr(begin, text.find('"', begin) - begin);
}

/// An array as a program would read it: the offset in the XML, the size in front of the values.
template <class T>
std::vector<T> array_in(const std::string& text, const std::string& name, const std::string& type,
                        int components)
{
    const std::size_t element = text.find("<DataArray type=\"" + type + "\" Name=\"" + name + "\"");
    EXPECT_NE(element, std::string::npos) << name;
    EXPECT_EQ(attribute(text, element, "NumberOfComponents"), std::to_string(components));
    EXPECT_EQ(attribute(text, element, "format"), "appended");
    const std::size_t data = text.find("<AppendedData encoding=\"raw\">\n_") + 31;
    const std::size_t offset = std::stoul(attribute(text, element, "offset"));
    std::uint64_t size = 0;
    std::memcpy(&size, text.data() + data + offset, 8);
    EXPECT_EQ(size % sizeof(T), 0u);
    std::vector<T> values(size / sizeof(T));
    if (size > 0) std::memcpy(values.data(), text.data() + data + offset + 8, size);
    return values;
}

TEST(Vtk, arrays_are_found_where_the_xml_says)
{
    Snapshot snapshot = sample_snapshot();
    snapshot.triangles.reset();
    const std::string text = text_of(encode_vtp(snapshot).span());
    EXPECT_TRUE(text.starts_with("<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" "
                                 "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"));
    EXPECT_TRUE(text.ends_with("\n</AppendedData>\n</VTKFile>\n"));
    EXPECT_NE(
        text.find("<Piece NumberOfPoints=\"4\" NumberOfVerts=\"4\" NumberOfLines=\"0\" NumberOfStrips=\"0\" "
                  "NumberOfPolys=\"0\">"),
        std::string::npos);
    EXPECT_NE(text.find("<PointData Vectors=\"velocity\" Normals=\"normal\">"), std::string::npos);
    EXPECT_EQ(array_in<double>(text, "TimeValue", "Float64", 1), std::vector<double>{0.1});
    EXPECT_EQ(array_in<float>(text, "Points", "Float32", 3),
              (std::vector<float>{0, 0.25, -1.5, 1, 2, 3, -0.125, 1024, 0, 8, 9, 10}));
    EXPECT_EQ(array_in<std::uint64_t>(text, "id", "UInt64", 1),
              std::get<std::vector<std::uint64_t>>(snapshot.find("id")->values));
    EXPECT_EQ(array_in<float>(text, "velocity", "Float32", 3).size(), 12u);
    EXPECT_EQ(array_in<std::int32_t>(text, "kind", "Int32", 1),
              std::get<std::vector<std::int32_t>>(snapshot.find("kind")->values));
    EXPECT_EQ(array_in<float>(text, "stress", "Float32", 6)[7], -3.0f);
    EXPECT_EQ(array_in<float>(text, "gradient", "Float32", 9)[11], 6.5f);
    EXPECT_EQ(array_in<std::int32_t>(text, "connectivity", "Int32", 1),
              (std::vector<std::int32_t>{0, 1, 2, 3}));
    EXPECT_EQ(array_in<std::int32_t>(text, "offsets", "Int32", 1), (std::vector<std::int32_t>{1, 2, 3, 4}));
}

TEST(Vtk, triangles_are_polygons)
{
    const std::string text = text_of(encode_vtp(sample_snapshot()).span());
    EXPECT_NE(text.find("NumberOfVerts=\"0\""), std::string::npos);
    EXPECT_NE(text.find("NumberOfPolys=\"2\""), std::string::npos);
    EXPECT_NE(text.find("<Polys>"), std::string::npos);
    EXPECT_EQ(text.find("<Verts>"), std::string::npos);
    EXPECT_EQ(array_in<std::int32_t>(text, "connectivity", "Int32", 1),
              (std::vector<std::int32_t>{0, 1, 2, 2, 1, 3}));
    EXPECT_EQ(array_in<std::int32_t>(text, "offsets", "Int32", 1), (std::vector<std::int32_t>{3, 6}));
}

TEST(Vtk, double_precision_is_kept_if_asked_for)
{
    Snapshot snapshot = sample_snapshot();
    snapshot.points[0][0] = 1.0 / 3.0;
    const std::string text = text_of(encode_vtp(snapshot, {.double_precision = true}).span());
    EXPECT_EQ(array_in<double>(text, "Points", "Float64", 3)[0], 1.0 / 3.0);
    EXPECT_EQ(array_in<double>(text, "velocity", "Float64", 3)[10], 0.25);
    EXPECT_EQ(array_in<float>(text, "density", "Float32", 1)[1], 999.5f) << "no more than there is";
}

TEST(Vtk, an_empty_snapshot_has_empty_arrays)
{
    const std::string text = text_of(encode_vtp(Snapshot()).span());
    EXPECT_TRUE(array_in<float>(text, "Points", "Float32", 3).empty());
    EXPECT_TRUE(array_in<std::int32_t>(text, "connectivity", "Int32", 1).empty());
}

TEST(Vtk, names_are_escaped)
{
    Snapshot snapshot;
    snapshot.fields = {{"a<\"b\"&c>\n", 1, std::vector<float>()}};
    const std::string text = text_of(encode_vtp(snapshot).span());
    EXPECT_NE(text.find("Name=\"a&lt;&quot;b&quot;&amp;c&gt;_\""), std::string::npos);
}

TEST(VtkReader, gives_back_what_was_written)
{
    for (const bool has_triangles : {true, false}) {
        Snapshot written = sample_snapshot();
        if (!has_triangles) written.triangles.reset();
        written.fields.push_back({"a<\"b\"&'c'>", 1, std::vector<float>(4, 1.5f)});
        const SnapshotFile file = parse_vtp(encode_vtp(written, {.double_precision = true}).span(), "f.vtp");
        EXPECT_TRUE(file.is_double);
        EXPECT_TRUE(file.report.warnings.empty());
        EXPECT_EQ(file.report.vertex_count, 4u);
        EXPECT_EQ(file.snapshot.time, written.time);
        EXPECT_EQ(file.snapshot.points, written.points);
        EXPECT_EQ(file.snapshot.triangles, written.triangles);
        ASSERT_EQ(file.snapshot.fields.size(), written.fields.size());
        for (std::size_t k = 0; k < written.fields.size(); ++k) {
            EXPECT_EQ(file.snapshot.fields[k].name, written.fields[k].name);
            EXPECT_EQ(file.snapshot.fields[k].components, written.fields[k].components);
            EXPECT_EQ(file.snapshot.fields[k].values, written.fields[k].values);
        }
    }
}

TEST(VtkReader, single_precision_and_empty_files_stay_so)
{
    const SnapshotFile file = parse_vtp(encode_vtp(sample_snapshot()).span(), "f.vtp");
    EXPECT_FALSE(file.is_double);
    EXPECT_TRUE(std::holds_alternative<std::vector<float>>(file.snapshot.find("velocity")->values));
    const SnapshotFile empty = parse_vtp(encode_vtp(Snapshot()).span(), "f.vtp");
    EXPECT_TRUE(empty.snapshot.points.empty());
    EXPECT_FALSE(empty.snapshot.triangles);
    Snapshot mesh;
    mesh.triangles.emplace();
    EXPECT_TRUE(parse_vtp(encode_vtp(mesh).span(), "f.vtp").snapshot.triangles)
        << "a mesh without a triangle is still a mesh";
}

/// The message of the InputError for a good file in which something was replaced.
std::string complaint(const std::string& before, const std::string& after)
{
    std::string text = text_of(encode_vtp(sample_snapshot()).span());
    const std::size_t at = text.find(before);
    EXPECT_NE(at, std::string::npos) << before;
    text.replace(at, before.size(), after);
    try {
        static_cast<void>(parse_vtp(std::as_bytes(std::span(text)), "f.vtp"));
    } catch (const InputError& error) {
        return error.what();
    }
    return "nothing";
}

TEST(VtkReader, what_is_wrong_is_said_in_one_line)
{
    EXPECT_EQ(complaint("<?xml version=\"1.0\"?>\n<VTKFile", "<Other"),
              "f.vtp:1: not a VTK file: it does not begin with <VTKFile>");
    EXPECT_EQ(complaint("LittleEndian", "BigEndian"),
              "f.vtp:2: byte_order is \"BigEndian\"; only files as Phyxel writes them can be read, with "
              "\"LittleEndian\"");
    EXPECT_EQ(complaint("NumberOfPoints=\"4\"", "NumberOfPoints=\"-4\""),
              "f.vtp:7: NumberOfPoints is \"-4\", not a count");
    EXPECT_EQ(complaint("NumberOfPoints=\"4\"", "NumberOfPoints=\"5\""),
              "f.vtp: array \"Points\" does not have three numbers for each of 5 points");
    EXPECT_EQ(
        complaint("Name=\"velocity\" NumberOfComponents=\"3\"", "Name=\"velocity\" NumberOfComponents=\"2\""),
        "f.vtp: array \"velocity\" has 2 components; allowed: 1, 3, 6, 9");
    EXPECT_EQ(complaint("type=\"UInt64\" Name", "type=\"Int16\" Name"),
              "f.vtp: array \"id\" is of the type \"Int16\"; allowed: Float64, Float32, Int32, UInt64");
    EXPECT_EQ(complaint("offset=\"16\"", "offset=\"999999\""),
              "f.vtp: array \"id\" begins behind the end of the file");
    EXPECT_EQ(complaint("<AppendedData encoding=\"raw\">", "<AppendedData encoding=\"base64\">"),
              "f.vtp:26: encoding is \"base64\"; only files as Phyxel writes them can be read, with \"raw\"");
    EXPECT_EQ(complaint("Name=\"id\"", "Name=\"&id;\""), "f.vtp:9: unknown character reference in \"&id;\"");
}

TEST(VtkReader, a_corner_that_does_not_exist_and_a_file_cut_short_are_refused)
{
    Snapshot snapshot;
    snapshot.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    snapshot.triangles = {{0, 1, 2}};
    std::string text = text_of(encode_vtp(snapshot).span());
    const std::string corners("\0\0\0\0\1\0\0\0\2\0\0\0", 12);
    text[text.rfind(corners) + 8] = 3;
    try {
        static_cast<void>(parse_vtp(std::as_bytes(std::span(text)), "f.vtp"));
        ADD_FAILURE();
    } catch (const InputError& error) {
        EXPECT_STREQ(error.what(), "f.vtp: array \"connectivity\" names point 3 of 3");
    }
    const std::string whole = text_of(encode_vtp(sample_snapshot()).span());
    const std::size_t data_end = whole.rfind("\n</AppendedData>");
    for (std::size_t size = 0; size < data_end; ++size)
        EXPECT_THROW(static_cast<void>(parse_vtp(std::as_bytes(std::span(whole).first(size)), "f.vtp")),
                     InputError)
            << size;
}

TEST(VtkReader, arrays_cannot_share_bytes_to_make_much_out_of_little)
{
    std::string text = text_of(encode_vtp(sample_snapshot()).span());
    const std::string normal = "<DataArray type=\"Float32\" Name=\"normal\"";
    const std::size_t begin = text.find(normal);
    const std::string element = text.substr(begin, text.find('\n', begin) + 1 - begin);
    for (int k = 0; k < 50; ++k) text.insert(begin, element);
    try {
        static_cast<void>(parse_vtp(std::as_bytes(std::span(text)), "f.vtp"));
        ADD_FAILURE();
    } catch (const InputError& error) {
        EXPECT_STREQ(error.what(), "f.vtp: array \"normal\" shares its bytes with others");
    }
}

TEST(Vtk, a_collection_names_times_and_files)
{
    const TemporaryFolder folder;
    write_vtp(folder / "water_000000.vtp", sample_snapshot());
    EXPECT_EQ(text_of(folder / "water_000000.vtp"), text_of(encode_vtp(sample_snapshot()).span()));
    const std::vector<PvdEntry> entries = {{0.0, 0, "water", "frames/water_000000.vtp"},
                                           {0.1, 1, "a & b", "frames/a & b_000001.vtp"}};
    write_pvd(folder / "run.pvd", entries);
    EXPECT_EQ(
        text_of(folder / "run.pvd"),
        "<?xml version=\"1.0\"?>\n"
        "<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n<Collection>\n"
        "<DataSet timestep=\"0\" group=\"\" part=\"0\" name=\"water\" file=\"frames/water_000000.vtp\"/>\n"
        "<DataSet timestep=\"0.1\" group=\"\" part=\"1\" name=\"a &amp; b\" file=\"frames/a &amp; "
        "b_000001.vtp\"/>\n"
        "</Collection>\n</VTKFile>\n");
}

} // namespace
} // namespace phyxel::vtk_test
