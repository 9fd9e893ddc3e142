// SPDX-License-Identifier: MIT
// What several parts of building a scene say and ask.
#pragma once

#include <phyxel/core/formula.h>
#include <phyxel/core/number_text.h>
#include <phyxel/core/types.h>
#include <phyxel/scene/quantity.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

namespace phyxel::detail {

inline constexpr std::array<std::string_view, 3> axis_names = {"x", "y", "z"};

inline std::string in_metres(double length) { return format_quantity(length, "m"); }
/// Two digits, or all before the point if there are more.
inline std::string percent(double share)
{
    constexpr double largest_of_two_digits = 99.5;
    const double value = 100.0 * share;
    return number_text(value >= largest_of_two_digits ? std::round(value) : value,
                       value >= largest_of_two_digits ? 9 : 2) +
           " %";
}

template <int Dim>
std::string point_text(const Vec<Dim>& x)
{
    std::string text = "(";
    for (int k = 0; k < Dim; ++k) text += (k > 0 ? ", " : "") + number_text(x[k], 6);
    return text + ')';
}

inline std::string count_text(std::uint64_t count, std::string_view thing)
{
    return std::to_string(count) + ' ' + std::string(thing) + (count == 1 ? "" : "s");
}

template <int Dim>
Vec<Dim> evaluate(const std::array<Formula, Dim>& formulas, const Vec<Dim>& x, double time)
{
    Vec<Dim> value;
    for (int k = 0; k < Dim; ++k)
        value[k] =
            formulas[static_cast<std::size_t>(k)].evaluate(x[0], x[1], Dim == 3 ? x[Dim - 1] : 0.0, time);
    return value;
}

template <std::size_t count>
bool are_numbers(const std::array<Formula, count>& formulas)
{
    return std::all_of(formulas.begin(), formulas.end(), [](const Formula& f) { return f.is_number(); });
}

} // namespace phyxel::detail
