// SPDX-License-Identifier: MIT
#include <phyxel/core/error.h>
#include <phyxel/io/bytes.h>
#include <phyxel/io/detail/columns.h>
#include <phyxel/io/detail/ply_types.h>
#include <phyxel/io/detail/text.h>
#include <phyxel/io/file.h>
#include <phyxel/io/ply.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
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
using detail::size_of;

enum class PlyFormat { Ascii, LittleEndian, BigEndian };

bool is_integer(PlyType type) { return type != PlyType::Float32 && type != PlyType::Float64; }

/// Whether a whole number can be a value of the type.
bool is_in_range(PlyType type, std::int64_t value)
{
    auto fits = [&]<class T>(T) {
        return value >= std::numeric_limits<T>::min() && value <= std::numeric_limits<T>::max();
    };
    switch (type) {
    case PlyType::Int8:
        return fits(std::int8_t());
    case PlyType::UInt8:
        return fits(std::uint8_t());
    case PlyType::Int16:
        return fits(std::int16_t());
    case PlyType::UInt16:
        return fits(std::uint16_t());
    case PlyType::Int32:
        return fits(std::int32_t());
    default:
        return fits(std::uint32_t());
    }
}

struct Property {
    std::string name;
    PlyType type;                      ///< of the value, or of the items of a list
    std::optional<PlyType> count_type; ///< only of lists
};

struct Element {
    std::string name;
    std::uint64_t count;
    std::vector<Property> properties;
};

struct Header {
    PlyFormat format = PlyFormat::Ascii;
    std::vector<Element> elements;
    std::string body;
    double time = 0.0;
    std::size_t data_begin = 0; ///< bytes before the data
    std::size_t data_line = 1;  ///< the line on which they begin
};

/// Splits the header into lines and says in which of them something is wrong.
class HeaderReader {
public:
    HeaderReader(std::string_view text, std::string name) : text_(text), name_(std::move(name))
    {
        if (!text.starts_with("ply") || text.size() < 4 || (text[3] != '\n' && text[3] != '\r'))
            throw InputError(name_ + ": not a PLY file: it does not begin with the line \"ply\"");
        // Where lines end with a carriage return only, the data begin right behind it: the first byte of
        // binary data can happen to be a line feed.
        line_end_ = text[3] == '\r' && (text.size() == 4 || text[4] != '\n') ? '\r' : '\n';
    }

    std::string_view next_line()
    {
        const std::size_t end = text_.find(line_end_, position_);
        ++line_;
        if (end == std::string_view::npos) fail("the header ends without \"end_header\"");
        std::string_view line = text_.substr(position_, end - position_);
        position_ = end + 1;
        if (line.ends_with('\r')) line.remove_suffix(1);
        return line;
    }

    [[noreturn]] void fail(const std::string& what) const
    {
        throw InputError(name_ + ":" + std::to_string(line_) + ": " + what);
    }

    std::size_t position() const { return position_; }
    std::size_t line() const { return line_; }

private:
    std::string_view text_;
    std::string name_;
    char line_end_;
    std::size_t position_ = 0;
    std::size_t line_ = 0;
};

PlyType parse_type(std::string_view word, const HeaderReader& reader)
{
    const auto found = std::find_if(detail::ply_type_names.begin(), detail::ply_type_names.end(),
                                    [&](const detail::PlyTypeName& entry) { return entry.name == word; });
    if (found == detail::ply_type_names.end())
        reader.fail("unknown type " + in_quotes(word) +
                    "; allowed: char, uchar, short, ushort, int, uint, float, double");
    return found->type;
}

PlyFormat parse_format(std::string_view line, const HeaderReader& reader)
{
    const std::string_view word = detail::take_word(line);
    if (word == "ascii") return PlyFormat::Ascii;
    if (word == "binary_little_endian") return PlyFormat::LittleEndian;
    if (word == "binary_big_endian") return PlyFormat::BigEndian;
    reader.fail("unknown format " + in_quotes(word) +
                "; allowed: ascii, binary_little_endian, binary_big_endian");
}

/// Our own comments; those of others mean nothing to us.
void parse_comment(std::string_view line, Header& header)
{
    constexpr std::string_view body_prefix = "comment body ";
    constexpr std::string_view time_prefix = "comment time ";
    if (line.starts_with(body_prefix)) {
        line.remove_prefix(body_prefix.size());
        if (std::none_of(line.begin(), line.end(), [](char c) { return c >= 0 && c < 0x20; }))
            header.body = line;
    } else if (line.starts_with(time_prefix)) {
        line.remove_prefix(time_prefix.size());
        header.time = detail::parse_number(line).value_or(0.0);
    }
}

Header parse_header(std::string_view text, const std::string& name)
{
    // Far above what any program writes, so that names can be compared with each other in no time.
    constexpr std::size_t max_property_count = 4096;

    HeaderReader reader(text, name);
    reader.next_line();
    Header header;
    bool has_format = false;
    std::size_t property_count = 0;
    std::set<std::string, std::less<>> names;
    for (;;) {
        const std::string_view line = reader.next_line();
        std::string_view words = line;
        const std::string_view keyword = detail::take_word(words);
        if (keyword == "end_header") break;
        if (keyword == "comment") {
            parse_comment(line, header);
        } else if (keyword == "format") {
            header.format = parse_format(words, reader);
            has_format = true;
        } else if (keyword == "element") {
            const std::string_view element = detail::take_word(words);
            const std::string_view count = detail::take_word(words);
            const std::optional<std::int64_t> value = detail::parse_integer(count);
            if (element.empty() || !value || *value < 0)
                reader.fail("\"element\" needs a name and a count that is not negative");
            const bool is_known = std::any_of(header.elements.begin(), header.elements.end(),
                                              [&](const Element& other) { return other.name == element; });
            if (is_known) reader.fail("element " + in_quotes(element) + " appears twice");
            if (++property_count > max_property_count) reader.fail("too many elements and properties");
            header.elements.push_back({std::string(element), static_cast<std::uint64_t>(*value), {}});
            names.clear();
        } else if (keyword == "property") {
            if (header.elements.empty()) reader.fail("a property before the first element");
            Property property;
            std::string_view type = detail::take_word(words);
            if (type == "list") {
                property.count_type = parse_type(detail::take_word(words), reader);
                if (!is_integer(*property.count_type)) reader.fail("the length of a list must be an integer");
                type = detail::take_word(words);
            }
            property.type = parse_type(type, reader);
            property.name = detail::take_word(words);
            if (property.name.empty()) reader.fail("a property without a name");
            if (!names.insert(property.name).second)
                reader.fail("property " + in_quotes(property.name) + " appears twice");
            if (++property_count > max_property_count) reader.fail("too many elements and properties");
            header.elements.back().properties.push_back(std::move(property));
        } else if (!keyword.empty() && keyword != "obj_info") {
            reader.fail("unknown keyword " + in_quotes(keyword) +
                        "; allowed: format, comment, obj_info, element, property, end_header");
        }
    }
    if (!has_format) reader.fail("the header has no line \"format\"");
    header.data_begin = reader.position();
    header.data_line = reader.line() + 1;
    return header;
}

/// Values of a binary file. All types of PLY fit into a double without loss.
class BinaryValues {
public:
    BinaryValues(std::span<const std::byte> data, const std::string& name, const Header& header)
        : reader_(data, name, header.format == PlyFormat::BigEndian ? std::endian::big : std::endian::little)
    {
        reader_.take(header.data_begin);
    }

    double next(PlyType type)
    {
        switch (type) {
        case PlyType::Int8:
            return reader_.take<std::int8_t>();
        case PlyType::UInt8:
            return reader_.take<std::uint8_t>();
        case PlyType::Int16:
            return reader_.take<std::int16_t>();
        case PlyType::UInt16:
            return reader_.take<std::uint16_t>();
        case PlyType::Int32:
            return reader_.take<std::int32_t>();
        case PlyType::UInt32:
            return reader_.take<std::uint32_t>();
        case PlyType::Float32:
            return static_cast<double>(reader_.take<float>());
        default:
            return reader_.take<double>();
        }
    }

    void skip(PlyType type, std::uint64_t count)
    {
        reader_.take(static_cast<std::size_t>(count) * size_of(type));
    }

    /// Fewest bytes that a value takes.
    static std::size_t least_size(PlyType type) { return size_of(type); }

    bool has(std::uint64_t count, std::size_t size) const { return reader_.has(count, size); }
    bool is_at_end() const { return reader_.remaining() == 0; }
    [[noreturn]] void fail(const std::string& what) const { reader_.fail(what); }

private:
    ByteReader reader_;
};

class AsciiValues {
public:
    AsciiValues(std::span<const std::byte> data, const std::string& name, const Header& header)
        : words_(detail::as_text(data).substr(header.data_begin), name, header.data_line)
    {
    }

    double next(PlyType type)
    {
        const std::string_view word = words_.next();
        if (word.empty()) words_.fail("the file ends too early");
        const std::optional<double> value = detail::parse_number(word);
        if (!value) words_.fail(in_quotes(word) + " is not a number");
        if (type == PlyType::Float64) return *value;
        if (type == PlyType::Float32) return static_cast<double>(static_cast<float>(*value));
        // Larger than all types, smaller than what a conversion could not take.
        const bool is_whole = std::abs(*value) < 1e15 && *value == std::floor(*value);
        if (!is_whole || !is_in_range(type, static_cast<std::int64_t>(*value)))
            words_.fail(in_quotes(word) + " is not an integer of the type that the header names");
        return *value;
    }

    void skip(PlyType type, std::uint64_t count)
    {
        for (std::uint64_t i = 0; i < count; ++i) next(type);
    }

    /// A digit and a blank.
    static std::size_t least_size(PlyType) { return 2; }

    // The last value needs no blank behind it.
    bool has(std::uint64_t count, std::size_t size) const
    {
        return size == 0 || count <= (words_.remaining() + 1) / size;
    }

    bool is_at_end() { return words_.next().empty(); }
    [[noreturn]] void fail(const std::string& what) const { words_.fail(what); }

private:
    detail::WordReader words_;
};

/// The type in which a snapshot keeps the values of a PLY type.
Field::Values values_of(PlyType type)
{
    switch (type) {
    case PlyType::Float32:
        return std::vector<float>();
    case PlyType::Float64:
        return std::vector<double>();
    case PlyType::UInt32:
        return std::vector<std::uint64_t>();
    default:
        return std::vector<std::int32_t>();
    }
}

struct Column {
    std::string name;
    PlyType type;
    Field::Values values;
};

/// One field out of scalar columns of the same type.
Field joined(std::string name, std::span<const Column> columns)
{
    Field field{std::move(name), static_cast<int>(columns.size()), columns[0].values};
    if (columns.size() == 1) return field;
    std::visit(
        [&](auto& values) {
            using Values = std::remove_reference_t<decltype(values)>;
            const std::size_t count = values.size();
            values.resize(count * columns.size());
            for (std::size_t k = 0; k < columns.size(); ++k) {
                const Values& column = std::get<Values>(columns[k].values);
                for (std::size_t i = 0; i < count; ++i) values[i * columns.size() + k] = column[i];
            }
        },
        field.values);
    return field;
}

/// Columns such as id and id_high become one.
std::vector<Column> with_joined_halves(std::vector<Column> columns)
{
    std::vector<Column> result;
    for (Column& column : columns) {
        const bool is_upper_half = !result.empty() && column.type == PlyType::UInt32 &&
                                   result.back().type == PlyType::UInt32 &&
                                   column.name == result.back().name + "_high";
        if (!is_upper_half) {
            result.push_back(std::move(column));
            continue;
        }
        auto& low = std::get<std::vector<std::uint64_t>>(result.back().values);
        const auto& high = std::get<std::vector<std::uint64_t>>(column.values);
        for (std::size_t i = 0; i < low.size(); ++i) low[i] |= high[i] << 32;
    }
    return result;
}

/// How many columns from the first one on are the components of one field.
std::size_t component_count(std::span<const Column> columns)
{
    for (const int components : {9, 6, 3}) {
        const auto suffixes = detail::component_suffixes(components);
        if (columns.size() < suffixes.size() || !columns[0].name.ends_with(suffixes[0])) continue;
        const std::string base = columns[0].name.substr(0, columns[0].name.size() - suffixes[0].size());
        bool fits = !base.empty();
        for (std::size_t k = 0; fits && k < suffixes.size(); ++k)
            fits = columns[k].values.index() == columns[0].values.index() &&
                   columns[k].name == base + std::string(suffixes[k]);
        if (fits) return suffixes.size();
    }
    return 1;
}

/// Undoes what the writer does to names.
std::vector<Field> fields_of(std::span<const Column> columns)
{
    std::vector<Field> fields;
    while (!columns.empty()) {
        const std::size_t count = component_count(columns);
        const std::string_view suffix = detail::component_suffixes(static_cast<int>(count))[0];
        const std::string& first = columns[0].name;
        fields.push_back(joined(first.substr(0, first.size() - suffix.size()), columns.first(count)));
        columns = columns.subspan(count);
    }
    return fields;
}

/// nx, ny and nz leave the columns and become a field.
std::optional<Field> take_normals(std::vector<Column>& columns)
{
    std::vector<Column> parts;
    for (const std::string_view name : {"nx", "ny", "nz"}) {
        const auto found = std::find_if(columns.begin(), columns.end(),
                                        [&](const Column& column) { return column.name == name; });
        if (found == columns.end() || is_integer(found->type)) return {};
        parts.push_back(*found);
        if (parts.back().type != parts.front().type) return {};
    }
    std::erase_if(columns, [](const Column& column) {
        return column.name == "nx" || column.name == "ny" || column.name == "nz";
    });
    return joined("normal", parts);
}

template <class Values>
void check_size(const Element& element, const Values& values)
{
    std::size_t least = 0;
    for (const Property& property : element.properties)
        least += Values::least_size(property.count_type.value_or(property.type));
    if (!values.has(element.count, least))
        values.fail("the header promises " + std::to_string(element.count) + " times " +
                    in_quotes(element.name) + ", of at least " + detail::counted(least, "byte", "bytes") +
                    " each, but the file is too short for them");
}

template <class Values>
std::uint64_t list_length(const Property& property, Values& values)
{
    const double length = values.next(*property.count_type);
    if (length < 0) values.fail("a list with a negative length");
    const auto count = static_cast<std::uint64_t>(length);
    if (!values.has(count, Values::least_size(property.type)))
        values.fail("a list of " + std::to_string(count) + " is longer than the file");
    return count;
}

template <class Values>
void skip_property(const Property& property, Values& values)
{
    values.skip(property.type, property.count_type ? list_length(property, values) : 1);
}

/// Where the values of a property go: to an axis of the positions, to a column, or nowhere.
constexpr int nowhere = -1;
struct Target {
    int axis = nowhere;
    int column = nowhere;
};

template <class Values>
void read_vertices(const Element& element, Values& values, SnapshotFile& file)
{
    if (element.count > std::numeric_limits<Index>::max())
        values.fail("more vertices than 32 bits can count");
    constexpr std::array<std::string_view, 3> axes = {"x", "y", "z"};
    std::vector<Target> targets(element.properties.size());
    std::vector<Column> columns;
    int axis_count = 0;
    file.is_double = false;
    for (std::size_t p = 0; p < element.properties.size(); ++p) {
        const Property& property = element.properties[p];
        if (property.count_type) continue;
        const auto axis = std::find(axes.begin(), axes.end(), property.name);
        if (axis != axes.end()) {
            targets[p].axis = static_cast<int>(axis - axes.begin());
            ++axis_count;
            if (size_of(property.type) == 8) file.is_double = true;
        } else {
            targets[p].column = static_cast<int>(columns.size());
            columns.push_back({property.name, property.type, values_of(property.type)});
        }
    }
    if (axis_count != 3) values.fail("vertices need the properties x, y and z");

    Snapshot& snapshot = file.snapshot;
    snapshot.points.resize(element.count);
    for (Column& column : columns) std::visit([&](auto& v) { v.resize(element.count); }, column.values);
    for (std::size_t i = 0; i < element.count; ++i) {
        for (std::size_t p = 0; p < targets.size(); ++p) {
            const Property& property = element.properties[p];
            if (targets[p].axis != nowhere) {
                snapshot.points[i][targets[p].axis] = values.next(property.type);
            } else if (targets[p].column != nowhere) {
                const double value = values.next(property.type);
                std::visit(
                    [&](auto& v) {
                        v[i] = static_cast<typename std::remove_reference_t<decltype(v)>::value_type>(value);
                    },
                    columns[static_cast<std::size_t>(targets[p].column)].values);
            } else {
                skip_property(property, values);
            }
        }
    }
    if (std::optional<Field> normals = take_normals(columns)) snapshot.fields.push_back(std::move(*normals));
    for (Field& field : fields_of(with_joined_halves(std::move(columns))))
        snapshot.fields.push_back(std::move(field));
}

template <class Values>
void read_faces(const Element& element, std::uint64_t vertex_count, Values& values, SnapshotFile& file)
{
    std::vector<std::array<Index, 3>>& triangles = file.snapshot.triangles.emplace();
    const auto corners =
        std::find_if(element.properties.begin(), element.properties.end(), [](const Property& property) {
            return property.count_type &&
                   (property.name == "vertex_indices" || property.name == "vertex_index");
        });
    if (corners == element.properties.end()) {
        if (element.count > 0) values.fail("faces need the list vertex_indices");
        return;
    }
    std::vector<Index> polygon;
    for (std::uint64_t f = 0; f < element.count; ++f) {
        for (const Property& property : element.properties) {
            if (&property != &*corners) {
                skip_property(property, values);
                continue;
            }
            polygon.resize(list_length(property, values));
            for (Index& corner : polygon) {
                const double number = values.next(property.type);
                // Also false for what is not a number.
                if (!(number >= 0 && number < static_cast<double>(vertex_count) &&
                      number == std::floor(number))) {
                    std::string text;
                    detail::append_number(text, number);
                    values.fail("face " + std::to_string(f) + " has a vertex " + text +
                                ", but the file has " + detail::counted(vertex_count, "vertex", "vertices"));
                }
                corner = static_cast<Index>(number);
            }
        }
        ++file.report.face_count;
        if (polygon.size() < 3) ++file.report.dropped_face_count;
        if (polygon.size() > 3) ++file.report.polygon_count;
        for (std::size_t k = 2; k < polygon.size(); ++k)
            triangles.push_back({polygon[0], polygon[k - 1], polygon[k]});
    }
}

template <class Values>
void read_elements(const Header& header, const std::string& name, Values values, SnapshotFile& file)
{
    const auto vertices = std::find_if(header.elements.begin(), header.elements.end(),
                                       [](const Element& element) { return element.name == "vertex"; });
    if (vertices == header.elements.end()) values.fail("the file has no element \"vertex\"");
    for (const Element& element : header.elements) {
        check_size(element, values);
        if (element.name == "vertex") {
            read_vertices(element, values, file);
        } else if (element.name == "face") {
            read_faces(element, vertices->count, values, file);
        } else if (!element.properties.empty()) {
            for (std::uint64_t i = 0; i < element.count; ++i)
                for (const Property& property : element.properties) skip_property(property, values);
            if (element.count > 0)
                file.report.warnings.push_back(name + ": " + std::to_string(element.count) + " times " +
                                               in_quotes(element.name) + " was skipped");
        }
    }
    if (!values.is_at_end())
        file.report.warnings.push_back(name + ": there is more in the file than its header promises");
}

} // namespace

SnapshotFile parse_ply(std::span<const std::byte> bytes, const std::string& name)
{
    const Header header = parse_header(detail::as_text(bytes), name);
    SnapshotFile file;
    file.snapshot.body = header.body;
    file.snapshot.time = header.time;
    if (header.format == PlyFormat::Ascii)
        read_elements(header, name, AsciiValues(bytes, name, header), file);
    else
        read_elements(header, name, BinaryValues(bytes, name, header), file);
    file.report.vertex_count = file.snapshot.points.size();
    if (file.report.dropped_face_count > 0)
        file.report.warnings.push_back(name + ": " +
                                       detail::counted(file.report.dropped_face_count, "face", "faces") +
                                       " with fewer than three corners dropped");
    return file;
}

SnapshotFile read_ply(const std::filesystem::path& path)
{
    const Buffer<std::byte> content = read_file(path);
    return parse_ply(content.span(), path.string());
}

} // namespace phyxel
