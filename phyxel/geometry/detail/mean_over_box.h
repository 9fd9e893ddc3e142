// SPDX-License-Identifier: MIT
#pragma once

#include <phyxel/core/rng.h>
#include <phyxel/core/types.h>
#include <phyxel/geometry/box.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace phyxel::detail {

/// Of a function of places, from a few that are always the same. Roughly, as is enough for what a query
/// takes.
template <class Function>
double mean_over_box(const Box<3>& box, const Function& function)
{
    constexpr Index places = 32;
    double sum = 0.0;
    for (Index i = 0; i < places; ++i)
        sum += function(Vec<3>(box.min + box.size().cwiseProduct(Rng(1, i).point<3>(0.0, 1.0))));
    return sum / places;
}

/// Around the points, but for a twentieth of them at every end.
inline Box<3> box_of_most(std::span<const Vec<3>> points)
{
    constexpr std::size_t part = 20;
    Box<3> box;
    if (points.empty()) return box;
    std::vector<double> numbers(points.size());
    for (int k = 0; k < 3; ++k) {
        std::transform(points.begin(), points.end(), numbers.begin(), [&](const Vec<3>& x) { return x[k]; });
        const auto low = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / part);
        const auto high = numbers.end() - 1 - static_cast<std::ptrdiff_t>(numbers.size() / part);
        std::nth_element(numbers.begin(), low, numbers.end());
        box.min[k] = *low;
        std::nth_element(numbers.begin(), high, numbers.end());
        box.max[k] = *high;
    }
    return box;
}

/// What a query in a mesh takes, of which `work` is a function of places. A single vertex far away leaves
/// most of the bounds empty, but questions are asked near the surface: so the place where most of it is
/// counts, too.
template <class Function>
double query_work_of(const Box<3>& bounds, std::span<const Vec<3>> vertices, const Function& work)
{
    return std::max(mean_over_box(bounds, work), mean_over_box(box_of_most(vertices), work));
}

} // namespace phyxel::detail
