// SPDX-License-Identifier: MIT
// Point clouds to try approximations on, and their neighbours by brute force.
#pragma once

#include <phyxel/core/assert.h>
#include <phyxel/core/rng.h>
#include <phyxel/core/types.h>
#include <phyxel/search/neighbor_lists.h>
#include <phyxel/search/periodic_box.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace phyxel {

namespace detail {

/// Calls `visit(k)` for every k in {0 … count − 1}^Dim, the last component running fastest.
template <int Dim, class Visit>
void for_each_lattice_cell(int count, Visit&& visit)
{
    Eigen::Matrix<int, Dim, 1> k = Eigen::Matrix<int, Dim, 1>::Zero();
    for (;;) {
        visit(k);
        int axis = Dim - 1;
        while (axis >= 0 && ++k[axis] == count) k[axis--] = 0;
        if (axis < 0) return;
    }
}

} // namespace detail

struct LatticeOptions {
    double spacing = 1.0;
    int reach = 5; ///< points on each side of the origin, along each axis
};

/// Cubic lattice with (2 reach + 1)^Dim points, symmetric about the origin. The origin itself is the point
/// number size / 2.
template <int Dim, std::floating_point Real = double>
std::vector<Vec<Dim, Real>> lattice(const LatticeOptions& options)
{
    std::vector<Vec<Dim, Real>> points;
    detail::for_each_lattice_cell<Dim>(2 * options.reach + 1, [&](const auto& k) {
        points.push_back(
            ((k.array() - options.reach).template cast<double>() * options.spacing).template cast<Real>());
    });
    return points;
}

struct JitteredGridOptions {
    double spacing = 0.1;
    double jitter = 0.3; ///< largest displacement along each axis, in spacings
    std::uint64_t seed = 1;
    double low = 0.0; ///< the grid fills the box [low, high]^Dim
    double high = 1.0;
};

/// Centres of the cells of a grid, each displaced at random.
template <int Dim, std::floating_point Real = double>
std::vector<Vec<Dim, Real>> jittered_grid(const JitteredGridOptions& options)
{
    const int count = static_cast<int>(std::lround((options.high - options.low) / options.spacing));
    PHYXEL_ASSERT(count > 0);
    Rng rng(options.seed);
    std::vector<Vec<Dim, Real>> points;
    detail::for_each_lattice_cell<Dim>(count, [&](const auto& k) {
        Vec<Dim> x;
        for (int a = 0; a < Dim; ++a)
            x[a] =
                options.low + (k[a] + 0.5 + rng.uniform(-options.jitter, options.jitter)) * options.spacing;
        points.push_back(x.template cast<Real>());
    });
    return points;
}

struct RandomCloudOptions {
    std::size_t count = 100;
    std::uint64_t seed = 1;
    double low = 0.0; ///< the cloud lies in the box [low, high)^Dim
    double high = 1.0;
};

/// Independent uniform points.
template <int Dim, std::floating_point Real = double>
std::vector<Vec<Dim, Real>> random_cloud(const RandomCloudOptions& options)
{
    Rng rng(options.seed);
    std::vector<Vec<Dim, Real>> points;
    for (std::size_t i = 0; i < options.count; ++i)
        points.push_back(rng.point<Dim>(options.low, options.high).template cast<Real>());
    return points;
}

/// Numbers of all points within `radius` of x, ascending.
template <int Dim, std::floating_point Real = double>
std::vector<Index>
brute_force_points_near(const Vec<Dim, Real>& x, std::span<const std::type_identity_t<Vec<Dim, Real>>> points,
                        std::type_identity_t<Real> radius, const PeriodicBox<Dim, Real>& box = {})
{
    std::vector<Index> ids;
    for (std::size_t j = 0; j < points.size(); ++j)
        if (box.difference(x, points[j]).squaredNorm() <= radius * radius)
            ids.push_back(static_cast<Index>(j));
    return ids;
}

/// For every point the others within `radius`, by looking at all pairs.
template <int Dim, std::floating_point Real = double>
NeighborLists brute_force_neighbors(std::span<const std::type_identity_t<Vec<Dim, Real>>> points,
                                    std::type_identity_t<Real> radius, const PeriodicBox<Dim, Real>& box = {})
{
    std::vector<std::uint64_t> offsets = {0};
    std::vector<Index> ids;
    for (std::size_t i = 0; i < points.size(); ++i) {
        for (Index j : brute_force_points_near<Dim, Real>(points[i], points, radius, box))
            if (j != i) ids.push_back(j);
        offsets.push_back(ids.size());
    }
    return NeighborLists(offsets, ids);
}

} // namespace phyxel
