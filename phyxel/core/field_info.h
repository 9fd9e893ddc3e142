// SPDX-License-Identifier: MIT
// What is known of a field of particles. Frames, probes, pictures and the studio know fields by this alone.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace phyxel {

struct FieldInfo {
    std::string_view name;
    int components = 1;       ///< 1 is a scalar, 3 a vector, 6 a symmetric tensor, 9 a tensor; see Field
    std::string_view unit;    ///< for people: "Pa", "kg/m³"; "1" for plain numbers
    std::string_view meaning; ///< a few words, in lower case, without a full stop
};

/// What particles of all kinds have.
inline constexpr std::array common_fields = {FieldInfo{"velocity", 3, "m/s", "how fast it moves"},
                                             FieldInfo{"id", 1, "1", "a number that is never used twice"}};

/// Units of fields by their names, for those who see a run and not its bodies.
class FieldUnits {
public:
    FieldUnits()
    {
        for (const FieldInfo& field : common_fields) add(field.name, field.unit);
    }

    void add(std::string_view field, std::string_view unit)
    {
        units_.insert_or_assign(std::string(field), unit);
    }

    /// Empty for plain numbers and where none is known.
    std::string of(std::string_view field) const
    {
        const auto found = units_.find(field);
        return found == units_.end() || found->second == "1" ? std::string() : found->second;
    }

private:
    std::map<std::string, std::string, std::less<>> units_;
};

} // namespace phyxel
