// SPDX-License-Identifier: MIT
#include <phyxel/core/assert.h>
#include <phyxel/core/error.h>
#include <phyxel/io/detail/columns.h>
#include <phyxel/io/detail/ply_types.h>
#include <phyxel/io/detail/text.h>
#include <phyxel/io/file.h>
#include <phyxel/io/ply.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <set>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace phyxel {
namespace {

using detail::in_quotes;
using detail::PlyType;

/// A property of the vertices, and which numbers of the snapshot it holds.
struct Column {
    std::string name;
    PlyType type;
    const Field* field; ///< nullptr for the positions
    std::size_t component;
    bool is_upper_half; ///< of 64-bit numbers
    std::size_t offset; ///< bytes from the begin of a vertex
};

struct Layout {
    std::vector<Column> columns;
    std::size_t stride = 0; ///< bytes of a vertex

    void add(std::string name, PlyType type, const Field* field, std::size_t component,
             bool is_upper_half = false)
    {
        const bool is_plain =
            std::all_of(name.begin(), name.end(), [](char c) { return c < 0 || (c > 0x20 && c != 0x7f); });
        if (name.empty() || !is_plain)
            throw InputError("the name " + in_quotes(name) + " cannot be that of a property in a PLY file");
        columns.push_back({std::move(name), type, field, component, is_upper_half, stride});
        stride += detail::size_of(type);
    }
};

/// The one field that every program knows under other names than ours.
bool is_normal(const Field& field)
{
    return field.name == "normal" && field.components == 3 &&
           (std::holds_alternative<std::vector<float>>(field.values) ||
            std::holds_alternative<std::vector<double>>(field.values));
}

void add_field(const Field& field, PlyType real, Layout& layout)
{
    std::vector<std::string> names = detail::column_names(field);
    if (is_normal(field)) names = {"nx", "ny", "nz"};
    for (std::size_t k = 0; k < names.size(); ++k) {
        if (std::holds_alternative<std::vector<std::uint64_t>>(field.values)) {
            layout.add(names[k], PlyType::UInt32, &field, k);
            layout.add(names[k] + "_high", PlyType::UInt32, &field, k, true);
        } else if (std::holds_alternative<std::vector<std::int32_t>>(field.values)) {
            layout.add(names[k], PlyType::Int32, &field, k);
        } else {
            const bool is_float = std::holds_alternative<std::vector<float>>(field.values);
            layout.add(names[k], is_float ? PlyType::Float32 : real, &field, k);
        }
    }
}

Layout layout_of(const Snapshot& snapshot, const WriteOptions& options)
{
    const PlyType real = options.double_precision ? PlyType::Float64 : PlyType::Float32;
    Layout layout;
    for (std::size_t axis = 0; axis < 3; ++axis) layout.add(std::string(1, "xyz"[axis]), real, nullptr, axis);
    // Normals first, as some programs read x, y, z, nx, ny, nz by their place.
    for (const Field& field : snapshot.fields)
        if (is_normal(field)) add_field(field, real, layout);
    for (const Field& field : snapshot.fields)
        if (!is_normal(field)) add_field(field, real, layout);
    std::set<std::string_view> names;
    for (const Column& column : layout.columns)
        if (!names.insert(column.name).second)
            throw InputError("two fields would be called " + in_quotes(column.name) + " in a PLY file");
    return layout;
}

std::string header_of(const Snapshot& snapshot, const Layout& layout)
{
    std::string header = "ply\nformat binary_little_endian 1.0\ncomment written by Phyxel, SI units\n";
    if (!snapshot.body.empty()) {
        if (std::any_of(snapshot.body.begin(), snapshot.body.end(),
                        [](char c) { return c >= 0 && c < 0x20; }))
            throw InputError("the name " + in_quotes(snapshot.body) + " of a body must be printable");
        header += "comment body " + snapshot.body + "\n";
    }
    header += "comment time ";
    detail::append_number(header, snapshot.time);
    header += "\nelement vertex " + std::to_string(snapshot.points.size()) + "\n";
    for (const Column& column : layout.columns)
        header.append("property ")
            .append(detail::name_of(column.type))
            .append(" ")
            .append(column.name)
            .append("\n");
    if (snapshot.triangles)
        header += "element face " + std::to_string(snapshot.triangles->size()) +
                  "\nproperty list uchar int vertex_indices\n";
    return header + "end_header\n";
}

/// Puts the numbers of a column to their places, `stride` bytes apart.
void write_column(const Snapshot& snapshot, const Column& column, std::size_t stride, std::byte* vertices)
{
    const std::size_t count = snapshot.points.size();
    std::byte* const out = vertices + column.offset;
    auto place = [&]<class Out>(Out, auto&& value_at) {
        for (std::size_t i = 0; i < count; ++i) {
            const auto value = static_cast<Out>(value_at(i));
            std::memcpy(out + i * stride, &value, sizeof(Out));
        }
    };
    // The type is chosen out here, so that the loop knows it.
    auto place_numbers = [&](auto&& value_at) {
        if (column.type == PlyType::Int32)
            place(std::int32_t(), value_at);
        else if (column.type == PlyType::UInt32)
            place(std::uint32_t(), value_at);
        else if (column.type == PlyType::Float32)
            place(float(), value_at);
        else
            place(double(), value_at);
    };
    if (column.field == nullptr) {
        const auto axis = static_cast<int>(column.component);
        return place_numbers([&](std::size_t i) { return snapshot.points[i][axis]; });
    }
    std::visit(
        [&]<class T>(const std::vector<T>& values) {
            const auto components = static_cast<std::size_t>(column.field->components);
            if constexpr (std::is_same_v<T, std::uint64_t>) {
                const int shift = column.is_upper_half ? 32 : 0;
                place_numbers(
                    [&](std::size_t i) { return values[i * components + column.component] >> shift; });
            } else {
                place_numbers([&](std::size_t i) { return values[i * components + column.component]; });
            }
        },
        column.field->values);
}

} // namespace

Buffer<std::byte> encode_ply(const Snapshot& snapshot, const WriteOptions& options)
{
    PHYXEL_ASSERT(is_consistent(snapshot));
    if (snapshot.points.size() > std::size_t(std::numeric_limits<std::int32_t>::max()))
        throw InputError("more points than the 32 bits of a PLY file can count");
    const Layout layout = layout_of(snapshot, options);
    const std::string header = header_of(snapshot, layout);
    const std::size_t vertices_size = snapshot.points.size() * layout.stride;
    constexpr std::size_t triangle_size = 1 + 3 * sizeof(Index);
    const std::size_t triangle_count = snapshot.triangles ? snapshot.triangles->size() : 0;

    Buffer<std::byte> content(header.size() + vertices_size + triangle_count * triangle_size);
    std::memcpy(content.data(), header.data(), header.size());
    std::byte* const vertices = content.data() + header.size();
    for (const Column& column : layout.columns) write_column(snapshot, column, layout.stride, vertices);
    std::byte* triangle = vertices + vertices_size;
    for (std::size_t t = 0; t < triangle_count; ++t, triangle += triangle_size) {
        *triangle = std::byte(3);
        std::memcpy(triangle + 1, (*snapshot.triangles)[t].data(), 3 * sizeof(Index));
    }
    return content;
}

void write_ply(const std::filesystem::path& path, const Snapshot& snapshot, const WriteOptions& options)
{
    write_file(path, encode_ply(snapshot, options).span());
}

} // namespace phyxel
