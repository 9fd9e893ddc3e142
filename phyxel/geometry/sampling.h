// SPDX-License-Identifier: MIT
// Fills shapes with points, and answers how densely they have to lie.
#pragma once

#include <phyxel/core/types.h>
#include <phyxel/core/work_budget.h>
#include <phyxel/geometry/shape.h>

#include <cstdint>
#include <span>
#include <vector>

namespace phyxel {

/// Points of a cubic lattice (square in 2D) inside the shape, in lexicographic order. The first of each row
/// would sit half a spacing inside the lower corner of the bounds, so a box whose sides are n spacings has
/// exactly n points along each, however the numbers round. Points that touch the surface are left out.
///
/// Throws InputError for a spacing that is not positive or gives more points than an Index can number.
template <int Dim>
std::vector<Vec<Dim>> fill_lattice(const Shape<Dim>& shape, double spacing, const WorkBudget& work = {});

/// How many points fill_lattice would make, without making them and beyond what it could. By formula for a
/// box along the axes; otherwise the work grows with the sites near the surface, the memory does not.
template <int Dim>
std::uint64_t count_lattice(const Shape<Dim>& shape, double spacing, const WorkBudget& work = {});

/// The same, exact if there are few sites near the surface, otherwise from some of them, to about 0.1 % for
/// shapes that are not thin. The work does not grow with the size of the shape.
template <int Dim>
double estimate_lattice(const Shape<Dim>& shape, double spacing, const WorkBudget& work = {});

struct JitterOptions {
    double jitter = 0.25; ///< largest displacement along each axis, in spacings; at most 0.5
    std::uint64_t seed = 1;
};

/// The same points, each displaced at random unless that would take it out of the shape. The displacement of
/// point i depends only on the seed and i.
template <int Dim>
std::vector<Vec<Dim>> fill_jittered(const Shape<Dim>& shape, double spacing,
                                    const JitterOptions& options = {}, const WorkBudget& work = {});

/// The least distance between the points of fill_poisson_disk, in spacings. Balls that are thrown until none
/// fits any more fill 54.7 % of the plane and 38.4 % of space, so this is where there is one point to
/// spacing^Dim.
template <int Dim>
inline constexpr double poisson_disk_radius = Dim == 2 ? 0.835 : 0.902;

struct PoissonDiskOptions {
    std::uint64_t seed = 1;
    double margin = 0.3; ///< least distance from the surface, in spacings; at most 1
};

/// Random points that keep poisson_disk_radius · spacing apart and off the surface, with no room left for
/// another one [EMP*12]: nowhere that keeps off the surface is farther than 1.02 of that distance from the
/// nearest. Their number is the volume over spacing^Dim, within 10 % for shapes at least ten spacings thick;
/// parts thinner than two margins have none. In lexicographic order of cells smaller than the distance.
///
/// Throws InputError for a spacing that is not positive or gives more than 2²⁸ of these cells.
template <int Dim>
std::vector<Vec<Dim>> fill_poisson_disk(const Shape<Dim>& shape, double spacing,
                                        const PoissonDiskOptions& options = {}, const WorkBudget& work = {});

/// The spacing with which the lattice points of all shapes together come close to `count`: by volume, then
/// corrected by counting, or for many points by sampling, until it is within 2 % or no longer improves.
/// Throws InputError if `count` is 0 or more than an Index can number.
template <int Dim>
double spacing_for_count(std::span<const Shape<Dim>> shapes, std::uint64_t count,
                         const WorkBudget& work = {});

template <int Dim>
double spacing_for_count(const Shape<Dim>& shape, std::uint64_t count)
{
    return spacing_for_count<Dim>(std::span<const Shape<Dim>>(&shape, 1), count);
}

/// A lattice along an axis that repeats.
struct PeriodicFit {
    bool fits;          ///< the length is a whole number of spacings, but for rounding
    std::int64_t count; ///< of spacings that come nearest, at least 1
    double spacing;     ///< length / count: the nearest that fits [m]
};

/// Throws InputError if either is not positive.
PeriodicFit fit_periodic(double length, double spacing);

} // namespace phyxel
