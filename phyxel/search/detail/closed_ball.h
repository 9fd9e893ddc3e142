// SPDX-License-Identifier: MIT
// When a point is within reach. All searches compare squares that are summed in the same way, so that they
// agree to the last bit about a point that lies on the rim.
#pragma once

#include <phyxel/core/types.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace phyxel::detail {

/// Σ d_k² from the first axis to the last, each added by an fma as in the kernels that build lists.
template <int Dim, std::floating_point Real>
Real squared_length(const Vec<Dim, Real>& d)
{
    Real sum = d[0] * d[0];
    for (int k = 1; k < Dim; ++k) sum = std::fma(d[k], d[k], sum);
    return sum;
}

/// H, a power of two such that squares in [1/H, H] have all their bits, and that lengths whose squares lie
/// outside have them once they are multiplied by H or 1/H.
template <std::floating_point Real>
inline constexpr Real square_limit = [] {
    Real limit = 1;
    for (int k = 0; k < 3 * std::numeric_limits<Real>::max_exponent / 4; ++k) limit *= 2;
    return limit;
}();

/// By what lengths with this computed square are to be multiplied before squares of them can be trusted.
template <std::floating_point Real>
Real length_scale(Real square)
{
    if (square < 1 / square_limit<Real>) return square_limit<Real>;
    if (square > square_limit<Real>) return 1 / square_limit<Real>;
    return 1;
}

/// |d| without spurious overflow or underflow. Monotone in every |d_k|, as rounding is.
template <int Dim, std::floating_point Real>
Real length(const Vec<Dim, Real>& d)
{
    const Real square = squared_length<Dim, Real>(d);
    const Real scale = length_scale(square);
    if (scale == 1) [[likely]]
        return std::sqrt(square);
    return std::sqrt(squared_length<Dim, Real>(d * scale)) / scale;
}

/// The points with min ≤ x ≤ max along every axis.
template <int Dim, std::floating_point Real>
struct Box {
    Vec<Dim, Real> min;
    Vec<Dim, Real> max;
};

/// How far x lies outside of the box along each axis. Rounding is monotone, so neither a component nor the
/// length exceeds what is computed for any point of the box: pruning with it needs no tolerance.
template <int Dim, std::floating_point Real>
Vec<Dim, Real> gap_to(const Box<Dim, Real>& box, const Vec<Dim, Real>& x)
{
    Vec<Dim, Real> gap;
    for (int k = 0; k < Dim; ++k) gap[k] = std::max({box.min[k] - x[k], x[k] - box.max[k], Real(0)});
    return gap;
}

/// The points with |x − centre| ≤ radius, as Σ (x_k − c_k)² ≤ radius² in working precision. The radius is
/// not negative and may be infinite.
template <int Dim, std::floating_point Real>
class ClosedBall {
public:
    ClosedBall(const Vec<Dim, Real>& centre, Real radius)
        : centre_(centre),
          scale_(length_scale(radius * radius)),
          limit_((radius * scale_) * (radius * scale_))
    {
    }

    bool contains(const Vec<Dim, Real>& x) const { return reaches(x - centre_); }

    /// False only if no point of the box is contained.
    bool touches(const Box<Dim, Real>& box) const { return reaches(gap_to(box, centre_)); }

    /// True only if all points of the box are contained.
    bool contains(const Box<Dim, Real>& box) const
    {
        return reaches((centre_ - box.min).cwiseAbs().cwiseMax((box.max - centre_).cwiseAbs()));
    }

private:
    bool reaches(const Vec<Dim, Real>& d) const { return squared_length<Dim, Real>(d * scale_) <= limit_; }

    Vec<Dim, Real> centre_;
    Real scale_;
    Real limit_;
};

} // namespace phyxel::detail
