// SPDX-License-Identifier: MIT
// Where an axis begins and ends, where its marks are, and what is written beside them.
#pragma once

#include <phyxel/render/color_map.h>

#include <span>
#include <string>
#include <vector>

namespace phyxel {

struct AxisOptions {
    int most_ticks = 6;         ///< about so many marks fit
    double margin = 0.0;        ///< room beyond the numbers at either end, in units of their range
    bool from_zero = false;     ///< 0 is part of the range
    bool whole_numbers = false; ///< no marks between them
};

/// An axis that is good for any numbers: none, one, all the same, or as far apart as doubles go.
struct AxisTicks {
    ValueRange range;
    std::vector<double> values;
    std::vector<std::string> labels; ///< of the values divided by 10^exponent, all with the same decimals
    int exponent = 0;                ///< a multiple of 3; 0 for numbers that are easy to read
};

AxisTicks choose_ticks(const ValueRange& numbers, const AxisOptions& options = {});

/// The range of all numbers that are finite; from +∞ to −∞ if there are none.
ValueRange range_of(std::span<const double> numbers);

/// `energy (×10³ J)`, `energy (J)`, `energy`.
std::string axis_label(const std::string& label, const std::string& unit, int exponent);

} // namespace phyxel
