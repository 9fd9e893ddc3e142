// SPDX-License-Identifier: MIT
// 02_sph_density: density of a drop of particles, and what a free surface does to it.
// Builds on: 01_kernels.
// Run:     example_02_sph_density FOLDER     Expect: 1000 kg/m³ inside, about half of it at the surface.
#include <phyxel/approx/sph.h>
#include <phyxel/render/figure.h>
#include <phyxel/search/neighbor_search.h>

#include <cstdio>

using namespace phyxel;

int main(int argc, char** argv)
{
    const std::string folder = argc > 1 ? argv[1] : ".";
    const double spacing = 0.01, support = 2.6 * spacing, rho_0 = 1000;
    std::vector<Vec<3>> x;
    for (int i = -10; i <= 10; ++i)
        for (int j = -10; j <= 10; ++j)
            for (int k = -10; k <= 10; ++k)
                if (i * i + j * j + k * k <= 100) x.push_back(spacing * Vec<3>(i, j, k));

    const std::vector<double> mass(x.size(), rho_0 * spacing * spacing * spacing);
    std::vector<double> rho(x.size());
    const NeighborLists neighbors = find_neighbors<3, double>(x, support);
    compute_density<3>(x, mass, neighbors, CubicSpline<3>(support), std::span(rho));

    std::vector<double> along, density;
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (x[i].y() != 0 || x[i].z() != 0) continue;
        along.push_back(x[i].x());
        density.push_back(rho[i]);
        std::printf("x = %6.3f m   density %7.2f kg/m3   %2zu neighbours\n", x[i].x(), rho[i],
                    neighbors.of(i).size());
    }
    LineChart chart{.title = "A drop of 10 cm radius", .x = {"x", "m"}, .y = {"density", "kg/m³"}};
    chart.curves = {{"", along, density}};
    write_figure(folder + "/sph_density.svg", {.panels = {chart}});
    std::printf("%zu particles; wrote %s/sph_density.svg\n", x.size(), folder.c_str());
}
