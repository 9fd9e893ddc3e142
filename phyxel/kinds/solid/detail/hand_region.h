// SPDX-License-Identifier: MIT
// What a hand has hold of, as a region of a solid.
#pragma once

#include <phyxel/solid/solid_model.h>
#include <phyxel/solid/solid_region.h>
#include <phyxel/world/hand.h>

#include <cstdint>
#include <span>
#include <vector>

namespace phyxel {

/// The phyxels of a part near a place, or else the nearest one: their ids, ascending. `places` are those of
/// all phyxels, at rest or now.
template <int Dim>
std::vector<std::uint64_t> phyxels_at(const Vec<Dim>& place, double radius, const SolidModel<Dim>& model,
                                      std::span<const Vec<Dim>> places, std::span<const std::uint64_t> ids,
                                      std::uint32_t part);

/// What a hand does to the phyxels of a part that it has.
template <int Dim>
SolidRegion<Dim> hand_region(const Hand<Dim>& hand, const SolidModel<Dim>& model, std::uint32_t part,
                             std::vector<std::uint64_t> phyxels);

} // namespace phyxel
