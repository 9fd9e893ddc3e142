// SPDX-License-Identifier: MIT
#include <phyxel/io/file.h>
#include <phyxel/kinds/fluid/fluid_body.h>
#include <phyxel/kinds/standard_kinds.h>
#include <phyxel/scene/build_text.h>
#include <phyxel/scene/document.h>
#include <phyxel/scene/path.h>

#include "scene_support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace phyxel::build_test {
namespace {

template <int Dim>
World<Dim>& world_of(BuiltScene& built)
{
    return *std::get<std::unique_ptr<World<Dim>>>(built.world);
}

template <int Dim>
const FluidState<Dim>& fluid_of(BuiltScene& built)
{
    return dynamic_cast<FluidBody<Dim>&>(world_of<Dim>(built).body(0)).state();
}

double derived(const BuiltScene& built, std::string_view key) { return built.derived.find(key)->number(); }

std::string box(std::string_view name, std::string_view min, std::string_view max, std::string_view more = {})
{
    return R"({ "name": ")" + std::string(name) + R"(", "type": "fluid", "shape": { "box": { "min": )" +
           std::string(min) + R"(, "max": )" + std::string(max) + " } }" + std::string(more) + " }";
}

/// Bodies in lines from 2 on, then the other members in a line each.
std::string scene_of(const std::vector<std::string>& bodies, const std::vector<std::string>& members)
{
    std::string text = "{ \"bodies\": [";
    for (std::size_t i = 0; i < bodies.size(); ++i) text += (i > 0 ? ",\n" : "\n") + bodies[i];
    text += " ]";
    for (const std::string& member : members) text += ",\n" + member;
    return text + " }";
}

const std::string unit_domain = R"("domain": { "min": [0, 0, 0], "max": [1, 1, 1] })";
const std::string half = box("a", "[0, 0, 0]", "[0.5, 1, 1]");

TEST(BuildScene, surfaces_that_run_along_themselves_hold_or_rub)
{
    BuiltScene built = build(scene_of(
        {half},
        {R"("domain": { "min": [0, 0, 0], "max": [1, 1, 1], "surface": { "velocity": [1, 0, 0] } })",
         R"("obstacles": [ { "name": "belt", "shape": { "box": { "min": [0.7, 0, 0], "max": [1, 1, 0.2] } },
                     "surface": { "friction": 0.3, "velocity": ["2 cm/s", 0, 0] } } ])"}));
    const Surroundings<3>& around = world_of<3>(built).surroundings();
    EXPECT_TRUE(around.domain.surface.no_slip);
    EXPECT_EQ(around.domain.surface.velocity, Vec<3>(1, 0, 0));
    EXPECT_FALSE(around.obstacles[0].surface.no_slip);
    EXPECT_EQ(around.obstacles[0].surface.friction, 0.3);
    EXPECT_EQ(around.obstacles[0].surface.velocity, Vec<3>(0.02, 0, 0));
}

TEST(BuildScene, fills_a_box_with_a_lattice_of_rest_density)
{
    BuiltScene built = build(scene_of({half}, {R"("spacing": "10 cm")", unit_domain}));
    EXPECT_EQ(joined(built.warnings), "");
    EXPECT_EQ(world_of<3>(built).particle_count(), 500u);
    EXPECT_EQ(world_of<3>(built).part_names(), std::vector<std::string>{"a"});
    EXPECT_EQ(derived(built, "particles"), 500.0);
    EXPECT_LT(derived(built, "initial_largest_compression"), 1e-4);
    EXPECT_NEAR(derived(built, "particle_mass"), 998.2 * 1e-3, 0.01);
    EXPECT_DOUBLE_EQ(derived(built, "support_radius"), 0.2);
    for (const Vec<3>& x : fluid_of<3>(built).position)
        for (int k = 0; k < 3; ++k) EXPECT_NEAR(std::remainder(x[k] - 0.05, 0.1), 0.0, 1e-12);
}

TEST(BuildScene, in_2d_too)
{
    BuiltScene built = build(
        R"({ "dimension": 2, "spacing": 0.1, "bodies": [ { "name": "a", "type": "fluid", "shape": { "box": { "min": [0, 0], "max": [1, 2] } } } ],
             "domain": { "min": [0, 0], "max": [3, 3] } })");
    EXPECT_EQ(joined(built.warnings), "");
    EXPECT_EQ(world_of<2>(built).particle_count(), 200u);
    EXPECT_NEAR(derived(built, "particle_mass"), 998.2 * 0.01, 0.1);
}

TEST(BuildScene, comes_close_to_the_number_of_particles_that_was_asked_for)
{
    const BuiltScene by_default = build(scene_of({half}, {}));
    EXPECT_NEAR(derived(by_default, "particles"), 20000, 400);
    const BuiltScene counted =
        build(scene_of({half, box("b", "[2, 0, 0]", "[3, 1, 1]")}, {R"("count": 1500)"}));
    EXPECT_NEAR(derived(counted, "particles"), 1500, 150);
    const BuiltScene own = build(scene_of({box("a", "[0, 0, 0]", "[1, 1, 1]", R"(, "count": 1000)")}, {}));
    EXPECT_NEAR(derived(own, "particles"), 1000, 20);
}

TEST(BuildScene, the_resolved_scene_has_what_was_chosen_and_builds_the_same_world)
{
    BuiltScene first = build(scene_of(
        {half, box("b", "[0.6, 0, 0]", "[0.8, 1, 1]",
                   R"(, "velocity": ["= y", 0, 0], "angular_velocity": [0, 0, 1])")},
        {R"("count": 3000)",
         R"("obstacles": [ { "name": "p", "shape": { "sphere": { "center": [3, 0, 0], "radius": 0.5 } }, "motion": { "rotate": [0, 0, "= t"] } } ])"}));
    const Node& resolved = first.resolved;
    EXPECT_EQ(resolved.find("count"), nullptr);
    EXPECT_EQ(resolved.find("spacing")->number(), derived(first, "spacing"));
    EXPECT_GT(value_at(resolved, Path("bodies.b.solver.max_speed")).number(), 1.0);
    EXPECT_EQ(to_line(value_at(resolved, Path("obstacles.p.motion.about"))), "[3, 0, 0]");

    BuiltScene second = build(to_text(resolved));
    EXPECT_EQ(to_text(second.resolved), to_text(resolved));
    EXPECT_EQ(to_text(second.derived), to_text(first.derived));
    EXPECT_EQ(world_of<3>(second).state_hash(), world_of<3>(first).state_hash());
}

TEST(BuildScene, velocities_follow_formulas_and_turn_about_the_centre_of_mass)
{
    BuiltScene built =
        build(scene_of({box("a", "[1, 1, 1]", "[2, 2, 2]",
                            R"(, "velocity": ["= y + t", 2, 0], "angular_velocity": [0, 0, 3])")},
                       {R"("spacing": 0.1)"}));
    const FluidState<3>& fluid = fluid_of<3>(built);
    for (std::size_t i = 0; i < fluid.size(); ++i) {
        const Vec<3>& x = fluid.position[i];
        const Vec<3> expected(x[1] - 3 * (x[1] - 1.5), 2 + 3 * (x[0] - 1.5), 0);
        EXPECT_LT((fluid.velocity[i] - expected).norm(), 1e-12);
    }
}

TEST(BuildScene, the_expected_speed_knows_gravity_obstacles_and_events)
{
    const auto speed = [](const std::string& scene) {
        return value_at(build(scene).resolved, Path("bodies[0].solver.max_speed")).number();
    };
    const std::string spacing = R"("spacing": 0.1)";
    const double still = speed(scene_of({half}, {spacing, R"("gravity": [0, 0, 0])"}));
    EXPECT_NEAR(still, 0.1, 1e-12);
    const double falling = speed(scene_of({half}, {spacing}));
    EXPECT_NEAR(falling, std::sqrt(2 * 9.81 * 0.9), 1e-6);
    EXPECT_NEAR(speed(scene_of({half}, {spacing, R"json("gravity": [0, 0, "= -9.81*min(1, t)"])json"})),
                falling, 1e-6);
    EXPECT_NEAR(speed(scene_of({half}, {spacing, R"("gravity": [0, 0, 0])",
                                        R"("events": [ { "time": 1, "set": { "gravity[2]": -9.81 } } ])"})),
                falling, 1e-6);
    const double pushed = speed(scene_of(
        {half},
        {spacing, R"("gravity": [0, 0, 0])",
         R"("obstacles": [ { "name": "p", "shape": { "sphere": { "center": [3, 0, 0], "radius": 0.5 } }, "motion": { "move": ["= 2*t", 0, 0] } } ])"}));
    EXPECT_NEAR(pushed, 2.0, 1e-6);
    EXPECT_EQ(speed(scene_of(
                  {box("a", "[0, 0, 0]", "[1, 1, 1]", R"(, "solver": { "type": "wcsph", "max_speed": 7 })")},
                  {spacing})),
              7.0);
}

TEST(BuildScene, what_is_chosen_fits_periodic_lengths)
{
    const BuiltScene built = build(scene_of(
        {half},
        {R"("domain": { "min": [0, 0, 0], "max": [1, 1, 1.5], "sides": { "y": "periodic", "z": "periodic" } })"}));
    const double spacing = derived(built, "spacing");
    EXPECT_NEAR(std::remainder(1.0, spacing), 0.0, 1e-9);
    EXPECT_NEAR(std::remainder(1.5, spacing), 0.0, 1e-9);
    EXPECT_NEAR(derived(built, "particles"), 20000, 2000);
}

TEST(BuildScene, probes_and_output_are_those_of_the_scene)
{
    BuiltScene built = build(scene_of(
        {half},
        {R"("spacing": 0.1)",
         R"("output": { "format": "vtk", "fields": ["pressure", "velocity", "pressure", "id"], "double_precision": true })",
         R"("probes": [ { "name": "gauge", "point": [0.2, 0.2, 0.2], "field": "velocity" },
                 { "name": "line", "line": { "from": [0, 0, 0], "to": [1, 0, 0], "count": 2 }, "field": "density" },
                 { "name": "tank", "body": "a", "field": "volume" } ])"}));
    EXPECT_EQ(built.fields, std::vector<std::string>{"pressure"});
    EXPECT_EQ(built.format, FrameFormat::Vtk);
    EXPECT_TRUE(built.double_precision);
    EXPECT_EQ(joined(world_of<3>(built).probe_columns()),
              "gauge.x\ngauge.y\ngauge.z\nline[0]\nline[1]\ntank");
}

TEST(BuildScene, a_mesh_is_filled_like_the_shape_it_draws)
{
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / "phyxel_build_test";
    std::filesystem::create_directories(folder);
    const auto write_cube = [&](const char* name, double size, bool has_lid) {
        std::ofstream file(folder / name);
        for (int i = 0; i < 8; ++i)
            file << "v " << size * (i / 4) << ' ' << size * (i / 2 % 2) << ' ' << size * (i % 2) << '\n';
        file << "f 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\n";
        if (has_lid) file << "f 2 6 8 4\n";
    };
    write_cube("cube.obj", 1, true);
    write_cube("open.obj", 1, false);
    write_cube("large.obj", 1000, true);
    std::ofstream(folder / "flat.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    std::ofstream(folder / "nan.obj") << "v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    const auto scene = [&](const std::string& shape) {
        return Scene::parse(
            "{ \"spacing\": 0.1, \"bodies\": [ { \"name\": \"a\", \"type\": \"fluid\",\n\"shape\": " + shape +
                " } ] }",
            "a.json", folder, standard_kinds());
    };
    const std::string path = folder.string() + '/';

    EXPECT_EQ(derived(build_scene(scene(R"({ "mesh": "cube.obj" })"), large_machine()), "particles"), 1000.0);
    EXPECT_EQ(
        derived(
            build_scene(
                scene(
                    R"({ "difference": [ { "mesh": "cube.obj" }, { "mesh": "cube.obj", "scale": 0.5 } ] })"),
                large_machine()),
            "particles"),
        875.0);
    const BuiltScene open = build_scene(scene(R"({ "mesh": "open.obj" })"), large_machine());
    EXPECT_NE(joined(open.warnings)
                  .find("a.json:2:20: bodies[0].shape.mesh: " + path +
                        "open.obj: 4 edges at 1 hole, look at the shape that comes out, or repair the file"),
              std::string::npos)
        << joined(open.warnings);
    EXPECT_EQ(to_line(value_at(open.resolved, Path("bodies.a.shape.mesh"))), R"("open.obj")");
    const BuiltScene large =
        build_scene(scene("{ \"mesh\": \"large.obj\" }, \"spacing\": 100"), large_machine());
    EXPECT_EQ(joined(large.warnings),
              "a.json:2:20: bodies[0].shape.mesh: the shape is 1000 m long, if the file is in "
              "another unit, give \"size\" or \"scale\" beside it");

    const auto error = [&](const std::string& shape) {
        return error_of([&] { static_cast<void>(build_scene(scene(shape), large_machine())); });
    };
    EXPECT_EQ(error(R"({ "mesh": "no.ply" })"),
              "a.json:2:20: bodies[0].shape.mesh: " + path + "no.ply: cannot read: it does not exist");
    EXPECT_EQ(error(R"({ "mesh": "no.txt" })"),
              "a.json:2:20: bodies[0].shape.mesh: " + path +
                  "no.txt: files of the kind \".txt\" cannot be read; allowed: "
                  ".ply, .obj, .stl, .off, .xyz, .vtp");
    EXPECT_EQ(error(R"({ "union": [ { "mesh": "flat.obj" }, { "mesh": "nan.obj" } ] })"),
              "a.json:2:33: bodies[0].shape.union[0].mesh: " + path +
                  "flat.obj: mesh encloses no volume: its sides are (1, 1, 0)\n"
                  "a.json:2:57: bodies[0].shape.union[1].mesh: " +
                  path + "nan.obj: 1 of 3 vertices are not finite numbers, the first is number 0");
    std::filesystem::remove_all(folder);
}

struct Case {
    std::string scene;
    std::string lines;
};

TEST(BuildScene, bodies_may_have_spacings_of_their_own)
{
    const std::string fine = box("b", "[0.5, 0, 0]", "[1, 1, 1]", R"(, "spacing": 0.1)");
    const BuiltScene built = build(scene_of({half, fine}, {R"("spacing": 0.25)"}));
    EXPECT_EQ(built.derived.find("particles_of_bodies")->find("a")->number(), 2 * 4 * 4);
    EXPECT_EQ(built.derived.find("particles_of_bodies")->find("b")->number(), 5 * 10 * 10);
    EXPECT_EQ(built.derived.find("spacing_of_bodies")->find("a")->number(), 0.25);
    EXPECT_EQ(built.resolved.find("spacing")->number(), 0.25);
    const Node& bodies = *built.resolved.find("bodies");
    EXPECT_EQ(bodies.items()[0].find("spacing"), nullptr);
    EXPECT_EQ(bodies.items()[1].find("spacing")->number(), 0.1);
    EXPECT_EQ(
        joined_beside_fall(built.warnings),
        "a.json:2:1: bodies[0]: the spacing is 0.25 m here and 0.1 m in another fluid, where they meet "
        "they will not mix well, keep spacings within twice each other\n"
        "a.json:1:13: bodies: the fluid starts compressed by up to 3.3 % (0.025 % on average), more than "
        "the 1 % that its solver is meant for, leave a spacing between bodies, and half a spacing to "
        "walls and obstacles");
}

TEST(BuildScene, errors_before_anything_is_made)
{
    const std::string coarse = R"("spacing": 0.1)";
    for (
        const auto& [scene, lines] : std::vector<Case>{
            {scene_of({box("a", "[2, 0, 0]", "[3, 1, 1]")}, {unit_domain, coarse}),
             "a.json:2:42: bodies[0].shape: the body lies outside the domain, which reaches from (0, 0, 0) "
             "to (1, 1, 1)"},
            {scene_of(
                 {box("a", "[0.4, 0.4, 0.4]", "[0.6, 0.6, 0.6]")},
                 {R"("spacing": 0.05)",
                  R"("obstacles": [ { "name": "p", "shape": { "box": { "min": [0, 0, 0], "max": [1, 1, 1] } } } ])"}),
             "a.json:2:42: bodies[0].shape: the body lies inside obstacles[0] (p), move one of them"},
            {scene_of(
                 {box("a", "[2, 2, 2]", "[3, 3, 3]")},
                 {R"("spacing": 0.1)",
                  R"("obstacles": [ { "name": "p", "shape": { "box": { "min": [0, 0, 0], "max": [1, 1, 1] } }, "container": true } ])"}),
             "a.json:2:42: bodies[0].shape: the body lies outside obstacles[0] (p), move one of them"},
            {scene_of({half}, {R"("spacing": 3)"}), "a.json:1:13: bodies: there is no particle at all, a "
                                                    "spacing of 3 m is larger than every body, choose a "
                                                    "smaller spacing"},
            {scene_of({half, box("b", "[0.5, 0, 0]", "[1, 1, 1]", R"(, "spacing": 0.5)")}, {coarse}),
             "a.json:3:1: bodies[1]: the spacing is 0.5 m here and 0.1 m in another fluid, spacings of "
             "fluids "
             "must not differ by more than 4 times"},
            {scene_of({half},
                      {R"("domain": { "min": [0, 0, 0], "max": [1, 1, 1], "sides": { "y": "periodic" } })",
                       R"("spacing": "3 cm")"}),
             "a.json:3:65: domain.sides.y: the periodic length 1 m is no whole number of spacings of 0.03 m, "
             "the "
             "nearest spacing that fits is 0.0303030303 m"},
            {scene_of({half},
                      {R"("domain": { "min": [0, 0, 0], "max": [1, 1, 1], "sides": { "y": "periodic" } })",
                       R"("spacing": "50 cm")"}),
             "a.json:3:65: domain.sides.y: the periodic length 1 m is less than two support radii of 1 m, "
             "make the "
             "domain longer or the spacing smaller"},
            {scene_of({half}, {R"("spacing": 1e-6)"}), "a.json:3:12: spacing: a spacing of 1e-06 m gives "
                                                       "about 5e+17 particles, at most 4294967295 can be "
                                                       "numbered; choose a larger spacing"},
            {scene_of({half}, {R"("spacing": 1e-80)"}), "a.json:3:12: spacing: a spacing of 1e-80 m gives "
                                                        "about 5e+239 particles, at most 4294967295 can be "
                                                        "numbered; choose a larger spacing"},
            {scene_of(
                 {box("a", "[0, 0, 0]", "[0.5, 1, 1]", R"json(, "velocity": ["= 1/0", "= log(-x)", 0])json")},
                 {coarse}),
             "a.json:2:108: bodies[0].velocity[0]: the velocity at (0.05, 0.05, 0.05) is infinite, must be "
             "finite\n"
             "a.json:2:117: bodies[0].velocity[1]: the velocity at (0.05, 0.05, 0.05) is not a number, must "
             "be finite"},
            {scene_of({box("a", "[0, 0, 0]", "[0.5, 1, 1]", R"(, "velocity": [1e200, 0, 0])")}, {coarse}),
             "a.json:1:13: bodies: something will move at infinity m/s, check velocities, motions, gravity "
             "and "
             "sizes"},
            {scene_of({half},
                      {R"("domain": { "min": [0, 0, 0], "max": [1e9, 1, 1], "sides": { "x": "periodic" } })",
                       R"("spacing": 1e-9)"}),
             "a.json:3:67: domain.sides.x: spacing is 1e-09, too small for a length of 1e+09\n"
             "a.json:4:12: spacing: a spacing of 1e-09 m gives about 5e+26 particles, at most 4294967295 can "
             "be "
             "numbered; choose a larger spacing"},
            {scene_of({half}, {coarse, R"json("gravity": [0, 0, "= 1/(1-t)"])json"}),
             "a.json:4:19: gravity[2]: gravity at (0.05, 0.05, 0.05) and 1 s is infinite, must be finite"},
            {scene_of({half}, {coarse, R"json("gravity": [0, "= sqrt(-x)", 0])json"}),
             "a.json:4:16: gravity[1]: gravity at (0.05, 0.05, 0.05) and 0 s is not a number, must be "
             "finite"},
            {scene_of(
                 {half},
                 {R"("domain": { "min": [0, 0, 0], "max": [1, 0.70001, 1], "sides": { "x": "periodic", "y": "periodic" } })",
                  R"("spacing": "3 cm")"}),
             "a.json:3:71: domain.sides.x: the periodic length 1 m is no whole number of spacings of 0.03 m, "
             "the nearest spacing that fits is 0.0303030303 m, but none near it fits all periodic lengths; "
             "make one a multiple of the other\n"
             "a.json:3:88: domain.sides.y: the periodic length 0.70001 m is no whole number of spacings of "
             "0.03 m, the nearest spacing that fits is 0.03043521739 m, but none near it fits all periodic "
             "lengths; make one a multiple of the other"},
            {scene_of(
                 {half},
                 {coarse,
                  R"json("obstacles": [ { "name": "p", "shape": { "sphere": { "center": [3, 0, 0], "radius": 1 } }, "motion": { "move": ["= log(t)", 0, 0] } } ])json"}),
             "a.json:4:102: obstacles[0].motion: the motion is not finite at 0 s, must be finite at all "
             "times"},
            {scene_of(
                 {half},
                 {coarse,
                  R"("obstacles": [ { "name": "p", "shape": { "intersection": [ { "sphere": { "center": [3, 0, 0], "radius": 1 } }, { "sphere": { "center": [9, 0, 0], "radius": 1 } } ] } } ])"}),
             "a.json:4:58: obstacles[0].shape.intersection: its shapes have nothing in common"},
        }) {
        SCOPED_TRACE(scene);
        EXPECT_EQ(build_error(scene), lines);
    }
}

TEST(BuildScene, errors_when_the_machine_is_too_small)
{
    EXPECT_EQ(build_error(scene_of({half}, {R"("spacing": 0.01)"}), {.memory = 1e8, .cores = 2}),
              "a.json:3:12: spacing: 500000 particles need about 578 MB of memory, and 100 MB are "
              "available, choose a "
              "larger spacing or a smaller count");
    EXPECT_EQ(build_error(scene_of({half}, {R"("count": 4000000000)"}), {.memory = 1e9, .cores = 2}),
              "a.json:3:10: count: 4000000000 particles need about 4.62 TB of memory, and 1 GB are "
              "available, choose a "
              "larger spacing or a smaller count");
    EXPECT_EQ(build_error(scene_of({half}, {R"("spacing": 0.1)", R"("duration": 1000)"}),
                          {.disk = 1e8, .cores = 2}),
              "a.json:1:1: output: 30001 frames of 500 particles need about 570 MB of disk, and 100 "
              "MB are free, choose "
              "a larger spacing, a lower frame_rate or another folder");
    EXPECT_EQ(build_error(scene_of({half}, {R"("spacing": 0.1)",
                                            R"("probes": [ { "name": "p", "line": )"
                                            R"({ "from": [0, 0, 0], "to": [1, 1, 1], "count": 100000 }, )"
                                            R"("field": "pressure", "every": "step" } ])"}),
                          {.disk = 1e8, .cores = 2}),
              "a.json:4:11: probes: probes.csv needs about 662 MB of disk, and 100 MB are free, read fewer "
              "places, or "
              "read them less often with \"every\"");
}

TEST(BuildScene, warns_of_what_will_not_look_as_meant)
{
    const std::string coarse = R"("spacing": 0.1)";
    const std::string bump =
        R"("obstacles": [ { "name": "p", "shape": { "sphere": { "center": [0, 0, 0], "radius": 0.3 } } } ])";
    for (
        const auto& [scene, lines] : std::vector<Case>{
            {scene_of({box("a", "[0.5, 0, 0]", "[1.5, 1, 1]")}, {unit_domain, coarse}),
             "a.json:2:42: bodies[0].shape: 500 of 1000 particles lie outside the domain and are "
             "left out, make the "
             "domain larger or the shape smaller"},
            {scene_of({half, box("b", "[0.25, 0, 0]", "[1, 1, 1]")}, {coarse}),
             "a.json:3:42: bodies[1].shape: 200 of 700 particles lie inside bodies[0] (a), move one "
             "of them, or cut it "
             "with a \"difference\"\n"
             "a.json:1:13: bodies: the fluid starts compressed by up to 99 % (34 % on average), "
             "more than the 1 % that "
             "its solver is meant for, leave a spacing between bodies, and half a spacing to walls "
             "and obstacles"},
            {scene_of({half}, {coarse, bump}), "a.json:2:42: bodies[0].shape: 17 of 500 particles inside "
                                               "obstacles[0] (p) are left out, move one of "
                                               "them, or cut the body with a \"difference\""},
            {scene_of({half, box("b", "[2, 0, 0]", "[2.01, 1, 1]"), box("c", "[4, 0, 0]", "[4.15, 1, 1]")},
                      {coarse}),
             "a.json:3:42: bodies[1].shape: there is no particle in it, a spacing of 0.1 m is too "
             "large, choose a "
             "smaller spacing\n"
             "a.json:3:42: bodies[1].shape: the shape is 0.01 m thin, less than two spacings of 0.1 "
             "m, choose a "
             "spacing of at most 0.005 m\n"
             "a.json:4:42: bodies[2].shape: the shape is 0.15 m thin, less than two spacings of 0.1 "
             "m, choose a "
             "spacing of at most 0.075 m"},
            {scene_of({half}, {coarse, R"("time_step": "1 s")"}),
             "a.json:4:14: time_step: a step of 1 s is longer than the 0.0095 s that are safe, "
             "make it smaller or "
             "leave it out"},
            {scene_of({half}, {coarse, R"("events": [ { "time": 5, "set": { "gravity": [0, 0, 0] } } ])"}),
             "a.json:4:23: events[0].time: the event at 5 s never happens, the scene ends at 2 s, "
             "choose an earlier "
             "time or a longer duration"},
            {scene_of(
                 {half},
                 {coarse, R"("domain": { "min": [0, 0, 0], "max": [1, 1, 1], "sides": { "y": "periodic" } })",
                  R"("obstacles": [ { "name": "p", "shape": { "sphere": { "center": [0.8, 0, 0.5], "radius": 0.2 } } },)"
                  R"({ "name": "q", "shape": { "sphere": { "center": [0.8, 0.5, 0.5], "radius": 0.2 } } },)"
                  R"({ "name": "r", "shape": { "capsule": { "from": [0.8, -1, 0.1], "to": [0.8, 2, 0.1], "radius": 0.1 } } } ])"}),
             "a.json:5:40: obstacles[0].shape: the obstacle reaches one periodic side of y and is not "
             "repeated at the other, let it reach beyond both sides, or keep it away from them"},
            {scene_of(
                 {half},
                 {coarse,
                  R"("probes": [ { "name": "p", "point": [3, 0.45, 0.45], "body": "a", "field": "position" },)"
                  "\n"
                  R"({ "name": "q", "point": [0, 0, 0], "body": "a", "field": "position", "every": "10 us" } ])"}),
             "a.json:5:79: probes[1].every: 1e-05 s is much shorter than a step of about 0.0067 s, and every "
             "time it is read ends a step, choose a longer time, or \"step\"\n"
             "a.json:4:37: probes[0].point: the point is not in a, whose nearest particle is 2.55 m away, "
             "move the point into the body"},
            {scene_of({box("a", "[0, 0, 0]", "[0.5, 1, 1]", R"(, "solver": { "type": "wcsph" })")},
                      {coarse, R"("duration": 1e6)"}),
             "a.json:3:12: spacing: the run will take about 1.28 days, try a larger spacing first"},
        }) {
        SCOPED_TRACE(scene);
        EXPECT_EQ(joined_beside_fall(build(scene).warnings), lines);
    }
}

const std::string tap =
    R"("emitters": [ { "name": "tap", "body": "a", "shape": { "box": { "min": [0.3, 0.3, 0.5], "max": [0.7, 0.7, 0.9] } }, "velocity": [0, 0, -2] } ])";

TEST(BuildScene, a_body_without_a_shape_is_filled_by_emitters)
{
    const BuiltScene built =
        build(scene_of({R"({ "name": "a", "type": "fluid" })"}, {unit_domain, R"("spacing": 0.1)", tap}));
    EXPECT_EQ(joined(built.warnings), "");
    World<3>& world = *std::get<std::unique_ptr<World<3>>>(built.world);
    EXPECT_EQ(world.particle_count(), 64u); // what the shape holds
    EXPECT_EQ(built.derived.find("particles")->number(), 0.0);
    // 4 × 4 columns, and 2 m/s for 2 s pass 40 layers.
    EXPECT_NEAR(built.derived.find("emitted_particles")->number(), 16 * 44, 16);
}

TEST(BuildScene, a_count_is_that_of_what_emitters_give_where_nothing_else_is)
{
    const BuiltScene built =
        build(scene_of({R"({ "name": "a", "type": "fluid" })"}, {unit_domain, R"("count": 10000)", tap}));
    EXPECT_NEAR(built.derived.find("emitted_particles")->number(), 10000.0, 1500.0);
}

TEST(BuildScene, a_container_holds_what_is_in_its_shape)
{
    const std::string ball =
        R"("obstacles": [ { "name": "ball", "shape": { "sphere": { "center": [0.5, 0.5, 0.5], "radius": 0.4 } }, "container": true } ])";
    const BuiltScene built =
        build(scene_of({box("a", "[0, 0, 0]", "[1, 1, 0.5]")}, {R"("spacing": 0.05)", ball}));
    World<3>& world = *std::get<std::unique_ptr<World<3>>>(built.world);
    const BodyTotals<3> total = world.totals()[0];
    EXPECT_NEAR(total.bounds.min[2], 0.5 - 0.4, 0.05);
    EXPECT_GT(total.particles, 800u);
    EXPECT_LT(total.particles, 1100u);
    ASSERT_EQ(built.warnings.size(), 1u);
    EXPECT_NE(built.warnings[0].find("particles outside obstacles[0] (ball) are left out"),
              std::string::npos);
    for (int frame = 0; frame < 10; ++frame) ASSERT_TRUE(world.advance_frame());
    const Snapshot water = world.snapshots({})[0];
    EXPECT_EQ(water.points.size(), total.particles);
    for (const auto& x : water.points)
        EXPECT_LT((Vec<3>(x[0], x[1], x[2]) - Vec<3>::Constant(0.5)).norm(), 0.4);
}

TEST(BuildScene, says_what_is_wrong_with_emitters)
{
    const std::string body = R"({ "name": "a", "type": "fluid" })";
    const std::string coarse = R"("spacing": 0.1)";
    EXPECT_EQ(
        build_error(scene_of({body}, {coarse})),
        "a.json:2:1: bodies[0]: the body has no shape, and no emitter feeds it, expected \"shape\", or an "
        "emitter with its name as \"body\"");
    EXPECT_EQ(
        build_error(scene_of(
            {body},
            {coarse,
             R"("emitters": [ { "name": "tap", "body": "a", "shape": { "sphere": { "center": [0, 0, 0], "radius": 0.001 } }, "velocity": [0, 0, -2] } ])"})),
        "a.json:4:54: emitters[0].shape: the shape is narrower than a spacing, choose another shape, or a "
        "spacing below 0.1 m");
    EXPECT_EQ(
        joined(
            build(
                scene_of(
                    {half},
                    {coarse, unit_domain,
                     R"("emitters": [ { "name": "tap", "body": "a", "start": 7, "shape": { "box": { "min": [0.6, 0.3, 0.8], "max": [0.8, 0.5, 1.2] } }, "velocity": [0, 0, -2] } ])"}))
                .warnings),
        "a.json:5:54: emitters[0].start: the emitter opens at 7 s, the scene ends at 2 s, choose an earlier "
        "start "
        "or a longer duration\n"
        "a.json:5:66: emitters[0].shape: 8 of the 16 particles that fill it are outside the domain, move the "
        "emitter");
}

TEST(BuildScene, the_velocity_of_an_emitter_may_change_its_size_but_not_its_direction)
{
    const auto scene = [](const std::string& velocity) {
        return scene_of(
            {R"({ "name": "a", "type": "fluid" })"},
            {R"("spacing": 0.1)", unit_domain,
             R"("emitters": [ { "name": "tap", "body": "a", "shape": { "box": { "min": [0.3, 0.3, 0.5], "max": [0.7, 0.7, 0.9] } },
"velocity": )" + velocity +
                 " } ]"});
    };
    // Half of what it would be at full speed, beside the 64 that fill the shape at first.
    const auto emitted = [&](const std::string& velocity) {
        return build(scene(velocity)).derived.find("emitted_particles")->number();
    };
    const double full = emitted("[0, 0, -2]") - 64.0;
    EXPECT_NEAR(emitted(R"([0, 0, "= -t"])") - 64.0, 0.5 * full, 0.02 * full);
    EXPECT_NEAR(emitted(R"v([0, 0, "= -2*(1-max(0, 1-1000*t))"])v") - 64.0, full, 0.02 * full);
    for (const auto& [velocity, error] : std::vector<std::pair<std::string, std::string>>{
             {R"([0, 0, "= x"])", "a.json:6:20: emitters[0].velocity[2]: the formula uses x, allowed: t"},
             {R"v([0, 0, "= cos(t*pi)"])v",
              "a.json:6:13: emitters[0].velocity: the velocity at 0.500977 s has another direction than the "
              "fastest one, an emitter keeps its direction, and only its speed may change"},
             {R"([0, 0, "= 1/t"])",
              "a.json:6:13: emitters[0].velocity: the velocity at 0 s is not finite, an "
              "emitter keeps its direction, and only its speed may change"}}) {
        SCOPED_TRACE(velocity);
        EXPECT_EQ(build_error(scene(velocity)), error);
    }
}

TEST(BuildScene, warns_of_probes_and_hands_that_touch_nothing)
{
    EXPECT_EQ(
        joined(
            build(
                scene_of(
                    {half},
                    {R"("spacing": 0.1)", unit_domain,
                     R"("obstacles": [ { "name": "post", "shape": { "box": { "min": [0.7, 0.2, 0], "max": [0.9, 0.8, 1] } } } ])",
                     R"("probes": [ { "name": "p", "point": [0.5, 0.5, 3], "field": "pressure" },
{ "name": "q", "point": [0.8, 0.5, 0.5], "field": "pressure" },
{ "name": "r", "plane": { "point": [2, 0, 0], "normal": [1, 0, 0] }, "field": "flow" },
{ "name": "s", "line": { "from": [0.5, 0.5, 2], "to": [0.5, 0.5, 0.5], "count": 3 }, "field": "pressure" },
{ "name": "u", "line": { "from": [0.5, 0.5, 2], "to": [0.5, 0.5, 4], "count": 3 }, "field": "pressure" } ])"}))
                .warnings),
        "a.json:6:37: probes[0].point: the point is outside the domain, where nothing gets to, move it, or "
        "it "
        "reads zeros\n"
        "a.json:7:25: probes[1].point: the point is inside obstacles[0] (post), where nothing gets to, move "
        "it, "
        "or it reads zeros\n"
        "a.json:8:25: probes[2].plane: the plane does not cross the domain, move it, or it reads zeros\n"
        "a.json:10:24: probes[4].line: nothing gets to the line, which is outside the domain or inside "
        "obstacles, move it, or it reads zeros");
}

TEST(BuildScene, warns_of_a_hand_that_pushes_nothing)
{
    const auto warnings = [](const std::string& motion) {
        return joined(build(scene_of({half}, {R"("spacing": 0.1)", unit_domain,
                                              R"("hands": [ { "name": "h", "type": "push", "radius": 0.1, )"
                                              "\n"
                                              R"("at": [0.5, 0.5, 1.5])" +
                                                  motion + " } ]"}))
                          .warnings);
    };
    EXPECT_EQ(
        warnings("").substr(0, 96),
        "a.json:6:7: hands[0].at: the hand touches no body where bodies are at the start, the nearest is ");
    EXPECT_EQ(warnings(R"(, "motion": { "move": [0, 0, "= -t"] })"), "") << "it comes down to the body";
}

TEST(BuildScene, shares_are_written_without_powers)
{
    EXPECT_EQ(detail::percent(1.0), "100 %");
    EXPECT_EQ(detail::percent(0.995), "100 %");
    EXPECT_EQ(detail::percent(0.123), "12 %");
    EXPECT_EQ(detail::percent(12.3456), "1235 %");
}

TEST(BuildScene, estimates_what_a_run_needs)
{
    const BuiltScene built = build(scene_of({half}, {R"("spacing": 0.1)", R"("duration": "1 s")"}));
    EXPECT_EQ(built.estimate.particles, 500u);
    EXPECT_EQ(built.estimate.frames, 31u);
    EXPECT_NEAR(static_cast<double>(built.estimate.steps), 1 / derived(built, "expected_time_step"), 1.0);
    EXPECT_NEAR(built.estimate.memory, 500 * 1156, 500);
    EXPECT_NEAR(built.estimate.disk, 31 * (500 * 36 + 1000) + 3 * 500 * 60, 1.0);
    EXPECT_GT(built.estimate.seconds, 0.0);
}

TEST(BuildScene, estimates_only_the_frames_that_are_asked_for_but_simulates_from_zero)
{
    const Scene scene = parse(scene_of({half}, {R"("spacing": 0.1)", R"("duration": "1 s")"}));
    const BuiltScene whole = build_scene(scene, large_machine());
    const BuiltScene part = build_scene(scene, large_machine(), {.first = 6, .end = 16});
    EXPECT_EQ(part.estimate.frames, 10u);
    const BuiltScene shorter = build(scene_of({half}, {R"("spacing": 0.1)", R"("duration": "0.5 s")"}));
    EXPECT_EQ(part.estimate.steps, shorter.estimate.steps);
    EXPECT_LT(part.estimate.disk, whole.estimate.disk);
    EXPECT_EQ(part.derived, whole.derived); // or a manifest would tell the two apart
}

TEST(BuildScene, a_probe_that_is_read_often_makes_steps_and_rows)
{
    const auto estimate = [](const std::string& every) {
        return build(scene_of({half},
                              {R"("spacing": 0.1)", R"("duration": "1 s")",
                               R"("probes": [ { "name": "p", "body": "a", "field": "center", "every": )" +
                                   every + " } ]"}))
            .estimate;
    };
    EXPECT_NEAR(estimate(R"("frame")").disk, 31 * (500 * 36 + 1000) + 3 * 500 * 60 + 31 * (4 * 21 + 3), 1.0);
    EXPECT_EQ(estimate(R"("0.1 ms")").steps, 10000u);
    EXPECT_NEAR(estimate(R"("0.1 ms")").disk - estimate(R"("frame")").disk, 9970 * 87, 100);
}

TEST(BuildScene, this_machine_has_memory_and_a_disk)
{
    const Machine machine = this_machine("a/folder/that/does/not/exist");
    EXPECT_GT(machine.memory, 1e6);
    EXPECT_LT(machine.memory, 1e16);
    EXPECT_GE(machine.disk, 0.0);
    EXPECT_LT(machine.disk, 1e20);
    EXPECT_GE(machine.cores, 1);
}

} // namespace
} // namespace phyxel::build_test
