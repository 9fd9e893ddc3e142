// SPDX-License-Identifier: MIT
// Curves over a common axis, for print: black on white, told apart by dash as well as by colour.
#pragma once

#include <phyxel/render/color_map.h>

#include <optional>
#include <string>
#include <vector>

namespace phyxel {

/// Points (x, y), joined by lines. Where either is not finite there is a gap; a point between gaps is a dot.
struct Curve {
    std::string name;
    std::vector<double> x;
    std::vector<double> y;
};

struct ChartAxis {
    std::string label = {};
    std::string unit = {};
    std::optional<ValueRange> range = {}; ///< that of the curves if not given
    bool from_zero = false;               ///< show 0, wherever the curves are
    bool whole_numbers = false;           ///< what is drawn can be counted
};

struct LineChart {
    std::string title = {};
    ChartAxis x = {};
    ChartAxis y = {};
    std::vector<Curve> curves = {};
    bool has_legend = true; ///< if there is more than one curve, or if its name is not empty
};

} // namespace phyxel
