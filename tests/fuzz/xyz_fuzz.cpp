// SPDX-License-Identifier: MIT
// Fuzz target for the XYZ reader: what it accepts is consistent and has directions for normals.

#include <phyxel/io/xyz.h>

#include "reader_support.h"

#include <cmath>

namespace phyxel {
namespace {

void check(std::span<const std::byte> input)
{
    SnapshotFile file;
    if (!is_accepted([&] { file = parse_xyz(input, "input"); })) return;
    require(is_consistent(file.snapshot));
    require(!file.snapshot.points.empty() && file.report.vertex_count == file.snapshot.points.size());
    require(!file.snapshot.triangles);
    for (const Field& field : file.snapshot.fields)
        for (const Vec<3>& normal : vectors_of(field)) require(std::abs(normal.norm() - 1.0) < 0.02);
}

} // namespace
} // namespace phyxel

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    phyxel::check(phyxel::as_input(data, size));
    return 0;
}
