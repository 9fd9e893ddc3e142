// SPDX-License-Identifier: MIT
#include <phyxel/core/error.h>
#include <phyxel/render/kernel_figures.h>

#include "xml_check.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <variant>

namespace phyxel::kernel_figures_test {
namespace {

TEST(KernelCurves, are_the_formulas_of_the_tutorial)
{
    constexpr double pi = std::numbers::pi;
    const double h = 0.8;
    const KernelCurves plane = kernel_curves(KernelType::Poly6, 2, h);
    const KernelCurves spiky = kernel_curves(KernelType::Spiky, 3, h);
    for (std::size_t k = 0; k < plane.distance.size(); ++k) {
        const double d = plane.distance[k];
        const double u = std::max(0.0, h * h - d * d);
        EXPECT_NEAR(plane.value[k], 4 / (pi * std::pow(h, 8)) * u * u * u, 1e-12); // [AW09, Eq. 89]
        const double v = std::max(0.0, h - d);
        EXPECT_NEAR(spiky.derivative[k], -45 / (pi * std::pow(h, 6)) * v * v, 1e-11); // [AW09, Eq. 93]
    }
    EXPECT_EQ(plane.distance.front(), 0.0);
    EXPECT_GT(plane.distance.back(), h);
}

TEST(KernelCurves, are_those_of_the_kernels)
{
    const WendlandC2<3> kernel(1.5);
    const KernelCurves curves = kernel_curves(KernelType::WendlandC2, 3, 1.5, 17);
    ASSERT_EQ(curves.distance.size(), 17u);
    for (std::size_t k = 0; k < 17; ++k) {
        const double r = curves.distance[k];
        EXPECT_NEAR(curves.value[k], kernel.value(r), 1e-12);
        EXPECT_NEAR(curves.derivative[k], kernel.derivative(r), 1e-12);
        EXPECT_NEAR(curves.second_derivative[k], kernel.second_derivative(r), 1e-12);
        EXPECT_NEAR(curves.laplacian[k], kernel.laplacian(r), 1e-12);
    }
    EXPECT_TRUE(std::isinf(kernel_curves(KernelType::Spiky, 2, 1.0).laplacian.front()));
}

TEST(KernelCurves, refuse_what_no_kernel_is)
{
    EXPECT_THROW(kernel_curves(KernelType::Poly6, 0, 1.0), InputError);
    EXPECT_THROW(kernel_curves(KernelType::Poly6, 4, 1.0), InputError);
    EXPECT_THROW(kernel_curves(KernelType::Poly6, 2, -1.0), InputError);
    EXPECT_THROW(kernel_curves(KernelType::Poly6, 2, 1.0, 1), InputError);
}

TEST(KernelField, adds_up_to_one)
{
    const FieldGrid field = kernel_field(KernelType::CubicSpline, 1.0, 200);
    double sum = 0.0;
    for (const double value : field.values) sum += value;
    const double cell = (field.max[0] - field.min[0]) / 200;
    EXPECT_NEAR(sum * cell * cell, 1.0, 1e-5);
}

TEST(KernelFigure, shows_every_kernel_and_is_well_formed)
{
    for (int dimension = 1; dimension <= 3; ++dimension) {
        const Figure figure = kernel_figure(dimension);
        ASSERT_EQ(figure.panels.size(), 6u);
        EXPECT_EQ(std::get<LineChart>(figure.panels[2]).curves.size(), all_kernel_types.size());
        EXPECT_EQ(std::get<LineChart>(figure.panels[5]).curves.size(), all_kernel_types.size() + 1);
        const std::string svg = to_svg(figure);
        EXPECT_EQ(xml_problem(svg), "");
        EXPECT_LT(svg.size(), 200000u);
    }
}

} // namespace
} // namespace phyxel::kernel_figures_test
