// SPDX-License-Identifier: MIT
#include <phyxel/rigid/rigid_response.h>
#include <phyxel/rigid/rigid_solver.h>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace phyxel::rigid_solver_test {
namespace {

constexpr double g = 9.81;

template <int Dim>
struct Bodies {
    RigidSystem<Dim> system;
    RigidState<Dim> state;
    RigidSolver<Dim> solver;
    Surroundings<Dim> around;

    std::size_t add(const Shape<Dim>& shape, const RigidMaterial& material = {},
                    const Vec<Dim>& velocity = Vec<Dim>::Zero(),
                    const Angles<Dim>& spin = Angles<Dim>::Zero())
    {
        system.models.push_back(make_rigid_model(shape, material));
        system.is_there.push_back(1);
        state.append(system.models.back(), velocity, spin);
        return system.models.size() - 1;
    }
    void stand_on_floor(double friction = 0.0)
    {
        around.domain.bounded = true;
        around.domain.box = {Vec<Dim>::Constant(-100.0), Vec<Dim>::Constant(100.0)};
        around.domain.box.min[Dim - 1] = 0.0;
        around.domain.surface.friction = friction;
        around.gravity = -g * Vec<Dim>::Unit(Dim - 1);
    }
    RigidStepReport run(double time, double dt = 1.0 / 240.0)
    {
        RigidStepReport last;
        const auto steps = std::lround(time / dt);
        for (long n = 0; n < steps; ++n) last = solver.step(system, state, {}, dt, around);
        return last;
    }
    double energy(std::size_t i) const { return kinetic_energy(system.models[i], state, i); }
};

Shape<3> cuboid(const Vec<3>& size) { return Shape<3>(Box<3>{-0.5 * size, 0.5 * size}); }

/// Half the period of the middle component of ω, from its changes of sign, times two.
double period_of(Bodies<3>& bodies, int axis, double dt, double time)
{
    std::vector<double> zeros;
    double last = 0.0;
    double t = 0.0;
    while (t < time) {
        const Mat<3>& R = bodies.state.rotation[0];
        const double now = (R.transpose() * angular_velocity(bodies.system.models[0], bodies.state, 0))[axis];
        if (t > 0.0 && now * last < 0.0) zeros.push_back(t - dt * now / (now - last));
        last = now;
        (void)bodies.solver.step(bodies.system, bodies.state, {}, dt, bodies.around);
        t += dt;
    }
    return zeros.size() < 3 ? 0.0 : zeros[2] - zeros[0];
}

TEST(RigidSolver, free_cuboid_turns_as_eulers_equations_say)
{
    // 4K(k)/τ, from ../shared/research: 1 × 2 × 3 of mass 1.
    struct Case {
        Vec<3> spin;
        int axis;
        double period;
    };
    for (const Case& c : {Case{{0.1, 1, 0}, 1, 27.5675}, Case{{1, 0.5, 0.2}, 1, 8.8700}}) {
        Bodies<3> bodies;
        bodies.add(cuboid({1, 2, 3}), {.density = 1.0 / 6.0}, Vec<3>::Zero(), c.spin);
        const Vec<3> L = bodies.state.angular_momentum[0];
        const double energy = bodies.energy(0);
        EXPECT_NEAR(period_of(bodies, c.axis, 1.0 / 240.0, 2.2 * c.period), c.period, 0.005 * c.period);
        EXPECT_LT((bodies.state.angular_momentum[0] - L).norm(), 1e-12 * L.norm());
        EXPECT_NEAR(bodies.energy(0), energy, 1e-6 * energy);
        EXPECT_LT(
            (bodies.state.rotation[0].transpose() * bodies.state.rotation[0] - Mat<3>::Identity()).norm(),
            1e-12);
    }
}

TEST(RigidSolver, falls_along_a_parabola)
{
    Bodies<3> bodies;
    bodies.around.gravity = {0, 0, -g};
    bodies.add(cuboid({1, 1, 1}), {}, {1, 0, 2});
    (void)bodies.run(1.0);
    EXPECT_LT((bodies.state.position[0] - Vec<3>(1, 0, 2 - 0.5 * g)).norm(), 1e-9);
}

TEST(RigidSolver, ball_comes_to_rest_on_the_floor_and_sleeps)
{
    Bodies<3> bodies;
    bodies.stand_on_floor();
    bodies.add(Shape<3>(Sphere<3>{{0, 0, 0.5}, 0.1}), {.restitution = 0.3});
    (void)bodies.run(3.0);
    EXPECT_NEAR(bodies.state.position[0][2], 0.1, 1e-4);
    EXPECT_TRUE(sleeps(bodies.state, 0));
    EXPECT_EQ(bodies.state.velocity[0].norm(), 0.0);
}

TEST(RigidSolver, ball_bounces_to_the_height_that_restitution_leaves)
{
    Bodies<2> bodies;
    bodies.stand_on_floor();
    bodies.add(Shape<2>(Sphere<2>{{0, 1.1}, 0.1}), {.restitution = 0.8});
    double highest = 0.0;
    const double fall = std::sqrt(2.0 / g);
    for (double t = 0.0; t < fall * 2.5; t += 1.0 / 240.0) {
        (void)bodies.run(1.0 / 240.0);
        if (t > 1.1 * fall) highest = std::max(highest, bodies.state.position[0][1] - 0.1);
    }
    EXPECT_NEAR(highest, 0.64, 0.02);
}

TEST(RigidSolver, ball_rolls_down_a_slope_at_five_sevenths)
{
    Bodies<3> bodies;
    bodies.stand_on_floor(0.6);
    const double angle = std::numbers::pi / 6.0;
    bodies.around.gravity = {g * std::sin(angle), 0, -g * std::cos(angle)};
    bodies.add(Shape<3>(Sphere<3>{{0, 0, 0.1}, 0.1}));
    (void)bodies.run(1.0);
    EXPECT_NEAR(bodies.state.velocity[0][0], 5.0 / 7.0 * g * 0.5, 0.01 * 5.0 / 7.0 * g * 0.5);
}

TEST(RigidSolver, cylinder_rolls_down_a_slope_at_two_thirds)
{
    Bodies<3> bodies;
    bodies.stand_on_floor(0.6);
    const double angle = std::numbers::pi / 6.0;
    bodies.around.gravity = {g * std::sin(angle), 0, -g * std::cos(angle)};
    bodies.add(Shape<3>(Cylinder<3>{{0, -0.2, 0.1}, {0, 0.2, 0.1}, 0.1}));
    (void)bodies.run(1.0);
    EXPECT_NEAR(bodies.state.velocity[0][0], g / 3.0, 0.01 * g / 3.0);
}

TEST(RigidSolver, block_sticks_or_slides_on_a_slope_as_coulomb_says)
{
    const double angle = std::numbers::pi / 6.0;
    for (const double friction : {0.7, 0.3}) {
        Bodies<3> bodies;
        bodies.stand_on_floor(friction);
        bodies.around.gravity = {g * std::sin(angle), 0, -g * std::cos(angle)};
        bodies.add(Shape<3>(Box<3>{{-0.1, -0.1, 0}, {0.1, 0.1, 0.1}}));
        (void)bodies.run(1.0);
        const double expected =
            friction > std::tan(angle) ? 0.0 : g * (std::sin(angle) - friction * std::cos(angle));
        EXPECT_NEAR(bodies.state.velocity[0][0], expected, expected > 0.0 ? 0.01 * expected : 1e-4)
            << friction;
    }
}

TEST(RigidSolver, cradle_sends_on_as_many_balls_as_came)
{
    for (const std::size_t came : {1u, 2u, 3u}) {
        Bodies<3> bodies;
        for (int n = 0; n < 5; ++n)
            bodies.add(Shape<3>(Sphere<3>{{0.2001 * n, 0, 0}, 0.1}), {.friction = 0.0, .restitution = 1.0},
                       n < static_cast<int>(came) ? Vec<3>(1, 0, 0) : Vec<3>(0, 0, 0));
        (void)bodies.run(0.1);
        for (std::size_t n = 0; n < 5; ++n)
            EXPECT_NEAR(bodies.state.velocity[n][0], n + came >= 5 ? 1.0 : 0.0, 1e-6) << came << ' ' << n;
    }
    Bodies<3> bodies;
    for (int n = 0; n < 5; ++n)
        bodies.add(Shape<3>(Sphere<3>{{0.2001 * n, 0, 0}, 0.1}), {.friction = 0.0, .restitution = 0.9},
                   n == 0 ? Vec<3>(1, 0, 0) : Vec<3>(0, 0, 0));
    (void)bodies.run(0.02);
    EXPECT_NEAR(bodies.state.velocity[4][0], std::pow(0.95, 4), 1e-6);
}

TEST(RigidSolver, stack_of_ten_bricks_stands_for_ten_seconds)
{
    Bodies<3> bodies;
    bodies.stand_on_floor();
    for (int n = 0; n < 10; ++n)
        bodies.add(Shape<3>(Box<3>{{-0.1, -0.05, 0.06 * n}, {0.1, 0.05, 0.06 * (n + 1)}}),
                   {.density = 1900.0});
    (void)bodies.run(10.0);
    for (int n = 0; n < 10; ++n) {
        const Vec<3> x = bodies.state.position[static_cast<std::size_t>(n)];
        EXPECT_LT((x - Vec<3>(0, 0, 0.06 * n + 0.03)).norm(), 0.01 * 0.06) << n << ' ' << x.transpose();
    }
}

TEST(RigidSolver, stack_without_sleep_stands_as_well)
{
    Bodies<2> bodies;
    bodies.stand_on_floor();
    for (int n = 0; n < 10; ++n) bodies.add(Shape<2>(Box<2>{{-0.1, 0.06 * n}, {0.1, 0.06 * (n + 1)}}));
    for (int n = 0; n < 480; ++n) {
        (void)bodies.run(1.0 / 240.0);
        std::fill(bodies.state.still_for.begin(), bodies.state.still_for.end(), 0.0);
    }
    for (int n = 0; n < 10; ++n)
        EXPECT_LT((bodies.state.position[static_cast<std::size_t>(n)] - Vec<2>(0, 0.06 * n + 0.03)).norm(),
                  0.01 * 0.06)
            << n;
}

TEST(RigidSolver, ball_falls_into_a_cup_and_stays)
{
    Bodies<3> bodies;
    bodies.stand_on_floor();
    const Shape<3> cup = subtract<3>({Shape<3>(Cylinder<3>{{0, 0, 0}, {0, 0, 0.3}, 0.2}),
                                      Shape<3>(Cylinder<3>{{0, 0, 0.05}, {0, 0, 0.3}, 0.15})});
    bodies.add(cup);
    bodies.add(Shape<3>(Sphere<3>{{0.03, 0, 0.6}, 0.08}), {.restitution = 0.2});
    (void)bodies.run(2.0);
    EXPECT_NEAR(bodies.state.position[1][2], 0.13, 2e-3);
    EXPECT_LT(bodies.state.position[1].head<2>().norm(), 0.08);
}

TEST(RigidSolver, ring_hangs_on_a_peg)
{
    Bodies<3> bodies;
    bodies.around.gravity = {0, 0, -g};
    bodies.around.obstacles.push_back(
        {.name = "peg", .shape = Shape<3>(Cylinder<3>{{0, -0.5, 0}, {0, 0.5, 0}, 0.02})});
    bodies.add(Shape<3>(Torus<3>{{0, 0, -0.1}, {0, 1, 0}, 0.15, 0.02}));
    (void)bodies.run(3.0);
    EXPECT_NEAR(bodies.state.position[0][2], -0.11, 0.01);
}

TEST(RigidSolver, momentum_of_a_collision_is_kept)
{
    Bodies<3> bodies;
    bodies.add(cuboid({0.2, 0.1, 0.3}), {.friction = 0.4, .restitution = 0.5}, {1, 0.1, 0}, {1, 2, 3});
    bodies.add(Shape<3>(Sphere<3>{{0.3, 0.05, 0.02}, 0.1}),
               {.density = 300, .friction = 0.4, .restitution = 0.5});
    const auto momentum = [&] {
        return Vec<3>(bodies.system.models[0].mass.mass * bodies.state.velocity[0] +
                      bodies.system.models[1].mass.mass * bodies.state.velocity[1]);
    };
    const auto angular = [&] {
        Vec<3> sum = bodies.state.angular_momentum[0] + bodies.state.angular_momentum[1];
        for (std::size_t i = 0; i < 2; ++i)
            sum +=
                bodies.system.models[i].mass.mass * bodies.state.position[i].cross(bodies.state.velocity[i]);
        return sum;
    };
    const Vec<3> before = momentum();
    const Vec<3> angular_before = angular();
    (void)bodies.run(0.5);
    EXPECT_GT(bodies.state.velocity[1].norm(), 0.1);
    EXPECT_LT((momentum() - before).norm(), 1e-12 * before.norm());
    EXPECT_LT((angular() - angular_before).norm(), 1e-2 * angular_before.norm());
}

TEST(RigidSolver, pendulum_swings_with_its_period)
{
    Bodies<2> bodies;
    bodies.around.gravity = {0, -g};
    // A disc at the end of a rod of length 1.
    bodies.add(Shape<2>(Sphere<2>{{std::sin(0.1), -std::cos(0.1)}, 0.1}));
    RigidJoint<2> hinge;
    hinge.at = {0, 0};
    bodies.system.joints.push_back(hinge);
    const double period = 2.0 * std::numbers::pi * std::sqrt((1.0 + 0.5 * 0.01) / g);
    std::vector<double> zeros;
    double last = 1.0;
    for (double t = 0.0; t < 5.0; t += 1.0 / 240.0) {
        (void)bodies.run(1.0 / 240.0);
        const double now = bodies.state.position[0][0];
        if (now * last < 0.0) zeros.push_back(t);
        last = now;
    }
    ASSERT_GE(zeros.size(), 3u);
    EXPECT_NEAR(zeros[2] - zeros[0], period, 0.01 * period);
    EXPECT_NEAR(bodies.state.position[0].norm(), 1.0, 1e-4);
}

TEST(RigidSolver, joints_hold_what_they_hold_and_leave_the_rest)
{
    Bodies<3> bodies;
    bodies.around.gravity = {0, 0, -g};
    for (int n = 0; n < 3; ++n) bodies.add(Shape<3>(Box<3>{{1.0 * n, 0, 0}, {1.0 * n + 0.2, 0.2, 0.2}}));
    RigidJoint<3> weld{.name = "weld", .type = JointType::Fixed, .a = 0, .at = {0, 0.1, 0.1}};
    RigidJoint<3> slider{
        .name = "slider", .type = JointType::Slider, .a = 1, .at = {1.1, 0.1, 0.1}, .axis = {0, 0, 1}};
    slider.limits = std::array{-0.5, 0.5};
    RigidJoint<3> motor{
        .name = "motor", .type = JointType::Hinge, .a = 2, .at = {2.1, 0.1, 0.1}, .axis = {0, 1, 0}};
    motor.motor = JointMotor{2.0, 100.0};
    bodies.system.joints = {weld, slider, motor};
    (void)bodies.run(1.0);
    EXPECT_LT((bodies.state.position[0] - Vec<3>(0.1, 0.1, 0.1)).norm(), 1e-3);
    EXPECT_LT((bodies.state.position[1] - Vec<3>(1.1, 0.1, 0.1 - 0.5)).norm(), 2e-3);
    EXPECT_LT((bodies.state.position[2] - Vec<3>(2.1, 0.1, 0.1)).norm(), 1e-3);
    EXPECT_NEAR(angular_velocity(bodies.system.models[2], bodies.state, 2)[1], 2.0, 1e-3);
    EXPECT_NEAR(bodies.state.turned[2][1], 2.0, 0.02);
}

TEST(RigidSolver, steps_of_the_same_state_have_the_same_bits)
{
    Bodies<3> bodies;
    bodies.stand_on_floor();
    for (int n = 0; n < 6; ++n)
        bodies.add(Shape<3>(Box<3>{{0.03 * n, 0, 0.12 * n}, {0.03 * n + 0.2, 0.1, 0.12 * n + 0.1}}));
    (void)bodies.run(0.3);
    Bodies<3> copy = bodies;
    copy.solver = RigidSolver<3>();
    (void)bodies.run(0.3);
    (void)copy.run(0.3);
    EXPECT_EQ(hash_state(bodies.state), hash_state(copy.state));
}

TEST(RigidSolver, response_is_that_of_what_holds_the_body)
{
    Bodies<3> bodies;
    bodies.stand_on_floor(1.0);
    bodies.add(Shape<3>(Box<3>{{0, 0, 0}, {0.2, 0.2, 0.2}}));
    const Mat<6> free = response_of(bodies.system, bodies.state, 0);
    EXPECT_NEAR(free(2, 2), 1.0 / 8.0, 1e-12);
    (void)bodies.run(0.1);
    EXPECT_LT(response_of(bodies.system, bodies.state, 0).norm(), 1e-9 * free.norm());
    bodies.around.gravity.setZero();
    RigidJoint<3> hinge{.a = 0, .at = {0.1, 0.1, 0.1}, .axis = {0, 1, 0}};
    bodies.system.joints = {hinge};
    bodies.state.contact_key.clear();
    const Mat<6> W = response_of(bodies.system, bodies.state, 0);
    EXPECT_NEAR(W(4, 4), free(4, 4), 1e-9 * free(4, 4));
    EXPECT_LT((W.topLeftCorner<3, 3>().norm()), 1e-9);
}

} // namespace
} // namespace phyxel::rigid_solver_test
