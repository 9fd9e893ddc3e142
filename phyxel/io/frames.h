// SPDX-License-Identifier: MIT
// The frames of a run: frames/NAME_000042.ply, one file for each body and frame, surfaces under the name
// NAME_surface.
#pragma once

#include <phyxel/io/file.h>
#include <phyxel/io/snapshot_file.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace phyxel {

/// Whether a body can be called this, as its name becomes part of file names and comments: 1 to 100 bytes of
/// which none is a slash, a backslash or a control character, no dot at the begin, no blank at either end.
bool is_body_name(std::string_view name);

/// NAME_000042.ply; six digits or more. The extension begins with its dot.
std::string frame_file_name(std::string_view body, std::uint64_t number, std::string_view extension = ".ply");

/// RUN/frames/NAME_000042.ply
std::filesystem::path frame_path(const std::filesystem::path& run, std::string_view body,
                                 std::uint64_t number, std::string_view extension = ".ply");

struct FrameFile {
    std::string body;
    std::uint64_t number = 0;
    std::filesystem::path path;
};

/// The frames (.ply and .vtp) in the folder RUN/frames, sorted by body and number; none if there is no such
/// folder. Other files are ignored.
std::vector<FrameFile> find_frames(const std::filesystem::path& run);

/// Writes a snapshot in the format that the extension names: .ply, .vtp, .obj or .csv. Returns the sum of
/// what was written.
FileSum write_snapshot(const std::filesystem::path& path, const Snapshot& snapshot,
                       const WriteOptions& options = {});

/// Reads a .ply, .obj, .stl or .vtp file and writes it in another format. The precision stays what it was.
/// Returns the report of the reader.
FileReport convert_file(const std::filesystem::path& input, const std::filesystem::path& output);

} // namespace phyxel
