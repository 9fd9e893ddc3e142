// SPDX-License-Identifier: MIT
// Which phyxels lie on the boundary of their cloud. Where a body tears, inner ones come to lie outside, and
// where pieces merge, outer ones inside: that is how a change of topology is noticed [MKN*04, Sec. 5.2.2].
#pragma once

#include <phyxel/core/types.h>
#include <phyxel/search/neighbor_lists.h>

#include <span>
#include <vector>

namespace phyxel {

/// P = 1 − det C / (tr C / 3)³ with the covariance C of a phyxel and its neighbours [MKN*04, Eq. 29]; 1
/// where they do not span space. It is 0 inside, 0.26 to 0.34 on a face, 0.34 to 0.42 on an edge, but only
/// 0.13 to 0.16 on a corner: an indicator, not a probability.
std::vector<double> boundary_probability(std::span<const Vec<3>> phyxels, const NeighborLists& neighbors);

/// How much of a boundary phyxel each is, from 0 to 1, by all within `radius` [m]: P over that of a
/// half-space, and at least what missing neighbours say, which is all of it below half of the median number
/// and nothing from six tenths on. Neighbours have the weight (1 − q²)³ here, so that a deformation, which
/// moves some of them over the radius, is not mistaken for a change of topology.
std::vector<double> boundary_exposure(std::span<const Vec<3>> phyxels, double radius);

} // namespace phyxel
