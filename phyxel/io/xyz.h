// SPDX-License-Identifier: MIT
// XYZ files: the points of a scan as text, one in a line.
#pragma once

#include <phyxel/io/snapshot_file.h>

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

namespace phyxel {

/// Three numbers or more in a line, between blanks, commas or semicolons. The three after the place become
/// the field `normal` if they are a direction in every line, that is if their length is 1; colours and
/// whatever else follows are skipped, with a warning. The first line may be the number of points. Positions
/// need not be finite.
SnapshotFile read_xyz(const std::filesystem::path& path);

/// The same from memory; `name` is what errors call the file.
SnapshotFile parse_xyz(std::span<const std::byte> bytes, const std::string& name);

} // namespace phyxel
