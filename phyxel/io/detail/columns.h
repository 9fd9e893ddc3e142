// SPDX-License-Identifier: MIT
// Fields as columns of single numbers, for formats that know no vectors. A vector `velocity` becomes
// velocity_x, velocity_y, velocity_z: the convention of Blender's PLY files.
#pragma once

#include <phyxel/core/snapshot.h>

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace phyxel::detail {

inline constexpr std::array<std::string_view, 3> vector_suffixes = {"_x", "_y", "_z"};
inline constexpr std::array<std::string_view, 6> symmetric_suffixes = {"_xx", "_yy", "_zz",
                                                                       "_xy", "_yz", "_xz"};
inline constexpr std::array<std::string_view, 9> tensor_suffixes = {"_xx", "_xy", "_xz", "_yx", "_yy",
                                                                    "_yz", "_zx", "_zy", "_zz"};

/// What is appended to a field's name for each of its components; for a scalar one empty suffix.
inline std::span<const std::string_view> component_suffixes(int components)
{
    static constexpr std::array<std::string_view, 1> scalar_suffixes = {""};
    switch (components) {
    case 3:
        return vector_suffixes;
    case 6:
        return symmetric_suffixes;
    case 9:
        return tensor_suffixes;
    default:
        return scalar_suffixes;
    }
}

inline std::vector<std::string> column_names(const Field& field)
{
    std::vector<std::string> names;
    for (const std::string_view suffix : component_suffixes(field.components))
        names.push_back(field.name + std::string(suffix));
    return names;
}

} // namespace phyxel::detail
