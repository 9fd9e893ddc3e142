// SPDX-License-Identifier: MIT
#include <phyxel/core/error.h>
#include <phyxel/io/detail/line_reader.h>
#include <phyxel/io/detail/text.h>
#include <phyxel/io/file.h>
#include <phyxel/io/xyz.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace phyxel {
namespace {

using detail::LineReader;
using detail::take_word;

/// As a sum of rounded digits can still be told from a colour.
constexpr double length_error = 0.01;

/// With blanks where other programs write commas.
std::string_view in_blanks(std::string_view line, std::string& text)
{
    if (line.find_first_of(",;") == std::string_view::npos) return line;
    text = line;
    for (char& c : text)
        if (c == ',' || c == ';') c = ' ';
    return text;
}

} // namespace

SnapshotFile parse_xyz(std::span<const std::byte> bytes, const std::string& name)
{
    SnapshotFile file;
    std::vector<Vec<3>>& points = file.snapshot.points;
    std::vector<Vec<3>> normals;
    std::optional<std::size_t> skipped_line; // that has more than what was used of it
    LineReader lines(detail::as_text(bytes), name);
    std::string text;
    std::string_view line;
    bool is_first = true;
    while (lines.next(line)) {
        std::string_view words = in_blanks(line, text);
        std::string_view rest = words;
        const std::string_view word = take_word(rest);
        if (word.empty()) continue;
        const bool is_alone = take_word(rest).empty();
        if (std::exchange(is_first, false) && is_alone && detail::parse_integer(word).value_or(-1) >= 0)
            continue;
        points.push_back(detail::take_vector(words, lines));
        const bool has_normals_so_far = normals.size() + 1 == points.size();
        std::string_view after = words;
        if (has_normals_so_far) {
            Vec<3> n;
            bool is_direction = true;
            for (double& coordinate : n) {
                const std::optional<double> value = detail::parse_number(take_word(after));
                is_direction = is_direction && value;
                coordinate = value.value_or(0.0);
            }
            if (is_direction && std::abs(n.norm() - 1.0) < length_error) {
                normals.push_back(n);
                words = after;
            }
        }
        if (!skipped_line && !take_word(words).empty()) skipped_line = lines.line();
    }
    if (points.empty()) throw InputError(name + ": not an XYZ file, or an empty one: it has no points");
    file.report.vertex_count = points.size();
    const bool has_normals = normals.size() == points.size();
    if (has_normals) file.snapshot.fields.push_back(vector_field<3, double>("normal", normals));
    if (skipped_line || (!has_normals && !normals.empty()))
        file.report.warnings.push_back(name + ":" + std::to_string(skipped_line.value_or(1)) +
                                       ": what follows " + (has_normals ? "the normals" : "the places") +
                                       " was skipped; normals are three numbers of length 1");
    return file;
}

SnapshotFile read_xyz(const std::filesystem::path& path)
{
    const Buffer<std::byte> content = read_file(path);
    return parse_xyz(content.span(), path.string());
}

} // namespace phyxel
