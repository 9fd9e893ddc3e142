// SPDX-License-Identifier: MIT
#include <phyxel/io/vtk.h>

#include "io_support.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace phyxel {
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
} // namespace phyxel
