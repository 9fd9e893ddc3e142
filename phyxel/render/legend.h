// SPDX-License-Identifier: MIT
// What the colours of a picture mean, drawn into its lower left corner, and its time, at the lower right; or
// at its upper edge, where that is free and the lower one is not.
#pragma once

#include <phyxel/render/color_map.h>
#include <phyxel/render/image.h>
#include <phyxel/render/style.h>

#include <algorithm>
#include <string>
#include <vector>

namespace phyxel {

enum class LegendPlace { Below, Above };

/// How much larger than 12 pixels letters are: they grow with large pictures, and are a little smaller in
/// small ones.
inline double picture_unit(int height)
{
    if (height > 720) return height / 720.0;
    return std::clamp(height / 360.0, 0.7, 1.0);
}

/// A bar with the colours of the map, round numbers below and `title (unit)` above.
struct ColorBar {
    ColorMap map = ColorMap::Viridis;
    ValueRange range = {};
    std::string title = {};
    std::string unit = {};
};

/// Sizes follow the height of the picture; one that is too small for a legend stays without. A legend takes
/// at most this part of the height.
constexpr double most_of_height = 0.3;

void draw_legend(Picture& picture, const ColorBar& bar, PictureStyle style = PictureStyle::Light,
                 LegendPlace place = LegendPlace::Below);

struct LegendEntry {
    Color color = {}; ///< linear
    std::string name = {};
};

/// One after the other, in rows where there are many; those that have no room are counted.
void draw_legend(Picture& picture, const std::vector<LegendEntry>& entries,
                 PictureStyle style = PictureStyle::Light, LegendPlace place = LegendPlace::Below);

/// What a picture of this size needs at its lower or upper edge for a bar, for entries, or for none of them
/// but the time, in pixels; 0 if it stays without.
double bar_height(int width, int height);
double entries_height(int width, int height, const std::vector<LegendEntry>& entries);
double time_height(int width, int height);

/// `t = 1.233 s`
void draw_time(Picture& picture, double time, PictureStyle style = PictureStyle::Light,
               LegendPlace place = LegendPlace::Below);

/// Round numbers within the range, at most `most` + 1 of them: steps of 1, 2 or 5 times a power of ten.
std::vector<double> round_numbers(const ValueRange& range, int most);

/// The range made a little larger, so that it ends at round numbers.
ValueRange rounded_range(const ValueRange& range);

} // namespace phyxel
