// SPDX-License-Identifier: MIT
// STL files: triangles without connections, as slicers and CAD programs write them.
#pragma once

#include <phyxel/io/snapshot_file.h>

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

namespace phyxel {

/// Reads ascii and binary files. A file whose length fits the number of triangles that it names is binary,
/// also if it begins with "solid", as many do. Corners with equal coordinates become one vertex; the
/// normals are those of the corners' order. Positions need not be finite.
SnapshotFile read_stl(const std::filesystem::path& path);

/// The same from memory; `name` is what errors call the file.
SnapshotFile parse_stl(std::span<const std::byte> bytes, const std::string& name);

} // namespace phyxel
