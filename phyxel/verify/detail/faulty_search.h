// SPDX-License-Identifier: MIT
// Searches with the mistakes that searches tend to have, to see whether the cases would notice.
#pragma once

#include <phyxel/core/types.h>
#include <phyxel/search/kd_tree.h>

#include <cstdint>
#include <span>
#include <vector>

namespace phyxel::detail {

/// The ids that a search finds around each of several places.
using Found = std::vector<std::vector<Index>>;

/// Grid in which one thing or another is wrong. As it stands by default it is right.
struct FaultyGrid {
    double cell_edge = 1.0;    ///< in units of the radius; 3 cells per axis need 1, 2 cells need 2
    int cells_per_axis = 3;    ///< how many a query looks into: 2 (on the nearer side) or 3
    bool floor_cells = true;   ///< or cut towards 0, which is what a conversion to int does
    bool compare_cells = true; ///< or take all points with the hash of a cell for those of the cell
    std::uint64_t table_size = 1009;
    bool skip_coincident = false; ///< leave out other points at the place itself, as a guard against r = 0
    bool once_per_pair = false;   ///< find only points with a number above that of the place

    /// Places are the first of the points.
    Found search(std::span<const Vec<3>> points, std::span<const Vec<3>> places, double radius) const;
};

/// A kd-tree whose queries never look into the other half.
class OneSidedTree {
public:
    explicit OneSidedTree(std::span<const Vec<3>> points);

    Found radius(std::span<const Vec<3>> places, double radius) const;
    std::vector<std::vector<Neighbor<double>>> nearest(std::span<const Vec<3>> places, std::size_t k) const;

private:
    /// The points of the leaf that a place falls into.
    std::vector<Index> leaf_of(const Vec<3>& place) const;

    std::span<const Vec<3>> points_;
};

} // namespace phyxel::detail
