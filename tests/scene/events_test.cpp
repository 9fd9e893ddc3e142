// SPDX-License-Identifier: MIT
#include <phyxel/kinds/fluid/fluid_body.h>
#include <phyxel/kinds/fluid/fluid_body_options.h>
#include <phyxel/scene/detail/events.h>
#include <phyxel/scene/document.h>

#include "scene_support.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

namespace phyxel::events_test {
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

/// What is not read again stays where it is.
TEST(SceneEvents, what_an_event_costs_follows_what_it_changes)
{
    const BuiltScene built = build(events_scene(""));
    const Kinds kinds = standard_kinds();
    EventPlan<2> plan(built.resolved, read_scene_options<2>(built.resolved, kinds), kinds, ".");
    const auto options_of = [&](std::size_t body) {
        return plan.options().bodies[body].get<FluidBodyOptions<2>>();
    };
    const FluidBodyOptions<2>* a = options_of(0);
    const FluidBodyOptions<2>* b = options_of(1);
    std::vector<Problem> problems;
    (void)plan.add({.time = 0.01, .set = EventAssignments{{{"bodies.b.material.viscosity", 2.0}}}}, {},
                   problems);
    EXPECT_TRUE(problems.empty());
    EXPECT_EQ(options_of(0), a);
    EXPECT_NE(options_of(1), b);
    b = options_of(1);
    Node body = built.resolved.find("bodies")->items()[1];
    body.set("name", "c");
    body.set("start", 0.05);
    plan.add_body(body);
    ASSERT_EQ(plan.options().bodies.size(), 3u);
    EXPECT_EQ(options_of(0), a);
    EXPECT_EQ(options_of(1), b);
    EXPECT_EQ(options_of(2)->name, "c");
    EXPECT_EQ(options_of(1)->material.viscosity, 2.0);
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
             R"(.gravitY: there is no key "gravitY", did you mean "gravity"? known: dimension, duration, frame_rate, gravity, seed, spacing, bodies, obstacles, emitters, outflows, blades, joints, hands, events, probes, output, render)"},
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
            {R"("bodies.a.material.from": "milk")", R"(["bodies.a.material.from"]: )" + std::string(allowed)},
            {R"("bodies.a.material": { "viscosity": 1 })",
             R"(["bodies.a.material"]: expected the name of a material, found an object; single numbers of a material are set by their own paths)"},
            {R"("bodies.a.material": "jelly")",
             R"(["bodies.a.material"]: "jelly" is a solid, allowed: water, seawater, milk, ethanol, olive_oil, glycerol, honey, mercury)"},
            {R"("bodies.a.solver.support_ratio": 3)",
             R"(["bodies.a.solver.support_ratio"]: )" + std::string(allowed)},
            {R"("bodies.a.solver.spead": 3)",
             R"(["bodies.a.solver.spead"]: bodies.a.solver: there is no key "spead", known: type, compressibility, exponent, negative_pressure, artificial_viscosity, velocity_smoothing, support_ratio, courant_number)"},
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

TEST(SceneEvents, are_looked_at_beside_a_corner_that_cannot_be_read)
{
    std::string scene = events_scene(R"({ "time": 1, "set": { "gravity": [0, 1] } })");
    const std::string corner = R"("min": [2, 0])";
    scene.replace(scene.find(corner), corner.size(), R"("min": ["q", 0])");
    const std::string error = parse_error(scene);
    EXPECT_NE(error.find("bodies[1].shape.box.min[0]"), std::string::npos) << error;
    EXPECT_EQ(error.find('\n'), std::string::npos) << error;
}

/// Water beside a post and a gate, in the plane.
std::string post_scene(std::string_view events, std::string_view more = {})
{
    return R"({ "dimension": 2, "spacing": 0.05, "duration": 0.2, "frame_rate": 50,)"
           R"( "domain": { "min": [0, 0], "max": [2, 1] }, )" +
           std::string(more) +
           R"("bodies": [ { "name": "water", "type": "fluid", "shape": { "box": { "min": [0, 0], "max": [0.5, 0.5] } } },)"
           R"( { "name": "pool", "type": "fluid", "shape": { "box": { "min": [1.5, 0], "max": [2, 0.3] } } } ],)"
           R"( "obstacles": [ { "name": "post", "shape": { "box": { "min": [1, 0.4], "max": [1.2, 0.5] } }, "motion": { "move": ["= t", 0] } },)"
           R"( { "name": "gate", "shape": { "box": { "min": [0.6, 0], "max": [0.7, 1] } } } ],)"
           "\n\"events\": [ " +
           std::string(events) + " ] }";
}

const Obstacle<2>& obstacle_of(BuiltScene& built, std::size_t number)
{
    return world_of(built).surroundings().obstacles[number];
}

TEST(SceneEvents, move_obstacles_on_from_where_they_are)
{
    BuiltScene built = build(post_scene(
        R"({ "time": 0.05, "set": { "obstacles.post.motion": "fixed" } },)"
        R"({ "time": 0.1, "set": { "obstacles[0].motion": { "rotate": "= 10*t - 0.5" }, "obstacles.post.surface":
{
    "friction" : 0.3
}
}
},)"
        R"({ "time": 0.15, "set": { "obstacles.post.motion": null, "obstacles.post.surface": null } })"));
    World<2>& world = world_of(built);
    const Vec<2> middle(1.1, 0.45);
    while (world.frame() < 4) ASSERT_TRUE(world.advance_frame());
    EXPECT_LT((obstacle_of(built, 0).pose.apply(middle) - (middle + Vec<2>(0.05, 0))).norm(), 1e-12);
    EXPECT_EQ(obstacle_of(built, 0).velocity.at(middle), Vec<2>(Vec<2>::Zero()));
    EXPECT_EQ(obstacle_of(built, 0).surface.friction, 0.0);
    while (world.frame() < 7) ASSERT_TRUE(world.advance_frame());
    // It turns around its middle, wherever that is, by what the formula says since the event.
    EXPECT_LT((obstacle_of(built, 0).pose.apply(middle) - (middle + Vec<2>(0.05, 0))).norm(), 1e-12);
    EXPECT_NEAR(obstacle_of(built, 0).pose.rotation(1, 0), std::sin(10 * 0.04), 1e-12);
    EXPECT_EQ(obstacle_of(built, 0).surface.friction, 0.3);
    while (world.frame() < 10) ASSERT_TRUE(world.advance_frame());
    // As the scene has it, and turned as it was.
    EXPECT_LT((obstacle_of(built, 0).pose.apply(middle) - (middle + Vec<2>(0.1, 0))).norm(), 1e-12);
    EXPECT_NEAR(obstacle_of(built, 0).pose.rotation(1, 0), std::sin(10 * 0.05), 1e-12);
    EXPECT_EQ(obstacle_of(built, 0).surface.friction, 0.0);
    EXPECT_EQ(obstacle_of(built, 1).pose.apply(middle), middle) << "nothing was said of the gate";
}

TEST(SceneEvents, the_expected_speed_knows_how_they_move_obstacles)
{
    const auto max_speed = [](std::string_view events) {
        const BuiltScene built = build(post_scene(events));
        return built.resolved.find("bodies")->items()[0].find("solver")->find("max_speed")->number();
    };
    const double slow = max_speed(R"({ "time": 0.1, "set": { "obstacles.gate.motion": "fixed" } })");
    EXPECT_GT(max_speed(R"({ "time": 0.1, "set": { "obstacles.gate.motion": { "move": ["= 50*t", 0] } } })"),
              2.0 * slow);
}

TEST(SceneEvents, say_what_is_wrong_with_obstacles_and_with_what_is_taken_away)
{
    struct Case {
        std::string_view event;
        std::string error;
    };
    for (
        const auto& [event, error] : std::vector<Case>{
            {R"("set": { "obstacles.post.motion": "free" })",
             R"(.set["obstacles.post.motion"]: an obstacle is not "free", what moves by itself is a body of the type rigid, allowed: "fixed", an object with "keys", or one with formulas for "move" and "rotate")"},
            {R"("set": { "obstacles.post.surface": "sticky" })",
             R"(.set["obstacles.post.surface"]: unknown word "sticky", allowed: slip, no_slip)"},
            {R"("set": { "obstacles.post.shape": 1 })",
             R"(.set["obstacles.post.shape"]: events cannot change this, allowed: gravity, gravity[k], hands, and what is said to be changeable, such as numbers of bodies.NAME.material and bodies.NAME.solver)"},
            {R"("set": { "obstacles.pots.motion": "fixed" })",
             R"(.set["obstacles.pots.motion"]: obstacles: there is no item named "pots", did you mean "post"? known: post, gate)"},
            {R"("remove": ["wate"])",
             R"(.remove[0]: there is no body and no obstacle named "wate", did you mean "water"? known: water, pool, post, gate)"},
            {R"("remove": ["pool", "bodies.pool"])", ".remove[1]: it was taken away at 0 s already"},
            {R"("remove": ["obstacles[1]"], "set": { "obstacles.gate.motion": "fixed" })",
             R"(.set["obstacles.gate.motion"]: it was taken away at 0 s)"},
        }) {
        SCOPED_TRACE(event);
        const std::string message = parse_error(post_scene("{ \"time\": 0, " + std::string(event) + " }"));
        const std::size_t path = message.find("events[0]");
        ASSERT_NE(path, std::string::npos) << message;
        EXPECT_EQ(message.substr(path), "events[0]" + error);
    }
    std::string both =
        post_scene(R"({ "time": 0.1, "remove": ["post"] }, { "time": 0.1, "remove": ["bodies.post"] })");
    both.insert(
        both.find(" ], \"obstacles\""),
        R"(, { "name": "post", "type": "fluid", "shape": { "box": { "min": [0.8, 0], "max": [1, 0.3] } }, "start": 0.1 })");
    EXPECT_EQ(
        parse_error(both),
        "a.json:2:39: events[0].remove[0]: a body and an obstacle are named \"post\", write bodies.post or "
        "obstacles.post\n"
        "a.json:2:76: events[1].remove[0]: it comes at 0.1 s, take it away later");
}

TEST(SceneEvents, take_bodies_and_obstacles_away)
{
    const std::string scene = post_scene(
        R"({ "time": 0.05, "remove": ["pool"] }, { "time": 0.1, "remove": ["gate"], "set": { "gravity": [0, -1] } })",
        R"("emitters": [ { "name": "tap", "body": "pool", "shape": { "box": { "min": [1.6, 0.6], "max": [1.8, 0.8] } }, "velocity": [0, -1] } ],)");
    BuiltScene built = build(scene);
    World<2>& world = world_of(built);
    while (world.frame() < 2) ASSERT_TRUE(world.advance_frame());
    const std::size_t before = world.particle_count();
    const std::size_t water = world.totals()[0].particles;
    EXPECT_GT(before, water);
    while (world.frame() < 4) ASSERT_TRUE(world.advance_frame());
    EXPECT_EQ(world.particle_count(), water) << "and its tap is closed";
    EXPECT_LT(world.totals()[0].bounds.max[0], 0.6);
    EXPECT_TRUE(obstacle_of(built, 1).is_there);
    while (world.frame() < 10) ASSERT_TRUE(world.advance_frame());
    EXPECT_FALSE(obstacle_of(built, 1).is_there);
    EXPECT_EQ(world.part_names(), (std::vector<std::string>{"water", "pool"}));
    EXPECT_EQ(world.surroundings().gravity, Vec<2>(0, -1));
    // The scene that it was resolved to is the same scene.
    BuiltScene again = build(to_text(built.resolved));
    while (world_of(again).frame() < 10) ASSERT_TRUE(world_of(again).advance_frame());
    EXPECT_EQ(world_of(again).state_hash(), world.state_hash());
}

TEST(SceneEvents, set_a_material_by_the_name_of_a_preset_and_leave_its_density)
{
    BuiltScene built = build(post_scene(
        R"({ "time": 0.02, "set": { "bodies.water.material": "honey" } }, { "time": 0.06, "set": { "bodies.water.material": null } })"));
    World<2>& world = world_of(built);
    const FluidModel& model = fluid_of(built).model();
    const FluidPartModel first = model.parts[0];
    while (world.frame() < 2) ASSERT_TRUE(world.advance_frame());
    EXPECT_GT(model.parts[0].viscosity, 100.0 * first.viscosity);
    EXPECT_EQ(model.parts[0].particle_mass, first.particle_mass);
    EXPECT_EQ(model.parts[1].viscosity, first.viscosity);
    while (world.frame() < 4) ASSERT_TRUE(world.advance_frame());
    EXPECT_EQ(model.parts[0].viscosity, first.viscosity);
}

TEST(SceneEvents, null_restores_what_the_scene_has)
{
    BuiltScene built = build(events_scene(
        R"({ "time": 0.01, "set": { "gravity": [1, 2], "bodies.a.solver.max_speed": 7, "bodies.a.material.viscosity": 3, "bodies.b.solver.exponent": 3 } },)"
        R"({ "time": 0.03, "set": { "gravity[1]": null, "bodies.a.solver.max_speed": null, "bodies.b.solver.exponent": null, "bodies.a.material.viscosity": null } },)"
        R"({ "time": 0.05, "set": { "gravity": null, "hands": null } })"));
    World<2>& world = world_of(built);
    const auto& solver = std::get<WcsphSolver<2>>(fluid_of(built).solver());
    const double sound_speed = solver.equation_of_state().sound_speed();
    const double exponent = solver.equation_of_state().exponent;
    const double viscosity = fluid_of(built).model().parts[0].viscosity;
    while (world.frame() < 2) ASSERT_TRUE(world.advance_frame());
    EXPECT_EQ(world.surroundings().gravity, Vec<2>(1, 2));
    EXPECT_NE(solver.equation_of_state().sound_speed(), sound_speed);
    EXPECT_EQ(solver.equation_of_state().exponent, 3.0);
    EXPECT_EQ(fluid_of(built).model().parts[0].viscosity, 3.0);
    while (world.frame() < 4) ASSERT_TRUE(world.advance_frame());
    EXPECT_EQ(world.surroundings().gravity, Vec<2>(1, 0));
    EXPECT_EQ(solver.equation_of_state().sound_speed(), sound_speed);
    EXPECT_EQ(solver.equation_of_state().exponent, exponent);
    EXPECT_EQ(fluid_of(built).model().parts[0].viscosity, viscosity);
    while (world.frame() < 6) ASSERT_TRUE(world.advance_frame());
    EXPECT_EQ(world.surroundings().gravity, Vec<2>(0, 0));
}

TEST(SceneEvents, that_are_wrong_leave_nothing_of_themselves_behind)
{
    // The second value is as good as it would be without the first one.
    EXPECT_EQ(
        parse_error(events_scene(
            R"({ "time": 0, "set": { "bodies.a.solver.exponent": 0, "bodies.b.solver.exponent": 3, "hands": 1, "gravity": [1, 1] } })")),
        "a.json:2:63: events[0].set[\"bodies.a.solver.exponent\"]: 0 is out of range, must be at least 1 and "
        "at most 20\n"
        "a.json:2:106: events[0].set.hands: expected a list, each an object, found 1");
}

} // namespace
} // namespace phyxel::events_test
