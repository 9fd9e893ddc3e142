// SPDX-License-Identifier: MIT
// Point caches (PC2): the vertices of one mesh in many frames, for Blender's Mesh Cache modifier and others.
// The triangles are not part of it; they come from a mesh with the same vertices in the same order.
//
//     "POINTCACHE2\0"   int32 version = 1   int32 points   float32 first frame   float32 frames per sample
//     int32 samples     then x y z as float32 for all points of the first sample, of the second, …
#pragma once

#include <phyxel/core/types.h>
#include <phyxel/io/frames.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace phyxel {

struct PointCache {
    float start_frame = 0.0f;
    float sample_rate = 1.0f; ///< frames from one sample to the next
    std::size_t point_count = 0;
    std::vector<std::vector<Vec<3, float>>> samples; ///< [m]; as many points each
};

/// Reads a whole cache. What follows the samples that the header counts is ignored, as a program that was
/// killed may have left it. Positions need not be finite. A header that promises more than the file holds is
/// an InputError before memory is asked for.
PointCache read_pc2(const std::filesystem::path& path);

/// The same from memory; `name` is what errors call the file.
PointCache parse_pc2(std::span<const std::byte> bytes, const std::string& name);

/// Makes a cache of frames of one body, sorted by number. It appears whole or not at all. Frames that are
/// missing in between, or with another number of points than the first, are an InputError.
void write_pc2(const std::filesystem::path& path, std::span<const FrameFile> frames);

} // namespace phyxel
