// SPDX-License-Identifier: MIT
// Text as it is written into XML files (VTK, SVG).
#pragma once

#include <string>
#include <string_view>

namespace phyxel {

/// The text with & < > " ' escaped, for contents of elements and values of attributes. XML has no control
/// characters: they become an underscore, and bytes that are no character in UTF-8 a U+FFFD, so that a file
/// is well-formed whatever a user called a thing.
std::string xml_text(std::string_view text);

} // namespace phyxel
