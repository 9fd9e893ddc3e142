// SPDX-License-Identifier: MIT
// Rigid bodies in scenes: what they and the others do to each other.
#include <phyxel/core/buffer.h>
#include <phyxel/io/checkpoint.h>
#include <phyxel/kinds/rigid/rigid_body.h>
#include <phyxel/kinds/standard_kinds.h>
#include <phyxel/scene/scene.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace phyxel {
namespace {

template <int Dim>
struct RunOf {
    explicit RunOf(const std::string& text)
        : built(build_scene(Scene::parse(text, "a.json", ".", standard_kinds()))),
          world(*std::get<std::unique_ptr<World<Dim>>>(built.world))
    {
    }
    void to_frame(std::uint64_t frame)
    {
        while (world.frame() < frame && world.advance_frame()) {}
        EXPECT_FALSE(world.failure()) << to_text(*world.failure());
    }
    BodyTotals<Dim> total(const std::string& name)
    {
        for (const BodyTotals<Dim>& total : world.totals())
            if (total.name == name) return total;
        ADD_FAILURE() << name;
        return {};
    }

    BuiltScene built;
    World<Dim>& world;
};

std::string error_of(const std::string& text)
{
    try {
        (void)build_scene(Scene::parse(text, "a.json", ".", standard_kinds()));
    } catch (const SceneError& error) {
        return error.what();
    }
    return {};
}

/// Two bodies without gravity of which one flies into the other.
template <int Dim>
void expect_momentum_kept(const std::string& text, std::uint64_t frames)
{
    RunOf<Dim> run(text);
    const auto sum = [&](double& scale) {
        Vec<Dim> momentum = Vec<Dim>::Zero();
        scale = 0.0;
        for (const BodyTotals<Dim>& total : run.world.totals()) {
            momentum += total.momentum;
            scale += total.momentum.norm();
        }
        return momentum;
    };
    double scale = 0.0, scale_after = 0.0;
    const Vec<Dim> before = sum(scale);
    const double first = run.total("ball").momentum.norm();
    run.to_frame(frames);
    const Vec<Dim> after = sum(scale_after);
    EXPECT_GT(std::abs(run.total("ball").momentum.norm() - first), 0.05 * scale);
    EXPECT_LT((after - before).norm(), 1e-6 * scale) << (after - before).transpose() << " of " << scale;
}

std::string drop_scene(const std::string& solver)
{
    return R"({ "dimension": 2, "gravity": [0, 0], "duration": 0.2, "frame_rate": 50, "spacing": "1 cm",
      "bodies": [
        { "name": "drop", "type": "fluid", "shape": { "sphere": { "center": [0, 0], "radius": 0.08 } },
          "velocity": [1, 0.1], "solver": { "type": ")" +
           solver + R"(" } },
        { "name": "ball", "type": "rigid", "shape": { "sphere": { "center": [0.17, 0.03], "radius": 0.06 } },
          "material": { "density": 500 } } ] })";
}

TEST(RigidCoupling, momentum_of_a_drop_that_hits_a_ball_is_kept)
{
    for (const std::string solver : {"dfsph", "wcsph"}) {
        SCOPED_TRACE(solver);
        expect_momentum_kept<2>(drop_scene(solver), 8);
    }
}

TEST(RigidCoupling, momentum_is_kept_where_a_fluid_sticks_or_rubs)
{
    for (const std::string solver : {"dfsph", "wcsph"})
        for (const std::string surface : {R"("no_slip")", R"({ "friction": 0.5 })"})
            for (const std::string body :
                 {R"("type": "rigid", "material": { "density": 500 })", R"("type": "solid")"}) {
                SCOPED_TRACE(solver + ' ' + surface + ' ' + body);
                expect_momentum_kept<2>(
                    R"({ "dimension": 2, "gravity": [0, 0], "duration": 0.2, "frame_rate": 50, "spacing": "1 cm",
              "bodies": [
                { "name": "drop", "type": "fluid", "velocity": [1, 0.1], "material": { "from": "water", "viscosity": 1 },
                  "shape": { "sphere": { "center": [0, 0], "radius": 0.08 } }, "solver": { "type": ")" +
                        solver + R"(" } },
                { "name": "ball", )" +
                        body + R"(, "surface": )" + surface +
                        R"(, "shape": { "sphere": { "center": [0.17, 0.03], "radius": 0.06 } } } ] })",
                    8);
            }
}

/// A disc that honey holds turns with it; one along which it slips does not.
TEST(RigidCoupling, honey_turns_a_disc_that_holds_it)
{
    double turned[2];
    for (const bool holds : {false, true}) {
        RunOf<2> run(
            R"({ "dimension": 2, "gravity": [0, 0], "duration": 0.2, "frame_rate": 50, "spacing": "5 mm",
          "bodies": [
            { "name": "honey", "type": "fluid", "angular_velocity": "5 rad/s", "solver": { "type": "wcsph" },
              "material": { "from": "water", "viscosity": 5 },
              "shape": { "sphere": { "center": [0, 0], "radius": 0.08 } } },
            { "name": "disc", "type": "rigid", "material": { "density": 500 }, "surface": )" +
            std::string(holds ? R"("no_slip")" : R"("slip")") +
            R"(, "shape": { "sphere": { "center": [0, 0], "radius": 0.03 } } } ] })");
        run.to_frame(5);
        turned[holds ? 1 : 0] = dynamic_cast<const RigidBody<2>&>(run.world.body(1)).state().turned[0][0];
    }
    EXPECT_LT(std::abs(turned[0]), 0.02);
    EXPECT_NEAR(turned[1], 0.5, 0.15); // 5 rad/s for 0.1 s, less the beginning
}

TEST(RigidCoupling, momentum_of_a_jelly_that_hits_a_ball_is_kept)
{
    for (const std::string solver : {"leapfrog"}) {
        SCOPED_TRACE(solver);
        expect_momentum_kept<2>(
            R"({ "dimension": 2, "gravity": [0, 0], "duration": 0.4, "frame_rate": 50, "spacing": "2 cm",
              "bodies": [
                { "name": "jelly", "type": "solid", "velocity": [1, 0.1],
                  "shape": { "sphere": { "center": [0, 0], "radius": 0.1 } }, "solver": { "type": ")" +
                solver + R"(" } },
                { "name": "ball", "type": "rigid", "material": { "density": 300 },
                  "shape": { "sphere": { "center": [0.19, 0.03], "radius": 0.06 } } } ] })",
            15);
    }
}

std::string tank_scene(double density)
{
    return R"({ "dimension": 2, "duration": 3, "frame_rate": 20, "spacing": "2 cm",
      "domain": { "min": [0, 0], "max": [0.5, 0.6] },
      "bodies": [
        { "name": "water", "type": "fluid", "shape": { "box": { "min": [0, 0], "max": [0.5, 0.3] } } },
        { "name": "box", "type": "rigid", "shape": { "box": { "min": [0.15, 0.24], "max": [0.35, 0.34] } },
          "material": { "density": )" +
           std::to_string(density) + R"( } } ] })";
}

TEST(RigidCoupling, light_box_floats_without_being_thrown_about)
{
    RunOf<2> run(tank_scene(300.0));
    double highest = 0.0;
    for (std::uint64_t frame = 1; frame <= 40; ++frame) {
        run.to_frame(frame);
        if (frame > 20) highest = std::max(highest, run.total("box").max_speed);
    }
    const double center = run.total("box").center[1];
    // Water that it pushes away rises: the level by volume.
    const double water = 0.5 * 0.3 - 0.2 * 0.06;
    const double level = (water + 0.3 * 0.2 * 0.1) / 0.5;
    EXPECT_NEAR(center, level + 0.05 - 0.03, 0.02);
    EXPECT_LT(highest, 0.3);
}

TEST(RigidCoupling, heavy_box_sinks_and_rests_on_the_floor)
{
    RunOf<2> run(tank_scene(1500.0));
    run.to_frame(40);
    EXPECT_NEAR(run.total("box").center[1], 0.05, 0.02);
}

TEST(RigidCoupling, state_is_the_same_after_a_restart)
{
    const std::string text =
        R"({ "dimension": 2, "duration": 1, "frame_rate": 20, "spacing": "2 cm",
          "domain": { "min": [0, 0], "max": [1, 1] },
          "bodies": [
            { "name": "water", "type": "fluid", "shape": { "box": { "min": [0, 0], "max": [0.4, 0.3] } } },
            { "name": "jelly", "type": "solid", "shape": { "box": { "min": [0.6, 0.02], "max": [0.8, 0.12] } } },
            { "name": "a", "type": "rigid", "shape": { "box": { "min": [0.1, 0.4], "max": [0.3, 0.5] } } },
            { "name": "b", "type": "rigid", "shape": { "box": { "min": [0.12, 0.51], "max": [0.32, 0.6] } } },
            { "name": "c", "type": "rigid", "shape": { "sphere": { "center": [0.7, 0.3], "radius": 0.08 } },
              "start": 0.1 } ] })";
    RunOf<2> whole(text);
    whole.to_frame(4);
    CheckpointWriter checkpoint;
    whole.world.save(checkpoint);
    const std::vector<std::byte> bytes = checkpoint.encode();
    whole.to_frame(8);
    const std::uint64_t hash = whole.world.state_hash();
    RunOf<2> resumed(text);
    Buffer<std::byte> content(bytes.size());
    std::copy(bytes.begin(), bytes.end(), content.data());
    resumed.world.load(CheckpointReader(std::move(content), "memory"));
    resumed.to_frame(8);
    EXPECT_EQ(resumed.world.state_hash(), hash);
}

TEST(RigidScene, bodies_that_begin_within_each_other_are_refused_by_name_and_depth)
{
    const std::string error = error_of(R"({ "dimension": 2, "spacing": "2 cm", "bodies": [
        { "name": "a", "type": "rigid", "shape": { "box": { "min": [0, 0], "max": [0.2, 0.2] } } },
        { "name": "b", "type": "rigid", "shape": { "box": { "min": [0.15, 0.05], "max": [0.4, 0.1] } } } ] })");
    EXPECT_NE(error.find("bodies[1].shape: the body is 0.05 m deep in bodies[0] (a)"), std::string::npos)
        << error;
    const std::string soft = error_of(R"({ "dimension": 2, "spacing": "2 cm", "bodies": [
        { "name": "a", "type": "rigid", "shape": { "box": { "min": [0, 0], "max": [0.2, 0.2] } } },
        { "name": "b", "type": "solid", "shape": { "box": { "min": [0.1, 0.1], "max": [0.4, 0.3] } } } ] })");
    EXPECT_NE(soft.find("deep in bodies[0] (a)"), std::string::npos) << soft;
}

TEST(RigidScene, joints_are_checked)
{
    const std::string error = error_of(R"({ "dimension": 2, "spacing": "2 cm",
        "bodies": [ { "name": "wheel", "type": "rigid", "shape": { "box": { "min": [0, 0], "max": [0.2, 0.2] } } } ],
        "joints": [ { "name": "axle", "type": "hinge", "bodies": ["weel"], "at": [0.1, 0.1] },
                    { "name": "rail", "type": "slider", "bodies": ["wheel"], "at": [0.1, 0.1] } ] })");
    EXPECT_NE(error.find("joints[0].bodies[0]: there is no rigid body named \"weel\""), std::string::npos)
        << error;
    EXPECT_NE(error.find("joints[1].axis: the joint has no axis"), std::string::npos) << error;
}

TEST(RigidScene, motor_turns_a_wheel)
{
    RunOf<2> run(R"({ "dimension": 2, "duration": 1, "frame_rate": 20, "spacing": "2 cm",
        "bodies": [ { "name": "wheel", "type": "rigid", "shape": { "box": { "min": [0, 0], "max": [0.2, 0.2] } } } ],
        "joints": [ { "name": "axle", "type": "hinge", "bodies": ["wheel"], "at": [0.1, 0.1],
                      "motor": { "speed": "2 rad/s", "torque": "1 kN m" } } ] })");
    run.to_frame(20);
    const auto& body = dynamic_cast<const RigidBody<2>&>(run.world.body(0));
    EXPECT_NEAR(body.state().turned[0][0], 2.0, 0.02);
    EXPECT_LT((run.total("wheel").center - Vec<2>(0.1, 0.1)).norm(), 1e-3);
}

TEST(RigidScene, totals_are_those_of_the_shape)
{
    RunOf<3> run(R"({ "spacing": "3 cm", "gravity": [0, 0, 0], "bodies": [
        { "name": "cup", "type": "rigid", "material": "steel", "velocity": [1, 2, 3], "angular_velocity": [4, 5, 6],
          "shape": { "difference": [ { "cylinder": { "from": [0, 0, 0], "to": [0, 0, 0.3], "radius": 0.2 } },
                                     { "cylinder": { "from": [0, 0, 0.05], "to": [0, 0, 0.4], "radius": 0.12 } } ] } } ] })");
    const BodyTotals<3> total = run.total("cup");
    const auto& body = dynamic_cast<const RigidBody<3>&>(run.world.body(0));
    const RigidModel<3>& model = body.system().models[0];
    EXPECT_NEAR(total.mass, model.mass.mass, 1e-9 * total.mass);
    EXPECT_LT((total.center - model.mass.center).norm(), 1e-9);
    EXPECT_LT((total.momentum - total.mass * Vec<3>(1, 2, 3)).norm(), 1e-9 * total.momentum.norm());
    EXPECT_NEAR(total.kinetic_energy, kinetic_energy(model, body.state(), 0), 1e-9 * total.kinetic_energy);
}

} // namespace
} // namespace phyxel
