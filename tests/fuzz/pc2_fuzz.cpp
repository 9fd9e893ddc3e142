// SPDX-License-Identifier: MIT
// Fuzz target for the reader of point caches: what it accepts has as many points in every sample, and no more
// of them than the file has bytes for.

#include <phyxel/io/pc2.h>

#include "reader_support.h"

namespace phyxel {
namespace {

void check(std::span<const std::byte> input)
{
    PointCache cache;
    if (!is_accepted([&] { cache = parse_pc2(input, "input"); })) return;
    std::size_t size = 32;
    for (const auto& sample : cache.samples) {
        require(sample.size() == cache.point_count);
        size += 12 * sample.size();
    }
    require(size <= input.size());
}

} // namespace
} // namespace phyxel

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    phyxel::check(phyxel::as_input(data, size));
    return 0;
}
