// SPDX-License-Identifier: MIT
#include <phyxel/surface/detail/point_set_surface.h>

#include <phyxel/core/assert.h>

namespace phyxel::detail {

PointSetSurface::PointSetSurface(std::span<const Vec<3>> points, std::span<const Vec<3>> normals,
                                 double radius)
    : radius_(radius),
      points_(points.begin(), points.end()),
      normals_(normals.begin(), normals.end()),
      grid_(points, radius)
{
    PHYXEL_ASSERT(points.size() == normals.size());
}

PointSetSurface::Place PointSetSurface::project(const Vec<3>& start, const Vec<3>& normal, double tolerance,
                                                Bent bent) const
{
    constexpr int most_steps = 10;
    Place place{start, normal};
    for (int k = 0; k < most_steps; ++k) {
        Vec<3> mean = Vec<3>::Zero(), facing = Vec<3>::Zero();
        double weight = 0.0, above = 0.0;
        for_each_near(place.x, normal, [&](Index i, double w) {
            above += w * normals_[i].dot(place.x - points_[i]);
            mean += w * points_[i];
            facing += w * normals_[i];
            weight += w;
        });
        const double length = facing.norm();
        if (!(weight > 0.0) || !(length > 0.0)) break;
        place.normal = facing / length;
        place.weight = weight;
        place.offset = (place.x - mean / weight).norm() / radius_;
        double off = place.normal.dot(place.x - mean / weight);
        if (bent == Bent::Through) off = 0.5 * (off + above / weight);
        place.x -= off * place.normal;
        if (std::abs(off) <= tolerance) break;
    }
    return place;
}

} // namespace phyxel::detail
