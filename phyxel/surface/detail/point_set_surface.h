// SPDX-License-Identifier: MIT
// The surface that points with normals mean, between them: moving least squares in the manner of [AA03],
//
//     x ← x − n(x) (n(x) · (x − a(x)))
//
// with the weighted means a and n of the points and normals around x. Where the points lie on a surface that
// is bent, this lies within it, by ⟨r²⟩ / 2R on a sphere. Their tangent planes,
//
//     x ← x − n(x) Σ w_i n_i · (x − p_i) / Σ w_i
//
// lie as far outside; in the middle between both is a surface that goes through the points.
#pragma once

#include <phyxel/core/types.h>
#include <phyxel/surface/detail/point_grid.h>

#include <cstddef>
#include <span>
#include <vector>

namespace phyxel::detail {

class PointSetSurface {
public:
    struct Place {
        Vec<3> x;
        Vec<3> normal;
        double weight = 0.0; ///< of all points that say where the surface is; none if it is 0
        double offset = 0.0; ///< of the place from their mean, in radii: 0.26 on a straight rim
    };

    enum class Bent { Within, Through };

    PointSetSurface() = default;

    /// Points have an influence up to `radius` [m], which falls as (1 − q²)³. Normals have unit length.
    PointSetSurface(std::span<const Vec<3>> points, std::span<const Vec<3>> normals, double radius);

    double radius() const { return radius_; }

    /// Where the surface is nearest to x, looked for among points that face as `normal` does, at most ten
    /// steps and to `tolerance` [m]. Without such points x itself.
    Place project(const Vec<3>& x, const Vec<3>& normal, double tolerance, Bent bent = Bent::Within) const;

    /// Calls visit(i, weight) for all points that have an influence at x and face as `normal` does.
    template <class Visit>
    void for_each_near(const Vec<3>& x, const Vec<3>& normal, Visit&& visit) const
    {
        const double scale = 1.0 / (radius_ * radius_);
        grid_.for_each_near(x, radius_, [&](Index i, const Vec<3>&, double square) {
            const double left = 1.0 - square * scale;
            if (left > 0.0 && normals_[i].dot(normal) > 0.0) visit(i, left * left * left);
        });
    }

private:
    double radius_ = 1.0;
    std::vector<Vec<3>> points_, normals_;
    PointGrid grid_;
};

} // namespace phyxel::detail
