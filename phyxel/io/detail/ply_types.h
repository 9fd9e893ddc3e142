// SPDX-License-Identifier: MIT
// The number types of PLY files.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace phyxel::detail {

enum class PlyType { Int8, UInt8, Int16, UInt16, Int32, UInt32, Float32, Float64 };

struct PlyTypeName {
    std::string_view name;
    PlyType type;
};

/// Each type has two names. The older one stands first; it is the one that every program knows.
inline constexpr std::array<PlyTypeName, 16> ply_type_names = {{{"char", PlyType::Int8},
                                                                {"int8", PlyType::Int8},
                                                                {"uchar", PlyType::UInt8},
                                                                {"uint8", PlyType::UInt8},
                                                                {"short", PlyType::Int16},
                                                                {"int16", PlyType::Int16},
                                                                {"ushort", PlyType::UInt16},
                                                                {"uint16", PlyType::UInt16},
                                                                {"int", PlyType::Int32},
                                                                {"int32", PlyType::Int32},
                                                                {"uint", PlyType::UInt32},
                                                                {"uint32", PlyType::UInt32},
                                                                {"float", PlyType::Float32},
                                                                {"float32", PlyType::Float32},
                                                                {"double", PlyType::Float64},
                                                                {"float64", PlyType::Float64}}};

inline std::string_view name_of(PlyType type)
{
    return std::find_if(ply_type_names.begin(), ply_type_names.end(),
                        [&](const PlyTypeName& entry) { return entry.type == type; })
        ->name;
}

/// Bytes of a value.
inline std::size_t size_of(PlyType type)
{
    switch (type) {
    case PlyType::Int8:
    case PlyType::UInt8:
        return 1;
    case PlyType::Int16:
    case PlyType::UInt16:
        return 2;
    case PlyType::Float64:
        return 8;
    default:
        return 4;
    }
}

} // namespace phyxel::detail
