// SPDX-License-Identifier: MIT
// Discs that overlap look like one smooth surface: at each place the normals and colours of all surfels that
// cover it are mixed, those whose centre is near more than those that end there [ZPBG01].
#pragma once

#include <phyxel/core/types.h>
#include <phyxel/render/detail/shading.h>
#include <phyxel/render/render_scene.h>

#include <cstddef>
#include <vector>

namespace phyxel::detail {

/// A surfel in the coordinates of the picture.
struct LocalSurfel {
    Vec3f center;
    Vec3f normal;             ///< of unit length
    Vec3f across_u, across_v; ///< half-axes over their squared lengths: 1 at the rim
};

class SurfelBlend {
public:
    /// Surfels that cannot be drawn have a centre that is not finite.
    explicit SurfelBlend(std::vector<LocalSurfel> surfels);

    /// The unit normal and the colour at a place of surfel `i`.
    struct Mixed {
        Vec3f normal;
        Color color;
    };
    Mixed at(std::size_t i, const Vec3f& place, const std::vector<Color>& colors) const;

private:
    std::vector<LocalSurfel> surfels_;
    std::vector<std::size_t> offsets_; ///< into `near_`
    std::vector<Index> near_;          ///< other surfels that may cover a place of this one
};

} // namespace phyxel::detail
