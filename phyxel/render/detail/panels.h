// SPDX-License-Identifier: MIT
// The charts of a figure, each drawn into its part of the page.
#pragma once

#include <phyxel/render/detail/svg_writer.h>
#include <phyxel/render/field_chart.h>
#include <phyxel/render/line_chart.h>

#include <string>
#include <string_view>

namespace phyxel::detail {

inline constexpr double title_size = 12.5;
inline constexpr double label_size = 12.0;
inline constexpr double tick_size = 11.0;
inline constexpr std::string_view grid_color = "#dddddd";

/// Room for the title of a panel, at its upper edge.
inline constexpr double title_height = 26.0;

/// The title in bold type, above `area`.
void draw_title(SvgWriter& svg, const Rectangle& area, std::string_view title);

void draw_panel(SvgWriter& svg, const LineChart& chart, const Rectangle& area);
void draw_panel(SvgWriter& svg, const FieldChart& chart, const Rectangle& area);
void draw_panel(SvgWriter& svg, const SurfaceChart& chart, const Rectangle& area);

/// The colour of a share of the largest value, from white at 0: darker and darker blue up to 1, and orange
/// down to −1. The lightness says how much, so that it can be read in grey.
std::string field_color(double share);

} // namespace phyxel::detail
