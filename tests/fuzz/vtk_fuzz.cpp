// SPDX-License-Identifier: MIT
// Fuzz target for the VTK reader: what it accepts is written and read again without a change.

#include <phyxel/io/vtk.h>

#include "reader_support.h"

namespace phyxel {
namespace {

void check(std::span<const std::byte> input)
{
    SnapshotFile file;
    if (!is_accepted([&] { file = parse_vtp(input, "input"); })) return;
    require(is_consistent(file.snapshot));
    require(file.report.vertex_count == file.snapshot.points.size());

    // Names can be such that no file could hold all of them.
    Buffer<std::byte> written;
    if (!is_accepted([&] { written = encode_vtp(file.snapshot, {.double_precision = true}); })) return;
    const SnapshotFile again = parse_vtp(written.span(), "written");
    require(again.report.warnings.empty());
    require(again.snapshot.body == file.snapshot.body);
    require(is_same(again.snapshot.time, file.snapshot.time));
    require_same(again.snapshot.points, file.snapshot.points);
    require(again.snapshot.triangles == file.snapshot.triangles);
    require(again.snapshot.fields.size() == file.snapshot.fields.size());
    for (std::size_t k = 0; k < again.snapshot.fields.size(); ++k)
        require_same(again.snapshot.fields[k], file.snapshot.fields[k]);
    if (is_accepted([&] { written = encode_vtp(file.snapshot); }))
        require(parse_vtp(written.span(), "written").snapshot.points.size() == file.snapshot.points.size());
}

} // namespace
} // namespace phyxel

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    phyxel::check(phyxel::as_input(data, size));
    return 0;
}
