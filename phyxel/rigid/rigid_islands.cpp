// SPDX-License-Identifier: MIT
// Which bodies are awake, and which of them act on each other.
#include <phyxel/rigid/rigid_response.h>
#include <phyxel/rigid/rigid_solver.h>

namespace phyxel {

/// Bodies that touch are awake or asleep together.
template <int Dim>
void RigidSolver<Dim>::find_sleepers(const RigidSystem<Dim>& system, const RigidState<Dim>& state,
                                     std::span<const ObstacleLoad<Dim>> impulses)
{
    const std::size_t count = system.models.size();
    joined_.reset(count);
    std::vector<std::uint8_t> is_awake(count, 0);
    for (std::size_t i = 0; i < count; ++i) {
        if (system.is_there[i] == 0) continue;
        const bool is_pushed = i < impulses.size() && (impulses[i].force.squaredNorm() > 0.0 ||
                                                       impulses[i].torque.squaredNorm() > 0.0);
        is_awake[i] = is_pushed || !sleeps(state, i);
    }
    for (const RigidContact<Dim>& contact : contacts_) {
        if (contact.b != RigidContact<Dim>::wall)
            joined_.join(contact.a, contact.b);
        else if (contact.wall_velocity.squaredNorm() > 0.0)
            is_awake[contact.a] = 1;
    }
    for (const RigidGrip<Dim>& grip : system.grips) is_awake[grip.body] = 1;
    for (const RigidJoint<Dim>& joint : system.joints) {
        if (!system.joins(joint)) continue;
        if (joint.motor && joint.motor->speed != 0.0) is_awake[joint.a] = 1;
        if (joint.b != RigidJoint<Dim>::world) joined_.join(joint.a, joint.b);
    }
    group_.resize(count);
    for (Index i = 0; i < count; ++i) group_[i] = joined_.find(i);
    is_awake_.assign(count, 0);
    for (std::size_t i = 0; i < count; ++i)
        if (is_awake[i] != 0) is_awake_[group_[i]] = 1;
    for (std::size_t i = 0; i < count; ++i)
        is_awake_[i] = system.is_there[i] != 0 && is_awake_[group_[i]] != 0;
}

/// Those that touch or are joined, as `find_sleepers` found them. Contacts and joints of an island follow
/// each other in the order in which they were found.
template <int Dim>
void RigidSolver<Dim>::find_islands(const RigidSystem<Dim>& system)
{
    const std::size_t count = system.models.size();
    std::vector<std::size_t> touches(count, 0), joints(count, 0), grips(count, 0);
    for (const RigidContact<Dim>& contact : contacts_)
        if (is_awake_[contact.a] != 0) ++touches[group_[contact.a]];
    for (const RigidJoint<Dim>& joint : system.joints)
        if (is_awake_[joint.a] != 0) ++joints[group_[joint.a]];
    for (const RigidGrip<Dim>& grip : system.grips)
        if (is_awake_[grip.body] != 0) ++grips[group_[grip.body]];
    islands_.clear();
    Island last;
    for (std::size_t i = 0; i < count; ++i) {
        if (touches[i] + joints[i] + grips[i] == 0) continue;
        last = {last.last_touch, last.last_touch + touches[i], last.last_joint, last.last_joint + joints[i],
                last.last_grip,  last.last_grip + grips[i]};
        islands_.push_back(last);
        touches[i] = last.first_touch; // where the next one goes
        joints[i] = last.first_joint;
        grips[i] = last.first_grip;
    }
    data_.assign(last.last_touch, {});
    for (std::size_t n = 0; n < contacts_.size(); ++n)
        if (is_awake_[contacts_[n].a] != 0) data_[touches[group_[contacts_[n].a]]++].contact = n;
    island_joints_.resize(last.last_joint);
    for (std::size_t j = 0; j < system.joints.size(); ++j)
        if (is_awake_[system.joints[j].a] != 0)
            island_joints_[joints[group_[system.joints[j].a]]++] = static_cast<Index>(j);
    island_grips_.resize(last.last_grip);
    for (std::size_t n = 0; n < system.grips.size(); ++n)
        if (is_awake_[system.grips[n].body] != 0)
            island_grips_[grips[group_[system.grips[n].body]]++] = static_cast<Index>(n);
}

template class RigidSolver<2>;
template class RigidSolver<3>;

} // namespace phyxel
