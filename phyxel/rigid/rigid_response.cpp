// SPDX-License-Identifier: MIT
#include <phyxel/rigid/rigid_response.h>

#include <phyxel/geometry/rigid_motion.h>
#include <phyxel/rigid/rigid_contact.h>

#include <cmath>

namespace phyxel {
namespace {

/// A body that was still for so long sleeps [s].
constexpr double time_to_sleep = 0.5;

/// Tangential impulses below this share of what friction allows hold.
constexpr double sticking_share = 0.95;

} // namespace

template <int Dim>
bool sleeps(const RigidState<Dim>& state, std::size_t body)
{
    return state.still_for[body] > time_to_sleep;
}

template <int Dim>
Mat<Form<Dim>::freedoms> response_of(const RigidSystem<Dim>& system, const RigidState<Dim>& state,
                                     std::size_t body)
{
    constexpr int freedoms = Form<Dim>::freedoms;
    constexpr int angles = freedoms - Dim;
    Mat<freedoms> W = Mat<freedoms>::Zero();
    if (sleeps(state, body)) return W;
    const RigidModel<Dim>& model = system.models[body];
    W.template topLeftCorner<Dim, Dim>() = Mat<Dim>::Identity() / model.mass.mass;
    W.template bottomRightCorner<angles, angles>() = in_space(model.inverse_inertia, state.rotation[body]);
    // What is held in a direction does not move in it.
    const auto hold = [&](const Vec<freedoms>& J, double scale) {
        const Vec<freedoms> moves = W * J;
        const double along = J.dot(moves);
        if (along > 1e-6 * scale) W -= moves * moves.transpose() / along;
    };
    for (std::size_t n = 0; n < state.contact_key.size(); ++n) {
        if (state.contact_key[n][0] != body || state.contact_key[n][1] < first_obstacle_key) continue;
        const Vec<Dim>& normal = state.contact_normal[n];
        const double push = normal.dot(state.contact_impulse[n]);
        if (!(push > 0.0)) continue;
        const auto hold_along = [&](const Vec<Dim>& direction) {
            hold(stacked<Dim>(direction, moment(state.contact_arm[n], direction)), 1.0 / model.mass.mass);
        };
        hold_along(normal);
        const Vec<Dim> rub = state.contact_impulse[n] - push * normal;
        if (rub.norm() > sticking_share * model.material.friction * push) continue;
        for (int k = 0; k < Dim; ++k) {
            const Vec<Dim> along = Vec<Dim>::Unit(k) - normal[k] * normal;
            if (along.norm() > 0.1) hold_along(along.normalized());
        }
    }
    for (const RigidJoint<Dim>& joint : system.joints) {
        if (joint.a != body || joint.b != RigidJoint<Dim>::world || !joint.is_there) continue;
        const JointRows<Dim> rows = joint_rows<Dim>(joint, system.models, state, 0.0);
        for (std::size_t r = 0; r < rows.count; ++r) {
            const JointRow<Dim>& row = rows.rows[r];
            if (row.is_motor || std::isfinite(row.lowest) || std::isfinite(row.highest)) continue;
            hold(stacked<Dim>(row.linear, row.angular_a),
                 row.linear.squaredNorm() / model.mass.mass +
                     row.angular_a.squaredNorm() / model.moments.maxCoeff());
        }
    }
    for (const RigidGrip<Dim>& grip : system.grips) {
        if (grip.body != body || !grip.holds) continue;
        const Vec<Dim> arm = state.pose_of(model, body).apply(grip.at) - state.position[body];
        for (int k = 0; k < Dim; ++k)
            hold(stacked<Dim>(Vec<Dim>::Unit(k), moment(arm, Vec<Dim>::Unit(k))), 1.0 / model.mass.mass);
    }
    return W;
}

template Mat<3> response_of(const RigidSystem<2>&, const RigidState<2>&, std::size_t);
template Mat<6> response_of(const RigidSystem<3>&, const RigidState<3>&, std::size_t);
template bool sleeps(const RigidState<2>&, std::size_t);
template bool sleeps(const RigidState<3>&, std::size_t);

} // namespace phyxel
