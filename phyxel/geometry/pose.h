// SPDX-License-Identifier: MIT
// Where a rigid thing is: rotations from angles, poses, and similarities, which scale as well.
#pragma once

#include <phyxel/core/types.h>

#include <cmath>

namespace phyxel {

/// One angle in 2D, counter-clockwise; in 3D angles about the fixed x, y and z axes, applied in that order.
/// [rad]
template <int Dim>
using Angles = Vec<Dim*(Dim - 1) / 2>;

inline Mat<2> rotation_matrix(const Angles<2>& angle)
{
    const double c = std::cos(angle[0]);
    const double s = std::sin(angle[0]);
    return Mat<2>{{c, -s}, {s, c}};
}

/// R_z R_y R_x.
inline Mat<3> rotation_matrix(const Angles<3>& angles)
{
    const Vec<3> c = angles.array().cos();
    const Vec<3> s = angles.array().sin();
    return Mat<3>{{c[2] * c[1], c[2] * s[1] * s[0] - s[2] * c[0], c[2] * s[1] * c[0] + s[2] * s[0]},
                  {s[2] * c[1], s[2] * s[1] * s[0] + c[2] * c[0], s[2] * s[1] * c[0] - c[2] * s[0]},
                  {-s[1], c[1] * s[0], c[1] * c[0]}};
}

/// x = R X + t.
template <int Dim>
struct Pose {
    Mat<Dim> rotation = Mat<Dim>::Identity();
    Vec<Dim> translation = Vec<Dim>::Zero(); ///< [m]

    Vec<Dim> apply(const Vec<Dim>& X) const { return rotation * X + translation; }
    Vec<Dim> apply_inverse(const Vec<Dim>& x) const { return rotation.transpose() * (x - translation); }

    /// First `first`, then this.
    Pose after(const Pose& first) const { return {rotation * first.rotation, apply(first.translation)}; }
    Pose inverse() const { return {rotation.transpose(), -(rotation.transpose() * translation)}; }
};

/// x = s R X + t with s > 0: what placing a shape can do to it. Distances scale by s, angles stay.
template <int Dim>
struct Similarity {
    double scale = 1.0;
    Mat<Dim> rotation = Mat<Dim>::Identity();
    Vec<Dim> translation = Vec<Dim>::Zero(); ///< [m]

    Vec<Dim> apply(const Vec<Dim>& X) const { return rotation * X * scale + translation; }
    Vec<Dim> apply_inverse(const Vec<Dim>& x) const
    {
        return rotation.transpose() * (x - translation) / scale;
    }

    /// First `first`, then this.
    Similarity after(const Similarity& first) const
    {
        return {scale * first.scale, rotation * first.rotation, apply(first.translation)};
    }
};

} // namespace phyxel
