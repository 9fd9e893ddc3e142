// SPDX-License-Identifier: MIT
// Rigid bodies against Bullet.
//
// rigid/pile/N  N bricks of 40 × 20 × 12 cm, turned at random, fall from up to 8 m on a floor and make a
// pile, for
//               4 s in steps of 1/240 s, one thread, nobody sleeps. Bullet has the same bricks, floor,
//               friction and steps, double precision and its own settings otherwise (10 iterations, warm
//               starting). Both make their steps by turns, so that what else the machine does slows both.
//               Target at 1,000: at most 1.3 times Bullet's time. Depths and speeds of both are measured by
//               the same means, so that it is seen what the time is spent for.
#include "benchmarks.h"

#include <phyxel/core/rng.h>
#include <phyxel/rigid/rigid_solver.h>

#include <Eigen/Geometry>
#include <benchmark/benchmark.h>
#include <btBulletDynamicsCommon.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

namespace phyxel {
namespace {

static_assert(sizeof(btScalar) == sizeof(double), "Bullet must be the one in double precision");

constexpr double dt = 1.0 / 240.0;
constexpr int steps = 960;
constexpr int last_steps = 120; ///< that are looked at to see whether the pile is at rest
constexpr double friction = 0.5;
constexpr double density = 1900.0;
constexpr double gravity = 9.81;
const Vec<3> brick_size(0.4, 0.2, 0.12);

/// Of this thread, so that others do not count [s].
double processor_time()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// In columns with room for every turn.
std::vector<Pose<3>> starts_of(std::size_t count)
{
    constexpr double distance = 0.47;
    const auto side = static_cast<std::size_t>(std::lround(std::cbrt(0.5 * double(count))));
    Rng rng(1);
    std::vector<Pose<3>> starts;
    for (std::size_t n = 0; n < count; ++n) {
        const Vec<3> cell(double(n % side), double(n / side % side), double(n / (side * side)));
        const Eigen::Quaterniond turn(rng.normal(), rng.normal(), rng.normal(), rng.normal());
        starts.push_back({turn.normalized().toRotationMatrix(), distance * (cell + Vec<3>(0, 0, 0.5))});
    }
    return starts;
}

Shape<3> brick() { return Shape<3>(Box<3>{-0.5 * brick_size, 0.5 * brick_size}); }

Surroundings<3> floor_and_gravity()
{
    Surroundings<3> around;
    around.domain.bounded = true;
    around.domain.box = {{-1e3, -1e3, 0}, {1e3, 1e3, 1e3}};
    around.gravity = {0, 0, -gravity};
    return around;
}

class OurPile {
public:
    explicit OurPile(const std::vector<Pose<3>>& starts)
    {
        const RigidModel<3> model = make_rigid_model(brick(), {.density = density, .friction = friction});
        system_.models.assign(starts.size(), model);
        system_.is_there.assign(starts.size(), 1);
        for (const Pose<3>& start : starts) {
            state_.append(model, Vec<3>::Zero(), Angles<3>::Zero());
            state_.position.back() = start.translation;
            state_.rotation.back() = start.rotation;
        }
    }
    void step()
    {
        contacts_ = solver_.step(system_, state_, {}, dt, around_).contacts;
        std::fill(state_.still_for.begin(), state_.still_for.end(), 0.0);
    }
    std::size_t contacts() const { return contacts_; }
    const RigidSystem<3>& system() const { return system_; }
    const RigidState<3>& state() const { return state_; }

private:
    RigidSystem<3> system_;
    RigidState<3> state_;
    RigidSolver<3> solver_;
    Surroundings<3> around_ = floor_and_gravity();
    std::size_t contacts_ = 0;
};

class BulletPile {
public:
    explicit BulletPile(const std::vector<Pose<3>>& starts)
    {
        world_.setGravity({0, 0, -gravity});
        const auto add = [&](const btRigidBody::btRigidBodyConstructionInfo& info) {
            bodies_.push_back(std::make_unique<btRigidBody>(info));
            // Bullet multiplies the coefficients of the two.
            bodies_.back()->setFriction(std::sqrt(friction));
            bodies_.back()->setActivationState(DISABLE_DEACTIVATION);
            world_.addRigidBody(bodies_.back().get());
        };
        const double mass = density * brick_size.prod();
        btVector3 inertia;
        box_.calculateLocalInertia(mass, inertia);
        for (const Pose<3>& start : starts) {
            btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, &box_, inertia);
            const Mat<3>& R = start.rotation;
            const Vec<3>& x = start.translation;
            info.m_startWorldTransform.setBasis(
                {R(0, 0), R(0, 1), R(0, 2), R(1, 0), R(1, 1), R(1, 2), R(2, 0), R(2, 1), R(2, 2)});
            info.m_startWorldTransform.setOrigin({x[0], x[1], x[2]});
            add(info);
        }
        add({0.0, nullptr, &floor_});
    }
    ~BulletPile()
    {
        for (const auto& body : bodies_) world_.removeRigidBody(body.get());
    }
    BulletPile(const BulletPile&) = delete;
    BulletPile& operator=(const BulletPile&) = delete;

    void step() { world_.stepSimulation(dt, 0); }

    std::size_t contacts()
    {
        std::size_t count = 0;
        for (int n = 0; n < dispatcher_.getNumManifolds(); ++n)
            count += static_cast<std::size_t>(dispatcher_.getManifoldByIndexInternal(n)->getNumContacts());
        return count;
    }

    /// Places and velocities, as ours has them.
    RigidState<3> state(const RigidSystem<3>& system) const
    {
        RigidState<3> state;
        for (std::size_t i = 0; i < system.models.size(); ++i) {
            const btTransform& place = bodies_[i]->getWorldTransform();
            const btVector3& v = bodies_[i]->getLinearVelocity();
            const btVector3& w = bodies_[i]->getAngularVelocity();
            state.append(system.models[i], {v.x(), v.y(), v.z()}, Vec<3>::Zero());
            state.position.back() = {place.getOrigin().x(), place.getOrigin().y(), place.getOrigin().z()};
            for (int r = 0; r < 3; ++r)
                for (int c = 0; c < 3; ++c) state.rotation.back()(r, c) = place.getBasis()[r][c];
            const Mat<3>& R = state.rotation.back();
            state.angular_momentum.back() =
                R * system.models[i].mass.inertia * R.transpose() * Vec<3>(w.x(), w.y(), w.z());
        }
        return state;
    }

private:
    btDefaultCollisionConfiguration configuration_;
    btCollisionDispatcher dispatcher_{&configuration_};
    btDbvtBroadphase broadphase_;
    btSequentialImpulseConstraintSolver solver_;
    btDiscreteDynamicsWorld world_{&dispatcher_, &broadphase_, &solver_, &configuration_};
    btBoxShape box_{{0.5 * brick_size[0], 0.5 * brick_size[1], 0.5 * brick_size[2]}};
    btStaticPlaneShape floor_{{0, 0, 1}, 0};
    std::vector<std::unique_ptr<btRigidBody>> bodies_;
};

/// What the bricks do at some instant.
struct Look {
    double deepest = 0.0;    ///< in the thickness of a brick
    double mean_depth = 0.0; ///< of all that are in each other, in the thickness of a brick
    double speed = 0.0;      ///< root mean square [m/s]
    double height = 0.0;     ///< of the centre of mass [m]
};

/// By how much two bricks overlap: along the axis along which it is least, of the normals of their faces and
/// what is across one edge of each.
double depth_of(const Pose<3>& a, const Pose<3>& b)
{
    const Vec<3> half = 0.5 * brick_size;
    const Vec<3> apart = b.translation - a.translation;
    double least = std::numeric_limits<double>::infinity();
    const auto look_along = [&](const Vec<3>& axis) {
        const double length = axis.norm();
        if (length < 1e-6) return;
        const double reach = half.dot((a.rotation.transpose() * axis).cwiseAbs()) +
                             half.dot((b.rotation.transpose() * axis).cwiseAbs());
        least = std::min(least, (reach - std::abs(apart.dot(axis))) / length);
    };
    for (int i = 0; i < 3; ++i) {
        look_along(a.rotation.col(i));
        look_along(b.rotation.col(i));
        for (int j = 0; j < 3; ++j) look_along(a.rotation.col(i).cross(b.rotation.col(j)));
    }
    return std::max(0.0, least);
}

Look look_at(const RigidSystem<3>& system, const RigidState<3>& state)
{
    Look look;
    double depths = 0.0, count = 0.0, squares = 0.0;
    const auto add = [&](double depth) {
        if (!(depth > 0.0)) return;
        look.deepest = std::max(look.deepest, depth / brick_size[2]);
        depths += depth / brick_size[2];
        count += 1.0;
    };
    for (std::size_t i = 0; i < state.size(); ++i) {
        const Pose<3> pose{state.rotation[i], state.position[i]};
        add(0.5 * brick_size.dot(Vec<3>(pose.rotation.row(2).transpose().cwiseAbs())) - pose.translation[2]);
        for (std::size_t j = i + 1; j < state.size(); ++j)
            if ((state.position[j] - state.position[i]).norm() < brick_size.norm())
                add(depth_of(pose, {state.rotation[j], state.position[j]}));
        squares += 2.0 * kinetic_energy(system.models[i], state, i) / system.models[i].mass.mass;
        look.height += state.position[i][2] / double(state.size());
    }
    look.mean_depth = count > 0.0 ? depths / count : 0.0;
    look.speed = std::sqrt(squares / double(state.size()));
    return look;
}

/// Over the run and at its end.
struct Quality {
    double deepest = 0.0, mean_depth = 0.0, looks = 0.0;
    double speed = 0.0, height = 0.0;

    void add(const Look& look, bool is_end)
    {
        deepest = std::max(deepest, look.deepest);
        mean_depth = (looks * mean_depth + look.mean_depth) / (looks + 1.0);
        looks += 1.0;
        if (is_end) speed = std::max(speed, look.speed);
        height = look.height;
    }
    void report(benchmark::State& state, const std::string& of) const
    {
        state.counters[of + "_deepest"] = deepest;
        state.counters[of + "_mean_depth"] = mean_depth;
        state.counters[of + "_end_speed"] = speed;
        state.counters[of + "_height"] = height;
    }
};

void measure_pile(benchmark::State& state, std::size_t count)
{
    for (auto _ : state) {
        const std::vector<Pose<3>> starts = starts_of(count);
        OurPile ours(starts);
        BulletPile bullet(starts);
        double our_time = 0.0, bullet_time = 0.0, our_contacts = 0.0, bullet_contacts = 0.0;
        Quality our_quality, bullet_quality;
        for (int n = 1; n <= steps; ++n) {
            double begin = processor_time();
            ours.step();
            our_time += processor_time() - begin;
            begin = processor_time();
            bullet.step();
            bullet_time += processor_time() - begin;
            our_contacts += double(ours.contacts()) / steps;
            bullet_contacts += double(bullet.contacts()) / steps;
            if (n % 24 != 0) continue;
            const bool is_end = n > steps - last_steps;
            our_quality.add(look_at(ours.system(), ours.state()), is_end);
            bullet_quality.add(look_at(ours.system(), bullet.state(ours.system())), is_end);
        }
        state.counters["ms_step"] = 1e3 * our_time / steps;
        state.counters["bullet_ms_step"] = 1e3 * bullet_time / steps;
        state.counters["ratio"] = our_time / bullet_time;
        state.counters["contacts"] = our_contacts;
        state.counters["bullet_contacts"] = bullet_contacts;
        our_quality.report(state, "our");
        bullet_quality.report(state, "bullet");
    }
}

} // namespace

void register_rigid_benchmarks()
{
    for (const std::size_t count : {250, 500, 1000, 2000})
        benchmark::RegisterBenchmark(("rigid/pile/" + std::to_string(count)).c_str(), measure_pile, count)
            ->Unit(benchmark::kSecond)
            ->Iterations(1);
}

} // namespace phyxel
