// SPDX-License-Identifier: MIT
// Forgetting the shape at rest: what flows takes the places where it is for its places at rest [MKN*04, Sec.
// 4.2], and neighbours that have come apart or met are neighbours no more or from now on.
#pragma once

#include <phyxel/solid/solid_model.h>
#include <phyxel/solid/solid_state.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace phyxel {

/// Of the parts whose shape at rest is forgotten.
enum class Forgotten {
    WhatMoved,  ///< the rest has the places and neighbours that it had
    Everything, ///< who is near to whom now is what counts, whatever it is made of
};

struct ReshapeReport {
    std::size_t fitted = 0;  ///< phyxels whose neighbours, weights and gradients were worked out
    std::size_t members = 0; ///< of all that could have been
    /// Where phyxels were halved, the number that each had before, or the one that it is a half of.
    std::vector<Index> came_from = {};
};

/// Gives the phyxels of some parts, `is_wanted` by part, new places at rest, and those of other parts that
/// they hang together with. Stress stays: with the deformation F from the old shape at rest, what is
/// remembered of it is pushed forward, Cₚ⁻¹ ← F Cₚ⁻¹ Fᵀ, and the volume with it as the scale of the new
/// shape. Those that have not moved, and whose neighbours have not either, stay as they are. What does not
/// flow goes on seeing what it was beside at first, see RestShape::seen.
///
/// Phyxels become neighbours where they are within their supports, if they are of one part or of parts that
/// may fuse, and one of them flows. One that flows and has too few neighbours has no stress and no volume to
/// remember: it flies. What flows is pulled apart rather than stretched beyond a few percent of its volume.
///
/// Of parts that may be sampled more finely, see SolidModel::most_halvings, a phyxel that flows is halved
/// once it has been drawn out and its neighbours say little of strain in that direction; see resampling.h.
/// Those that are `kept`, by phyxel, are not.
///
/// The state has to remember its rest, see SolidState::remember_rest(). Solvers have to be told.
template <int Dim>
ReshapeReport forget_rest(SolidModel<Dim>& model, SolidState<Dim>& solid,
                          std::span<const std::uint8_t> is_wanted, double stabilization_share,
                          Forgotten forgotten = Forgotten::WhatMoved,
                          std::span<const std::uint8_t> kept = {});

/// The shape at rest that the state remembers, with neighbours from elsewhere, such as a checkpoint, and what
/// is seen of them, X of each pair, where they are not all seen alike; see RestShape::seen.
template <int Dim>
void restore_rest(SolidModel<Dim>& model, const SolidState<Dim>& solid, NeighborLists neighbors,
                  double stabilization_share, std::span<const Vec<Dim>> seen = {});

/// No phyxel of the part has neighbours in others any more.
template <int Dim>
void part_from_others(SolidModel<Dim>& model, SolidState<Dim>& solid, std::uint32_t part,
                      double stabilization_share);

/// Which phyxels hang together over neighbours: for each the number of its piece. Pieces are numbered by
/// their first phyxels.
template <int Dim>
std::vector<std::uint32_t> find_pieces(const SolidModel<Dim>& model);

} // namespace phyxel
