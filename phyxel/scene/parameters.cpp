// SPDX-License-Identifier: MIT
#include <phyxel/scene/parameters.h>

#include <cmath>

namespace phyxel {

std::string range_text(const Parameter& parameter)
{
    std::string text;
    const auto add = [&](std::string_view words, double bound) {
        if (std::isinf(bound)) return;
        if (!text.empty()) text += " and ";
        text += std::string(words) + ' ' + format_quantity(bound, parameter.unit);
    };
    add("at least", parameter.min);
    add("above", parameter.above);
    add("at most", parameter.max);
    add("below", parameter.below);
    return text;
}

bool is_in_range(double value, const Parameter& parameter)
{
    return value >= parameter.min && value <= parameter.max && value > parameter.above &&
           value < parameter.below;
}

} // namespace phyxel
