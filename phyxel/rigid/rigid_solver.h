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
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace phyxel {

/// A damped spring from a point of a body to one that moves: stiff enough and it holds the point there.
template <int Dim>
struct RigidGrip {
    Index body = 0;
    Vec<Dim> at = Vec<Dim>::Zero();                             ///< of the body at rest [m]
    Vec<Dim> from = Vec<Dim>::Zero(), to = Vec<Dim>::Zero();    ///< where it is drawn while a step lasts [m]
    double stiffness = 0.0;                                     ///< [N/m]
    double damping = 0.0;                                       ///< [N s/m]
    double strongest = std::numeric_limits<double>::infinity(); ///< force along each axis [N]
    bool holds = false; ///< so stiff that to others the point does not give way
};

/// The bodies of a world and what holds them together.
template <int Dim>
struct RigidSystem {
    std::vector<RigidModel<Dim>> models;
    std::vector<std::uint8_t> is_there; ///< of each of them
    std::vector<RigidJoint<Dim>> joints;
    std::vector<RigidGrip<Dim>> grips = {};
    Fault fault = Fault::None;

    /// Whether there is something that the joint can hold.
    bool joins(const RigidJoint<Dim>& joint) const
    {
        return joint.is_there && is_there[joint.a] != 0 &&
               (joint.b == RigidJoint<Dim>::world || is_there[joint.b] != 0);
    }
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
    /// Of all contacts, joints, grips and other bodies, on each body; means of the step.
    std::span<const ObstacleLoad<Dim>> forces() const { return forces_; }
    /// What a joint does to its first body, about where the joint is.
    std::span<const ObstacleLoad<Dim>> joint_forces() const { return joint_forces_; }
    /// After a step that was made elsewhere.
    void set_forces(std::vector<ObstacleLoad<Dim>> loads, std::vector<ObstacleLoad<Dim>> forces,
                    std::vector<ObstacleLoad<Dim>> joint_forces)
    {
        loads_ = std::move(loads);
        forces_ = std::move(forces);
        joint_forces_ = std::move(joint_forces);
    }

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
    /// A grip while it is solved.
    struct Grip {
        Vec<Dim> arm = Vec<Dim>::Zero();     ///< [m]
        Vec<Dim> wanted = Vec<Dim>::Zero();  ///< speed at which the spring is content [m/s]
        Vec<Dim> impulse = Vec<Dim>::Zero(); ///< of a part of the step [N s]
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
    void place_grips(const RigidSystem<Dim>& system, const RigidState<Dim>& state, double h, int part,
                     int parts);
    void solve_grips(const RigidSystem<Dim>& system, RigidState<Dim>& state, double h);
    void measure_sleepers(const RigidSystem<Dim>& system, const RigidState<Dim>& state, double h,
                          const Surroundings<Dim>& surroundings);
    void solve_joints(const RigidSystem<Dim>& system, RigidState<Dim>& state, double h, bool with_error);
    void solve_contacts(RigidState<Dim>& state, double h, bool with_error, bool is_forwards);
    void apply(RigidState<Dim>& state, Index body, const Vec<Dim>& arm, const Vec<Dim>& impulse);
    Vec<Dim> relative_velocity(const RigidState<Dim>& state, const Touch& touch) const;
    double inverse_mass_along(const Touch& touch, const Vec<Dim>& direction) const;
    void remember(const RigidSystem<Dim>& system, RigidState<Dim>& state, double dt,
                  const Surroundings<Dim>& surroundings);

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
    std::vector<Grip> grips_;
    std::vector<std::uint8_t> is_awake_;
    std::vector<std::uint8_t> is_free_; ///< touches nothing and has no joint
    std::vector<double> inverse_mass_;
    std::vector<Inertia<Dim>> inverse_inertia_;
    std::vector<Angles<Dim>> angular_velocity_;
    std::vector<Vec<Dim>> first_position_;
    std::vector<Mat<Dim>> first_rotation_;
    std::vector<ObstacleLoad<Dim>> loads_, forces_, joint_forces_;
};

extern template class RigidSolver<2>;
extern template class RigidSolver<3>;

} // namespace phyxel
