// SPDX-License-Identifier: MIT
// 13_melting_cube: a cube of chocolate melts in hot air, and sets in cold air.    Builds on: 09_live_scene.
// Run:     example_13_melting_cube FOLDER     Expect: a flat cake, solid again, in a closed mesh.
#include <phyxel/geometry/mesh_check.h>
#include <phyxel/io/ply.h>
#include <phyxel/kinds/standard_kinds.h>
#include <phyxel/scene/live_scene.h>
#include <phyxel/surface/coat_mesh.h>

#include <cstdio>
using namespace phyxel;
constexpr const char* text = R"({ "spacing": "7.5 mm", "domain": { "min": [-1, -1, 0], "max": [1, 1, 1] },
    "duration": "1.2 s", "frame_rate": 25, "bodies": [ { "name": "cube", "type": "solid",
        "shape": { "box": { "min": [0, 0, 0], "max": [0.06, 0.06, 0.06] } }, "skin": { "detail": 18 }, "solver": { "type": "leapfrog" },
        "material": { "from": "chocolate", "youngs_modulus": "0.1 MPa", "poisson_ratio": 0.4, "viscosity": 1,
                      "conductivity": 2000, "molten": { "youngs_modulus": "20 kPa", "viscosity": 4 } },
        "regions": [ { "name": "all", "shape": { "box": { "min": [-1, -1, -1], "max": [1, 1, 1] } },
                       "air": { "temperature": "90 °C", "exchange": 250000 } } ] } ],
    "events": [ { "time": "0.5 s", "set": { "bodies.cube.regions.all.air.temperature": "0 °C" } } ] })";

int main(int argc, char** argv)
{
    BuiltScene built = build_scene(Scene::parse(text, "cube", ".", standard_kinds()));
    World<3>& world = *std::get<std::unique_ptr<World<3>>>(built.world);
    while (world.frame() < world.clock().last_frame() && world.advance_frame()) {}
    const Snapshot cube = world.snapshots(std::vector<std::string>{"liquid_fraction"}).front();
    const auto& liquid = std::get<std::vector<double>>(cube.find("liquid_fraction")->values);
    const bool is_solid = std::all_of(liquid.begin(), liquid.end(), [](double part) { return part == 0; });

    Snapshot coat = surface_snapshot(cube); // surfels: points with normals and axes
    const CoatMeshOptions options{.spacing = 0.06 / std::cbrt(double(cube.points.size())),
                                  .radius = vectors_of(*coat.find("axis_u")).front().norm()};
    const std::vector<Vec<3>> normals = vectors_of(*coat.find("normal"));
    coat.surface = surface_mesh(coat_mesh(cube.points, {}, coat.points, normals, options));
    write_ply(std::string(argc > 1 ? argv[1] : ".") + "/melted_cube.ply", surface_snapshot(coat));
    const MeshReport mesh = check_mesh({coat.surface->vertices, coat.surface->triangles});
    std::printf("%s, %.0f mm high, %.0f ml\n", mesh.is_clean() ? "closed" : "open", 1e3 * mesh.bounds.max[2],
                1e6 * mesh.signed_volume); // 216 ml
    return is_solid && mesh.is_clean() && std::abs(mesh.signed_volume / 2.16e-4 - 1) < 0.1 ? 0 : 1;
}
