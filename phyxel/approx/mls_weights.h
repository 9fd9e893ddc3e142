// SPDX-License-Identifier: MIT
// Weights of moving least squares: how much a node with support radius h counts at a point. They have value 1
// at the node and are 0 outside its support; unlike SPH kernels they need no unit integral.
#pragma once

#include <phyxel/approx/axis_pairs.h>
#include <phyxel/approx/profiles.h>
#include <phyxel/core/types.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <variant>

namespace phyxel {

/// A weight and its derivatives by the evaluation point x, as far as they were asked for.
template <int Dim>
struct WeightJet {
    double value;
    Vec<Dim> gradient;
    PairVec<Dim> second_derivatives;
};

/// What the two kinds of weights share. `offset` is x − x_i [m], from the node to the evaluation point.
template <class Weight>
struct WeightInterface {
    template <int Dim>
    static double value(const Vec<Dim>& offset, double support_radius)
    {
        if (!Weight::covers(offset, support_radius)) return 0.0;
        return Weight::template jet<0>(offset, 1 / support_radius).value;
    }

    /// ∇ω [1/m], 0 at the node.
    template <int Dim>
    static Vec<Dim> gradient(const Vec<Dim>& offset, double support_radius)
    {
        if (!Weight::covers(offset, support_radius)) return Vec<Dim>::Zero();
        return Weight::template jet<1>(offset, 1 / support_radius).gradient;
    }

    /// ∂²ω/∂x_k∂x_l [1/m²].
    template <int Dim>
    static Mat<Dim> hessian(const Vec<Dim>& offset, double support_radius)
    {
        if (!Weight::covers(offset, support_radius)) return Mat<Dim>::Zero();
        return symmetric_matrix<Dim>(Weight::template jet<2>(offset, 1 / support_radius).second_derivatives);
    }
};

/// ω = w(q), q = |x − x_i| / h [AW09, Eq. 21]. The support is a ball of radius h.
template <Profile P>
struct RadialWeight : WeightInterface<RadialWeight<P>> {
    /// Radius of the ball that contains the support, in units of h.
    template <int Dim>
    static double reach()
    {
        return 1.0;
    }

    template <int Dim>
    static bool covers(const Vec<Dim>& offset, double support_radius)
    {
        return offset.squaredNorm() < support_radius * support_radius;
    }

    /// The weight with `Derivatives` (0, 1 or 2) derivatives at a point that it covers.
    ///
    ///     ∇ω = s d / h²,    ∂²ω = (s I + (w″ − s) n nᵀ) / h²,    s = w′ / q,    n = d / |d|.
    ///
    /// All our profiles are flat at the node, where s tends to w″(0). Keeping q a little above 0 gives that
    /// limit to the last bit, without a branch.
    template <int Derivatives, int Dim>
    static WeightJet<Dim> jet(const Vec<Dim>& offset, double inverse_h)
    {
        constexpr double tiny = 1e-100;
        WeightJet<Dim> result;
        // Rounding can bring a covered point onto the rim, but profiles are defined no further.
        const double q = std::clamp(offset.norm() * inverse_h, tiny, 1.0);
        result.value = P::value(q);
        if constexpr (Derivatives >= 1) {
            const double s = P::derivative(q) / q;
            const double scale = inverse_h * inverse_h;
            result.gradient = (scale * s) * offset;
            if constexpr (Derivatives >= 2) {
                const double bend = P::second_derivative(q) - s;
                const double inverse_r = inverse_h / q;
                for (int k = 0; k < Dim; ++k)
                    for (int l = k; l < Dim; ++l) {
                        const double n_kl = (inverse_r * offset[k]) * (inverse_r * offset[l]);
                        result.second_derivatives[axis_pair<Dim>(k, l)] =
                            scale * (bend * n_kl + (k == l ? s : 0.0));
                    }
            }
        }
        return result;
    }
};

/// ω = Π_k w(|x_k − x_ik| / h) [GQ09, Eq. 12]. The support is a cube of half-width h.
template <Profile P>
struct ProductWeight : WeightInterface<ProductWeight<P>> {
    template <int Dim>
    static double reach()
    {
        return std::sqrt(static_cast<double>(Dim));
    }

    template <int Dim>
    static bool covers(const Vec<Dim>& offset, double support_radius)
    {
        return offset.cwiseAbs().maxCoeff() < support_radius;
    }

    template <int Derivatives, int Dim>
    static WeightJet<Dim> jet(const Vec<Dim>& offset, double inverse_h)
    {
        // Row d holds the d-th derivatives of the factors by their own coordinate.
        std::array<std::array<double, Dim>, Derivatives + 1> factor;
        for (int k = 0; k < Dim; ++k) {
            const double q = std::min(std::abs(offset[k]) * inverse_h, 1.0);
            factor[0][k] = P::value(q);
            if constexpr (Derivatives >= 1)
                factor[1][k] = std::copysign(inverse_h, offset[k]) * P::derivative(q);
            if constexpr (Derivatives >= 2) factor[2][k] = inverse_h * inverse_h * P::second_derivative(q);
        }
        const auto product = [&](auto&& derivative_along) {
            double result = 1.0;
            for (int k = 0; k < Dim; ++k) result *= factor[derivative_along(k)][k];
            return result;
        };

        WeightJet<Dim> result;
        result.value = product([](int) { return 0; });
        if constexpr (Derivatives >= 1)
            for (int k = 0; k < Dim; ++k) result.gradient[k] = product([&](int m) { return m == k ? 1 : 0; });
        if constexpr (Derivatives >= 2)
            for (int k = 0; k < Dim; ++k)
                for (int l = k; l < Dim; ++l)
                    result.second_derivatives[axis_pair<Dim>(k, l)] =
                        product([&](int m) { return (m == k ? 1 : 0) + (m == l ? 1 : 0); });
        return result;
    }
};

/// The weights that a user can choose from. The first five are radial.
enum class MlsWeight {
    Quartic,
    Poly6,
    CubicSpline,
    WendlandC2,
    TruncatedGaussian,
    QuarticProduct,           ///< C² and with cubic support: for cells of a grid or an octree
    CompositeQuadraticProduct ///< of Guo and Qin; only C¹, so second derivatives jump
};

inline constexpr std::array all_mls_weights = {MlsWeight::Quartic,
                                               MlsWeight::Poly6,
                                               MlsWeight::CubicSpline,
                                               MlsWeight::WendlandC2,
                                               MlsWeight::TruncatedGaussian,
                                               MlsWeight::QuarticProduct,
                                               MlsWeight::CompositeQuadraticProduct};

/// The word for a weight in scenes and on the command line, such as "cubic_spline".
std::string_view name_of(MlsWeight weight);

/// The weight that a word stands for. Throws InputError for any other word.
MlsWeight mls_weight_named(std::string_view name);

/// A weight chosen at run time. Callers look at the choice once, outside their loop over nodes.
template <int Dim>
struct AnyMlsWeight {
    std::variant<RadialWeight<QuarticProfile>, RadialWeight<Poly6Profile>, RadialWeight<CubicSplineProfile>,
                 RadialWeight<WendlandC2Profile<Dim>>, RadialWeight<TruncatedGaussianProfile>,
                 ProductWeight<QuarticProfile>, ProductWeight<CompositeQuadraticProfile>>
        choice;

    double value(const Vec<Dim>& offset, double support_radius) const
    {
        return std::visit([&](auto weight) { return weight.value(offset, support_radius); }, choice);
    }
    Vec<Dim> gradient(const Vec<Dim>& offset, double support_radius) const
    {
        return std::visit([&](auto weight) { return weight.gradient(offset, support_radius); }, choice);
    }
    Mat<Dim> hessian(const Vec<Dim>& offset, double support_radius) const
    {
        return std::visit([&](auto weight) { return weight.hessian(offset, support_radius); }, choice);
    }

    /// Radius of the ball that contains the support, in units of h: how far to search for nodes.
    double reach() const
    {
        return std::visit([](auto weight) { return weight.template reach<Dim>(); }, choice);
    }
};

template <int Dim>
AnyMlsWeight<Dim> make_mls_weight(MlsWeight weight);

} // namespace phyxel
