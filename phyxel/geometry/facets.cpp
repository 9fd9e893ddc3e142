// SPDX-License-Identifier: MIT
#include <phyxel/geometry/facets.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace phyxel {
namespace {

using std::numbers::pi;

/// Facets around a full turn. More than a million would be finer than anything that is made of them.
int turn_count(double radius, double edge)
{
    return static_cast<int>(std::clamp(std::ceil(2 * pi * radius / edge), 64.0, 1e6));
}

/// Radius of the regular polygon of so many corners whose area is that of the unit circle.
double polygon_radius(int corners)
{
    const double angle = 2 * pi / corners;
    return std::sqrt(angle / std::sin(angle));
}

/// The closed polygon, counter-clockwise.
std::vector<Facet<2>> outline(const std::vector<Vec<2>>& corners)
{
    std::vector<Facet<2>> facets;
    for (std::size_t i = 0; i < corners.size(); ++i)
        facets.push_back({corners[i], corners[(i + 1) % corners.size()]});
    return facets;
}

/// Appends an arc from angle `from` to `to`, both ends included, as (radius from the axis, height).
void add_arc(std::vector<Vec<2>>& line, const Vec<2>& center, double radius, double from, double to,
             double edge)
{
    const int whole = turn_count(radius, edge);
    const int count = std::max(1, static_cast<int>(std::lround(whole * std::abs(to - from) / (2 * pi))));
    for (int k = 0; k <= count; ++k) {
        const double angle = from + (to - from) * k / count;
        line.push_back(center + radius * Vec<2>(std::cos(angle), std::sin(angle)));
    }
}

/// The surface that a line of (radius, height) makes when it turns about an axis; the solid is to its left.
/// Ends on the axis, where the radius is 0, become points.
std::vector<Facet<3>> turned(std::vector<Vec<2>> line, const Vec<3>& center, const Vec<3>& axis, double edge)
{
    double widest = 0.0;
    for (const Vec<2>& p : line) widest = std::max(widest, p[0]);
    const int count = turn_count(widest, edge);
    const Vec<3> w = axis.isZero(0.0) ? Vec<3>(Vec<3>::UnitZ()) : axis.stableNormalized();
    const Vec<3> u = w.unitOrthogonal();
    const Vec<3> v = w.cross(u);
    const double stretch = polygon_radius(count);
    const auto corner = [&](const Vec<2>& p, int k) -> Vec<3> {
        const double angle = 2 * pi * (k % count) / count;
        return center + p[1] * w + stretch * p[0] * (std::cos(angle) * u + std::sin(angle) * v);
    };
    std::vector<Facet<3>> facets;
    for (std::size_t i = 0; i + 1 < line.size(); ++i)
        for (int k = 0; k < count; ++k) {
            const Vec<3> a = corner(line[i], k), b = corner(line[i], k + 1);
            const Vec<3> c = corner(line[i + 1], k), d = corner(line[i + 1], k + 1);
            if (line[i][0] > 0.0) facets.push_back({a, b, d});
            if (line[i + 1][0] > 0.0) facets.push_back({a, d, c});
        }
    return facets;
}

/// A rectangle or stadium about the axis from `from` to `to`.
template <bool IsRound>
std::vector<Facet<2>> around_axis(const Vec<2>& from, const Vec<2>& to, double radius, double edge)
{
    const Vec<2> along = to == from ? Vec<2>(Vec<2>::UnitX()) : (to - from).stableNormalized();
    const Vec<2> right(along[1], -along[0]);
    std::vector<Vec<2>> corners;
    if constexpr (IsRound) {
        const double angle = std::atan2(right[1], right[0]);
        const double stretched = radius * polygon_radius(turn_count(radius, edge));
        add_arc(corners, to, stretched, angle, angle + pi, edge);
        add_arc(corners, from, stretched, angle + pi, angle + 2 * pi, edge);
    } else {
        corners = {from + radius * right, to + radius * right, to - radius * right, from - radius * right};
    }
    return outline(corners);
}

} // namespace

Vec<2> area_vector(const Facet<2>& facet)
{
    const Vec<2> along = facet[1] - facet[0];
    return {along[1], -along[0]};
}

Vec<3> area_vector(const Facet<3>& facet) { return 0.5 * (facet[1] - facet[0]).cross(facet[2] - facet[0]); }

std::vector<Facet<2>> facets(const Box<2>& box, double)
{
    return outline({box.min, {box.max[0], box.min[1]}, box.max, {box.min[0], box.max[1]}});
}

std::vector<Facet<3>> facets(const Box<3>& box, double)
{
    std::vector<Facet<3>> result;
    for (int axis = 0; axis < 3; ++axis)
        for (int side = 0; side < 2; ++side) {
            Vec<3> u = Vec<3>::Zero(), v = Vec<3>::Zero();
            u[(axis + 1) % 3] = box.size()[(axis + 1) % 3];
            v[(axis + 2) % 3] = box.size()[(axis + 2) % 3];
            if (side == 0) std::swap(u, v);
            Vec<3> corner = box.min;
            if (side == 1) corner[axis] = box.max[axis];
            result.push_back({corner, corner + u, corner + u + v});
            result.push_back({corner, corner + u + v, corner + v});
        }
    return result;
}

std::vector<Facet<2>> facets(const Sphere<2>& disc, double edge)
{
    std::vector<Vec<2>> corners;
    const double stretched = disc.radius * polygon_radius(turn_count(disc.radius, edge));
    add_arc(corners, disc.center, stretched, 0.0, 2 * pi, edge);
    corners.pop_back();
    return outline(corners);
}

std::vector<Facet<3>> facets(const Sphere<3>& sphere, double edge)
{
    std::vector<Vec<2>> line;
    add_arc(line, Vec<2>::Zero(), sphere.radius, -0.5 * pi, 0.5 * pi, edge);
    line.front()[0] = line.back()[0] = 0.0;
    return turned(line, sphere.center, Vec<3>::UnitZ(), edge);
}

std::vector<Facet<2>> facets(const Cylinder<2>& cylinder, double edge)
{
    return around_axis<false>(cylinder.from, cylinder.to, cylinder.radius, edge);
}

std::vector<Facet<3>> facets(const Cylinder<3>& cylinder, double edge)
{
    const Vec<3> axis = cylinder.to - cylinder.from;
    return turned({{0.0, 0.0}, {cylinder.radius, 0.0}, {cylinder.radius, axis.norm()}, {0.0, axis.norm()}},
                  cylinder.from, axis, edge);
}

std::vector<Facet<2>> facets(const Capsule<2>& capsule, double edge)
{
    return around_axis<true>(capsule.from, capsule.to, capsule.radius, edge);
}

std::vector<Facet<3>> facets(const Capsule<3>& capsule, double edge)
{
    const Vec<3> axis = capsule.to - capsule.from;
    std::vector<Vec<2>> line;
    add_arc(line, Vec<2>::Zero(), capsule.radius, -0.5 * pi, 0.0, edge);
    add_arc(line, Vec<2>(0.0, axis.norm()), capsule.radius, 0.0, 0.5 * pi, edge);
    line.front()[0] = line.back()[0] = 0.0;
    return turned(line, capsule.from, axis, edge);
}

std::vector<Facet<3>> facets(const Torus<3>& torus, double edge)
{
    std::vector<Vec<2>> line;
    const double tube = torus.tube * polygon_radius(turn_count(torus.tube, edge));
    add_arc(line, Vec<2>(torus.radius, 0.0), tube, 0.0, 2 * pi, edge);
    line.back() = line.front();
    return turned(line, torus.center, torus.axis, edge);
}

} // namespace phyxel
