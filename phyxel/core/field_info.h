// SPDX-License-Identifier: MIT
// What is known of a field of particles. Frames, probes, pictures and the studio know fields by this alone.
#pragma once

#include <string_view>

namespace phyxel {

struct FieldInfo {
    std::string_view name;
    int components = 1;       ///< 1 is a scalar, 3 a vector, 6 a symmetric tensor, 9 a tensor; see Field
    std::string_view unit;    ///< for people: "Pa", "kg/m³"
    std::string_view meaning; ///< a few words, in lower case, without a full stop
};

} // namespace phyxel
