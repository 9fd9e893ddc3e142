// SPDX-License-Identifier: MIT
#include <phyxel/core/error.h>
#include <phyxel/io/bytes.h>
#include <phyxel/io/detail/text.h>
#include <phyxel/io/file.h>
#include <phyxel/io/stl.h>

#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace phyxel {
namespace {

using detail::in_quotes;
using detail::lower_case;

constexpr std::size_t header_size = 80;
constexpr std::size_t triangle_size = 50;

/// The bits of three coordinates; both zeros count as one.
using Corner = std::array<std::uint64_t, 3>;

struct CornerHash {
    std::size_t operator()(const Corner& corner) const
    {
        std::uint64_t hash = 0;
        for (const std::uint64_t bits : corner) {
            hash = (hash ^ bits) * 0x9fb21c651e98df25u;
            hash ^= hash >> 29;
        }
        return hash;
    }
};

/// Numbers the corners in the order in which they first appear.
class VertexMerger {
public:
    explicit VertexMerger(Snapshot& snapshot) : snapshot_(snapshot) { snapshot.triangles.emplace(); }

    void reserve(std::size_t triangle_count)
    {
        snapshot_.triangles->reserve(triangle_count);
        // A closed mesh has half as many vertices as triangles.
        snapshot_.points.reserve(triangle_count / 2 + 2);
        numbers_.reserve(triangle_count / 2 + 2);
    }

    void add_triangle(const std::array<Vec<3>, 3>& corners)
    {
        snapshot_.triangles->push_back({number_of(corners[0]), number_of(corners[1]), number_of(corners[2])});
    }

private:
    Index number_of(const Vec<3>& x)
    {
        Corner corner;
        for (std::size_t k = 0; k < 3; ++k)
            corner[k] = std::bit_cast<std::uint64_t>(x[static_cast<int>(k)] + 0.0);
        const auto [entry, is_new] =
            numbers_.try_emplace(corner, static_cast<Index>(snapshot_.points.size()));
        if (is_new) snapshot_.points.push_back(x);
        return entry->second;
    }

    Snapshot& snapshot_;
    std::unordered_map<Corner, Index, CornerHash> numbers_;
};

bool is_text(std::string_view text)
{
    // Binary data of any length have a zero among their first numbers or at least in the header.
    constexpr std::size_t examined = 1024;
    std::string_view rest = text.substr(0, examined);
    if (rest.find('\0') != std::string_view::npos) return false;
    return lower_case(detail::take_word(rest)) == "solid";
}

void parse_binary(std::span<const std::byte> bytes, const std::string& name, SnapshotFile& file)
{
    ByteReader reader(bytes, name);
    reader.take(header_size);
    const auto count = reader.take<std::uint32_t>();
    if (!reader.has(count, triangle_size))
        reader.fail("the header promises " + detail::counted(count, "triangle", "triangles") +
                    " of 50 bytes, but " +
                    detail::counted(reader.remaining(), "byte follows", "bytes follow"));
    VertexMerger merger(file.snapshot);
    merger.reserve(count);
    for (std::uint32_t t = 0; t < count; ++t) {
        reader.take(3 * sizeof(float));
        std::array<Vec<3>, 3> corners;
        for (Vec<3>& corner : corners)
            for (double& coordinate : corner) coordinate = static_cast<double>(reader.take<float>());
        merger.add_triangle(corners);
        reader.take(sizeof(std::uint16_t));
    }
    if (reader.remaining() > 0)
        file.report.warnings.push_back(name + ": there is more in the file than its header promises");
    file.report.face_count = count;
    file.is_double = false;
}

class AsciiParser {
public:
    AsciiParser(std::string_view text, const std::string& name) : words_(text, name) {}

    /// One or more of: solid NAME, facets, endsolid NAME.
    void parse(const std::string& name, SnapshotFile& file)
    {
        VertexMerger merger(file.snapshot);
        bool is_in_solid = false;
        for (;;) {
            const std::string word = lower_case(words_.next());
            if (word.empty()) break;
            if (word == "solid" && !is_in_solid) {
                is_in_solid = true;
                words_.skip_line();
            } else if (word == "endsolid" && is_in_solid) {
                is_in_solid = false;
                words_.skip_line();
            } else if (word == "facet" && is_in_solid) {
                merger.add_triangle(parse_facet());
                ++file.report.face_count;
            } else {
                words_.fail(in_quotes(word) + (is_in_solid ? " instead of \"facet\" or \"endsolid\""
                                                           : " instead of \"solid\""));
            }
        }
        if (is_in_solid) file.report.warnings.push_back(name + ": the file ends without \"endsolid\"");
    }

private:
    /// Everything behind the word "facet".
    std::array<Vec<3>, 3> parse_facet()
    {
        expect("normal");
        for (int k = 0; k < 3; ++k) number();
        expect("outer");
        expect("loop");
        std::array<Vec<3>, 3> corners;
        for (Vec<3>& corner : corners) {
            expect("vertex");
            for (double& coordinate : corner) coordinate = number();
        }
        expect("endloop");
        expect("endfacet");
        return corners;
    }

    void expect(std::string_view expected)
    {
        const std::string_view word = next();
        if (lower_case(word) != expected) words_.fail(in_quotes(word) + " instead of " + in_quotes(expected));
    }

    double number()
    {
        const std::string_view word = next();
        const std::optional<double> value = detail::parse_number(word);
        if (!value) words_.fail(in_quotes(word) + " is not a number");
        return *value;
    }

    std::string_view next()
    {
        const std::string_view word = words_.next();
        if (word.empty()) words_.fail("the file ends within a facet");
        return word;
    }

    detail::WordReader words_;
};

} // namespace

SnapshotFile parse_stl(std::span<const std::byte> bytes, const std::string& name)
{
    std::uint64_t promised = 0;
    const bool has_header = bytes.size() >= header_size + sizeof(std::uint32_t);
    if (has_header) {
        ByteReader reader(bytes, name);
        reader.take(header_size);
        promised =
            header_size + sizeof(std::uint32_t) + triangle_size * std::uint64_t(reader.take<std::uint32_t>());
    }
    SnapshotFile file;
    if (bytes.size() != promised && is_text(detail::as_text(bytes)))
        AsciiParser(detail::as_text(bytes), name).parse(name, file);
    else if (has_header)
        parse_binary(bytes, name, file);
    else
        throw InputError(name +
                         ": not an STL file: it neither begins with \"solid\" nor has a header of 84 bytes");
    file.report.vertex_count = file.snapshot.points.size();
    return file;
}

SnapshotFile read_stl(const std::filesystem::path& path)
{
    const Buffer<std::byte> content = read_file(path);
    return parse_stl(content.span(), path.string());
}

} // namespace phyxel
