// SPDX-License-Identifier: MIT
// 01_kernels: the smoothing kernels, their slopes and what they integrate to.
// Run:     example_01_kernels FOLDER         Expect: integrals of 1, and two pictures in the folder.
#include <phyxel/approx/kernels.h>

#include "svg_plot.h"
#include <numbers>

using namespace phyxel;

template <class Kernel>
void draw(const char* name, const Kernel& kernel, LineChart& values, LineChart& slopes)
{
    std::vector<double> r, value, slope;
    double integral = 0;
    for (int k = 0, steps = 400; k < steps; ++k) {
        r.push_back((k + 0.5) * kernel.support_radius() / steps);
        value.push_back(kernel.value(r.back()));
        slope.push_back(kernel.derivative(r.back()));
        integral +=
            4 * std::numbers::pi * r.back() * r.back() * value.back() * kernel.support_radius() / steps;
    }
    std::printf("%-14s integral over space %.5f\n", name, integral);
    values.add(name, r, value);
    slopes.add(name, r, slope);
}

int main(int argc, char** argv)
{
    const std::string folder = argc > 1 ? argv[1] : ".";
    LineChart values("Kernels in three dimensions, support radius 1", "distance r");
    LineChart slopes("Their slopes", "distance r");
    draw("poly6", Poly6<3>(1.0), values, slopes);
    draw("spiky", Spiky<3>(1.0), values, slopes);
    draw("cubic spline", CubicSpline<3>(1.0), values, slopes);
    draw("Wendland C2", WendlandC2<3>(1.0), values, slopes);
    values.write(folder + "/kernels.svg");
    slopes.write(folder + "/kernel_slopes.svg");
    std::printf("wrote %s/kernels.svg and kernel_slopes.svg\n", folder.c_str());
}
