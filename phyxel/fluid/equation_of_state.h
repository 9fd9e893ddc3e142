// SPDX-License-Identifier: MIT
// Tait's equation: how a nearly incompressible fluid answers compression.
#pragma once

#include <cmath>

namespace phyxel {

/// p = K ((ρ/ρ₀)^γ − 1) [AW09, Eq. 47]. Algorithm 5 there prints K (ρ/ρ₀ − 1)^γ, which at 1 % compression and
/// γ = 7 is smaller by a factor of 10¹². Negative pressure, which makes particles clump at a free surface, is
/// scaled by ζ [AW09, Eq. 54].
struct TaitEquation {
    double rest_density = 1000.0; ///< ρ₀ [kg/m³]
    double stiffness = 1e5;       ///< K [Pa]
    double exponent = 7.0;        ///< γ
    double negative_scale = 0.0;  ///< ζ, 0 to 1

    double pressure(double density) const
    {
        if (negative_scale == 0.0 && density <= rest_density) return 0.0;
        const double p = stiffness * (power(density / rest_density) - 1.0);
        return p < 0.0 ? negative_scale * p : p;
    }

    /// Energy of compression, ∫ p/ρ² dρ from ρ₀ on [J/kg].
    double energy(double density) const
    {
        const double r = density / rest_density;
        const double work =
            exponent == 1.0 ? std::log(r) : (std::pow(r, exponent - 1.0) - 1.0) / (exponent - 1.0);
        const double e = stiffness / rest_density * (work + 1.0 / r - 1.0);
        return density < rest_density ? negative_scale * e : e;
    }

    /// c at rest: c² = dp/dρ = γ K / ρ₀.
    double sound_speed() const { return std::sqrt(exponent * stiffness / rest_density); }

private:
    /// r^γ; for the usual γ without the logarithm that std::pow takes.
    double power(double r) const
    {
        if (exponent != 7.0) return std::pow(r, exponent);
        const double r2 = r * r;
        return r2 * r2 * r2 * r;
    }
};

/// The equation that keeps the density within `compressibility` (relative) while nothing moves faster than
/// `max_speed` [m/s]: c = v / √η, K = ρ₀ c² / γ [BT07].
inline TaitEquation tait_for(double rest_density, double max_speed, double compressibility, double exponent)
{
    const double c = max_speed / std::sqrt(compressibility);
    return {.rest_density = rest_density, .stiffness = rest_density * c * c / exponent, .exponent = exponent};
}

} // namespace phyxel
