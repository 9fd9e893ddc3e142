// SPDX-License-Identifier: MIT
// Numbers and tables for people.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace phyxel::command {

/// 15,000
std::string count_text(std::uint64_t count);

/// `1 frame`, `15,000 frames`
std::string count_text(std::uint64_t count, const std::string& one, const std::string& many);

/// 812 bytes, 1.2 kB, 45 MB; powers of 1000.
std::string bytes_text(double bytes);

/// 0.4 s, 42 s, 1 min 20 s, 2 h 5 min.
std::string duration_text(double seconds);

/// Number of characters (code points).
std::size_t text_width(std::string_view text);

/// Rows of cells as lines of aligned columns, two blanks between them. Rows may be shorter than others.
std::string aligned_columns(const std::vector<std::vector<std::string>>& rows);

} // namespace phyxel::command
