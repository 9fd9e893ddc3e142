// SPDX-License-Identifier: MIT
#include <phyxel/io/xml_text.h>

#include <cstddef>
#include <cstdint>

namespace phyxel {
namespace {

constexpr std::string_view replacement = "\xef\xbf\xbd"; // U+FFFD

unsigned byte_at(std::string_view text, std::size_t k) { return static_cast<unsigned char>(text[k]); }

/// Number of bytes of the character at the begin of the text, or 0 if that is none that XML allows.
std::size_t character_length(std::string_view text)
{
    const unsigned first = byte_at(text, 0);
    if (first < 0x80) return 1;
    const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
    std::uint32_t code = first & (0xffu >> (length + 1));
    for (std::size_t k = 1; k < length; ++k) {
        if ((byte_at(text, k) & 0xc0u) != 0x80) return 0;
        code = (code << 6) | (byte_at(text, k) & 0x3fu);
    }
    const bool is_overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
    const bool is_surrogate = code >= 0xd800 && code <= 0xdfff;
    const bool is_character = code <= 0x10ffff && code != 0xfffe && code != 0xffff;
    return is_overlong || is_surrogate || !is_character ? 0 : length;
}

} // namespace

std::string xml_text(std::string_view text)
{
    std::string result;
    while (!text.empty()) {
        const std::size_t length = character_length(text);
        const char c = text.front();
        if (length == 0)
            result += replacement;
        else if (length > 1)
            result += text.substr(0, length);
        else if (c == '&')
            result += "&amp;";
        else if (c == '<')
            result += "&lt;";
        else if (c == '>')
            result += "&gt;";
        else if (c == '"')
            result += "&quot;";
        else if (c == '\'')
            result += "&apos;";
        else
            result += byte_at(text, 0) < 0x20 || c == 0x7f ? '_' : c;
        text.remove_prefix(length == 0 ? 1 : length);
    }
    return result;
}

} // namespace phyxel
