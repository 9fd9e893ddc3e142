// SPDX-License-Identifier: MIT
#include <phyxel/rigid/rigid_solver.h>

#include <phyxel/geometry/rigid_motion.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace phyxel {
namespace {

/// Contacts are found once in a step and solved in parts that are no longer than this [s].
constexpr double longest_part = 1.0 / 960.0;
/// Impulses are sought until none of them changes by more than this share of the largest, but no longer than
/// so many times.
constexpr double impulse_tolerance = 1e-3;
constexpr int most_iterations = 60;
constexpr int most_relaxations = 20;

/// Share of depths and of errors of joints that is made good in a time [1/s]: slowly, as what is pushed out
/// of one body is pushed into the next. Depths no faster than so many sizes of the body in a second.
constexpr double contact_mending = 20.0;
constexpr double joint_mending = 60.0;
constexpr double mending_speed = 4.0;

/// Impacts are made one after the other until none is left, or so many times.
constexpr int most_collisions = 64;
/// What falls in so many parts of a step comes to rest, whatever its restitution.
constexpr double resting_parts = 4.0;

/// A body sleeps when it was slower for so long [s] than this share of what it would have fallen by its own
/// size.
constexpr double time_to_sleep = 0.5;
constexpr double still_share = 0.01;

/// What a row of a joint does to its first body, about where the joint is: there forces have no arm.
template <int Dim>
void add_row(const JointRow<Dim>& row, double force, ObstacleLoad<Dim>& load)
{
    load.force += force * row.linear;
    if (row.linear.squaredNorm() == 0.0) load.torque += force * row.angular_a;
}

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

template <int Dim>
void RigidSolver<Dim>::apply(RigidState<Dim>& state, Index body, const Vec<Dim>& arm, const Vec<Dim>& impulse)
{
    if (!(inverse_mass_[body] > 0.0)) return;
    state.velocity[body] += inverse_mass_[body] * impulse;
    const Angles<Dim> turn = moment(arm, impulse);
    state.angular_momentum[body] += turn;
    angular_velocity_[body] += inverse_inertia_[body] * turn;
}

template <int Dim>
Vec<Dim> RigidSolver<Dim>::relative_velocity(const RigidState<Dim>& state, const Touch& touch) const
{
    const RigidContact<Dim>& contact = touch.contact;
    Vec<Dim> v = state.velocity[contact.a] + turned(angular_velocity_[contact.a], touch.arm_a_now);
    if (contact.b == RigidContact<Dim>::wall)
        v -= contact.wall_velocity;
    else
        v -= state.velocity[contact.b] + turned(angular_velocity_[contact.b], touch.arm_b_now);
    return v;
}

template <int Dim>
double RigidSolver<Dim>::inverse_mass_along(const Touch& touch, const Vec<Dim>& direction) const
{
    const auto of = [&](Index body, const Vec<Dim>& arm) {
        const Angles<Dim> turn = moment(arm, direction);
        return inverse_mass_[body] + turn.dot(inverse_inertia_[body] * turn);
    };
    double sum = of(touch.contact.a, touch.arm_a_now);
    if (touch.contact.b != RigidContact<Dim>::wall) sum += of(touch.contact.b, touch.arm_b_now);
    return sum;
}

/// Bodies that touch are awake or asleep together.
template <int Dim>
void RigidSolver<Dim>::find_sleepers(const RigidSystem<Dim>& system, const RigidState<Dim>& state,
                                     std::span<const ObstacleLoad<Dim>> impulses)
{
    const std::size_t count = system.models.size();
    std::vector<Index> group(count);
    std::iota(group.begin(), group.end(), Index(0));
    const auto root_of = [&](Index i) {
        while (group[i] != i) i = group[i] = group[group[i]];
        return i;
    };
    const auto join = [&](Index i, Index j) {
        const Index a = root_of(i);
        const Index b = root_of(j);
        group[std::max(a, b)] = std::min(a, b);
    };
    std::vector<std::uint8_t> is_awake(count, 0);
    for (std::size_t i = 0; i < count; ++i) {
        if (system.is_there[i] == 0) continue;
        const bool is_pushed = i < impulses.size() && (impulses[i].force.squaredNorm() > 0.0 ||
                                                       impulses[i].torque.squaredNorm() > 0.0);
        is_awake[i] = is_pushed || !sleeps(state, i);
    }
    for (const RigidContact<Dim>& contact : contacts_) {
        if (contact.b != RigidContact<Dim>::wall)
            join(contact.a, contact.b);
        else if (contact.wall_velocity.squaredNorm() > 0.0)
            is_awake[contact.a] = 1;
    }
    for (const RigidGrip<Dim>& grip : system.grips) is_awake[grip.body] = 1;
    for (const RigidJoint<Dim>& joint : system.joints) {
        if (!system.joins(joint)) continue;
        if (joint.motor && joint.motor->speed != 0.0) is_awake[joint.a] = 1;
        if (joint.b != RigidJoint<Dim>::world) join(joint.a, joint.b);
    }
    is_awake_.assign(count, 0);
    for (std::size_t i = 0; i < count; ++i)
        if (is_awake[i] != 0) is_awake_[root_of(static_cast<Index>(i))] = 1;
    for (std::size_t i = 0; i < count; ++i)
        is_awake_[i] = system.is_there[i] != 0 && is_awake_[root_of(static_cast<Index>(i))] != 0;
}

template <int Dim>
void RigidSolver<Dim>::prepare(const RigidSystem<Dim>& system, RigidState<Dim>& state,
                               std::span<const ObstacleLoad<Dim>> impulses, double dt,
                               const Surroundings<Dim>& surroundings)
{
    IgnoredPairs ignored;
    for (const RigidJoint<Dim>& joint : system.joints)
        if (joint.b != RigidJoint<Dim>::world && joint.is_there)
            ignored.emplace_back(std::minmax(joint.a, joint.b));
    // Gravity makes them faster on the way.
    search_.find(system.models, state, system.is_there, ignored, dt, surroundings, contacts_);
    find_sleepers(system, state, impulses);

    const std::size_t count = system.models.size();
    inverse_mass_.assign(count, 0.0);
    inverse_inertia_.assign(count, Inertia<Dim>::Zero());
    angular_velocity_.assign(count, Angles<Dim>::Zero());
    is_free_.assign(count, 1);
    first_position_ = state.position;
    first_rotation_ = state.rotation;
    for (std::size_t i = 0; i < count; ++i) {
        if (is_awake_[i] == 0) continue;
        inverse_mass_[i] = 1.0 / system.models[i].mass.mass;
    }

    touches_.clear();
    for (const RigidContact<Dim>& contact : contacts_) {
        const bool is_pair = contact.b != RigidContact<Dim>::wall;
        if (is_awake_[contact.a] == 0) continue;
        is_free_[contact.a] = 0;
        if (is_pair) is_free_[contact.b] = 0;
        Touch touch;
        touch.contact = contact;
        touch.arm_a = contact.place - state.position[contact.a];
        touch.arm_b =
            is_pair ? Vec<Dim>(contact.place - state.position[contact.b]) : Vec<Dim>(Vec<Dim>::Zero());
        touches_.push_back(touch);
    }
    for (const RigidGrip<Dim>& grip : system.grips) is_free_[grip.body] = 0;
    for (const RigidJoint<Dim>& joint : system.joints) {
        if (!system.joins(joint)) continue;
        is_free_[joint.a] = 0;
        if (joint.b != RigidJoint<Dim>::world) is_free_[joint.b] = 0;
    }
    joint_rows_.resize(system.joints.size());
    state.joint_impulse.resize(system.joints.size(), Vec<8>::Zero());
    loads_.assign(surroundings.obstacles.size(), {});
    forces_.assign(count, {});
    joint_forces_.assign(system.joints.size(), {});
}

/// Warm start: contacts of the last step with the same key.
template <int Dim>
void RigidSolver<Dim>::begin_with_last_impulses(RigidState<Dim>& state)
{
    std::map<std::array<std::uint64_t, 3>, std::size_t> known;
    for (std::size_t n = 0; n < state.contact_key.size(); ++n) known.emplace(state.contact_key[n], n);
    for (Touch& touch : touches_) {
        const auto found = known.find(touch.contact.key);
        if (found == known.end()) continue;
        const Vec<Dim>& normal = state.contact_normal[found->second];
        const double push = state.contact_impulse[found->second].dot(normal);
        touch.push = std::max(0.0, push);
        touch.rub = state.contact_impulse[found->second] - push * normal;
        touch.rub -= touch.contact.normal.dot(touch.rub) * touch.contact.normal;
        if (!(touch.contact.friction > 0.0)) touch.rub.setZero(); // it may have had some in the last step
    }
}

/// Arms and gaps as the bodies are `since` [s] after the step began.
template <int Dim>
void RigidSolver<Dim>::place_touches(const RigidSystem<Dim>& system, const RigidState<Dim>& state,
                                     double since)
{
    for (std::size_t i = 0; i < system.models.size(); ++i) {
        if (is_awake_[i] == 0) continue;
        inverse_inertia_[i] = in_space(system.models[i].inverse_inertia, state.rotation[i]);
        angular_velocity_[i] = inverse_inertia_[i] * state.angular_momentum[i];
    }
    for (Touch& touch : touches_) {
        const RigidContact<Dim>& contact = touch.contact;
        const auto arm_now = [&](Index i, const Vec<Dim>& arm) {
            return Vec<Dim>(state.rotation[i] * (first_rotation_[i].transpose() * arm));
        };
        touch.arm_a_now = arm_now(contact.a, touch.arm_a);
        Vec<Dim> moved =
            state.position[contact.a] - first_position_[contact.a] + touch.arm_a_now - touch.arm_a;
        if (contact.b == RigidContact<Dim>::wall) {
            moved -= since * contact.wall_velocity;
        } else {
            touch.arm_b_now = arm_now(contact.b, touch.arm_b);
            moved -= state.position[contact.b] - first_position_[contact.b] + touch.arm_b_now - touch.arm_b;
        }
        touch.gap = contact.gap + contact.normal.dot(moved);
        touch.normal_mass = 1.0 / inverse_mass_along(touch, contact.normal);
    }
}

/// Impacts that happen within `h` [s], one pair after the other, as they would happen if they were not quite
/// at the same time: so a cradle sends on as many balls as came. Before gravity acts, as in [GBF03], so that
/// what rests does not bounce.
template <int Dim>
void RigidSolver<Dim>::collide(RigidState<Dim>& state, double h, double gravity)
{
    for (int n = 0; n < most_collisions; ++n) {
        bool is_any = false;
        for (Touch& touch : touches_) {
            const RigidContact<Dim>& contact = touch.contact;
            if (!(contact.restitution > 0.0)) continue;
            const Vec<Dim> v = relative_velocity(state, touch);
            const double towards = -v.dot(contact.normal);
            if (!(towards > resting_parts * gravity * h) || !(touch.gap < towards * h)) continue;
            // What is left of many collisions is less than anything.
            if (!(towards > 1e-12 * (1.0 + state.velocity[contact.a].norm()))) continue;
            is_any = true;
            const double push = (1.0 + contact.restitution) * towards * touch.normal_mass;
            Vec<Dim> impulse = push * contact.normal;
            const Vec<Dim> slides = v + towards * contact.normal;
            const double speed = slides.norm();
            if (speed > 0.0 && contact.friction > 0.0) {
                const double stops = speed / inverse_mass_along(touch, slides / speed);
                impulse -= std::min(stops, contact.friction * push) / speed * slides;
            }
            apply(state, contact.a, touch.arm_a_now, impulse);
            if (contact.b != RigidContact<Dim>::wall) apply(state, contact.b, touch.arm_b_now, -impulse);
            touch.all += impulse;
        }
        if (!is_any) return;
    }
}

/// Forwards and backwards by turns: what is on top of a stack is at one end and the floor at the other.
template <int Dim>
void RigidSolver<Dim>::solve(const RigidSystem<Dim>& system, RigidState<Dim>& state, double h,
                             bool with_error, int most)
{
    constexpr int fewest = 2;
    for (int n = 0; n < most; ++n) {
        change_ = {};
        solve_grips(system, state, h);
        solve_joints(system, state, h, with_error);
        solve_contacts(state, h, with_error, n % 2 == 0);
        if (n + 1 >= fewest && change_.largest <= impulse_tolerance * change_.of) return;
    }
}

/// The force of a spring at the end of a part of the step, −k (e + h (v − w)) − c (v − w) with the distance e
/// now and the speed w of the hand, is stable however stiff it is.
template <int Dim>
void RigidSolver<Dim>::place_grips(const RigidSystem<Dim>& system, const RigidState<Dim>& state, double h,
                                   int part, int parts)
{
    grips_.resize(system.grips.size());
    for (std::size_t n = 0; n < grips_.size(); ++n) {
        const RigidGrip<Dim>& grip = system.grips[n];
        const Vec<Dim> point = state.pose_of(system.models[grip.body], grip.body).apply(grip.at);
        const Vec<Dim> target = grip.from + static_cast<double>(part) / parts * (grip.to - grip.from);
        grips_[n].arm = point - state.position[grip.body];
        grips_[n].wanted = (grip.to - grip.from) / (parts * h) -
                           grip.stiffness / (h * grip.stiffness + grip.damping) * (point - target);
        grips_[n].impulse.setZero();
    }
}

template <int Dim>
void RigidSolver<Dim>::solve_grips(const RigidSystem<Dim>& system, RigidState<Dim>& state, double h)
{
    for (std::size_t n = 0; n < grips_.size(); ++n) {
        const RigidGrip<Dim>& grip = system.grips[n];
        if (is_awake_[grip.body] == 0) continue;
        Grip& now = grips_[n];
        const double softness = 1.0 / (h * (h * grip.stiffness + grip.damping));
        for (int k = 0; k < Dim; ++k) {
            const Vec<Dim> axis = Vec<Dim>::Unit(k);
            const Angles<Dim> turn = moment(now.arm, axis);
            const double inverse =
                inverse_mass_[grip.body] + turn.dot(inverse_inertia_[grip.body] * turn) + softness;
            const double speed = state.velocity[grip.body][k] + turn.dot(angular_velocity_[grip.body]);
            const double most = h * grip.strongest;
            const double after = std::clamp(
                now.impulse[k] + (now.wanted[k] - speed - softness * now.impulse[k]) / inverse, -most, most);
            const double change = after - now.impulse[k];
            now.impulse[k] = after;
            change_.add(change, after);
            apply(state, grip.body, now.arm, change * axis);
        }
    }
}

template <int Dim>
void RigidSolver<Dim>::solve_joints(const RigidSystem<Dim>& system, RigidState<Dim>& state, double h,
                                    bool with_error)
{
    for (std::size_t j = 0; j < system.joints.size(); ++j) {
        const RigidJoint<Dim>& joint = system.joints[j];
        const bool is_pair = joint.b != RigidJoint<Dim>::world;
        for (std::size_t r = 0; r < joint_rows_[j].count; ++r) {
            const JointRow<Dim>& row = joint_rows_[j].rows[r];
            double speed =
                row.linear.dot(state.velocity[joint.a]) + row.angular_a.dot(angular_velocity_[joint.a]);
            double inverse = inverse_mass_[joint.a] * row.linear.squaredNorm() +
                             row.angular_a.dot(inverse_inertia_[joint.a] * row.angular_a);
            if (is_pair) {
                speed -=
                    row.linear.dot(state.velocity[joint.b]) + row.angular_b.dot(angular_velocity_[joint.b]);
                inverse += inverse_mass_[joint.b] * row.linear.squaredNorm() +
                           row.angular_b.dot(inverse_inertia_[joint.b] * row.angular_b);
            }
            if (!(inverse > 0.0)) continue;
            double wanted = row.speed;
            const bool is_lower = row.lowest == 0.0;
            const bool is_upper = row.highest == 0.0;
            const bool is_open = (is_lower && row.error > 0.0) || (is_upper && row.error < 0.0);
            if (is_open) {
                wanted -= row.error / h; // it may come as near as that
            } else if (with_error && !row.is_motor) {
                wanted -= joint_mending * row.error;
            }
            double& sum = state.joint_impulse[j][static_cast<Eigen::Index>(r)];
            const double after = std::clamp(sum + (wanted - speed) / inverse, row.lowest, row.highest);
            const double impulse = after - sum;
            sum = after;
            change_.add(impulse, after);
            const auto push = [&](Index body, double sign, const Angles<Dim>& angular) {
                if (!(inverse_mass_[body] > 0.0)) return;
                state.velocity[body] += sign * impulse * inverse_mass_[body] * row.linear;
                state.angular_momentum[body] += sign * impulse * angular;
                angular_velocity_[body] += sign * impulse * (inverse_inertia_[body] * angular);
            };
            push(joint.a, 1.0, row.angular_a);
            if (is_pair) push(joint.b, -1.0, row.angular_b);
        }
    }
}

template <int Dim>
void RigidSolver<Dim>::solve_contacts(RigidState<Dim>& state, double h, bool with_error, bool is_forwards)
{
    for (std::size_t n = 0; n < touches_.size(); ++n) {
        Touch& touch = touches_[is_forwards ? n : touches_.size() - 1 - n];
        const RigidContact<Dim>& contact = touch.contact;
        const auto give = [&](const Vec<Dim>& impulse) {
            apply(state, contact.a, touch.arm_a_now, impulse);
            if (contact.b != RigidContact<Dim>::wall) apply(state, contact.b, touch.arm_b_now, -impulse);
        };
        if (contact.friction > 0.0 && touch.push > 0.0) {
            Vec<Dim> slides = relative_velocity(state, touch);
            slides -= slides.dot(contact.normal) * contact.normal;
            const double speed = slides.norm();
            if (speed > 0.0) {
                Vec<Dim> after = touch.rub - slides / inverse_mass_along(touch, slides / speed);
                const double most = contact.friction * touch.push;
                const double size = after.norm();
                if (size > most) after *= most / size;
                give(after - touch.rub);
                touch.rub = after;
            }
        }
        const double speed = relative_velocity(state, touch).dot(contact.normal);
        double wanted = 0.0;
        if (touch.gap > 0.0)
            wanted = -touch.gap / h;
        else if (with_error)
            wanted = std::min(-contact_mending * touch.gap, mending_speed * touch.arm_a.norm());
        const double after = std::max(0.0, touch.push + (wanted - speed) * touch.normal_mass);
        give((after - touch.push) * contact.normal);
        change_.add(after - touch.push, after);
        touch.push = after;
    }
}

/// What sleeps is held as it was when it fell asleep.
template <int Dim>
void RigidSolver<Dim>::measure_sleepers(const RigidSystem<Dim>& system, const RigidState<Dim>& state,
                                        double h, const Surroundings<Dim>& surroundings)
{
    const auto is_asleep = [&](Index i) { return system.is_there[i] != 0 && is_awake_[i] == 0; };
    for (std::size_t i = 0; i < state.size(); ++i)
        if (is_asleep(static_cast<Index>(i)))
            forces_[i].force -= system.models[i].mass.mass * surroundings.gravity_at(state.position[i]);
    for (std::size_t n = 0; n < state.contact_key.size(); ++n) {
        const auto body = static_cast<Index>(state.contact_key[n][0]);
        const std::uint64_t wall = state.contact_key[n][1];
        if (!is_asleep(body) || wall < first_obstacle_key || wall >= first_side_key) continue;
        const auto number = static_cast<std::size_t>(wall - first_obstacle_key);
        if (number < loads_.size())
            loads_[number].add(surroundings.obstacles[number], state.position[body] + state.contact_arm[n],
                               -state.contact_impulse[n] / h);
    }
    for (std::size_t j = 0; j < system.joints.size(); ++j) {
        const RigidJoint<Dim>& joint = system.joints[j];
        if (!system.joins(joint) || !is_asleep(joint.a)) continue;
        const JointRows<Dim> rows = joint_rows<Dim>(joint, system.models, state, h);
        for (std::size_t r = 0; r < rows.count; ++r)
            add_row(rows.rows[r], state.joint_impulse[j][static_cast<Eigen::Index>(r)] / h, joint_forces_[j]);
    }
}

template <int Dim>
void RigidSolver<Dim>::remember(const RigidSystem<Dim>& system, RigidState<Dim>& state, double dt,
                                const Surroundings<Dim>& surroundings)
{
    // Those of bodies that sleep stay as they were.
    std::vector<std::size_t> kept;
    for (std::size_t n = 0; n < state.contact_key.size(); ++n)
        if (const std::uint64_t body = state.contact_key[n][0];
            body < is_awake_.size() && is_awake_[body] == 0 && system.is_there[body] != 0)
            kept.push_back(n);
    const auto take = [&](auto& values) {
        std::size_t count = 0;
        for (const std::size_t n : kept) values[count++] = values[n];
        values.resize(count);
    };
    take(state.contact_key);
    take(state.contact_normal);
    take(state.contact_arm);
    take(state.contact_impulse);
    for (const Touch& touch : touches_) {
        const RigidContact<Dim>& contact = touch.contact;
        if (touch.push > 0.0) {
            state.contact_key.push_back(contact.key);
            state.contact_normal.push_back(contact.normal);
            state.contact_arm.push_back(touch.arm_a_now);
            state.contact_impulse.push_back(touch.push * contact.normal + touch.rub);
        }
        const Vec<Dim> force = touch.all / dt;
        forces_[contact.a].force += force;
        forces_[contact.a].torque += moment(touch.arm_a_now, force);
        if (contact.b != RigidContact<Dim>::wall) {
            forces_[contact.b].force -= force;
            forces_[contact.b].torque -= moment(touch.arm_b_now, force);
        } else if (contact.obstacle >= 0) {
            const auto number = static_cast<std::size_t>(contact.obstacle);
            loads_[number].add(surroundings.obstacles[number], contact.place, -force);
        }
    }
}

template <int Dim>
RigidStepReport RigidSolver<Dim>::step(const RigidSystem<Dim>& system, RigidState<Dim>& state,
                                       std::span<const ObstacleLoad<Dim>> impulses, double dt,
                                       const Surroundings<Dim>& surroundings)
{
    prepare(system, state, impulses, dt, surroundings);
    const int parts = std::max(1, static_cast<int>(std::ceil(dt / longest_part - 1e-9)));
    const double h = dt / parts;
    const double gravity = surroundings.gravity.norm();
    begin_with_last_impulses(state);
    // Impulses of steps of another length are another part of the weight: they are stored for one part, whose
    // length hardly changes.
    for (int part = 0; part < parts; ++part) {
        place_touches(system, state, part * h);
        place_grips(system, state, h, part, parts);
        collide(state, h, gravity);
        for (std::size_t i = 0; i < state.size(); ++i) {
            if (is_awake_[i] == 0) continue;
            state.velocity[i] += h * surroundings.gravity_at(state.position[i]);
            if (i >= impulses.size()) continue;
            state.velocity[i] += inverse_mass_[i] / parts * impulses[i].force;
            const Angles<Dim> turn = impulses[i].torque / parts;
            state.angular_momentum[i] += turn;
            angular_velocity_[i] += inverse_inertia_[i] * turn;
        }
        for (std::size_t j = 0; j < system.joints.size(); ++j) {
            const RigidJoint<Dim>& joint = system.joints[j];
            joint_rows_[j] = {};
            if (!system.joins(joint) || is_awake_[joint.a] == 0) continue;
            joint_rows_[j] = joint_rows<Dim>(joint, system.models, state, h);
            for (std::size_t r = 0; r < joint_rows_[j].count; ++r) {
                const JointRow<Dim>& row = joint_rows_[j].rows[r];
                double& impulse = state.joint_impulse[j][static_cast<Eigen::Index>(r)];
                impulse = std::clamp(impulse, row.lowest, row.highest);
                const auto push = [&](Index body, double sign, const Angles<Dim>& angular) {
                    state.velocity[body] += sign * impulse * inverse_mass_[body] * row.linear;
                    state.angular_momentum[body] += sign * impulse * angular;
                    angular_velocity_[body] += sign * impulse * (inverse_inertia_[body] * angular);
                };
                push(joint.a, 1.0, row.angular_a);
                if (joint.b != RigidJoint<Dim>::world) push(joint.b, -1.0, row.angular_b);
            }
        }
        for (const Touch& touch : touches_) {
            const Vec<Dim> impulse = touch.push * touch.contact.normal + touch.rub;
            apply(state, touch.contact.a, touch.arm_a_now, impulse);
            if (touch.contact.b != RigidContact<Dim>::wall)
                apply(state, touch.contact.b, touch.arm_b_now, -impulse);
        }
        solve(system, state, h, true, most_iterations);
        for (std::size_t i = 0; i < state.size(); ++i) {
            if (is_awake_[i] == 0) continue;
            state.position[i] += h * state.velocity[i];
            // What nothing touches falls along its parabola.
            if (is_free_[i] != 0)
                state.position[i] -= 0.5 * h * h * surroundings.gravity_at(state.position[i]);
            turn_freely(system.models[i], state, i, h);
        }
        // Without what was to mend errors, which is no motion of the bodies.
        solve(system, state, h, false, most_relaxations);
        for (Touch& touch : touches_) touch.all += touch.push * touch.contact.normal + touch.rub;
        for (std::size_t j = 0; j < system.joints.size(); ++j)
            for (std::size_t r = 0; r < joint_rows_[j].count; ++r) {
                const RigidJoint<Dim>& joint = system.joints[j];
                const JointRow<Dim>& row = joint_rows_[j].rows[r];
                const double force = state.joint_impulse[j][static_cast<Eigen::Index>(r)] / dt;
                add_row(row, force, joint_forces_[j]);
                forces_[joint.a].force += force * row.linear;
                forces_[joint.a].torque += force * row.angular_a;
                if (joint.b == RigidJoint<Dim>::world) continue;
                forces_[joint.b].force -= force * row.linear;
                forces_[joint.b].torque -= force * row.angular_b;
            }
        for (std::size_t n = 0; n < grips_.size(); ++n) {
            ObstacleLoad<Dim>& load = forces_[system.grips[n].body];
            load.force += grips_[n].impulse / dt;
            load.torque += moment(grips_[n].arm, grips_[n].impulse) / dt;
        }
    }
    remember(system, state, dt, surroundings);
    measure_sleepers(system, state, h, surroundings);

    RigidStepReport report;
    for (const Touch& touch : touches_) {
        if (!(touch.push > 0.0)) continue;
        ++report.contacts;
        double size = system.models[touch.contact.a].radius;
        if (touch.contact.b != RigidContact<Dim>::wall)
            size = std::min(size, system.models[touch.contact.b].radius);
        report.largest_penetration = std::max(report.largest_penetration, -touch.gap / size);
    }
    for (std::size_t i = 0; i < state.size(); ++i) {
        if (i < impulses.size()) {
            forces_[i].force += impulses[i].force / dt;
            forces_[i].torque += impulses[i].torque / dt;
        }
        if (system.is_there[i] == 0) continue;
        if (!state.position[i].allFinite() || !state.velocity[i].allFinite() ||
            !state.angular_momentum[i].allFinite())
            report.lost = report.lost.value_or(i);
        const RigidModel<Dim>& model = system.models[i];
        const double v = state.velocity[i].norm();
        const double speed = v + model.radius * angular_velocity(model, state, i).norm();
        report.max_speed = std::max(report.max_speed, v);
        if (is_awake_[i] == 0) {
            state.velocity[i].setZero();
            state.angular_momentum[i].setZero();
            continue;
        }
        // Only what touches something can have come to rest.
        const double still = still_share * std::sqrt(gravity * model.radius);
        const bool is_pushed = i < impulses.size() && impulses[i].force.squaredNorm() > 0.0;
        state.still_for[i] = speed < still && is_free_[i] == 0 && !is_pushed ? state.still_for[i] + dt : 0.0;
    }
    return report;
}

template Mat<3> response_of(const RigidSystem<2>&, const RigidState<2>&, std::size_t);
template Mat<6> response_of(const RigidSystem<3>&, const RigidState<3>&, std::size_t);
template bool sleeps(const RigidState<2>&, std::size_t);
template bool sleeps(const RigidState<3>&, std::size_t);
template class RigidSolver<2>;
template class RigidSolver<3>;

} // namespace phyxel
