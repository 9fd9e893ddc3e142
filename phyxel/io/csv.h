// SPDX-License-Identifier: MIT
// Tables as text: snapshots for spreadsheets and scripts, and the statistics and probes of a run, which grow
// row by row. Numbers have as many digits as it takes (17, or 9 for float fields) to read the same bits
// again.
#pragma once

#include <phyxel/core/snapshot.h>
#include <phyxel/core/state_hash.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace phyxel {

/// Columns x, y, z, then the fields; a vector `velocity` is velocity_x, velocity_y, velocity_z, as in PLY
/// files. A row is a point.
void write_csv(const std::filesystem::path& path, const Snapshot& snapshot);

/// The content of such a file.
std::string encode_csv(const Snapshot& snapshot);

/// Whether the rows of a table can be checked by themselves.
enum class RowChecks {
    None,
    /// A last column `checksum`, of all rows so far and the names of the columns: for tables that are not the
    /// same bytes in every run, whose checksum cannot stand in a checkpoint therefore.
    Column
};

/// Where a table stood when it was saved.
struct TableMark {
    std::uint64_t row_count = 0;
    std::optional<std::uint64_t> hash = {}; ///< of the rows so far, if it is known
};

/// Nothing, a number or a text.
using TableCell = std::variant<std::monostate, double, std::string>;

/// A table that grows while a program runs. Every row is handed to the system at once, so that a program that
/// is killed leaves whole rows; a row that does not fit on the disk is taken back.
class CsvTable {
public:
    /// Begins a new table, in place of an old one.
    CsvTable(const std::filesystem::path& path, std::vector<std::string> columns,
             RowChecks checks = RowChecks::None);

    /// Goes on with a table after its first rows and drops what follows, which a run that was stopped had
    /// written after its last checkpoint. Other columns, fewer or damaged rows are an InputError.
    CsvTable(const std::filesystem::path& path, std::vector<std::string> columns, const TableMark& mark,
             RowChecks checks = RowChecks::None);

    /// Throws as going on with the table would, and changes nothing. Returns whether more follows, which
    /// going on would drop.
    [[nodiscard]] static bool check(const std::filesystem::path& path, std::vector<std::string> columns,
                                    const TableMark& mark, RowChecks checks = RowChecks::None);

    ~CsvTable();
    CsvTable(const CsvTable&) = delete;
    CsvTable& operator=(const CsvTable&) = delete;

    /// Appends a row with one value for each column but that of the checksum; nothing is an empty cell.
    void add_row(std::span<const std::optional<double>> values);
    void add_row(std::span<const TableCell> cells);

    std::uint64_t row_count() const { return row_count_; }

    /// The present end of the table.
    TableMark mark() const { return {row_count_, hash_.value()}; }

    /// The rows so far are on the disk when this returns. To be called before the checkpoint that counts
    /// them.
    void sync();

private:
    void add_line(std::string line);
    void append(const std::string& text);

    std::filesystem::path path_;
    std::size_t column_count_;
    RowChecks checks_;
    std::uint64_t row_count_ = 0;
    std::uint64_t size_ = 0; ///< bytes of whole rows
    StateHash hash_;         ///< of the names and of the rows, without the cells that hold it
    int descriptor_ = -1;
};

/// A table of numbers as columns. What was an empty cell is NaN.
struct NumberTable {
    std::vector<std::string> columns;
    std::vector<std::vector<double>> values; ///< a list for each column, all equally long

    std::size_t row_count() const { return values.empty() ? 0 : values.front().size(); }

    /// The values of the column of this name, the first of several; null if there is none.
    const std::vector<double>* find(std::string_view column) const;
};

/// Reads such a table, also while a program is writing it: a row that is not finished is left out. A cell
/// that is no number, or a row with other than one cell for each column, is an InputError that names the
/// line.
NumberTable read_number_table(const std::filesystem::path& path);

/// The same from the content of a file that errors call `name`.
NumberTable parse_number_table(std::string_view text, const std::string& name);

} // namespace phyxel
