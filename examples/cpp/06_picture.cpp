// SPDX-License-Identifier: MIT
// 06_picture: a block of water with waves, and balls in it, drawn without a graphics card.
// Run:     example_06_picture [FOLDER]       Expect: water.jpg; the balls are bent where the water is before
// them.
#include <phyxel/geometry/shape_mesh.h>
#include <phyxel/render/color_map.h>
#include <phyxel/render/ray_tracer.h>

#include <cmath>
#include <cstdio>
#include <string>

using namespace phyxel;

int main(int argc, char** argv)
{
    const std::string folder = argc > 1 ? argv[1] : ".";

    // Any closed mesh can be a liquid. Absorption gives it its colour: red goes first.
    DrawnMesh water{.mesh = shape_mesh(Shape<3>(Box<3>{.min = {0, 0, 0}, .max = {2, 1, 0.4}})),
                    .liquid = Liquid{.absorption = {0.9f, 0.35f, 0.2f}}};
    for (Vec<3>& x : water.mesh.vertices)
        x[2] *= 1.0 + 0.12 * std::sin(7.0 * x[0] + 2.0 * x[1]) + 0.06 * std::sin(11.0 * x[1] - 4.0 * x[0]);

    DrawnSpheres balls{.radii = {0.16f}};
    for (int i = 0; i < 4; ++i) {
        balls.centers.emplace_back(0.3 + 0.47 * i, 0.5, 0.17 + 0.09 * i);
        balls.colors.push_back(palette_color(static_cast<std::size_t>(i) + 1));
    }

    RenderScene scene;
    scene.meshes.push_back(water);
    scene.spheres.push_back(balls);
    scene.ground = Ground{.point = {0, 0, -0.001}};
    const Camera camera = framing_camera({.min = {0, 0, 0}, .max = {2, 1, 0.6}}, 16.0 / 9.0);
    scene.lighting = lighting_for(camera);
    write_picture(folder + "/water.jpg",
                  develop(render_image(scene, camera, {.width = 720, .height = 405, .samples = 32})));
    std::printf("wrote %s/water.jpg\n", folder.c_str());
}
