// SPDX-License-Identifier: MIT
// OBJ files: vertices, normals and polygons as text. Materials, textures, groups and curves are skipped.
#pragma once

#include <phyxel/io/snapshot_file.h>

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

namespace phyxel {

/// Faces are cut into fans of triangles; indices may count backwards from the last vertex. Normals become the
/// field `normal` if there are no faces and as many of them as vertices. Positions need not be finite.
///
/// Ours, because tinyobjloader reads "v nan 1 2" and a vertex without z as zeros, lets negative indices
/// point before the first vertex, rounds numbers otherwise than the rest of the world, and overflows integers
/// on hostile exponents.
SnapshotFile read_obj(const std::filesystem::path& path);

/// The same from memory; `name` is what errors call the file.
SnapshotFile parse_obj(std::span<const std::byte> bytes, const std::string& name);

/// Positions in full precision, the field `normal` as vn, triangles. The format has no place for other
/// fields, and a surface with vertices of its own is not part of it; see surface_snapshot.
void write_obj(const std::filesystem::path& path, const Snapshot& snapshot);

/// The content of such a file.
std::string encode_obj(const Snapshot& snapshot);

} // namespace phyxel
