// SPDX-License-Identifier: MIT
// The part of a line that lies in a rectangle [LB84].
#pragma once

#include <phyxel/core/types.h>

#include <algorithm>
#include <optional>

namespace phyxel::detail {

/// Where the line is inside, as shares of the way from a to b.
struct LinePart {
    double begin = 0.0;
    double end = 1.0;
};

/// Nothing if no point of the line is in the rectangle, whose sides belong to it.
inline std::optional<LinePart> clip_line(const Vec<2>& min, const Vec<2>& max, const Vec<2>& a,
                                         const Vec<2>& b)
{
    LinePart part;
    for (int k = 0; k < 2; ++k) {
        const double way = b[k] - a[k];
        if (way == 0.0) {
            if (a[k] < min[k] || a[k] > max[k]) return std::nullopt;
            continue;
        }
        const double at_min = (min[k] - a[k]) / way;
        const double at_max = (max[k] - a[k]) / way;
        part.begin = std::max(part.begin, std::min(at_min, at_max));
        part.end = std::min(part.end, std::max(at_min, at_max));
    }
    if (part.begin > part.end) return std::nullopt;
    return part;
}

} // namespace phyxel::detail
