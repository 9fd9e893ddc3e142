// SPDX-License-Identifier: MIT
// Fuzz target for the OFF reader: what it accepts is consistent and has no corner without a vertex.

#include <phyxel/io/off.h>

#include "reader_support.h"

#include <array>
#include <vector>

namespace phyxel {
namespace {

void check(std::span<const std::byte> input)
{
    SnapshotFile file;
    if (!is_accepted([&] { file = parse_off(input, "input"); })) return;
    require(is_consistent(file.snapshot));
    require(!file.snapshot.points.empty() && file.report.vertex_count == file.snapshot.points.size());
    for (const std::array<Index, 3>& triangle :
         file.snapshot.triangles.value_or(std::vector<std::array<Index, 3>>()))
        for (const Index corner : triangle) require(corner < file.snapshot.points.size());
}

} // namespace
} // namespace phyxel

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    phyxel::check(phyxel::as_input(data, size));
    return 0;
}
