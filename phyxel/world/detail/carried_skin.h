// SPDX-License-Identifier: MIT
// The skin of a solid: what is drawn of it, and the phyxels that carry it along.
#pragma once

#include <phyxel/io/checkpoint.h>
#include <phyxel/solid/phyxel_cloud.h>
#include <phyxel/surface/skinning.h>
#include <phyxel/surface/surfels.h>
#include <phyxel/world/solid_body.h>

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace phyxel {

struct CarriedSkin {
    /// `skin` has vertices, `phyxels` are those at rest.
    CarriedSkin(SolidSkin skin, PhyxelCloud<3> phyxels);

    SkinningNodes skinning_nodes() const { return {nodes.positions, nodes.supports, nodes.neighbors}; }

    void set_surfels(SurfelSet set);

    /// The surfels, in sections whose names begin with `name`. Only of a skin without triangles.
    void save(CheckpointWriter& checkpoint, const std::string& name) const;
    void load(const CheckpointReader& checkpoint, const std::string& name);

    std::vector<std::array<Index, 3>> triangles;
    std::size_t size = 0;
    SkinningOptions options = {};
    PhyxelCloud<3> nodes; ///< whose positions, supports and neighbours resampling needs
    Skinning<float> skinning = {};

    // Of a skin without triangles.
    std::optional<SurfelSet> surfels = {};
    std::size_t first_size = 0;
};

} // namespace phyxel
