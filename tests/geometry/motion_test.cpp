// SPDX-License-Identifier: MIT
#include <phyxel/core/error.h>
#include <phyxel/core/rng.h>
#include <phyxel/geometry/motion.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <string>

namespace phyxel::motion_test {
namespace {

using std::numbers::pi;

template <int Dim>
Angles<Dim> random_angles(Rng& rng)
{
    return rng.point<Dim*(Dim - 1) / 2>(-4, 4);
}

template <int Dim>
std::vector<MotionKey<Dim>> random_keys(std::size_t count, std::uint64_t seed)
{
    Rng rng(seed);
    std::vector<MotionKey<Dim>> keys;
    double time = -0.5;
    for (std::size_t i = 0; i < count; ++i) {
        keys.push_back({time, rng.point<Dim>(-1, 1), random_angles<Dim>(rng)});
        time += rng.uniform(0.1, 1.0);
    }
    return keys;
}

/// A key of a plane motion. Braces within braces would trip over an internal error of g++ 12.
MotionKey<2> at(double time, double x = 0.0, double y = 0.0, double angle = 0.0)
{
    MotionKey<2> key;
    key.time = time;
    key.move = Vec<2>(x, y);
    key.rotate[0] = angle;
    return key;
}

/// The velocity of the material point X is the derivative of where the pose puts it.
template <int Dim>
void expect_velocity_is_derivative_of_pose(const Motion<Dim>& motion, double time, double tolerance)
{
    Rng rng(17);
    const double h = 1e-5;
    for (int k = 0; k < 4; ++k) {
        const Vec<Dim> X = rng.point<Dim>(-2, 2);
        const Vec<Dim> difference =
            (motion.pose(time + h).apply(X) - motion.pose(time - h).apply(X)) / (2 * h);
        const Vec<Dim> velocity = motion.velocity(time).at(motion.pose(time).apply(X));
        EXPECT_LT((velocity - difference).norm(), tolerance) << "at " << time;
    }
}

template <class Dimension>
class RigidMotion : public ::testing::Test {
};

using Dimensions = ::testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(RigidMotion, Dimensions);

TYPED_TEST(RigidMotion, passes_through_its_keys)
{
    constexpr int Dim = TypeParam::value;
    const Vec<Dim> about = Vec<Dim>::Constant(0.3);
    for (const Interpolation interpolation : {Interpolation::Smooth, Interpolation::Linear}) {
        const auto keys = random_keys<Dim>(6, 1);
        const Motion<Dim> motion(keys, interpolation, about);
        for (const MotionKey<Dim>& key : keys) {
            const Pose<Dim> pose = motion.pose(key.time);
            EXPECT_LT((pose.apply(about) - about - key.move).norm(), 1e-14);
            EXPECT_LT((pose.rotation - rotation_matrix(key.rotate)).norm(), 1e-13);
        }
    }
}

TYPED_TEST(RigidMotion, velocity_is_the_derivative_of_the_pose)
{
    constexpr int Dim = TypeParam::value;
    const Vec<Dim> about = Vec<Dim>::Constant(0.3);
    for (const Interpolation interpolation : {Interpolation::Smooth, Interpolation::Linear}) {
        const auto keys = random_keys<Dim>(6, 2);
        const Motion<Dim> motion(keys, interpolation, about);
        Rng rng(3);
        for (int k = 0; k < 200; ++k) {
            const double time = rng.uniform(keys.front().time - 0.5, keys.back().time + 0.5);
            bool is_at_key = false;
            for (const MotionKey<Dim>& key : keys) is_at_key |= std::abs(time - key.time) < 1e-3;
            if (!is_at_key) expect_velocity_is_derivative_of_pose<Dim>(motion, time, 1e-5);
        }
    }
}

TYPED_TEST(RigidMotion, smooth_motion_has_no_jump_in_velocity)
{
    constexpr int Dim = TypeParam::value;
    const auto keys = random_keys<Dim>(6, 4);
    const Motion<Dim> motion(keys);
    const double h = 1e-9;
    for (const MotionKey<Dim>& key : keys) {
        const Displacement<Dim> before = motion.rate(key.time - h);
        const Displacement<Dim> after = motion.rate(key.time + h);
        EXPECT_LT((before.move - after.move).norm(), 1e-5);
        EXPECT_LT((before.rotate - after.rotate).norm(), 1e-5);
    }
    EXPECT_EQ(motion.rate(keys.front().time).move, Vec<Dim>::Zero());
    EXPECT_EQ(motion.rate(keys.back().time).move, Vec<Dim>::Zero());
}

TYPED_TEST(RigidMotion, never_leaves_the_range_of_the_keys_on_either_side)
{
    constexpr int Dim = TypeParam::value;
    const auto keys = random_keys<Dim>(8, 5);
    const Motion<Dim> motion(keys);
    for (std::size_t i = 0; i + 1 < keys.size(); ++i) {
        const Vec<Dim> low = keys[i].move.cwiseMin(keys[i + 1].move);
        const Vec<Dim> high = keys[i].move.cwiseMax(keys[i + 1].move);
        for (int k = 0; k <= 100; ++k) {
            const double time = keys[i].time + 0.01 * k * (keys[i + 1].time - keys[i].time);
            const Vec<Dim> move = motion.displacement(time).move;
            EXPECT_GE((move - low).minCoeff(), -1e-14);
            EXPECT_GE((high - move).minCoeff(), -1e-14);
        }
    }
}

TYPED_TEST(RigidMotion, formulas_may_know_their_rates_or_not)
{
    constexpr int Dim = TypeParam::value;
    constexpr int turns = Dim * (Dim - 1) / 2;
    const auto displacement = [](double t) {
        return Displacement<Dim>{Vec<Dim>::Constant(0.1 * std::sin(4 * t)), Vec<turns>::Constant(3 * t * t)};
    };
    const auto rate = [](double t) {
        return Displacement<Dim>{Vec<Dim>::Constant(0.4 * std::cos(4 * t)), Vec<turns>::Constant(6 * t)};
    };
    const Vec<Dim> about = Vec<Dim>::Constant(-0.2);
    const Motion<Dim> known(displacement, rate, about);
    const Motion<Dim> differences(displacement, about);
    for (const double t : {0.0, 0.3, 1.7}) {
        expect_velocity_is_derivative_of_pose<Dim>(known, t, 1e-6);
        EXPECT_LT((known.velocity(t).linear - differences.velocity(t).linear).norm(), 1e-11);
        EXPECT_LT((known.velocity(t).angular - differences.velocity(t).angular).norm(), 1e-10);
        EXPECT_EQ(known.velocity(t).center, differences.velocity(t).center);
    }
    EXPECT_FALSE(known.is_fixed());
}

TYPED_TEST(RigidMotion, continued_from_a_place_goes_along_from_there)
{
    constexpr int Dim = TypeParam::value;
    constexpr int turns = Dim * (Dim - 1) / 2;
    const auto displacement = [](double t) {
        return Displacement<Dim>{Vec<Dim>::Constant(0.1 * std::sin(4 * t)), Vec<turns>::Constant(3 * t * t)};
    };
    const Motion<Dim> motion(displacement, Vec<Dim>::Constant(-0.2));
    const Pose<Dim> place{rotation_matrix(Angles<Dim>(Vec<turns>::Constant(0.7))), Vec<Dim>::Constant(2.0)};
    const double begin = 0.4;
    const Motion<Dim> continued = motion.continued_from(place, begin);
    const Vec<Dim> X = Vec<Dim>::Unit(0) - 0.3 * Vec<Dim>::Unit(1);
    EXPECT_LT((continued.pose(begin).apply(X) - place.apply(X)).norm(), 1e-14);
    for (const double t : {0.4, 0.9, 2.0}) {
        // It stays where it is, seen from something else that goes along.
        EXPECT_LT((motion.pose(t).apply_inverse(continued.pose(t).apply(X)) -
                   motion.pose(begin).apply_inverse(place.apply(X)))
                      .norm(),
                  1e-14);
        EXPECT_EQ(continued.velocity(t).at(X), motion.velocity(t).at(X));
        expect_velocity_is_derivative_of_pose<Dim>(continued, t, 1e-6);
    }
    const Motion<Dim> held = Motion<Dim>().continued_from(place, begin);
    EXPECT_TRUE(held.is_fixed());
    EXPECT_EQ(held.pose(5.0).apply(X), place.apply(X));
}

TYPED_TEST(RigidMotion, nothing_moves_without_keys_and_one_key_is_a_fixed_place)
{
    constexpr int Dim = TypeParam::value;
    const Vec<Dim> X = Vec<Dim>::Constant(0.7);
    EXPECT_TRUE(Motion<Dim>().is_fixed());
    EXPECT_EQ(Motion<Dim>().pose(3.0).apply(X), X);
    EXPECT_EQ(Motion<Dim>().velocity(3.0).at(X), Vec<Dim>::Zero());
    const MotionKey<Dim> key{1.0, Vec<Dim>::Ones(), Angles<Dim>::Zero()};
    const Motion<Dim> shifted(std::vector<MotionKey<Dim>>{key});
    for (const double t : {0.0, 1.0, 2.0}) {
        EXPECT_EQ(shifted.pose(t).apply(X), X + Vec<Dim>::Ones());
        EXPECT_EQ(shifted.velocity(t).at(X), Vec<Dim>::Zero());
    }
}

TEST(Motion, between_two_keys_it_is_the_smooth_step)
{
    const Motion<2> motion({at(0), at(2, 1)});
    for (const double t : {0.0, 0.3, 1.0, 1.9, 2.0}) {
        const double s = t / 2;
        EXPECT_NEAR(motion.displacement(t).move[0], s * s * (3 - 2 * s), 1e-15);
        EXPECT_NEAR(motion.rate(t).move[0], 3 * s * (1 - s), 1e-15);
    }
}

TEST(Motion, uniform_keys_move_uniformly_in_the_middle)
{
    const Motion<2> motion({at(0), at(1, 1), at(2, 2), at(3, 3), at(4, 4)});
    for (const double t : {1.0, 1.4, 2.0, 2.9}) {
        EXPECT_NEAR(motion.displacement(t).move[0], t, 1e-14);
        EXPECT_NEAR(motion.rate(t).move[0], 1.0, 1e-14);
    }
}

TEST(Motion, turns_beyond_a_full_circle_are_made)
{
    const Motion<2> wheel({at(0), at(1, 0, 0, 6 * pi)}, Interpolation::Linear);
    EXPECT_LT((wheel.pose(1.0 / 12).apply({1, 0}) - Vec<2>(0, 1)).norm(), 1e-15);
    EXPECT_NEAR(wheel.velocity(0.5).angular[0], 6 * pi, 1e-14);
    EXPECT_LT((wheel.velocity(0.5).at({0, 2}) - Vec<2>(-12 * pi, 0)).norm(), 1e-13);
}

TEST(Motion, linear_velocity_at_a_key_is_that_of_the_interval_that_begins)
{
    const Motion<2> motion({at(0), at(1, 1), at(2, 3)}, Interpolation::Linear);
    EXPECT_EQ(motion.rate(-0.1).move[0], 0.0);
    EXPECT_EQ(motion.rate(0.0).move[0], 1.0);
    EXPECT_EQ(motion.rate(1.0).move[0], 2.0);
    EXPECT_EQ(motion.rate(2.0).move[0], 0.0);
}

TEST(Motion, refuses_keys_that_are_not_finite_or_not_in_order)
{
    const auto message_of = [](const std::vector<MotionKey<2>>& keys) -> std::string {
        try {
            const Motion<2> motion(keys);
        } catch (const InputError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(message_of({{.time = 0}, {.time = 1}, {.time = 1}}),
              "motion: keys[2].time is 1, must be later than the 1 of the key before");
    EXPECT_EQ(message_of({{.time = NAN}}), "motion: keys[0].time is nan, must be finite");
    EXPECT_EQ(message_of({{.time = 0, .move = {0, INFINITY}}}),
              "motion: keys[0].move is (0, inf), must be finite");
    EXPECT_EQ(message_of({{.time = 0, .rotate = Angles<2>(NAN)}}),
              "motion: keys[0].rotate is (nan), must be finite");
}

} // namespace
} // namespace phyxel::motion_test
