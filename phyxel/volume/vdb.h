// SPDX-License-Identifier: MIT
// OpenVDB files: volumes for Blender, Houdini and renderers.
#pragma once

#include <phyxel/volume/vdb_grid.h>

#include <filesystem>
#include <span>

namespace phyxel {

/// The file appears whole or not at all.
void write_vdb(const std::filesystem::path& path, std::span<const VdbGrid> grids);

} // namespace phyxel
