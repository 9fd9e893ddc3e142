// SPDX-License-Identifier: MIT
// Things that lie at exactly the same place. No tree can tell them apart, so every ray would have to try all
// of them, and only one is seen.
#pragma once

#include <phyxel/core/types.h>

#include <cstddef>
#include <span>
#include <vector>

namespace phyxel::detail {

/// For each of `count` things, given by `width` numbers each, whether one before it has the same numbers.
/// Those with a number that is not finite have no twin. Empty if there is none at all.
std::vector<bool> find_twins(std::size_t count, std::size_t width, std::span<const float> numbers);

} // namespace phyxel::detail
