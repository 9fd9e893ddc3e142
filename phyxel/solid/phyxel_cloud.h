// SPDX-License-Identifier: MIT
// Phyxels: the points that carry the physics of a solid [MKN*04, Sec. 3.2], and which of them feel each
// other.
#pragma once

#include <phyxel/core/types.h>
#include <phyxel/geometry/shape.h>
#include <phyxel/search/neighbor_lists.h>

#include <cstdint>
#include <span>
#include <vector>

namespace phyxel {

enum class PhyxelSampling {
    Lattice,     ///< a cubic lattice
    Jittered,    ///< the same, each point moved at random
    PoissonDisk, ///< at random, no two closer than they need be
};

struct PhyxelOptions {
    PhyxelSampling sampling = PhyxelSampling::Lattice;
    std::uint64_t seed = 1;
    int nearest = 10;           ///< how many neighbours the mean distance r̄ is taken over; in 2D at most 6
    double support_ratio = 1.6; ///< support radius over r̄; [MKN*04] have 3
};

/// A solid at rest.
template <int Dim>
struct PhyxelCloud {
    std::vector<Vec<Dim>> positions; ///< X_i [m]
    std::vector<double> volumes;     ///< v_i; together the volume of the solid [m^Dim]
    std::vector<double> supports;    ///< h_i [m]
    std::vector<double> depths;      ///< how far under the surface of the solid each lies, at least [m]
    NeighborLists neighbors;         ///< within (h_i + h_j) / 2, never across a gap; symmetric
    double spacing = 0.0;            ///< [m]

    std::size_t size() const { return positions.size(); }
};

/// Fills the shape with phyxels about `spacing` [m] apart. Throws InputError for a spacing that is not
/// positive or gives too many. The cloud is empty if none fits. Single ones that fewer neighbours
/// hold than there are dimensions are left out.
template <int Dim>
PhyxelCloud<Dim> make_phyxels(const Shape<Dim>& shape, double spacing, const PhyxelOptions& options = {});

/// The same from points that are given, such as those of a test: each has the volume `volume` [m^Dim], in a
/// solid of which nothing is known but them.
template <int Dim>
PhyxelCloud<Dim> make_phyxels(std::span<const Vec<Dim>> positions, double spacing, double volume,
                              const PhyxelOptions& options = {});

/// How many phyxels each piece has that hangs together over neighbours, the largest first.
template <int Dim>
std::vector<std::size_t> piece_sizes(const PhyxelCloud<Dim>& cloud);

} // namespace phyxel
