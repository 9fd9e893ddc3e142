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
    std::vector<double> plane;
    std::vector<std::array<double, 2>> dots;
    for (const auto& x : nodes) {
        plane.push_back(1 + 2 * x.x() - 3 * x.y());
        dots.push_back({x.x(), x.y()});
    }

    const int cells = 80;
    for (int order : {0, 1, 2}) {
        const MlsApproximation<2> mls(nodes, 0.25, {.order = order});
        std::vector<double> phi;
        double error = 0;
        for (int k = 0; k < cells * cells; ++k) {
            const Vec<2> x((k % cells + 0.5) / cells, (std::floor(k / double(cells)) + 0.5) / cells);
            const auto shape = mls.shape_functions(x);
            phi.push_back(0);
            for (std::size_t a = 0; a < shape.ids.size(); ++a)
                if (shape.ids[a] == 0) phi.back() = shape.values[a];
            error = std::max(error, std::abs(shape.value(plane) - (1 + 2 * x.x() - 3 * x.y())));
        }
        const std::string name = "mls_order" + std::to_string(order) + ".svg";
        write_field(folder + "/" + name, "Shape function of the middle node, order " + std::to_string(order),
                    cells, phi, dots);
        std::printf("order %d: largest error of a plane %.1e; wrote %s/%s\n", order, error, folder.c_str(),
                    name.c_str());
    }
}
