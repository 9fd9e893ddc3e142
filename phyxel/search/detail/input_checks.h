// SPDX-License-Identifier: MIT
// What searches refuse, and the one line that says why.
#pragma once

#include <phyxel/core/error.h>
#include <phyxel/core/types.h>

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <span>
#include <string>

namespace phyxel::detail {

/// The shortest decimal that reads back as `value`.
template <std::floating_point Real>
std::string number_text(Real value)
{
    std::array<char, 64> digits;
    const std::to_chars_result end = std::to_chars(digits.data(), digits.data() + digits.size(), value);
    return std::string(digits.data(), end.ptr);
}

template <int Dim, std::floating_point Real>
std::string point_text(const Vec<Dim, Real>& x)
{
    std::string text = "(";
    for (int k = 0; k < Dim; ++k) text += (k > 0 ? ", " : "") + number_text(x[k]);
    return text + ")";
}

template <int Dim, std::floating_point Real>
bool is_finite(const Vec<Dim, Real>& x)
{
    for (int k = 0; k < Dim; ++k)
        if (!std::isfinite(x[k])) return false;
    return true;
}

/// `name` is what the point is called in the message, such as "query point".
template <int Dim, std::floating_point Real>
void require_finite(const Vec<Dim, Real>& x, const std::string& name)
{
    if (!is_finite<Dim, Real>(x))
        throw InputError(name + " is " + point_text<Dim, Real>(x) + ", must be finite");
}

/// Names the first point that is not finite.
template <int Dim, std::floating_point Real>
void require_all_finite(std::span<const Vec<Dim, Real>> points, const std::string& name)
{
    for (std::size_t i = 0; i < points.size(); ++i)
        if (!is_finite<Dim, Real>(points[i]))
            require_finite<Dim, Real>(points[i], name + " " + std::to_string(i));
}

template <std::floating_point Real>
void require_radius(Real radius)
{
    if (!(radius >= 0)) throw InputError("radius is " + number_text(radius) + ", must be at least 0");
}

/// Points are numbered by Index.
inline void require_countable(std::size_t count)
{
    if (count > std::numeric_limits<Index>::max())
        throw InputError("number of points is " + std::to_string(count) + ", must be at most " +
                         std::to_string(std::numeric_limits<Index>::max()));
}

} // namespace phyxel::detail
