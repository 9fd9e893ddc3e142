// SPDX-License-Identifier: MIT
// Complete polynomial bases of moving least squares. They are written in the coordinate t = (y − x̂) / h,
// whose centre x̂ is the evaluation point and stays where it is under differentiation.
#pragma once

#include <phyxel/approx/axis_pairs.h>
#include <phyxel/core/types.h>

#include <array>

namespace phyxel {

inline constexpr int largest_mls_order = 2;

/// All monomials of t up to `Order`, in the sequence 1; x, y, z; x², xy, xz, y², yz, z² [GQ09, Eq. 10–11].
/// The basis of a lower order is the beginning of that of a higher one.
///
/// [AW09, Eq. 28–29] centre the basis at the evaluation point, where [AW09, Eq. 30] then lacks the
/// derivatives of p((x_i − x) / h) by x. Freezing the centre makes them unnecessary: p(x_i) is constant, and
/// the values of the basis and its derivatives at the centre are multiples of unit vectors,
///
///     p = e_0,    ∂_k p = e_first(k) / h,    ∂_k ∂_l p = (1 + δ_kl) e_second(k, l) / h².
///
/// Shape functions do not depend on shift and scale of the basis, so nothing is lost.
template <int Dim, int Order>
struct PolynomialBasis {
    static_assert(Order >= 0 && Order <= largest_mls_order);

    static constexpr int size = Order == 0 ? 1 : Order == 1 ? 1 + Dim : 1 + Dim + axis_pair_count<Dim>;

    /// Which term has the derivative along axis k at the centre. Only for Order ≥ 1.
    static constexpr int first(int k) { return 1 + k; }

    /// Which term has the second derivative along axes k and l at the centre. Only for Order = 2.
    static constexpr int second(int k, int l) { return 1 + Dim + axis_pair<Dim>(k, l); }

    /// ∂_k p at the centre, by y.
    static Vec<size> first_derivative([[maybe_unused]] int k, [[maybe_unused]] double h)
    {
        Vec<size> result = Vec<size>::Zero();
        if constexpr (Order >= 1) result[first(k)] = 1 / h;
        return result;
    }

    /// ∂_k ∂_l p at the centre, by y.
    static Vec<size> second_derivative([[maybe_unused]] int k, [[maybe_unused]] int l,
                                       [[maybe_unused]] double h)
    {
        Vec<size> result = Vec<size>::Zero();
        if constexpr (Order >= 2) result[second(k, l)] = (k == l ? 2 : 1) / (h * h);
        return result;
    }

    /// p(t), for numbers or for several points side by side.
    template <class T>
    static std::array<T, size> at(const std::array<T, Dim>& t)
    {
        std::array<T, size> p;
        p[0] = T{} + 1.0;
        if constexpr (Order >= 1)
            for (int k = 0; k < Dim; ++k) p[first(k)] = t[k];
        if constexpr (Order >= 2)
            for (int k = 0; k < Dim; ++k)
                for (int l = k; l < Dim; ++l) p[second(k, l)] = t[k] * t[l];
        return p;
    }
};

/// Number of terms of the basis for an order chosen at run time: 0, 1 or 2.
template <int Dim>
constexpr int basis_size(int order)
{
    if (order == 0) return PolynomialBasis<Dim, 0>::size;
    return order == 1 ? PolynomialBasis<Dim, 1>::size : PolynomialBasis<Dim, 2>::size;
}

} // namespace phyxel
