// SPDX-License-Identifier: MIT
#include <phyxel/core/assert.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/render/detail/twins.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace phyxel::detail {
namespace {

/// Never 0, which stands for things that have no twin.
std::uint32_t hash_of(std::span<const float> numbers)
{
    std::uint64_t hash = 0x9e3779b97f4a7c15u;
    for (const float number : numbers) {
        if (!std::isfinite(number)) return 0;
        // Minus zero is the same place as zero.
        hash = (hash ^ std::bit_cast<std::uint32_t>(number + 0.0f)) * 0xff51afd7ed558ccdu;
        hash ^= hash >> 32;
    }
    return static_cast<std::uint32_t>(hash) | 1u;
}

} // namespace

std::vector<bool> find_twins(std::size_t count, std::size_t width, std::span<const float> numbers)
{
    PHYXEL_ASSERT(numbers.size() == count * width);
    PHYXEL_ASSERT(count < std::numeric_limits<Index>::max());
    const auto thing = [&](std::size_t i) { return numbers.subspan(i * width, width); };
    std::vector<std::uint32_t> hashes(count);
    parallel_for(count, [&](Index i) { hashes[i] = hash_of(thing(i)); });

    // A table with open places. Those that come first stay, so the result does not depend on its order.
    constexpr Index nobody = std::numeric_limits<Index>::max();
    const std::size_t size = std::bit_ceil(count + count / 2 + 1);
    std::vector<Index> table(size, nobody);
    std::vector<bool> is_twin;
    for (std::size_t i = 0; i < count; ++i) {
        if (hashes[i] == 0) continue;
        std::size_t place = (hashes[i] >> 1) & (size - 1);
        while (table[place] != nobody &&
               (hashes[table[place]] != hashes[i] || !std::ranges::equal(thing(table[place]), thing(i))))
            place = (place + 1) & (size - 1);
        if (table[place] == nobody) {
            table[place] = static_cast<Index>(i);
            continue;
        }
        if (is_twin.empty()) is_twin.assign(count, false);
        is_twin[i] = true;
    }
    return is_twin;
}

} // namespace phyxel::detail
