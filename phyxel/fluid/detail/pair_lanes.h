// SPDX-License-Identifier: MIT
// Pair loops several neighbours at a time, one in each lane of a vector register. Sums are kept lane by lane
// and added up in a fixed order: the result depends on nothing but the order of the neighbours.
#pragma once

#include <phyxel/fluid/pair_data.h>
#include <phyxel/fluid/pair_gradients.h>

#include <immintrin.h>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstring>
#include <span>

/// Pair loops are worth their registers only if they are one piece: what a call returns goes through memory.
#define PHYXEL_INLINE inline __attribute__((always_inline))

namespace phyxel {
namespace detail {

// Written out for both types, as a vector of a dependent type is where compilers differ.
template <std::floating_point Real>
struct LaneTypes;
template <>
struct LaneTypes<float> {
    using Values __attribute__((vector_size(32))) = float;
    using Numbers = __m256i;

    static PHYXEL_INLINE Numbers load(const Index* j)
    {
        return _mm256_loadu_si256(reinterpret_cast<const Numbers*>(j));
    }
    /// The four numbers of each of eight quads: eight loads and a transposition, which is several times
    /// faster than gathering the numbers one by one.
    static PHYXEL_INLINE std::array<Values, 4> load_quads(const float* quads, const Index* j)
    {
        const auto two = [&](int low, int high) {
            return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_load_ps(quads + 4 * std::size_t(j[low]))),
                                        _mm_load_ps(quads + 4 * std::size_t(j[high])), 1);
        };
        const __m256 a = two(0, 4), b = two(1, 5), c = two(2, 6), d = two(3, 7);
        const __m256 ab_low = _mm256_unpacklo_ps(a, b), ab_high = _mm256_unpackhi_ps(a, b);
        const __m256 cd_low = _mm256_unpacklo_ps(c, d), cd_high = _mm256_unpackhi_ps(c, d);
        return {_mm256_shuffle_ps(ab_low, cd_low, 0x44), _mm256_shuffle_ps(ab_low, cd_low, 0xEE),
                _mm256_shuffle_ps(ab_high, cd_high, 0x44), _mm256_shuffle_ps(ab_high, cd_high, 0xEE)};
    }
    // Masked, with all lanes wanted: g++ 12 warns of its own plain intrinsic.
    static PHYXEL_INLINE Values gather(const float* values, Numbers j)
    {
        return _mm256_mask_i32gather_ps(Values{}, values, j, _mm256_castsi256_ps(_mm256_set1_epi32(-1)), 4);
    }
    static PHYXEL_INLINE Values square_root(Values x) { return _mm256_sqrt_ps(x); }
    static PHYXEL_INLINE Values nearest(Values x)
    {
        return _mm256_round_ps(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    }
    static PHYXEL_INLINE Values larger(Values a, Values b) { return _mm256_max_ps(a, b); }
    static PHYXEL_INLINE Values smaller(Values a, Values b) { return _mm256_min_ps(a, b); }
    static PHYXEL_INLINE Values multiply_add(Values a, Values b, Values c)
    {
        return _mm256_fmadd_ps(a, b, c);
    }
    static PHYXEL_INLINE float sum(Values v)
    {
        __m128 four = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
        four = _mm_add_ps(four, _mm_movehl_ps(four, four));
        return _mm_cvtss_f32(_mm_add_ss(four, _mm_movehdup_ps(four)));
    }
};
template <>
struct LaneTypes<double> {
    using Values __attribute__((vector_size(32))) = double;
    using Numbers = __m128i;

    static PHYXEL_INLINE Numbers load(const Index* j)
    {
        return _mm_loadu_si128(reinterpret_cast<const Numbers*>(j));
    }
    static PHYXEL_INLINE std::array<Values, 4> load_quads(const double* quads, const Index* j)
    {
        const auto quad = [&](int lane) { return _mm256_load_pd(quads + 4 * std::size_t(j[lane])); };
        const __m256d a = quad(0), b = quad(1), c = quad(2), d = quad(3);
        const __m256d ab_low = _mm256_unpacklo_pd(a, b), ab_high = _mm256_unpackhi_pd(a, b);
        const __m256d cd_low = _mm256_unpacklo_pd(c, d), cd_high = _mm256_unpackhi_pd(c, d);
        return {_mm256_permute2f128_pd(ab_low, cd_low, 0x20), _mm256_permute2f128_pd(ab_high, cd_high, 0x20),
                _mm256_permute2f128_pd(ab_low, cd_low, 0x31), _mm256_permute2f128_pd(ab_high, cd_high, 0x31)};
    }
    static PHYXEL_INLINE Values gather(const double* values, Numbers j)
    {
        return _mm256_mask_i32gather_pd(Values{}, values, j, _mm256_castsi256_pd(_mm256_set1_epi32(-1)), 8);
    }
    static PHYXEL_INLINE Values square_root(Values x) { return _mm256_sqrt_pd(x); }
    static PHYXEL_INLINE Values nearest(Values x)
    {
        return _mm256_round_pd(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    }
    static PHYXEL_INLINE Values larger(Values a, Values b) { return _mm256_max_pd(a, b); }
    static PHYXEL_INLINE Values smaller(Values a, Values b) { return _mm256_min_pd(a, b); }
    static PHYXEL_INLINE Values multiply_add(Values a, Values b, Values c)
    {
        return _mm256_fmadd_pd(a, b, c);
    }
    static PHYXEL_INLINE double sum(Values v)
    {
        const __m128d two = _mm_add_pd(_mm256_castpd256_pd128(v), _mm256_extractf128_pd(v, 1));
        return _mm_cvtsd_f64(_mm_add_sd(two, _mm_unpackhi_pd(two, two)));
    }
};

} // namespace detail

/// 8 floats or 4 doubles, with the arithmetic of numbers.
template <std::floating_point Real>
using Lanes = typename detail::LaneTypes<Real>::Values;

/// The same number in all lanes.
template <std::floating_point Real>
PHYXEL_INLINE Lanes<Real> lanes(Real value)
{
    return Lanes<Real>{} + value;
}

/// a b + c, rounded once.
template <std::floating_point Real>
PHYXEL_INLINE Lanes<Real> multiply_add(Lanes<Real> a, Lanes<Real> b, Lanes<Real> c)
{
    return detail::LaneTypes<Real>::multiply_add(a, b, c);
}

/// Sum of all lanes, halves first.
template <std::floating_point Real>
PHYXEL_INLINE Real sum_of(Lanes<Real> v)
{
    return detail::LaneTypes<Real>::sum(v);
}

/// Some neighbours of a particle: who they are, where they are seen from it, how far. Lanes after the last
/// neighbour hold somebody who is too far away for any kernel.
template <int Dim, std::floating_point Real>
struct PairLanes {
    const Index* j;                 ///< as many as there are lanes
    std::array<Lanes<Real>, Dim> d; ///< x_i − x_j [m]
    Lanes<Real> r;                  ///< |x_i − x_j| [m]
    Lanes<Real> last;               ///< what lies beside the places of the neighbours

    /// Quads of the neighbours.
    PHYXEL_INLINE std::array<Lanes<Real>, 4> of(const Quad<Real>* quads) const
    {
        return detail::LaneTypes<Real>::load_quads(quads->v.data(), j);
    }
    /// Numbers of the neighbours; slower than quads.
    PHYXEL_INLINE Lanes<Real> of(const Real* values) const
    {
        using Types = detail::LaneTypes<Real>;
        return Types::gather(values, Types::load(j));
    }
};

/// 0 in the first `count` lanes; in the others a distance beyond all supports, whose square is a number.
template <std::floating_point Real>
PHYXEL_INLINE Lanes<Real> far_after(std::size_t count)
{
    constexpr std::size_t width = lane_count<Real>;
    static constexpr auto steps = [] {
        std::array<Real, 2 * width> values{};
        for (std::size_t k = width; k < 2 * width; ++k) values[k] = Real(1e15);
        return values;
    }();
    Lanes<Real> far;
    std::memcpy(&far, steps.data() + width - count, sizeof far);
    return far;
}

template <bool Periodic, int Dim, std::floating_point Real>
PHYXEL_INLINE PairLanes<Dim, Real> pairs_of(const PairGeometry<Dim, Real>& geometry, const Quad<Real>& x_i,
                                            const Index* j)
{
    using Types = detail::LaneTypes<Real>;
    PairLanes<Dim, Real> pairs;
    pairs.j = j;
    const std::array<Lanes<Real>, 4> x_j = pairs.of(geometry.place);
    Lanes<Real> r2{};
    for (int k = 0; k < Dim; ++k) {
        Lanes<Real> d = x_i.v[k] - x_j[k];
        if constexpr (Periodic) d -= geometry.period[k] * Types::nearest(d * geometry.inverse_period[k]);
        r2 = multiply_add<Real>(d, d, r2);
        pairs.d[k] = d;
    }
    pairs.r = Types::square_root(r2);
    pairs.last = x_j[3];
    return pairs;
}

/// Calls visit(pairs) for the neighbours of i, as many at a time as there are lanes. `end` is where the lists
/// of all particles end.
template <bool Periodic, int Dim, std::floating_point Real, class Visit>
PHYXEL_INLINE void for_each_pair(const PairGeometry<Dim, Real>& geometry, Index i,
                                 std::span<const Index> neighbors, const Index* end, Visit&& visit)
{
    constexpr std::size_t width = lane_count<Real>;
    const Quad<Real> x_i = geometry.place[i];
    const std::size_t whole = neighbors.size() / width * width;
    for (std::size_t first = 0; first < whole; first += width)
        visit(pairs_of<Periodic>(geometry, x_i, neighbors.data() + first));
    if (whole == neighbors.size()) return;

    // The surplus lanes read on in the list of the next particle; after the last one there is none.
    const Index* rest = neighbors.data() + whole;
    std::array<Index, width> padded;
    if (end - rest < static_cast<std::ptrdiff_t>(width)) {
        padded.fill(i);
        std::copy(rest, end, padded.begin());
        rest = padded.data();
    }
    PairLanes<Dim, Real> pairs = pairs_of<Periodic>(geometry, x_i, rest);
    pairs.r = detail::LaneTypes<Real>::larger(pairs.r, far_after<Real>(neighbors.size() - whole));
    visit(pairs);
}

/// Gradients along axis k.
template <int Dim, std::floating_point Real, class Stored>
PHYXEL_INLINE Lanes<Real> lanes_of(const PairAxes<Dim, Real, Stored>& gradient, int k)
{
    if constexpr (std::same_as<Stored, Real>) {
        Lanes<Real> v;
        std::memcpy(&v, gradient.axis[k].data(), sizeof v);
        return v;
    } else {
        const __m128i numbers = _mm_loadu_si128(reinterpret_cast<const __m128i*>(gradient.axis[k].data()));
        return _mm256_cvtepi32_ps(_mm256_cvtepi16_epi32(numbers));
    }
}

template <int Dim, std::floating_point Real, class Stored>
PHYXEL_INLINE void store(PairAxes<Dim, Real, Stored>& gradient, int k, Lanes<Real> v)
{
    if constexpr (std::same_as<Stored, Real>) {
        std::memcpy(gradient.axis[k].data(), &v, sizeof v);
    } else {
        const __m256i numbers = _mm256_cvtps_epi32(v);
        _mm_storeu_si128(
            reinterpret_cast<__m128i*>(gradient.axis[k].data()),
            _mm_packs_epi32(_mm256_castsi256_si128(numbers), _mm256_extracti128_si256(numbers, 1)));
    }
}

/// Asks for groups that come next: they are streamed from memory, faster than it comes by itself.
template <int Dim, std::floating_point Real, class Stored>
PHYXEL_INLINE void prefetch_after(const PairGroup<Dim, Real, Stored>& group)
{
    const char* const ahead = reinterpret_cast<const char*>(&group) + 2048;
    for (std::size_t line = 0; line < sizeof group; line += 64) __builtin_prefetch(ahead + line);
}

/// Numbers of the neighbours in a group.
template <int Dim, std::floating_point Real, class Stored>
PHYXEL_INLINE Lanes<Real> of_group(const PairGroup<Dim, Real, Stored>& group, const Real* values)
{
    std::array<Real, lane_count<Real>> chosen;
    for (std::size_t l = 0; l < group.j.size(); ++l) chosen[l] = values[group.j[l]];
    Lanes<Real> v;
    std::memcpy(&v, chosen.data(), sizeof v);
    return v;
}
/// Quads of the neighbours in a group.
template <int Dim, std::floating_point Real, class Stored>
PHYXEL_INLINE std::array<Lanes<Real>, 4> of_group(const PairGroup<Dim, Real, Stored>& group,
                                                  const Quad<Real>* quads)
{
    return detail::LaneTypes<Real>::load_quads(quads->v.data(), group.j.data());
}

} // namespace phyxel
