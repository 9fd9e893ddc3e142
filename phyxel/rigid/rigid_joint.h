// SPDX-License-Identifier: MIT
// What holds two rigid bodies together, or one to the world: a hinge, a ball joint, a slider or a weld, with
// limits and motors.
#pragma once

#include <phyxel/rigid/rigid_model.h>

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>

namespace phyxel {

enum class JointType {
    Hinge,  ///< turns about an axis through a point; in 2D about the point
    Ball,   ///< turns about a point
    Slider, ///< moves along an axis without turning
    Fixed,  ///< neither moves nor turns
};

/// Drives a hinge or a slider.
struct JointMotor {
    double speed = 0.0;    ///< of the first body against the second [rad/s] or [m/s]
    double strength = 0.0; ///< the largest torque [N m] or force [N]

    friend bool operator==(const JointMotor&, const JointMotor&) = default;
};

template <int Dim>
struct RigidJoint {
    static constexpr Index world = std::numeric_limits<Index>::max();

    std::string name = {};
    JointType type = JointType::Hinge;
    Index a = 0;
    Index b = world;
    Vec<Dim> at = Vec<Dim>::Zero();                   ///< of both bodies at rest [m]
    Vec<Dim> axis = Vec<Dim>::Unit(Dim - 1);          ///< at rest, of length 1; none of a hinge in 2D
    std::optional<std::array<double, 2>> limits = {}; ///< of the angle [rad] or the way [m] since rest
    std::optional<JointMotor> motor = {};
    bool is_there = true;
};

/// One thing that a joint forbids: linear·(v_a − v_b) + angular_a·ω_a − angular_b·ω_b is to be `speed`.
template <int Dim>
struct JointRow {
    Vec<Dim> linear = Vec<Dim>::Zero();
    Angles<Dim> angular_a = Angles<Dim>::Zero();
    Angles<Dim> angular_b = Angles<Dim>::Zero();
    double error = 0.0;                                       ///< how far it is off [m] or [rad]
    double speed = 0.0;                                       ///< [m/s] or [rad/s]
    double lowest = -std::numeric_limits<double>::infinity(); ///< impulse [N s] or [N m s]
    double highest = std::numeric_limits<double>::infinity();
    bool is_motor = false; ///< has no error to make good
};

inline constexpr std::size_t most_joint_rows = 8;
template <int Dim>
struct JointRows {
    std::array<JointRow<Dim>, most_joint_rows> rows = {};
    std::size_t count = 0;
};

/// For a step of `dt` [s], always in the same order. A limit is always there, and does nothing while it is
/// not reached.
template <int Dim>
JointRows<Dim> joint_rows(const RigidJoint<Dim>& joint, std::span<const RigidModel<Dim>> models,
                          const RigidState<Dim>& state, double dt);

/// The angle [rad] or way [m] since rest, of the first body against the second.
template <int Dim>
double joint_position(const RigidJoint<Dim>& joint, std::span<const RigidModel<Dim>> models,
                      const RigidState<Dim>& state);

} // namespace phyxel
