// SPDX-License-Identifier: MIT
// What the fuzz targets of file readers share: nothing but InputErrors may come out of a reader, and what it
// accepts must be consistent and survive being written and read again.
#pragma once

#include <phyxel/core/error.h>
#include <phyxel/core/snapshot.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace phyxel {

inline void require(bool holds)
{
    if (!holds) __builtin_trap();
}

/// Calls `attempt` and says whether it went through.
template <class Attempt>
bool is_accepted(Attempt&& attempt)
{
    try {
        attempt();
        return true;
    } catch (const InputError&) {
        return false;
    }
}

/// Equal, or both not a number.
template <class T>
bool is_same(T a, T b)
{
    if constexpr (std::is_floating_point_v<T>) {
        if (std::isnan(a) && std::isnan(b)) return true;
    }
    return a == b;
}

inline void require_same(const std::vector<Vec<3>>& a, const std::vector<Vec<3>>& b)
{
    require(a.size() == b.size());
    for (std::size_t i = 0; i < a.size(); ++i)
        for (int k = 0; k < 3; ++k) require(is_same(a[i][k], b[i][k]));
}

inline void require_same(const Field& a, const Field& b)
{
    require(a.name == b.name && a.components == b.components && a.values.index() == b.values.index());
    std::visit(
        [&](const auto& values) {
            const auto& others = std::get<std::remove_cvref_t<decltype(values)>>(b.values);
            require(values.size() == others.size());
            for (std::size_t i = 0; i < values.size(); ++i) require(is_same(values[i], others[i]));
        },
        a.values);
}

inline std::span<const std::byte> as_input(const std::uint8_t* data, std::size_t size)
{
    return std::as_bytes(std::span(data, size));
}

} // namespace phyxel
