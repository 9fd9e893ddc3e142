// SPDX-License-Identifier: MIT
// What this room refuses, and the one line that says why: "sphere: radius is -1, must be positive".
#pragma once

#include <phyxel/core/error.h>
#include <phyxel/core/types.h>

#include <array>
#include <charconv>
#include <cmath>
#include <string>

namespace phyxel::detail {

/// The shortest decimal that reads back as `value`.
inline std::string text_of(double value)
{
    std::array<char, 64> digits;
    const std::to_chars_result end = std::to_chars(digits.data(), digits.data() + digits.size(), value);
    return std::string(digits.data(), end.ptr);
}

template <int Size>
std::string text_of(const Vec<Size>& x)
{
    std::string text = "(";
    for (int k = 0; k < Size; ++k) text += (k > 0 ? ", " : "") + text_of(x[k]);
    return text + ")";
}

template <int Size>
bool all_finite(const Vec<Size>& x)
{
    for (int k = 0; k < Size; ++k)
        if (!std::isfinite(x[k])) return false;
    return true;
}

/// `name` is what the value is called in the message, such as "sphere: center".
template <int Size>
void require_finite_value(const Vec<Size>& x, const std::string& name)
{
    if (!all_finite<Size>(x)) throw InputError(name + " is " + text_of<Size>(x) + ", must be finite");
}

inline void require_finite_value(double value, const std::string& name)
{
    if (!std::isfinite(value)) throw InputError(name + " is " + text_of(value) + ", must be finite");
}

inline void require_positive(double value, const std::string& name)
{
    if (!(value > 0 && std::isfinite(value)))
        throw InputError(name + " is " + text_of(value) + ", must be positive and finite");
}

/// A place that was asked about. Checked on every query: the text is only made where it is needed.
template <int Dim>
void require_finite_query(const Vec<Dim>& x)
{
    if (!all_finite<Dim>(x)) [[unlikely]]
        require_finite_value<Dim>(x, "query point");
}

} // namespace phyxel::detail
