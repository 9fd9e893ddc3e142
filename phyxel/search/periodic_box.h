// SPDX-License-Identifier: MIT
// Space that repeats itself along chosen axes.
#pragma once

#include <phyxel/core/types.h>

#include <cmath>

namespace phyxel {

/// Axis k repeats with period `length[k]`, beginning at `min[k]`; a length of 0 means that it does not.
template <int Dim, std::floating_point Real = double>
struct PeriodicBox {
    Vec<Dim, Real> min = Vec<Dim, Real>::Zero();
    Vec<Dim, Real> length = Vec<Dim, Real>::Zero();

    bool is_periodic(int axis) const { return length[axis] > 0; }

    /// The image of x that lies in [min, min + length) along the periodic axes.
    Vec<Dim, Real> wrap(Vec<Dim, Real> x) const
    {
        for (int k = 0; k < Dim; ++k) {
            if (!is_periodic(k)) continue;
            const Real turns = std::floor((x[k] - min[k]) / length[k]);
            x[k] -= turns * length[k];
            // Rounding can leave x on the wrong side of either end.
            if (x[k] < min[k]) x[k] = min[k];
            if (x[k] >= min[k] + length[k]) x[k] = min[k];
        }
        return x;
    }

    /// Whole periods that bring x back to where wrap() would put it. Rounding is left where it is.
    Vec<Dim, Real> way_back(const Vec<Dim, Real>& x) const
    {
        Vec<Dim, Real> way = Vec<Dim, Real>::Zero();
        for (int k = 0; k < Dim; ++k)
            if (is_periodic(k)) way[k] = -length[k] * std::floor((x[k] - min[k]) / length[k]);
        return way;
    }

    /// a − b for the nearest images of a and b. Exactly antisymmetric, for any two points.
    Vec<Dim, Real> difference(const Vec<Dim, Real>& a, const Vec<Dim, Real>& b) const
    {
        Vec<Dim, Real> d = a - b;
        for (int k = 0; k < Dim; ++k)
            if (is_periodic(k)) d[k] -= length[k] * std::nearbyint(d[k] / length[k]);
        return d;
    }
};

} // namespace phyxel
