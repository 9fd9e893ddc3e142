// SPDX-License-Identifier: MIT
// The worst of several numbers. One that is not a number is worse than any other, which std::max would hide.
#pragma once

#include <cmath>
#include <initializer_list>
#include <limits>
#include <span>

namespace phyxel::detail {

/// Collects values and keeps the one that is farthest from where all of them should be. Of none there is no
/// worst, and a check that looked at nothing has shown nothing: the value is then not a number.
class Worst {
public:
    explicit Worst(double expected = 0.0) : expected_(expected), value_(expected) {}

    void add(double value)
    {
        is_empty_ = false;
        if (std::isnan(value_) || std::abs(value - expected_) <= std::abs(value_ - expected_)) return;
        value_ = value;
    }
    void add_missing() { add(std::numeric_limits<double>::quiet_NaN()); }

    double value() const { return is_empty_ ? std::numeric_limits<double>::quiet_NaN() : value_; }

private:
    double expected_;
    double value_;
    bool is_empty_ = true;
};

/// Collects values and keeps the largest; not a number if one of them is none, or if there are none.
class Largest {
public:
    void add(double value)
    {
        if (!is_empty_ && (std::isnan(value_) || value <= value_)) return;
        value_ = value;
        is_empty_ = false;
    }

    double value() const { return value_; }

private:
    double value_ = std::numeric_limits<double>::quiet_NaN();
    bool is_empty_ = true;
};

inline double largest_of(std::span<const double> values)
{
    Largest largest;
    for (double value : values) largest.add(value);
    return largest.value();
}

inline double worst_of(std::initializer_list<double> values, double expected = 0.0)
{
    Worst worst(expected);
    for (double value : values) worst.add(value);
    return worst.value();
}

} // namespace phyxel::detail
