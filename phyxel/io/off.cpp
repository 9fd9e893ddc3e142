// SPDX-License-Identifier: MIT
#include <phyxel/core/error.h>
#include <phyxel/io/detail/line_reader.h>
#include <phyxel/io/detail/text.h>
#include <phyxel/io/file.h>
#include <phyxel/io/off.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace phyxel {
namespace {

using detail::in_quotes;
using detail::LineReader;
using detail::take_word;

/// What the keyword of the first line says of the lines of vertices.
struct Kind {
    bool has_normals = false;
};

/// Takes the keyword, which may be missing, off the first line. Its parts stand in this order.
Kind take_keyword(std::string_view& line, const LineReader& lines)
{
    Kind kind;
    std::string_view rest = line;
    const auto take = [&](std::string_view part) {
        const bool is_there = rest.starts_with(part);
        if (is_there) rest.remove_prefix(part.size());
        return is_there;
    };
    while (!rest.empty() && detail::is_blank(rest.front())) rest.remove_prefix(1);
    take("ST");
    take("C");
    kind.has_normals = take("N");
    const bool has_other_dimension = take("4") || take("n");
    if (!take("OFF")) return {};
    if (has_other_dimension) lines.fail("points of three coordinates expected, the file has others");
    std::string_view words = rest;
    if (take_word(words) == "BINARY") lines.fail("binary OFF files cannot be read, only those of text");
    line = rest;
    return kind;
}

std::size_t take_count(std::string_view& words, const char* what, const LineReader& lines)
{
    const std::string_view word = take_word(words);
    const std::optional<std::int64_t> count = detail::parse_integer(word);
    if (!count || *count < 0) lines.fail("the number of " + std::string(what) + " expected");
    if (*count > std::int64_t(std::numeric_limits<Index>::max()))
        lines.fail(std::to_string(*count) + ' ' + what + " are more than any file has");
    return static_cast<std::size_t>(*count);
}

/// The next line that is not blank.
std::string_view next_line(LineReader& lines, const std::string& what)
{
    std::string_view line;
    while (lines.next(line))
        if (std::string_view words = line; !take_word(words).empty()) return line;
    lines.fail("the file ends, and " + what + " is missing");
}

} // namespace

SnapshotFile parse_off(std::span<const std::byte> bytes, const std::string& name)
{
    SnapshotFile file;
    LineReader lines(detail::as_text(bytes), name);
    std::string_view line = next_line(lines, "the number of vertices");
    const Kind kind = take_keyword(line, lines);
    if (std::string_view words = line; take_word(words).empty())
        line = next_line(lines, "the number of vertices");
    const std::size_t vertex_count = take_count(line, "vertices", lines);
    const std::size_t face_count = take_count(line, "faces", lines);

    std::vector<Vec<3>> normals;
    std::vector<Vec<3>>& points = file.snapshot.points;
    points.reserve(std::min(vertex_count, bytes.size()));
    for (std::size_t i = 0; i < vertex_count; ++i) {
        line = next_line(lines, "vertex " + std::to_string(i));
        points.push_back(detail::take_vector(line, lines));
        if (kind.has_normals) normals.push_back(detail::take_vector(line, lines));
    }
    std::vector<std::array<Index, 3>> triangles;
    std::vector<Index> polygon;
    for (std::size_t i = 0; i < face_count; ++i) {
        line = next_line(lines, "face " + std::to_string(i));
        const std::size_t corner_count = take_count(line, "corners", lines);
        polygon.clear();
        for (std::size_t k = 0; k < corner_count; ++k) {
            const std::string_view word = take_word(line);
            const std::optional<std::int64_t> corner = detail::parse_integer(word);
            if (word.empty()) lines.fail("a face has fewer corners than it says");
            if (!corner || *corner < 0 || *corner >= std::int64_t(vertex_count))
                lines.fail(in_quotes(word) + " is not the number of a vertex; the file has " +
                           detail::counted(vertex_count, "vertex", "vertices"));
            polygon.push_back(static_cast<Index>(*corner));
        }
        if (polygon.size() < 3) ++file.report.dropped_face_count;
        if (polygon.size() > 3) ++file.report.polygon_count;
        for (std::size_t k = 2; k < polygon.size(); ++k)
            triangles.push_back({polygon[0], polygon[k - 1], polygon[k]});
    }
    if (points.empty()) throw InputError(name + ": the file has no vertices");
    if (face_count > 0)
        file.snapshot.triangles = std::move(triangles);
    else if (kind.has_normals)
        file.snapshot.fields.push_back(vector_field<3, double>("normal", normals));
    file.report.vertex_count = points.size();
    file.report.face_count = face_count;
    if (file.report.dropped_face_count > 0)
        file.report.warnings.push_back(name + ": " +
                                       detail::counted(file.report.dropped_face_count, "face", "faces") +
                                       " with fewer than three corners dropped");
    return file;
}

SnapshotFile read_off(const std::filesystem::path& path)
{
    const Buffer<std::byte> content = read_file(path);
    return parse_off(content.span(), path.string());
}

} // namespace phyxel
