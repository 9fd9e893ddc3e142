// SPDX-License-Identifier: MIT
// Pairs of axes k ≤ l, numbered as second derivatives and quadratic terms are stored: xx, xy, xz, yy, yz, zz.
#pragma once

#include <phyxel/core/types.h>

namespace phyxel {

template <int Dim>
inline constexpr int axis_pair_count = Dim*(Dim + 1) / 2;

/// The number of the pair {k, l}, in either order.
template <int Dim>
constexpr int axis_pair(int k, int l)
{
    const int low = k < l ? k : l;
    const int high = k < l ? l : k;
    return low * Dim - low * (low + 1) / 2 + high;
}

/// The upper triangle of a symmetric matrix, row by row.
template <int Dim>
using PairVec = Vec<axis_pair_count<Dim>>;

template <int Dim>
Mat<Dim> symmetric_matrix(const PairVec<Dim>& upper)
{
    Mat<Dim> matrix;
    for (int k = 0; k < Dim; ++k)
        for (int l = 0; l < Dim; ++l) matrix(k, l) = upper[axis_pair<Dim>(k, l)];
    return matrix;
}

} // namespace phyxel
