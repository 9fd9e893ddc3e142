// SPDX-License-Identifier: MIT
#include <phyxel/core/error.h>
#include <phyxel/io/bytes.h>
#include <phyxel/io/detail/text.h>
#include <phyxel/io/file.h>
#include <phyxel/io/vtk.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace phyxel {
namespace {

using detail::in_quotes;

/// `<Name key="value" …>`, `<Name …/>` or `</Name>`.
struct Tag {
    std::string_view name;
    std::vector<std::pair<std::string_view, std::string_view>> attributes;
    bool is_end = false;    ///< begins with a slash
    bool is_closed = false; ///< has nothing within

    std::optional<std::string_view> find(std::string_view key) const
    {
        const auto found = std::find_if(attributes.begin(), attributes.end(),
                                        [&](const auto& attribute) { return attribute.first == key; });
        if (found == attributes.end()) return std::nullopt;
        return found->second;
    }
};

/// The tags of the text in front of the data, one after the other. What stands between them is not looked at.
class TagReader {
public:
    TagReader(std::string_view text, std::string name) : text_(text), name_(std::move(name)) {}

    std::optional<Tag> next()
    {
        for (;;) {
            const std::size_t begin = text_.find('<', position_);
            if (begin == std::string_view::npos) return std::nullopt;
            move_to(begin + 1);
            if (text_.substr(position_).starts_with("!--"))
                skip_past("-->");
            else if (text_.substr(position_).starts_with("?"))
                skip_past("?>");
            else
                return tag();
        }
    }

    /// Behind the first character `c` from here on.
    std::size_t position_behind(char c)
    {
        const std::size_t found = text_.find(c, position_);
        if (found == std::string_view::npos) fail("the file ends too early");
        return found + 1;
    }

    [[noreturn]] void fail(const std::string& what) const
    {
        throw InputError(name_ + ":" + std::to_string(line_) + ": " + what);
    }

private:
    static bool is_name_character(char c)
    {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
               c == '-' || c == ':' || c == '.';
    }

    void move_to(std::size_t position)
    {
        line_ +=
            static_cast<std::size_t>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(position_),
                                                text_.begin() + static_cast<std::ptrdiff_t>(position), '\n'));
        position_ = position;
    }

    void skip_past(std::string_view end)
    {
        const std::size_t found = text_.find(end, position_);
        if (found == std::string_view::npos) fail("the file ends too early");
        move_to(found + end.size());
    }

    void skip_blanks()
    {
        std::size_t end = position_;
        while (end < text_.size() && detail::is_blank(text_[end])) ++end;
        move_to(end);
    }

    char take()
    {
        if (position_ >= text_.size()) fail("the file ends too early");
        return text_[position_++];
    }

    std::string_view take_name()
    {
        const std::size_t begin = position_;
        while (position_ < text_.size() && is_name_character(text_[position_])) ++position_;
        if (position_ == begin) fail("this is not the XML of a VTK file");
        return text_.substr(begin, position_ - begin);
    }

    Tag tag()
    {
        // Far above what any element of VTK has.
        constexpr std::size_t max_attribute_count = 64;
        Tag tag;
        if (text_.substr(position_).starts_with("/")) {
            tag.is_end = true;
            ++position_;
        }
        tag.name = take_name();
        for (;;) {
            skip_blanks();
            const char c = take();
            if (c == '>') return tag;
            if (c == '/') {
                if (take() != '>') fail("this is not the XML of a VTK file");
                tag.is_closed = true;
                return tag;
            }
            --position_;
            const std::string_view key = take_name();
            skip_blanks();
            if (take() != '=') fail("attribute " + in_quotes(key) + " has no value");
            skip_blanks();
            const char quote = take();
            if (quote != '"' && quote != '\'') fail("attribute " + in_quotes(key) + " has no value");
            const std::size_t begin = position_;
            const std::size_t end = text_.find(quote, begin);
            if (end == std::string_view::npos) fail("the file ends too early");
            if (tag.find(key)) fail("attribute " + in_quotes(key) + " appears twice");
            if (tag.attributes.size() == max_attribute_count) fail("too many attributes");
            tag.attributes.emplace_back(key, text_.substr(begin, end - begin));
            move_to(end + 1);
        }
    }

    std::string_view text_;
    std::string name_;
    std::size_t position_ = 0;
    std::size_t line_ = 1;
};

/// Undoes what the writer does to names.
std::string plain_text(std::string_view text, const TagReader& reader)
{
    constexpr std::array<std::pair<std::string_view, char>, 5> entities = {
        {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}}};
    std::string result;
    while (!text.empty()) {
        if (const char c = text.front(); c != '&') {
            if ((c >= 0 && c < 0x20) || c == 0x7f) reader.fail("a name has a control character");
            result += c;
            text.remove_prefix(1);
            continue;
        }
        const auto entity = std::find_if(entities.begin(), entities.end(),
                                         [&](const auto& known) { return text.starts_with(known.first); });
        if (entity == entities.end())
            reader.fail("unknown character reference in " + in_quotes(text.substr(0, 12)));
        result += entity->second;
        text.remove_prefix(entity->first.size());
    }
    return result;
}

/// An array that the text announces; its values are among the data.
struct Announced {
    std::string name;
    std::string_view type;
    std::int64_t components = 1;
    std::uint64_t offset = 0;
};

/// All arrays of a file by where they stand.
struct Announcement {
    std::optional<Announced> time, points, connectivity, offsets;
    std::vector<Announced> fields;
    std::int64_t point_count = 0;
    bool has_vertices = false; ///< cells that are points
    bool has_polygons = false;
    std::size_t data_begin = 0;
};

std::string_view required(const Tag& tag, std::string_view key, const TagReader& reader)
{
    const std::optional<std::string_view> value = tag.find(key);
    if (!value) reader.fail("<" + std::string(tag.name) + "> has no attribute \"" + std::string(key) + "\"");
    return *value;
}

void require_value(const Tag& tag, std::string_view key, std::string_view expected, const TagReader& reader)
{
    const std::string_view value = required(tag, key, reader);
    if (value != expected)
        reader.fail(std::string(key) + " is " + in_quotes(value) +
                    "; only files as Phyxel writes them can be read, with \"" + std::string(expected) + "\"");
}

std::int64_t count_at(const Tag& tag, std::string_view key, const TagReader& reader)
{
    const std::string_view text = required(tag, key, reader);
    const std::optional<std::int64_t> value = detail::parse_integer(text);
    if (!value || *value < 0) reader.fail(std::string(key) + " is " + in_quotes(text) + ", not a count");
    return *value;
}

Announced announced_by(const Tag& tag, const TagReader& reader)
{
    require_value(tag, "format", "appended", reader);
    Announced array;
    array.name = plain_text(required(tag, "Name", reader), reader);
    array.type = required(tag, "type", reader);
    if (tag.find("NumberOfComponents")) array.components = count_at(tag, "NumberOfComponents", reader);
    array.offset = static_cast<std::uint64_t>(count_at(tag, "offset", reader));
    return array;
}

void take_array(Announcement& file, std::string_view section, const Tag& tag, const TagReader& reader)
{
    // Far above what any program writes.
    constexpr std::size_t max_field_count = 4096;
    const auto keep = [&](std::optional<Announced>& place, Announced array) {
        if (place) reader.fail("array " + in_quotes(array.name) + " appears twice");
        place = std::move(array);
    };
    Announced array = announced_by(tag, reader);
    if (section == "PointData") {
        if (file.fields.size() == max_field_count) reader.fail("too many arrays");
        file.fields.push_back(std::move(array));
    } else if (section == "Points") {
        keep(file.points, std::move(array));
    } else if (section == "FieldData" && array.name == "TimeValue") {
        keep(file.time, std::move(array));
    } else if (section == "Polys" && array.name == "connectivity") {
        keep(file.connectivity, std::move(array));
    } else if (section == "Polys" && array.name == "offsets") {
        keep(file.offsets, std::move(array));
    }
}

Announcement parse_text(std::string_view text, const std::string& name)
{
    TagReader reader(text, name);
    Announcement file;
    std::string_view section;
    bool is_vtk = false;
    bool has_piece = false;
    std::size_t tag_count = 0;
    while (const std::optional<Tag> tag = reader.next()) {
        if (!is_vtk) {
            if (tag->name != "VTKFile" || tag->is_end)
                reader.fail("not a VTK file: it does not begin with <VTKFile>");
            require_value(*tag, "type", "PolyData", reader);
            require_value(*tag, "byte_order", "LittleEndian", reader);
            require_value(*tag, "header_type", "UInt64", reader);
            if (tag->find("compressor")) reader.fail("compressed VTK files cannot be read");
            is_vtk = true;
            continue;
        }
        if (tag->name == "AppendedData" && !tag->is_end) {
            require_value(*tag, "encoding", "raw", reader);
            file.data_begin = reader.position_behind('_');
            if (!has_piece) reader.fail("there is no <Piece>");
            return file;
        }
        if (tag->name == "DataArray") {
            if (!tag->is_end) take_array(file, section, *tag, reader);
            // Our arrays are closed at once; in those of others something may stand.
            continue;
        }
        if (tag->is_end) {
            section = {};
            continue;
        }
        if (tag->name == "Piece") {
            if (has_piece) reader.fail("files of several pieces cannot be read");
            has_piece = true;
            file.point_count = count_at(*tag, "NumberOfPoints", reader);
        } else if (!tag->is_closed) {
            section = tag->name;
        }
        file.has_vertices = file.has_vertices || tag->name == "Verts";
        file.has_polygons = file.has_polygons || tag->name == "Polys";
        constexpr std::size_t max_tag_count = 10000;
        if (++tag_count > max_tag_count) reader.fail("too many elements");
    }
    reader.fail(is_vtk ? "there is no <AppendedData>" : "not a VTK file: it does not begin with <VTKFile>");
}

/// The data behind the text. Arrays that share bytes could make a small file large, so all arrays together
/// must not be larger than the data.
class AppendedReader {
public:
    AppendedReader(std::span<const std::byte> data, std::string name) : data_(data), name_(std::move(name)) {}

    template <class T>
    std::vector<T> values(const Announced& array)
    {
        if (array.offset > data_.size()) fail(array, "begins behind the end of the file");
        ByteReader reader(data_.subspan(static_cast<std::size_t>(array.offset)), name_);
        if (!reader.has(1, sizeof(std::uint64_t))) fail(array, "begins behind the end of the file");
        const auto size = reader.take<std::uint64_t>();
        if (size > reader.remaining()) fail(array, "is longer than the file");
        if (size % sizeof(T) != 0) fail(array, "has a size that does not fit its type");
        taken_ += size;
        if (taken_ > data_.size()) fail(array, "shares its bytes with others");
        std::vector<T> values(static_cast<std::size_t>(size) / sizeof(T));
        if (size > 0)
            std::memcpy(values.data(), reader.take(static_cast<std::size_t>(size)).data(),
                        static_cast<std::size_t>(size));
        return values;
    }

    Field::Values any_values(const Announced& array)
    {
        if (array.type == "Float64") return values<double>(array);
        if (array.type == "Float32") return values<float>(array);
        if (array.type == "Int32") return values<std::int32_t>(array);
        if (array.type == "UInt64") return values<std::uint64_t>(array);
        fail(array, "is of the type " + in_quotes(array.type) + "; allowed: Float64, Float32, Int32, UInt64");
    }

    std::vector<std::int32_t> whole_numbers(const Announced& array)
    {
        if (array.type != "Int32")
            fail(array, "is of the type " + in_quotes(array.type) + "; allowed: Int32");
        return values<std::int32_t>(array);
    }

    [[noreturn]] void fail(const Announced& array, const std::string& what) const
    {
        throw InputError(name_ + ": array " + in_quotes(array.name) + " " + what);
    }

private:
    std::span<const std::byte> data_;
    std::string name_;
    std::uint64_t taken_ = 0;
};

std::size_t count_of(const Field::Values& values)
{
    return std::visit([](const auto& v) { return v.size(); }, values);
}

void read_points(AppendedReader& data, const Announcement& header, const std::string& name,
                 SnapshotFile& file)
{
    if (!header.points) throw InputError(name + ": there are no points");
    const Announced& array = *header.points;
    const Field::Values values = data.any_values(array);
    file.is_double = std::holds_alternative<std::vector<double>>(values);
    if (!file.is_double && !std::holds_alternative<std::vector<float>>(values))
        data.fail(array, "is not of real numbers");
    if (array.components != 3 || count_of(values) % 3 != 0 ||
        count_of(values) / 3 != static_cast<std::uint64_t>(header.point_count))
        data.fail(array, "does not have three numbers for each of " + std::to_string(header.point_count) +
                             " points");
    std::visit(
        [&](const auto& x) {
            file.snapshot.points.resize(x.size() / 3);
            for (std::size_t i = 0; i < file.snapshot.points.size(); ++i)
                for (std::size_t k = 0; k < 3; ++k)
                    file.snapshot.points[i][static_cast<int>(k)] = static_cast<double>(x[3 * i + k]);
        },
        values);
    file.report.vertex_count = file.snapshot.points.size();
}

void read_fields(AppendedReader& data, const Announcement& header, SnapshotFile& file)
{
    for (const Announced& array : header.fields) {
        Field field{array.name, static_cast<int>(std::clamp<std::int64_t>(array.components, 0, 10)), {}};
        if (field.components != 1 && field.components != 3 && field.components != 6 && field.components != 9)
            data.fail(array, "has " + std::to_string(array.components) + " components; allowed: 1, 3, 6, 9");
        field.values = data.any_values(array);
        if (count_of(field.values) !=
            file.snapshot.points.size() * static_cast<std::size_t>(field.components))
            data.fail(array, "does not have a value for each point");
        file.snapshot.fields.push_back(std::move(field));
    }
}

/// Polygons become fans of triangles.
void read_triangles(AppendedReader& data, const Announcement& header, const std::string& name,
                    SnapshotFile& file)
{
    std::vector<std::array<Index, 3>> triangles;
    if (header.connectivity.has_value() != header.offsets.has_value())
        throw InputError(name + ": <Polys> needs the arrays \"connectivity\" and \"offsets\"");
    if (header.connectivity) {
        const std::vector<std::int32_t> corners = data.whole_numbers(*header.connectivity);
        const std::vector<std::int32_t> ends = data.whole_numbers(*header.offsets);
        for (const std::int32_t corner : corners)
            if (corner < 0 || static_cast<std::size_t>(corner) >= file.snapshot.points.size())
                data.fail(*header.connectivity, "names point " + std::to_string(corner) + " of " +
                                                    std::to_string(file.snapshot.points.size()));
        std::size_t begin = 0;
        for (const std::int32_t offset : ends) {
            if (offset < 0 || static_cast<std::size_t>(offset) < begin ||
                static_cast<std::size_t>(offset) > corners.size())
                data.fail(*header.offsets, "does not ascend within the corners");
            const auto end = static_cast<std::size_t>(offset);
            ++file.report.face_count;
            if (end - begin < 3) ++file.report.dropped_face_count;
            if (end - begin > 3) ++file.report.polygon_count;
            for (std::size_t k = begin + 2; k < end; ++k)
                triangles.push_back({static_cast<Index>(corners[begin]), static_cast<Index>(corners[k - 1]),
                                     static_cast<Index>(corners[k])});
            begin = end;
        }
    }
    // A file may have an empty list of polygons beside its points.
    if (file.report.face_count > 0 || !header.has_vertices) file.snapshot.triangles = std::move(triangles);
    if (file.report.dropped_face_count > 0)
        file.report.warnings.push_back(name + ": " +
                                       detail::counted(file.report.dropped_face_count, "face", "faces") +
                                       " with fewer than three corners dropped");
}

} // namespace

SnapshotFile parse_vtp(std::span<const std::byte> content, const std::string& name)
{
    const Announcement header = parse_text(detail::as_text(content), name);
    AppendedReader data(content.subspan(header.data_begin), name);
    SnapshotFile file;
    read_points(data, header, name, file);
    read_fields(data, header, file);
    if (header.has_polygons) read_triangles(data, header, name, file);
    if (header.time) {
        const Field::Values time = data.any_values(*header.time);
        const auto* values = std::get_if<std::vector<double>>(&time);
        if (values == nullptr || values->size() != 1) data.fail(*header.time, "is not one Float64");
        file.snapshot.time = values->front();
    }
    return file;
}

SnapshotFile read_vtp(const std::filesystem::path& path)
{
    const Buffer<std::byte> content = read_file(path);
    return parse_vtp(content.span(), path.string());
}

} // namespace phyxel
