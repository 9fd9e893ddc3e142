// SPDX-License-Identifier: MIT
// Every line that a user can see about the text of a scene.
#include <phyxel/kinds/standard_kinds.h>
#include <phyxel/scene/document.h>

#include "../support/temporary_folder.h"
#include "scene_support.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace phyxel::scene_errors_test {
namespace {

struct Case {
    std::string_view text;
    std::string_view error;
};

std::string body_with(std::string_view member)
{
    return R"({ "bodies": [ { "name": "water", "type": "fluid",)"
           "\n"
           R"("shape": { "sphere": { "center": [0, 0, 0], "radius": 1 } },)"
           "\n" +
           std::string(member) + " } ] }";
}

std::string shape_scene(std::string_view shape)
{
    return R"({ "bodies": [ { "name": "water", "type": "fluid",)"
           "\n"
           R"("shape": )" +
           std::string(shape) + " } ] }";
}

std::string plane_shape_scene(std::string_view shape)
{
    return R"({ "dimension": 2, "bodies": [ { "name": "water", "type": "fluid",)"
           "\n"
           R"("shape": )" +
           std::string(shape) + " } ] }";
}

std::string motion_scene(std::string_view motion)
{
    return scene_with(
        R"("obstacles": [ { "name": "post", "shape": { "sphere": { "center": [0, 0, 0], "radius": 1 } }, "motion": )" +
        std::string(motion) + " } ]");
}

std::string probe_scene(std::string_view probe)
{
    return scene_with(
        R"("obstacles": [ { "name": "post", "shape": { "sphere": { "center": [0, 0, 0], "radius": 1 } } } ],)"
        "\n"
        R"("probes": [ )" +
        std::string(probe) + " ]");
}

TEST(SceneErrors, of_the_scene_itself)
{
    for (
        const auto& [member, error] : std::vector<Case>{
            {R"("dimension": 4)",
             R"(a.json:2:14: dimension: 4 is out of range, must be at least 2 and at most 3)"},
            {R"("dimension": "2")", R"(a.json:2:14: dimension: expected a whole number, found "2")"},
            {R"("duration": -1)", R"(a.json:2:13: duration: -1 s is out of range, must be at least 0 s)"},
            {R"("duration": "1 m")",
             R"(a.json:2:13: duration: expected a time such as "1 s", found a length)"},
            {R"("frame_rate": 0)", R"(a.json:2:15: frame_rate: 0 1/s is out of range, must be above 0 1/s)"},
            {R"("duration": 1e9)",
             R"(a.json:2:13: duration: 3e+10 frames are too many, duration times frame_rate must be at most 100000000)"},
            {R"("gravity": [0, 0])",
             R"(a.json:2:12: gravity: expected a list of 3, each an acceleration such as "9.81 m/s^2" or a formula such as "= 2*x", found a list of 2)"},
            {R"("gravity": [0, "1 m/s", 0])",
             R"(a.json:2:16: gravity[1]: expected an acceleration such as "9.81 m/s^2", found a velocity)"},
            {R"("gravity": [0, "= q", 0])",
             R"(a.json:2:16: gravity[1]: column 3 of the formula: unknown name "q", known: x, y, z, t, pi, sin, cos, tan, exp, log, sqrt, abs, min, max)"},
            {R"("seed": -1)", R"(a.json:2:9: seed: -1 is out of range, must be at least 0)"},
            {R"("seed": 1.5)", R"(a.json:2:9: seed: expected a whole number, found 1.5)"},
            {R"("spacing": 0)", R"(a.json:2:12: spacing: 0 m is out of range, must be above 0 m)"},
            {R"("spacing": "1 s")",
             R"(a.json:2:12: spacing: expected a length such as "1 cm", found a time)"},
            {R"("spacing": 1, "count": 5)",
             R"(a.json:2:24: count: spacing and count are both given, use one of them)"},
            {R"("count": 0)",
             R"(a.json:2:10: count: 0 is out of range, must be at least 1 and at most 4294967295)"},
            {R"("count": 1e10)",
             R"(a.json:2:10: count: 10000000000 is out of range, must be at least 1 and at most 4294967295)"},
            {R"("time_step": 0)", R"(a.json:2:14: time_step: 0 s is out of range, must be above 0 s)"},
            {R"("time_step": [])",
             R"(a.json:2:14: time_step: expected a time such as "1 s", or an object with "min" and "max", found an empty list)"},
            {R"("time_step": { "min": 2, "max": 1 })",
             R"(a.json:2:33: time_step.max: 1 s is below min, must be at least 2 s)"},
            {R"("time_step": { "mix": 2 })",
             R"(a.json:2:16: time_step: unknown key "mix", did you mean "min"? allowed: min, max)"},
            {R"("domain": 1)", R"(a.json:2:11: domain: expected an object, found 1)"},
            {R"("domain": {})",
             R"(a.json:2:11: domain: missing key "min", expected a list of 3, each a length such as "1 cm")"
             "\n"
             R"(a.json:2:11: domain: missing key "max", expected a list of 3, each a length such as "1 cm")"},
            {R"("domain": { "min": [0, 0, 0], "max": [1, 0, -1] })",
             R"(a.json:2:42: domain.max[1]: 0 m is not above the lower corner, must be above 0 m)"
             "\n"
             R"(a.json:2:45: domain.max[2]: -1 m is not above the lower corner, must be above 0 m)"},
            {R"("domain": { "min": [0, 0, 0], "max": [1, 1, 1], "surface": "sticky" })",
             R"(a.json:2:60: domain.surface: unknown word "sticky", allowed: slip, no_slip)"},
            {R"("domain": { "min": [0, 0, 0], "max": [1, 1, 1], "surface": { "friction": -1 } })",
             R"(a.json:2:74: domain.surface.friction: -1 is out of range, must be at least 0)"},
            {R"("domain": { "min": [0, 0, 0], "max": [1, 1, 1], "surface": 0.3 })",
             R"(a.json:2:60: domain.surface: expected "slip", "no_slip", or an object such as { "friction": 0.3 } or { "velocity": [1, 0, 0] }, found 0.3)"},
            {R"("domain": { "min": [0, 0, 0], "max": [1, 1, 1], "surface": {} })",
             R"(a.json:2:60: domain.surface: neither friction nor velocity is given, or say "slip" or "no_slip")"},
            {R"("domain": { "min": [0, 0, 0], "max": [1, 1, 1], "surface": { "velocity": 1 } })",
             R"(a.json:2:74: domain.surface.velocity: expected a list of 3, each a velocity such as "1 m/s", found 1)"},
            {R"("domain": { "min": [0, 0, 0], "max": [1, 1, 1], "sides": { "x": "waal" } })",
             R"(a.json:2:65: domain.sides.x: unknown word "waal", did you mean "wall"? allowed: wall, open, periodic)"},
            {R"("domain": { "min": [0, 0, 0], "max": [1, 1, 1], "sides": { "x": ["wall", "periodic"], "y": 1, "w": "wall" } })",
             R"(a.json:2:65: domain.sides.x: only one side is periodic, both sides of an axis are or none)"
             "\n"
             R"(a.json:2:92: domain.sides.y: expected "wall", "open" or "periodic", or a list of two for the lower and the upper side, found 1)"
             "\n"
             R"(a.json:2:95: domain.sides: unknown key "w", allowed: x, y, z)"},
            {R"("spaceing": 1)",
             R"(a.json:2:1: unknown key "spaceing", did you mean "spacing"? allowed: $schema, dimension, duration, frame_rate, gravity, seed, spacing, count, time_step, domain, bodies, obstacles, emitters, outflows, blades, joints, hands, events, probes, output, render)"},
            {R"("render": { "size": [0, 20000], "camera": { "fov": "190 deg", "form": 1 }, "color": { "range": [3, 1] }, "style": "drak" })",
             R"(a.json:2:22: render.size[0]: 0 is out of range, must be at least 1 and at most 16384)"
             "\n"
             R"(a.json:2:25: render.size[1]: 20000 is out of range, must be at least 1 and at most 16384)"
             "\n"
             R"(a.json:2:52: render.camera.fov: 3.31613 rad is out of range, must be above 0 rad and below 3.14159 rad)"
             "\n"
             R"(a.json:2:63: render.camera: unknown key "form", did you mean "from"? allowed: from, look_at, fov, orbit, aperture, focus)"
             "\n"
             R"(a.json:2:96: render.color.range: the second value is not above the first, write the lower one first)"
             "\n"
             R"(a.json:2:115: render.style: unknown word "drak", did you mean "dark"? allowed: light, dark)"},
            {R"("render": { "color": { "field": "presure" } }, "output": { "fields": ["pressure"] })",
             R"(a.json:2:33: render.color.field: frames have no field "presure", did you mean "pressure"? allowed: body, id, velocity, pressure, and what output.fields adds)"},
            {R"("output": { "format": "obj", "fields": ["densty"], "double_precision": 1 })",
             R"(a.json:2:23: output.format: unknown word "obj", allowed: ply, vtk)"
             "\n"
             R"(a.json:2:41: output.fields[0]: unknown word "densty", did you mean "density"? allowed: velocity, id, density, pressure, strain, stress, energy, stress_tensor, deformation_gradient, plastic_strain, temperature, liquid_fraction, volume_ratio, fragment, rest_position, rotation, angular_velocity, angular_momentum, force, torque)"
             "\n"
             R"(a.json:2:72: output.double_precision: expected true or false, found 1)"},
            {R"("obstacles": [ { "shape": { "box": 1 } } ])",
             R"(a.json:2:16: obstacles[0]: missing key "name", expected a text)"
             "\n"
             R"(a.json:2:36: obstacles[0].shape.box: expected an object, found 1)"},
            {R"("obstacles": [ { "name": "a", "shape": { "sphere": { "center": [0, 0, 0], "radius": 1 } } }, { "name": "a", "shape": { "sphere": { "center": [0, 0, 0], "radius": 1 } } } ])",
             R"(a.json:2:104: obstacles[1].name: the name "a" is used by obstacles[0] already, names must differ)"},
            {R"("events": [ { "time": -1, "set": {} }, {}, { "time": 0 }, { "time": 0, "remove": [] }, { "time": 0, "remove": [1] } ])",
             R"(a.json:2:23: events[0].time: -1 s is out of range, must be at least 0 s)"
             "\n"
             R"(a.json:2:34: events[0].set: there is nothing to set, expected an object of paths and values such as { "gravity": [0, 0, 0] })"
             "\n"
             R"(a.json:2:40: events[1]: missing key "time", expected a time such as "1 s")"
             "\n"
             R"(a.json:2:44: events[2]: nothing happens in this event, expected "set", "remove" or both)"
             "\n"
             R"(a.json:2:82: events[3].remove: expected a list of names of bodies and obstacles such as ["ball"], found an empty list)"
             "\n"
             R"(a.json:2:112: events[4].remove[0]: expected a text, found 1)"},
        }) {
        SCOPED_TRACE(member);
        EXPECT_EQ(parse_error(scene_with(member)), error);
    }
}

TEST(SceneErrors, of_scenes_without_bodies)
{
    for (
        const auto& [text, error] : std::vector<Case>{
            {R"([])", R"(a.json:1:1: expected an object, found an empty list)"},
            {R"({})",
             R"(a.json:1:1: missing key "bodies", expected a list, each an object with the "type" of a body)"},
            {R"({ "bodies": [] })",
             R"(a.json:1:13: bodies: there is nothing to simulate, expected at least one body)"},
            {R"({ "bodies": {} })",
             R"(a.json:1:13: bodies: expected a list, each an object with the "type" of a body, found an object)"},
            {R"({ "bodies": [ 1 ] })",
             R"(a.json:1:15: bodies[0]: expected an object with the "type" "fluid", "solid" or "rigid", found 1)"},
            {R"({ "bodies": [ {} ] })",
             R"(a.json:1:15: bodies[0]: missing key "type", expected "fluid", "solid" or "rigid")"},
            {R"({ "bodies": [ { "type": "soild" } ] })",
             R"(a.json:1:25: bodies[0].type: unknown word "soild", did you mean "solid"? allowed: fluid, solid, rigid)"},
            {R"({ "bodies": [ { "type": "fluid" } ] })",
             R"(a.json:1:15: bodies[0]: missing key "name", expected a text)"},
        }) {
        SCOPED_TRACE(text);
        EXPECT_EQ(parse_error(text), error);
    }
}

TEST(SceneErrors, of_bodies)
{
    for (
        const auto& [member, error] : std::vector<Case>{
            {R"("name": "x")", R"(a.json:3:1: duplicate key "name", it was first given in line 1)"},
            {R"("material": "watr")",
             R"(a.json:3:13: bodies[0].material: unknown word "watr", did you mean "water"? allowed: water, seawater, milk, ethanol, olive_oil, glycerol, honey, mercury)"},
            {R"("material": 1)",
             R"(a.json:3:13: bodies[0].material: expected a material such as "water", or an object with its properties, found 1)"},
            {R"("material": { "from": "wine" })",
             R"(a.json:3:23: bodies[0].material.from: unknown word "wine", allowed: water, seawater, milk, ethanol, olive_oil, glycerol, honey, mercury)"},
            {R"("material": { "from": "water", "viscosity": "1e-6 m^2/s" })",
             R"(a.json:3:45: bodies[0].material.viscosity: expected a dynamic viscosity such as "1 mPa s", found a kinematic viscosity; viscosity is dynamic, multiply by the density)"},
            {R"("material": { "from": "water", "viscosity": -1, "density": 0, "color": 1 })",
             R"(a.json:3:45: bodies[0].material.viscosity: -1 Pa s is out of range, must be at least 0 Pa s)"
             "\n"
             R"(a.json:3:60: bodies[0].material.density: 0 kg/m^3 is out of range, must be above 0 kg/m^3)"
             "\n"
             R"(a.json:3:63: bodies[0].material: unknown key "color", allowed: from, density, viscosity)"},
            {R"("spacing": 1, "count": 1)",
             R"(a.json:3:24: bodies[0].count: spacing and count are both given, use one of them)"},
            {R"("velocity": ["= x", 0])",
             R"(a.json:3:13: bodies[0].velocity: expected a list of 3, each a velocity such as "1 m/s" or a formula such as "= 2*x", found a list of 2)"},
            {R"("velocity": ["= a", 0, "1 m"])",
             R"(a.json:3:14: bodies[0].velocity[0]: column 3 of the formula: unknown name "a", known: x, y, z, t, pi, sin, cos, tan, exp, log, sqrt, abs, min, max)"
             "\n"
             R"(a.json:3:24: bodies[0].velocity[2]: expected a velocity such as "1 m/s", found a length)"},
            {R"("angular_velocity": 1)",
             R"(a.json:3:21: bodies[0].angular_velocity: expected a list of 3, each an angular velocity such as "60 rpm", found 1)"},
            {R"("angular_velocity": ["2 Hz", 0, 0])",
             R"(a.json:3:22: bodies[0].angular_velocity[0]: expected an angular velocity such as "60 rpm", found a frequency)"},
            {R"("solver": {})",
             R"(a.json:3:11: bodies[0].solver: missing key "type", expected "dfsph" or "wcsph")"},
            {R"("solver": { "type": "sph" })",
             R"(a.json:3:21: bodies[0].solver.type: unknown word "sph", allowed: dfsph, wcsph)"},
            {R"("solver": "wcsph")",
             R"(a.json:3:11: bodies[0].solver: expected an object with the "type" "dfsph" or "wcsph", found "wcsph")"},
            {R"("solver": { "type": "wcsph", "compressibility": 0, "max_speed": "1 m", "maxspeed": 1 })",
             R"(a.json:3:49: bodies[0].solver.compressibility: 0 is out of range, must be above 0 and at most 0.5)"
             "\n"
             R"(a.json:3:65: bodies[0].solver.max_speed: expected a velocity such as "1 m/s", found a length)"
             "\n"
             R"(a.json:3:72: bodies[0].solver: unknown key "maxspeed", did you mean "max_speed"? allowed: type, compressibility, exponent, negative_pressure, artificial_viscosity, velocity_smoothing, particle_shifting, support_ratio, courant_number, max_speed)"},
        }) {
        SCOPED_TRACE(member);
        EXPECT_EQ(parse_error(body_with(member)), error);
    }
}

TEST(SceneErrors, of_shapes)
{
    for (
        const auto& [shape, error] : std::vector<Case>{
            {R"(1)",
             R"(a.json:2:10: bodies[0].shape: expected a shape such as { "box": { "min": [0, 0, 0], "max": [1, 1, 1] } }, found 1)"},
            {R"({})",
             R"(a.json:2:10: bodies[0].shape: there is no shape, expected one of box, sphere, cylinder, capsule, torus, mesh, union, intersection, difference)"},
            {R"({ "box": { "min": [0, 0, 0], "max": [1, 1, 1] }, "sphere": { "center": [0, 0, 0], "radius": 1 } })",
             R"(a.json:2:10: bodies[0].shape: there are 2 shapes (box, sphere), expected one; several go into a union)"},
            {R"({ "box": { "min": [0, 0, 0], "max": [1, 0, 1] } })",
             R"(a.json:2:19: bodies[0].shape.box: min is (0, 0, 0) and max is (1, 0, 1), min must be less along every axis)"},
            {R"({ "box": { "max": [1, 0, 1] } })",
             R"(a.json:2:19: bodies[0].shape.box: missing key "min", expected a list of 3, each a length such as "1 cm")"},
            {R"({ "sphere": { "center": [0, 0, 0], "radius": 0 } })",
             R"(a.json:2:55: bodies[0].shape.sphere.radius: 0 m is out of range, must be above 0 m)"},
            {R"({ "cylinder": { "from": [0, 0, 0], "to": [0, 0, 0], "radius": 1 } })",
             R"(a.json:2:24: bodies[0].shape.cylinder: from and to are both (0, 0, 0), must be different points)"},
            {R"({ "torus": { "center": [0, 0, 0], "radius": 1, "tube": 2 } })",
             R"(a.json:2:21: bodies[0].shape.torus: tube is 2, must be less than the radius 1)"},
            {R"({ "torus": { "center": [0, 0, 0], "axis": [0, 0, 0], "radius": 1, "tube": 2 } })",
             R"(a.json:2:21: bodies[0].shape.torus: axis is (0, 0, 0), must have a direction)"},
            {R"({ "mesh": 1 })",
             R"(a.json:2:20: bodies[0].shape.mesh: expected the path of a PLY, OBJ, STL, OFF or XYZ file, found 1)"},
            {R"({ "mesh": "" })",
             R"(a.json:2:20: bodies[0].shape.mesh: expected the path of a PLY, OBJ, STL, OFF or XYZ file, found "")"},
            {R"({ "mesh": "no.ply", "up": "w" })",
             R"(a.json:2:36: bodies[0].shape.up: unknown word "w", allowed: x, y, z, -x, -y, -z)"},
            {R"({ "sphere": { "center": [0, 0, 0], "radius": 1 }, "up": "x" })",
             R"(a.json:2:66: bodies[0].shape.up: only files have an up, write the shape upright or use rotate)"},
            {R"({ "sphere": { "center": [0, 0, 0], "radius": 1 }, "scale": 1, "size": 1 })",
             R"(a.json:2:80: bodies[0].shape.size: scale and size are both given, use one of them)"},
            {R"({ "sphere": { "center": [0, 0, 0], "radius": 1 }, "scale": 0, "rotate": 1, "at": ["1 s", 0, 0] })",
             R"(a.json:2:69: bodies[0].shape.scale: 0 is out of range, must be above 0)"
             "\n"
             R"(a.json:2:82: bodies[0].shape.rotate: expected a list of 3, each an angle such as "30 deg", found 1)"
             "\n"
             R"(a.json:2:92: bodies[0].shape.at[0]: expected a length such as "1 cm", found a time)"},
            {R"({ "union": [] })",
             R"(a.json:2:21: bodies[0].shape.union: expected a list of shapes, found an empty list)"},
            {R"({ "union": { } })",
             R"(a.json:2:21: bodies[0].shape.union: expected a list of shapes, found an object)"},
            {R"({ "union": [ { "box": {} }, 1 ] })",
             R"(a.json:2:32: bodies[0].shape.union[0].box: missing key "min", expected a list of 3, each a length such as "1 cm")"
             "\n"
             R"(a.json:2:32: bodies[0].shape.union[0].box: missing key "max", expected a list of 3, each a length such as "1 cm")"
             "\n"
             R"(a.json:2:38: bodies[0].shape.union[1]: expected a shape such as { "box": { "min": [0, 0, 0], "max": [1, 1, 1] } }, found 1)"},
            {R"({ "spher": {} })",
             R"(a.json:2:12: bodies[0].shape: unknown key "spher", did you mean "sphere"? allowed: box, sphere, cylinder, capsule, torus, mesh, union, intersection, difference, up, scale, size, rotate, at)"},
        }) {
        SCOPED_TRACE(shape);
        EXPECT_EQ(parse_error(shape_scene(shape)), error);
    }
}

TEST(SceneErrors, of_shapes_in_2d)
{
    for (
        const auto& [shape, error] : std::vector<Case>{
            {R"({ "torus": 1 })",
             R"(a.json:2:10: bodies[0].shape: there is no torus in 2D, allowed: box, sphere, cylinder, capsule, union, intersection, difference)"},
            {R"({ "mesh": "a.ply" })",
             R"(a.json:2:10: bodies[0].shape: there is no mesh in 2D, allowed: box, sphere, cylinder, capsule, union, intersection, difference)"},
            {R"({ "sphere": { "center": [0, 0, 0], "radius": 1 } })",
             R"(a.json:2:34: bodies[0].shape.sphere.center: expected a list of 2, each a length such as "1 cm", found a list of 3)"},
            {R"({ "sphere": { "center": [0, 0], "radius": 1 }, "rotate": [0] })",
             R"(a.json:2:67: bodies[0].shape.rotate: expected an angle such as "30 deg", found a list of 1)"},
            {R"({ "sphere": { "center": [0, 0], "radius": 1 }, "up": "y" })",
             R"(a.json:2:57: bodies[0].shape: unknown key "up", allowed: box, sphere, cylinder, capsule, union, intersection, difference, scale, size, rotate, at)"},
            {R"({ "sphere": { "center": [0, 0], "radius": 1 } }, "velocity": [0, "= z"])",
             R"(a.json:2:75: bodies[0].velocity[1]: the formula uses z, allowed: x, y, t)"},
        }) {
        SCOPED_TRACE(shape);
        EXPECT_EQ(parse_error(plane_shape_scene(shape)), error);
    }
}

TEST(SceneErrors, of_motions)
{
    for (
        const auto& [motion, error] : std::vector<Case>{
            {R"("free")",
             R"(a.json:2:105: obstacles[0].motion: an obstacle is not "free", what moves by itself is a body of the type rigid, allowed: "fixed", an object with "keys", or one with formulas for "move" and "rotate")"},
            {R"("fixd")",
             R"(a.json:2:105: obstacles[0].motion: expected "fixed", an object with "keys", or one with formulas for "move" and "rotate", found "fixd")"},
            {R"(1)",
             R"(a.json:2:105: obstacles[0].motion: expected "fixed", an object with "keys", or one with formulas for "move" and "rotate", found 1)"},
            {R"({})",
             R"(a.json:2:105: obstacles[0].motion: there is no motion, expected "fixed", an object with "keys", or one with formulas for "move" and "rotate")"},
            {R"({ "keys": [] })",
             R"(a.json:2:115: obstacles[0].motion.keys: there are no keys, expected at least one)"},
            {R"({ "keys": [ {} ] })",
             R"(a.json:2:117: obstacles[0].motion.keys[0]: missing key "time", expected a time such as "1 s")"},
            {R"({ "keys": [ { "time": 0 }, { "time": 0 } ] })",
             R"(a.json:2:142: obstacles[0].motion.keys[1].time: 0 s is not later than the key before, must be above 0 s)"},
            {R"({ "keys": [ { "time": 0 } ], "move": [0, 0, 0] })",
             R"(a.json:2:134: obstacles[0].motion: unknown key "move", allowed: keys, interpolation, about)"},
            {R"({ "move": [0, "= x", 0] })",
             R"(a.json:2:119: obstacles[0].motion.move[1]: the formula uses x, allowed: t)"},
            {R"({ "keys": [ { "time": 0 } ], "interpolation": "cubic" })",
             R"(a.json:2:151: obstacles[0].motion.interpolation: unknown word "cubic", allowed: smooth, linear)"},
        }) {
        SCOPED_TRACE(motion);
        EXPECT_EQ(parse_error(motion_scene(motion)), error);
    }
}

TEST(SceneErrors, of_probes)
{
    for (
        const auto& [probe, error] : std::vector<Case>{
            {R"({})", R"(a.json:3:13: probes[0]: missing key "name", expected a text)"
                      "\n"
                      R"(a.json:3:13: probes[0]: missing key "field", expected a text)"},
            {R"({ "name": "a", "field": "density" })",
             R"(a.json:3:13: probes[0]: there is nothing to measure, expected one of point, line, plane, body, obstacle, joint)"},
            {R"({ "name": "a", "point": [0, 0, 0], "line": { "from": [0, 0, 0], "to": [1, 0, 0] }, "field": "density" })",
             R"(a.json:3:13: probes[0]: point, line are given together, expected one of point, line, plane, body, obstacle, joint)"},
            {R"({ "name": "a", "point": [0, 0, 0], "field": "presure" })",
             R"(a.json:3:57: probes[0].field: a point has no field "presure", did you mean "pressure"? allowed: velocity, density, pressure)"},
            {R"({ "name": "a", "point": [0, 0, 0], "body": "water", "field": "force" })",
             R"(a.json:3:74: probes[0].field: a point of a body has no field "force", allowed: position, displacement, velocity, density, pressure)"},
            {R"({ "name": "a", "body": "watr", "field": "center" })",
             R"(a.json:3:36: probes[0].body: there is no body named "watr", did you mean "water"? known: water)"},
            {R"({ "name": "a", "obstacle": "pst", "field": "force" })",
             R"(a.json:3:40: probes[0].obstacle: there is no obstacle named "pst", did you mean "post"? known: post)"},
            {R"({ "name": "a", "obstacle": "post", "field": "density" })",
             R"(a.json:3:57: probes[0].field: an obstacle has no field "density", allowed: force, torque)"},
            {R"({ "name": "a", "plane": { "point": [0, 0, 0], "normal": [0, 0, 0] }, "field": "flow" })",
             R"(a.json:3:69: probes[0].plane.normal: the normal has no direction, must not be zero)"},
            {R"({ "name": "a", "line": { "from": [0, 0, 0], "to": [1, 0, 0], "count": 1 }, "field": "density" })",
             R"(a.json:3:83: probes[0].line.count: 1 is out of range, must be at least 2 and at most 100000)"},
            {R"({ "name": "a", "point": [0, 0, 0], "field": "density", "every": "stepp" })",
             R"(a.json:3:77: probes[0].every: unknown word "stepp", did you mean "step"? allowed: frame, step, or a time such as "1 s")"},
            {R"({ "name": "a", "point": [0, 0, 0], "field": "density", "every": "1 m" })",
             R"(a.json:3:77: probes[0].every: expected a time such as "1 s", found a length)"},
            {R"({ "name": "a", "point": [0, 0, 0], "field": "density", "every": [] })",
             R"(a.json:3:77: probes[0].every: expected "frame", "step" or a time such as "1 s", found an empty list)"},
            {R"({ "name": "time", "point": [0, 0, 0], "field": "density" })",
             R"(a.json:3:23: probes[0].name: the column "time" is there already, choose another name)"},
            {R"({ "name": "a.x", "point": [0, 0, 0], "field": "density" }, { "name": "a", "point": [0, 0, 0], "field": "velocity" })",
             R"(a.json:3:82: probes[1].name: the column "a.x" is there already, choose another name)"},
            {R"({ "name": "a/b", "point": [0, 0, 0], "field": "density" })",
             R"(a.json:3:23: probes[0].name: "a/b" is no name, allowed: 1 to 100 bytes without slashes and control characters, no dot in front, no blank at either end)"},
        }) {
        SCOPED_TRACE(probe);
        EXPECT_EQ(parse_error(probe_scene(probe)), error);
    }
}

TEST(SceneErrors, of_bodies_that_do_not_go_together)
{
    const auto two = [](std::string_view first, std::string_view second) {
        const std::string shape =
            R"("type": "fluid", "shape": { "sphere": { "center": [0, 0, 0], "radius": 1 } })";
        return "{ \"bodies\": [\n{ " + std::string(first) + ", " + shape + " },\n{ " + std::string(second) +
               ", " + shape + " } ] }";
    };
    EXPECT_EQ(parse_error(two(R"("name": "a")", R"("name": "a")")),
              R"(a.json:3:11: bodies[1].name: the name "a" is used by bodies[0] already, names must differ)");
    EXPECT_EQ(
        parse_error(two(R"("name": "a_surface")", R"("name": "a")")),
        R"(a.json:2:11: bodies[0].name: the name "a_surface" is that of the surface of bodies[1], choose another one)");
    EXPECT_EQ(
        parse_error(two(R"("name": "")", R"("name": "a/b")")),
        "a.json:2:11: bodies[0].name: \"\" is no name, allowed: 1 to 100 bytes without slashes and control "
        "characters, no dot in front, no blank at either end\n"
        "a.json:3:11: bodies[1].name: \"a/b\" is no name, allowed: 1 to 100 bytes without slashes and "
        "control "
        "characters, no dot in front, no blank at either end");
    EXPECT_EQ(parse_error(two(R"("name": "a")", R"("name": "b", "material": "ethanol")")),
              "a.json:3:28: bodies[1].material: density is 789.3 kg/m^3 here and 998.2 kg/m^3 in bodies[0], "
              "fluids of "
              "different densities are not supported yet");
    EXPECT_EQ(parse_error(two(R"("name": "a", "solver": { "type": "wcsph" })",
                              R"("name": "b", "solver": { "type": "wcsph", "exponent": 1 })")),
              "a.json:3:26: bodies[1].solver: exponent is 1 here and 7 in bodies[0], all fluids have one "
              "solver; give "
              "it in one of them only");
    EXPECT_EQ(
        parse_error(two(R"("name": "a", "solver": { "type": "wcsph" })",
                        R"("name": "b", "solver": { "type": "wcsph", "max_speed": 1 })")),
        "a.json:3:26: bodies[1].solver: max_speed is 1 here and not given in bodies[0], all fluids have one "
        "solver; give it in one of them only");
    EXPECT_EQ(
        parse_error(two(R"("name": "a", "solver": { "type": "wcsph", "exponent": 1 })", R"("name": "b")")),
        "no error");
}

TEST(SceneErrors, come_all_at_once_in_the_order_of_the_text)
{
    EXPECT_EQ(parse_error(R"({
  "probes": [ { "name": "tip", "body": "tank", "field": "center" } ],
  "spacing": "1 s",
  "bodies": [ { "name": "water", "typ": "fluid", "shape": { "ball": 1 } } ]
})"),
              R"(a.json:2:40: probes[0].body: there is no body named "tank", known: water
a.json:3:14: spacing: expected a length such as "1 cm", found a time
a.json:4:15: bodies[0]: missing key "type", expected "fluid", "solid" or "rigid"
a.json:4:34: bodies[0]: unknown key "typ", did you mean "type"? expected "fluid", "solid" or "rigid")");
}

TEST(SceneErrors, of_shapes_within_shapes_without_end)
{
    const auto nested = [](int count) {
        std::string shape = R"({ "sphere": { "center": [0, 0, 0], "radius": 1 } })";
        for (int i = 0; i < count; ++i) shape = "{ \"union\": [ " + shape + " ] }";
        return shape_scene(shape);
    };
    const std::string resolved = to_text(parse(nested(29)).resolved());
    EXPECT_EQ(to_text(parse(resolved).resolved()), resolved);
    const std::string error = parse_error(nested(30));
    EXPECT_TRUE(error.ends_with(": nested too deeply, at most 64 levels are allowed")) << error;
}

TEST(SceneErrors, are_told_all_at_once)
{
    // Duplicate keys, unknown keys, a value and the path of an event.
    EXPECT_EQ(
        parse_error(R"({ "bodies": [ { "name": "water", "type": "fluid", "shap": 1, "name": "water",
"shape": { "sphere": { "center": [0, 0, 0], "radius": 1 } } } ],
"domain": { "min": [0, 0, 0], "max": [1, 1, 0], "sids": 1 },
"duration": "1 m",
"events": [ { "time": 1, "set": { "bodies.watr.material.viscosity": 1 } } ] })"),
        R"(a.json:1:51: bodies[0]: unknown key "shap", did you mean "shape"? allowed: type, name, shape, spacing, count, velocity, angular_velocity, ignores, start, material, solver)"
        "\n"
        R"(a.json:1:62: duplicate key "name", it was first given in line 1)"
        "\n"
        R"(a.json:3:45: domain.max[2]: 0 m is not above the lower corner, must be above 0 m)"
        "\n"
        R"(a.json:3:49: domain: unknown key "sids", did you mean "sides"? allowed: min, max, surface, temperature, heat_flux, air, sides)"
        "\n"
        R"(a.json:4:13: duration: expected a time such as "1 s", found a length)");
    EXPECT_EQ(
        parse_error(
            scene_with(
                R"("duratin": 1, "events": [ { "time": 1, "set": { "bodies.watr.material.viscosity": 1 } } ])"))
            .substr(0, 60),
        "a.json:2:1: unknown key \"duratin\", did you mean \"duration\"? ");
    EXPECT_TRUE(
        parse_error(
            scene_with(
                R"("duratin": 1, "events": [ { "time": 1, "set": { "bodies.watr.material.viscosity": 1 } } ])"))
            .ends_with("bodies: there is no item named \"watr\", did you mean \"water\"? known: water"));
    // What follows from another mistake is not told.
    EXPECT_EQ(
        parse_error(R"({ "bodies": [ { "name": "water", "type": "fluit" } ],
"events": [ { "time": 1, "set": { "bodies.water.material.viscosity": 1 } } ] })"),
        R"(a.json:1:42: bodies[0].type: unknown word "fluit", did you mean "fluid"? allowed: fluid, solid, rigid)");
}

TEST(SceneErrors, of_files_that_are_missing_stand_beside_the_others)
{
    const TemporaryFolder folder;
    const std::string text =
        R"({ "duratin": 1, "bodies": [ { "name": "a", "type": "fluid", "shape": { "mesh": "a.ply" } } ] })";
    std::ofstream(folder / "a.json") << text;
    const std::string error =
        error_of([&] { static_cast<void>(Scene::read(folder / "a.json", standard_kinds())); });
    EXPECT_NE(error.find("unknown key \"duratin\""), std::string::npos) << error;
    EXPECT_NE(error.find("bodies[0].shape.mesh: " + (folder / "a.ply").string() +
                         ": cannot read: it does not exist"),
              std::string::npos)
        << error;
    // Whoever sends a text is not told what files there are.
    EXPECT_EQ(error_of([&] {
                  static_cast<void>(Scene::parse(text, "a", folder.path(), standard_kinds()));
              }).find("a.ply"),
              std::string::npos);
}

TEST(SceneErrors, of_assignments_name_them)
{
    const std::string scene = scene_with(R"("spacing": 0.1)");
    for (
        const auto& [assignment, error] : std::vector<Case>{
            {"spaceing=1",
             R"(spaceing=1: unknown key "spaceing", did you mean "spacing"? allowed: $schema, dimension, duration, frame_rate, gravity, seed, spacing, count, time_step, domain, bodies, obstacles, emitters, outflows, blades, joints, hands, events, probes, output, render)"},
            {"spacing=4 s", R"(spacing=4 s: spacing: expected a length such as "1 cm", found a time)"},
            {"bodies.air.name=x", R"(bodies.air.name=x: bodies: there is no item named "air", known: water)"},
            {"domain.max[0]=1", "domain.max[0]=1: domain.max: is not given, so there is no item [0] to "
                                "set; set all of it"},
            {"bodies.water.name.x=1",
             R"(bodies.water.name.x=1: bodies.water.name: there is no "x" in "water")"},
            {"bodies.water.material.viscosity=1 m^2/s",
             R"(bodies.water.material.viscosity=1 m^2/s: bodies[0].material.viscosity: expected a dynamic viscosity such as "1 mPa s", found a kinematic viscosity; viscosity is dynamic, multiply by the density)"},
            {"foo", R"(foo: expected a path, "=" and a value, as in spacing="4 cm")"},
            {"bodies=", R"(bodies=: expected a value after "=")"},
        }) {
        SCOPED_TRACE(assignment);
        EXPECT_EQ(parse_error(scene, {std::string(assignment)}), error);
    }
}

TEST(SceneErrors, of_files_name_them)
{
    EXPECT_EQ(error_of([] { Scene::read("nowhere.json", standard_kinds()); }),
              "nowhere.json: there is no such file");
}

TEST(SceneErrors, of_emitters_and_outflows)
{
    const auto scene = [](std::string_view emitter) {
        return R"({ "bodies": [ { "name": "water", "type": "fluid" } ],)"
               "\n" +
               std::string(emitter) + " }";
    };
    const std::string shape = R"("shape": { "sphere": { "center": [0, 0, 0], "radius": 1 } })";
    const auto emitter = [&](std::string_view members) {
        return scene(R"("emitters": [ { "name": "tap", )" + shape + ", " + std::string(members) + " } ]");
    };
    for (
        const auto& [text, error] : std::vector<std::pair<std::string, std::string>>{
            {emitter(R"("velocity": [0, 0, 1])"),
             R"(a.json:2:15: emitters[0]: missing key "body", expected a text)"},
            {emitter(R"("body": "watr", "velocity": [0, 0, 1])"),
             R"(a.json:2:101: emitters[0].body: there is no body named "watr", did you mean "water"? known: water)"},
            {emitter(R"("body": "water")"),
             R"(a.json:2:15: emitters[0]: missing key "velocity", expected a list of 3, each a velocity such as "1 m/s" or a formula such as "= 2*t")"},
            {emitter(R"("body": "water", "velocity": [0, 0, 0])"),
             "a.json:2:122: emitters[0].velocity: the velocity has no direction, must not be zero"},
            {emitter(R"("body": "water", "velocity": [0, 0, 1], "start": 2, "stop": "1 s")"),
             "a.json:2:153: emitters[0].stop: 1 s is not after the start, must be above 2 s"},
            {emitter(R"("body": "water", "velocity": [0, 0, 1], "start": -1)"),
             "a.json:2:142: emitters[0].start: -1 s is out of range, must be at least 0 s"},
            {scene(R"("outflows": [ { "name": "drain" } ])"),
             R"(a.json:2:15: outflows[0]: missing key "shape", expected a shape such as { "box": { "min": [0, 0, 0], "max": [1, 1, 1] } })"},
            {scene(R"("outflows": [ { "name": "a", )" + shape + R"( }, { "name": "a", )" + shape + " } ]"),
             R"(a.json:2:103: outflows[1].name: the name "a" is used by outflows[0] already, names must differ)"},
        }) {
        SCOPED_TRACE(text);
        EXPECT_EQ(parse_error(text), error);
    }
}

} // namespace
} // namespace phyxel::scene_errors_test
