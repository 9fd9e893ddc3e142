// SPDX-License-Identifier: MIT
#include <phyxel/world/expected_speed.h>

#include <algorithm>
#include <cmath>

namespace phyxel {

template <int Dim>
double expected_speed(const Box<Dim>& bounds, const Domain<Dim>& domain, const Box<Dim>& obstacle_bounds,
                      const Vec<Dim>& gravity, double initial_speed)
{
    constexpr double slowest = 0.1;
    const double g = gravity.norm();
    double speed = initial_speed;
    if (g > 0.0 && !bounds.is_empty()) {
        const Vec<Dim> up = -gravity / g;
        // Lowest and highest place of a box along `up`.
        const auto lowest = [&](const Box<Dim>& box) {
            return (up.array() * (up.array() > 0.0).select(box.min.array(), box.max.array())).sum();
        };
        const auto highest = [&](const Box<Dim>& box) {
            return (up.array() * (up.array() > 0.0).select(box.max.array(), box.min.array())).sum();
        };
        double floor = lowest(bounds);
        if (domain.bounded) floor = std::min(floor, lowest(domain.box));
        if (!obstacle_bounds.is_empty()) floor = std::min(floor, lowest(obstacle_bounds));
        speed += std::sqrt(2.0 * g * (highest(bounds) - floor));
    }
    return std::max(speed, slowest);
}

template double expected_speed(const Box<2>&, const Domain<2>&, const Box<2>&, const Vec<2>&, double);
template double expected_speed(const Box<3>&, const Domain<3>&, const Box<3>&, const Vec<3>&, double);

} // namespace phyxel
