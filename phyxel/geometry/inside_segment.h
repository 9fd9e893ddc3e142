// SPDX-License-Identifier: MIT
// Whether one can go straight from one place in a shape to another without leaving it.
#pragma once

#include <phyxel/core/types.h>
#include <phyxel/geometry/shape.h>

#include <cstddef>

namespace phyxel {

/// A place in a shape and how far under the surface it is, −φ.
template <int Dim>
struct PlaceInside {
    Vec<Dim> position; ///< [m]
    double depth;      ///< [m]
};

/// Whether the segment between two places keeps inside, but for where the surface bulges into its way by at
/// most `tolerance` [m]. A gap is never passed, however narrow: its sides face each other, while those of a
/// bulge or an edge do not. What is nearer than a hundredth of the tolerance touches.
///
/// Two balls that meet need no query; otherwise the segment is walked by the distance to the surface. How
/// often the shape was asked for that is added to `queries`.
template <int Dim>
bool is_segment_inside(const Shape<Dim>& shape, const PlaceInside<Dim>& from, const PlaceInside<Dim>& to,
                       double tolerance, std::size_t& queries);

} // namespace phyxel
