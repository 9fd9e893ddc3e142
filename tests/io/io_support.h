// SPDX-License-Identifier: MIT
// What tests of files share: a folder that goes away again, bytes from text, and the line of an error.
#pragma once

#include "support/temporary_folder.h"

#include <phyxel/core/error.h>
#include <phyxel/core/snapshot.h>
#include <phyxel/io/bytes.h>
#include <phyxel/io/file.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace phyxel {

inline std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

inline std::string text_of(std::span<const std::byte> bytes)
{
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

inline std::string text_of(const std::filesystem::path& path) { return text_of(read_file(path).span()); }

/// The line that an InputError says, or nothing if there is none.
template <class Attempt>
std::string error_of(Attempt&& attempt)
{
    try {
        attempt();
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

/// Names in a folder, sorted.
inline std::vector<std::string> names_in(const std::filesystem::path& folder)
{
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

/// Three points with every kind of field, two triangles. All numbers are exact in single precision.
inline Snapshot sample_snapshot()
{
    Snapshot snapshot;
    snapshot.body = "water";
    snapshot.time = 0.1;
    snapshot.points = {{0.0, 0.25, -1.5}, {1.0, 2.0, 3.0}, {-0.125, 1024.0, 0.0}, {8.0, 9.0, 10.0}};
    snapshot.fields = {
        {"id", 1, std::vector<std::uint64_t>{0, 1, 0xffffffffffffffffu, 0x0123456789abcdefu}},
        {"velocity", 3, std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9, 0.5, 0.25, 0.125}},
        {"density", 1, std::vector<float>{1000.0f, 999.5f, 1000.25f, 1001.0f}},
        {"kind", 1, std::vector<std::int32_t>{-1, 0, 1, 2147483647}},
        {"stress", 6, std::vector<double>(24, 0.75)},
        {"gradient", 9, std::vector<float>(36, -2.5f)},
        {"normal", 3, std::vector<float>{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, -1}},
    };
    std::get<std::vector<double>>(snapshot.fields[4].values)[7] = -3.0;
    std::get<std::vector<float>>(snapshot.fields[5].values)[11] = 6.5f;
    snapshot.triangles = {{0, 1, 2}, {2, 1, 3}};
    return snapshot;
}

} // namespace phyxel
