// SPDX-License-Identifier: MIT
// Charts side by side, as an SVG file that can go into a paper: axes with units, a legend, black on white.
#pragma once

#include <phyxel/render/field_chart.h>
#include <phyxel/render/line_chart.h>

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

namespace phyxel {

using Panel = std::variant<LineChart, FieldChart, SurfaceChart>;

/// Panels row by row; with more than one they are called (a), (b), …
struct Figure {
    std::vector<Panel> panels = {};
    int columns = 1;
    double panel_width = 520.0;  ///< in pixels, with its labels
    double panel_height = 320.0; ///< in pixels, with its labels
};

/// The figure as an SVG file. Throws InputError for a figure without panels.
std::string to_svg(const Figure& figure);

/// Writes the figure; the file appears whole or not at all.
void write_figure(const std::filesystem::path& path, const Figure& figure);

} // namespace phyxel
