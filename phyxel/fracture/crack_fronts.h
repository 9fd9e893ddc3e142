// SPDX-License-Identifier: MIT
// Fronts of cracks that go on by themselves: their nodes, with the way that each of them looks, and how the
// sheet grows behind those that move.
//
//     const std::vector<FrontNode<3>> nodes = front_nodes(cracks);
//     advance_fronts<3>(cracks, nodes, ways, distance);    // and find_fronts(cracks)
#pragma once

#include <phyxel/core/types.h>
#include <phyxel/fracture/crack_drawing.h>
#include <phyxel/fracture/crack_sheets.h>

#include <cstdint>
#include <span>
#include <vector>

namespace phyxel {

template <int Dim>
struct FrontNode {
    Index node = 0; ///< of the sheet
    std::uint32_t crack = 0;
    Vec<Dim> place = Vec<Dim>::Zero();   ///< at rest [m]
    Vec<Dim> forward = Vec<Dim>::Zero(); ///< in the sheet, away from it; of unit length
    Vec<Dim> normal = Vec<Dim>::Zero();  ///< across the sheet, of unit length
    double width = 0.0;                  ///< of the row of faces behind it [m]
    double share = 1.0;                  ///< of the front: half of the edges beside it [m]; 1 in the plane
    /// Of those that are beside it along the front, their places among the nodes; none in the plane.
    std::vector<std::size_t> beside = {};
};

/// Those of all fronts, in the order of their cracks and nodes.
template <int Dim>
std::vector<FrontNode<Dim>> front_nodes(const CrackSheets<Dim>& cracks);

/// A few nodes in place of many.
template <int Dim>
struct FrontStations {
    std::vector<FrontNode<Dim>>
        nodes;                        ///< each with the share of all that it stands for, and nobody beside it
    std::vector<std::size_t> of_node; ///< the one that stands for a node
};

/// Nodes that stand for those within `reach` [m] of them along the front, as far as these look the same way.
/// In the plane every node stands for itself.
template <int Dim>
FrontStations<Dim> front_stations(std::span<const FrontNode<Dim>> nodes, double reach);

struct FrontGrowth {
    /// Of the nodes, the one of the sheet in its place from now on: itself where it has stayed, or taken its
    /// faces along.
    std::vector<Index> next;
    std::size_t merged = 0; ///< nodes that came so near to others that they are one
    std::size_t ended = 0;  ///< nodes whose way could not be gone
    bool has_grown = false;
};

/// Moves nodes of fronts by `ways` and fills in the sheet behind them; zero for those that stay. Those that
/// go straight on stretch the row of faces behind them until it is a quarter of a spacing wide; then a new
/// one begins. A way that meets another sheet ends behind it. In space nodes come and go, so that they stay
/// between a fifth and three quarters of a spacing apart. Fronts are then to be found.
template <int Dim>
FrontGrowth advance_fronts(CrackSheets<Dim>& cracks, std::span<const FrontNode<Dim>> nodes,
                           std::span<const Vec<Dim>> ways, const DistanceFromSurface<Dim>& distance);

} // namespace phyxel
