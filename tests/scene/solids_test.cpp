// SPDX-License-Identifier: MIT
// Solids in scenes: how they are read, what is said about mistakes, and what becomes of them.
#include <phyxel/kinds/fluid/fluid_body.h>
#include <phyxel/kinds/fluid/fluid_presets.h>
#include <phyxel/kinds/solid/solid_body.h>
#include <phyxel/kinds/solid/solid_presets.h>
#include <phyxel/kinds/standard_kinds.h>
#include <phyxel/scene/document.h>
#include <phyxel/scene/path.h>

#include "scene_support.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace phyxel::solids_test {
namespace {

const char* const least_scene =
    R"({ "bodies": [ { "name": "bar", "type": "solid", "shape": { "box": { "min": [0, 0, 0], "max": [1, 0.2, 0.2] } } } ] })";

/// A bar of 10 × 2 × 2 phyxels from x = 0 to 1, with these members in the second line.
std::string bar(std::string_view members = {}, std::string_view spacing = "0.1")
{
    return R"({ "name": "bar", "type": "solid", "shape": { "box": { "min": [0, 0, 0], "max": [1, 0.2, 0.2] } }, "skin": { "detail": 0 }, "spacing": )" +
           std::string(spacing) + (members.empty() ? "" : ",\n") + std::string(members) + " }";
}

std::string bar_scene(std::string_view members = {}, std::string_view more = {})
{
    return "{ \"bodies\": [ " + bar(members) + " ]" + (more.empty() ? "" : ",\n") + std::string(more) + " }";
}

/// A region of the bar: what is below x = 0.25 unless another shape is given.
std::string region(std::string_view what,
                   std::string_view shape = R"({ "box": { "min": [-1, -1, -1], "max": [0.25, 1, 1] } })")
{
    return R"({ "name": "end", "shape": )" + std::string(shape) + (what.empty() ? "" : ", ") +
           std::string(what) + " }";
}

std::string region_scene(std::string_view what) { return bar_scene("\"regions\": [ " + region(what) + " ]"); }

World<3>& world_of(BuiltScene& built) { return *std::get<std::unique_ptr<World<3>>>(built.world); }

double derived(const BuiltScene& built, std::string_view key) { return built.derived.find(key)->number(); }

/// Members of a snapshot's field, all components one after the other.
std::vector<double> field_of(const Snapshot& snapshot, std::string_view name)
{
    std::vector<double> numbers;
    std::visit([&](const auto& values) { numbers.assign(values.begin(), values.end()); },
               snapshot.find(name)->values);
    return numbers;
}

TEST(SolidScene, the_least_solid_is_jelly_with_every_default)
{
    const Scene scene = parse(least_scene);
    for (
        const auto& [path, value] : std::vector<std::pair<std::string_view, std::string_view>>{
            {"bodies.bar",
             R"({ "type": "solid", "name": "bar", "shape": { "box": { "min": [0, 0, 0], "max": [1, 0.2, 0.2] }, "rotate": [0, 0, 0] }, "velocity": [0, 0, 0], "angular_velocity": [0, 0, 0], )"
             R"("material": { "from": "jelly", "law": "neo_hookean", "density": 1050, "youngs_modulus": 10000, "poisson_ratio": 0.45, "damping": 0, "viscosity": 5, "friction": 0.5, "plastic_flow": "return", "creep_rate": 0, "hardening": 0, "hardening_limit": 0, "hardening_rate": 0, "strength_variation": 0, "crack_speed": 0.4, "grain": [], "conductivity": 0.55, "heat_capacity": 3900, "thermal_expansion": 7e-05, "melting_point": 303.15, "melting_range": 6, "latent_heat": 20000, "flows": false }, )"
             R"("surface": "slip", "sampling": "lattice", "support_ratio": 1.6, "levels": 0, "merges_with": [], "regions": [], )"
             R"("solver": { "type": "leapfrog", "stabilization": 0.1, "courant_number": 0.5 }, "skin": { "blobbiness": -0.5 }, "cracks": [] })"},
            {"output.fields", R"(["velocity", "stress"])"},
        }) {
        SCOPED_TRACE(path);
        EXPECT_EQ(to_line(value_at(scene.resolved(), Path(path))), value);
    }
}

const std::string matrix =
    R"([[3, 1, 1, 0, 0, 0], [1, "3 Pa", 1, 0, 0, 0], [1, 1, 3, 0, 0, 0], [0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 1, 0], [0, 0, 0, 0, 0, 1]])";

const std::string full_scene =
    R"json({ "seed": 3, "bodies": [
    { "name": "bar", "type": "solid", "shape": { "box": { "min": [0, 0, 0], "max": [1, 0.2, 0.2] } },
      "material": { "from": "rubber", "law": "neo_hookean", "youngs_modulus": "2 MPa", "volume_stiffness": 0, "damping": "2/s", "viscosity": "3 Pa s", "friction": 0.2 },
      "spacing": "10 cm", "sampling": "poisson_disk", "support_ratio": 3, "velocity": ["= y", 0, "1 m/s"], "angular_velocity": [0, 0, "60 rpm"],
      "regions": [
        { "name": "held", "shape": { "box": { "min": [-1, -1, -1], "max": [0.25, 1, 1] } }, "motion": "fixed" },
        { "name": "turned", "shape": { "box": { "min": [0.75, -1, -1], "max": [2, 1, 1] } }, "motion": { "rotate": ["= t", 0, 0] } },
        { "name": "pulled", "shape": { "sphere": { "center": [0.5, 0.1, 0.1], "radius": 0.2 } }, "force": [0, 0, "= 2*t"] },
        { "name": "pressed", "shape": { "sphere": { "center": [0.5, 0.1, 0.1], "radius": 0.2 } }, "pressure": "1 kPa" },
        { "name": "hung", "shape": { "sphere": { "center": [0.5, 0.1, 0.1], "radius": 0.2 } }, "spring": { "stiffness": "1 kN/m", "to": [0, 0, 1], "damping": "2 N s/m" } } ],
      "solver": { "type": "implicit", "stabilization": 0.2, "time_step": "20 ms", "tolerance": 0.01, "newton_iterations": 1, "linear_iterations": 50 },
      "skin": { "detail": 0 } },
    { "name": "grain", "type": "solid", "shape": { "sphere": { "center": [3, 0, 0], "radius": 0.2 } },
      "material": { "density": 500, "stiffness": )json" +
    matrix + R"json( }, "skin": { "detail": 8 } } ],
  "output": { "fields": ["strain", "energy"] } })json";

TEST(SolidScene, everything_that_can_be_said_is_resolved_in_si_units)
{
    const Scene scene = parse(full_scene);
    for (
        const auto& [path, value] : std::vector<std::pair<std::string_view, std::string_view>>{
            {"bodies.bar.material",
             R"({ "from": "rubber", "law": "neo_hookean", "density": 930, "youngs_modulus": 2000000, "poisson_ratio": 0.49, "volume_stiffness": 0, "damping": 2, "viscosity": 3, "friction": 0.2, "plastic_flow": "return", "creep_rate": 0, "hardening": 0, "hardening_limit": 0, "hardening_rate": 0, "strength_variation": 0, "crack_speed": 0.4, "grain": [], "conductivity": 0.14, "heat_capacity": 1900, "thermal_expansion": 0.00022, "melting_range": 0, "latent_heat": 0, "flows": false })"},
            {"bodies.bar.sampling", R"("poisson_disk")"},
            {"bodies.bar.regions.held.motion", R"("fixed")"},
            {"bodies.bar.regions.turned.motion", R"({ "move": [0, 0, 0], "rotate": ["= t", 0, 0] })"},
            {"bodies.bar.regions.pulled.force", R"([0, 0, "= 2*t"])"},
            {"bodies.bar.regions.pressed.pressure", "1000"},
            {"bodies.bar.regions.hung.spring", R"({ "stiffness": 1000, "to": [0, 0, 1], "damping": 2 })"},
            {"bodies.bar.solver",
             R"({ "type": "implicit", "stabilization": 0.2, "time_step": 0.02, "tolerance": 0.01, "newton_iterations": 1, "linear_iterations": 50 })"},
            {"bodies.grain.solver.time_step", "0.02"},
            {"bodies.grain.material.stiffness[1]", "[1, 3, 1, 0, 0, 0]"},
            {"bodies.grain.material.density", "500"},
            {"bodies.grain.material.law", R"("st_venant_kirchhoff")"},
        }) {
        SCOPED_TRACE(path);
        EXPECT_EQ(to_line(value_at(scene.resolved(), Path(path))), value);
    }
    EXPECT_EQ(value_at(scene.resolved(), Path("bodies.grain.material")).find("youngs_modulus"), nullptr);
}

TEST(SolidScene, a_resolved_scene_reads_as_the_same_scene_and_builds_the_same_world)
{
    for (const std::string& text : {std::string(least_scene), full_scene}) {
        const std::string once = to_text(parse(text).resolved());
        EXPECT_EQ(to_text(parse(once).resolved()), once);
    }
    BuiltScene first = build(full_scene);
    EXPECT_EQ(to_line(value_at(first.resolved, Path("bodies.bar.regions.turned.motion.about"))),
              "[1.375, 0, 0]");
    BuiltScene second = build(to_text(first.resolved));
    EXPECT_EQ(to_text(second.resolved), to_text(first.resolved));
    EXPECT_EQ(to_text(second.derived), to_text(first.derived));
    EXPECT_EQ(world_of(second).state_hash(), world_of(first).state_hash());
}

struct Case {
    std::string text;
    std::string_view error;
};

TEST(SolidScene, errors_of_bodies_and_materials)
{
    for (
        const auto& [members, error] : std::vector<Case>{
            {R"("material": "water")",
             R"(a.json:2:13: bodies[0].material: "water" is a fluid, allowed: jelly, foam, gelatine, dough, putty, clay, muscle, silicone, rubber, cork, wax, chocolate, polyethylene, wood, softwood, ceramic, brittle_glass, concrete, glass, aluminium, lead, mild_steel, steel)"},
            {R"("material": { "from": "jely" })",
             R"(a.json:2:23: bodies[0].material.from: unknown word "jely", did you mean "jelly"? allowed: jelly, foam, gelatine, dough, putty, clay, muscle, silicone, rubber, cork, wax, chocolate, polyethylene, wood, softwood, ceramic, brittle_glass, concrete, glass, aluminium, lead, mild_steel, steel)"},
            {R"("material": 1)",
             R"(a.json:2:13: bodies[0].material: expected a material such as "jelly", or an object with its properties, found 1)"},
            {R"("material": {})",
             R"(a.json:2:13: bodies[0].material: missing key "density", expected it, or "from" with the name of a material)"
             "\n"
             R"(a.json:2:13: bodies[0].material: missing key "youngs_modulus", expected it, or "from" with the name of a material)"
             "\n"
             R"(a.json:2:13: bodies[0].material: missing key "poisson_ratio", expected it, or "from" with the name of a material)"},
            {R"("material": { "from": "jelly", "youngs_modulus": 0, "poisson_ratio": 0.5, "volume_stiffness": -1, "law": "hooke", "damping": "1 s", "color": 1 })",
             R"(a.json:2:50: bodies[0].material.youngs_modulus: 0 Pa is out of range, must be above 0 Pa)"
             "\n"
             R"(a.json:2:70: bodies[0].material.poisson_ratio: 0.5 is out of range, must be above -1 and at most 0.499)"
             "\n"
             R"(a.json:2:95: bodies[0].material.volume_stiffness: -1 Pa is out of range, must be at least 0 Pa)"
             "\n"
             R"(a.json:2:106: bodies[0].material.law: unknown word "hooke", allowed: st_venant_kirchhoff, neo_hookean, corotated)"
             "\n"
             R"(a.json:2:126: bodies[0].material.damping: expected a frequency such as "30 Hz", found a time)"
             "\n"
             R"(a.json:2:133: bodies[0].material: unknown key "color", allowed: from, law, density, youngs_modulus, poisson_ratio, volume_stiffness, stiffness, damping, viscosity, friction, …)"},
            {R"("material": { "density": 1, "stiffness": [1, 2] })",
             R"(a.json:2:42: bodies[0].material.stiffness: expected a list of 6 lists of 6, each a pressure such as "1 kPa", found a list of 2)"},
            {R"("material": { "density": 1, "youngs_modulus": 1, "stiffness": )" + matrix + " }",
             R"(a.json:2:47: bodies[0].material.youngs_modulus: youngs_modulus and stiffness are both given, use one of them)"},
            {R"("material": { "from": "wood", "law": "neo_hookean", "stiffness": )" + matrix + " }",
             R"(a.json:2:66: bodies[0].material.stiffness: stiffness goes with the law st_venant_kirchhoff only)"},
            {R"("material": { "density": 1, "stiffness": [[1, 2, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 1, 0], [0, 0, 0, 0, 0, 1]] })",
             R"(a.json:2:42: bodies[0].material.stiffness: stiffness is not symmetric)"},
            {R"("sampling": "random")",
             R"(a.json:2:13: bodies[0].sampling: unknown word "random", allowed: lattice, jittered, poisson_disk)"},
            {R"("support_ratio": 1)",
             R"(a.json:2:18: bodies[0].support_ratio: 1 is out of range, must be at least 1.2 and at most 4)"},
            {R"("count": 5)",
             R"(a.json:2:10: bodies[0].count: spacing and count are both given, use one of them)"},
            {R"("solver": { "type": "dfsph" })",
             R"(a.json:2:21: bodies[0].solver.type: unknown word "dfsph", allowed: leapfrog, implicit, quasi_static)"},
            {R"("solver": { "type": "implicit", "time_stp": 1, "tolerance": 0 })",
             R"(a.json:2:33: bodies[0].solver: unknown key "time_stp", did you mean "time_step"? allowed: type, stabilization, time_step, tolerance, newton_iterations, linear_iterations)"
             "\n"
             R"(a.json:2:61: bodies[0].solver.tolerance: 0 is out of range, must be above 0 and at most 0.1)"},
        }) {
        SCOPED_TRACE(members);
        // Lists of what is allowed grow.
        std::string found = parse_error(bar_scene(members));
        const std::string_view more = "…";
        if (error.ends_with(more)) found = found.substr(0, error.size() - more.size()) + std::string(more);
        EXPECT_EQ(found, error);
    }
    EXPECT_EQ(
        parse_error(R"({ "bodies": [ { "name": "a", "type": "solid" } ] })"),
        R"(a.json:1:15: bodies[0]: missing key "shape", expected a shape such as { "box": { "min": [0, 0, 0], "max": [1, 1, 1] } })");
    EXPECT_EQ(
        parse_error(scene_with(R"("spacing": 0.1)"), {"bodies.water.material=jelly"}),
        R"(bodies.water.material=jelly: bodies[0].material: "jelly" is a solid, allowed: water, seawater, milk, ethanol, olive_oil, glycerol, honey, mercury)");
    EXPECT_EQ(parse_error(least_scene, {"bodies.bar.skin.detail=3"}),
              "bodies.bar.skin.detail=3: bodies[0].skin.detail: 3 cells are too few, must be 0 or at "
              "least 4");
    EXPECT_EQ(
        parse_error(
            R"({ "dimension": 2, "bodies": [ { "name": "a", "type": "solid", "shape": { "sphere": { "center": [0, 0], "radius": 1 } }, "skin": {} } ] })"),
        R"(a.json:1:121: bodies[0]: unknown key "skin", allowed: type, name, shape, spacing, count, velocity, angular_velocity, ignores, start, material, surface, temperature, air, sampling, support_ratio, levels, merges_with, regions, solver, cracks)");
}

TEST(SolidScene, errors_of_regions)
{
    for (
        const auto& [what, error] : std::vector<Case>{
            {"",
             R"(a.json:2:14: bodies[0].regions[0]: nothing is done to the region, expected one of motion, force, pressure, spring, or one of temperature, heat_flux, air)"},
            {R"("motion": "fixed", "force": [0, 0, 1])",
             R"(a.json:2:14: bodies[0].regions[0]: motion, force are given together, expected one of motion, force, pressure, spring)"},
            {R"("force": [0, "= x", "1 m"])",
             R"(a.json:2:110: bodies[0].regions[0].force[1]: the formula uses x, allowed: t)"
             "\n"
             R"(a.json:2:117: bodies[0].regions[0].force[2]: expected a force such as "1 N", found a length)"},
            {R"("pressure": "1 N")",
             R"(a.json:2:109: bodies[0].regions[0].pressure: expected a pressure such as "1 kPa", found a force)"},
            {R"("spring": { "stiffness": 0, "damping": -1 })",
             R"(a.json:2:107: bodies[0].regions[0].spring: missing key "to", expected a list of 3, each a length such as "1 cm")"
             "\n"
             R"(a.json:2:122: bodies[0].regions[0].spring.stiffness: 0 N/m is out of range, must be above 0 N/m)"
             "\n"
             R"(a.json:2:136: bodies[0].regions[0].spring.damping: -1 N s/m is out of range, must be at least 0 N s/m)"},
        }) {
        SCOPED_TRACE(what);
        EXPECT_EQ(parse_error(region_scene(what)), error);
    }
    EXPECT_EQ(
        parse_error(bar_scene("\"regions\": [ " + region(R"("motion": "fixed")") + ", " +
                              region(R"("pressure": 1)") + " ]")),
        R"(a.json:2:128: bodies[0].regions[1].name: the name "end" is used by regions[0] already, names must differ)");
}

TEST(SolidScene, errors_of_what_goes_together)
{
    for (
        const auto& [scene, error] : std::vector<Case>{
            {"{ \"bodies\": [ " + bar(R"("solver": { "type": "leapfrog" })") + ",\n" +
                 R"({ "name": "b", "type": "solid", "shape": { "sphere": { "center": [0, 0, 3], "radius": 1 } }, "solver": { "type": "implicit" } } ] })",
             R"(a.json:3:104: bodies[1].solver: type is "implicit" here and "leapfrog" in bodies[0], all solids have one solver; give it in one of them only)"},
            {bar_scene(R"("solver": { "type": "quasi_static" })"),
             R"(a.json:1:15: bodies[0]: nothing holds the body, so it has no equilibrium, expected a region with "motion": "fixed", or another solver)"},
            {bar_scene("", R"("output": { "fields": ["stress", "density"] })"),
             R"(a.json:2:34: output.fields[1]: no body of the scene has the field "density", allowed: velocity, id, strain, stress, energy, stress_tensor, deformation_gradient, plastic_strain, temperature, liquid_fraction, volume_ratio, fragment, rest_position)"},
            {scene_with(R"("output": { "fields": ["stress", "density"] })"),
             R"(a.json:2:24: output.fields[0]: no body of the scene has the field "stress", allowed: velocity, id, density, pressure)"},
            {bar_scene("", R"("probes": [ { "name": "p", "point": [0, 0, 0], "field": "density" } ])"),
             R"(a.json:2:57: probes[0].field: a point has no field "density", allowed: velocity, strain, stress, energy, stress_tensor, deformation_gradient, plastic_strain, temperature, liquid_fraction, volume_ratio, fragment, rest_position)"},
            {bar_scene(
                 "",
                 R"("probes": [ { "name": "p", "point": [0, 0, 0], "body": "bar", "field": "pressure" } ])"),
             R"(a.json:2:72: probes[0].field: a point of a body has no field "pressure", allowed: position, displacement, velocity, strain, stress, energy, stress_tensor, deformation_gradient, plastic_strain, temperature, liquid_fraction, volume_ratio, fragment, rest_position)"},
            {bar_scene(
                 "",
                 R"("emitters": [ { "name": "e", "body": "bar", "velocity": [1, 0, 0], "shape": { "sphere": { "center": [0, 0, 3], "radius": 1 } } } ])"),
             R"(a.json:2:38: emitters[0].body: "bar" is a solid, and emitters feed fluids, known: none)"},
            {bar_scene(
                 R"("solver": { "type": "quasi_static" }, "material": { "from": "jelly", "flows": true },
                "regions": [ { "name": "end", "motion": "fixed", "shape": { "sphere": { "center": [0, 0, 0], "radius": 1 } } } ])"),
             R"(a.json:1:15: bodies[0]: what flows or melts has no equilibrium, use the solver implicit or leapfrog, or another material)"},
            {bar_scene(R"("material": { "from": "jelly", "law": "corotated" }, "merges_with": ["bar"])"),
             R"(a.json:2:69: bodies[0].merges_with: the law of the body forgets its stress where it fuses, leave it out, or use the law neo_hookean
a.json:2:70: bodies[0].merges_with[0]: a body is one with itself, leave it out)"},
            {bar_scene("", R"("render": { "color": { "field": "strain" } })"),
             R"(a.json:2:33: render.color.field: frames have no field "strain", allowed: body, id, velocity, stress, and what output.fields adds)"},
        }) {
        SCOPED_TRACE(scene);
        EXPECT_EQ(parse_error(scene), error);
    }
}

TEST(SolidScene, regions_select_what_is_in_them_at_rest)
{
    const auto moved = [](std::string_view shape, std::string_view what) {
        BuiltScene built = build(bar_scene("\"regions\": [ " + region(what, shape) + " ]",
                                           R"("gravity": [0, 0, 0], "duration": 0.02, "frame_rate": 100)"));
        World<3>& world = world_of(built);
        while (world.frame() < 2) {
            if (!world.advance_frame()) ADD_FAILURE() << "no frame";
            if (world.failure()) break;
        }
        const Snapshot solid = world.snapshots({})[0];
        std::size_t count = 0;
        for (const double v : field_of(solid, "velocity"))
            if (std::abs(v - 0.5) < 1e-9) ++count;
        return count;
    };
    const std::string pushed = R"("motion": { "move": ["= 0.5*t", 0, 0] })";
    EXPECT_EQ(moved(R"({ "box": { "min": [-1, -1, -1], "max": [0.3, 1, 1] } })", pushed), 12u);
    // Places on the surface count.
    EXPECT_EQ(moved(R"({ "box": { "min": [-1, -1, -1], "max": [0.25, 1, 1] } })", pushed), 12u);
    EXPECT_EQ(moved(R"({ "box": { "min": [-1, -1, -1], "max": [0.2499, 1, 1] } })", pushed), 8u);
}

TEST(SolidScene, errors_before_anything_is_made)
{
    for (
        const auto& [scene, lines] : std::vector<Case>{
            {bar_scene(
                 "\"regions\": [ " +
                 region(R"("motion": "fixed")", R"({ "box": { "min": [-1, 0, 0], "max": [0, 1, 1] } })") +
                 " ]"),
             "a.json:2:40: bodies[0].regions[0].shape: there is no phyxel in it, the nearest is 0.05 m away, "
             "make it larger; phyxels lie half a spacing of 0.1 m inside the body"},
            {bar_scene(
                 "\"regions\": [ " + region(R"("motion": "fixed")") + ",\n" +
                 R"({ "name": "b", "motion": { "move": ["= t", 0, 0] }, "shape": { "box": { "min": [0.2, 0, 0], "max": [0.5, 1, 1] } } } ])"),
             "a.json:3:26: bodies[0].regions[1].motion: 4 phyxels are moved by bodies[0].regions[0] (end) "
             "already, regions that move must not overlap"},
            {region_scene(R"json("force": [0, 0, "= log(t)"])json"),
             "a.json:2:113: bodies[0].regions[0].force[2]: the force at 0 s is infinite, must be finite"},
            {region_scene(R"json("pressure": "= 1/(1-t)")json"),
             "a.json:2:109: bodies[0].regions[0].pressure: the pressure at 1 s is infinite, must be finite"},
            {region_scene(R"json("motion": { "move": ["= log(t)", 0, 0] })json"),
             "a.json:2:107: bodies[0].regions[0].motion: the motion is not finite at 0 s, must be finite at "
             "all "
             "times"},
            {bar_scene("", R"("domain": { "min": [2, 0, 0], "max": [3, 1, 1] })"),
             "a.json:1:58: bodies[0].shape: the body lies outside the domain, which reaches from (2, 0, 0) "
             "to "
             "(3, 1, 1)"},
            {bar_scene(
                 "",
                 R"("obstacles": [ { "name": "rock", "shape": { "box": { "min": [-1, -1, -1], "max": [2, 1, 1] } } } ])"),
             "a.json:1:58: bodies[0].shape: the body lies inside obstacles[0] (rock), move one of them"},
            {bar_scene(
                 "",
                 R"("obstacles": [ { "name": "pot", "container": true, "shape": { "box": { "min": [3, 0, 0], "max": [4, 1, 1] } } } ])"),
             "a.json:1:58: bodies[0].shape: the body lies outside obstacles[0] (pot), move one of them"},
            {"{ \"bodies\": [ " + bar("", "3") + " ] }",
             "a.json:1:13: bodies: there is no particle at all, a spacing of 3 m is larger than every body, "
             "choose a smaller spacing"},
            {"{ \"bodies\": [ " + bar() + ",\n" +
                 R"({ "name": "b", "type": "solid", "shape": { "sphere": { "center": [0, 0, 3], "radius": 0.1 } }, "spacing": 1 } ] })",
             "a.json:2:42: bodies[1].shape: there is no phyxel in it, a spacing of 1 m is too large, choose "
             "a "
             "smaller spacing"},
            {bar_scene(R"("velocity": [1e200, 0, 0])"),
             "a.json:1:13: bodies: something will move at infinity m/s, check velocities, motions, gravity "
             "and "
             "sizes"},
        }) {
        SCOPED_TRACE(scene);
        EXPECT_EQ(build_error(scene), lines);
    }
    EXPECT_EQ(
        build_error(
            R"({ "count": 1000000, "bodies": [ { "name": "a", "type": "solid", "shape": { "sphere": { "center": [0, 0, 3], "radius": 1 } } } ] })",
            {.memory = 1e8, .cores = 2}),
        "a.json:1:12: count: 1000000 particles need about 1.5 GB of memory, and 100 MB are available, "
        "choose a larger spacing or a smaller count");
}

TEST(SolidScene, warnings)
{
    for (
        const auto& [scene, lines] : std::vector<Case>{
            {bar_scene("", R"("domain": { "min": [0.1, 0, 0], "max": [3, 1, 1], "sides": { "y": "open" } })"),
             "a.json:1:58: bodies[0].shape: 4 of 40 phyxels lie beyond a wall of the domain, make the domain "
             "larger or the shape smaller"},
            {bar_scene(
                 "",
                 R"("obstacles": [ { "name": "post", "shape": { "box": { "min": [0.4, -1, -1], "max": [0.5, 1, 1] } } } ])"),
             "a.json:1:58: bodies[0].shape: 4 of 40 phyxels lie inside obstacles[0] (post), move one of "
             "them, or "
             "cut the body with a \"difference\""},
            {"{ \"bodies\": [ " + bar("", "0.15") + " ] }",
             "a.json:1:58: bodies[0].shape: the shape is 0.2 m thin, less than two spacings of 0.15 m, "
             "choose a "
             "spacing of at most 0.1 m"},
            {"{ \"bodies\": [ " + bar() + ",\n" +
                 R"({ "name": "b", "type": "solid", "skin": { "detail": 0 }, "shape": { "box": { "min": [0.8, 0, 0], "max": [1.2, 0.2, 0.2] } }, "spacing": 0.1 } ] })",
             "a.json:2:67: bodies[1].shape: 8 of 16 phyxels lie inside bodies[0] (bar), move one of them, or "
             "cut "
             "it with a \"difference\""},
            {bar_scene("", R"("time_step": 0.1)"), "a.json:2:14: time_step: a step of 0.1 s is longer than "
                                                   "the 0.016 s that are safe, make it smaller "
                                                   "or leave it out"},
            {bar_scene(R"("solver": { "type": "implicit" })", R"("time_step": 0.1)"), ""},
            {R"({ "bodies": [ { "name": "a", "type": "solid", "skin": { "detail": 0 }, "spacing": 0.1, "shape": { "union": [ { "box": { "min": [0, 0, 0], "max": [1, 0.4, 0.4] } }, { "box": { "min": [2, 0, 0], "max": [2.2, 0.2, 0.2] } } ] } } ] })",
             "a.json:1:97: bodies[0].shape: the body is filled as 2 pieces that do not hold together, the "
             "largest of 160 of 168 phyxels, 1 of 10 or less, choose a smaller spacing, or mend holes of the "
             "shape"},
            {bar_scene(
                 "",
                 R"("hands": [ { "name": "h", "type": "pull", "body": "bar", "at": [2.05, 0.05, 0.05], "radius": 0.2 },)"
                 "\n"
                 R"({ "name": "k", "type": "pull", "body": "bar", "at": [1.05, 0.05, 0.05], "radius": 0.01 } ])"),
             "a.json:2:64: hands[0].at: the hand does not reach bar, whose nearest particle is 1.1 m away, "
             "move "
             "it to the body, or it takes hold of that one"},
            {bar_scene("", R"("events": [ { "time": 5, "set": { "bodies.bar.material.damping": 1 } } ])"),
             "a.json:2:23: events[0].time: the event at 5 s never happens, the scene ends at 2 s, choose an "
             "earlier time or a longer duration"},
        }) {
        SCOPED_TRACE(scene);
        EXPECT_EQ(joined_beside_fall(build(scene).warnings), lines);
    }
}

TEST(SolidScene, says_that_a_body_falls_too_hard_for_the_law_of_st_venant_and_kirchhoff)
{
    const auto warnings_of = [](std::string_view material, std::string_view members, std::string_view more,
                                double floor) {
        return joined_beside_fall(
            build(bar_scene("\"material\": { " + std::string(material) + " }" + std::string(members),
                            "\"domain\": { \"min\": [-2, -2, " + std::to_string(floor) +
                                "], \"max\": [2, 2, 2] }" + std::string(more)))
                .warnings);
    };
    const std::string svk = R"("law": "st_venant_kirchhoff", "density": 1000, "youngs_modulus": "30 kPa", )"
                            R"("poisson_ratio": 0.4)";
    // √(2 · 9.81 · 0.45 m) = 2.971 m/s, over √(30 kPa/1000) = 5.477 m/s. The lowest phyxels are half a
    // spacing above what the body is filled into.
    const std::string line =
        "a.json:2:13: bodies[0].material: the body falls by 0.45 m and arrives at 3 m/s, which presses "
        "its "
        "thin parts by about 54 %; the law st_venant_kirchhoff is for less than 30 % and collapses beyond, "
        "use \"law\": \"neo_hookean\" or a stiffer material, or let it fall from lower";
    EXPECT_EQ(warnings_of(svk, "", "", -0.4), line);
    // Not lower, stiffer, held, at the wrong time, upwards or of the other law.
    EXPECT_EQ(warnings_of(svk, "", "", -0.05), "");
    EXPECT_EQ(warnings_of(R"("law": "st_venant_kirchhoff", "density": 1000, "youngs_modulus": "300 kPa", )"
                          R"("poisson_ratio": 0.4)",
                          "", "", -0.4),
              "");
    EXPECT_EQ(warnings_of(svk, ", \"regions\": [ " + region("\"motion\": \"fixed\"") + " ]", "", -0.4), "");
    EXPECT_EQ(warnings_of(svk, "", ", \"duration\": 0.2", -0.4), "");
    EXPECT_EQ(warnings_of(svk, "", ", \"gravity\": [0, 0, 0]", -0.4), "");
    EXPECT_EQ(warnings_of(R"("from": "jelly", "youngs_modulus": "30 kPa")", "", "", -0.4), "");
    // A table in its way, and one that it misses.
    const auto table = [](double x) {
        return R"(, "obstacles": [ { "name": "table", "shape": { "box": { "min": [)" + std::to_string(x) +
               R"(, -1, -0.2], "max": [)" + std::to_string(x + 0.5) + R"(, 1, -0.05] } } } ])";
    };
    EXPECT_EQ(warnings_of(svk, "", table(0.2), -0.4), "");
    EXPECT_EQ(warnings_of(svk, "", table(-1.5), -0.4), line);
    // Where directions differ there is no other law.
    EXPECT_EQ(warnings_of(R"("density": 1, "stiffness": )" + matrix, "", "", -0.4).find("neo_hookean"),
              std::string::npos);
    EXPECT_NE(warnings_of(R"("density": 1, "stiffness": )" + matrix, "", "", -0.4).find("falls by"),
              std::string::npos);
}

TEST(SolidScene, takes_implicit_steps_where_nobody_would_wait_for_explicit_ones_and_none_was_asked_for)
{
    const auto built = [](const std::string& members, const std::string& more = "") {
        return build("{ \"bodies\": [ " + bar(members, "0.025") + " ]" + more + " }");
    };
    const auto solver_of = [](const BuiltScene& scene) {
        return value_at(scene.resolved, Path("bodies.bar.solver.type")).text();
    };
    const std::string steel = R"("material": "steel")";
    const BuiltScene stiff = built(steel);
    EXPECT_EQ(solver_of(stiff), "implicit");
    const std::string told = joined_beside_fall(stiff.warnings);
    EXPECT_NE(told.find("so implicit ones of 0.01 s are taken"), std::string::npos) << told;
    // What was chosen is written down, and chosen again without a word.
    const BuiltScene again = build_scene(parse(to_text(stiff.resolved)), large_machine());
    EXPECT_EQ(solver_of(again), "implicit");
    EXPECT_EQ(joined_beside_fall(again.warnings), "");

    EXPECT_EQ(solver_of(built(R"("material": "jelly")")), "leapfrog");
    EXPECT_EQ(solver_of(built(steel + R"(, "solver": { "type": "leapfrog" })")), "leapfrog");
    EXPECT_EQ(solver_of(built(steel, R"(, "time_step": 1e-6)")), "leapfrog");
}

TEST(SolidScene, says_how_heavy_and_how_stiff_it_is)
{
    const BuiltScene built = build(bar_scene(R"("material": { "from": "jelly", "volume_stiffness": 0 })"));
    EXPECT_EQ(derived(built, "particles"), 40.0);
    EXPECT_EQ(derived(built, "phyxels"), 40.0);
    EXPECT_NEAR(derived(built, "mass"), 1050 * 0.04, 0.01 * 42);
    // λ + 2μ = E (1 − ν) / ((1 + ν)(1 − 2ν))
    const double wave_speed = std::sqrt(1e4 * 0.55 / (1.45 * 0.1) / 1050);
    EXPECT_NEAR(derived(built, "wave_speed"), wave_speed, 1e-9);
    // What the solver itself finds, which is near half a spacing over the speed, a whole number of times
    // between frames: nothing is in the way.
    const double step = std::get<std::unique_ptr<World<3>>>(built.world)->body(0).stable_time_step();
    const double expected = 1.0 / 30 / std::ceil(1.0 / 30 / step);
    EXPECT_NEAR(derived(built, "expected_time_step"), expected, 1e-12);
    EXPECT_NEAR(step, 0.4 * 0.1 / wave_speed, 0.1 * 0.1 / wave_speed);
    EXPECT_EQ(built.estimate.particles, 40u);
    EXPECT_EQ(built.estimate.frames, 61u);
    EXPECT_NEAR(static_cast<double>(built.estimate.steps), 2.0 / expected, 1.0);
    EXPECT_NEAR(built.estimate.memory, 40 * 1500, 1.0);
    EXPECT_NEAR(built.estimate.disk, 61 * (40 * 36 + 1000) + 3 * 40 * 48, 1.0);
    EXPECT_GT(built.estimate.seconds, 0.0);
    EXPECT_EQ(built.fields, std::vector<std::string>{"stress"});
}

TEST(SolidScene, bodies_with_a_start_come_then)
{
    const auto scene = [](const std::string& first, const std::string& second, const std::string& more = "") {
        const std::string ball = R"({ "name": ")";
        const auto body = [&](const std::string& name, const std::string& rest, const char* z) {
            return ball + name +
                   R"(", "type": "solid", "skin": { "detail": 0 }, "shape": { "sphere": { "center": [0, 0, )" +
                   z + R"(], "radius": 0.2 } })" + rest + " }";
        };
        return R"({ "duration": 0.2, "frame_rate": 20, "spacing": 0.1, "gravity": [0, 0, 0], "bodies": [ )" +
               body("a", first, "0") + ", " + body("b", second, "1") + " ]" + more + " }";
    };
    BuiltScene built =
        build(scene("", R"(, "start": 0.07, "velocity": [1, 0, 0])",
                    R"(, "events": [ { "time": 0.02, "set": { "bodies.b.material.damping": 3 } } ])"));
    World<3>& world = world_of(built);
    const std::size_t one = world.particle_count();
    ASSERT_TRUE(world.advance_frame());
    EXPECT_EQ(world.particle_count(), one);
    EXPECT_EQ(world.totals()[1].particles, 0u);
    ASSERT_TRUE(world.advance_frame());
    EXPECT_EQ(world.particle_count(), 2 * one);
    const double speed = std::exp(-3.0 * 0.03); // damped since it came, as the event before has set it
    EXPECT_NEAR(world.totals()[1].momentum[0] / world.totals()[1].mass, speed, 0.01);
    EXPECT_NEAR(world.totals()[1].center[0], (1.0 - speed) / 3.0, 1e-3);

    EXPECT_EQ(parse_error(scene(R"(, "start": 0)", "")).substr(0, 14), "a.json:1:217: ");
    EXPECT_NE(
        parse_error(scene(R"(, "start": 0)", "")).find("the first solid must be there from the beginning"),
        std::string::npos);
    EXPECT_NE(parse_error(scene("", R"(, "start": -1)")).find("out of range"), std::string::npos);
    EXPECT_NE(joined(build(scene("", R"(, "start": 7)")).warnings)
                  .find("the body comes at 7 s, the scene ends at 0.2 s"),
              std::string::npos);
}

TEST(SolidScene, a_count_is_that_of_fluids_and_solids_together)
{
    BuiltScene built = build(
        R"({ "count": 2000, "bodies": [
             { "name": "bar", "type": "solid", "shape": { "box": { "min": [0, 0, 0], "max": [1, 1, 1] } }, "skin": { "detail": 0 } },
             { "name": "water", "type": "fluid", "shape": { "box": { "min": [2, 0, 0], "max": [3, 1, 1] } } } ] })");
    EXPECT_EQ(joined_beside_fall(built.warnings), "");
    EXPECT_EQ(derived(built, "particles"), 2000.0);
    EXPECT_EQ(derived(built, "phyxels"), 1000.0);
    EXPECT_EQ(built.fields, (std::vector<std::string>{"density", "stress"}));
    World<3>& world = world_of(built);
    EXPECT_EQ(joined(world.part_names()), "water\nbar");
    EXPECT_NE(dynamic_cast<FluidBody<3>*>(&world.body(0)), nullptr);
    EXPECT_NE(dynamic_cast<SolidBody<3>*>(&world.body(1)), nullptr);
    const std::vector<Snapshot> snapshots = world.snapshots(built.fields);
    EXPECT_EQ(field_of(snapshots[0], "id").back(), 999.0);
    // Fluids may get more particles as time goes on.
    EXPECT_EQ(field_of(snapshots[1], "id").front(), std::ldexp(1.0, 48));
    EXPECT_EQ(snapshots[0].find("stress"), nullptr);
    EXPECT_EQ(snapshots[1].find("density"), nullptr);
}

TEST(SolidScene, ids_beside_emitters_never_meet)
{
    BuiltScene built = build(
        R"({ "spacing": 0.1, "bodies": [
             { "name": "bar", "type": "solid", "shape": { "box": { "min": [0, 0, 0], "max": [1, 1, 1] } }, "skin": { "detail": 0 } },
             { "name": "water", "type": "fluid" } ],
             "emitters": [ { "name": "tap", "body": "water", "velocity": [0, 0, -1], "shape": { "box": { "min": [2, 0, 0], "max": [2.4, 0.4, 0.4] } } } ] })");
    const std::vector<Snapshot> snapshots = world_of(built).snapshots({});
    EXPECT_EQ(field_of(snapshots[1], "id").front(), 0x1p48);
    EXPECT_EQ(snapshots[0].points.size(), 64u);
}

TEST(SolidScene, probes_read_fluids_and_solids_apart)
{
    BuiltScene built = build(
        R"({ "spacing": 0.1, "gravity": [0, 0, 0], "bodies": [
             { "name": "bar", "type": "solid", "shape": { "box": { "min": [0, 0, 0], "max": [1, 1, 1] } }, "velocity": [1, 0, 0], "skin": { "detail": 0 } },
             { "name": "water", "type": "fluid", "shape": { "box": { "min": [2, 0, 0], "max": [3, 1, 1] } } } ],
             "probes": [ { "name": "rho", "point": [0.5, 0.5, 0.5], "field": "density" },
                         { "name": "eps", "point": [2.5, 0.5, 0.5], "field": "strain" },
                         { "name": "v", "point": [0.5, 0.5, 0.5], "field": "velocity" },
                         { "name": "x", "point": [0.1, 0.1, 0.1], "body": "bar", "field": "position" } ] })");
    const std::vector<ProbeRow> rows = world_of(built).take_probe_rows();
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_EQ(*rows[0].values[0], 0.0);
    EXPECT_EQ(*rows[0].values[1], 0.0);
    EXPECT_NEAR(*rows[0].values[2], 1.0, 1e-6);
    EXPECT_NEAR(*rows[0].values[5], 0.05, 1e-9);
}

TEST(SolidScene, events_change_materials_and_the_solver_of_all_solids)
{
    const std::string two =
        "{ \"frame_rate\": 100, \"gravity\": [0, 0, 0], \"bodies\": [ " + bar() + ",\n" +
        R"({ "name": "b", "type": "solid", "skin": { "detail": 0 }, "shape": { "box": { "min": [5, 0, 0], "max": [6, 0.2, 0.2] } }, "spacing": 0.1 } ],)" +
        "\n\"events\": [ ";
    const auto step_after = [&](std::string_view set) {
        BuiltScene built = build(two + R"({ "time": 0.02, "set": { )" + std::string(set) + " } } ] }");
        World<3>& world = world_of(built);
        const double before = world.body(0).stable_time_step();
        while (world.frame() < 2) EXPECT_TRUE(world.advance_frame());
        return world.body(0).stable_time_step() / before;
    };
    EXPECT_NEAR(step_after(R"("bodies.b.material.youngs_modulus": "1 MPa")"), 0.1, 0.001);
    EXPECT_NEAR(step_after(R"("bodies.b.solver.courant_number": 0.25)"), 0.5, 0.01);
    EXPECT_NEAR(step_after(R"("bodies.b.material.friction": 0.1)"), 1.0, 0.01);
    EXPECT_EQ(
        parse_error(
            two +
            R"({ "time": 0, "set": { "bodies.b.material.density": 1, "bodies.b.material.poisson_ratio": 0.6, "bodies.b.solver.tolerance": 0.1, "bodies.b.solver.max_speed": 1 } } ] })"),
        "a.json:3:64: events[0].set[\"bodies.b.material.density\"]: events cannot change this, allowed: "
        "gravity, gravity[k], hands, and what is said to be changeable, such as numbers of "
        "bodies.NAME.material "
        "and bodies.NAME.solver\n"
        "a.json:3:102: events[0].set[\"bodies.b.material.poisson_ratio\"]: 0.6 is out of range, must be "
        "above -1 "
        "and at most 0.499\n"
        "a.json:3:136: events[0].set[\"bodies.b.solver.tolerance\"]: unknown key \"tolerance\", allowed: "
        "type, "
        "stabilization, courant_number\n"
        "a.json:3:170: events[0].set[\"bodies.b.solver.max_speed\"]: unknown key \"max_speed\", allowed: "
        "type, "
        "stabilization, courant_number");
}

TEST(SolidScene, events_change_the_law_and_the_whole_of_a_material)
{
    const std::string scene =
        "{ \"frame_rate\": 100, \"gravity\": [0, 0, 0], \"bodies\": [ " + bar() + " ],\n" +
        R"("events": [ { "time": 0.01, "set": { "bodies.bar.material.law": "st_venant_kirchhoff" } },
            { "time": 0.03, "set": { "bodies.bar.material": "rubber" } },
            { "time": 0.05, "set": { "bodies.bar.material": null } } ] })";
    BuiltScene built = build(scene);
    World<3>& world = world_of(built);
    const auto step = [&] { return world.body(0).stable_time_step(); };
    const double mass = world.totals()[0].mass;
    const double first = step();
    while (world.frame() < 2) ASSERT_TRUE(world.advance_frame());
    EXPECT_NEAR(step() / first, 1.0, 1e-3) << "at rest the laws are the same";
    while (world.frame() < 4) ASSERT_TRUE(world.advance_frame());
    EXPECT_LT(step(), 0.5 * first);
    EXPECT_EQ(world.totals()[0].mass, mass);
    while (world.frame() < 6) ASSERT_TRUE(world.advance_frame());
    EXPECT_NEAR(step() / first, 1.0, 1e-3);
    EXPECT_NE(parse_error(scene, {"events[0].set[\"bodies.bar.material.law\"]=hooke"}).find("neo_hookean"),
              std::string::npos);
}

TEST(SolidScene, what_an_event_does_to_a_region_is_done_instead_of_what_was_done_before)
{
    // Held, then pulled, then held again where it is.
    const std::string scene = R"({ "frame_rate": 100, "duration": 0.2, "gravity": [0, 0, 0], "spacing": 0.1,
        "bodies": [ { "name": "bar", "type": "solid", "skin": { "detail": 0 }, "material": "jelly",
            "shape": { "box": { "min": [0, 0, 0], "max": [1, 0.2, 0.2] } },
            "regions": [ { "name": "end", "shape": { "box": { "min": [0.9, 0, 0], "max": [1, 0.2, 0.2] } },
                           "motion": "fixed" } ] } ],
        "events": [ { "time": 0.02, "set": { "bodies.bar.regions.end.force": ["20 N", 0, 0] } },
                    { "time": 0.06, "set": { "bodies.bar.regions.end.motion": "fixed" } },
                    { "time": 0.1, "set": { "bodies.bar.regions.end.force": null } },
                    { "time": 0.12, "set": { "bodies.bar.regions.end.force[0]": 1 } } ],
        "probes": [ { "name": "end", "point": [0.95, 0.05, 0.05], "body": "bar", "field": "position" } ] })";
    EXPECT_NE(parse_error(scene).find("events[3].set"), std::string::npos) << "there is no force then";
    BuiltScene built = build(std::string(scene).erase(
        scene.find(",\n                    { \"time\": 0.12"),
        scene.find(" ],\n        \"probes\"") - scene.find(",\n                    { \"time\": 0.12")));
    World<3>& world = world_of(built);
    while (world.frame() < 12) ASSERT_TRUE(world.advance_frame());
    const std::vector<ProbeRow> rows = world.take_probe_rows();
    const auto at = [&](std::size_t frame) { return *rows[frame].values[0]; };
    EXPECT_EQ(at(2), at(0));
    EXPECT_GT(at(6), at(0) + 1e-3);
    EXPECT_NEAR(at(7), at(6), 1e-9);
    EXPECT_EQ(at(12), at(7));
}

TEST(SolidScene, events_take_solids_away)
{
    const std::string scene = R"({ "frame_rate": 100, "duration": 0.2, "spacing": 0.1,
        "domain": { "min": [-1, -1, 0], "max": [2, 2, 2] },
        "bodies": [ { "name": "below", "type": "solid", "material": "jelly", "skin": { "detail": 8 },
                      "shape": { "box": { "min": [0, 0, 0], "max": [0.4, 0.4, 0.4] } },
                      "regions": [ { "name": "foot", "motion": "fixed",
                                     "shape": { "box": { "min": [0, 0, 0], "max": [1, 1, 0.1] } } } ] },
                    { "name": "above", "type": "solid", "material": "jelly", "skin": { "detail": 8 },
                      "shape": { "box": { "min": [0, 0, 0.45], "max": [0.4, 0.4, 0.85] } } } ],
        "hands": [ { "name": "h", "type": "hold", "body": "below", "at": [0, 0, 0.4], "radius": 0.1 } ],
        "events": [ { "time": 0.05, "remove": ["below"] }, { "time": 0.1, "set": { "hands": null } } ],
        "probes": [ { "name": "p", "point": [0.2, 0.2, 0.2], "body": "below", "field": "position" } ] })";
    BuiltScene built = build(scene);
    World<3>& world = world_of(built);
    while (world.frame() < 20) ASSERT_TRUE(world.advance_frame());
    EXPECT_EQ(world.totals()[0].particles, 0u);
    EXPECT_LT(world.totals()[1].bounds.min[2], 0.38) << "nothing is under it";
    const std::vector<ProbeRow> rows = world.take_probe_rows();
    EXPECT_TRUE(rows[4].values[0]);
    EXPECT_FALSE(rows[5].values[0]);
    // Resumed before and after.
    for (const std::uint64_t frame : {3, 5, 11}) {
        BuiltScene part = build(scene), rest = build(scene);
        while (world_of(part).frame() < frame) ASSERT_TRUE(world_of(part).advance_frame());
        CheckpointWriter writer;
        world_of(part).save(writer);
        const std::vector<std::byte> bytes = writer.encode();
        Buffer<std::byte> content(bytes.size());
        std::copy(bytes.begin(), bytes.end(), content.data());
        world_of(rest).load(CheckpointReader(std::move(content), "memory"));
        while (world_of(rest).frame() < 20) ASSERT_TRUE(world_of(rest).advance_frame());
        EXPECT_EQ(world_of(rest).state_hash(), world.state_hash()) << frame;
    }
}

TEST(SolidScene, a_surface_is_that_of_the_shape_or_of_the_file)
{
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / "phyxel_solids_test";
    std::filesystem::create_directories(folder);
    {
        std::ofstream file(folder / "cube.obj");
        for (int i = 0; i < 8; ++i) file << "v " << i / 4 << ' ' << i / 2 % 2 << ' ' << i % 2 << '\n';
        file << "f 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\nf 2 6 8 4\n";
    }
    {
        // A cloud on the unit sphere whose normals point inwards and are too long.
        std::ofstream file(folder / "ball.ply");
        constexpr int count = 500;
        file << "ply\nformat ascii 1.0\nelement vertex " << count
             << "\nproperty float x\nproperty float y\nproperty float z\nproperty float nx\nproperty float "
                "ny\nproperty float nz\nend_header\n";
        for (int i = 0; i < count; ++i) {
            const double z = 1.0 - (2.0 * i + 1.0) / count;
            const double phi = 2.399963 * i;
            const double r = std::sqrt(1.0 - z * z);
            const Vec<3> x(r * std::cos(phi), r * std::sin(phi), z);
            file << x[0] << ' ' << x[1] << ' ' << x[2] << ' ' << -2 * x[0] << ' ' << -2 * x[1] << ' '
                 << -2 * x[2] << '\n';
        }
    }
    const auto surface_of = [&](const std::string& shape, const std::string& more = "") {
        const Scene scene = Scene::parse(
            "{ \"count\": 200, \"bodies\": [ { \"name\": \"a\", \"type\": \"solid\", \"shape\": " + shape +
                more + " } ] }",
            "a.json", folder, standard_kinds());
        BuiltScene built = build_scene(scene, large_machine());
        return world_of(built).snapshots({})[0].surface;
    };
    const auto ball = surface_of(R"({ "sphere": { "center": [1, 2, 3], "radius": 0.5 } })");
    ASSERT_TRUE(ball.has_value());
    // Four cells to a spacing, unless more are asked for.
    EXPECT_GT(ball->triangles.size(), 6000u);
    EXPECT_LT(ball->triangles.size(), 10000u);
    EXPECT_GT(
        surface_of(R"({ "sphere": { "center": [1, 2, 3], "radius": 0.5 } })", R"(, "skin": { "detail": 96 })")
            ->triangles.size(),
        20000u);
    for (const auto& x : ball->vertices)
        EXPECT_NEAR((Vec<3>(x[0], x[1], x[2]) - Vec<3>(1, 2, 3)).norm(), 0.5, 2e-3);
    EXPECT_FALSE(
        surface_of(R"({ "sphere": { "center": [1, 2, 3], "radius": 0.5 } })", R"(, "skin": { "detail": 0 })")
            .has_value());

    // Rotation of boxes is about their centre, so a quarter turn gives the same box with other vertices.
    const auto cube =
        surface_of(R"({ "mesh": "cube.obj", "size": "20 cm", "rotate": [0, 0, "90 deg"], "at": [1, 1, 1] })");
    ASSERT_TRUE(cube.has_value());
    ASSERT_EQ(cube->vertices.size(), 8u);
    EXPECT_EQ(cube->triangles.size(), 12u);
    // The first vertex, (0, 0, 0), comes to the corner with the greatest x, and the second stands above it.
    EXPECT_NEAR(cube->vertices[0][0], 1.1, 1e-5);
    EXPECT_NEAR(cube->vertices[0][1], 0.9, 1e-5);
    EXPECT_NEAR(cube->vertices[0][2], 1.0, 1e-5);
    EXPECT_NEAR(cube->vertices[1][2], 1.2, 1e-5);

    const auto cloud = surface_of(R"({ "mesh": "ball.ply", "scale": 0.5 })");
    ASSERT_TRUE(cloud.has_value());
    EXPECT_EQ(cloud->vertices.size(), 500u);
    EXPECT_TRUE(cloud->triangles.empty());
    for (const auto& x : cloud->vertices) EXPECT_NEAR(Vec<3>(x[0], x[1], x[2]).norm(), 0.5, 1e-5);
    std::filesystem::remove_all(folder);
}

TEST(SolidScene, in_2d_too)
{
    BuiltScene built = build(
        R"({ "dimension": 2, "spacing": 0.05, "duration": 0.1, "bodies": [ { "name": "bar", "type": "solid",
             "shape": { "box": { "min": [0, 0], "max": [1, 0.2] } }, "angular_velocity": "60 rpm",
             "regions": [ { "name": "end", "shape": { "box": { "min": [0, 0], "max": [0.1, 1] } }, "force": ["= t", 0] } ] } ] })");
    EXPECT_EQ(joined(built.warnings), "");
    World<2>& world = *std::get<std::unique_ptr<World<2>>>(built.world);
    EXPECT_EQ(world.particle_count(), 80u);
    EXPECT_TRUE(world.advance_frame());
    EXPECT_FALSE(world.failure().has_value());
}

TEST(SolidMaterials, have_sensible_values_sources_and_names_that_no_fluid_has)
{
    std::vector<std::string_view> names;
    for (const FluidPreset& preset : fluid_presets()) names.push_back(preset.name);
    for (const SolidPreset& preset : solid_presets()) {
        SCOPED_TRACE(preset.name);
        EXPECT_NO_THROW(check_material(material_of(preset)));
        EXPECT_FALSE(preset.source.empty());
        EXPECT_EQ(std::count(names.begin(), names.end(), preset.name), 0);
        names.push_back(preset.name);
        const Scene scene = parse(least_scene, {"bodies.bar.material=" + std::string(preset.name)});
        EXPECT_EQ(value_at(scene.resolved(), Path("bodies.bar.material.youngs_modulus")).number(),
                  preset.youngs_modulus);
    }
}

} // namespace
} // namespace phyxel::solids_test
