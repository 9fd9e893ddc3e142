// SPDX-License-Identifier: MIT
// The front of a collapsing column against what others measured or computed.
#pragma once

#include <phyxel/verify/detail/scene_run.h>
#include <phyxel/verify/detail/worst.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace phyxel::detail {

/// Front of a column twice as high as wide, of width a, at T = t √(2g/a), as Z = front / a.
struct FrontPoint {
    double T, Z;
};

/// The first points that [MM52] measured, for n² = 2 and a = 2.25 in.
inline std::span<const FrontPoint> experimental_front(std::size_t count)
{
    static constexpr std::array<FrontPoint, 8> measured = {{{0.832, 1.217},
                                                            {1.219, 1.474},
                                                            {1.997, 2.292},
                                                            {2.547, 2.995},
                                                            {3.345, 4.134},
                                                            {4.034, 4.944},
                                                            {4.418, 5.881},
                                                            {5.091, 6.980}}};
    return std::span(measured).first(count);
}

/// Of a column that is 2.25 in wide, 20 particles across.
struct DamColumn {
    static constexpr double g = 9.81, a = 0.05715, half_spacing = 0.5 * a / 20;
};

inline MeasuredChart front_chart(const SceneRun& run, std::span<const FrontPoint> reference)
{
    using C = DamColumn;
    MeasuredLine found{.name = "Phyxel", .x = {}, .y = {}};
    MeasuredLine known{.name = "points", .x = {}, .y = {}, .is_reference = true, .are_points = true};
    for (const auto& [T, Z] : reference) {
        known.x.push_back(T);
        known.y.push_back(Z);
    }
    const std::vector<double>& t = run.probes.at("time");
    for (std::size_t k = 0; k < t.size(); ++k) {
        const double T = t[k] * std::sqrt(2.0 * C::g / C::a);
        if (T > 1.05 * reference.back().T) break;
        found.x.push_back(T);
        found.y.push_back((run.probes.at("water.max.x")[k] + C::half_spacing) / C::a);
    }
    return {"T = t √(2g/a)", "", "front / a", "", {found, known}};
}

/// Largest relative error of the probe `water.max.x` of such a column.
inline double front_error(const SceneRun& run, std::span<const FrontPoint> reference)
{
    constexpr double g = DamColumn::g, a = DamColumn::a, half_spacing = DamColumn::half_spacing;
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
