// SPDX-License-Identifier: MIT
// 05_dam_break: a column of water collapses in a tank, without a scene file.
// Builds on: 02_sph_density, 04_neighbor_search.
// Run:     example_05_dam_break FOLDER     Expect: the front runs along the floor, faster and faster.
#include <phyxel/geometry/sampling.h>
#include <phyxel/world/fluid_body.h>
#include <phyxel/world/world.h>

#include "svg_plot.h"

using namespace phyxel;

int main(int argc, char** argv)
{
    const std::string folder = argc > 1 ? argv[1] : ".";
    const double spacing = 0.01, support = 2.6 * spacing, rho_0 = 1000;
    const Box<2> column{.min = Vec<2>(0, 0), .max = Vec<2>(0.2, 0.4)};

    WorldOptions<2> options;
    options.clock = {.duration = 0.3, .frame_rate = 50};
    options.gravity = {Formula(0.0), Formula(-9.81)};
    options.domain = {.bounded = true, .box = {.min = Vec<2>(0, 0), .max = Vec<2>(1.2, 0.6)}};
    options.probes = {{"front", BodyProbe{"water"}, "bounds"}};

    FluidPart<2> water{
        .name = "water", .positions = fill_lattice<2>(Shape<2>(column), spacing), .velocities = {}};
    water.velocities.assign(water.positions.size(), Vec<2>::Zero());
    const FluidModel model{.spacing = spacing,
                           .support_radius = support,
                           .particle_mass = lattice_particle_mass<2>(rho_0, spacing, support),
                           .rest_density = rho_0};
    std::vector<std::unique_ptr<Body<2>>> bodies;
    bodies.push_back(
        std::make_unique<FluidBody<2>>(model, WcsphOptions{.max_speed = 2.8}, std::vector{water}));
    World<2> world(options, std::move(bodies));

    std::vector<double> time, front;
    while (world.frame() < world.clock().last_frame() && world.advance_frame()) {
        time.push_back(world.time());
        front.push_back(world.totals()[0].bounds.max[0]);
        std::printf("t = %.2f s   front %.3f m   %zu steps\n", world.time(), front.back(),
                    world.step_count());
    }
    LineChart chart("Front of a collapsing column", "t [s]");
    chart.add("m", time, front);
    chart.write(folder + "/dam_break_front.svg");
    std::printf("%zu particles; wrote %s/dam_break_front.svg\n", world.particle_count(), folder.c_str());
}
