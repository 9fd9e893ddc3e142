// SPDX-License-Identifier: MIT
// The two kinds of measurements that most cases make.
#pragma once

#include <phyxel/verify/case.h>

#include <cmath>
#include <string>
#include <utility>

namespace phyxel::detail {

/// An error, which should be 0.
inline Measurement error_measurement(double error, double tolerance, std::string note = {},
                                     std::string unit = "1")
{
    return {std::abs(error), 0.0, tolerance, Bound::Near, std::move(unit), std::move(note)};
}

/// How many of something went wrong; none may.
inline Measurement count_measurement(double wrong, std::string unit, std::string note)
{
    return {wrong, 0.0, 0.0, Bound::Near, std::move(unit), std::move(note)};
}

/// The same, to be drawn.
inline Measurement with_chart(Measurement measurement, MeasuredChart chart)
{
    measurement.chart = std::move(chart);
    return measurement;
}

} // namespace phyxel::detail
