// SPDX-License-Identifier: MIT
// Rotations by vectors, and where something is after it has moved as a rigid body for a while.
#pragma once

#include <phyxel/geometry/motion.h>
#include <phyxel/geometry/pose.h>

#include <cmath>

namespace phyxel {

/// By |angle| about its direction; in 2D the only angle there is. [rad]
inline Mat<2> rotation_by(const Angles<2>& angle) { return rotation_matrix(angle); }

/// Rodrigues' formula.
inline Mat<3> rotation_by(const Angles<3>& angle)
{
    const double theta2 = angle.squaredNorm();
    const double theta = std::sqrt(theta2);
    // sin θ / θ and (1 − cos θ) / θ², by their series where the quotients would lose digits.
    const double a = theta > 1e-4 ? std::sin(theta) / theta : 1.0 - theta2 / 6.0;
    const double half = std::sin(0.5 * theta);
    const double b = theta > 1e-4 ? 2.0 * half * half / theta2 : 0.5 - theta2 / 24.0;
    Mat<3> K;
    K << 0.0, -angle[2], angle[1], angle[2], 0.0, -angle[0], -angle[1], angle[0], 0.0;
    return Mat<3>::Identity() + a * K + b * (K * K);
}

/// Turned about its centre and moved along for `dt` [s], with a velocity that stays.
template <int Dim>
Pose<Dim> advanced(const Pose<Dim>& pose, const RigidVelocity<Dim>& velocity, double dt)
{
    const Mat<Dim> turn = rotation_by(Angles<Dim>(dt * velocity.angular));
    return {turn * pose.rotation,
            turn * (pose.translation - velocity.center) + velocity.center + dt * velocity.linear};
}

/// Cross products as they are in both dimensions: of an arm and a force, and of a rotation and an arm.
inline Angles<2> moment(const Vec<2>& arm, const Vec<2>& f)
{
    return Angles<2>(arm[0] * f[1] - arm[1] * f[0]);
}
inline Angles<3> moment(const Vec<3>& arm, const Vec<3>& f)
{
    return {arm[1] * f[2] - arm[2] * f[1], arm[2] * f[0] - arm[0] * f[2], arm[0] * f[1] - arm[1] * f[0]};
}
inline Vec<2> turned(const Angles<2>& w, const Vec<2>& arm) { return {-w[0] * arm[1], w[0] * arm[0]}; }
inline Vec<3> turned(const Angles<3>& w, const Vec<3>& arm) { return moment(w, arm); }

} // namespace phyxel
