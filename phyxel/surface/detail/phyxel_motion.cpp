// SPDX-License-Identifier: MIT
#include <phyxel/surface/detail/phyxel_motion.h>

#include <phyxel/approx/symmetric_inverse.h>
#include <phyxel/core/assert.h>
#include <phyxel/core/parallel_for.h>

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>

namespace phyxel::detail {
namespace {

double bell(double square, double reach)
{
    const double left = 1.0 - square / (reach * reach);
    return left > 0.0 ? left * left * left : 0.0;
}

/// Directions in which neighbours are so much nearer to a plane than far apart tell nothing.
constexpr double flat = 1e-3;

/// What the material is sheared by: Green's strain, which no rotation has a part in, without its trace.
double shear_of(const Mat<3>& gradient)
{
    Mat<3> strain = 0.5 * (gradient + gradient.transpose() + gradient.transpose() * gradient);
    strain.diagonal().array() -= strain.trace() / 3.0;
    return strain.norm();
}

/// More than this is no motion of one material: phyxels that few others hold spin.
constexpr double largest_gradient = 2.0;

} // namespace

Vec<3> carried_normal(const Mat<3>& gradient, const Vec<3>& normal)
{
    const Mat<3> F = Mat<3>::Identity() + gradient;
    Mat<3> cofactor;
    for (int k = 0; k < 3; ++k) cofactor.row(k) = F.row((k + 1) % 3).cross(F.row((k + 2) % 3));
    const Vec<3> moved = cofactor * normal;
    const double length = moved.norm();
    return length > 0.0 ? Vec<3>(moved / length) : normal;
}

PhyxelMotion::PhyxelMotion(std::span<const Vec<3>> before, std::span<const Vec<3>> after, double reach)
    : reach_(reach),
      before_(before.begin(), before.end()),
      moved_(before.size()),
      grid_(before, reach),
      tree_(before)
{
    PHYXEL_ASSERT(before.size() == after.size());
    parallel_for(
        before.size(),
        [&](Index i) {
            const Vec<3> u_i = after[i] - before[i];
            Mat<3> moments = Mat<3>::Zero(), mixed = Mat<3>::Zero();
            grid_.for_each_near(before_[i], reach_, [&](Index j, const Vec<3>& x, double square) {
                const double w = bell(square, reach_);
                moments += w * x * x.transpose();
                mixed += w * (u_i - (after[j] - before[j])) * x.transpose();
            });
            Mat<3> gradient = Mat<3>::Zero();
            if (moments.trace() > 0.0) gradient = mixed * symmetric_inverse<3>(moments, flat).matrix;
            const double size = gradient.norm();
            if (size > largest_gradient) gradient *= largest_gradient / size;
            moved_[i] = {u_i, gradient};
        },
        64);
}

PhyxelMotion::Displacement PhyxelMotion::at(const Vec<3>& x, const Vec<3>& normal) const
{
    if (before_.empty()) return {};
    // None of what lies further outwards than this part of the reach.
    constexpr double outwards = 0.35;
    Displacement sum;
    double weights = 0.0;
    const auto add = [&](double w, Index i, const Vec<3>& offset) {
        const Displacement& moved = moved_[i];
        sum.way += w * (moved.way + moved.gradient * offset);
        sum.gradient += w * moved.gradient;
        weights += w;
    };
    grid_.for_each_near(x, reach_, [&](Index i, const Vec<3>& offset, double square) {
        const double inwards = std::clamp(1.0 + normal.dot(offset) / (outwards * reach_), 0.0, 1.0);
        if (inwards > 0.0) add(inwards * inwards * bell(square, reach_), i, offset);
    });
    if (!(weights > 0.0)) {
        std::vector<Neighbor<>> nearest;
        tree_.nearest(x, 1, nearest);
        add(1.0, nearest.front().id, x - before_[nearest.front().id]);
    }
    return {sum.way / weights, sum.gradient / weights};
}

PhyxelPath::PhyxelPath(std::span<const Vec<3>> before, std::span<const std::vector<Vec<3>>> between,
                       std::span<const Vec<3>> after, double reach)
{
    std::span<const Vec<3>> from = before;
    for (const std::vector<Vec<3>>& to : between) {
        motions_.emplace_back(from, to, reach);
        from = to;
    }
    motions_.emplace_back(from, after, reach);
}

PhyxelPath::Carried PhyxelPath::carry(const Vec<3>& x, const Vec<3>& normal) const
{
    Carried carried{x, normal};
    for (const PhyxelMotion& motion : motions_) {
        const PhyxelMotion::Displacement moved = motion.at(carried.x, carried.normal);
        carried.x += moved.way;
        carried.normal = carried_normal(moved.gradient, carried.normal);
        carried.shear += shear_of(moved.gradient);
    }
    return carried;
}

} // namespace phyxel::detail
