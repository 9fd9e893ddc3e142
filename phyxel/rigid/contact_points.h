// SPDX-License-Identifier: MIT
// Where a rigid body can touch others first: corners, points along edges and on faces, or, of a ball, its
// centre. Points of one body are held against the exact distance of the other, so bodies need not be convex.
#pragma once

#include <phyxel/core/work_budget.h>
#include <phyxel/geometry/shape.h>
#include <phyxel/rigid/box_contact.h>

#include <optional>
#include <vector>

namespace phyxel {

template <int Dim>
struct ContactPoints {
    std::vector<Vec<Dim>> places; ///< at rest [m]
    double radius = 0.0;      ///< of a ball, whose only place is its centre; 0 for points of a surface [m]
    bool is_combined = false; ///< several shapes make up this one
    std::optional<PlacedBox> box = {}; ///< the shape at rest, if it is one; only in 3D
};

/// About a twelfth of the longest side apart; corners are always among them.
template <int Dim>
ContactPoints<Dim> contact_points(const Shape<Dim>& shape, const WorkBudget& work = {});

} // namespace phyxel
