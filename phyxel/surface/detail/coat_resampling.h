// SPDX-License-Identifier: MIT
// Surfels that cover a coat evenly [MKN*04, Sec. 5.2.4]: deleted by chance where there are too many, added
// where there are too few, and spread around those that are new by repulsion in the manner of [PGK02].
#pragma once

#include <phyxel/surface/detail/coat_surfaces.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace phyxel::detail {

struct Resampled {
    std::size_t added = 0;
    std::size_t deleted = 0;
};

/// `state` has surfels with the places and normals of the surfaces. Phyxels whose coat no surfel is near get
/// some, so that inner surfaces are found where a body tears. Repulsion moves a surfel across the surface by
/// at most `rise` [m].
Resampled resample_coat(const CoatSurfaces& surfaces, std::span<const Vec<3>> phyxels, CoatState& state,
                        double rise);

} // namespace phyxel::detail
