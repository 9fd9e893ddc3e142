// SPDX-License-Identifier: MIT
// Skins as meshes with fields, as they are drawn.
#pragma once

#include <phyxel/kinds/solid/detail/carried_skin.h>
#include <phyxel/kinds/solid/detail/coat_skin.h>
#include <phyxel/surface/coat.h>
#include <phyxel/world/body.h>

#include <functional>
#include <span>

namespace phyxel {

/// A coat, its fields from the phyxels around each surfel by their bells. `numbers` are those of the phyxels
/// that it follows, its own and then those that it has become one with.
SurfaceMesh coat_surface(const Coat& coat, const CoatSkin::Now& now, std::span<const Index> numbers,
                         std::span<const Vec<3>> velocities, std::span<const BodyField> fields);

/// The phyxels that carry a skin.
struct CarriedNodes {
    std::span<const Index> numbers;
    std::span<const Vec<3>> positions;  ///< of these
    std::span<const Mat<3>> gradients;  ///< of these
    std::span<const Vec<3>> velocities; ///< of all phyxels
};

/// A skin where its phyxels have carried it, its vertices moved by `keep_out`.
SurfaceMesh carried_surface(CarriedSkin& skin, const CarriedNodes& nodes, std::span<const BodyField> fields,
                            const std::function<void(std::span<Vec<3>>)>& keep_out);

} // namespace phyxel
