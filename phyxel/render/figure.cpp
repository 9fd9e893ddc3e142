// SPDX-License-Identifier: MIT
#include <phyxel/render/figure.h>

#include <phyxel/core/error.h>
#include <phyxel/io/file.h>
#include <phyxel/render/detail/panels.h>

#include <algorithm>

namespace phyxel {
namespace {

/// (a), (b), … (z), then none.
std::string letter_of(std::size_t panel)
{
    return panel < 26 ? std::string("(") + static_cast<char>('a' + static_cast<int>(panel)) + ") " : "";
}

} // namespace

std::string to_svg(const Figure& figure)
{
    if (figure.panels.empty()) throw InputError("a figure needs something to draw");
    const std::size_t columns =
        std::min(static_cast<std::size_t>(std::max(1, figure.columns)), figure.panels.size());
    const std::size_t rows = (figure.panels.size() + columns - 1) / columns;
    detail::SvgWriter svg(figure.panel_width * static_cast<double>(columns),
                          figure.panel_height * static_cast<double>(rows));
    for (std::size_t k = 0; k < figure.panels.size(); ++k) {
        const std::size_t column = k % columns, row = k / columns;
        const detail::Rectangle area{figure.panel_width * static_cast<double>(column),
                                     figure.panel_height * static_cast<double>(row), figure.panel_width,
                                     figure.panel_height};
        std::visit(
            [&](auto chart) {
                if (figure.panels.size() > 1) chart.title = letter_of(k) + chart.title;
                detail::draw_panel(svg, chart, area);
            },
            figure.panels[k]);
    }
    return std::move(svg).finish();
}

void write_figure(const std::filesystem::path& path, const Figure& figure)
{
    write_file(path, to_svg(figure));
}

} // namespace phyxel
