// SPDX-License-Identifier: MIT
// 08_jelly: a cube of jelly falls, bounces and comes to rest.    Builds on: 05_dam_break.
// Run:     example_08_jelly FOLDER     Expect: its height swings and settles at what its weight presses it
// to.
#include <phyxel/kinds/solid/solid_body.h>
#include <phyxel/render/figure.h>
#include <phyxel/world/world.h>

#include <cstdio>

using namespace phyxel;

int main(int argc, char** argv)
{
    const std::string folder = argc > 1 ? argv[1] : ".";
    SolidPart<3> jelly{.name = "jelly", .phyxels = {}, .velocities = {}};
    jelly.phyxels = make_phyxels<3>(Shape<3>(Box<3>{Vec<3>(0, 0, 0.1), Vec<3>(0.1, 0.1, 0.2)}), 0.0125);
    jelly.velocities.assign(jelly.phyxels.size(), Vec<3>::Zero());
    jelly.material = {.density = 1000, .youngs_modulus = 2e4, .poisson_ratio = 0.4, .viscosity = 5};

    WorldOptions<3> options;
    options.clock = {.duration = 1.0, .frame_rate = 50};
    options.gravity = {Formula(0.0), Formula(0.0), Formula(-9.81)};
    options.domain = {.bounded = true, .box = {.min = Vec<3>(-1, -1, 0), .max = Vec<3>(1, 1, 1)}};
    std::vector<SolidPart<3>> parts;
    parts.push_back(std::move(jelly));
    std::vector<std::unique_ptr<Body<3>>> bodies;
    bodies.push_back(std::make_unique<SolidBody<3>>(LeapfrogOptions{}, std::move(parts)));
    World<3> world(options, std::move(bodies));

    Curve height;
    do {
        height.x.push_back(world.time());
        height.y.push_back(world.totals()[0].center[2]);
    } while (world.frame() < world.clock().last_frame() && world.advance_frame());
    LineChart chart{.title = "A cube of jelly", .x = {"time", "s"}, .y = {"height", "m"}, .curves = {height}};
    write_figure(folder + "/jelly.svg", {.panels = {chart}});
    std::printf("%zu phyxels, at rest at %.4f m\n", world.particle_count(), height.y.back());
}
