// SPDX-License-Identifier: MIT
#include <phyxel/kinds/fluid/fluid_presets.h>
#include <phyxel/kinds/solid/solid_presets.h>
#include <phyxel/kinds/standard_kinds.h>
#include <phyxel/scene/document.h>
#include <phyxel/scene/path.h>

#include "scene_support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace phyxel::scene_test {
namespace {

const char* const least_scene = R"({
    "bodies": [ { "name": "water", "type": "fluid", "shape": { "box": { "min": [0, 0, 0], "max": [0.3, 0.3, 0.4] } },
                  "material": "water" } ],
    "domain": { "min": [0, 0, 0], "max": [1, 0.3, 0.6] } })";

/// The scene of the design, with a second obstacle and all that it leaves out.
const char* const full_scene = R"json({
  "$schema": "scene.schema.json",
  "duration": "2 s", "frame_rate": "25 Hz", "gravity": [0, "= 0.1*sin(t)", -9.81], "spacing": "1 cm", "seed": 7,
  "time_step": { "min": "1 us", "max": "1 ms" },
  "domain": { "min": [0, 0, 0], "max": ["1 m", "0.5 m", "0.6 m"], "surface": "slip",
              "sides": { "x": "wall", "y": "periodic", "z": ["wall", "open"] } },
  "bodies": [
    { "name": "water", "type": "fluid", "shape": { "box": { "min": [0, 0, 0], "max": [0.3, 0.5, 0.4] } },
      "material": { "from": "water", "viscosity": "2 mPa s" }, "velocity": ["= 0.1*sin(4*pi*y)", 0, 0],
      "angular_velocity": [0, 0, "60 rpm"],
      "solver": { "type": "wcsph", "compressibility": 0.02, "max_speed": "5 m/s" } },
    { "name": "drop", "type": "fluid", "shape": { "difference": [
        { "torus": { "center": [0.5, 0.25, 0.5], "radius": 0.1, "tube": 0.05 }, "scale": 0.5 },
        { "capsule": { "from": [0, 0, 0], "to": [1, 0, 0], "radius": 0.1 } } ], "size": "10 cm" },
      "material": { "density": 998.2, "viscosity": 1 } }
  ],
  "obstacles": [
    { "name": "post", "shape": { "mesh": "post.ply", "up": "y", "size": "20 cm", "rotate": [0, 0, "30 deg"], "at": [0.6, 0.25, 0] },
      "motion": { "keys": [ { "time": 0, "move": [0, 0, 0] }, { "time": "1 s", "move": ["10 cm", 0, 0] } ] } },
    { "name": "rod", "shape": { "intersection": [ { "cylinder": { "from": [0, 0, 0], "to": [0, 0, 1], "radius": 0.1 } },
                                                  { "union": [ { "sphere": { "center": [0, 0, 0], "radius": 1 } } ] } ] },
      "motion": { "move": ["= 0.1*sin(t)", 0, 0], "rotate": [0, 0, "= t"], "about": [1, 2, 3] } },
    { "name": "wall", "shape": { "box": { "min": [0, 0, 0], "max": [1, 1, 1] } }, "motion": "fixed" }
  ],
  "events": [ { "time": "1 s", "set": { "bodies.water.material.viscosity": "10 Pa s", "gravity[2]": 0 } } ],
  "probes": [
    { "name": "gauge", "point": [0.9, 0.25, 0.02], "field": "pressure", "every": "step" },
    { "name": "tip", "point": [0.1, 0.1, 0.1], "body": "water", "field": "displacement", "every": "10 ms" },
    { "name": "profile", "line": { "from": [0, 0, 0], "to": [1, 0, 0], "count": 5 }, "field": "velocity" },
    { "name": "flow", "plane": { "point": [0.5, 0, 0], "normal": [2, 0, 0] }, "field": "flow" },
    { "name": "tank", "body": "drop", "field": "energy" },
    { "name": "push", "obstacle": "post", "field": "torque" }
  ],
  "output": { "format": "vtk", "fields": ["velocity", "pressure", "id"], "double_precision": true },
  "render": { "size": [640, 360], "camera": { "from": [1, "-2 m", 1], "look_at": [0, 0, "20 cm"], "fov": "90 deg", "orbit": "180 deg/s" },
              "color": { "field": "pressure", "range": [0, 3000] }, "style": "dark" }
})json";

const char* const plane_scene = R"({ "dimension": 2, "count": 500, "time_step": "1 ms",
  "bodies": [ { "name": "water", "type": "fluid", "shape": { "sphere": { "center": [0, 0], "radius": 1 }, "rotate": "30 deg" },
                "velocity": ["= y", "= -x"], "angular_velocity": "1 rad/s" } ],
  "obstacles": [ { "name": "a", "shape": { "capsule": { "from": [3, 0], "to": [4, 0], "radius": "5 cm" } },
                   "motion": { "rotate": "= t" } },
                 { "name": "b", "shape": { "box": { "min": [6, 0], "max": [7, 1] } },
                   "motion": { "keys": [ { "time": 0, "rotate": "90 deg" } ], "interpolation": "linear", "about": [6, 0] } } ] })";

std::string resolved_text(const Scene& scene) { return to_text(scene.resolved()); }

const Node& at(const Scene& scene, std::string_view path) { return value_at(scene.resolved(), Path(path)); }

TEST(Scene, resolves_every_default_of_the_least_scene)
{
    const Node expected = parse_document(R"({
        "dimension": 3, "duration": 2, "frame_rate": 30, "gravity": [0, 0, -9.81], "seed": 1, "count": 20000,
        "domain": { "min": [0, 0, 0], "max": [1, 0.3, 0.6], "surface": "slip",
                    "sides": { "x": "wall", "y": "wall", "z": "wall" } },
        "bodies": [ { "type": "fluid", "name": "water",
                      "shape": { "box": { "min": [0, 0, 0], "max": [0.3, 0.3, 0.4] }, "rotate": [0, 0, 0] },
                      "velocity": [0, 0, 0], "angular_velocity": [0, 0, 0],
                      "material": { "from": "water", "density": 998.2, "viscosity": 0.001002 },
                      "solver": { "type": "dfsph", "density_tolerance": 0.0005, "divergence_tolerance": 0.001,
                                  "max_iterations": 100, "velocity_smoothing": 0.2, "support_ratio": 2,
                                  "courant_number": 0.4 } } ],
        "obstacles": [], "emitters": [], "outflows": [], "blades": [], "joints": [], "hands": [], "events": [], "probes": [],
        "output": { "format": "ply", "fields": ["velocity", "density"], "double_precision": false, "meshes": true },
        "render": { "size": [1280, 720], "camera": { "orbit": 0 }, "color": { "field": "velocity" },
                    "style": "light" } })",
                                         "expected");
    EXPECT_EQ(resolved_text(parse(least_scene)), to_text(expected));
    EXPECT_EQ(parse(least_scene).dimension(), 3);
}

TEST(Scene, gravity_points_down_in_2d_too)
{
    const Scene scene = parse(plane_scene);
    EXPECT_EQ(scene.dimension(), 2);
    EXPECT_EQ(to_line(at(scene, "gravity")), "[0, -9.81]");
}

TEST(Scene, everything_that_can_be_said_is_resolved_in_si_units)
{
    const Scene scene = parse(full_scene);
    for (
        const auto& [path, value] : std::vector<std::pair<std::string_view, std::string_view>>{
            {"frame_rate", "25"},
            {"gravity", R"json([0, "= 0.1*sin(t)", -9.81])json"},
            {"spacing", "0.01"},
            {"time_step", R"({ "min": 1e-06, "max": 0.001 })"},
            {"domain.sides", R"({ "x": "wall", "y": "periodic", "z": ["wall", "open"] })"},
            {"bodies.water.material", R"({ "from": "water", "density": 998.2, "viscosity": 0.002 })"},
            {"bodies.water.velocity", R"json(["= 0.1*sin(4*pi*y)", 0, 0])json"},
            {"bodies.water.angular_velocity[2]", "6.283185307179586"},
            {"bodies.water.solver.max_speed", "5"},
            {"bodies.drop.solver.compressibility", "0.02"},
            {"bodies.drop.material", R"({ "density": 998.2, "viscosity": 1 })"},
            {"bodies.drop.shape.difference[0].torus.axis", "[0, 0, 1]"},
            {"bodies.drop.shape.size", "0.1"},
            {"obstacles.post.shape",
             R"({ "mesh": "post.ply", "up": "y", "size": 0.2, "rotate": [0, 0, 0.5235987755982988], "at": [0.6, 0.25, 0] })"},
            {"obstacles.post.motion",
             R"({ "keys": [{ "time": 0, "move": [0, 0, 0], "rotate": [0, 0, 0] }, { "time": 1, "move": [0.1, 0, 0], "rotate": [0, 0, 0] }], "interpolation": "smooth" })"},
            {"obstacles.rod.motion",
             R"json({ "move": ["= 0.1*sin(t)", 0, 0], "rotate": [0, 0, "= t"], "about": [1, 2, 3] })json"},
            {"obstacles.wall.motion", R"("fixed")"},
            {"events[0]",
             R"({ "time": 1, "set": { "bodies.water.material.viscosity": "10 Pa s", "gravity[2]": 0 } })"},
            {"probes.tip.every", "0.01"},
            {"probes.gauge.every", R"("step")"},
            {"probes.flow.every", R"("frame")"},
            {"output",
             R"({ "format": "vtk", "fields": ["velocity", "pressure", "id"], "double_precision": true, "meshes": true })"},
            {"render.size", "[640, 360]"},
            {"render.camera",
             R"({ "from": [1, -2, 1], "look_at": [0, 0, 0.2], "fov": 1.5707963267948966, "orbit": 3.141592653589793 })"},
            {"render.color", R"({ "field": "pressure", "range": [0, 3000] })"},
            {"render.style", R"("dark")"},
        }) {
        SCOPED_TRACE(path);
        EXPECT_EQ(to_line(at(scene, path)), value);
    }
    EXPECT_EQ(scene.resolved().find("$schema"), nullptr);
    EXPECT_EQ(scene.resolved().find("count"), nullptr);
}

TEST(Scene, a_resolved_scene_reads_as_the_same_scene)
{
    for (const char* text : {least_scene, full_scene, plane_scene}) {
        const std::string once = resolved_text(parse(text));
        EXPECT_EQ(resolved_text(parse(once)), once);
    }
}

TEST(Scene, a_resolved_value_has_the_place_where_it_was_written_or_what_encloses_it)
{
    const Scene scene = parse(least_scene);
    EXPECT_EQ(at(scene, "bodies.water.material.viscosity").place().line, 3);
    EXPECT_EQ(at(scene, "bodies.water.material.viscosity").place().column, 31);
    EXPECT_EQ(at(scene, "bodies.water.solver.courant_number").place().line, 2);
    EXPECT_EQ(at(scene, "bodies.water.solver.courant_number").place().column, 17);
    EXPECT_EQ(at(scene, "duration").place().line, 1);
}

TEST(Scene, assignments_address_the_resolved_scene)
{
    const auto value = [](std::vector<std::string> assignments, std::string_view path) {
        return to_line(at(parse(least_scene, assignments), path));
    };
    EXPECT_EQ(value({"spacing=4 cm"}, "spacing"), "0.04");
    EXPECT_EQ(value({"gravity[2]=-1"}, "gravity"), "[0, 0, -1]");
    EXPECT_EQ(value({"bodies.water.material.viscosity=1"}, "bodies.water.material"),
              R"({ "from": "water", "density": 998.2, "viscosity": 1 })");
    EXPECT_EQ(value({"bodies.water.material.from=glycerol"}, "bodies[0].material"),
              R"({ "from": "glycerol", "density": 1261, "viscosity": 1.412 })");
    EXPECT_EQ(value({"bodies[0].material=honey"}, "bodies[0].material.density"), "1420");
    EXPECT_EQ(value({"bodies.water.solver.courant_number=1"}, "bodies.water.solver.courant_number"), "1");
    EXPECT_EQ(value({"time_step.max=1 ms"}, "time_step"), R"({ "max": 0.001 })");
    EXPECT_EQ(value({"domain.sides.y=periodic"}, "domain.sides.y"), R"("periodic")");
    EXPECT_EQ(value({"output.format=vtk"}, "output.format"), R"("vtk")");
    EXPECT_EQ(value({"render.size=[64, 36]"}, "render.size"), "[64, 36]");
    EXPECT_EQ(value({"render.camera.orbit=1 rad/s"}, "render.camera.orbit"), "1");
}

TEST(Scene, an_assigned_type_brings_its_own_members)
{
    // Not those of the type that it would have had, which nobody has written.
    const Scene scene = parse(least_scene, {"bodies.water.solver.type=wcsph"});
    EXPECT_EQ(to_line(at(scene, "bodies.water.solver.type")), R"("wcsph")");
    EXPECT_EQ(at(scene, "bodies.water.solver").find("density_tolerance"), nullptr);
    const Scene further =
        parse(least_scene, {"bodies.water.solver.type=wcsph", "bodies.water.solver.compressibility=0.02"});
    EXPECT_EQ(to_line(at(further, "bodies.water.solver.compressibility")), "0.02");
}

TEST(Scene, an_assignment_replaces_its_alternative)
{
    const Scene scene = parse(full_scene, {"count=100", "bodies.drop.shape.scale=2"});
    EXPECT_EQ(to_line(at(scene, "count")), "100");
    EXPECT_EQ(scene.resolved().find("spacing"), nullptr);
    EXPECT_EQ(at(scene, "bodies.drop.shape").find("size"), nullptr);
}

TEST(Scene, an_assignment_can_mend_a_scene)
{
    EXPECT_EQ(to_line(at(parse(scene_with(R"("spacing": "1 s")"), {"spacing=1"}), "spacing")), "1");
    EXPECT_EQ(
        parse(
            R"({ "bodies": [ { "name": "a", "type": "fluid", "shape": { "sphere": { "center": [0, 0], "radius": 1 } } } ] })",
            {"dimension=2"})
            .dimension(),
        2);
}

TEST(Scene, a_scene_of_a_file_finds_its_neighbours)
{
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / "phyxel_scene_test";
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "least.json") << least_scene;
    const Scene scene = Scene::read(folder / "least.json", standard_kinds());
    EXPECT_EQ(*at(scene, "bodies").place().source, (folder / "least.json").string());
    std::filesystem::remove_all(folder);
}

TEST(Materials, have_positive_values_sources_and_different_names)
{
    std::vector<std::string_view> names;
    for (const FluidPreset& preset : fluid_presets()) {
        SCOPED_TRACE(preset.name);
        EXPECT_GT(preset.density, 0.0);
        EXPECT_GT(preset.viscosity, 0.0);
        EXPECT_FALSE(preset.source.empty());
        EXPECT_TRUE(std::all_of(preset.name.begin(), preset.name.end(),
                                [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; }));
        EXPECT_EQ(std::count(names.begin(), names.end(), preset.name), 0);
        names.push_back(preset.name);
    }
    EXPECT_EQ(names.front(), "water");
}

TEST(Materials, each_can_be_named_in_a_scene)
{
    for (const FluidPreset& preset : fluid_presets()) {
        const Scene scene = parse(least_scene, {"bodies.water.material=" + std::string(preset.name)});
        EXPECT_EQ(at(scene, "bodies.water.material.density").number(), preset.density);
        EXPECT_EQ(at(scene, "bodies.water.material.viscosity").number(), preset.viscosity);
    }
}

} // namespace
} // namespace phyxel::scene_test
