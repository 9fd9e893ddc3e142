// SPDX-License-Identifier: MIT
#include "surface_support.h"

#include <phyxel/core/error.h>
#include <phyxel/core/rng.h>
#include <phyxel/surface/blinn_field.h>
#include <phyxel/surface/marching_cubes.h>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace phyxel {
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
            if (r > field.reach()) continue;
            const double a = 0.8 / (0.1 * 0.1);
            const double bell = std::exp(0.8) * std::exp(-a * r * r);
            value += bell;
            gradient -= 2 * a * bell * (x - p);
        }
        const BlinnField::Sample sample = field.sample(x);
        EXPECT_NEAR(sample.value, value, 1e-12);
        EXPECT_LT((sample.gradient - gradient).norm(), 1e-10);
    }
}

TEST(BlinnField, bells_end_where_they_are_a_ten_thousandth_of_the_level)
{
    for (const double B : {-0.5, -1.0, -2.0}) {
        const BlinnField field(std::vector<Vec<3>>{Vec<3>::Zero()}, {.radius = 2.0, .blobbiness = B});
        EXPECT_NEAR(field.sample({field.reach() * (1 - 1e-9), 0, 0}).value, 1e-4, 1e-9);
        EXPECT_EQ(field.sample({field.reach() * (1 + 1e-9), 0, 0}).value, 0.0);
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
    std::vector<Vec<3>> slab;
    for (int k = 0; k < 6; ++k)
        for (int j = 0; j < 16; ++j)
            for (int i = 0; i < 16; ++i) slab.emplace_back(i, j, -k);
    for (const double B : {-0.5, -1.0}) {
        const BlinnField field(slab, {.radius = blinn_radius(1.0, B), .blobbiness = B});
        double sum = 0.0;
        for (int j = 0; j < 8; ++j)
            for (int i = 0; i < 8; ++i)
                sum += field.project({7.0 + (i + 0.5) / 8, 7.0 + (j + 0.5) / 8, 0.6}).value()[2];
        EXPECT_NEAR(sum / 64.0, 0.5, 0.01) << B;
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
    const BlinnField field(ball, {.radius = blinn_radius(1.0, -0.5)});
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
} // namespace phyxel
