// SPDX-License-Identifier: MIT
// Eight numbers at a time: the eight nodes of a row of a block, or eight particles of a sum.
#pragma once

#include <immintrin.h>

#include <cstddef>

namespace phyxel::detail {

using Lanes __attribute__((vector_size(32))) = float;
inline constexpr std::size_t lane_count = 8;

inline Lanes lanes(float value) { return Lanes{} + value; }
inline Lanes load_lanes(const float* values) { return _mm256_loadu_ps(values); }
inline void store_lanes(float* values, Lanes v) { _mm256_storeu_ps(values, v); }
inline Lanes larger(Lanes a, Lanes b) { return _mm256_max_ps(a, b); }

/// Always in the same order.
inline float sum_of(Lanes v) { return ((v[0] + v[1]) + (v[2] + v[3])) + ((v[4] + v[5]) + (v[6] + v[7])); }

} // namespace phyxel::detail
