// SPDX-License-Identifier: MIT
// SPH kernels: radial profiles (profiles.h) stretched to a support radius h and scaled to unit integral.
#pragma once

#include <phyxel/approx/profiles.h>
#include <phyxel/core/types.h>

#include <array>
#include <concepts>
#include <limits>
#include <numbers>
#include <string_view>
#include <type_traits>
#include <variant>

namespace phyxel {

/// What a stage needs of a kernel ω. `support_radius` is where ω becomes 0 and stays 0.
template <class K, int Dim>
concept Kernel = requires(const K kernel, typename K::Scalar r, Vec<Dim, typename K::Scalar> x)
{
    {
        kernel.support_radius()
        } -> std::same_as<typename K::Scalar>;
    {
        kernel.value(r)
        } -> std::same_as<typename K::Scalar>;
    {
        kernel.gradient(x)
        } -> std::same_as<Vec<Dim, typename K::Scalar>>;
};

/// What stands in for Δω in a discrete Laplacian: a kernel with its true Laplacian, or `ViscosityLaplacian`.
template <class K>
concept LaplacianKernel = requires(const K kernel, typename K::Scalar r)
{
    {
        kernel.laplacian(r)
        } -> std::same_as<typename K::Scalar>;
};

/// The number type that a kernel works in.
template <class K>
using ScalarOf = typename K::Scalar;

namespace detail {

/// normalisation / h^power. Throws InputError unless h is positive and finite and the result lies between
/// `smallest` and `largest`, the normal numbers of the precision that the kernel works in.
double kernel_scale(double normalisation, double support_radius, int power, double smallest, double largest);

template <std::floating_point Real>
Real kernel_scale(double normalisation, Real support_radius, int power)
{
    using Limits = std::numeric_limits<Real>;
    return static_cast<Real>(
        kernel_scale(normalisation, support_radius, power, Limits::min(), Limits::max()));
}

} // namespace detail

/// ω(x) = σ w(|x| / h) for the profile w, with σ such that ∫ ω dx = 1 in Dim dimensions [AW09, Eq. 8].
/// Every r must be ≥ 0; everything is exactly 0 for r ≥ h.
template <Profile P, int Dim, std::floating_point Real = double>
class RadialKernel {
public:
    using Scalar = Real;

    /// Throws InputError unless `support_radius` [m] is positive and finite.
    explicit RadialKernel(Real support_radius)
        : support_radius_(support_radius),
          // The highest power first: if it is a number, so are the others.
          second_derivative_scale_(scale(Dim + 2)),
          derivative_scale_(scale(Dim + 1)),
          value_scale_(scale(Dim)),
          inverse_support_(1 / support_radius)
    {
    }

    Real support_radius() const { return support_radius_; }

    /// ω [m^-Dim].
    Real value(Real r) const
    {
        if (r >= support_radius_) return 0;
        return value_scale_ * P::value(r * inverse_support_);
    }

    /// ω′ = dω/dr. At r = 0 it is the slope towards growing r, which is not 0 for spiky.
    Real derivative(Real r) const
    {
        if (r >= support_radius_) return 0;
        return derivative_scale_ * P::derivative(r * inverse_support_);
    }

    /// ω″ = d²ω/dr².
    Real second_derivative(Real r) const
    {
        if (r >= support_radius_) return 0;
        return second_derivative_scale_ * P::second_derivative(r * inverse_support_);
    }

    /// Δω = ω″ + (Dim − 1) ω′ / r. [AW09, Eq. 11] has ω″ alone, which is the Laplacian only in one dimension
    /// and diffuses 3/2 (2D) or 2 times (3D) too much.
    ///
    /// At r = 0 this is the limit Dim · ω″(0), or −∞ in two and three dimensions for a kernel with a kink
    /// there (spiky).
    Real laplacian(Real r) const
    {
        if constexpr (Dim == 1) {
            return second_derivative(r);
        } else {
            if (r >= support_radius_) return 0;
            // In terms of q alone, so that w′ / q stays a quotient of two numbers that vanish together.
            const Real q = r * inverse_support_;
            if (q == 0) return laplacian_at_centre();
            return second_derivative_scale_ * (P::second_derivative(q) + (Dim - 1) * P::derivative(q) / q);
        }
    }

    /// ∇ω(x) = ω′(r) x / r [AW09, Eq. 10], exactly 0 at x = 0 and exactly antisymmetric.
    Vec<Dim, Real> gradient(const Vec<Dim, Real>& x) const
    {
        const Real r = x.norm();
        if (r == 0 || r >= support_radius_) return Vec<Dim, Real>::Zero();
        return derivative_scale_ * P::derivative(r * inverse_support_) / r * x;
    }

private:
    Real scale(int power) const
    {
        return detail::kernel_scale(1 / P::template integral<Dim>(), support_radius_, power);
    }

    Real laplacian_at_centre() const
    {
        if (P::derivative(Real(0)) != 0) return -std::numeric_limits<Real>::infinity();
        return Dim * second_derivative(0);
    }

    Real support_radius_;
    Real second_derivative_scale_;
    Real derivative_scale_;
    Real value_scale_;
    Real inverse_support_;
};

template <int Dim, std::floating_point Real = double>
using Poly6 = RadialKernel<Poly6Profile, Dim, Real>;

template <int Dim, std::floating_point Real = double>
using Spiky = RadialKernel<SpikyProfile, Dim, Real>;

template <int Dim, std::floating_point Real = double>
using CubicSpline = RadialKernel<CubicSplineProfile, Dim, Real>;

template <int Dim, std::floating_point Real = double>
using WendlandC2 = RadialKernel<WendlandC2Profile<Dim>, Dim, Real>;

/// Stands in for Δω where velocities are smoothed: C (1 − r / h), with C such that ∫ r² / (2 Dim) · Δω dx = 1
/// as for the Laplacian of a kernel. In three dimensions this is the viscosity kernel of [MCG03, Eq. 22].
///
/// It is positive everywhere, so friction always takes energy; the Laplacians of poly6 and spiky change sign
/// and may add some.
template <int Dim, std::floating_point Real = double>
class ViscosityLaplacian {
public:
    using Scalar = Real;

    /// Throws InputError unless `support_radius` [m] is positive and finite.
    explicit ViscosityLaplacian(Real support_radius)
        : support_radius_(support_radius),
          scale_(detail::kernel_scale(normalisation(), support_radius, Dim + 2)),
          inverse_support_(1 / support_radius)
    {
    }

    Real support_radius() const { return support_radius_; }

    /// Δω [m^-(Dim + 2)].
    Real laplacian(Real r) const
    {
        if (r >= support_radius_) return 0;
        return scale_ * (1 - r * inverse_support_);
    }

private:
    static constexpr double normalisation()
    {
        if constexpr (Dim == 1) return 12.0;
        if constexpr (Dim == 2) return 40.0 / std::numbers::pi;
        if constexpr (Dim == 3) return 45.0 / std::numbers::pi;
    }

    Real support_radius_;
    Real scale_;
    Real inverse_support_;
};

/// The kernels that a user can choose from.
enum class KernelType { Poly6, Spiky, CubicSpline, WendlandC2 };

inline constexpr std::array all_kernel_types = {KernelType::Poly6, KernelType::Spiky, KernelType::CubicSpline,
                                                KernelType::WendlandC2};

/// The word for a kernel in scenes and on the command line, such as "cubic_spline".
std::string_view name_of(KernelType type);

/// A kernel chosen at run time. Stages look at the choice once, outside their loop over particles.
template <int Dim, std::floating_point Real = double>
struct AnyKernel {
    using Scalar = Real;

    std::variant<Poly6<Dim, Real>, Spiky<Dim, Real>, CubicSpline<Dim, Real>, WendlandC2<Dim, Real>> choice;

    Real support_radius() const
    {
        return std::visit([](const auto& kernel) { return kernel.support_radius(); }, choice);
    }
};

/// Throws InputError unless `support_radius` [m] is positive and finite.
template <int Dim, std::floating_point Real = double>
AnyKernel<Dim, Real> make_kernel(KernelType type, std::type_identity_t<Real> support_radius);

} // namespace phyxel
