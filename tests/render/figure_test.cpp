// SPDX-License-Identifier: MIT
#include <phyxel/core/error.h>
#include <phyxel/render/figure.h>

#include "support/temporary_folder.h"
#include "xml_check.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

namespace phyxel::figure_test {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::string svg_of(Panel panel) { return to_svg(Figure{.panels = {std::move(panel)}}); }

LineChart chart_of(std::vector<double> x, std::vector<double> y)
{
    return {.title = "t", .curves = {{"", std::move(x), std::move(y)}}};
}

/// Polylines of curves, which are thicker than those of axes.
std::size_t curve_count(const std::string& svg) { return count_of(svg, "stroke-width=\"1.8\""); }

TEST(LineCharts, are_well_formed_whatever_their_texts_are)
{
    for (const std::string& text :
         {std::string("a<b>&\"c\" 'd' ]]> <!-- --> <script>"), std::string("\xff\xfe\0\x01", 4),
          std::string("\xed\xa0\x80"), std::string(5000, '&'), std::string()}) {
        LineChart chart{.title = text,
                        .x = {.label = text, .unit = text},
                        .y = {.label = text, .unit = text},
                        .curves = {{text, {0, 1}, {0, 1}}, {text, {0, 1}, {1, 0}}}};
        EXPECT_EQ(xml_problem(svg_of(chart)), "");
    }
}

TEST(LineCharts, are_well_formed_whatever_their_numbers_are)
{
    const double largest = std::numeric_limits<double>::max();
    const std::vector<std::vector<double>> lists = {{},
                                                    {1},
                                                    {0, 0, 0},
                                                    {5, 5},
                                                    {nan, nan},
                                                    {nan, 1, nan},
                                                    {infinite},
                                                    {-largest, largest},
                                                    {5e-324, 0},
                                                    {1, -infinite, 2},
                                                    {1e300, -1e300, nan}};
    for (const std::vector<double>& x : lists)
        for (const std::vector<double>& y : lists) {
            const std::string svg = svg_of(chart_of(x, y));
            EXPECT_EQ(xml_problem(svg), "");
            EXPECT_EQ(svg.find("nan"), std::string::npos);
            EXPECT_EQ(svg.find("inf"), std::string::npos);
        }
    EXPECT_NE(svg_of(chart_of({nan}, {nan})).find("no data"), std::string::npos);
    EXPECT_EQ(svg_of(chart_of({0, 1}, {0, 1})).find("no data"), std::string::npos);
}

TEST(LineCharts, have_gaps_where_there_are_no_numbers_and_dots_between_gaps)
{
    const std::string svg = svg_of(chart_of({0, 1, 2, 3, 4, 5}, {0, 1, nan, 3, infinite, 5}));
    EXPECT_EQ(curve_count(svg), 1u);
    EXPECT_EQ(count_of(svg, "<circle"), 2u);
    EXPECT_EQ(curve_count(svg_of(chart_of({0, 1, 2, 3, 4}, {0, 1, nan, 3, 4}))), 2u);
    EXPECT_EQ(count_of(svg_of(chart_of({0}, {0})), "<circle"), 1u);
}

TEST(LineCharts, put_points_where_the_axes_say)
{
    LineChart chart = chart_of({0, 10}, {0, 100});
    chart.x.range = ValueRange{0, 10};
    chart.y.range = ValueRange{0, 100};
    const std::string svg = svg_of(chart);
    // The curve ends in opposite corners of the frame, which is drawn last.
    const std::size_t curve = svg.find("stroke-width=\"1.8\" points=\"");
    ASSERT_NE(curve, std::string::npos);
    const std::size_t begin = svg.find("points=\"", curve) + 8;
    double x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    ASSERT_EQ(std::sscanf(svg.c_str() + begin, "%lf,%lf %lf,%lf", &x0, &y0, &x1, &y1), 4);
    double left = 0, top = 0, right = 0, same = 0, again = 0, bottom = 0;
    const std::size_t frame = svg.rfind("fill=\"none\"");
    ASSERT_EQ(std::sscanf(svg.c_str() + svg.find("points=\"", frame) + 8, "%lf,%lf %lf,%lf %lf,%lf", &left,
                          &top, &right, &same, &again, &bottom),
              6);
    EXPECT_NEAR(x0, left, 0.011);
    EXPECT_NEAR(y0, bottom, 0.011);
    EXPECT_NEAR(x1, right, 0.011);
    EXPECT_NEAR(y1, top, 0.011);
}

TEST(LineCharts, of_a_million_points_are_small_and_keep_their_spikes)
{
    std::vector<double> x, y;
    for (int k = 0; k < 1000000; ++k) {
        x.push_back(k);
        y.push_back(k == 123456 ? 1000.0 : std::sin(0.01 * k));
    }
    LineChart chart = chart_of(x, y);
    chart.y.range = ValueRange{0, 1000};
    const std::string svg = svg_of(chart);
    EXPECT_LT(svg.size(), 100000u);
    EXPECT_NE(svg.find(",26 "), std::string::npos) << "the spike reaches the upper edge";
}

TEST(LineCharts, tell_curves_apart_by_dash_and_colour)
{
    LineChart chart{.title = "many"};
    for (int k = 0; k < 20; ++k) chart.curves.push_back({"curve " + std::to_string(k), {0, 1}, {0, k + 1.0}});
    const std::string svg = svg_of(chart);
    EXPECT_EQ(xml_problem(svg), "");
    EXPECT_NE(svg.find("stroke=\"#0072b2\" stroke-width=\"1.8\" stroke-dasharray=\"7 3\""),
              std::string::npos);
    EXPECT_NE(svg.find("curve 12<"), std::string::npos);
    EXPECT_EQ(svg.find("curve 13<"), std::string::npos);
    EXPECT_NE(svg.find("and 7 more"), std::string::npos);
}

TEST(LineCharts, have_a_legend_only_where_there_is_something_to_say)
{
    LineChart chart{.title = "t", .curves = {{"alone", {0, 1}, {0, 1}}}};
    EXPECT_NE(svg_of(chart).find("alone"), std::string::npos);
    chart.has_legend = false;
    EXPECT_EQ(svg_of(chart).find("alone"), std::string::npos);
}

FieldGrid grid_of(int columns, int rows, double value)
{
    return {.columns = columns,
            .rows = rows,
            .values = std::vector<double>(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows),
                                          value)};
}

TEST(FieldCharts, are_well_formed_whatever_their_numbers_are)
{
    for (const double value : {0.0, 1.0, -1.0, nan, infinite, -infinite, 1e300, 5e-324}) {
        FieldGrid grid = grid_of(3, 4, value);
        for (const double middle : {0.0, value, 1.0, nan}) {
            grid.values[4] = middle;
            for (const std::string& svg :
                 {svg_of(FieldChart{.title = "<", .field = grid, .cross = Vec<2>(0.5, 0.5)}),
                  svg_of(SurfaceChart{.title = "&", .field = grid, .label = "<"})}) {
                EXPECT_EQ(xml_problem(svg), "");
                EXPECT_EQ(svg.find("nan"), std::string::npos);
            }
        }
    }
}

TEST(FieldCharts, draw_what_lies_on_top_of_the_field)
{
    FieldChart chart{.field = grid_of(2, 2, 0.0)};
    chart.points = {Vec<2>(0.1, 0.1), Vec<2>(0.9, 0.9)};
    chart.new_points = {Vec<2>(0.5, 0.5)};
    chart.circles = {{Vec<2>(0.5, 0.5), 0.3}};
    chart.lines = {{Vec<2>(0, 0), Vec<2>(1, 1), ChartLine::Kind::Crack},
                   {Vec<2>(0, 0), Vec<2>(0, 0), ChartLine::Kind::Length}};
    chart.notes = {{Vec<2>(0, 0), "<note>"}};
    const std::string svg = svg_of(chart);
    EXPECT_EQ(xml_problem(svg), "");
    EXPECT_EQ(count_of(svg, "<circle"), 4u);
    EXPECT_NE(svg.find("&lt;note&gt;"), std::string::npos);
}

TEST(FieldCharts, refuse_grids_that_are_none)
{
    EXPECT_THROW(svg_of(FieldChart{}), InputError);
    EXPECT_THROW(svg_of(SurfaceChart{}), InputError);
    EXPECT_THROW(svg_of(FieldChart{.field = grid_of(1, 5, 0.0)}), InputError);
    FieldGrid flat = grid_of(2, 2, 0.0);
    flat.max = flat.min;
    EXPECT_THROW(svg_of(FieldChart{.field = flat}), InputError);
}

TEST(Figures, call_their_panels_by_letters)
{
    const LineChart chart = chart_of({0, 1}, {0, 1});
    const std::string two = to_svg({.panels = {chart, chart}, .columns = 2});
    EXPECT_NE(two.find(">(a) t<"), std::string::npos);
    EXPECT_NE(two.find(">(b) t<"), std::string::npos);
    EXPECT_EQ(to_svg({.panels = {chart}}).find("(a)"), std::string::npos);
    EXPECT_THROW(to_svg({}), InputError);
    EXPECT_EQ(xml_problem(to_svg({.panels = std::vector<Panel>(30, chart), .columns = -3})), "");
}

TEST(Figures, are_written_whole)
{
    const TemporaryFolder folder;
    write_figure(folder / "a.svg", {.panels = {chart_of({0, 1}, {0, 1})}});
    EXPECT_GT(std::filesystem::file_size(folder / "a.svg"), 500u);
    EXPECT_THROW(write_figure(folder / "none" / "a.svg", {.panels = {chart_of({}, {})}}), InputError);
}

} // namespace
} // namespace phyxel::figure_test
