// SPDX-License-Identifier: MIT
// The surface of a shape as points that each stand for a small piece of it: what integrals over the surface
// are summed with.
#pragma once

#include <phyxel/core/work_budget.h>
#include <phyxel/geometry/shape.h>

#include <vector>

namespace phyxel {

/// Pieces of a surface.
template <int Dim>
struct SurfacePoints {
    std::vector<Vec<Dim>> position; ///< centroid of the piece [m]
    std::vector<Vec<Dim>> area; ///< its outward normal times its area; in 2D times its length [m^(Dim−1)]
    bool is_sheet = false;      ///< there is no inside: both sides of every piece are outside

    std::size_t size() const { return position.size(); }
};

/// Pieces about as wide as `spacing` [m], however large or small the facets of the shape are. On a plane they
/// are the regular grid that columns of one width cut out of it, which makes sums over them far more exact
/// than sums over arbitrary pieces of the same size. Columns stand along the axes and diagonals of space;
/// each facet is cut by those that it faces most, and pieces in one column that lie and face alike are one.
///
/// Edges stay sharp, also where the parts of unions, intersections and differences cross. The areas of a
/// closed surface add up to nothing: what curved cuts, or the loose cells of a cloud, leave open is spread
/// over all pieces if it is less than 2 % of the area.
///
/// Always the same points for the same shape. Throws InputError unless `spacing` is positive and finite, and
/// for a surface that needs more than ten million points.
template <int Dim>
SurfacePoints<Dim> surface_points(const Shape<Dim>& shape, double spacing, const WorkBudget& work = {});

} // namespace phyxel
