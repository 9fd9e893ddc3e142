// SPDX-License-Identifier: MIT
// Points that are hard on a search, and what a plain loop over all of them finds.
#pragma once

#include <phyxel/core/error.h>
#include <phyxel/core/rng.h>
#include <phyxel/core/types.h>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace phyxel {

/// A dimension and a scalar, for typed tests.
template <int D, std::floating_point R>
struct Space {
    static constexpr int dim = D;
    using Real = R;
    using Point = Vec<D, R>;
    static constexpr R infinity = std::numeric_limits<R>::infinity();
    static constexpr R nan = std::numeric_limits<R>::quiet_NaN();
};

using AllSpaces = ::testing::Types<Space<1, double>, Space<2, double>, Space<3, double>, Space<1, float>,
                                   Space<2, float>, Space<3, float>>;

/// For claims in which neither the dimension nor the scalar plays a part; they save compile time.
using TwoSpaces = ::testing::Types<Space<2, double>, Space<3, float>>;

template <int Dim, std::floating_point Real>
struct PointSet {
    std::string name;
    std::vector<Vec<Dim, Real>> points;
};

/// `count` points in each set but the smallest, in or around [−1, 1]^Dim.
template <int Dim, std::floating_point Real>
std::vector<PointSet<Dim, Real>> hard_point_sets(std::size_t count, std::uint64_t seed)
{
    using Point = Vec<Dim, Real>;
    std::vector<PointSet<Dim, Real>> sets;
    const auto add = [&](const std::string& name, std::size_t size, auto&& point) {
        Rng rng(seed, sets.size());
        PointSet<Dim, Real> set{name, {}};
        for (std::size_t i = 0; i < size; ++i) set.points.push_back(point(rng, i));
        sets.push_back(set);
    };
    const auto uniform = [](Rng& rng) -> Point { return rng.point<Dim>(-1, 1).template cast<Real>(); };

    add("empty", 0, [&](Rng& rng, std::size_t) { return uniform(rng); });
    add("single", 1, [&](Rng& rng, std::size_t) { return uniform(rng); });
    add("uniform", count, [&](Rng& rng, std::size_t) { return uniform(rng); });
    add("negative", count,
        [&](Rng& rng, std::size_t) -> Point { return rng.point<Dim>(-2, 0).template cast<Real>(); });
    // Twenty clusters whose widths span six orders of magnitude.
    add("clustered", count, [&](Rng& rng, std::size_t i) -> Point {
        Rng cluster(seed, 1000, i % 20);
        const Point centre = uniform(cluster);
        const Real width = static_cast<Real>(std::pow(10.0, cluster.uniform(-6, 0)));
        return centre + width * uniform(rng);
    });
    add("collinear", count, [&](Rng& rng, std::size_t) -> Point {
        return Point::Constant(static_cast<Real>(rng.uniform(-1, 1)));
    });
    add("along the last axis", count, [&](Rng& rng, std::size_t) -> Point {
        Point x = Point::Constant(Real(0.25));
        x[Dim - 1] = static_cast<Real>(rng.uniform(-1, 1));
        return x;
    });
    add("coplanar", count, [&](Rng& rng, std::size_t) -> Point {
        Point x = uniform(rng);
        x[0] = Real(-0.5);
        return x;
    });
    add("all identical", count, [&](Rng&, std::size_t) -> Point { return Point::Constant(Real(-0.3)); });
    add("each three times", count, [&](Rng&, std::size_t i) -> Point {
        Rng original(seed, 2000, i / 3);
        return uniform(original);
    });
    // Multiples of 1/8, many of them equal: distances tie, and points lie on the faces of cells.
    add("lattice", count,
        [&](Rng& rng, std::size_t) -> Point { return ((uniform(rng) * 8).array().floor() / 8).matrix(); });
    return sets;
}

/// Σ (a_k − b_k)², rounded as the searches do it.
template <int Dim, std::floating_point Real>
Real squared_distance(const Vec<Dim, Real>& a, const Vec<Dim, Real>& b)
{
    Real sum = (a[0] - b[0]) * (a[0] - b[0]);
    for (int k = 1; k < Dim; ++k) sum = std::fma(a[k] - b[k], a[k] - b[k], sum);
    return sum;
}

template <int Dim, std::floating_point Real>
std::vector<Index> brute_force_radius(std::span<const std::type_identity_t<Vec<Dim, Real>>> points,
                                      const Vec<Dim, Real>& x, std::type_identity_t<Real> r)
{
    std::vector<Index> found;
    for (std::size_t i = 0; i < points.size(); ++i)
        if (squared_distance<Dim, Real>(points[i], x) <= r * r) found.push_back(static_cast<Index>(i));
    return found;
}

/// `count` places to search from: every other one a point of the set itself.
template <int Dim, std::floating_point Real>
std::vector<Vec<Dim, Real>> query_points(const PointSet<Dim, Real>& set, std::size_t count,
                                         std::uint64_t seed)
{
    Rng rng(seed);
    std::vector<Vec<Dim, Real>> queries;
    for (std::size_t q = 0; q < count; ++q) {
        if (q % 2 == 0 && !set.points.empty())
            queries.push_back(set.points[rng.below(set.points.size())]);
        else
            queries.push_back(rng.point<Dim>(-1.5, 1.5).template cast<Real>());
    }
    return queries;
}

/// The text of the InputError that `call` throws.
template <class Call>
std::string input_error_of(Call&& call)
{
    try {
        call();
    } catch (const InputError& error) {
        return error.what();
    }
    return "no InputError";
}

} // namespace phyxel
