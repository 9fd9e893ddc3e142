// SPDX-License-Identifier: MIT
// Keys of cubic cells. Space has no bounds: cells that are 2²¹ apart share a key.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace phyxel::detail {

/// Which cell along one axis.
inline std::int64_t cell_at(double x, double inverse_cell)
{
    return static_cast<std::int64_t>(std::floor(std::clamp(x * inverse_cell, -0x1p52, 0x1p52)));
}

inline std::uint64_t cell_key(std::int64_t a, std::int64_t b, std::int64_t c)
{
    constexpr std::uint64_t mask = (1u << 21) - 1;
    return (static_cast<std::uint64_t>(a) & mask) | (static_cast<std::uint64_t>(b) & mask) << 21 |
           (static_cast<std::uint64_t>(c) & mask) << 42;
}

} // namespace phyxel::detail
