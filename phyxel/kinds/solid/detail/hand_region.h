// SPDX-License-Identifier: MIT
// What a hand has hold of, as a region of a solid.
#pragma once

#include <phyxel/solid/solid_model.h>
#include <phyxel/solid/solid_region.h>
#include <phyxel/world/hand.h>

#include <cstdint>
#include <span>

namespace phyxel {

/// The phyxels of a part near a place at rest, or else the nearest one. `ids` are those of all phyxels.
template <int Dim>
SolidRegion<Dim> hand_region(const Hand<Dim>& hand, const SolidModel<Dim>& model,
                             std::span<const std::uint64_t> ids, std::uint32_t part);

extern template SolidRegion<2> hand_region(const Hand<2>&, const SolidModel<2>&,
                                           std::span<const std::uint64_t>, std::uint32_t);
extern template SolidRegion<3> hand_region(const Hand<3>&, const SolidModel<3>&,
                                           std::span<const std::uint64_t>, std::uint32_t);

} // namespace phyxel
