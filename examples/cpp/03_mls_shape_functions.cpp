// SPDX-License-Identifier: MIT
// 03_mls_shape_functions: the shape function of one node in a random cloud, and a plane that moving least
// squares reproduces exactly where SPH does not.      Builds on: 01_kernels.
// Run:     example_03_mls_shape_functions FOLDER      Expect: errors near 1e-15 and three pictures.
#include <phyxel/approx/mls_approximation.h>
#include <phyxel/core/rng.h>

#include "svg_plot.h"

using namespace phyxel;

int main(int argc, char** argv)
{
    const std::string folder = argc > 1 ? argv[1] : ".";
    Rng rng(7);
    std::vector<Vec<2>> nodes = {Vec<2>(0.5, 0.5)};
    while (nodes.size() < 200) nodes.push_back(rng.point<2>(0, 1));
    std::vector<double> plane, middle(nodes.size()); // the second is 1 at the middle node and 0 elsewhere
    for (const auto& x : nodes) plane.push_back(1 + 2 * x.x() - 3 * x.y());
    middle[0] = 1;

    const int cells = 80;
    for (int order : {0, 1, 2}) {
        const MlsApproximation<2> mls(nodes, 0.25, {.order = order});
        std::vector<double> phi;
        double error = 0;
        for (int k = 0; k < cells * cells; ++k) {
            const Vec<2> x((k % cells + 0.5) / cells, (std::floor(k / double(cells)) + 0.5) / cells);
            const auto shape = mls.shape_functions(x);
            phi.push_back(shape.value(middle));
            error = std::max(error, std::abs(shape.value(plane) - (1 + 2 * x.x() - 3 * x.y())));
        }
        const std::string number = std::to_string(order), file = folder + "/mls_order" + number + ".svg";
        write_field(file, "Shape function of the middle node, order " + number, cells, phi, nodes);
        std::printf("order %d: largest error of a plane %.1e; wrote %s\n", order, error, file.c_str());
    }
}
