// SPDX-License-Identifier: MIT
// PLY files: scans and meshes in, frames out and in again.
//
// How a snapshot is laid out in the vertex element:
//
//     points                         x, y, z
//     field `normal`, 3 components   nx, ny, nz, as every program expects them
//     other vectors and tensors      velocity_x, velocity_y, velocity_z; stress_xx, …, as in Blender
//     scalars                        by their name
//     uint64 fields such as `id`     id (uint, the lower half) and id_high (uint), as PLY has no 64-bit
//                                    integers
//
// Triangles are the list vertex_indices of the face element. Time and body are comments. The reader undoes
// all of this, so a snapshot written in double precision is read back as it was.
#pragma once

#include <phyxel/core/buffer.h>
#include <phyxel/io/snapshot_file.h>

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

namespace phyxel {

/// Reads ascii and binary files of either byte order. Properties may come in any order and of any type;
/// faces are cut into fans of triangles; what is neither vertex nor face is skipped. Positions need not be
/// finite. A header that promises more than the file holds is an InputError before memory is asked for.
SnapshotFile read_ply(const std::filesystem::path& path);

/// The same from memory; `name` is what errors call the file.
SnapshotFile parse_ply(std::span<const std::byte> bytes, const std::string& name);

/// Binary, little endian. A surface with vertices of its own is not part of it; see surface_snapshot.
void write_ply(const std::filesystem::path& path, const Snapshot& snapshot, const WriteOptions& options = {});

/// The content of such a file.
Buffer<std::byte> encode_ply(const Snapshot& snapshot, const WriteOptions& options = {});

} // namespace phyxel
