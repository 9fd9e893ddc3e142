// SPDX-License-Identifier: MIT
// What cases of scenes ask of the columns of probes.csv.
#pragma once

#include <phyxel/verify/case.h>
#include <phyxel/verify/detail/scene_run.h>
#include <phyxel/verify/detail/signal.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace phyxel::detail {

/// Mean of a column from a time on.
inline double mean_from(const SceneRun& run, const std::string& column, double from)
{
    const std::vector<double>&time = run.probes.at("time"), &values = run.probes.at(column);
    double sum = 0.0, count = 0.0;
    for (std::size_t k = 0; k < time.size(); ++k) {
        if (time[k] < from) continue;
        sum += values[k];
        count += 1.0;
    }
    return sum / count;
}

struct Peak {
    double time, value;
};

/// The largest value of a column between two times.
inline Peak peak_of(const SceneRun& run, const std::string& column, double from = 0.0,
                    double to = std::numeric_limits<double>::infinity())
{
    const std::vector<double>&time = run.probes.at("time"), &values = run.probes.at(column);
    const auto index = [&](double t) { return std::lower_bound(time.begin(), time.end(), t) - time.begin(); };
    if (!all_finite(values)) return {std::nan(""), std::nan("")};
    const auto found = std::max_element(values.begin() + index(from), values.begin() + index(to));
    return {time[static_cast<std::size_t>(found - values.begin())], *found};
}

inline Measurement in_range(double value, double low, double high, std::string unit)
{
    return {value, 0.5 * (low + high), 0.5 * (high - low), Bound::Near, std::move(unit)};
}

} // namespace phyxel::detail
