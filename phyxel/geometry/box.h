// SPDX-License-Identifier: MIT
// Axis-aligned box: bounds of things, and a shape in its own right.
#pragma once

#include <phyxel/core/types.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace phyxel {

/// The points with min ≤ x ≤ max along every axis. A box made without arguments is empty and contains
/// nothing; extending it by a first point makes it that point.
template <int Dim>
struct Box {
    Vec<Dim> min = Vec<Dim>::Constant(std::numeric_limits<double>::infinity());  ///< [m]
    Vec<Dim> max = Vec<Dim>::Constant(-std::numeric_limits<double>::infinity()); ///< [m]

    bool is_empty() const { return !(min.array() <= max.array()).all(); }
    Vec<Dim> size() const { return max - min; }
    Vec<Dim> center() const { return 0.5 * (min + max); }
    double longest_side() const { return size().maxCoeff(); }
    double shortest_side() const { return size().minCoeff(); }

    /// Area in 2D.
    double volume() const { return is_empty() ? 0.0 : size().prod(); }

    bool contains(const Vec<Dim>& x) const
    {
        return (min.array() <= x.array()).all() && (x.array() <= max.array()).all();
    }

    void extend(const Vec<Dim>& x)
    {
        min = min.cwiseMin(x);
        max = max.cwiseMax(x);
    }

    void extend(const Box& other)
    {
        min = min.cwiseMin(other.min);
        max = max.cwiseMax(other.max);
    }

    /// From x to the nearest point of the box, zero inside.
    double distance(const Vec<Dim>& x) const { return std::sqrt(squared_distance(x)); }

    double squared_distance(const Vec<Dim>& x) const
    {
        double sum = 0.0;
        for (int k = 0; k < Dim; ++k) {
            const double gap = std::max({min[k] - x[k], x[k] - max[k], 0.0});
            sum += gap * gap;
        }
        return sum;
    }

    friend bool operator==(const Box& a, const Box& b) { return a.min == b.min && a.max == b.max; }
};

/// The points that both boxes have.
template <int Dim>
Box<Dim> overlap(const Box<Dim>& a, const Box<Dim>& b)
{
    return {.min = a.min.cwiseMax(b.min), .max = a.max.cwiseMin(b.max)};
}

} // namespace phyxel
