// SPDX-License-Identifier: MIT
// The worst of several numbers. One that is not a number is worse than any other, which std::max would hide.
#pragma once

#include <cmath>
#include <initializer_list>
#include <limits>
#include <span>

namespace phyxel::detail {

/// Collects values and keeps the one that is farthest from where all of them should be.
class Worst {
public:
    explicit Worst(double expected = 0.0) : expected_(expected), value_(expected) {}

    void add(double value)
    {
        if (std::isnan(value_) || std::abs(value - expected_) <= std::abs(value_ - expected_)) return;
        value_ = value;
    }
    void add_missing() { add(std::numeric_limits<double>::quiet_NaN()); }

    double value() const { return value_; }

private:
    double expected_;
    double value_;
};

inline double worst_of(std::initializer_list<double> values, double expected = 0.0)
{
    Worst worst(expected);
    for (double value : values) worst.add(value);
    return worst.value();
}

} // namespace phyxel::detail
