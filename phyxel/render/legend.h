// SPDX-License-Identifier: MIT
// What the colours of a picture mean, drawn into its lower left corner, and its time, at the lower right.
#pragma once

#include <phyxel/render/color_map.h>
#include <phyxel/render/image.h>
#include <phyxel/render/style.h>

#include <string>
#include <vector>

namespace phyxel {

/// A bar with the colours of the map, round numbers below and `title (unit)` above.
struct ColorBar {
    ColorMap map = ColorMap::Viridis;
    ValueRange range = {};
    std::string title = {};
    std::string unit = {};
};

/// Sizes follow the height of the picture; one that is too small for a legend stays without.
void draw_legend(Picture& picture, const ColorBar& bar, PictureStyle style = PictureStyle::Light);

struct LegendEntry {
    Color color = {}; ///< linear
    std::string name = {};
};

void draw_legend(Picture& picture, const std::vector<LegendEntry>& entries,
                 PictureStyle style = PictureStyle::Light);

/// `t = 1.233 s`
void draw_time(Picture& picture, double time, PictureStyle style = PictureStyle::Light);

/// Round numbers within the range, at most `most` + 1 of them: steps of 1, 2 or 5 times a power of ten.
std::vector<double> round_numbers(const ValueRange& range, int most);

/// The range made a little larger, so that it ends at round numbers.
ValueRange rounded_range(const ValueRange& range);

} // namespace phyxel
