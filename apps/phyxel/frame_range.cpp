// SPDX-License-Identifier: MIT
#include "frame_range.h"

#include <phyxel/core/error.h>

#include <charconv>
#include <cstdint>
#include <string_view>
#include <system_error>

namespace phyxel::command {

void refuse_frames(const std::string& text, const std::string& what)
{
    throw InputError("--frames " + text + ": " + what);
}

FrameRange parse_frames(const std::string& text)
{
    const auto number = [&](std::string_view digits) {
        std::uint64_t value = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        if (error != std::errc() || end != digits.data() + digits.size())
            refuse_frames(text, "expected two whole numbers such as 0:10");
        return value;
    };
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos) refuse_frames(text, "expected two whole numbers such as 0:10");
    const std::string_view first = std::string_view(text).substr(0, colon);
    const std::string_view second = std::string_view(text).substr(colon + 1);
    FrameRange range;
    if (!first.empty()) range.first = number(first);
    if (!second.empty()) range.end = number(second);
    if (range.end && range.first >= *range.end)
        refuse_frames(text, "the first frame must be below the end, as in 0:10");
    return range;
}

} // namespace phyxel::command
