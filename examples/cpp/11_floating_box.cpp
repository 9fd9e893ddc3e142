// SPDX-License-Identifier: MIT
// 11_floating_box: a box of wood falls into water and floats.    Builds on: 05_dam_break.
// Run:     example_11_floating_box     Expect: it ends about 4.5 cm deep, 45 % of its height.
#include <phyxel/geometry/sampling.h>
#include <phyxel/kinds/fluid/fluid_body.h>
#include <phyxel/kinds/rigid/rigid_body.h>
#include <phyxel/world/world.h>

#include <cstdio>

using namespace phyxel;

int main()
{
    const Shape<2> pool(Box<2>{.min = Vec<2>(0, 0), .max = Vec<2>(0.6, 0.2)});
    const Shape<2> wood(Box<2>{.min = Vec<2>(0.2, 0.22), .max = Vec<2>(0.4, 0.32)});
    const std::vector<Vec<2>> x = fill_lattice<2>(pool, 0.01);
    const FluidPart<2> water{"water", x, std::vector<Vec<2>>(x.size(), Vec<2>::Zero()), 0.01};
    RigidPart<2> box{.name = "box", .model = make_rigid_model(wood, {.density = 450.0})};
    box.particles = fill_lattice<2>(wood, 0.01);
    box.spacing = 0.01;

    std::vector<std::unique_ptr<Body<2>>> bodies;
    bodies.push_back(
        std::make_unique<FluidBody<2>>(1000.0, DfsphOptions{.max_speed = 2.0}, std::vector{water}));
    bodies.push_back(
        std::make_unique<RigidBody<2>>(std::vector{box}, 1, std::vector<RigidJoint<2>>{}, x.size()));
    WorldOptions<2> options;
    options.clock = {.duration = 1.5, .frame_rate = 10};
    options.gravity = {Formula(0.0), Formula(-9.81)};
    options.domain = {.bounded = true, .box = {.min = Vec<2>(0, 0), .max = Vec<2>(0.6, 0.5)}};
    World<2> world(options, std::move(bodies));
    while (world.frame() < world.clock().last_frame() && world.advance_frame()) {}

    // What lies below the level, with the volume that it displaces.
    const double level = 0.2 + 0.45 * 0.2 * 0.1 / 0.6;
    const double depth = level - (world.totals()[1].center[1] - 0.05);
    std::printf("%.1f cm deep, %.0f %% of its height\n", 100.0 * depth, 100.0 * depth / 0.1);
    return depth > 0.035 && depth < 0.055 ? 0 : 1;
}
