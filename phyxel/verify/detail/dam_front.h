// SPDX-License-Identifier: MIT
// The front of a collapsing column against what others measured or computed.
#pragma once

#include <phyxel/verify/detail/scene_run.h>
#include <phyxel/verify/detail/worst.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace phyxel::detail {

/// Front of a column twice as high as wide, of width a, at T = t √(2g/a), as Z = front / a.
struct FrontPoint {
    double T, Z;
};

/// Largest relative error of the probe `water.max.x` of a column that is 2.25 in wide, 20 particles across.
inline double front_error(const SceneRun& run, std::span<const FrontPoint> reference)
{
    constexpr double g = 9.81, a = 0.05715, half_spacing = 0.5 * a / 20;
    const std::vector<double>& t = run.probes.at("time");
    const std::vector<double>& x = run.probes.at("water.max.x");
    Worst worst;
    for (const auto& [T, Z] : reference) {
        const double time = T / std::sqrt(2.0 * g / a);
        const auto after = std::lower_bound(t.begin(), t.end(), time) - t.begin();
        if (after == 0 || after >= static_cast<std::ptrdiff_t>(t.size())) {
            worst.add_missing();
            continue;
        }
        const auto k = static_cast<std::size_t>(after);
        const double s = (time - t[k - 1]) / (t[k] - t[k - 1]);
        worst.add(((1.0 - s) * x[k - 1] + s * x[k] + half_spacing) / a / Z - 1.0);
    }
    return worst.value();
}

} // namespace phyxel::detail
