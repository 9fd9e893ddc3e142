// SPDX-License-Identifier: MIT
// Scene files as text: JSON with comments into a tree of nodes that know their places, and back.
#pragma once

#include <phyxel/scene/node.h>

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace phyxel {

inline constexpr std::size_t max_document_size = std::size_t(40) << 20; ///< in bytes
inline constexpr std::size_t max_document_values = 2'500'000;           ///< that a document may hold
inline constexpr int max_document_nesting = 64;                         ///< of lists and objects
/// Of scenes with every default written out, which are nested a little deeper than what they were made from.
inline constexpr int max_resolved_nesting = max_document_nesting + 16;

/// Reads JSON [RFC 8259] with comments, // and /* */. `source` names the text in errors. Refuses what the
/// standard leaves open or lets through: duplicate keys, numbers that no double can hold, U+0000 in texts,
/// and whatever exceeds the limits above. A byte order mark at the front is skipped. It takes at most about
/// 100 bytes of memory for a value beside the text, and time as the length times the logarithm of the number
/// of keys, whatever the text is.
Node parse_document(std::string_view text, const std::string& source, int max_nesting = max_document_nesting,
                    std::size_t max_values = max_document_values);

/// The same, but duplicate keys, of which the first counts, are added to `problems`: there may be more to
/// say.
Node parse_document(std::string_view text, const std::string& source, std::vector<Problem>& problems);

/// What is in a file, which may be too large for a document by no more than a byte. Throws SceneError.
std::string read_document_text(const std::filesystem::path& file);

/// `parse_document` of a file.
Node read_document(const std::filesystem::path& file, int max_nesting = max_document_nesting);

/// Whether the bytes are characters in UTF-8.
bool is_utf8(std::string_view text);

/// The tree as JSON, indented, with whatever fits into 100 columns on one line. Reads back as the same tree.
std::string to_text(const Node& node);

/// The tree as JSON on one line.
std::string to_line(const Node& node);

} // namespace phyxel
