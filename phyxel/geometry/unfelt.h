// SPDX-License-Identifier: MIT
// What of its surroundings a part of a body does not feel, by numbers, so that loops need not compare names.
#pragma once

#include <phyxel/geometry/surroundings.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace phyxel {

struct Unfelt {
    using Numbers = std::vector<std::uint32_t>; ///< in order

    Numbers parts;               ///< of the same body
    Numbers walls;               ///< as NearWall has them
    std::vector<Numbers> pieces; ///< of each boundary

    static bool has(const Numbers& numbers, std::uint32_t number)
    {
        return !numbers.empty() && std::binary_search(numbers.begin(), numbers.end(), number);
    }
    bool has_part(std::uint32_t part) const { return has(parts, part); }
    bool has_wall(int number) const { return number >= 0 && has(walls, static_cast<std::uint32_t>(number)); }

    friend bool operator==(const Unfelt&, const Unfelt&) = default;
};

/// For each part of a body, by their names; empty if nobody ignores anybody.
template <int Dim>
std::vector<Unfelt> unfelt_by(std::span<const std::string> parts, const Surroundings<Dim>& surroundings)
{
    std::vector<Unfelt> all;
    if (surroundings.ignored.empty()) return all;
    all.resize(parts.size());
    std::unordered_map<std::string, std::uint32_t> number_of;
    for (std::uint32_t n = 0; n < parts.size(); ++n) number_of.emplace(parts[n], n);
    std::unordered_map<std::string, Unfelt::Numbers> ignored_by;
    for (const auto& [a, b] : surroundings.ignored.pairs()) {
        if (const auto part = number_of.find(a); part != number_of.end())
            ignored_by[b].push_back(part->second);
        if (const auto part = number_of.find(b); part != number_of.end())
            ignored_by[a].push_back(part->second);
    }
    const auto ignore = [&](const std::string& name, std::uint32_t number, auto&& numbers_of) {
        const auto found = ignored_by.find(name);
        if (found == ignored_by.end()) return;
        for (const std::uint32_t part : found->second) numbers_of(all[part]).push_back(number);
    };
    for (std::uint32_t n = 0; n < parts.size(); ++n)
        ignore(
            parts[n], n, [](Unfelt & unfelt) -> auto& { return unfelt.parts; });
    const std::size_t obstacles = surroundings.obstacles.size();
    for (std::size_t n = 0; n < obstacles + surroundings.forms.size(); ++n)
        ignore(
            surroundings.wall(n).name, static_cast<std::uint32_t>(n),
            [](Unfelt & unfelt) -> auto& { return unfelt.walls; });
    for (Unfelt& unfelt : all) unfelt.pieces.resize(surroundings.boundaries.size());
    for (std::size_t k = 0; k < surroundings.boundaries.size(); ++k)
        for (std::uint32_t n = 0; n < surroundings.boundaries[k].pieces.size(); ++n)
            ignore(
                surroundings.boundaries[k].pieces[n].name,
                n, [k](Unfelt & unfelt) -> auto& { return unfelt.pieces[k]; });
    return all;
}

} // namespace phyxel
