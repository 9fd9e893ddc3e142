// SPDX-License-Identifier: MIT
#include <phyxel/io/csv.h>
#include <phyxel/io/file.h>

#include "io_support.h"

#include <gtest/gtest.h>

#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace phyxel::csv_test {
namespace {

namespace fs = std::filesystem;

using Row = std::vector<std::optional<double>>;

TEST(Csv, a_snapshot_is_a_table_of_its_points)
{
    Snapshot snapshot;
    snapshot.points = {{0.1, -0.0, 1.0 / 3.0}, {1, 2, 1e300}};
    snapshot.fields = {{"id", 1, std::vector<std::uint64_t>{18446744073709551615u, 0}},
                       {"velocity", 3, std::vector<double>{1, 2, 3, 4, 5, 6}},
                       {"density", 1, std::vector<float>{0.1f, 1000.0f}},
                       {"kind", 1, std::vector<std::int32_t>{-1, 1}},
                       {"a,\"b\"", 1, std::vector<float>{0, 1}}};
    EXPECT_EQ(encode_csv(snapshot),
              "x,y,z,id,velocity_x,velocity_y,velocity_z,density,kind,\"a,\"\"b\"\"\"\n"
              "0.10000000000000001,-0,0.33333333333333331,18446744073709551615,1,2,3,0.1,-1,0\n"
              "1,2,1.0000000000000001e+300,0,4,5,6,1000,1,1\n");
    const TemporaryFolder folder;
    write_csv(folder / "frame.csv", snapshot);
    EXPECT_EQ(text_of(folder / "frame.csv"), encode_csv(snapshot));
}

TEST(Csv, tensors_have_a_column_for_each_component)
{
    const std::string text = encode_csv(sample_snapshot());
    EXPECT_EQ(
        text.substr(0, text.find('\n')),
        "x,y,z,id,velocity_x,velocity_y,velocity_z,density,kind,"
        "stress_xx,stress_yy,stress_zz,stress_xy,stress_yz,stress_xz,"
        "gradient_xx,gradient_xy,gradient_xz,gradient_yx,gradient_yy,gradient_yz,gradient_zx,gradient_zy,"
        "gradient_zz,normal_x,normal_y,normal_z");
}

TEST(CsvTable, rows_are_there_as_soon_as_they_are_added)
{
    const TemporaryFolder folder;
    CsvTable table(folder / "probes.csv", {"time", "gauge", "tip.x"});
    EXPECT_EQ(text_of(folder / "probes.csv"), "time,gauge,tip.x\n");
    table.add_row(Row{0.0, 0.1, std::nullopt});
    EXPECT_EQ(text_of(folder / "probes.csv"), "time,gauge,tip.x\n0,0.10000000000000001,\n");
    table.add_row(Row{1.0, std::nullopt, -2.5});
    EXPECT_EQ(text_of(folder / "probes.csv"), "time,gauge,tip.x\n0,0.10000000000000001,\n1,,-2.5\n");
    EXPECT_EQ(table.row_count(), 2u);
    table.sync();
}

TEST(CsvTable, a_new_table_replaces_an_old_one)
{
    const TemporaryFolder folder;
    write_file(folder / "stats.csv", "something else\n1\n2\n");
    const CsvTable table(folder / "stats.csv", {"time"});
    EXPECT_EQ(text_of(folder / "stats.csv"), "time\n");
}

TEST(CsvTable, going_on_drops_what_was_written_after_the_checkpoint)
{
    const TemporaryFolder folder;
    write_file(folder / "stats.csv", "time,steps\n0,1\n1,2\n2,3\n3,");
    CsvTable table(folder / "stats.csv", {"time", "steps"}, TableMark{2});
    EXPECT_EQ(table.row_count(), 2u);
    table.add_row(Row{2.0, 7.0});
    EXPECT_EQ(text_of(folder / "stats.csv"), "time,steps\n0,1\n1,2\n2,7\n");
    EXPECT_EQ(table.row_count(), 3u);
}

TEST(CsvTable, going_on_needs_the_same_columns_and_enough_rows)
{
    const TemporaryFolder folder;
    const std::string path = (folder / "stats.csv").string();
    write_file(path, "time,steps\n0,1\n1,");
    EXPECT_EQ(error_of([&] { CsvTable(path, {"time"}, TableMark{1}); }),
              path + ": the table has other columns");
    EXPECT_EQ(error_of([&] {
                  CsvTable(path, {"time", "steps"}, TableMark{2});
              }),
              path + ": the table has 1 whole rows, but there should be 2");
    EXPECT_EQ(text_of(folder / "stats.csv"), "time,steps\n0,1\n1,") << "an error changes nothing";
    EXPECT_EQ(error_of([&] { CsvTable((folder / "absent.csv").string(), {"time"}, TableMark{0}); }),
              (folder / "absent.csv").string() + ": cannot read: it does not exist");
}

TEST(CsvTable, every_flipped_bit_before_the_mark_shows)
{
    const TemporaryFolder folder;
    const fs::path path = folder / "t.csv";
    for (const RowChecks checks : {RowChecks::None, RowChecks::Column}) {
        TableMark mark;
        {
            CsvTable table(path, {"time", "steps"}, checks);
            table.add_row(Row{0.25, 17.0});
            table.add_row(Row{0.5, std::nullopt});
            mark = table.mark();
        }
        // Rows that check themselves need no other checksum.
        if (checks == RowChecks::Column) mark.hash.reset();
        const std::string whole = text_of(path);
        write_file(path, whole + "9,");
        EXPECT_TRUE(CsvTable::check(path, {"time", "steps"}, mark, checks));
        for (std::size_t k = 0; k < whole.size(); ++k)
            for (int bit = 0; bit < 8; ++bit) {
                std::string damaged = whole;
                damaged[k] = static_cast<char>(damaged[k] ^ (1 << bit));
                std::ofstream(path, std::ios::binary) << damaged;
                EXPECT_NE(error_of([&] {
                              static_cast<void>(CsvTable::check(path, {"time", "steps"}, mark, checks));
                          }),
                          "")
                    << "byte " << k << " bit " << bit;
            }
    }
}

TEST(CsvTable, goes_on_with_its_checksums)
{
    const TemporaryFolder folder;
    const auto write = [&](const fs::path& path, bool stops) {
        auto table = std::make_unique<CsvTable>(path, std::vector<std::string>{"t"}, RowChecks::Column);
        table->add_row(Row{1.0});
        const TableMark mark = table->mark();
        if (stops) {
            table->add_row(Row{7.0});
            table = std::make_unique<CsvTable>(path, std::vector<std::string>{"t"}, mark, RowChecks::Column);
        }
        table->add_row(Row{2.0});
        return text_of(path);
    };
    const std::string whole = write(folder / "whole.csv", false);
    EXPECT_EQ(write(folder / "stopped.csv", true), whole);
    EXPECT_TRUE(whole.starts_with("t,checksum\n1,")) << whole;
    EXPECT_EQ(read_number_table(folder / "whole.csv").row_count(), 2u);
}

TEST(CsvTable, a_row_that_does_not_fit_is_taken_back)
{
    const TemporaryFolder folder;
    const std::string path = (folder / "stats.csv").string();
    const pid_t child = ::fork();
    if (child == 0) {
        ::signal(SIGXFSZ, SIG_IGN);
        CsvTable table(path, {"time"});
        const rlimit limit{16, 16};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        table.add_row(Row{1.0});
        const std::string line = error_of([&] { table.add_row(Row{0.1}); });
        const bool is_clear =
            line == path + ": cannot write: the file would be larger than this system allows";
        table.add_row(Row{2.0});
        ::_exit(is_clear && table.row_count() == 2 ? 0 : 1);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(text_of(folder / "stats.csv"), "time\n1\n2\n");
}

TEST(NumberTable, has_the_bits_that_were_written)
{
    const TemporaryFolder folder;
    const double nan = std::numeric_limits<double>::quiet_NaN();
    {
        CsvTable table(folder / "t.csv", {"time", "\"a\",\nb", ""});
        table.add_row(Row{0.1, 1.0 / 3.0, std::nullopt});
        table.add_row(Row{-1e-310, std::numeric_limits<double>::infinity(), nan});
    }
    const NumberTable table = read_number_table(folder / "t.csv");
    EXPECT_EQ(table.columns, (std::vector<std::string>{"time", "\"a\",\nb", ""}));
    ASSERT_EQ(table.row_count(), 2u);
    EXPECT_EQ(*table.find("time"), (std::vector<double>{0.1, -1e-310}));
    EXPECT_EQ(*table.find("\"a\",\nb"), (std::vector{1.0 / 3.0, std::numeric_limits<double>::infinity()}));
    EXPECT_TRUE(std::isnan(table.find("")->at(0)) && std::isnan(table.find("")->at(1)));
    EXPECT_EQ(table.find("x"), nullptr);
}

TEST(NumberTable, leaves_out_a_row_that_is_not_finished)
{
    const TemporaryFolder folder;
    for (const char* rest : {"2", "2,", "2,4", "2,\"4"}) {
        write_file(folder / "t.csv", std::string("a,b\n1,\r\n") + rest);
        EXPECT_EQ(*read_number_table(folder / "t.csv").find("a"), std::vector<double>{1.0}) << rest;
    }
    write_file(folder / "t.csv", std::string("a,b\n"));
    EXPECT_EQ(read_number_table(folder / "t.csv").row_count(), 0u);
}

TEST(NumberTable, says_where_it_is_wrong)
{
    const TemporaryFolder folder;
    const std::string path = (folder / "t.csv").string();
    for (const auto& [text, message] : std::vector<std::pair<std::string, std::string>>{
             {"", ": is no table, it has no first line with names of columns"},
             {"a,b", ": is no table, it has no first line with names of columns"},
             {"a,b\n1,2\n3\n", ":3: the row has 1 cell, but there are 2 columns"},
             {"a,b\n1,2,3\n", ":2: the row has 3 cells, but there are 2 columns"},
             {"a,b\n1,2\n3,4x\n", ":3: \"4x\" in the column \"b\" is not a number"},
         }) {
        write_file(path, text);
        try {
            read_number_table(path);
            ADD_FAILURE() << text;
        } catch (const InputError& error) {
            EXPECT_EQ(error.what(), path + message);
        }
    }
    EXPECT_THROW(read_number_table(folder / "none.csv"), IoError);
}

} // namespace
} // namespace phyxel::csv_test
