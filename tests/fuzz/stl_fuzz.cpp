// SPDX-License-Identifier: MIT
// Fuzz target for the STL reader: what it accepts has every triangle of the file and no vertex twice.

#include <phyxel/io/stl.h>

#include "reader_support.h"

#include <array>
#include <bit>
#include <set>

namespace phyxel {
namespace {

void check(std::span<const std::byte> input)
{
    SnapshotFile file;
    if (!is_accepted([&] { file = parse_stl(input, "input"); })) return;
    const Snapshot& snapshot = file.snapshot;
    require(is_consistent(snapshot));
    require(file.report.vertex_count == snapshot.points.size());
    require(snapshot.triangles.has_value() && snapshot.triangles->size() == file.report.face_count);

    std::set<std::array<std::uint64_t, 3>> corners;
    for (const Vec<3>& x : snapshot.points) {
        // Adding 0 makes one of the two zeros.
        require(
            corners
                .insert({std::bit_cast<std::uint64_t>(x[0] + 0.0), std::bit_cast<std::uint64_t>(x[1] + 0.0),
                         std::bit_cast<std::uint64_t>(x[2] + 0.0)})
                .second);
    }
    // Vertices are numbered in the order in which they first appear.
    Index next = 0;
    for (const std::array<Index, 3>& triangle : *snapshot.triangles) {
        for (const Index corner : triangle) {
            require(corner <= next);
            if (corner == next) ++next;
        }
    }
    require(next == snapshot.points.size());
}

} // namespace
} // namespace phyxel

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    phyxel::check(phyxel::as_input(data, size));
    return 0;
}
