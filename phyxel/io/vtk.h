// SPDX-License-Identifier: MIT
// VTK XML files for ParaView: snapshots as PolyData (.vtp), and the collection (.pvd) that makes a time
// series of them. Fields keep their names, vectors stay vectors, `id` is a UInt64.
#pragma once

#include <phyxel/core/buffer.h>
#include <phyxel/io/snapshot_file.h>

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

namespace phyxel {

/// Each point is a vertex cell, unless the snapshot has triangles. The data are appended as they lie in
/// memory. A surface with vertices of its own is not part of it; see surface_snapshot.
void write_vtp(const std::filesystem::path& path, const Snapshot& snapshot, const WriteOptions& options = {});

/// The content of such a file.
Buffer<std::byte> encode_vtp(const Snapshot& snapshot, const WriteOptions& options = {});

/// Reads a file that write_vtp made; other VTK files as far as they are like that: PolyData of one piece,
/// with raw data appended. What is wrong with it is an InputError. The name of the body is not in the file.
SnapshotFile read_vtp(const std::filesystem::path& path);

/// The same from memory; `name` is what errors call the file.
SnapshotFile parse_vtp(std::span<const std::byte> content, const std::string& name);

/// A file of a time series.
struct PvdEntry {
    double time = 0.0; ///< [s]
    int part = 0;      ///< number of the body
    std::string name;  ///< of the body
    std::string file;  ///< relative to the collection
};

void write_pvd(const std::filesystem::path& path, std::span<const PvdEntry> entries);

/// The content of such a file.
std::string encode_pvd(std::span<const PvdEntry> entries);

} // namespace phyxel
