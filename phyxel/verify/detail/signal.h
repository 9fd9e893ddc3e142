// SPDX-License-Identifier: MIT
// What a probe found over time.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace phyxel::detail {

/// A number that was sampled at every step. Each value is that of the step that ends at its time, so means
/// are weighted with the lengths of the steps: what a short step before a frame finds counts for little.
class Signal {
public:
    Signal(const std::vector<double>& time, const std::vector<double>& value) : time_(time), sum_(time.size())
    {
        for (std::size_t k = 1; k < time.size(); ++k)
            sum_[k] = sum_[k - 1] + value[k] * (time[k] - time[k - 1]);
    }

    double mean(double from, double to) const { return (sum_at(to) - sum_at(from)) / (to - from); }
    const std::vector<double>& time() const { return time_; }

private:
    double sum_at(double t) const
    {
        if (t <= time_.front()) return sum_.front();
        if (t >= time_.back()) return sum_.back();
        const auto k =
            static_cast<std::size_t>(std::upper_bound(time_.begin(), time_.end(), t) - time_.begin());
        const double s = (t - time_[k - 1]) / (time_[k] - time_[k - 1]);
        return (1.0 - s) * sum_[k - 1] + s * sum_[k];
    }

    std::vector<double> time_;
    std::vector<double> sum_; ///< ∫ value dt
};

/// Whether all of them are finite.
inline bool all_finite(const std::vector<double>& values)
{
    return std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
}

/// When the values change their sign, by straight lines between them. Never, if one is not a number: what
/// comes and goes meanwhile is not known.
inline std::vector<double> zero_crossings(const std::vector<double>& time, const std::vector<double>& value)
{
    std::vector<double> crossings;
    if (!all_finite(value)) return crossings;
    for (std::size_t k = 1; k < time.size(); ++k)
        if (value[k - 1] * value[k] < 0.0)
            crossings.push_back(time[k - 1] +
                                (time[k] - time[k - 1]) * value[k - 1] / (value[k - 1] - value[k]));
    return crossings;
}

/// When the value is largest, between samples by a parabola. Not a number if one of them is none, or if the
/// largest is the first or the last.
inline double crest_time(const std::vector<double>& t, const std::vector<double>& v)
{
    if (!all_finite(v)) return std::nan("");
    std::size_t k = 0;
    for (std::size_t n = 0; n < v.size(); ++n)
        if (v[n] > v[k]) k = n;
    if (k == 0 || k + 1 >= v.size()) return std::nan(""); // it has not come yet
    const double a = v[k - 1], b = v[k], c = v[k + 1];
    return t[k] + 0.5 * (a - c) / (a - 2.0 * b + c) * (t[k + 1] - t[k]);
}

} // namespace phyxel::detail
