// SPDX-License-Identifier: MIT
// 05_dam_break: a column of water collapses in a tank, without a scene file.    Builds on: 02_sph_density.
// Run:     example_05_dam_break FOLDER     Expect: the front runs along the floor, faster and faster.
#include <phyxel/geometry/sampling.h>
#include <phyxel/kinds/fluid/fluid_body.h>
#include <phyxel/render/figure.h>
#include <phyxel/world/world.h>

#include <cstdio>

using namespace phyxel;

int main(int argc, char** argv)
{
    const std::string folder = argc > 1 ? argv[1] : ".";
    constexpr double spacing = 0.01; // m
    const Box<2> column{.min = Vec<2>(0, 0), .max = Vec<2>(0.2, 0.4)};
    const auto x = fill_lattice<2>(Shape<2>(column), spacing);
    const FluidPart<2> water{"water", x, std::vector<Vec<2>>(x.size(), Vec<2>::Zero()), spacing};
    const DfsphOptions solver{.max_speed = 2.8}; // of what falls 40 cm

    WorldOptions<2> options;
    options.clock = {.duration = 0.3, .frame_rate = 50};
    options.gravity = {Formula(0.0), Formula(-9.81)};
    options.domain = {.bounded = true, .box = {.min = Vec<2>(0, 0), .max = Vec<2>(1.2, 0.6)}};
    std::vector<std::unique_ptr<Body<2>>> bodies;
    bodies.push_back(std::make_unique<FluidBody<2>>(1000.0, solver, std::vector{water}));
    World<2> world(options, std::move(bodies));

    Curve front;
    do {
        front.x.push_back(world.time());
        front.y.push_back(world.totals()[0].bounds.max[0]);
        std::printf("t = %.2f s   front at %.3f m\n", front.x.back(), front.y.back());
    } while (world.frame() < world.clock().last_frame() && world.advance_frame());
    LineChart chart{.title = "Front of the water", .x = {"time", "s"}, .y = {"x", "m"}, .curves = {front}};
    write_figure(folder + "/dam_break_front.svg", {.panels = {chart}});
    std::printf("%zu particles; wrote %s/dam_break_front.svg\n", world.particle_count(), folder.c_str());
}
