// SPDX-License-Identifier: MIT
#include <phyxel/core/assert.h>
#include <phyxel/io/csv.h>
#include <phyxel/io/detail/columns.h>
#include <phyxel/io/detail/text.h>
#include <phyxel/io/file.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <string_view>
#include <utility>
#include <variant>

#include <fcntl.h>
#include <unistd.h>

namespace phyxel {
namespace {

namespace fs = std::filesystem;

std::string csv_text(std::string_view text)
{
    if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"') result += '"';
        result += c;
    }
    return result + "\"";
}

std::string header_line(std::span<const std::string> columns, RowChecks checks = RowChecks::None)
{
    std::string line;
    for (std::size_t k = 0; k < columns.size(); ++k) {
        if (k > 0) line += ',';
        line += csv_text(columns[k]);
    }
    if (checks == RowChecks::Column) line += ",checksum";
    return line + "\n";
}

void add_text(StateHash& hash, std::string_view text) { hash.add(std::span<const char>(text)); }

/// As many bits as every program that reads tables keeps: those of the whole numbers that a double can hold.
std::string checksum_cell(const StateHash& hash)
{
    return std::to_string(hash.value() & ((std::uint64_t(1) << 53) - 1));
}

/// The first rows of a table that was checked.
struct CheckedRows {
    std::uint64_t size = 0; ///< with the line of names [bytes]
    StateHash hash;
    bool more_follows = false;
};

CheckedRows checked_rows(const fs::path& path, std::span<const std::string> columns, const TableMark& mark,
                         RowChecks checks)
{
    const std::string header = header_line(columns, checks);
    const Buffer<std::byte> content = read_file(path, std::numeric_limits<std::uint64_t>::max() - 1);
    const std::string_view text = detail::as_text(content.span());
    if (!text.starts_with(header)) throw InputError(path.string() + ": the table has other columns");
    CheckedRows rows{header.size(), {}, false};
    add_text(rows.hash, header);
    for (std::uint64_t row = 0; row < mark.row_count; ++row) {
        const std::size_t end = text.find('\n', rows.size);
        if (end == std::string_view::npos)
            throw InputError(path.string() + ": the table has " + std::to_string(row) +
                             " whole rows, but there should be " + std::to_string(mark.row_count));
        const std::string_view line = text.substr(rows.size, end - rows.size);
        const std::size_t cell = checks == RowChecks::Column ? line.rfind(',') + 1 : line.size();
        add_text(rows.hash, line.substr(0, cell));
        if (checks == RowChecks::Column && line.substr(cell) != checksum_cell(rows.hash))
            throw InputError(path.string() + ":" + std::to_string(row + 2) +
                             ": the row is damaged: its checksum is wrong");
        rows.size = end + 1;
    }
    if (mark.hash && *mark.hash != rows.hash.value())
        throw InputError(path.string() + ": the table is damaged: its checksum is wrong");
    rows.more_follows = rows.size < text.size();
    return rows;
}

/// Cells of a table one after the other. A cell in quotation marks may hold commas and line ends.
class CellReader {
public:
    explicit CellReader(std::string_view text) : text_(text) {}

    /// The next row; nothing at the end, and for a row without a line end, which somebody is still writing.
    std::optional<std::vector<std::string>> next_row()
    {
        line_ = next_line_;
        std::vector<std::string> row(1);
        bool is_quoted = false;
        bool was_closed = false; // by the letter before
        for (std::size_t k = begin_; k < text_.size(); ++k) {
            const char c = text_[k];
            if (c == '\n') ++next_line_;
            const bool is_second_mark = c == '"' && was_closed;
            was_closed = c == '"' && is_quoted;
            if (c == '"') {
                // Two marks within a quoted cell are one of its letters.
                if (is_second_mark) row.back() += c;
                is_quoted = !is_quoted;
            } else if (c == ',' && !is_quoted) {
                row.emplace_back();
            } else if (c == '\n' && !is_quoted) {
                begin_ = k + 1;
                return row;
            } else if (c != '\r' || is_quoted) {
                row.back() += c;
            }
        }
        return std::nullopt;
    }

    /// Of the row that was read last, counted from 1.
    std::size_t line() const { return line_; }

private:
    std::string_view text_;
    std::size_t begin_ = 0;
    std::size_t line_ = 1;
    std::size_t next_line_ = 1;
};

void append_value(std::string& text, double value) { detail::append_number_17(text, value); }
void append_value(std::string& text, float value) { detail::append_number(text, value); }
void append_value(std::string& text, std::int32_t value) { text += std::to_string(value); }
void append_value(std::string& text, std::uint64_t value) { text += std::to_string(value); }

} // namespace

std::string encode_csv(const Snapshot& snapshot)
{
    PHYXEL_ASSERT(is_consistent(snapshot));
    std::vector<std::string> columns = {"x", "y", "z"};
    for (const Field& field : snapshot.fields)
        for (std::string& name : detail::column_names(field)) columns.push_back(std::move(name));
    std::string text = header_line(columns);
    for (std::size_t i = 0; i < snapshot.points.size(); ++i) {
        for (int k = 0; k < 3; ++k) {
            if (k > 0) text += ',';
            append_value(text, snapshot.points[i][k]);
        }
        for (const Field& field : snapshot.fields) {
            const auto components = static_cast<std::size_t>(field.components);
            std::visit(
                [&](const auto& values) {
                    for (std::size_t k = 0; k < components; ++k) {
                        text += ',';
                        append_value(text, values[i * components + k]);
                    }
                },
                field.values);
        }
        text += '\n';
    }
    return text;
}

void write_csv(const fs::path& path, const Snapshot& snapshot) { write_file(path, encode_csv(snapshot)); }

CsvTable::CsvTable(const fs::path& path, std::vector<std::string> columns, RowChecks checks)
    : path_(path),
      column_count_(columns.size()),
      checks_(checks)
{
    const std::string header = header_line(columns, checks);
    write_file(path, header);
    size_ = header.size();
    add_text(hash_, header);
    descriptor_ = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    if (descriptor_ < 0) detail::throw_io_error(path, "write", errno);
}

CsvTable::CsvTable(const fs::path& path, std::vector<std::string> columns, const TableMark& mark,
                   RowChecks checks)
    : path_(path),
      column_count_(columns.size()),
      checks_(checks),
      row_count_(mark.row_count)
{
    const CheckedRows rows = checked_rows(path, columns, mark, checks);
    size_ = rows.size;
    hash_ = rows.hash;
    descriptor_ = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    if (descriptor_ < 0) detail::throw_io_error(path, "write", errno);
    if (::ftruncate(descriptor_, static_cast<off_t>(size_)) != 0) {
        const int code = errno;
        ::close(descriptor_);
        detail::throw_io_error(path, "write", code);
    }
}

bool CsvTable::check(const fs::path& path, std::vector<std::string> columns, const TableMark& mark,
                     RowChecks checks)
{
    return checked_rows(path, columns, mark, checks).more_follows;
}

CsvTable::~CsvTable() { ::close(descriptor_); }

void CsvTable::add_row(std::span<const std::optional<double>> values)
{
    PHYXEL_ASSERT(values.size() == column_count_);
    std::string line;
    for (std::size_t k = 0; k < values.size(); ++k) {
        if (k > 0) line += ',';
        if (values[k]) append_value(line, *values[k]);
    }
    add_line(std::move(line));
}

void CsvTable::add_row(std::span<const TableCell> cells)
{
    PHYXEL_ASSERT(cells.size() == column_count_);
    std::string line;
    for (std::size_t k = 0; k < cells.size(); ++k) {
        if (k > 0) line += ',';
        if (const auto* number = std::get_if<double>(&cells[k])) append_value(line, *number);
        if (const auto* text = std::get_if<std::string>(&cells[k])) line += csv_text(*text);
    }
    add_line(std::move(line));
}

void CsvTable::add_line(std::string line)
{
    StateHash hash = hash_;
    if (checks_ == RowChecks::Column) {
        line += ',';
        add_text(hash, line);
        line += checksum_cell(hash);
    } else {
        add_text(hash, line);
    }
    line += '\n';
    append(line);
    hash_ = hash;
    ++row_count_;
}

void CsvTable::append(const std::string& text)
{
    std::string_view rest = text;
    while (!rest.empty()) {
        const ssize_t written = ::write(descriptor_, rest.data(), rest.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) {
            const int code = errno;
            // Half a row would end up in front of the next one.
            if (::ftruncate(descriptor_, static_cast<off_t>(size_)) != 0)
                detail::throw_io_error(path_, "shorten", errno);
            detail::throw_io_error(path_, "write", code);
        }
        rest.remove_prefix(static_cast<std::size_t>(written));
    }
    size_ += text.size();
}

void CsvTable::sync()
{
    if (::fdatasync(descriptor_) != 0) detail::throw_io_error(path_, "write", errno);
}

const std::vector<double>* NumberTable::find(std::string_view column) const
{
    const auto found = std::find(columns.begin(), columns.end(), column);
    return found == columns.end() ? nullptr : &values[static_cast<std::size_t>(found - columns.begin())];
}

NumberTable read_number_table(const fs::path& path)
{
    const Buffer<std::byte> content = read_file(path);
    return parse_number_table(detail::as_text(content.span()), path.string());
}

NumberTable parse_number_table(std::string_view text, const std::string& name)
{
    CellReader reader(text);
    std::optional<std::vector<std::string>> row = reader.next_row();
    if (!row) throw InputError(name + ": is no table, it has no first line with names of columns");
    NumberTable table;
    table.columns = std::move(*row);
    table.values.resize(table.columns.size());
    const auto fail = [&](const std::string& what) {
        throw InputError(name + ":" + std::to_string(reader.line()) + ": " + what);
    };
    while ((row = reader.next_row())) {
        if (row->size() != table.columns.size())
            fail("the row has " + detail::counted(row->size(), "cell", "cells") + ", but there are " +
                 detail::counted(table.columns.size(), "column", "columns"));
        for (std::size_t k = 0; k < row->size(); ++k) {
            const std::string& cell = (*row)[k];
            const std::optional<double> number =
                cell.empty() ? std::numeric_limits<double>::quiet_NaN() : detail::parse_number(cell);
            if (!number)
                fail(detail::in_quotes(cell) + " in the column " + detail::in_quotes(table.columns[k]) +
                     " is not a number");
            table.values[k].push_back(*number);
        }
    }
    return table;
}

} // namespace phyxel
