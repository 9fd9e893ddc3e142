// SPDX-License-Identifier: MIT
// Fuzz target for the OBJ reader: what it accepts is written and read again without a change.

#include <phyxel/io/obj.h>

#include "reader_support.h"

#include <array>
#include <string_view>

namespace phyxel {
namespace {

void check(std::span<const std::byte> input)
{
    SnapshotFile file;
    if (!is_accepted([&] { file = parse_obj(input, "input"); })) return;
    require(is_consistent(file.snapshot));
    require(file.report.vertex_count == file.snapshot.points.size());

    const std::string written = encode_obj(file.snapshot);
    const SnapshotFile again = parse_obj(std::as_bytes(std::span(std::string_view(written))), "written");
    require(again.report.warnings.empty());
    require_same(again.snapshot.points, file.snapshot.points);
    const std::vector<std::array<Index, 3>> none;
    require(again.snapshot.triangles.value_or(none) == file.snapshot.triangles.value_or(none));
    require(again.snapshot.fields.size() == file.snapshot.fields.size());
    for (std::size_t k = 0; k < again.snapshot.fields.size(); ++k)
        require_same(again.snapshot.fields[k], file.snapshot.fields[k]);
}

} // namespace
} // namespace phyxel

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    phyxel::check(phyxel::as_input(data, size));
    return 0;
}
