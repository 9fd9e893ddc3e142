// SPDX-License-Identifier: MIT
// Steps of rigid bodies: impacts one after the other, then contacts and joints together by projected
// Gauss–Seidel in a fixed order, which begins with the impulses of the last step. All that it remembers is in
// the state, so the same state gives the same bits.
#pragma once

#include <phyxel/core/disjoint_sets.h>
#include <phyxel/core/fault.h>
#include <phyxel/geometry/rigid_motion.h>
#include <phyxel/geometry/surroundings.h>
#include <phyxel/rigid/rigid_contact.h>
#include <phyxel/rigid/rigid_joint.h>
#include <phyxel/rigid/rigid_model.h>
#include <phyxel/rigid/rigid_system.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace phyxel {

struct [[nodiscard]] RigidStepReport {
    std::size_t contacts = 0;         ///< that carried something
    double largest_penetration = 0.0; ///< over the size of the smaller body
    double max_speed = 0.0;           ///< [m/s]
    std::optional<std::size_t> lost;  ///< a body that is no longer anywhere
};

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
    /// What of a body changes while impulses are sought, and what is asked for all the time.
    struct Moving {
        Vec<Dim> velocity = Vec<Dim>::Zero();                ///< [m/s]
        Angles<Dim> spin = Angles<Dim>::Zero();              ///< angular velocity [rad/s]
        Angles<Dim> angular_momentum = Angles<Dim>::Zero();  ///< [kg m²/s]
        double inverse_mass = 0.0;                           ///< 0 for what sleeps and for walls [1/kg]
        Inertia<Dim> inverse_inertia = Inertia<Dim>::Zero(); ///< [1/(kg m²)]

        [[gnu::always_inline]] void push(const Vec<Dim>& impulse, const Angles<Dim>& turn)
        {
            velocity += inverse_mass * impulse;
            angular_momentum += turn;
            spin += inverse_inertia * turn;
        }
    };
    /// The same of a contact. All walls are one body that cannot be moved, behind the others.
    struct Touch {
        Index a = 0, b = 0;
        double friction = 0.0;
        Vec<Dim> normal = Vec<Dim>::Zero();
        Vec<Dim> arm_a = Vec<Dim>::Zero(), arm_b = Vec<Dim>::Zero(); ///< as the bodies are now [m]
        Vec<Dim> wall_velocity = Vec<Dim>::Zero();                   ///< [m/s]
        Mat<Dim> response =
            Mat<Dim>::Zero();            ///< of the velocity of one against the other, to impulses [1/kg]
        double normal_mass = 0.0;        ///< [kg]
        double wanted = 0.0;             ///< least speed apart [m/s]
        double push = 0.0;               ///< impulse along the normal [N s]
        Vec<Dim> rub = Vec<Dim>::Zero(); ///< impulse along the surface [N s]

        /// Of the first against the second. Inlined, as `push`: nothing is done more often.
        [[gnu::always_inline]] Vec<Dim> velocity(const std::vector<Moving>& moving) const
        {
            const Moving& first = moving[a];
            const Moving& second = moving[b];
            return first.velocity + turned(first.spin, arm_a) - second.velocity - turned(second.spin, arm_b) -
                   wall_velocity;
        }
        Vec<Dim> impulse() const { return push * normal + rub; }
    };
    /// What else there is to know about it.
    struct TouchData {
        std::size_t contact = 0;
        Vec<Dim> arm_a = Vec<Dim>::Zero(), arm_b = Vec<Dim>::Zero(); ///< when contacts were found [m]
        double gap = 0.0;                                            ///< [m]
        Vec<Dim> all = Vec<Dim>::Zero(); ///< impulse of the whole step, impacts too [N s]
    };
    /// Bodies that are awake and act on each other, and nobody else: contacts, and numbers of joints.
    struct Island {
        std::size_t first_touch = 0, last_touch = 0;
        std::size_t first_joint = 0, last_joint = 0;
        std::size_t first_grip = 0, last_grip = 0;

        std::size_t touch_count() const { return last_touch - first_touch; }
        std::size_t joint_count() const { return last_joint - first_joint; }
    };
    /// A grip while it is solved.
    struct Grip {
        Vec<Dim> arm = Vec<Dim>::Zero();     ///< [m]
        Vec<Dim> wanted = Vec<Dim>::Zero();  ///< speed at which the spring is content [m/s]
        Vec<Dim> impulse = Vec<Dim>::Zero(); ///< of a part of the step [N s]
    };
    void prepare(const RigidSystem<Dim>& system, RigidState<Dim>& state,
                 std::span<const ObstacleLoad<Dim>> impulses);
    void find_sleepers(const RigidSystem<Dim>& system, const RigidState<Dim>& state,
                       std::span<const ObstacleLoad<Dim>> impulses);
    void place_touches(const RigidState<Dim>& state, double since, double h);
    void find_islands(const RigidSystem<Dim>& system);
    void begin_with_last_impulses(const RigidState<Dim>& state);
    void place_bodies(const RigidSystem<Dim>& system, const RigidState<Dim>& state);
    void collide(const Island& island, double h, double gravity);
    void solve(const RigidSystem<Dim>& system, RigidState<Dim>& state, double h, bool with_error);
    void solve_joints(const RigidSystem<Dim>& system, RigidState<Dim>& state, const Island& island, double h,
                      bool with_error);
    void solve_contacts(const Island& island, bool with_error, bool is_forwards);
    [[gnu::always_inline]] void apply(const Touch& touch, const Vec<Dim>& impulse)
    {
        if (fault_ != Fault::None) [[unlikely]] {
            apply_with_fault(touch, impulse);
            return;
        }
        moving_[touch.a].push(impulse, moment(touch.arm_a, impulse));
        moving_[touch.b].push(-impulse, -moment(touch.arm_b, impulse));
    }
    void apply_with_fault(const Touch& touch, const Vec<Dim>& impulse);
    void place_grips(const RigidSystem<Dim>& system, const RigidState<Dim>& state, double h, int part,
                     int parts);
    void solve_grips(const RigidSystem<Dim>& system, const Island& island, double h);
    void measure_sleepers(const RigidSystem<Dim>& system, const RigidState<Dim>& state, double h,
                          const Surroundings<Dim>& surroundings);
    void take_velocities(RigidState<Dim>& state) const;
    void remember(const RigidSystem<Dim>& system, RigidState<Dim>& state, double dt,
                  const Surroundings<Dim>& surroundings, RigidStepReport& report);

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
    Fault fault_ = Fault::None;
    std::vector<RigidContact<Dim>> contacts_;
    std::vector<Touch> touches_;  ///< island by island
    std::vector<TouchData> data_; ///< of each of them
    std::vector<Island> islands_;
    std::vector<Index> island_joints_, island_grips_;
    DisjointSets joined_;
    std::vector<Index> group_; ///< the first body that each is connected with
    std::vector<JointRows<Dim>> joint_rows_;
    std::vector<Grip> grips_;
    std::vector<std::uint8_t> is_awake_;
    std::vector<std::uint8_t> is_free_; ///< touches nothing and has no joint
    std::vector<std::uint8_t> has_joint_;
    std::vector<Moving> moving_;
    std::vector<Mat<Dim>> turn_;             ///< since contacts were found
    std::vector<std::uint8_t> has_turned_;   ///< so far that arms respond in another way
    std::vector<Index> first_known_, known_; ///< contacts of the last step, by their first bodies
    std::vector<Vec<Dim>> first_position_;
    std::vector<Mat<Dim>> first_rotation_;
    std::vector<ObstacleLoad<Dim>> loads_, forces_, joint_forces_;
};

extern template class RigidSolver<2>;
extern template class RigidSolver<3>;

} // namespace phyxel
