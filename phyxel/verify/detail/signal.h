// SPDX-License-Identifier: MIT
// What a probe found over time.
#pragma once

#include <algorithm>
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

/// When the values change their sign, by straight lines between them.
inline std::vector<double> zero_crossings(const std::vector<double>& time, const std::vector<double>& value)
{
    std::vector<double> crossings;
    for (std::size_t k = 1; k < time.size(); ++k)
        if (value[k - 1] * value[k] < 0.0)
            crossings.push_back(time[k - 1] +
                                (time[k] - time[k - 1]) * value[k - 1] / (value[k - 1] - value[k]));
    return crossings;
}

} // namespace phyxel::detail
