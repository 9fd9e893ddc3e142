// SPDX-License-Identifier: MIT
// Which files a request can reach: those below a folder, by plain names. There is no way out by `..`,
// absolute paths, links, encodings or hidden names.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace phyxel::studio {

/// The path of a request's target without its query, with %XX decoded once; nothing if it is no proper one:
/// bad digits, control characters (NUL among them) or bytes that are not UTF-8.
std::optional<std::string> decode_target(std::string_view target);

/// What follows the `?`; empty if there is none.
std::string_view query_of(std::string_view target);

/// The file or folder at a relative path below a folder; nothing if it does not exist or cannot be reached.
/// No part of the path may be empty, begin with a dot, have a backslash or a control character, or be a link.
std::optional<std::filesystem::path> confined_path(const std::filesystem::path& folder,
                                                   std::string_view relative);

/// Whether a path, with all links followed, lies below a folder or is the folder.
bool is_below(const std::filesystem::path& path, const std::filesystem::path& folder);

/// Whether the value of an Accept-Encoding allows gzip. What is neither named nor refused is not used.
bool accepts_gzip(std::string_view encodings);

/// Of a file by its extension; text/plain for others.
std::string_view content_type(const std::filesystem::path& file);

} // namespace phyxel::studio
