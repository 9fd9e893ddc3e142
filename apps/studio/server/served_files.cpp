// SPDX-License-Identifier: MIT
#include "served_files.h"

#include <phyxel/scene/document.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <system_error>
#include <utility>

namespace phyxel::studio {
namespace {

namespace fs = std::filesystem;

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

int digit_of(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

bool is_plain_name(std::string_view name)
{
    constexpr std::size_t longest = 255;
    return !name.empty() && name.size() <= longest && name.front() != '.' &&
           std::none_of(name.begin(), name.end(),
                        [](char c) { return is_control(c) || c == '/' || c == '\\'; });
}

} // namespace

std::optional<std::string> decode_target(std::string_view target)
{
    target = target.substr(0, target.find_first_of("?#"));
    std::string path;
    for (std::size_t i = 0; i < target.size(); ++i) {
        char c = target[i];
        if (c == '%') {
            if (i + 2 >= target.size()) return std::nullopt;
            const int high = digit_of(target[i + 1]);
            const int low = digit_of(target[i + 2]);
            if (high < 0 || low < 0) return std::nullopt;
            c = static_cast<char>(16 * high + low);
            i += 2;
        }
        if (is_control(c)) return std::nullopt;
        path += c;
    }
    if (!is_utf8(path)) return std::nullopt;
    return path;
}

std::string_view query_of(std::string_view target)
{
    const std::size_t mark = target.find('?');
    if (mark == std::string_view::npos) return {};
    target.remove_prefix(mark + 1);
    return target.substr(0, target.find('#'));
}

std::optional<fs::path> confined_path(const fs::path& folder, std::string_view relative)
{
    constexpr std::size_t longest = 4000;
    if (folder.empty() || relative.empty() || relative.size() > longest) return std::nullopt;
    fs::path path = folder;
    while (true) {
        const std::size_t end = relative.find('/');
        const std::string_view name = relative.substr(0, end);
        if (!is_plain_name(name)) return std::nullopt;
        path /= name;
        std::error_code error;
        const fs::file_status status = fs::symlink_status(path, error);
        const bool is_last = end == std::string_view::npos;
        if (is_last) {
            if (!fs::is_regular_file(status) && !fs::is_directory(status)) return std::nullopt;
            return path;
        }
        if (!fs::is_directory(status)) return std::nullopt;
        relative.remove_prefix(end + 1);
    }
}

bool is_below(const fs::path& path, const fs::path& folder)
{
    std::error_code error;
    const fs::path whole = fs::weakly_canonical(path, error);
    if (error) return false;
    const fs::path root = fs::canonical(folder, error);
    if (error) return false;
    return std::mismatch(root.begin(), root.end(), whole.begin(), whole.end()).first == root.end();
}

bool accepts_gzip(std::string_view encodings)
{
    const auto without_blanks = [](std::string_view text) {
        std::string kept;
        std::copy_if(text.begin(), text.end(), std::back_inserter(kept),
                     [](char c) { return c != ' ' && c != '\t'; });
        return kept;
    };
    while (!encodings.empty()) {
        const std::size_t end = std::min(encodings.find(','), encodings.size());
        const std::string encoding = without_blanks(encodings.substr(0, end));
        encodings.remove_prefix(std::min(end + 1, encodings.size()));
        if (encoding == "gzip") return true;
        if (encoding.starts_with("gzip;q=")) return encoding.find_first_of("123456789") != std::string::npos;
    }
    return false;
}

std::string_view content_type(const fs::path& file)
{
    constexpr std::array<std::pair<std::string_view, std::string_view>, 10> types = {
        {{".html", "text/html; charset=utf-8"},
         {".js", "text/javascript; charset=utf-8"},
         {".css", "text/css; charset=utf-8"},
         {".json", "application/json"},
         {".map", "application/json"},
         {".svg", "image/svg+xml"},
         {".png", "image/png"},
         {".jpg", "image/jpeg"},
         {".ico", "image/x-icon"},
         {".woff2", "font/woff2"}}};
    const std::string extension = file.extension().string();
    for (const auto& [known, type] : types)
        if (extension == known) return type;
    return "text/plain; charset=utf-8";
}

} // namespace phyxel::studio
