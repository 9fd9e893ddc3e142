// SPDX-License-Identifier: MIT
// The detail of a coat from one moment to the next: carried, and drawn onto the implicit coat as far as the
// topology has changed [MKN*04, Sec. 5.2.2].
#pragma once

#include <phyxel/surface/detail/coat_surfaces.h>
#include <phyxel/surface/detail/phyxel_motion.h>

namespace phyxel::detail {

/// Detail is drawn onto the implicit coat by at most `most` [m].
void advance_zombies(const CoatSurfaces& surfaces, const PhyxelPath& path, double most, CoatZombies& zombies);

/// What the zombies that lie at `position` are at the start, on the detail of the body or on its coat.
void begin_zombies(const CoatSurfaces& surfaces, bool keeps_detail, CoatZombies& zombies);

/// Adds zombies in the places of surfels that have too few around them, and takes some away on the implicit
/// coat where they are far too many, by chance.
void renew_zombies(const CoatSurfaces& surfaces, const CoatSurfels& surfels, std::uint64_t round,
                   CoatZombies& zombies);

} // namespace phyxel::detail
