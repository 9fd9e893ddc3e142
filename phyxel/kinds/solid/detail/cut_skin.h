// SPDX-License-Identifier: MIT
// Cuts a skin that is whole where the solid under it is not.
#pragma once

#include <phyxel/core/types.h>
#include <phyxel/kinds/solid/solid_body.h>
#include <phyxel/solid/phyxel_cloud.h>

#include <span>
#include <vector>

namespace phyxel {

/// A vertex that was added for those triangles around `origin` that are on the other side of a cut.
struct CutVertex {
    Index origin;
    Index guide;     ///< a vertex on this side that it goes with
    Vec<3> drawn_in; ///< where it is at rest if it does not reach over to the other side [m]
};

/// A gap that is narrower than the triangles of a skin is not seen in it: two teeth are drawn as one there,
/// and a web is drawn out between them when they part. The same is true of tips too thin for a phyxel that
/// run into each other. Here the skin is cut between triangles that follow phyxels which hang together over a
/// long way round only, and both sides are closed. Triangles with long edges are left as they are.
///
/// `followed` is the phyxel that each vertex goes with. Returns the vertices that come behind those of the
/// skin; `skin.vertices` and `skin.triangles` have them. No vertex is taken out.
std::vector<CutVertex> cut_skin(SolidSkin& skin, const PhyxelCloud<3>& phyxels,
                                std::span<const Index> followed);

} // namespace phyxel
