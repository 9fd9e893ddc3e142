// SPDX-License-Identifier: MIT
// Steps of rigid bodies: impacts one after the other, then contacts and joints together by projected
// Gauss–Seidel in a fixed order, which begins with the impulses of the last step. All that it remembers is in
// the state, so the same state gives the same bits.
#pragma once

#include <phyxel/core/fault.h>
#include <phyxel/geometry/surroundings.h>
#include <phyxel/rigid/rigid_contact.h>
#include <phyxel/rigid/rigid_joint.h>
#include <phyxel/rigid/rigid_model.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace phyxel {

/// The bodies of a world and what holds them together.
template <int Dim>
struct RigidSystem {
    std::vector<RigidModel<Dim>> models;
    std::vector<std::uint8_t> is_there; ///< of each of them
    std::vector<RigidJoint<Dim>> joints;
    Fault fault = Fault::None;
};

struct [[nodiscard]] RigidStepReport {
    std::size_t contacts = 0;         ///< that carried something
    double largest_penetration = 0.0; ///< over the size of the smaller body
    double max_speed = 0.0;           ///< [m/s]
    std::optional<std::size_t> lost;  ///< a body that is no longer anywhere
};

/// What an impulse and an angular impulse on the body, one above the other, change its velocities by, if
/// walls that it rests on and joints with the world hold it as they did in the last step.
template <int Dim>
Mat<Form<Dim>::freedoms> response_of(const RigidSystem<Dim>& system, const RigidState<Dim>& state,
                                     std::size_t body);

/// Whether it has been still for so long that it is left alone until something touches it.
template <int Dim>
bool sleeps(const RigidState<Dim>& state, std::size_t body);

template <int Dim>
class RigidSolver {
public:
    /// Longest step with which stacks stand [s].
    static constexpr double longest_step = 1.0 / 240.0;

    /// `impulses` on each body [N s], [N m s], spread over the step; may be empty.
    RigidStepReport step(const RigidSystem<Dim>& system, RigidState<Dim>& state,
                         std::span<const ObstacleLoad<Dim>> impulses, double dt,
                         const Surroundings<Dim>& surroundings);

    /// Of the last step, on each obstacle that is none of the bodies.
    std::span<const ObstacleLoad<Dim>> loads() const { return loads_; }
    /// Of all contacts, joints and other bodies, on each body.
    std::span<const ObstacleLoad<Dim>> forces() const { return forces_; }
    /// By all that a joint does to its first body.
    std::span<const ObstacleLoad<Dim>> joint_forces() const { return joint_forces_; }

private:
    /// A contact while it is solved.
    struct Touch {
        RigidContact<Dim> contact;
        Vec<Dim> arm_a = Vec<Dim>::Zero(), arm_b = Vec<Dim>::Zero();         ///< when the step began [m]
        Vec<Dim> arm_a_now = Vec<Dim>::Zero(), arm_b_now = Vec<Dim>::Zero(); ///< [m]
        double gap = 0.0;                                                    ///< [m]
        double normal_mass = 0.0;                                            ///< [kg]
        double tangent_mass = 0.0;                                           ///< [kg]
        double push = 0.0;               ///< impulse along the normal [N s]
        Vec<Dim> rub = Vec<Dim>::Zero(); ///< impulse along the surface [N s]
        Vec<Dim> all = Vec<Dim>::Zero(); ///< impulse of the whole step, impacts too [N s]
    };
    void prepare(const RigidSystem<Dim>& system, RigidState<Dim>& state,
                 std::span<const ObstacleLoad<Dim>> impulses, double dt,
                 const Surroundings<Dim>& surroundings);
    void find_sleepers(const RigidSystem<Dim>& system, const RigidState<Dim>& state,
                       std::span<const ObstacleLoad<Dim>> impulses);
    void place_touches(const RigidSystem<Dim>& system, const RigidState<Dim>& state, double since);
    void collide(RigidState<Dim>& state, double h, double gravity);
    void begin_with_last_impulses(RigidState<Dim>& state);
    void solve(const RigidSystem<Dim>& system, RigidState<Dim>& state, double h, bool with_error, int most);
    void solve_joints(const RigidSystem<Dim>& system, RigidState<Dim>& state, double h, bool with_error);
    void solve_contacts(RigidState<Dim>& state, double h, bool with_error, bool is_forwards);
    void apply(RigidState<Dim>& state, Index body, const Vec<Dim>& impulse, const Angles<Dim>& turn);
    void push_apart(RigidState<Dim>& state, const Touch& touch, const Vec<Dim>& push, const Vec<Dim>& rub);
    Vec<Dim> relative_velocity(const RigidState<Dim>& state, const Touch& touch) const;
    double inverse_mass_along(const Touch& touch, const Vec<Dim>& direction) const;
    void remember(RigidState<Dim>& state, double dt, const Surroundings<Dim>& surroundings);

    /// Of impulses while they are sought.
    struct Change {
        double largest = 0.0; ///< [N s] or [N m s]
        double of = 0.0;      ///< the largest impulse

        void add(double change, double impulse)
        {
            largest = std::max(largest, std::abs(change));
            of = std::max(of, std::abs(impulse));
        }
    };
    Change change_;

    RigidContactSearch<Dim> search_;
    std::vector<RigidContact<Dim>> contacts_;
    std::vector<Touch> touches_;
    std::vector<JointRows<Dim>> joint_rows_;
    std::vector<std::uint8_t> is_awake_;
    std::vector<std::uint8_t> is_free_; ///< touches nothing and has no joint
    std::vector<double> inverse_mass_;
    std::vector<Inertia<Dim>> inverse_inertia_;
    std::vector<Angles<Dim>> angular_velocity_;
    std::vector<Vec<Dim>> first_position_;
    std::vector<Mat<Dim>> first_rotation_;
    std::vector<ObstacleLoad<Dim>> loads_, forces_, joint_forces_;
    double rub_turns_ = 1.0; ///< share of friction that turns bodies: all of it, but for a fault
    double returned_ = 1.0;  ///< share of a push that the second body gets, likewise
};

extern template class RigidSolver<2>;
extern template class RigidSolver<3>;

} // namespace phyxel
