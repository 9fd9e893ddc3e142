// SPDX-License-Identifier: MIT
#include <phyxel/core/assert.h>
#include <phyxel/geometry/inside_segment.h>

#include <algorithm>
#include <limits>

namespace phyxel {

template <int Dim>
bool is_segment_inside(const Shape<Dim>& shape, const PlaceInside<Dim>& from, const PlaceInside<Dim>& to,
                       double tolerance, std::size_t& queries)
{
    PHYXEL_ASSERT(tolerance > 0.0);
    const double length = (to.position - from.position).norm();
    if (from.depth + to.depth >= length) return true;

    const Vec<Dim> direction = (to.position - from.position) / length;
    const double hair = 0.01 * tolerance;
    const double short_step = 0.5 * tolerance;
    // The distance to the triangles of a mesh with holes says nothing about where its inside ends.
    const double long_step =
        shape.has_distance_bound() ? std::numeric_limits<double>::infinity() : 5 * tolerance;
    // Below, a surface is met head on and not grazed: aim just behind it, for the next one may be near.
    constexpr double steep = 0.3;

    const double goal = length - to.depth;
    bool is_outside = false;
    Vec<Dim> last_normal = Vec<Dim>::Zero(); // inside, just before the way out
    for (double s = std::min(from.depth, long_step); s < goal;) {
        ++queries;
        const SignedDistance<Dim> here = shape.sample(from.position + s * direction);
        if (here.value > tolerance) return false;
        if (here.value > hair) {
            is_outside = true;
            s += std::max(here.value, short_step);
            continue;
        }
        if (is_outside && last_normal.dot(here.normal) < 0.0) return false;
        is_outside = false;
        last_normal = here.normal;
        const double depth = -here.value;
        const double leaving = here.normal.dot(direction);
        const bool is_met = depth < short_step && leaving > steep;
        s += is_met ? (depth + 2 * hair) / leaving : std::min(std::max(depth, short_step), long_step);
    }
    if (!is_outside) return true;
    ++queries;
    const SignedDistance<Dim> back = shape.sample(to.position - (to.depth - hair) * direction);
    return last_normal.dot(back.normal) >= 0.0;
}

template bool is_segment_inside(const Shape<2>&, const PlaceInside<2>&, const PlaceInside<2>&, double,
                                std::size_t&);
template bool is_segment_inside(const Shape<3>&, const PlaceInside<3>&, const PlaceInside<3>&, double,
                                std::size_t&);

} // namespace phyxel
