// SPDX-License-Identifier: MIT
// Flow between two plates that are a millimetre apart, from rest.
#pragma once

#include <array>
#include <cmath>
#include <numbers>

namespace phyxel::detail {

struct Plates {
    static constexpr double L = 1e-3, nu = 1e-6; ///< [m], [m²/s]
    static constexpr double U = 1.25e-5;         ///< of the upper one where it runs [m/s]
    static constexpr double frame_rate = 40.0;
    static constexpr std::array times = {0.025, 0.05, 0.1, 0.25, 1.0}; ///< [s]
};

/// Speed at height y between plates at 0 and L, a time t after a force F per mass has begun to pull: a
/// parabola less the modes that have not decayed yet [MFZ97].
inline double speed_between_plates(double y, double t)
{
    constexpr double L = Plates::L, nu = Plates::nu, F = 1e-4, pi = std::numbers::pi;
    double v = F / (2.0 * nu) * y * (L - y);
    for (int k = 1; k < 200; k += 2)
        v -= 4.0 * F * L * L / (nu * std::pow(pi * k, 3)) * std::sin(pi * k * y / L) *
             std::exp(-nu * std::pow(pi * k / L, 2) * t);
    return v;
}

/// Speed at height y a time t after the upper plate has begun to run: a straight line less the modes that
/// have not decayed yet [MFZ97].
inline double speed_under_plate(double y, double t)
{
    constexpr double L = Plates::L, nu = Plates::nu, U = Plates::U, pi = std::numbers::pi;
    double v = U * y / L;
    for (int k = 1; k < 200; ++k)
        v += (k % 2 == 0 ? 2.0 : -2.0) * U / (pi * k) * std::sin(pi * k * y / L) *
             std::exp(-nu * std::pow(pi * k / L, 2) * t);
    return v;
}

} // namespace phyxel::detail
