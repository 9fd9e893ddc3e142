// SPDX-License-Identifier: MIT
// The rigid motion that brings points nearest to where they are now.
#pragma once

#include <phyxel/core/types.h>

#include <span>

namespace phyxel {

/// x = position + rotation (X − center)
struct RigidFit {
    Vec<3> position; ///< of the centre [m]
    Mat<3> rotation;
};

/// By least squares of the distances. What points do not tell of the rotation, such as that about the line
/// that they lie on, is as in `guess`, the rotation at the moment before. There must be a point.
RigidFit fit_rigid(std::span<const Vec<3>> rest, std::span<const Vec<3>> now, const Vec<3>& center,
                   const Mat<3>& guess);

} // namespace phyxel
