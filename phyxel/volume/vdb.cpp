// SPDX-License-Identifier: MIT
#include <phyxel/volume/vdb.h>

#include <phyxel/io/file.h>

namespace phyxel {

void write_vdb(const std::filesystem::path& path, std::span<const VdbGrid> grids)
{
    write_file(path, encode_vdb(grids).span());
}

} // namespace phyxel
