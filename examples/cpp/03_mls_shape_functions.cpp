// SPDX-License-Identifier: MIT
// 03_mls_shape_functions: the shape function of one node in a random cloud, and a plane that moving least
// squares reproduces exactly where SPH does not.      Builds on: 01_kernels.
// Run:     example_03_mls_shape_functions FOLDER      Expect: errors near 1e-15 and a picture.
#include <phyxel/approx/mls_approximation.h>
#include <phyxel/core/rng.h>
#include <phyxel/render/figure.h>

#include <cstdio>

using namespace phyxel;

int main(int argc, char** argv)
{
    const std::string file = std::string(argc > 1 ? argv[1] : ".") + "/mls_shape_functions.svg";
    Rng rng(7);
    std::vector<Vec<2>> nodes = {Vec<2>(0.5, 0.5)};
    while (nodes.size() < 200) nodes.push_back(rng.point<2>(0, 1));
    std::vector<double> plane, middle(nodes.size()); // the second is 1 at the middle node and 0 elsewhere
    for (const auto& x : nodes) plane.push_back(1 + 2 * x.x() - 3 * x.y());
    middle[0] = 1;

    Figure figure{.columns = 3, .panel_width = 350, .panel_height = 310};
    for (int order : {0, 1, 2}) {
        const MlsApproximation<2> mls(nodes, 0.25, {.order = order});
        FieldChart chart{.title = "Order " + std::to_string(order), .field = {.columns = 81, .rows = 81}};
        double error = 0;
        for (int k = 0; k < 81 * 81; ++k) {
            const Vec<2> x = chart.field.position(k % 81, k / 81);
            const auto shape = mls.shape_functions(x);
            chart.field.values.push_back(shape.value(middle));
            error = std::max(error, std::abs(shape.value(plane) - (1 + 2 * x.x() - 3 * x.y())));
        }
        chart.points = nodes;
        figure.panels.push_back(chart);
        std::printf("order %d: largest error of a plane %.1e\n", order, error);
    }
    write_figure(file, figure);
    std::printf("wrote %s\n", file.c_str());
}
