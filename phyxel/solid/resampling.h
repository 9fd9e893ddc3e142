// SPDX-License-Identifier: MIT
// Sampling a solid more finely where it is drawn out [AW09, Sec. 7.3]: a phyxel becomes two halves along the
// direction in which it is longest. Who is to be halved and what halving does are apart, so that others may
// choose too, such as cracks.
//
// Each half has half of the mass and the volume, and what the whole had in a mass or a volume: velocity,
// heat, what is remembered of flow. They lie as far from its place on either side. So mass, momentum, centre
// of mass, angular momentum, kinetic energy and heat are those of before.
#pragma once

#include <phyxel/solid/solid_model.h>
#include <phyxel/solid/solid_state.h>

#include <cstdint>
#include <span>
#include <vector>

namespace phyxel {

/// Phyxels can be halved so often at the most.
inline constexpr int most_halvings = 6;

template <int Dim>
struct Halving {
    Index phyxel = 0;
    Vec<Dim> way = Vec<Dim>::Zero(); ///< from its place to that of one half, and back to the other [m]
};

/// How far a phyxel is drawn out, in the direction in which that is most.
template <int Dim>
struct Elongation {
    double stretch = 1.0;
    Vec<Dim> axis = Vec<Dim>::Zero(); ///< of unit length; the largest component is positive
};
template <int Dim>
Elongation<Dim> elongation(const Mat<Dim>& spread);

/// What the neighbours of a phyxel at these places say of strain along a direction, as a share of what they
/// say along that of which they say most: about 1 on lattices, and less where neighbours in that direction
/// are far. Of the side where they say less, twice: a neck opens on one side of a phyxel. A side on which
/// nobody is does not count, since the solid ends there.
template <int Dim>
double told_along(std::span<const Vec<Dim>> places, std::span<const double> supports,
                  std::span<const Index> neighbors, Index i, const Vec<Dim>& axis);

/// A half of what was spread along `way` so far.
template <int Dim>
Mat<Dim> halved_spread(const Mat<Dim>& spread, const Vec<Dim>& way);

/// Halves phyxels, which the model must allow, each once. One half keeps the number of the phyxel within its
/// part, its id, and all that refers to it; the others come behind all phyxels of their part, in the order of
/// the ids of these, with new ids. They are in the places of now, at rest as well, and the new ones have no
/// neighbours: reconnect() has to follow, with all of them among those that have moved.
///
/// Returns the number that each phyxel had before, or the one that it is a half of.
template <int Dim>
std::vector<Index> halve(SolidModel<Dim>& model, SolidState<Dim>& solid,
                         std::span<const Halving<Dim>> halvings);

/// Halves and wholes side by side are more crowded than either among their likes, and halving gives nobody
/// energy: what phyxels may be crowded by, from what was allowed and how crowded they were before halving,
/// and are afterwards. Squeezes are those of before.
void allow_crowds(std::span<const Index> came_from, std::span<const double> before,
                  std::span<const double> after, std::span<double> allowed);

/// And back again, as they move apart.
void forbid_crowds(std::span<const double> crowds, std::span<double> allowed);

/// The model as it was before anything was halved, without neighbours for who is not: to be followed by
/// restore_halves().
template <int Dim>
void make_whole(SolidModel<Dim>& model);

/// Pieces from elsewhere, such as a checkpoint: `came_from` has the number of the whole one that each is of,
/// part by part, the whole ones first and in their order, `times` how often it has been halved.
template <int Dim>
void restore_halves(SolidModel<Dim>& model, std::span<const Index> came_from,
                    std::span<const std::uint8_t> times);

} // namespace phyxel
