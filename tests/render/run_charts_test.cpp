// SPDX-License-Identifier: MIT
#include <phyxel/core/error.h>
#include <phyxel/core/statistics.h>
#include <phyxel/io/file.h>
#include <phyxel/render/run_charts.h>

#include "support/temporary_folder.h"
#include "xml_check.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <variant>
#include <vector>

namespace phyxel::run_charts_test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

const LineChart& chart_named(const std::vector<NamedFigure>& figures, const std::string& name,
                             std::size_t panel = 0)
{
    const auto found = std::find_if(figures.begin(), figures.end(),
                                    [&](const NamedFigure& figure) { return figure.name == name; });
    if (found == figures.end()) throw InputError("no figure " + name);
    return std::get<LineChart>(found->figure.panels.at(panel));
}

NumberTable stats_table()
{
    return {{"frame", "time", "step_size_min", "step_size_max", "particles", "removed", "kinetic_energy",
             "potential_energy", "internal_energy", "momentum_x", "momentum_y", "momentum_z",
             "density_error_mean", "density_error_max", "seconds", "seconds_forces", "seconds_output"},
            {{0, 1},
             {0, 0.1},
             {nan, 1e-4},
             {nan, 2e-4},
             {100, 99},
             {0, 1},
             {1, 2},
             {10, 8},
             {0.5, 0.25},
             {0, 1},
             {0, 2},
             {0, 3},
             {0, 0.01},
             {0, 0.02},
             {1, 2},
             {0.5, 1},
             {0.25, 0.5}}};
}

TEST(StatsFigures, have_a_chart_for_each_kind_of_quantity)
{
    const std::vector<NamedFigure> figures = stats_figures(stats_table());
    std::vector<std::string> names;
    for (const NamedFigure& figure : figures) names.push_back(figure.name);
    EXPECT_EQ(names, (std::vector<std::string>{"energy", "momentum", "particles", "density_error",
                                               "step_size", "stages"}));
    const LineChart& energy = chart_named(figures, "energy");
    ASSERT_EQ(energy.curves.size(), 4u);
    EXPECT_EQ(energy.curves[0].name, "total");
    EXPECT_EQ(energy.curves[0].y, (std::vector<double>{11.5, 10.25}));
    EXPECT_EQ(energy.y.unit, "J");
    EXPECT_EQ(chart_named(figures, "density_error").curves[1].y, (std::vector<double>{0, 2})) << "percent";
    EXPECT_EQ(chart_named(figures, "stages").curves[1].name, "forces");
    EXPECT_EQ(chart_named(stats_figures(stats_table(), {.dimension = 2}), "momentum").curves.size(), 2u);
    for (const NamedFigure& figure : figures) EXPECT_EQ(xml_problem(to_svg(figure.figure)), "");
}

TEST(StatsFigures, have_every_statistic_of_the_table)
{
    NumberTable table{{"time"}, {{0, 1}}};
    for (const StatisticInfo& info : statistics) {
        table.columns.emplace_back(info.column);
        table.values.push_back({1, 2});
    }
    std::size_t curves = 0;
    for (const NamedFigure& figure : stats_figures(table))
        curves += std::get<LineChart>(figure.figure.panels.front()).curves.size();
    EXPECT_EQ(curves, statistics.size());
}

TEST(StatsFigures, leave_out_what_the_table_does_not_have)
{
    const NumberTable table{{"time", "particles", "what_is_this"}, {{0, 1}, {5, 5}, {1, 2}}};
    const std::vector<NamedFigure> figures = stats_figures(table);
    ASSERT_EQ(figures.size(), 1u);
    EXPECT_EQ(chart_named(figures, "particles").curves.size(), 1u);
    EXPECT_THROW(stats_figures({{"particles"}, {{5}}}), InputError);
}

TEST(StatsFigures, of_tables_without_rows_or_numbers_are_drawn_all_the_same)
{
    for (const std::vector<double>& rows :
         {std::vector<double>{}, std::vector<double>{0}, std::vector<double>{nan, nan},
          std::vector<double>{1e308, -1e308}, std::vector<double>{std::numeric_limits<double>::infinity()}}) {
        NumberTable table = stats_table();
        for (std::vector<double>& values : table.values) values = rows;
        for (const NamedFigure& figure : stats_figures(table))
            EXPECT_EQ(xml_problem(to_svg(figure.figure)), "") << figure.name;
    }
}

TEST(ProbeFigures, join_the_samples_of_a_probe_over_rows_in_which_it_was_not_read)
{
    FieldUnits units;
    units.add("lift", "Pa"); // of a kind that nobody here knows
    const NumberTable table{{"time", "gauge", "tip.x", "tip.y"},
                            {{0, 1, 2, 3}, {5, nan, nan, 8}, {nan, 1, 2, nan}, {nan, -1, -2, nan}}};
    const std::vector<NamedFigure> figures =
        probe_figures(table, {.probes = {{"gauge", "lift"}, {"tip", "displacement"}}, .units = units});
    ASSERT_EQ(figures.size(), 2u);
    const LineChart& gauge = chart_named(figures, "probe_gauge");
    ASSERT_EQ(gauge.curves.size(), 1u);
    EXPECT_EQ(gauge.curves[0].x, (std::vector<double>{0, 3}));
    EXPECT_EQ(gauge.curves[0].y, (std::vector<double>{5, 8}));
    EXPECT_EQ(gauge.y.unit, "Pa");
    EXPECT_EQ(gauge.x.range->max, 3.0);
    const LineChart& tip = chart_named(figures, "probe_tip");
    ASSERT_EQ(tip.curves.size(), 2u);
    EXPECT_EQ(tip.curves[1].name, "y");
    EXPECT_EQ(tip.curves[1].y, (std::vector<double>{-1, -2}));
    EXPECT_EQ(tip.y.unit, "m");
}

TEST(ProbeFigures, show_lines_as_profiles_at_a_few_times)
{
    NumberTable table{{"time"}, {{}}};
    for (int row = 0; row < 101; ++row) table.values[0].push_back(0.01 * row);
    for (int point = 10; point >= 0; --point)
        for (const char* component : {".x", ".y"}) {
            table.columns.push_back("profile[" + std::to_string(point) + "]" + component);
            std::vector<double> values;
            for (int row = 0; row < 101; ++row) values.push_back(row + point);
            table.values.push_back(values);
        }
    const std::vector<NamedFigure> figures = probe_figures(table, {.probes = {{"profile", "velocity", 2.0}}});
    ASSERT_EQ(figures.size(), 1u);
    ASSERT_EQ(figures[0].figure.panels.size(), 2u);
    const LineChart& x = chart_named(figures, "probe_profile", 0);
    ASSERT_EQ(x.curves.size(), 5u);
    EXPECT_EQ(x.title, "profile, x");
    EXPECT_EQ(x.curves[0].name, "t = 0 s");
    EXPECT_EQ(x.curves[4].name, "t = 1 s");
    EXPECT_EQ(x.curves[4].x.back(), 2.0);
    EXPECT_EQ(x.curves[4].y.back(), 110.0);
    EXPECT_EQ(x.x.unit, "m");
    EXPECT_EQ(chart_named(probe_figures(table), "probe_profile").x.unit, "") << "the length is not known";
}

TEST(ProbeFigures, belong_to_the_longest_name_that_fits)
{
    const NumberTable table{{"time", "a", "a.b", "a.b.x"}, {{0}, {1}, {2}, {3}}};
    const auto named = probe_figures(table, {.probes = {{"a"}, {"a.b"}}});
    ASSERT_EQ(named.size(), 2u);
    EXPECT_EQ(std::get<LineChart>(named[1].figure.panels[0]).curves.size(), 2u);
    EXPECT_EQ(probe_figures(table).size(), 1u) << "without the scene, all up to the dot";
}

TEST(ProbeFigures, have_safe_file_names_of_their_own_whatever_probes_are_called)
{
    NumberTable table{{"time"}, {{0, 1}}};
    for (const char* name : {"../../etc/passwd", "a/b", "a\\b", "a?b", "<&>", "\xff\n\x01", "", "水", "CON",
                             "a b", "[", "x[99999999999999999999]", "x[-1]", "x[1", "."}) {
        table.columns.emplace_back(name);
        table.values.push_back({1, 2});
    }
    table.columns.push_back(std::string(1000, 'n'));
    table.values.push_back({nan, nan});
    std::vector<std::string> names;
    for (const NamedFigure& figure : probe_figures(table)) {
        EXPECT_EQ(
            figure.name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                          "._-"),
            std::string::npos)
            << figure.name;
        EXPECT_TRUE(figure.name.starts_with("probe_"));
        EXPECT_LT(figure.name.size(), 100u);
        EXPECT_EQ(std::find(names.begin(), names.end(), figure.name), names.end()) << figure.name;
        names.push_back(figure.name);
        EXPECT_EQ(xml_problem(to_svg(figure.figure)), "");
    }
}

TEST(RunFigures, are_drawn_while_the_run_goes_on)
{
    const TemporaryFolder folder;
    write_file(folder / "stats.csv", std::string("frame,time,particles\n0,0,5\n1,0.1,5\n2,0.2"));
    write_file(folder / "probes.csv", std::string("time,gauge\n0,\n0.1,3\n0.15,"));
    const std::vector<NamedFigure> figures = run_figures(folder.path());
    ASSERT_EQ(figures.size(), 2u);
    EXPECT_EQ(chart_named(figures, "particles").curves[0].y, (std::vector<double>{5, 5}));
    EXPECT_EQ(chart_named(figures, "probe_gauge").curves[0].y, std::vector<double>{3});
    EXPECT_EQ(joined(figures).panels.size(), 2u);
    EXPECT_EQ(xml_problem(to_svg(joined(figures))), "");
}

TEST(RunFigures, say_what_is_no_run)
{
    const TemporaryFolder folder;
    const std::string path = folder.path().string();
    const auto message = [](const std::filesystem::path& run) -> std::string {
        try {
            run_figures(run);
        } catch (const InputError& error) {
            return error.what();
        }
        return "nothing";
    };
    EXPECT_EQ(message(folder / "none"), path + "/none: no such folder");
    EXPECT_EQ(message(folder.path()), path + ": is no run, it has no stats.csv");
    write_file(folder / "stats.csv", std::string("a,b\n1,2\n"));
    EXPECT_EQ(message(folder / "stats.csv"), path + "/stats.csv: is no run, it is not a folder");
    EXPECT_EQ(message(folder.path()), path + "/stats.csv: has no column \"time\"");
    write_file(folder / "stats.csv", std::string("time\n1\n"));
    EXPECT_EQ(message(folder.path()), path + "/stats.csv: has no column that could be drawn");
}

} // namespace
} // namespace phyxel::run_charts_test
