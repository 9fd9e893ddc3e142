// SPDX-License-Identifier: MIT
#include <phyxel/geometry/sampling.h>
#include <phyxel/kinds/fluid/fluid_body.h>
#include <phyxel/world/world.h>

#include <cstdio>
#include <memory>
#include <vector>

using namespace phyxel;

int main()
{
    // A column of water, 20 cm wide and 40 cm high, as particles 1 cm apart.
    const Box<2> column{.min = Vec<2>(0, 0), .max = Vec<2>(0.2, 0.4)};
    const std::vector<Vec<2>> x = fill_lattice<2>(Shape<2>(column), 0.01);
    const FluidPart<2> water{"water", x, std::vector<Vec<2>>(x.size(), Vec<2>::Zero()), 0.01};
    std::vector<std::unique_ptr<Body<2>>> bodies;
    bodies.push_back(
        std::make_unique<FluidBody<2>>(1000.0, DfsphOptions{.max_speed = 2.8}, std::vector{water}));

    // In a tank, under gravity, for 0.3 s.
    WorldOptions<2> options;
    options.clock = {.duration = 0.3, .frame_rate = 10};
    options.gravity = {Formula(0.0), Formula(-9.81)};
    options.domain = {.bounded = true, .box = {.min = Vec<2>(0, 0), .max = Vec<2>(1.2, 0.6)}};
    World<2> world(options, std::move(bodies));
    while (world.frame() < world.clock().last_frame() && world.advance_frame())
        std::printf("t = %.1f s, front at %.2f m\n", world.time(), world.totals()[0].bounds.max[0]);
}
