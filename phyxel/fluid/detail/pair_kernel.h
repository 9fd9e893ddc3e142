// SPDX-License-Identifier: MIT
// The kernel between a particle and its neighbours, for particles of one size and of several.
//
// Where sizes meet, the density of a particle is summed with its own support, ρ_i = Σ m_j ω(r, h_i), which
// near the border of two lattices is right to the order of one lattice, while a mean of the two supports is
// wrong by a tenth. A force that comes from the energy of that density pushes with ∇ω(r, h_i) for the
// pressure of i and ∇ω(r, h_j) for that of j, so what i does to j is what j does to i [SH02].
#pragma once

#include <phyxel/approx/profiles.h>
#include <phyxel/fluid/detail/pair_lanes.h>

#include <cmath>
#include <concepts>

namespace phyxel {

template <int Dim, std::floating_point Real, bool Mixed>
class PairKernel {
public:
    using Pairs = PairLanes<Dim, Real>;

    PairKernel(const ParticleSizes<Dim, Real>& sizes, Index i)
        : sizes_(sizes),
          inverse_support_(1 / sizes.support_of(i)),
          scale_(scale(inverse_support_)),
          mass_(Mixed ? Real(1) : sizes.mass)
    {
    }

    static constexpr bool is_mixed = Mixed;

    /// No m_j |ω'(r, h_i)| is larger, where masses are the same: it is reached at a third of the support.
    Real steepest() const { return Real(2) * mass_ * scale_ * inverse_support_; }

    /// m_i ω(0, h_i).
    Real center_density(Index i) const { return sizes_.mass_of(i) * scale_; }

    /// m_j ω(r, h_i).
    PHYXEL_INLINE Lanes<Real> density(const Pairs& p) const
    {
        return with_mass(mass_ * scale_ * shape(p.r * inverse_support_), p);
    }

    /// m_j times the mean of ω(r, h_i) and ω(r, h_j).
    PHYXEL_INLINE Lanes<Real> mean_density(const Pairs& p) const
    {
        if constexpr (!Mixed) return density(p);
        const Lanes<Real> inverse = p.of(sizes_.inverse_supports);
        return Real(0.5) * (density(p) + with_mass(scale(inverse) * shape(p.r * inverse), p));
    }

    /// m_j ω'(r, h_i), which is m_j ∂ω/∂r.
    PHYXEL_INLINE Lanes<Real> density_slope(const Pairs& p) const
    {
        return with_mass(mass_ * scale_ * inverse_support_ * shape_slope(p.r * inverse_support_), p);
    }

    /// m_j ω'(r, h_j).
    PHYXEL_INLINE Lanes<Real> other_density_slope(const Pairs& p) const
    {
        if constexpr (!Mixed) return density_slope(p);
        const Lanes<Real> inverse = p.of(sizes_.inverse_supports);
        return with_mass(scale(inverse) * inverse * shape_slope(p.r * inverse), p);
    }

    /// m_j (A_i ω'(r, h_i) + A_j ω'(r, h_j)).
    PHYXEL_INLINE Lanes<Real> density_slope(const Pairs& p, Lanes<Real> A_i, Lanes<Real> A_j) const
    {
        if constexpr (!Mixed) return (A_i + A_j) * density_slope(p);
        return A_i * density_slope(p) + A_j * other_density_slope(p);
    }

    /// m_j.
    PHYXEL_INLINE Lanes<Real> mass(const Pairs& p) const { return with_mass(lanes<Real>(mass_), p); }

    /// Mean of −2 ω'(r, h_i)/r and −2 ω'(r, h_j)/r, which stand in for Δω where viscosity is summed [MFZ97].
    /// Positive, as ViscosityLaplacian is, but on a lattice the sum has the curvature of a parabola within 2
    /// % at all supports from 2 spacings on; that of (1 − r/h) misses it by 14 % at 2 spacings in the plane.
    PHYXEL_INLINE Lanes<Real> mean_laplacian(const Pairs& p) const
    {
        const auto of = [&](auto inverse) {
            // Particles in one place have a q of which a float could not tell the slope.
            const Lanes<Real> q =
                detail::LaneTypes<Real>::larger(p.r * inverse, lanes<Real>(Real(smallest_ratio)));
            return Real(-2) * scale(inverse) * inverse * inverse * shape_slope(q) / q;
        };
        if constexpr (!Mixed) return of(inverse_support_);
        return Real(0.5) * (of(inverse_support_) + of(p.of(sizes_.inverse_supports)));
    }

    /// Mean of h_i and h_j.
    PHYXEL_INLINE Lanes<Real> mean_support(const Pairs& p) const
    {
        if constexpr (!Mixed) return lanes<Real>(sizes_.support_radius);
        return Real(0.5) * (Real(1) / inverse_support_ + p.of(sizes_.support_radii));
    }

    static PHYXEL_INLINE Lanes<Real> positive_part(Lanes<Real> x)
    {
        return detail::LaneTypes<Real>::larger(x, Lanes<Real>{});
    }

private:
    /// Masses that are all the same are a factor of the kernel's constants.
    PHYXEL_INLINE Lanes<Real> with_mass(Lanes<Real> value, const Pairs& p) const
    {
        if constexpr (Mixed) return value * p.of(sizes_.masses);
        return value;
    }

    static constexpr double smallest_ratio = 1e-3;

    template <class T>
    static PHYXEL_INLINE T power(T inverse)
    {
        if constexpr (Dim == 2) return inverse * inverse;
        if constexpr (Dim == 3) return inverse * inverse * inverse;
    }
    template <class T>
    static PHYXEL_INLINE T scale(T inverse)
    {
        return Real(1.0 / CubicSplineProfile::integral<Dim>()) * power(inverse);
    }

    /// Cubic spline without branches: 2(1 − q)³₊ − 8(½ − q)³₊ is the same function [Mon92].
    static PHYXEL_INLINE Lanes<Real> shape(Lanes<Real> q)
    {
        const Lanes<Real> u = positive_part(Real(1) - q);
        const Lanes<Real> w = positive_part(Real(0.5) - q);
        return Real(2) * u * u * u - Real(8) * w * w * w;
    }
    static PHYXEL_INLINE Lanes<Real> shape_slope(Lanes<Real> q)
    {
        const Lanes<Real> u = positive_part(Real(1) - q);
        const Lanes<Real> w = positive_part(Real(0.5) - q);
        return Real(24) * w * w - Real(6) * u * u;
    }

    const ParticleSizes<Dim, Real>& sizes_;
    Real inverse_support_;
    Real scale_;
    Real mass_; ///< 1 where masses differ
};

} // namespace phyxel
