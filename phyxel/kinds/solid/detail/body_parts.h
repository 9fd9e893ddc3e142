// SPDX-License-Identifier: MIT
// The solids of a world: their phyxels, and what each of them is called and shaped at rest.
#pragma once

#include <phyxel/core/id_index.h>
#include <phyxel/geometry/shape.h>
#include <phyxel/solid/solid_model.h>
#include <phyxel/solid/solid_state.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace phyxel {

/// A phyxel that was halved.
template <int Dim>
struct PhyxelHalves {
    std::uint64_t kept;  ///< id of the half that has that of the whole
    std::uint64_t fresh; ///< id of the other
    Vec<Dim> way;        ///< from the whole to that one [m]
};

template <int Dim>
struct BodyParts {
    SolidModel<Dim> model;
    SolidState<Dim> state = {};
    IdIndex ids = {};                                   ///< of the state
    std::vector<std::string> names = {};                ///< of the parts, also of those that have left
    std::vector<std::optional<Shape<Dim>>> shapes = {}; ///< of the parts at rest

    std::optional<std::uint32_t> number_of(std::string_view part) const
    {
        const auto found = std::find(names.begin(), names.end(), part);
        if (found == names.end()) return {};
        return static_cast<std::uint32_t>(found - names.begin());
    }

    /// Whether phyxels of a part have become neighbours, or are so no more, since the start.
    bool has_flown(std::uint32_t part) const
    {
        const NeighborLists &first = model.start_neighbors(), &now = model.rest.neighbors;
        if (&first == &now) return false;
        for (Index i = model.first_of_part[part]; i < model.first_of_part[part + 1]; ++i)
            if (!std::ranges::equal(first.of(i), now.of(i))) return true;
        return false;
    }
};

} // namespace phyxel
