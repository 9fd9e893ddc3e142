// SPDX-License-Identifier: MIT
// The implicit coat of a body [MKN*04, Sec. 5.2.1]: every phyxel has a bell, and the surface is where their
// sum is S = 1. It follows any change of topology by itself, and is smooth and without detail.
//
//     F(x) = Σ_i f_i(x),    f_i = b (1 − r²/h²)³,    b = S e^{−B},    f_i(R) = S     after [MKN*04, Eq. 28]
//
// A phyxel by itself is a ball of radius R; the blobbiness B < 0 says how high a bell is above the level.
// The bell of [Bli82], b e^{Br²/R²}, has the same height and the same radius; it reaches twice as far, and is
// cut there. A phyxel among others has a wider and lower bell, of the same volume in the whole body, which is
// flat along a face (detail/anisotropic_bells.h): bells of one size show every phyxel as a lump, and leave
// gaps where phyxels lie unevenly.
#pragma once

#include <phyxel/core/types.h>
#include <phyxel/geometry/sparse_field.h>
#include <phyxel/search/kd_tree.h>
#include <phyxel/surface/detail/cell_lists.h>

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

namespace phyxel {

struct BlinnShape {
    double radius;            ///< R [m]
    double blobbiness = -0.5; ///< B
    /// The cube root of the volume of a phyxel, whose bell is that of the phyxels around it. Without it all
    /// bells are those of phyxels by themselves. [m]
    std::optional<double> spacing = {};
};

/// Where phyxels have the volume spacing³ and the surface holds it: a phyxel by itself, and a body of many.
BlinnShape blinn_shape(double spacing, double blobbiness);

/// The value that is the surface.
inline constexpr double blinn_level = 1.0;

class BlinnField {
public:
    struct Sample {
        double value;
        Vec<3> gradient; ///< [1/m]
    };

    BlinnField() = default;

    /// `sizes` has the length that each phyxel is larger by than one of the shape; empty: 1. Throws
    /// InputError for phyxels that are not finite, lengths that are not positive, and a blobbiness that is
    /// not negative.
    BlinnField(std::span<const Vec<3>> phyxels, const BlinnShape& shape, std::span<const double> sizes = {});

    const BlinnShape& shape() const { return shape_; }
    const std::vector<Vec<3>>& phyxels() const { return phyxels_; }

    /// Of a phyxel by itself: h [m]
    double reach() const { return reach_; }

    Sample sample(const Vec<3>& x) const;

    /// Calls visit(i, f_i(x)) for all phyxels whose bell reaches x.
    template <class Visit>
    void for_each_bell(const Vec<3>& x, Visit&& visit) const
    {
        for (const Index i : lists_.at(x)) {
            const Bell& bell = bells_[i];
            const Vec<3> offset = x - bell.center;
            const double left = 1.0 - offset.dot(bell.form * offset);
            if (left > 0.0) visit(i, bell.height * left * left * left);
        }
    }

    /// The phyxel nearest to x; there is one.
    Index nearest(const Vec<3>& x) const;

    /// The place on the surface along the gradient, to `tolerance` radii: Newton's method, at most ten steps
    /// of at most R / 2, and bisection where these do not arrive. Nothing for a place so deep inside that no
    /// surface is met.
    std::optional<Vec<3>> project(const Vec<3>& x, double tolerance = 1e-7) const;

    /// The field in blocks around all phyxels, for marching cubes at `blinn_level`. `cell` [m].
    SparseField sampled(double cell) const;

private:
    struct Bell {
        Vec<3> center;
        Mat<3> form; ///< [1/m²]
        double height;
    };

    void make_bells(std::span<const double> sizes);
    Vec<3> bisect(Vec<3> inside, Vec<3> outside, double tolerance) const;

    BlinnShape shape_ = {1.0};
    double reach_ = 0.0;
    std::vector<Vec<3>> phyxels_;
    std::vector<Bell> bells_;
    std::vector<detail::CellLists::Reach> reaches_; ///< of the bells
    detail::CellLists lists_;
    KdTree<3> tree_; ///< for places that no bell reaches
};

} // namespace phyxel
