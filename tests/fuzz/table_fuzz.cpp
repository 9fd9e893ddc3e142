// SPDX-License-Identifier: MIT
// Fuzz target for tables of numbers and their charts: what is accepted has as many values in each column, and
// becomes well-formed SVG, whatever its columns are called and its numbers are.

#include <phyxel/io/csv.h>
#include <phyxel/render/run_charts.h>

#include "../render/xml_check.h"
#include "reader_support.h"

#include <string_view>

namespace phyxel {
namespace {

void check(std::string_view text)
{
    NumberTable table;
    if (!is_accepted([&] { table = parse_number_table(text, "input"); })) return;
    require(table.columns.size() == table.values.size());
    for (const std::vector<double>& values : table.values) require(values.size() == table.row_count());
    std::vector<NamedFigure> figures;
    for (const auto draw : {stats_figures, probe_figures})
        if (is_accepted([&] { figures = draw(table, {}); }))
            for (const NamedFigure& figure : figures) require(xml_problem(to_svg(figure.figure)).empty());
}

} // namespace
} // namespace phyxel

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    phyxel::check({reinterpret_cast<const char*>(data), size});
    return 0;
}
