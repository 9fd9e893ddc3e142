// SPDX-License-Identifier: MIT
#include <phyxel/core/assert.h>
#include <phyxel/core/error.h>
#include <phyxel/io/detail/line_reader.h>
#include <phyxel/io/detail/text.h>
#include <phyxel/io/file.h>
#include <phyxel/io/obj.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace phyxel {
namespace {

using detail::in_quotes;
using detail::LineReader;
using detail::take_word;

/// What the format knows beside v, vn and f, and we do not need.
constexpr auto skipped_keywords = std::to_array<std::string_view>(
    {"vt",       "vp",       "g",      "s",          "o",         "mg",    "p",     "l",    "usemtl",
     "usemap",   "mtllib",   "maplib", "cstype",     "deg",       "bmat",  "step",  "curv", "curv2",
     "surf",     "parm",     "trim",   "hole",       "scrv",      "sp",    "end",   "con",  "bevel",
     "c_interp", "d_interp", "lod",    "shadow_obj", "trace_obj", "ctech", "stech", "fo",   "bsp",
     "bzp",      "cdc",      "cdp",    "res",        "call"});

/// Number of the vertex in a corner such as 7, 7/1, 7//3 or -2/-1/-1. Positive ones may come before their
/// vertex and are checked at the end.
Index parse_corner(std::string_view word, std::size_t vertex_count, const LineReader& lines)
{
    const std::string_view number = word.substr(0, word.find('/'));
    const std::optional<std::int64_t> value = detail::parse_integer(number);
    if (!value) lines.fail(in_quotes(word) + " is not the corner of a face");
    if (*value == 0) lines.fail("a face has the vertex 0, but vertices count from 1");
    if (*value > 0) {
        if (*value > std::int64_t(std::numeric_limits<Index>::max()))
            lines.fail("a face has the vertex " + std::to_string(*value) + ", more than any file has");
        return static_cast<Index>(*value - 1);
    }
    if (*value < -static_cast<std::int64_t>(vertex_count))
        lines.fail("a face has the vertex " + std::to_string(*value) + ", which is before the first one");
    return static_cast<Index>(static_cast<std::int64_t>(vertex_count) + *value);
}

const Field* normals_of(const Snapshot& snapshot)
{
    const Field* field = snapshot.find("normal");
    return field != nullptr && field->components == 3 ? field : nullptr;
}

} // namespace

SnapshotFile parse_obj(std::span<const std::byte> bytes, const std::string& name)
{
    SnapshotFile file;
    std::vector<Vec<3>>& points = file.snapshot.points;
    std::vector<std::array<Index, 3>> triangles;
    std::vector<Vec<3>> normals;
    std::vector<Index> polygon;
    Index greatest_vertex = 0;
    std::size_t greatest_line = 0;
    std::size_t unknown_count = 0;
    std::size_t unknown_line = 0;

    LineReader lines(detail::as_text(bytes), name);
    std::string_view words;
    while (lines.next(words)) {
        const std::string_view keyword = take_word(words);
        if (keyword.empty()) continue;
        if (keyword == "v") {
            points.push_back(detail::take_vector(words, lines));
        } else if (keyword == "vn") {
            normals.push_back(detail::take_vector(words, lines));
        } else if (keyword == "f") {
            polygon.clear();
            for (std::string_view word = take_word(words); !word.empty(); word = take_word(words)) {
                polygon.push_back(parse_corner(word, points.size(), lines));
                if (polygon.back() > greatest_vertex || greatest_line == 0) {
                    greatest_vertex = polygon.back();
                    greatest_line = lines.line();
                }
            }
            ++file.report.face_count;
            if (polygon.size() < 3) ++file.report.dropped_face_count;
            if (polygon.size() > 3) ++file.report.polygon_count;
            for (std::size_t k = 2; k < polygon.size(); ++k)
                triangles.push_back({polygon[0], polygon[k - 1], polygon[k]});
        } else if (std::find(skipped_keywords.begin(), skipped_keywords.end(), keyword) ==
                   skipped_keywords.end()) {
            if (unknown_count++ == 0) unknown_line = lines.line();
        }
    }
    if (points.empty()) throw InputError(name + ": not an OBJ file, or an empty one: it has no vertices");
    if (greatest_line > 0 && greatest_vertex >= points.size())
        lines.fail_at(greatest_line,
                      "a face has the vertex " + std::to_string(std::uint64_t(greatest_vertex) + 1) +
                          ", but the file has " + detail::counted(points.size(), "vertex", "vertices"));
    if (file.report.face_count > 0)
        file.snapshot.triangles = std::move(triangles);
    else if (normals.size() == points.size())
        file.snapshot.fields.push_back(vector_field<3, double>("normal", normals));

    file.report.vertex_count = points.size();
    if (file.report.dropped_face_count > 0)
        file.report.warnings.push_back(name + ": " +
                                       detail::counted(file.report.dropped_face_count, "face", "faces") +
                                       " with fewer than three corners dropped");
    if (unknown_count > 0)
        file.report.warnings.push_back(name + ":" + std::to_string(unknown_line) + ": " +
                                       detail::counted(unknown_count, "line", "lines") +
                                       " of an unknown kind skipped, the first is here");
    return file;
}

SnapshotFile read_obj(const std::filesystem::path& path)
{
    const Buffer<std::byte> content = read_file(path);
    return parse_obj(content.span(), path.string());
}

std::string encode_obj(const Snapshot& snapshot)
{
    PHYXEL_ASSERT(is_consistent(snapshot));
    std::string text = "# written by Phyxel, SI units\n";
    auto append_vector = [&](std::string_view keyword, auto x, auto y, auto z) {
        text += keyword;
        for (const auto coordinate : {x, y, z}) {
            text += ' ';
            detail::append_number(text, coordinate);
        }
        text += '\n';
    };
    for (const Vec<3>& x : snapshot.points) append_vector("v", x[0], x[1], x[2]);
    const Field* normals = normals_of(snapshot);
    if (normals != nullptr) {
        std::visit(
            [&]<class T>(const std::vector<T>& n) {
                if constexpr (std::is_floating_point_v<T>)
                    for (std::size_t i = 0; i < n.size(); i += 3)
                        append_vector("vn", n[i], n[i + 1], n[i + 2]);
            },
            normals->values);
    }
    if (snapshot.triangles) {
        for (const std::array<Index, 3>& corners : *snapshot.triangles) {
            text += 'f';
            for (const Index corner : corners) {
                const std::string number = std::to_string(std::uint64_t(corner) + 1);
                text += ' ';
                text += number;
                if (normals != nullptr) text.append("//").append(number);
            }
            text += '\n';
        }
    }
    return text;
}

void write_obj(const std::filesystem::path& path, const Snapshot& snapshot)
{
    write_file(path, encode_obj(snapshot));
}

} // namespace phyxel
