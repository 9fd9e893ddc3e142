// SPDX-License-Identifier: MIT
#include <phyxel/core/assert.h>
#include <phyxel/core/error.h>
#include <phyxel/io/detail/text.h>
#include <phyxel/io/file.h>
#include <phyxel/io/vtk.h>
#include <phyxel/io/xml_text.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace phyxel {
namespace {

template <class T>
constexpr std::string_view vtk_type()
{
    if constexpr (std::is_same_v<T, double>) return "Float64";
    if constexpr (std::is_same_v<T, float>) return "Float32";
    if constexpr (std::is_same_v<T, std::int32_t>) return "Int32";
    if constexpr (std::is_same_v<T, std::uint64_t>) return "UInt64";
}

/// The binary part of a file: arrays, each behind its size.
class AppendedData {
public:
    /// Appends the array and returns the XML element that stands for it.
    template <class T>
    std::string add(std::string_view name, int components, std::span<const T> values,
                    std::string_view more = "")
    {
        std::string element = "<DataArray type=\"" + std::string(vtk_type<T>()) + "\" Name=\"" +
                              xml_text(name) + "\" NumberOfComponents=\"" + std::to_string(components) +
                              "\"" + std::string(more) + " format=\"appended\" offset=\"" +
                              std::to_string(size_) + "\"/>\n";
        pieces_.emplace_back();
        Buffer<std::byte>& piece = pieces_.back();
        const std::uint64_t size = values.size_bytes();
        piece.resize(sizeof(size) + values.size_bytes());
        std::memcpy(piece.data(), &size, sizeof(size));
        if (size > 0) std::memcpy(piece.data() + sizeof(size), values.data(), values.size_bytes());
        size_ += piece.size();
        return element;
    }

    std::size_t size() const { return size_; }
    std::span<const Buffer<std::byte>> pieces() const { return pieces_; }

private:
    std::vector<Buffer<std::byte>> pieces_;
    std::size_t size_ = 0;
};

template <class T>
std::string add_values(AppendedData& data, const std::string& name, int components,
                       const std::vector<T>& values, const WriteOptions& options)
{
    if constexpr (std::is_same_v<T, double>) {
        if (!options.double_precision) {
            const std::vector<float> rounded(values.begin(), values.end());
            return data.add<float>(name, components, rounded);
        }
    }
    return data.add<T>(name, components, values);
}

/// The first field with this number of components, for the attribute that tells ParaView what to show first.
std::string active_attribute(const Snapshot& snapshot, std::string_view attribute, std::string_view preferred,
                             int components)
{
    const Field* field = snapshot.find(preferred);
    if (field == nullptr || field->components != components) return "";
    return std::string(" ").append(attribute).append("=\"").append(preferred).append("\"");
}

} // namespace

Buffer<std::byte> encode_vtp(const Snapshot& snapshot, const WriteOptions& options)
{
    PHYXEL_ASSERT(is_consistent(snapshot));
    const std::size_t count = snapshot.points.size();
    constexpr std::size_t max_corner_count = std::numeric_limits<std::int32_t>::max();
    const std::size_t triangle_count = snapshot.triangles ? snapshot.triangles->size() : 0;
    if (count > max_corner_count || 3 * triangle_count > max_corner_count)
        throw InputError("more points than the 32 bits of a VTK file can count");

    AppendedData data;
    const std::string time = data.add<double>("TimeValue", 1, {&snapshot.time, 1}, " NumberOfTuples=\"1\"");
    std::string fields;
    for (const Field& field : snapshot.fields)
        std::visit(
            [&](const auto& values) {
                fields += add_values(data, field.name, field.components, values, options);
            },
            field.values);
    std::vector<double> coordinates;
    coordinates.reserve(3 * count);
    for (const Vec<3>& x : snapshot.points) coordinates.insert(coordinates.end(), x.begin(), x.end());
    const std::string points = add_values(data, "Points", 3, coordinates, options);

    std::vector<std::int32_t> connectivity;
    std::vector<std::int32_t> offsets;
    if (snapshot.triangles) {
        for (const std::array<Index, 3>& corners : *snapshot.triangles) {
            for (const Index corner : corners) connectivity.push_back(static_cast<std::int32_t>(corner));
            offsets.push_back(static_cast<std::int32_t>(connectivity.size()));
        }
    } else {
        connectivity.resize(count);
        std::iota(connectivity.begin(), connectivity.end(), 0);
        offsets.resize(count);
        std::iota(offsets.begin(), offsets.end(), 1);
    }
    const std::string cells = data.add<std::int32_t>("connectivity", 1, connectivity) +
                              data.add<std::int32_t>("offsets", 1, offsets);
    const std::string_view cell_kind = snapshot.triangles ? "Polys" : "Verts";

    std::string text =
        "<?xml version=\"1.0\"?>\n"
        "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
        "<PolyData>\n<FieldData>\n";
    text += time;
    text += "</FieldData>\n<Piece NumberOfPoints=\"" + std::to_string(count) + "\" NumberOfVerts=\"" +
            std::to_string(snapshot.triangles ? 0 : count) +
            "\" NumberOfLines=\"0\" NumberOfStrips=\"0\" NumberOfPolys=\"" + std::to_string(triangle_count) +
            "\">\n";
    text += "<PointData" + active_attribute(snapshot, "Vectors", "velocity", 3) +
            active_attribute(snapshot, "Normals", "normal", 3) + ">\n" + fields + "</PointData>\n";
    text += "<Points>\n" + points + "</Points>\n";
    text.append("<").append(cell_kind).append(">\n").append(cells).append("</").append(cell_kind).append(
        ">\n");
    text += "</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_";
    constexpr std::string_view end = "\n</AppendedData>\n</VTKFile>\n";

    Buffer<std::byte> content(text.size() + data.size() + end.size());
    std::byte* out = content.data();
    std::memcpy(out, text.data(), text.size());
    out += text.size();
    for (const Buffer<std::byte>& piece : data.pieces()) {
        std::memcpy(out, piece.data(), piece.size());
        out += piece.size();
    }
    std::memcpy(out, end.data(), end.size());
    return content;
}

void write_vtp(const std::filesystem::path& path, const Snapshot& snapshot, const WriteOptions& options)
{
    write_file(path, encode_vtp(snapshot, options).span());
}

std::string encode_pvd(std::span<const PvdEntry> entries)
{
    std::string text =
        "<?xml version=\"1.0\"?>\n"
        "<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n<Collection>\n";
    for (const PvdEntry& entry : entries) {
        text += "<DataSet timestep=\"";
        detail::append_number(text, entry.time);
        text += "\" group=\"\" part=\"" + std::to_string(entry.part) + "\" name=\"" + xml_text(entry.name) +
                "\" file=\"" + xml_text(entry.file) + "\"/>\n";
    }
    text += "</Collection>\n</VTKFile>\n";
    return text;
}

void write_pvd(const std::filesystem::path& path, std::span<const PvdEntry> entries)
{
    write_file(path, encode_pvd(entries));
}

} // namespace phyxel
