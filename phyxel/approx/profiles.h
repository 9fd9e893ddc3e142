// SPDX-License-Identifier: MIT
// Radial profiles: bell curves in q = r / h on 0 ≤ q < 1 with value 1 at q = 0. Scaled to unit integral a
// profile is an SPH kernel (kernels.h); taken as it is, it is an MLS weight (mls_weights.h).
#pragma once

#include <cmath>
#include <concepts>
#include <numbers>

namespace phyxel {

/// A profile w(q) with derivatives by q. Callers ask only for 0 ≤ q < 1; beyond, everything is 0.
/// `integral<Dim>` is ∫ w(|x|) dx over the unit ball of that dimension.
template <class P>
concept Profile = requires(double q)
{
    {
        P::value(q)
        } -> std::same_as<double>;
    {
        P::derivative(q)
        } -> std::same_as<double>;
    {
        P::second_derivative(q)
        } -> std::same_as<double>;
};

/// (1 − q²)³: "poly6" [MCG03, Eq. 20], [AW09, Eq. 86–91]. Smooth at the centre, C² at the rim.
struct Poly6Profile {
    template <std::floating_point Real>
    static Real value(Real q)
    {
        const Real u = 1 - q * q;
        return u * u * u;
    }
    template <std::floating_point Real>
    static Real derivative(Real q)
    {
        const Real u = 1 - q * q;
        return -6 * q * u * u;
    }
    template <std::floating_point Real>
    static Real second_derivative(Real q)
    {
        return 6 * (1 - q * q) * (5 * q * q - 1);
    }
    template <int Dim>
    static constexpr double integral()
    {
        if constexpr (Dim == 1) return 32.0 / 35.0;
        if constexpr (Dim == 2) return std::numbers::pi / 4.0;
        if constexpr (Dim == 3) return 64.0 * std::numbers::pi / 315.0;
    }
};

/// (1 − q)³: "spiky" [MCG03, Eq. 21], [AW09, Eq. 92–97]; with h = 2 h_DC the kernel of [DC99, Eq. 21]. Its
/// slope does not vanish at the centre, so pressure keeps pushing particles apart however close they are.
struct SpikyProfile {
    template <std::floating_point Real>
    static Real value(Real q)
    {
        const Real u = 1 - q;
        return u * u * u;
    }
    template <std::floating_point Real>
    static Real derivative(Real q)
    {
        const Real u = 1 - q;
        return -3 * u * u;
    }
    template <std::floating_point Real>
    static Real second_derivative(Real q)
    {
        return 6 * (1 - q);
    }
    template <int Dim>
    static constexpr double integral()
    {
        if constexpr (Dim == 1) return 1.0 / 2.0;
        if constexpr (Dim == 2) return std::numbers::pi / 10.0;
        if constexpr (Dim == 3) return std::numbers::pi / 15.0;
    }
};

/// Cubic B-spline [Mon92]: 1 − 6q² + 6q³ up to q = ½, then 2(1 − q)³.
struct CubicSplineProfile {
    template <std::floating_point Real>
    static Real value(Real q)
    {
        const Real u = 1 - q;
        return q <= Real(0.5) ? 1 + 6 * q * q * (q - 1) : 2 * u * u * u;
    }
    template <std::floating_point Real>
    static Real derivative(Real q)
    {
        const Real u = 1 - q;
        return q <= Real(0.5) ? 6 * q * (3 * q - 2) : -6 * u * u;
    }
    template <std::floating_point Real>
    static Real second_derivative(Real q)
    {
        return q <= Real(0.5) ? 12 * (3 * q - 1) : 12 * (1 - q);
    }
    template <int Dim>
    static constexpr double integral()
    {
        if constexpr (Dim == 1) return 3.0 / 4.0;
        if constexpr (Dim == 2) return 7.0 * std::numbers::pi / 40.0;
        if constexpr (Dim == 3) return std::numbers::pi / 8.0;
    }
};

/// Wendland C² [Wen95]: (1 − q)⁴(1 + 4q) in two and three dimensions, (1 − q)³(1 + 3q) in one. Its Fourier
/// transform is positive, so particles do not clump however many neighbours there are.
template <int Dim>
struct WendlandC2Profile {
    template <std::floating_point Real>
    static Real value(Real q)
    {
        const Real u = 1 - q;
        if constexpr (Dim == 1)
            return u * u * u * (1 + 3 * q);
        else
            return u * u * u * u * (1 + 4 * q);
    }
    template <std::floating_point Real>
    static Real derivative(Real q)
    {
        const Real u = 1 - q;
        if constexpr (Dim == 1)
            return -12 * q * u * u;
        else
            return -20 * q * u * u * u;
    }
    template <std::floating_point Real>
    static Real second_derivative(Real q)
    {
        const Real u = 1 - q;
        if constexpr (Dim == 1)
            return 12 * u * (3 * q - 1);
        else
            return 20 * u * u * (4 * q - 1);
    }
    template <int D>
    static constexpr double integral()
    {
        static_assert(D == Dim, "the profile itself depends on the dimension");
        if constexpr (Dim == 1) return 4.0 / 5.0;
        if constexpr (Dim == 2) return std::numbers::pi / 7.0;
        if constexpr (Dim == 3) return 2.0 * std::numbers::pi / 21.0;
    }
};

/// 1 − 6q² + 8q³ − 3q⁴: the quartic spline, C² everywhere; the default MLS weight.
struct QuarticProfile {
    template <std::floating_point Real>
    static Real value(Real q)
    {
        const Real u = 1 - q;
        return u * u * u * (1 + 3 * q);
    }
    template <std::floating_point Real>
    static Real derivative(Real q)
    {
        const Real u = 1 - q;
        return -12 * q * u * u;
    }
    template <std::floating_point Real>
    static Real second_derivative(Real q)
    {
        return 12 * (1 - q) * (3 * q - 1);
    }
};

/// Gaussian exp(−(q/β)²), lowered and rescaled so that it is 0 at the rim; its slope there is not.
struct TruncatedGaussianProfile {
    static constexpr double beta = 0.4;

    template <std::floating_point Real>
    static Real value(Real q)
    {
        return (gaussian(q) - rim<Real>()) / (1 - rim<Real>());
    }
    template <std::floating_point Real>
    static Real derivative(Real q)
    {
        const Real b2 = Real(beta * beta);
        return -2 * q / b2 * gaussian(q) / (1 - rim<Real>());
    }
    template <std::floating_point Real>
    static Real second_derivative(Real q)
    {
        const Real b2 = Real(beta * beta);
        return (4 * q * q / b2 - 2) / b2 * gaussian(q) / (1 - rim<Real>());
    }

private:
    template <std::floating_point Real>
    static Real gaussian(Real q)
    {
        return std::exp(-q * q / Real(beta * beta));
    }
    template <std::floating_point Real>
    static Real rim()
    {
        return gaussian(Real(1));
    }
};

/// Composite quadratic [GQ09, Eq. 13]: 1 − 2q² up to q = ½, then 2(1 − q)². Only C¹; used per axis, as a
/// tensor product.
struct CompositeQuadraticProfile {
    template <std::floating_point Real>
    static Real value(Real q)
    {
        const Real u = 1 - q;
        return q <= Real(0.5) ? 1 - 2 * q * q : 2 * u * u;
    }
    template <std::floating_point Real>
    static Real derivative(Real q)
    {
        return q <= Real(0.5) ? -4 * q : -4 * (1 - q);
    }
    template <std::floating_point Real>
    static Real second_derivative(Real q)
    {
        return q <= Real(0.5) ? Real(-4) : Real(4);
    }
};

} // namespace phyxel
