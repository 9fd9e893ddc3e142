// SPDX-License-Identifier: MIT
// Meshes and scans from files of any kind that we know: what the shapes of a scene are made from.
#pragma once

#include <phyxel/geometry/triangle_mesh.h>
#include <phyxel/io/snapshot_file.h>

#include <filesystem>
#include <variant>

namespace phyxel {

struct [[nodiscard]] MeshFile {
    std::variant<TriangleMesh, PointCloud> shape; ///< a cloud if the file has no faces
    FileReport report;
};

/// Reads .ply, .obj, .stl, .off, .xyz or .vtp. Vertices, and the normals of clouds, that are not finite
/// numbers are an InputError with their count and the first of them; so is a file without any vertex.
MeshFile read_mesh(const std::filesystem::path& path);

/// The points, fields and triangles of a .ply, .obj, .stl, .off, .xyz or .vtp file as they are.
SnapshotFile read_snapshot(const std::filesystem::path& path);

} // namespace phyxel
