// SPDX-License-Identifier: MIT
// 01_kernels: the smoothing kernels, their slopes and what they integrate to.
// Run:     example_01_kernels FOLDER         Expect: integrals of 1, and a picture in the folder.
#include <phyxel/approx/kernels.h>
#include <phyxel/render/figure.h>

#include <cstdio>
#include <numbers>

using namespace phyxel;

template <class Kernel>
void draw(const char* name, const Kernel& kernel, LineChart& values, LineChart& slopes)
{
    Curve value{name, {}, {}}, slope{name, {}, {}};
    double integral = 0;
    for (int k = 0, steps = 400; k < steps; ++k) {
        const double r = (k + 0.5) * kernel.support_radius() / steps;
        value.x.push_back(r), value.y.push_back(kernel.value(r));
        slope.x.push_back(r), slope.y.push_back(kernel.derivative(r));
        integral += 4 * std::numbers::pi * r * r * kernel.value(r) * kernel.support_radius() / steps;
    }
    std::printf("%-14s integral over space %.5f\n", name, integral);
    values.curves.push_back(value);
    slopes.curves.push_back(slope);
}

int main(int argc, char** argv)
{
    const std::string file = std::string(argc > 1 ? argv[1] : ".") + "/kernels.svg";
    LineChart values{.title = "Kernels", .x = {"distance r", "m"}, .y = {"ω", "m⁻³"}};
    LineChart slopes{.title = "Their slopes", .x = {"distance r", "m"}, .y = {"ω′", "m⁻⁴"}};
    draw("poly6", Poly6<3>(1.0), values, slopes);
    draw("spiky", Spiky<3>(1.0), values, slopes);
    draw("cubic spline", CubicSpline<3>(1.0), values, slopes);
    draw("Wendland C²", WendlandC2<3>(1.0), values, slopes);
    write_figure(file, {.panels = {values, slopes}, .columns = 2});
    std::printf("wrote %s\n", file.c_str());
}
