// SPDX-License-Identifier: MIT
#include <phyxel/kinds/fluid/fluid_body.h>
#include <phyxel/scene/document.h>

#include "scene_support.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace phyxel {
namespace {

std::string events_scene(std::string_view events)
{
    return R"({ "dimension": 2, "spacing": 0.1, "duration": 0.1, "frame_rate": 100, "gravity": [0, 0],)"
           R"( "bodies": [ { "name": "a", "type": "fluid", "shape": { "box": { "min": [0, 0], "max": [1, 1] } }, "solver": { "type": "wcsph" } },)"
           R"( { "name": "b", "type": "fluid", "shape": { "box": { "min": [2, 0], "max": [3, 1] } } } ],)"
           "\n\"events\": [ " +
           std::string(events) + " ] }";
}

World<2>& world_of(BuiltScene& built) { return *std::get<std::unique_ptr<World<2>>>(built.world); }

FluidBody<2>& fluid_of(BuiltScene& built) { return dynamic_cast<FluidBody<2>&>(world_of(built).body(0)); }

Vec<2> mean_velocity(BuiltScene& built)
{
    Vec<2> sum = Vec<2>::Zero();
    for (const Vec<2>& v : fluid_of(built).state().velocity) sum += v;
    return sum / static_cast<double>(fluid_of(built).state().size());
}

TEST(SceneEvents, change_gravity_at_their_time)
{
    BuiltScene built = build(events_scene(
        R"({ "time": 0.05, "set": { "gravity[1]": 0 } }, { "time": 0.02, "set": { "gravity": ["5 m/s^2", -10] } })"));
    World<2>& world = world_of(built);
    while (world.frame() < 2) world.advance_frame();
    EXPECT_LT(mean_velocity(built).norm(), 1e-3);
    while (world.frame() < 5) world.advance_frame();
    EXPECT_NEAR(mean_velocity(built)[0], 5 * 0.03, 0.02);
    EXPECT_NEAR(mean_velocity(built)[1], -10 * 0.03, 0.02);
    while (world.frame() < 10) world.advance_frame();
    EXPECT_NEAR(mean_velocity(built)[0], 5 * 0.08, 0.02);
    EXPECT_NEAR(mean_velocity(built)[1], -10 * 0.03, 0.02);
}

TEST(SceneEvents, change_the_solver_of_all_fluids)
{
    BuiltScene built = build(events_scene(
        R"({ "time": 0.02, "set": { "bodies.b.solver.max_speed": 3, "bodies[0].solver.compressibility": 0.04 } })"));
    World<2>& world = world_of(built);
    world.advance_frame();
    EXPECT_NEAR(std::get<WcsphSolver<2>>(fluid_of(built).solver()).equation_of_state().sound_speed(), 1.0,
                1e-12);
    while (world.frame() < 3) world.advance_frame();
    EXPECT_NEAR(std::get<WcsphSolver<2>>(fluid_of(built).solver()).equation_of_state().sound_speed(), 15.0,
                1e-12);
}

TEST(SceneEvents, change_viscosity)
{
    // A viscous limit of the step shows that the change has arrived.
    BuiltScene built =
        build(events_scene(R"({ "time": 0.02, "set": { "bodies.b.material.viscosity": "1e5 Pa s" } })"));
    World<2>& world = world_of(built);
    const double before = fluid_of(built).stable_time_step();
    while (world.frame() < 2) world.advance_frame();
    EXPECT_LT(fluid_of(built).stable_time_step(), 0.5 * before);
}

TEST(SceneEvents, are_checked_before_the_run)
{
    constexpr std::string_view allowed = "events cannot change this, allowed: gravity, gravity[k], hands, "
                                         "and what is said to be changeable, such as "
                                         "numbers of bodies.NAME.material and bodies.NAME.solver";
    struct Case {
        std::string_view set;
        std::string error;
    };
    for (
        const auto& [set, error] : std::vector<Case>{
            {R"("gravitY": 1)",
             R"(.gravitY: there is no key "gravitY", did you mean "gravity"? known: dimension, duration, frame_rate, gravity, seed, spacing, bodies, obstacles, emitters, outflows, hands, events, probes, output, render)"},
            {R"("gravity[2]": 1)", R"(["gravity[2]"]: gravity: there is no item [2] in a list of 2)"},
            {R"("gravity[1]": "1 m")",
             R"(["gravity[1]"]: expected an acceleration such as "9.81 m/s^2", found a length)"},
            {R"("gravity": [0, "= z"])", R"(.gravity[1]: the formula uses z, allowed: x, y, t)"},
            {R"("spacing": 1)", ".spacing: " + std::string(allowed)},
            {R"("render.style": "dark")", R"(["render.style"]: )" + std::string(allowed)},
            {R"("bodies.c.material.viscosity": 1)",
             R"(["bodies.c.material.viscosity"]: bodies: there is no item named "c", known: a, b)"},
            {R"("bodies.a.material.viscosity": "1 m^2/s")",
             R"(["bodies.a.material.viscosity"]: expected a dynamic viscosity such as "1 mPa s", found a kinematic viscosity; viscosity is dynamic, multiply by the density)"},
            {R"("bodies[1].material.viscosity": -1)",
             R"(["bodies[1].material.viscosity"]: -1 Pa s is out of range, must be at least 0 Pa s)"},
            {R"("bodies.a.material.density": 1)",
             R"(["bodies.a.material.density"]: )" + std::string(allowed)},
            {R"("bodies.a.solver.exponent": 0)",
             R"(["bodies.a.solver.exponent"]: 0 is out of range, must be at least 1 and at most 20)"},
            {R"("bodies.a.solver.max_speed": null)",
             R"(["bodies.a.solver.max_speed"]: expected a velocity such as "1 m/s", found null)"},
            {R"("bodies.a.solver.support_ratio": 3)",
             R"(["bodies.a.solver.support_ratio"]: )" + std::string(allowed)},
            {R"("bodies.a.solver.speed": 3)",
             R"(["bodies.a.solver.speed"]: bodies.a.solver: there is no key "speed", known: type, compressibility, exponent, negative_pressure, artificial_viscosity, velocity_smoothing, support_ratio, courant_number)"},
            {R"("bodies.a.solver.max_iterations": 3)",
             R"(["bodies.a.solver.max_iterations"]: unknown key "max_iterations", allowed: type, compressibility, exponent, negative_pressure, artificial_viscosity, velocity_smoothing, particle_shifting, support_ratio, courant_number, max_speed)"},
            {R"("count": 3)", R"(.count: )" + std::string(allowed)},
            {R"("bodies.a.spacing": 3)", R"(["bodies.a.spacing"]: )" + std::string(allowed)},
            {R"("": 1)", R"([""]: the path is empty, expected one such as bodies.water.material)"},
            {R"("a..b": 1)", R"(["a..b"]: the path "a..b" cannot be read: expected a key in column 3)"},
        }) {
        SCOPED_TRACE(set);
        const std::string message =
            parse_error(events_scene("{ \"time\": 0, \"set\": { " + std::string(set) + " } }"));
        const std::size_t path = message.find("events[0].set");
        ASSERT_NE(path, std::string::npos) << message;
        EXPECT_TRUE(message.starts_with("a.json:2:")) << message;
        EXPECT_EQ(message.substr(path), "events[0].set" + error);
    }
}

TEST(SceneEvents, problems_of_several_events_come_at_once_at_their_values)
{
    EXPECT_EQ(
        parse_error(events_scene(
            R"({ "time": 1, "set": { "seed": 2 } }, { "time": 0, "set": { "gravity": 1, "bodies.a.solver.courant_number": 2 } })")),
        "a.json:2:43: events[0].set.seed: events cannot change this, allowed: gravity, gravity[k], hands, "
        "and "
        "what is said to be changeable, such as numbers of bodies.NAME.material and bodies.NAME.solver\n"
        "a.json:2:83: events[1].set.gravity: expected a list of 2, each an acceleration such as \"9.81 "
        "m/s^2\" or a "
        "formula such as \"= 2*x\", found 1\n"
        "a.json:2:120: events[1].set[\"bodies.a.solver.courant_number\"]: 2 is out of range, must be above 0 "
        "and at "
        "most 1");
}

} // namespace
} // namespace phyxel
