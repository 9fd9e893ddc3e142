// SPDX-License-Identifier: MIT
// The implicit coat of a body [MKN*04, Sec. 5.2.1]: every phyxel has a bell, and the surface is where their
// sum is S = 1. It follows any change of topology by itself, and is smooth and without detail.
//
//     F(x) = Σ_i b e^{−a |x − x_i|²},    a = −B / R²,    b = S e^{−B}     [Bli82], [MKN*04, Eq. 28]
//
// A phyxel by itself is a ball of radius R; the blobbiness B < 0 says how far bells reach into each other.
#pragma once

#include <phyxel/core/types.h>
#include <phyxel/geometry/sparse_field.h>
#include <phyxel/search/kd_tree.h>
#include <phyxel/surface/detail/point_grid.h>

#include <cmath>
#include <optional>
#include <span>
#include <vector>

namespace phyxel {

struct BlinnShape {
    double radius;            ///< R [m]
    double blobbiness = -0.5; ///< B
};

/// R [m] with which a flat face of phyxels of this spacing lies half a spacing above the outermost of them,
/// in the mean over the face.
double blinn_radius(double spacing, double blobbiness);

/// The value that is the surface.
inline constexpr double blinn_level = 1.0;

class BlinnField {
public:
    struct Sample {
        double value;
        Vec<3> gradient; ///< [1/m]
    };

    BlinnField() = default;

    /// Throws InputError for phyxels that are not finite, a radius that is not positive, and a blobbiness
    /// that is not negative.
    BlinnField(std::span<const Vec<3>> phyxels, const BlinnShape& shape);

    const BlinnShape& shape() const { return shape_; }

    /// Bells are cut where they are 10⁻⁴ S: R √(1 + ln 10⁴ / |B|). [m]
    double reach() const { return reach_; }

    Sample sample(const Vec<3>& x) const;

    /// Calls visit(i, f_i(x)) for all phyxels whose bell reaches x.
    template <class Visit>
    void for_each_bell(const Vec<3>& x, Visit&& visit) const
    {
        grid_.for_each_near(
            x, reach_, [&](Index i, const Vec<3>&, double square) { visit(i, b_ * std::exp(-a_ * square)); });
    }

    /// The phyxel nearest to x; there is one.
    Index nearest(const Vec<3>& x) const;

    /// The place on the surface along the gradient: Newton's method, at most ten steps of at most R / 2, and
    /// bisection where these do not arrive. Nothing for a place so deep inside that no surface is met.
    std::optional<Vec<3>> project(const Vec<3>& x) const;

    /// The field in blocks around all phyxels, for marching cubes at `blinn_level`. `cell` [m].
    SparseField sampled(double cell) const;

private:
    Vec<3> bisect(Vec<3> inside, Vec<3> outside) const;

    BlinnShape shape_ = {1.0};
    double a_ = 0.0, b_ = 0.0; ///< [1/m²], 1
    double reach_ = 0.0;
    std::vector<Vec<3>> phyxels_;
    detail::PointGrid grid_;
    KdTree<3> tree_; ///< for places that no bell reaches
};

} // namespace phyxel
