// SPDX-License-Identifier: MIT
// OFF files: vertices and polygons as text, as collections of shapes have them.
#pragma once

#include <phyxel/io/snapshot_file.h>

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

namespace phyxel {

/// Reads OFF and its kinds with colours, normals or texture coordinates, which are skipped; a file whose
/// counts stand in the line of the keyword, with or without a blank, as well. Faces are cut into fans of
/// triangles. The normals of a file without faces become the field `normal`. Positions need not be finite.
SnapshotFile read_off(const std::filesystem::path& path);

/// The same from memory; `name` is what errors call the file.
SnapshotFile parse_off(std::span<const std::byte> bytes, const std::string& name);

} // namespace phyxel
