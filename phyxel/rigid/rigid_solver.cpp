// SPDX-License-Identifier: MIT
#include <phyxel/rigid/rigid_solver.h>

#include <phyxel/geometry/rigid_motion.h>

#include <algorithm>
#include <cmath>

namespace phyxel {
namespace {

/// Contacts are solved in parts of a step that are no longer than this [s]. They are found once in a step; or
/// in each part, if a body moves farther in the step than this share of its thickness: else it would be deep
/// in another before anybody looks again.
constexpr double longest_part = 1.0 / 960.0;
constexpr double long_way = 0.1;
/// Impulses of bodies that act on each other are sought until none of them changes by more than this share of
/// the largest, but no longer than so many times.
constexpr double impulse_tolerance = 1e-3;
constexpr int most_iterations = 60;
constexpr int most_relaxations = 20;
/// Where many bodies act on each other, less often: so that all iterations together look at about so many
/// contacts, but at least as often as this. The next part of the step goes on with what was found.
constexpr double most_looks = 2000.0;
constexpr int fewest_iterations = 2;
constexpr int fewest_relaxations = 1;

/// What was turned by more than this [rad] since the step began responds in another way.
constexpr double little_turn = 0.02;

/// Share of depths and of errors of joints that is made good in a time [1/s]: slowly, as what is pushed out
/// of one body is pushed into the next. Depths no faster than so many sizes of the body in a second.
constexpr double contact_mending = 20.0;
/// Depths below this share of the size of the body stay: what is pushed out of the other only to fall back
/// keeps a stack rocking.
constexpr double bearable_depth = 2e-4;
constexpr double joint_mending = 60.0;
constexpr double mending_speed = 4.0;

/// Impacts are made one after the other until none is left, or so many times.
constexpr int most_collisions = 64;
/// What falls in so many parts of a step comes to rest, whatever its restitution.
constexpr double resting_parts = 4.0;

/// A body is still when it is slower than this share of what it would have fallen by its own size.
constexpr double still_share = 0.01;

/// What a row of a joint does to its first body, about where the joint is: there forces have no arm.
template <int Dim>
void add_row(const JointRow<Dim>& row, double force, ObstacleLoad<Dim>& load)
{
    load.force += force * row.linear;
    if (row.linear.squaredNorm() == 0.0) load.torque += force * row.angular_a;
}

template <int Dim>
using Turn = void (*)(const RigidModel<Dim>&, RigidState<Dim>&, std::size_t, double, bool);

/// A fault: about the axis that the step begins with.
template <int Dim>
void turn_by_first_velocity(const RigidModel<Dim>& model, RigidState<Dim>& state, std::size_t i, double dt,
                            bool)
{
    const Angles<Dim> turn = dt * angular_velocity(model, state, i);
    state.rotation[i] = rotation_by(turn) * state.rotation[i];
    state.turned[i] += turn;
}

/// A fault: and with the angular velocity that it begins with, whatever that does to the angular momentum.
template <int Dim>
void turn_without_gyration(const RigidModel<Dim>& model, RigidState<Dim>& state, std::size_t i, double dt,
                           bool exact)
{
    const Angles<Dim> omega = angular_velocity(model, state, i);
    turn_by_first_velocity(model, state, i, dt, exact);
    state.angular_momentum[i] = in_space(model.mass.inertia, state.rotation[i]) * omega;
}

template <int Dim>
Turn<Dim> turn_of(Fault fault)
{
    if (fault == Fault::TurnedByFirstVelocity) return turn_by_first_velocity<Dim>;
    if (fault == Fault::NoGyroscopicTerm) return turn_without_gyration<Dim>;
    return turn_freely;
}

/// Whether contacts have to be found again before the step is over.
template <int Dim>
bool has_long_way(const RigidSystem<Dim>& system, const RigidState<Dim>& state,
                  const Surroundings<Dim>& surroundings, double dt)
{
    for (std::size_t i = 0; i < state.size(); ++i) {
        if (system.is_there[i] == 0) continue;
        const RigidModel<Dim>& model = system.models[i];
        double speed = state.velocity[i].norm() + model.radius * angular_velocity(model, state, i).norm();
        const double most = long_way * model.shape.bounds().shortest_side() / dt;
        for (const Obstacle<Dim>& obstacle : surroundings.obstacles) {
            if (!obstacle.is_there) continue;
            const double wall_speed = obstacle.velocity.at(state.position[i]).norm();
            const Vec<Dim> X = obstacle.pose.apply_inverse(state.position[i]);
            if (obstacle.shape.bounds().distance(X) < model.radius + dt * (speed + wall_speed))
                speed += wall_speed;
        }
        if (speed > most) return true;
    }
    return false;
}

} // namespace

/// See core/fault.h.
template <int Dim>
void RigidSolver<Dim>::apply_with_fault(const Touch& touch, const Vec<Dim>& impulse)
{
    const bool turns = fault_ != Fault::FrictionWithoutTorque;
    const Vec<Dim> turning = turns ? impulse : Vec<Dim>(impulse.dot(touch.normal) * touch.normal);
    const double returned = fault_ == Fault::OneSidedContacts ? 0.0 : 1.0;
    moving_[touch.a].push(impulse, moment(touch.arm_a, turning));
    moving_[touch.b].push(-returned * impulse, -returned * moment(touch.arm_b, turning));
}

template <int Dim>
void RigidSolver<Dim>::prepare(const RigidSystem<Dim>& system, RigidState<Dim>& state,
                               std::span<const ObstacleLoad<Dim>> impulses)
{
    find_sleepers(system, state, impulses);

    const std::size_t count = system.models.size();
    moving_.assign(count + 1, {});
    turn_.assign(count, Mat<Dim>::Identity());
    has_turned_.assign(count + 1, 0);
    is_free_.assign(count, 1);
    first_position_ = state.position;
    first_rotation_ = state.rotation;
    for (std::size_t i = 0; i < count; ++i)
        if (is_awake_[i] != 0) moving_[i].inverse_mass = 1.0 / system.models[i].mass.mass;

    find_islands(system);
    touches_.assign(data_.size(), {});
    for (std::size_t n = 0; n < data_.size(); ++n) {
        const RigidContact<Dim>& contact = contacts_[data_[n].contact];
        const bool is_pair = contact.b != RigidContact<Dim>::wall;
        is_free_[contact.a] = 0;
        if (is_pair) is_free_[contact.b] = 0;
        Touch& touch = touches_[n];
        touch.a = contact.a;
        touch.b = is_pair ? contact.b : static_cast<Index>(count);
        touch.friction = contact.friction;
        touch.normal = contact.normal;
        touch.wall_velocity = contact.wall_velocity;
        touch.arm_a = contact.place - state.position[contact.a];
        if (is_pair) touch.arm_b = contact.place - contact.shift - state.position[contact.b];
        data_[n].arm_a = touch.arm_a;
        data_[n].arm_b = touch.arm_b;
    }
    has_joint_.assign(count, 0);
    const auto hold = [&](Index body) {
        is_free_[body] = 0;
        has_joint_[body] = 1;
    };
    for (const RigidGrip<Dim>& grip : system.grips) is_free_[grip.body] = 0;
    for (const RigidJoint<Dim>& joint : system.joints) {
        if (!system.joins(joint)) continue;
        hold(joint.a);
        if (joint.b != RigidJoint<Dim>::world) hold(joint.b);
    }
    joint_rows_.resize(system.joints.size());
    state.joint_impulse.resize(system.joints.size(), Vec<8>::Zero());
}

/// Warm start: contacts of the last step with the same key.
template <int Dim>
void RigidSolver<Dim>::begin_with_last_impulses(const RigidState<Dim>& state)
{
    const std::size_t count = state.size();
    first_known_.assign(count + 1, 0);
    const auto is_known = [&](std::size_t n) { return state.contact_key[n][0] < count; };
    for (std::size_t n = 0; n < state.contact_key.size(); ++n)
        if (is_known(n)) ++first_known_[state.contact_key[n][0] + 1];
    for (std::size_t i = 0; i < count; ++i) first_known_[i + 1] += first_known_[i];
    known_.resize(first_known_[count]);
    for (std::size_t n = state.contact_key.size(); n-- > 0;)
        if (is_known(n)) known_[--first_known_[state.contact_key[n][0] + 1]] = static_cast<Index>(n);
    // Now those of body i begin at first_known_[i + 1].
    for (std::size_t n = 0; n < touches_.size(); ++n) {
        const RigidContact<Dim>& contact = contacts_[data_[n].contact];
        Touch& touch = touches_[n];
        const std::size_t end =
            contact.a + 2 < first_known_.size() ? first_known_[contact.a + 2] : known_.size();
        for (std::size_t k = first_known_[contact.a + 1]; k < end; ++k) {
            const std::size_t last = known_[k];
            if (state.contact_key[last] != contact.key) continue;
            const Vec<Dim>& normal = state.contact_normal[last];
            const double push = state.contact_impulse[last].dot(normal);
            touch.push = std::max(0.0, push);
            touch.rub = state.contact_impulse[last] - push * normal;
            touch.rub -= contact.normal.dot(touch.rub) * contact.normal;
            if (!(touch.friction > 0.0)) touch.rub.setZero(); // it may have had some in the last step
            break;
        }
    }
}

/// As the bodies are now.
template <int Dim>
void RigidSolver<Dim>::place_bodies(const RigidSystem<Dim>& system, const RigidState<Dim>& state)
{
    for (std::size_t i = 0; i < system.models.size(); ++i) {
        if (is_awake_[i] == 0) continue;
        Moving& moving = moving_[i];
        moving.velocity = state.velocity[i];
        moving.angular_momentum = state.angular_momentum[i];
        moving.inverse_inertia = in_space(system.models[i].inverse_inertia, state.rotation[i]);
        moving.spin = moving.inverse_inertia * moving.angular_momentum;
        if (is_free_[i] != 0) continue;
        turn_[i] = state.rotation[i] * first_rotation_[i].transpose();
        has_turned_[i] = (turn_[i] - Mat<Dim>::Identity()).squaredNorm() > 2.0 * little_turn * little_turn;
    }
}

template <int Dim>
void RigidSolver<Dim>::take_velocities(RigidState<Dim>& state) const
{
    for (std::size_t i = 0; i < state.size(); ++i) {
        if (is_awake_[i] == 0) continue;
        state.velocity[i] = moving_[i].velocity;
        state.angular_momentum[i] = moving_[i].angular_momentum;
    }
}

/// Arms, gaps and responses as the bodies are `since` [s] after the step began, for a part of `h` [s].
template <int Dim>
void RigidSolver<Dim>::place_touches(const RigidState<Dim>& state, double since, double h)
{
    for (std::size_t n = 0; n < touches_.size(); ++n) {
        Touch& touch = touches_[n];
        TouchData& data = data_[n];
        const bool is_pair = contacts_[data.contact].b != RigidContact<Dim>::wall;
        if (since > 0.0) {
            touch.arm_a = turn_[touch.a] * data.arm_a;
            Vec<Dim> moved = state.position[touch.a] - first_position_[touch.a] + touch.arm_a - data.arm_a;
            if (is_pair) {
                touch.arm_b = turn_[touch.b] * data.arm_b;
                moved -= state.position[touch.b] - first_position_[touch.b] + touch.arm_b - data.arm_b;
            } else {
                moved -= since * touch.wall_velocity;
            }
            data.gap = contacts_[data.contact].gap + touch.normal.dot(moved);
        } else {
            data.gap = contacts_[data.contact].gap;
        }
        const double size = data.arm_a.norm();
        const double depth = std::max(0.0, -data.gap - bearable_depth * size);
        touch.wanted =
            data.gap > 0.0 ? -data.gap / h : std::min(contact_mending * depth, mending_speed * size);
        if (since > 0.0 && has_turned_[touch.a] == 0 && has_turned_[touch.b] == 0) continue;
        const auto add_response = [&](const Moving& moving, const Vec<Dim>& arm) {
            for (int k = 0; k < Dim; ++k) {
                touch.response.col(k) +=
                    turned(Angles<Dim>(moving.inverse_inertia * moment(arm, Vec<Dim>::Unit(k))), arm);
                touch.response(k, k) += moving.inverse_mass;
            }
        };
        touch.response.setZero();
        add_response(moving_[touch.a], touch.arm_a);
        if (is_pair) add_response(moving_[touch.b], touch.arm_b);
        touch.normal_mass = 1.0 / touch.normal.dot(touch.response * touch.normal);
    }
}

/// Impacts that happen within `h` [s], one pair after the other, as they would happen if they were not quite
/// at the same time: so a cradle sends on as many balls as came. Before gravity acts, as in [GBF03], so that
/// what rests does not bounce.
template <int Dim>
void RigidSolver<Dim>::collide(const Island& island, double h, double gravity)
{
    for (int n = 0; n < most_collisions; ++n) {
        bool is_any = false;
        for (std::size_t k = island.first_touch; k < island.last_touch; ++k) {
            const double restitution = contacts_[data_[k].contact].restitution;
            if (!(restitution > 0.0)) continue;
            const Touch& touch = touches_[k];
            const Vec<Dim> v = touch.velocity(moving_);
            const double towards = -v.dot(touch.normal);
            if (!(towards > resting_parts * gravity * h) || !(data_[k].gap < towards * h)) continue;
            // What is left of many collisions is less than anything.
            if (!(towards > 1e-12 * (1.0 + moving_[touch.a].velocity.norm()))) continue;
            is_any = true;
            const double rebound = fault_ == Fault::NoRebound ? 0.0 : restitution;
            const double push = (1.0 + rebound) * towards * touch.normal_mass;
            Vec<Dim> impulse = push * touch.normal;
            const Vec<Dim> slides = v + towards * touch.normal;
            const double speed = slides.norm();
            if (speed > 0.0 && touch.friction > 0.0) {
                const Vec<Dim> along = slides / speed;
                const double stops = speed / along.dot(touch.response * along);
                impulse -= std::min(stops, touch.friction * push) * along;
            }
            apply(touch, impulse);
            data_[k].all += impulse;
        }
        if (!is_any) return;
    }
}

/// Forwards and backwards by turns: what is on top of a stack is at one end and the floor at the other.
template <int Dim>
void RigidSolver<Dim>::solve(const RigidSystem<Dim>& system, RigidState<Dim>& state, double h,
                             bool with_error)
{
    for (const Island& island : islands_) {
        const double size = static_cast<double>(island.touch_count() + island.joint_count());
        const int affordable = static_cast<int>(std::min(most_looks / size, double(most_iterations)));
        const int most = with_error ? std::max(affordable, fewest_iterations)
                                    : std::clamp(affordable, fewest_relaxations, most_relaxations);
        for (int n = 0; n < most; ++n) {
            change_ = {};
            solve_grips(system, island, h);
            solve_joints(system, state, island, h, with_error);
            solve_contacts(island, with_error, n % 2 == 0);
            if (n > 0 && change_.largest <= impulse_tolerance * change_.of) break;
        }
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
void RigidSolver<Dim>::solve_grips(const RigidSystem<Dim>& system, const Island& island, double h)
{
    for (std::size_t k = island.first_grip; k < island.last_grip; ++k) {
        const Index n = island_grips_[k];
        const RigidGrip<Dim>& grip = system.grips[n];
        Moving& body = moving_[grip.body];
        Grip& now = grips_[n];
        const double softness = 1.0 / (h * (h * grip.stiffness + grip.damping));
        for (int axis = 0; axis < Dim; ++axis) {
            const Vec<Dim> along = Vec<Dim>::Unit(axis);
            const Angles<Dim> turn = moment(now.arm, along);
            const double inverse = body.inverse_mass + turn.dot(body.inverse_inertia * turn) + softness;
            const double speed = body.velocity[axis] + turn.dot(body.spin);
            const double most = h * grip.strongest;
            const double after = std::clamp(
                now.impulse[axis] + (now.wanted[axis] - speed - softness * now.impulse[axis]) / inverse,
                -most, most);
            const double change = after - now.impulse[axis];
            now.impulse[axis] = after;
            change_.add(change, after);
            body.push(change * along, change * turn);
        }
    }
}

template <int Dim>
void RigidSolver<Dim>::solve_joints(const RigidSystem<Dim>& system, RigidState<Dim>& state,
                                    const Island& island, double h, bool with_error)
{
    for (std::size_t k = island.first_joint; k < island.last_joint; ++k) {
        const std::size_t j = island_joints_[k];
        const RigidJoint<Dim>& joint = system.joints[j];
        const bool is_pair = joint.b != RigidJoint<Dim>::world;
        Moving& first = moving_[joint.a];
        Moving& second = moving_[is_pair ? joint.b : system.models.size()];
        for (std::size_t r = 0; r < joint_rows_[j].count; ++r) {
            const JointRow<Dim>& row = joint_rows_[j].rows[r];
            const double speed = row.linear.dot(first.velocity - second.velocity) +
                                 row.angular_a.dot(first.spin) - row.angular_b.dot(second.spin);
            const double inverse = (first.inverse_mass + second.inverse_mass) * row.linear.squaredNorm() +
                                   row.angular_a.dot(first.inverse_inertia * row.angular_a) +
                                   row.angular_b.dot(second.inverse_inertia * row.angular_b);
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
            first.push(impulse * row.linear, impulse * row.angular_a);
            second.push(-impulse * row.linear, -impulse * row.angular_b);
        }
    }
}

template <int Dim>
void RigidSolver<Dim>::solve_contacts(const Island& island, bool with_error, bool is_forwards)
{
    constexpr double nothing = 1e-100; // [m²/s²]
    for (std::size_t n = 0; n < island.touch_count(); ++n) {
        Touch& touch = touches_[is_forwards ? island.first_touch + n : island.last_touch - 1 - n];
        const Vec<Dim>& normal = touch.normal;
        Vec<Dim> v = touch.velocity(moving_);
        Vec<Dim> impulse = Vec<Dim>::Zero();
        const bool rubs = touch.friction > 0.0 && (touch.push > 0.0 || touch.rub.squaredNorm() > 0.0);
        if (rubs) {
            Vec<Dim> after = Vec<Dim>::Zero();
            if (touch.push > 0.0) {
                const Vec<Dim> slides = v - v.dot(normal) * normal;
                const double square = slides.squaredNorm();
                after = touch.rub;
                if (square > nothing) after -= square / slides.dot(touch.response * slides) * slides;
                const double per_speed = fault_ == Fault::FrictionBySpeed ? slides.norm() : 1.0;
                const double most = per_speed * touch.friction * touch.push;
                const double size = after.squaredNorm();
                if (size > most * most) after *= most / std::sqrt(size);
            }
            impulse = after - touch.rub;
            touch.rub = after;
            v += touch.response * impulse;
        }
        // Without what was to mend errors gaps still may close, but not more.
        const double wanted = with_error ? touch.wanted : std::min(touch.wanted, 0.0);
        const double after = std::max(0.0, touch.push + (wanted - v.dot(normal)) * touch.normal_mass);
        const double change = after - touch.push;
        change_.add(change, after);
        touch.push = after;
        if (!rubs && change == 0.0) continue; // most of those that only might touch
        impulse += change * normal;
        apply(touch, impulse);
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
                                const Surroundings<Dim>& surroundings, RigidStepReport& report)
{
    report.contacts = 0;
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
    for (std::size_t n = 0; n < touches_.size(); ++n) {
        const Touch& touch = touches_[n];
        const RigidContact<Dim>& contact = contacts_[data_[n].contact];
        if (touch.push > 0.0) {
            state.contact_key.push_back(contact.key);
            state.contact_normal.push_back(touch.normal);
            state.contact_arm.push_back(touch.arm_a);
            state.contact_impulse.push_back(touch.impulse());
            ++report.contacts;
            double size = system.models[touch.a].radius;
            if (touch.b < system.models.size()) size = std::min(size, system.models[touch.b].radius);
            report.largest_penetration = std::max(report.largest_penetration, -data_[n].gap / size);
        }
        const Vec<Dim> force = data_[n].all / dt;
        forces_[contact.a].force += force;
        forces_[contact.a].torque += moment(touch.arm_a, force);
        if (contact.b != RigidContact<Dim>::wall) {
            forces_[contact.b].force -= force;
            forces_[contact.b].torque -= moment(touch.arm_b, force);
        } else if (contact.obstacle >= 0) {
            const auto number = static_cast<std::size_t>(contact.obstacle);
            loads_[number].add(surroundings.obstacles[number], contact.place - contact.shift, -force);
        }
    }
}

template <int Dim>
RigidStepReport RigidSolver<Dim>::step(const RigidSystem<Dim>& system, RigidState<Dim>& state,
                                       std::span<const ObstacleLoad<Dim>> impulses, double dt,
                                       const Surroundings<Dim>& surroundings)
{
    loads_.assign(surroundings.obstacles.size(), {});
    forces_.assign(system.models.size(), {});
    joint_forces_.assign(system.joints.size(), {});
    search_.set_fault(system.fault);
    fault_ = system.fault;
    IgnoredPairs ignored;
    for (const RigidJoint<Dim>& joint : system.joints)
        if (joint.b != RigidJoint<Dim>::world && joint.is_there)
            ignored.emplace_back(std::minmax(joint.a, joint.b));
    for (Index a = 0; a < system.unfelt.size(); ++a)
        for (const Index b : system.unfelt[a].parts)
            if (a < b) ignored.emplace_back(a, b);
    std::sort(ignored.begin(), ignored.end());
    const auto find_contacts = [&](double since, double time) {
        search_.find(system.models, state, system.is_there, ignored, system.unfelt, since, time, surroundings,
                     contacts_);
    };

    const int parts = std::max(1, static_cast<int>(std::ceil(dt / longest_part - 1e-9)));
    const double h = dt / parts;
    const double gravity = surroundings.gravity.norm();
    const auto turn = turn_of<Dim>(system.fault);
    RigidStepReport report;
    const bool finds_often = parts > 1 && has_long_way(system, state, surroundings, dt);
    // Impulses of steps of another length are another part of the weight: they are stored for one part, whose
    // length hardly changes.
    double since = 0.0;
    for (int part = 0; part < parts; ++part, since += h) {
        if (finds_often || part == 0) {
            find_contacts(part * h, finds_often ? h : dt);
            prepare(system, state, impulses);
            begin_with_last_impulses(state);
            since = 0.0;
        }
        place_bodies(system, state);
        place_touches(state, since, h);
        place_grips(system, state, h, part, parts);
        for (const Island& island : islands_) collide(island, h, gravity);
        for (std::size_t i = 0; i < state.size(); ++i) {
            if (is_awake_[i] == 0) continue;
            moving_[i].velocity += h * surroundings.gravity_at(state.position[i]);
            if (i < impulses.size()) moving_[i].push(impulses[i].force / parts, impulses[i].torque / parts);
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
                const std::size_t second = joint.b != RigidJoint<Dim>::world ? joint.b : system.models.size();
                moving_[joint.a].push(impulse * row.linear, impulse * row.angular_a);
                moving_[second].push(-impulse * row.linear, -impulse * row.angular_b);
            }
        }
        for (const Touch& touch : touches_)
            if (touch.push > 0.0) apply(touch, touch.impulse());
        solve(system, state, h, true);
        take_velocities(state);
        for (std::size_t i = 0; i < state.size(); ++i) {
            if (is_awake_[i] == 0) continue;
            state.position[i] += h * state.velocity[i];
            // What nothing touches falls along its parabola.
            if (is_free_[i] != 0)
                state.position[i] -= 0.5 * h * h * surroundings.gravity_at(state.position[i]);
            turn(system.models[i], state, i, h, is_free_[i] != 0 || has_joint_[i] != 0);
            if (fault_ == Fault::NoGyroscopicTerm) moving_[i].angular_momentum = state.angular_momentum[i];
        }
        // Without what was to mend errors, which is no motion of the bodies.
        solve(system, state, h, false);
        take_velocities(state);
        for (std::size_t n = 0; n < touches_.size(); ++n) data_[n].all += touches_[n].impulse();
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
        if (finds_often || part + 1 == parts) remember(system, state, dt, surroundings, report);
    }
    measure_sleepers(system, state, h, surroundings);

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

template class RigidSolver<2>;
template class RigidSolver<3>;

} // namespace phyxel
