// SPDX-License-Identifier: MIT
// Pair loops several neighbours at a time, one in each lane of a vector register. Sums are kept lane by lane
// and added up in a fixed order: the result depends on nothing but the order of the neighbours.
#pragma once

#include <phyxel/core/types.h>

#include <immintrin.h>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstring>
#include <span>

namespace phyxel {
namespace detail {

// Written out for both types, as a vector of a dependent type is where compilers differ.
template <std::floating_point Real>
struct LaneTypes;
template <>
struct LaneTypes<float> {
    using Values __attribute__((vector_size(32))) = float;
    using Numbers = __m256i;

    static Numbers load(const Index* j) { return _mm256_loadu_si256(reinterpret_cast<const Numbers*>(j)); }
    // Masked, with all lanes wanted: g++ 12 warns of its own plain intrinsic.
    static Values gather(const float* values, Numbers j)
    {
        return _mm256_mask_i32gather_ps(Values{}, values, j, _mm256_castsi256_ps(_mm256_set1_epi32(-1)), 4);
    }
    static Values square_root(Values x) { return _mm256_sqrt_ps(x); }
    static Values nearest(Values x)
    {
        return _mm256_round_ps(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    }
    static Values larger(Values a, Values b) { return _mm256_max_ps(a, b); }
    static Values smaller(Values a, Values b) { return _mm256_min_ps(a, b); }
};
template <>
struct LaneTypes<double> {
    using Values __attribute__((vector_size(32))) = double;
    using Numbers = __m128i;

    static Numbers load(const Index* j) { return _mm_loadu_si128(reinterpret_cast<const Numbers*>(j)); }
    static Values gather(const double* values, Numbers j)
    {
        return _mm256_mask_i32gather_pd(Values{}, values, j, _mm256_castsi256_pd(_mm256_set1_epi32(-1)), 8);
    }
    static Values square_root(Values x) { return _mm256_sqrt_pd(x); }
    static Values nearest(Values x)
    {
        return _mm256_round_pd(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    }
    static Values larger(Values a, Values b) { return _mm256_max_pd(a, b); }
    static Values smaller(Values a, Values b) { return _mm256_min_pd(a, b); }
};

} // namespace detail

/// 8 floats or 4 doubles, with the arithmetic of numbers.
template <std::floating_point Real>
using Lanes = typename detail::LaneTypes<Real>::Values;

template <std::floating_point Real>
inline constexpr std::size_t lane_count = 32 / sizeof(Real);

/// The same number in all lanes.
template <std::floating_point Real>
Lanes<Real> lanes(Real value)
{
    return Lanes<Real>{} + value;
}

template <std::floating_point Real>
Real sum_of(Lanes<Real> v)
{
    if constexpr (lane_count<Real> == 8)
        return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
    else
        return (v[0] + v[2]) + (v[1] + v[3]);
}

/// Some neighbours of a particle: who they are, where they are seen from it, how far.
template <int Dim, std::floating_point Real>
struct PairLanes {
    typename detail::LaneTypes<Real>::Numbers j;
    Lanes<Real> valid;              ///< 1, or 0 in the lanes after the last neighbour
    std::array<Lanes<Real>, Dim> d; ///< x_i − x_j [m]
    Lanes<Real> r;                  ///< |x_i − x_j| [m]

    /// Values of the neighbours.
    Lanes<Real> of(const Real* values) const { return detail::LaneTypes<Real>::gather(values, j); }
};

/// Positions, one array an axis, in a space that may repeat.
template <int Dim, std::floating_point Real>
struct PairGeometry {
    std::array<const Real*, Dim> x{};
    std::array<Real, Dim> period{}; ///< 0 along axes that do not repeat
    std::array<Real, Dim> inverse_period{};

    /// Calls visit(pairs) for the neighbours of i, as many at a time as there are lanes.
    template <bool Periodic, class Visit>
    void for_each(Index i, std::span<const Index> neighbors, Visit&& visit) const
    {
        using Types = detail::LaneTypes<Real>;
        constexpr std::size_t width = lane_count<Real>;
        std::array<Real, Dim> x_i;
        for (int k = 0; k < Dim; ++k) x_i[k] = x[k][i];
        const auto visit_lanes = [&](const Index* j, Lanes<Real> valid) {
            PairLanes<Dim, Real> pairs;
            pairs.j = Types::load(j);
            pairs.valid = valid;
            Lanes<Real> r2{};
            for (int k = 0; k < Dim; ++k) {
                Lanes<Real> d = x_i[k] - Types::gather(x[k], pairs.j);
                if constexpr (Periodic) d -= period[k] * Types::nearest(d * inverse_period[k]);
                r2 += d * d;
                pairs.d[k] = d;
            }
            pairs.r = Types::square_root(r2);
            visit(pairs);
        };
        const std::size_t whole = neighbors.size() / width * width;
        for (std::size_t first = 0; first < whole; first += width)
            visit_lanes(neighbors.data() + first, lanes<Real>(1));
        if (whole == neighbors.size()) return;
        std::array<Index, width> rest;
        rest.fill(i);
        std::copy(neighbors.begin() + static_cast<std::ptrdiff_t>(whole), neighbors.end(), rest.begin());
        Lanes<Real> valid{};
        for (std::size_t l = 0; l < neighbors.size() - whole; ++l) valid[l] = 1;
        visit_lanes(rest.data(), valid);
    }

    bool is_periodic() const
    {
        return std::any_of(period.begin(), period.end(), [](Real length) { return length > 0; });
    }
};

/// Cubic spline without branches: w = 2(1 − q)³₊ − 8(½ − q)³₊ is the same function [Mon92].
template <std::floating_point Real>
struct CubicSplineLanes {
    Real inverse_support;
    Real value_scale;
    Real derivative_scale;

    Lanes<Real> value(Lanes<Real> r) const
    {
        const Lanes<Real> q = r * inverse_support;
        const Lanes<Real> u = positive_part(Real(1) - q);
        const Lanes<Real> w = positive_part(Real(0.5) - q);
        return value_scale * (Real(2) * u * u * u - Real(8) * w * w * w);
    }

    Lanes<Real> derivative(Lanes<Real> r) const
    {
        const Lanes<Real> q = r * inverse_support;
        const Lanes<Real> u = positive_part(Real(1) - q);
        const Lanes<Real> w = positive_part(Real(0.5) - q);
        return derivative_scale * (Real(24) * w * w - Real(6) * u * u);
    }

    static Lanes<Real> positive_part(Lanes<Real> x)
    {
        return detail::LaneTypes<Real>::larger(x, Lanes<Real>{});
    }
};

} // namespace phyxel
