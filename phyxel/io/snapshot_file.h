// SPDX-License-Identifier: MIT
// What the readers of point and mesh files return and the writers take.
#pragma once

#include <phyxel/core/snapshot.h>

#include <cstddef>
#include <string>
#include <vector>

namespace phyxel {

/// What was found in a file, beside the data.
struct [[nodiscard]] FileReport {
    std::size_t vertex_count = 0;       ///< after merging equal ones where the format repeats them
    std::size_t face_count = 0;         ///< as in the file
    std::size_t polygon_count = 0;      ///< faces with more than three corners, cut into fans of triangles
    std::size_t dropped_face_count = 0; ///< faces with fewer than three corners
    std::vector<std::string> warnings;  ///< one line each, beginning with the file's name
};

struct [[nodiscard]] SnapshotFile {
    Snapshot snapshot;
    bool is_double = true; ///< positions had more than single precision
    FileReport report;
};

struct WriteOptions {
    /// Positions and `double` fields as 64-bit numbers. Single precision is what every viewer reads, and at
    /// 1 m it is exact to 0.1 µm.
    bool double_precision = false;
};

} // namespace phyxel
