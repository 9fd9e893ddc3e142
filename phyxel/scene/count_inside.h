// SPDX-License-Identifier: MIT
// What kinds ask of shapes while a scene is built.
#pragma once

#include <phyxel/core/work_budget.h>
#include <phyxel/geometry/motion.h>
#include <phyxel/geometry/shape.h>
#include <phyxel/scene/build_text.h>
#include <phyxel/scene/findings.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace phyxel {

/// What looking at a place takes that is only compared with bounds, in units of WorkBudget.
inline constexpr double look_work = 0.5;

/// How many of the points lie in a shape that is at a pose.
template <int Dim>
std::uint64_t count_inside(const Shape<Dim>& shape, const Pose<Dim>& pose,
                           const std::vector<Vec<Dim>>& points, const WorkBudget& work)
{
    std::vector<Vec<Dim>> near;
    for (const Vec<Dim>& x : points) {
        const Vec<Dim> X = pose.apply_inverse(x);
        if (shape.bounds().contains(X)) near.push_back(X);
    }
    work.spend(static_cast<double>(points.size()) + static_cast<double>(near.size()) * shape.query_work());
    std::vector<std::uint8_t> is_inside(near.size());
    shape.inside(near, is_inside);
    return static_cast<std::uint64_t>(std::count(is_inside.begin(), is_inside.end(), 1));
}

/// What points about `spacing` [m] apart on the surface of a shape take, and tables of them, in units of
/// WorkBudget. To spend before they are made. Measured.
template <int Dim>
double work_of_surface_points(const Shape<Dim>& shape, double spacing)
{
    constexpr double point_work = 300.0;
    constexpr double cutting_work = 300.0; // and some questions
    // Pieces of one part are cut along the others.
    const double cutting = shape.parts().size() > 1 ? cutting_work + 4.0 * shape.query_work() : 0.0;
    return shape.rough_area() / std::pow(spacing, Dim - 1) * (point_work + cutting);
}

/// Fewer than two layers of particles between its faces do not move as the shape would.
inline void warn_of_thin_shape(Findings& findings, const Path& path, double thickness, double spacing)
{
    if (spacing <= 0.5 * thickness) return;
    findings.warn(path,
                  "the shape is " + detail::in_metres(thickness) + " thin, less than two spacings of " +
                      detail::in_metres(spacing),
                  "choose a spacing of at most " + detail::in_metres(0.5 * thickness));
}

} // namespace phyxel
