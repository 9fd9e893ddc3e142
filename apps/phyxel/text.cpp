// SPDX-License-Identifier: MIT
#include "text.h"

#include <phyxel/core/number_text.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace phyxel::command {

std::string count_text(std::uint64_t count)
{
    std::string text = std::to_string(count);
    for (std::size_t at = text.size(); at > 3;) {
        at -= 3;
        text.insert(at, 1, ',');
    }
    return text;
}

std::string count_text(std::uint64_t count, const std::string& one, const std::string& many)
{
    return count_text(count) + " " + (count == 1 ? one : many);
}

std::string bytes_text(double bytes)
{
    constexpr std::array units = {"bytes", "kB", "MB", "GB", "TB", "PB"};
    std::size_t k = 0;
    // Rounding may carry over: 999.9 kB are 1 MB.
    while (k + 1 < units.size() && bytes >= (k == 0 ? 1000.0 : 999.5)) {
        bytes /= 1000;
        ++k;
    }
    return number_text(k == 0 ? std::round(bytes) : bytes, bytes < 10 ? 2 : 3) + " " + units[k];
}

std::string duration_text(double seconds)
{
    if (!std::isfinite(seconds) || seconds < 0) return "unknown time";
    if (seconds < 9.95) return number_text(seconds, 2) + " s";
    constexpr double most = 1e15;
    const auto whole = static_cast<std::uint64_t>(std::min(std::round(seconds), most));
    if (whole < 60) return std::to_string(whole) + " s";
    const auto two = [](std::uint64_t large, const char* large_unit, std::uint64_t small,
                        const char* small_unit) {
        std::string text = count_text(large) + " " + large_unit;
        if (small > 0) text += " " + std::to_string(small) + " " + small_unit;
        return text;
    };
    if (whole < 3600) return two(whole / 60, "min", whole % 60, "s");
    const std::uint64_t minutes = (whole + 30) / 60;
    if (minutes < 48 * 60) return two(minutes / 60, "h", minutes % 60, "min");
    const std::uint64_t hours = (minutes + 30) / 60;
    return two(hours / 24, "d", hours % 24, "h");
}

std::size_t text_width(std::string_view text)
{
    return static_cast<std::size_t>(std::count_if(
        text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string aligned_columns(const std::vector<std::vector<std::string>>& rows)
{
    std::vector<std::size_t> widths;
    for (const auto& row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], text_width(row[k]));
    }
    std::string text;
    for (const auto& row : rows) {
        std::string line;
        for (std::size_t k = 0; k < row.size(); ++k) {
            line += row[k];
            line.append(widths[k] - text_width(row[k]) + 2, ' ');
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + '\n';
    }
    return text;
}

} // namespace phyxel::command
