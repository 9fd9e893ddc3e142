// SPDX-License-Identifier: MIT
#include <phyxel/render/kernel_figures.h>

#include <phyxel/core/error.h>
#include <phyxel/core/number_text.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>

namespace phyxel {
namespace {

/// How far beyond the support the curves go on, in support radii, to show that they stay 0.
constexpr double beyond = 1.1;

template <int Dim>
KernelCurves curves_in(KernelType type, double support_radius, int count)
{
    KernelCurves curves;
    std::visit(
        [&](const auto& kernel) {
            for (int k = 0; k < count; ++k) {
                const double r = beyond * support_radius * k / (count - 1);
                curves.distance.push_back(r);
                curves.value.push_back(kernel.value(r));
                curves.derivative.push_back(kernel.derivative(r));
                curves.second_derivative.push_back(kernel.second_derivative(r));
                curves.laplacian.push_back(kernel.laplacian(r));
            }
        },
        make_kernel<Dim>(type, support_radius).choice);
    return curves;
}

template <int Dim>
Curve viscosity_curve(const std::vector<double>& distance)
{
    Curve curve{"viscosity Laplacian", distance, {}};
    const ViscosityLaplacian<Dim> kernel(1.0);
    for (const double r : distance) curve.y.push_back(kernel.laplacian(r));
    return curve;
}

std::string title_of(KernelType type)
{
    if (type == KernelType::WendlandC2) return "Wendland C²";
    std::string name(name_of(type));
    std::replace(name.begin(), name.end(), '_', ' ');
    return name;
}

/// `m⁻³`, for powers up to 5.
std::string per_metre(int power)
{
    constexpr std::array<std::string_view, 6> raised = {"⁰", "¹", "²", "³", "⁴", "⁵"};
    return "m⁻" + std::string(raised[static_cast<std::size_t>(power)]);
}

LineChart chart_of(const std::string& title, int dimension, const std::string& label, int power,
                   std::vector<double> KernelCurves::*numbers)
{
    LineChart chart{.title = title,
                    .x = {.label = "distance r", .unit = "m"},
                    .y = {.label = label, .unit = per_metre(power)}};
    for (const KernelType type : all_kernel_types) {
        KernelCurves curves = kernel_curves(type, dimension, 1.0);
        chart.curves.push_back({title_of(type), curves.distance, curves.*numbers});
    }
    return chart;
}

} // namespace

KernelCurves kernel_curves(KernelType type, int dimension, double support_radius, int count)
{
    if (count < 2) throw InputError("a curve needs at least two points");
    switch (dimension) {
    case 1:
        return curves_in<1>(type, support_radius, count);
    case 2:
        return curves_in<2>(type, support_radius, count);
    case 3:
        return curves_in<3>(type, support_radius, count);
    default:
        throw InputError("the dimension of kernels is " + std::to_string(dimension) + ", must be 1, 2 or 3");
    }
}

FieldGrid kernel_field(KernelType type, double support_radius, int cells)
{
    if (cells < 1) throw InputError("a field needs at least one cell");
    const Vec<2> corner = Vec<2>::Constant(beyond * support_radius);
    FieldGrid grid{.min = -corner, .max = corner, .columns = cells + 1, .rows = cells + 1};
    std::visit(
        [&](const auto& kernel) {
            for (int row = 0; row <= cells; ++row)
                for (int column = 0; column <= cells; ++column)
                    grid.values.push_back(kernel.value(grid.position(column, row).norm()));
        },
        make_kernel<2>(type, support_radius).choice);
    return grid;
}

Figure kernel_figure(int dimension)
{
    Figure figure{.columns = 3, .panel_width = 370, .panel_height = 290};
    figure.panels.push_back(SurfaceChart{.title = "Poly6 kernel in the plane, h = 1 m",
                                         .field = kernel_field(KernelType::Poly6, 1.0, 30),
                                         .label = "ω (m⁻²)"});
    LineChart widths{.title = "Poly6 with three supports, " + std::to_string(dimension) + "D",
                     .x = {.label = "distance r", .unit = "m"},
                     .y = {.label = "ω", .unit = per_metre(dimension)}};
    for (const double h : {1.0, 1.5, 2.0}) {
        KernelCurves curves = kernel_curves(KernelType::Poly6, dimension, h);
        widths.curves.push_back({"h = " + number_text(h) + " m", curves.distance, curves.value});
    }
    figure.panels.push_back(std::move(widths));

    figure.panels.push_back(chart_of("Kernels, h = 1 m, " + std::to_string(dimension) + "D", dimension, "ω",
                                     dimension, &KernelCurves::value));
    figure.panels.push_back(
        chart_of("First derivative", dimension, "ω′", dimension + 1, &KernelCurves::derivative));
    figure.panels.push_back(
        chart_of("Second derivative", dimension, "ω″", dimension + 2, &KernelCurves::second_derivative));
    LineChart laplacian = chart_of("Laplacian", dimension, "Δω", dimension + 2, &KernelCurves::laplacian);
    const std::vector<double>& r = laplacian.curves.front().x;
    laplacian.curves.push_back(dimension == 1   ? viscosity_curve<1>(r)
                               : dimension == 2 ? viscosity_curve<2>(r)
                                                : viscosity_curve<3>(r));
    // That of spiky goes to −∞ at the centre and would leave nothing of the others.
    const double depth = -2.0 * kernel_curves(KernelType::Poly6, dimension, 1.0).laplacian.front();
    laplacian.y.range = ValueRange{-depth, 0.6 * depth};
    figure.panels.push_back(std::move(laplacian));
    return figure;
}

} // namespace phyxel
