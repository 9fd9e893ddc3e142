// SPDX-License-Identifier: MIT
#include <phyxel/rigid/rigid_joint.h>

#include <phyxel/geometry/rigid_motion.h>

#include <cmath>

namespace phyxel {
namespace {

/// Where the two bodies of a joint are.
template <int Dim>
struct JointPlaces {
    Pose<Dim> pose_a = {}, pose_b = {};
    Vec<Dim> center_a = Vec<Dim>::Zero(), center_b = Vec<Dim>::Zero();
    Vec<Dim> point_a, point_b; ///< where the joint is, as each of them sees it

    JointPlaces(const RigidJoint<Dim>& joint, std::span<const RigidModel<Dim>> models,
                const RigidState<Dim>& state)
    {
        pose_a = state.pose_of(models[joint.a], joint.a);
        center_a = state.position[joint.a];
        if (joint.b != RigidJoint<Dim>::world) {
            pose_b = state.pose_of(models[joint.b], joint.b);
            center_b = state.position[joint.b];
        }
        point_a = pose_a.apply(joint.at);
        point_b = pose_b.apply(joint.at);
    }

    Mat<Dim> relative() const { return pose_a.rotation * pose_b.rotation.transpose(); }
};

/// Two directions across another.
std::array<Vec<3>, 2> across(const Vec<3>& axis)
{
    int least = 0;
    for (int k = 1; k < 3; ++k)
        if (std::abs(axis[k]) < std::abs(axis[least])) least = k;
    const Vec<3> u = (Vec<3>::Unit(least) - axis[least] * axis).normalized();
    return {u, moment(axis, u)};
}

double angle_of(const Mat<2>& R) { return std::atan2(R(1, 0), R(0, 0)); }

/// Sine times axis, which is as good as the angle while a joint holds.
Vec<3> small_turn(const Mat<3>& R)
{
    return 0.5 * Vec<3>(R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1));
}

} // namespace

template <int Dim>
double joint_position(const RigidJoint<Dim>& joint, std::span<const RigidModel<Dim>> models,
                      const RigidState<Dim>& state)
{
    const JointPlaces<Dim> places(joint, models, state);
    if (joint.type == JointType::Slider)
        return (places.point_a - places.point_b).dot(places.pose_b.rotation * joint.axis);
    if constexpr (Dim == 2)
        return angle_of(places.relative());
    else {
        const Vec<3> axis = places.pose_b.rotation * joint.axis;
        const Mat<3> R = places.relative();
        const Vec<3> u = across(axis)[0];
        const Vec<3> turned_u = R * u;
        return std::atan2(axis.dot(moment(u, turned_u)), u.dot(turned_u));
    }
}

template <int Dim>
JointRows<Dim> joint_rows(const RigidJoint<Dim>& joint, std::span<const RigidModel<Dim>> models,
                          const RigidState<Dim>& state, double dt)
{
    const JointPlaces<Dim> places(joint, models, state);
    JointRows<Dim> all;
    const Vec<Dim> arm_a = places.point_a - places.center_a;
    const Vec<Dim> apart = places.point_a - places.point_b;
    const auto add_linear = [&](const Vec<Dim>& direction, const Vec<Dim>& arm_b) -> JointRow<Dim>& {
        JointRow<Dim>& row = all.rows[all.count++];
        row.linear = direction;
        row.angular_a = moment(arm_a, direction);
        row.angular_b = moment(arm_b, direction);
        row.error = direction.dot(apart);
        return row;
    };
    const auto add_angular = [&](const Angles<Dim>& direction, double error) -> JointRow<Dim>& {
        JointRow<Dim>& row = all.rows[all.count++];
        row.angular_a = direction;
        row.angular_b = direction;
        row.error = error;
        return row;
    };

    const Vec<Dim> axis = places.pose_b.rotation * joint.axis;
    const bool slides = joint.type == JointType::Slider;
    if (slides) {
        // Seen from b the joint is where a is now.
        const Vec<Dim> arm_b = places.point_a - places.center_b;
        if constexpr (Dim == 2)
            add_linear(Vec<2>(-axis[1], axis[0]), arm_b);
        else
            for (const Vec<3>& direction : across(axis)) add_linear(direction, arm_b);
    } else {
        for (int k = 0; k < Dim; ++k) add_linear(Vec<Dim>::Unit(k), places.point_b - places.center_b);
    }

    if (slides || joint.type == JointType::Fixed) {
        if constexpr (Dim == 2)
            add_angular(Angles<2>::Ones(), angle_of(places.relative()));
        else {
            const Vec<3> turn = small_turn(places.relative());
            for (int k = 0; k < 3; ++k) add_angular(Vec<3>::Unit(k), turn[k]);
        }
    } else if (joint.type == JointType::Hinge) {
        if constexpr (Dim == 3) {
            const Vec<3> tilt = moment(axis, Vec<3>(places.pose_a.rotation * joint.axis));
            for (const Vec<3>& direction : across(axis)) add_angular(direction, direction.dot(tilt));
        }
    }
    if (joint.type != JointType::Hinge && !slides) return all;

    const auto add_along = [&]() -> JointRow<Dim>& {
        if (slides) return add_linear(axis, places.point_a - places.center_b);
        if constexpr (Dim == 2)
            return add_angular(Angles<2>::Ones(), 0.0);
        else
            return add_angular(axis, 0.0);
    };
    if (joint.limits) {
        const double q = joint_position(joint, models, state);
        const auto [lower, upper] = *joint.limits;
        JointRow<Dim>& row = add_along();
        const bool is_lower = q - lower < upper - q;
        row.error = is_lower ? q - lower : q - upper;
        (is_lower ? row.lowest : row.highest) = 0.0;
    }
    if (joint.motor) {
        JointRow<Dim>& row = add_along();
        row.error = 0.0;
        row.speed = joint.motor->speed;
        row.lowest = -dt * joint.motor->strength;
        row.highest = dt * joint.motor->strength;
        row.is_motor = true;
    }
    return all;
}

template double joint_position(const RigidJoint<2>&, std::span<const RigidModel<2>>, const RigidState<2>&);
template double joint_position(const RigidJoint<3>&, std::span<const RigidModel<3>>, const RigidState<3>&);
template JointRows<2> joint_rows(const RigidJoint<2>&, std::span<const RigidModel<2>>, const RigidState<2>&,
                                 double);
template JointRows<3> joint_rows(const RigidJoint<3>&, std::span<const RigidModel<3>>, const RigidState<3>&,
                                 double);

} // namespace phyxel
