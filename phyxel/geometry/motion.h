// SPDX-License-Identifier: MIT
// Rigid motions that are given and not computed: an obstacle that swings, a clamp that is pulled. Velocities
// are the exact derivatives of poses, since contact sees both.
#pragma once

#include <phyxel/core/types.h>
#include <phyxel/geometry/pose.h>

#include <functional>
#include <optional>
#include <variant>
#include <vector>

namespace phyxel {

/// How far a thing has moved and turned at some time, or how fast it does.
template <int Dim>
struct Displacement {
    Vec<Dim> move = Vec<Dim>::Zero();         ///< [m] or [m/s]
    Angles<Dim> rotate = Angles<Dim>::Zero(); ///< [rad] or [rad/s]
};

template <int Dim>
struct MotionKey {
    double time = 0.0;                        ///< [s]
    Vec<Dim> move = Vec<Dim>::Zero();         ///< [m]
    Angles<Dim> rotate = Angles<Dim>::Zero(); ///< [rad]
};

enum class Interpolation {
    /// Cubic between keys, with slopes that make it monotone there [FB84]: once differentiable, at rest at
    /// the
    /// first and last key and wherever a coordinate turns back, never beyond the keys on either side.
    Smooth,
    /// Velocity jumps at keys and is there that of the interval that begins.
    Linear,
};

/// The velocity field of a rigid body: v(x) = linear + angular × (x − center).
template <int Dim>
struct RigidVelocity {
    Vec<Dim> linear = Vec<Dim>::Zero();        ///< of the centre [m/s]
    Angles<Dim> angular = Angles<Dim>::Zero(); ///< [rad/s]
    Vec<Dim> center = Vec<Dim>::Zero();        ///< where it is now [m]

    Vec<Dim> at(const Vec<Dim>& x) const
    {
        const Vec<Dim> r = x - center;
        if constexpr (Dim == 2)
            return linear + angular[0] * Vec<2>(-r[1], r[0]);
        else
            return linear + Vec<3>(angular[1] * r[2] - angular[2] * r[1],
                                   angular[2] * r[0] - angular[0] * r[2],
                                   angular[0] * r[1] - angular[1] * r[0]);
    }
};

/// x(t) = about + move(t) + R(rotate(t)) (X − about), where X is the place at rest. Angles are interpolated
/// one by one and may exceed a full turn. Before the first key and after the last nothing moves.
template <int Dim>
class Motion {
public:
    /// Stays where it is.
    Motion() = default;

    /// Throws InputError for keys that are not finite or not in order of time. One key is a fixed
    /// displacement.
    explicit Motion(std::vector<MotionKey<Dim>> keys, Interpolation interpolation = Interpolation::Smooth,
                    const Vec<Dim>& about = Vec<Dim>::Zero());

    /// From formulas that also know their derivatives.
    using Function = std::function<Displacement<Dim>(double time)>;
    Motion(Function displacement, Function rate, const Vec<Dim>& about = Vec<Dim>::Zero());

    /// From formulas alone; rates are differences over 10⁻⁴ s, of fourth order: relative to the motion's
    /// angular frequency ω their error is (10⁻⁴ s · ω)⁴ / 30 and some 10⁻¹² from rounding.
    explicit Motion(Function displacement, const Vec<Dim>& about = Vec<Dim>::Zero());

    /// The same motion of something that is at `place` at that time [s]: from then on it goes along.
    Motion continued_from(const Pose<Dim>& place, double time) const;

    Pose<Dim> pose(double time) const;
    RigidVelocity<Dim> velocity(double time) const;

    Displacement<Dim> displacement(double time) const;
    Displacement<Dim> rate(double time) const;

    bool is_fixed() const
    {
        return std::holds_alternative<Keys>(source_) && std::get<Keys>(source_).keys.empty();
    }

private:
    struct Keys {
        std::vector<MotionKey<Dim>> keys;
        std::vector<Displacement<Dim>> slopes; ///< at each key; empty if linear
    };
    struct Formulas {
        Function displacement;
        Function rate;
    };

    std::variant<Keys, Formulas> source_;
    Vec<Dim> about_ = Vec<Dim>::Zero();
    std::optional<Pose<Dim>> start_; ///< what the motion begins with, if that is not the place at rest
};

extern template class Motion<2>;
extern template class Motion<3>;

} // namespace phyxel
