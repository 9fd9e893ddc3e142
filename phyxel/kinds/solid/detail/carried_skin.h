// SPDX-License-Identifier: MIT
// The skin of a solid: what is drawn of it, and the phyxels that carry it along.
#pragma once

#include <phyxel/geometry/surroundings.h>
#include <phyxel/geometry/unfelt.h>
#include <phyxel/io/checkpoint.h>
#include <phyxel/kinds/solid/detail/long_tips.h>
#include <phyxel/kinds/solid/detail/skin_seams.h>
#include <phyxel/kinds/solid/solid_body.h>
#include <phyxel/solid/phyxel_cloud.h>
#include <phyxel/surface/skinning.h>
#include <phyxel/surface/surfels.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace phyxel {

/// F of a phyxel as a skin follows it. `span` is F at rest: the identity, or less where the neighbours lie in
/// a plane or on a line; what is beside these is turned along, as a skin has two sides, also where a solid is
/// one phyxel thick. No stretch is beyond what a skin can follow: where few phyxels hardly span space a small
/// step of one of them makes a large F, and a vertex beside it a spike.
Mat<3> gradient_for_skin(const Mat<3>& F, const Mat<3>& span);

/// What of F turns.
Mat<3> rotation_of(const Mat<3>& F);

/// What of a surface has got into a wall that it feels ends at it, unless it may pass. Walls hold phyxels, as
/// balls of half a spacing, and the surface is carried by those around it: it may be a fraction of a spacing
/// further than they are.
void keep_out_of_walls(const Surroundings<3>& surroundings, const Unfelt& unfelt,
                       std::span<const std::uint8_t> may_pass, std::span<Vec<3>> vertices);

struct CarriedSkin {
    /// `skin` has vertices, `phyxels` are those at rest, and what is given of them later is in their order.
    /// `sees` as in SkinningNodes; it is asked only here, of a skin with triangles.
    CarriedSkin(SolidSkin skin, PhyxelCloud<3> phyxels, std::vector<std::uint64_t> phyxel_ids = {},
                std::function<bool(const Vec<3>&, Index)> sees = {});

    SkinningNodes skinning_nodes() const { return {nodes.positions, nodes.supports, nodes.neighbors, sees_}; }

    void set_surfels(SurfelSet set);

    /// Where the phyxels carry the vertices of a skin with triangles, and their normals.
    void update(std::span<const Vec<3>> positions, std::span<const Mat<3>> gradients,
                std::span<Vec<3>> vertices, std::span<Vec<3, float>> normals);

    /// A field of the phyxels at the vertices or surfels.
    void transfer(std::span<const Vec<3>> nodal, std::span<Vec<3, float>> out);

    /// The surfels, in sections whose names begin with `name`. Only of a skin without triangles.
    void save(CheckpointWriter& checkpoint, const std::string& name) const;
    void load(const CheckpointReader& checkpoint, const std::string& name);

    std::vector<std::array<Index, 3>> triangles;
    std::vector<Vec<3>> rest;             ///< of the vertices, if there are triangles [m]
    std::vector<std::int8_t> crack_sides; ///< as of SolidSkin, and of each vertex
    std::size_t size = 0;
    SkinningOptions options = {};
    PhyxelCloud<3> nodes; ///< whose positions, supports and neighbours resampling needs
    std::vector<std::uint64_t> node_ids;
    Skinning<float> skinning = {};

    /// A vertex in the tip of a horn or on a sharp rim, where no phyxel fits in: those that it follows may be
    /// of another part of the body. It is led by the next vertex, along the skin, that is among phyxels.
    struct LedVertex {
        Index vertex, leader;
        Vec<3> offset; ///< from the leader at rest [m]
        Vec<3> normal; ///< at rest
    };
    std::vector<LedVertex> led;

    /// One whose triangles are so large that the phyxels below it are nearer than the next vertex: the point
    /// of a star of a few triangles. It turns with them, and is not drawn out as they are.
    struct EndVertex {
        Index vertex, node;
        Vec<3> offset; ///< from the node at rest [m]
        Vec<3> normal; ///< at rest
    };
    std::vector<EndVertex> ends;

    /// One of those that are led: at rest it is in the place of `origin`, which is on the other side of a
    /// cut.
    struct RimVertex {
        Index vertex, leader, origin;
        Vec<3> offset; ///< from the leader to where it is drawn in when the cut opens, at rest [m]
    };
    std::vector<RimVertex> rims;
    SkinSeams seams;
    LongTips long_tips;

    // Of a skin without triangles.
    std::optional<SurfelSet> surfels = {};
    std::size_t first_size = 0;

private:
    void carry(SolidSkin& skin);

    std::function<bool(const Vec<3>&, Index)> sees_ = {};
};

} // namespace phyxel
