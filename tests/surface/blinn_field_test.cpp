// SPDX-License-Identifier: MIT
#include "surface_support.h"

#include <phyxel/core/error.h>
#include <phyxel/core/rng.h>
#include <phyxel/surface/blinn_field.h>
#include <phyxel/surface/marching_cubes.h>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace phyxel::blinn_field_test {
namespace {

std::vector<Vec<3>> random_phyxels(int count, std::uint64_t seed)
{
    Rng rng(seed);
    std::vector<Vec<3>> phyxels;
    for (int i = 0; i < count; ++i) phyxels.push_back(rng.point<3>(0.0, 1.0));
    return phyxels;
}

TEST(BlinnField, value_and_gradient_are_those_of_the_sum_over_all_phyxels)
{
    const std::vector<Vec<3>> phyxels = random_phyxels(200, 3);
    const BlinnShape shape{.radius = 0.1, .blobbiness = -0.8};
    const BlinnField field(phyxels, shape);
    Rng rng(4);
    for (int k = 0; k < 200; ++k) {
        const Vec<3> x = rng.point<3>(-0.2, 1.2);
        double value = 0.0;
        Vec<3> gradient = Vec<3>::Zero();
        for (const Vec<3>& p : phyxels) {
            const double r = (x - p).norm();
            const double h = 0.1 / std::sqrt(1.0 - std::exp(-0.8 / 3.0));
            if (r > h) continue;
            const double left = 1.0 - r * r / (h * h);
            value += std::exp(0.8) * std::pow(left, 3);
            gradient -= std::exp(0.8) * 6.0 * left * left / (h * h) * (x - p);
        }
        const BlinnField::Sample sample = field.sample(x);
        EXPECT_NEAR(sample.value, value, 1e-12);
        EXPECT_LT((sample.gradient - gradient).norm(), 1e-10);
    }
}

TEST(BlinnField, a_bell_has_the_height_and_the_radius_of_blinns_and_ends)
{
    for (const double B : {-0.5, -1.0, -2.0}) {
        const BlinnField field(std::vector<Vec<3>>{Vec<3>::Zero()}, {.radius = 2.0, .blobbiness = B});
        EXPECT_NEAR(field.sample(Vec<3>::Zero()).value, std::exp(-B), 1e-12);
        EXPECT_NEAR(field.sample({0, 2, 0}).value, blinn_level, 1e-12);
        EXPECT_GT(field.sample({field.reach() * (1 - 1e-6), 0, 0}).value, 0.0);
        EXPECT_EQ(field.sample({field.reach() * (1 + 1e-9), 0, 0}).value, 0.0);
    }
}

/// Displaced by up to `off`, in a slab of 16 x 16 x 6.
std::vector<Vec<3>> slab(double off)
{
    std::vector<Vec<3>> phyxels;
    Rng rng(9);
    for (int k = 0; k < 6; ++k)
        for (int j = 0; j < 16; ++j)
            for (int i = 0; i < 16; ++i) phyxels.push_back(Vec<3>(i, j, -k) + rng.point<3>(-off, off));
    return phyxels;
}

TEST(BlinnField, the_gradient_is_that_of_the_value_where_bells_are_shaped)
{
    const BlinnField field(slab(0.2), blinn_shape(1.0, -0.5));
    Rng rng(7);
    constexpr double h = 1e-5;
    for (int k = 0; k < 100; ++k) {
        const Vec<3> x = rng.point<3>(-1.0, 6.0);
        const Vec<3> gradient = field.sample(x).gradient;
        for (int axis = 0; axis < 3; ++axis) {
            const Vec<3> step = h * Vec<3>::Unit(axis);
            EXPECT_NEAR((field.sample(x + step).value - field.sample(x - step).value) / (2 * h),
                        gradient[axis], 1e-7);
        }
    }
}

/// Of the shape that a body of phyxels with the spacing 1 has.
double volume_of(const std::vector<Vec<3>>& phyxels, double blobbiness)
{
    const BlinnField field(phyxels, blinn_shape(1.0, blobbiness));
    return signed_volume(marching_cubes(field.sampled(0.1), blinn_level).mesh);
}

TEST(BlinnField, a_phyxel_by_itself_holds_its_volume_and_a_few_hold_about_theirs)
{
    for (const double B : {-0.5, -1.0, -2.0}) {
        EXPECT_NEAR(volume_of({Vec<3>(0.3, 0.1, 0.2)}, B), 1.0, 0.02) << B;
        std::vector<Vec<3>> pair = {Vec<3>::Zero(), Vec<3>(1, 0, 0)}, line, sheet, cube;
        for (int i = 0; i < 12; ++i) line.emplace_back(i, 0, 0);
        for (int j = 0; j < 10; ++j)
            for (int i = 0; i < 10; ++i) sheet.emplace_back(i, j, 0);
        for (int i = 0; i < 27; ++i) cube.emplace_back(i % 3, i / 3 % 3, i / 9);
        // Layers that are thinner than a bell lose volume where bells are low and narrow.
        const double least = B == -0.5 ? 1.0 : B == -1.0 ? 0.85 : 0.75;
        for (const double volume : {volume_of(pair, B) / 2, volume_of(line, B) / 12,
                                    volume_of(sheet, B) / 100, volume_of(cube, B) / 27}) {
            EXPECT_GT(volume, least) << B;
            EXPECT_LT(volume, 1.15) << B;
        }
    }
}

TEST(BlinnField, a_face_of_phyxels_that_lie_unevenly_is_smooth)
{
    for (const double off : {0.0, 0.2}) {
        const BlinnField field(slab(off), blinn_shape(1.0, -0.5));
        double sum = 0.0, squares = 0.0;
        for (int j = 0; j < 32; ++j)
            for (int i = 0; i < 32; ++i) {
                const double z = field.project({5.0 + i / 5.0, 5.0 + j / 5.0, 0.6}).value()[2];
                sum += z;
                squares += z * z;
            }
        const double mean = sum / 1024.0;
        EXPECT_LT(std::sqrt(squares / 1024.0 - mean * mean), off > 0.0 ? 0.06 : 0.001);
        EXPECT_NEAR(mean, 0.5, 0.06);
    }
}

TEST(BlinnField, places_are_projected_onto_the_surface_from_near_and_far)
{
    const BlinnField field(random_phyxels(300, 5), {.radius = 0.12});
    Rng rng(6);
    int deep = 0;
    for (int k = 0; k < 500; ++k) {
        const Vec<3> x = rng.point<3>(-1.0, 2.0);
        const std::optional<Vec<3>> onto = field.project(x);
        if (!onto) {
            EXPECT_GT(field.sample(x).value, blinn_level);
            ++deep;
            continue;
        }
        ASSERT_NEAR(field.sample(*onto).value, blinn_level, 1e-9) << x.transpose();
    }
    EXPECT_LT(deep, 20);
}

TEST(BlinnField, a_face_of_phyxels_is_half_a_spacing_above_them)
{
    for (const double B : {-0.5, -1.0}) {
        const BlinnField field(slab(0.0), blinn_shape(1.0, B));
        double sum = 0.0;
        for (int j = 0; j < 8; ++j)
            for (int i = 0; i < 8; ++i)
                sum += field.project({7.0 + (i + 0.5) / 8, 7.0 + (j + 0.5) / 8, 0.6}).value()[2];
        const double off = std::abs(sum / 64.0 - 0.5);
        if (B == -0.5) {
            // Known miss, since bells are shaped by their neighbours: 0.025 too low, a tenth more is too
            // much.
            EXPECT_LT(off, 1.1 * 0.0248);
            EXPECT_GT(off, 0.01) << "met: take this mark away, and say so in docs/surfaces.md";
        } else {
            EXPECT_LE(off, 0.01) << B;
        }
    }
}

TEST(BlinnField, its_mesh_is_closed_and_that_of_a_ball_holds_the_volume_of_its_phyxels)
{
    std::vector<Vec<3>> ball;
    Rng rng(8);
    for (int k = -9; k < 9; ++k)
        for (int j = -9; j < 9; ++j)
            for (int i = -9; i < 9; ++i)
                if (const Vec<3> x(i + 0.5, j + 0.5, k + 0.5); x.norm() <= 8.0)
                    ball.push_back(x + rng.point<3>(-0.1, 0.1));
    const BlinnField field(ball, blinn_shape(1.0, -0.5));
    const TriangleMesh mesh = marching_cubes(field.sampled(0.25), blinn_level).mesh;
    expect_closed_manifold(mesh);
    EXPECT_EQ(euler_characteristic(mesh), 2);
    EXPECT_NEAR(signed_volume(mesh) / static_cast<double>(ball.size()), 1.0, 0.02);
}

TEST(BlinnField, shapes_that_make_no_coat_are_refused)
{
    const std::vector<Vec<3>> one = {Vec<3>::Zero()};
    EXPECT_THROW(BlinnField(one, {.radius = 0.0}), InputError);
    EXPECT_THROW(BlinnField(one, {.radius = std::nan("")}), InputError);
    EXPECT_THROW(BlinnField(one, {.radius = 1.0, .blobbiness = 0.0}), InputError);
    EXPECT_THROW(BlinnField(std::vector<Vec<3>>{Vec<3>(0, std::nan(""), 0)}, {.radius = 1.0}), InputError);
    EXPECT_FALSE(BlinnField({}, {.radius = 1.0}).project(Vec<3>::Zero()).has_value());
}

} // namespace
} // namespace phyxel::blinn_field_test
