// SPDX-License-Identifier: MIT
// Where a hash grid looks for a cell.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace phyxel::detail {

/// 0, −1, 1, −2, 2, … become 0, 1, 2, 3, 4, …
constexpr std::uint64_t without_sign(std::int64_t number)
{
    return (static_cast<std::uint64_t>(number) << 1) ^ static_cast<std::uint64_t>(number >> 63);
}

/// (i p₁) ⊕ (j p₂) ⊕ (k p₃) [AW09, Eq. 43], proposed in [THM*03], of cell numbers without sign: −a is the
/// complement of a − 1 and complements cancel in ⊕, so the cells (i, j) and (−i, −j) would share a hash for
/// all odd i and j. ([AW09, Alg. 3] adds the products and takes the point in place of its cell.)
template <std::size_t Dim>
constexpr std::uint64_t hash_cell(const std::array<std::int64_t, Dim>& cell)
{
    constexpr std::array<std::uint64_t, 3> prime = {73856093, 19349663, 83492791};
    std::uint64_t hash = 0;
    for (std::size_t k = 0; k < Dim; ++k) hash ^= without_sign(cell[k]) * prime[k];
    return hash;
}

/// The hash, brought into [0, 2^bits) for bits ≥ 1. [AW09] takes it modulo a prime. With a power of two that
/// leaves the low bits, which are the same for all cells that lie 2^bits apart; the high bits of a product
/// depend on all of them.
template <std::size_t Dim>
constexpr std::size_t cell_home(const std::array<std::int64_t, Dim>& cell, int bits)
{
    return static_cast<std::size_t>((hash_cell(cell) * 0x9e3779b97f4a7c15u) >> (64 - bits));
}

} // namespace phyxel::detail
