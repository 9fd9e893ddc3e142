// SPDX-License-Identifier: MIT
// Rigid bodies in scenes: what they and the others do to each other.
#include <phyxel/core/buffer.h>
#include <phyxel/io/checkpoint.h>
#include <phyxel/kinds/rigid/rigid_body.h>
#include <phyxel/kinds/standard_kinds.h>
#include <phyxel/rigid/rigid_response.h>
#include <phyxel/scene/document.h>
#include <phyxel/scene/live_scene.h>
#include <phyxel/scene/scene.h>
#include <phyxel/world/run.h>

#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace phyxel::rigid_test {
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

TEST(RigidFrames, a_box_is_drawn_with_twelve_triangles_that_face_outwards)
{
    RunOf<3> run(R"({ "spacing": "5 cm", "gravity": [0, 0, 0], "bodies": [
        { "name": "box", "type": "rigid",
          "shape": { "box": { "min": [0, 0, 0], "max": [0.4, 0.2, 0.3] }, "rotate": ["20 deg", "30 deg", 0] } } ] })");
    const std::vector<Snapshot> snapshots = run.world.snapshots({});
    ASSERT_TRUE(snapshots.front().surface);
    const SurfaceMesh& mesh = *snapshots.front().surface;
    EXPECT_EQ(mesh.vertices.size(), 8u);
    EXPECT_EQ(mesh.triangles.size(), 12u);
    double volume = 0.0, area = 0.0;
    Vec<3> closed = Vec<3>::Zero();
    for (const auto& [a, b, c] : mesh.triangles) {
        const Vec<3>&x = mesh.vertices[a], &y = mesh.vertices[b], &z = mesh.vertices[c];
        const Vec<3> twice = (y - x).cross(z - x);
        volume += x.dot(twice) / 6.0;
        area += 0.5 * twice.norm();
        closed += twice;
    }
    EXPECT_NEAR(volume, 0.4 * 0.2 * 0.3, 1e-12);
    EXPECT_NEAR(area, 2.0 * (0.4 * 0.2 + 0.2 * 0.3 + 0.3 * 0.4), 1e-12);
    EXPECT_LT(closed.norm(), 1e-12);
}

TEST(RigidFrames, estimates_count_moved_meshes)
{
    const auto scene = [](const std::string& output) {
        return R"({ "duration": 0.2, "frame_rate": 20, "spacing": "4 cm", "output": { )" + output +
               R"( }, "bodies": [
            { "name": "ball", "type": "rigid", "shape": { "sphere": { "center": [0.7, 0.3, 0.5], "radius": 0.08 } } },
            { "name": "box", "type": "rigid", "shape": { "box": { "min": [0, 0, 0], "max": [0.2, 0.2, 0.2] } } } ] })";
    };
    for (const std::string output : {R"("fields": [])", R"("fields": ["force"], "double_precision": true)"}) {
        RunOf<3> with(scene(output)), without(scene(output + R"(, "meshes": false)"));
        const TemporaryFolder folder;
        RunOptions options;
        options.folder = folder.path() / "run";
        options.fields = with.built.fields;
        options.double_precision = with.built.double_precision;
        ASSERT_EQ(phyxel::run(with.world, options).outcome, RunOutcome::Done);
        double written = 0.0;
        for (const auto& file : std::filesystem::directory_iterator(folder.path() / "run" / "frames"))
            if (file.path().filename().string().find("_surface_") != std::string::npos)
                written += static_cast<double>(file.file_size());
        EXPECT_GT(written, 0.0);
        EXPECT_NEAR(with.built.estimate.disk - without.built.estimate.disk, written, 0.05 * written);
    }
}

TEST(RigidFrames, table_of_poses_is_cut_back_and_goes_on_with_the_same_bits)
{
    const std::string text =
        R"({ "dimension": 3, "duration": 0.5, "frame_rate": 20, "spacing": "4 cm",
          "output": { "meshes": false },
          "bodies": [
            { "name": "a, \"b\"", "type": "rigid", "shape": { "box": { "min": [0.1, 0.4, 0.4], "max": [0.3, 0.5, 0.5] } },
              "angular_velocity": [0, 0, 9] },
            { "name": "late", "type": "rigid", "shape": { "sphere": { "center": [0.7, 0.3, 0.5], "radius": 0.08 } },
              "start": 0.22 } ] })";
    const TemporaryFolder folder;
    const auto run_to = [&](const std::string& name, std::uint64_t frames, bool resume) {
        RunOf<3> built(text);
        EXPECT_FALSE(built.built.meshes);
        RunOptions options;
        options.folder = folder.path() / name;
        options.meshes = built.built.meshes;
        options.resume = resume;
        // Stopped within a frame, as by a user.
        if (frames > 0)
            options.interrupted = [&] { return built.world.frame() >= frames && !built.world.is_at_frame(); };
        return run(built.world, options);
    };
    ASSERT_EQ(run_to("whole", 0, false).outcome, RunOutcome::Done);
    ASSERT_EQ(run_to("parts", 4, false).outcome, RunOutcome::Interrupted);
    // What a program that was killed had written after its last checkpoint.
    std::ofstream(folder.path() / "parts" / "poses.csv", std::ios::app) << "9,9,late,1,2,3,1,0,0,0\n0.5,";
    ASSERT_EQ(run_to("parts", 0, true).outcome, RunOutcome::Done);
    const auto content = [&](const std::string& name) {
        std::ifstream file(folder.path() / name / "poses.csv");
        return std::string(std::istreambuf_iterator<char>(file), {});
    };
    const std::string table = content("whole");
    EXPECT_EQ(table, content("parts"));
    EXPECT_EQ(table.substr(0, table.find('\n')),
              "time,frame,body,position_x,position_y,position_z,rotation_w,rotation_x,rotation_y,rotation_z");
    // Eleven frames, and those of the second body from 0.25 s on.
    EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 1 + 11 + 6);
    // It falls, and turns about z at 9 rad/s; after 0.5 s the half angle is beyond a right one.
    const auto pose_at = [&](const std::string& time_and_frame) {
        const std::string begin = "\n" + time_and_frame + ",\"a, \"\"b\"\"\",";
        const std::size_t row = table.find(begin);
        EXPECT_NE(row, std::string::npos) << table;
        std::istringstream cells(table.substr(row + begin.size()));
        std::vector<double> values(7);
        for (double& value : values) {
            cells >> value;
            cells.ignore();
        }
        return values;
    };
    const std::vector<double> early = pose_at("0.25,5");
    EXPECT_NEAR(early[0], 0.2, 1e-9);
    EXPECT_NEAR(early[2], 0.45 - 0.5 * 9.81 * 0.0625, 1e-9);
    EXPECT_NEAR(early[3], std::cos(1.125), 1e-9);
    EXPECT_NEAR(early[6], std::sin(1.125), 1e-9);
    const std::vector<double> late = pose_at("0.5,10");
    EXPECT_NEAR(late[3], -std::cos(2.25), 1e-9);
    EXPECT_NEAR(late[6], -std::sin(2.25), 1e-9);
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "whole" / "frames" / "late_surface_000007.ply"));
    EXPECT_TRUE(std::filesystem::exists(folder.path() / "whole" / "frames" / "late_000007.ply"));
    // A row that was changed is noticed.
    std::string damaged = table;
    damaged[damaged.find("0.25,5,") + 2] = '3';
    std::ofstream(folder.path() / "parts" / "poses.csv") << damaged;
    RunOf<3> again(text);
    RunOptions options;
    options.folder = folder.path() / "parts";
    options.meshes = false;
    options.resume = true;
    std::vector<std::string> warnings;
    options.warn = [&](const std::string& line) { warnings.push_back(line); };
    static_cast<void>(run(again.world, options));
    ASSERT_FALSE(warnings.empty());
    EXPECT_NE(warnings.front().find("poses.csv"), std::string::npos) << warnings.front();
}

/// The last values of the probes, by their columns.
template <int Dim>
std::map<std::string, double> read_probes(RunOf<Dim>& run)
{
    std::map<std::string, double> values;
    for (const ProbeRow& row : run.world.take_probe_rows())
        for (std::size_t k = 0; k < row.values.size(); ++k)
            if (row.values[k])
                values[run.world.probe_columns()[k]] = *row.values[k];
            else
                values.erase(run.world.probe_columns()[k]);
    return values;
}

TEST(RigidProbes, pendulum_tells_its_angle_and_what_holds_it)
{
    // A rod of 1 m that hangs on its end, held out by 0.3 rad, and a free spinner beside it.
    RunOf<3> run(R"({ "duration": 2, "frame_rate": 20, "spacing": "10 cm",
        "bodies": [
          { "name": "rod", "type": "rigid", "material": { "density": 1000 },
            "shape": { "box": { "min": [-0.05, -0.05, -1], "max": [0.05, 0.05, 0] } } },
          { "name": "spinner", "type": "rigid", "material": { "density": 1000 }, "angular_velocity": [0, 0, 10],
            "shape": { "box": { "min": [2, 0, 0], "max": [2.2, 0.2, 0.2] } } } ],
        "joints": [ { "name": "pin", "type": "hinge", "bodies": ["rod"], "at": [0, 0, 0], "axis": [0, 1, 0],
                      "motor": { "speed": 0, "torque": 0 } } ],
        "hands": [ { "name": "finger", "type": "hold", "body": "rod", "at": [0, 0, -1], "radius": 0.1,
                     "motion": { "keys": [ { "time": 0, "move": [0, 0, 0] },
                                           { "time": 0.5, "move": [-0.29552, 0, 0.044663] } ] } } ],
        "probes": [ { "name": "angle", "joint": "pin", "field": "position" },
                    { "name": "pull", "joint": "pin", "field": "force" },
                    { "name": "twist", "joint": "pin", "field": "torque" },
                    { "name": "force", "body": "rod", "field": "force" },
                    { "name": "torque", "body": "rod", "field": "torque" },
                    { "name": "turned", "body": "spinner", "field": "rotation" },
                    { "name": "spin", "body": "spinner", "field": "angular_velocity" },
                    { "name": "L", "body": "spinner", "field": "angular_momentum" } ] })");
    run.to_frame(40);
    const auto value = read_probes(run);
    EXPECT_NEAR(value.at("angle"), 0.3, 1e-3);
    // At rest all forces together are as large as the weight, 10 kg.
    const double weight = 10.0 * 9.81;
    EXPECT_NEAR(value.at("force.z"), weight, 0.01 * weight);
    EXPECT_NEAR(value.at("force.x"), 0.0, 0.01 * weight);
    EXPECT_NEAR(value.at("torque.y"), 0.0, 0.01 * weight);
    // A hinge without a motor bears no torque about its axis.
    EXPECT_NEAR(value.at("twist.y"), 0.0, 1e-9 * weight);
    // The hand and the pin share the weight; about the pin the hand balances it.
    EXPECT_GT(value.at("pull.z"), 0.0);
    EXPECT_NEAR(value.at("turned.z"), 20.0, 1e-9);
    EXPECT_NEAR(value.at("spin.z"), 10.0, 1e-9);
    EXPECT_NEAR(value.at("L.z"), 8.0 * 0.04 / 6.0 * 10.0, 1e-9);
}

TEST(RigidProbes, forces_of_a_box_that_rests_are_its_weight_awake_and_asleep)
{
    RunOf<2> run(R"({ "dimension": 2, "duration": 3, "frame_rate": 20, "spacing": "5 cm",
        "bodies": [ { "name": "box", "type": "rigid", "shape": { "box": { "min": [0, 0], "max": [0.2, 0.2] } },
                      "material": { "density": 1000, "restitution": 0 } } ],
        "obstacles": [ { "name": "table", "shape": { "box": { "min": [-1, -0.2], "max": [1, 0] } } } ],
        "probes": [ { "name": "box", "body": "box", "field": "force" },
                    { "name": "turn", "body": "box", "field": "torque" },
                    { "name": "point", "point": [0.1, 0.1], "body": "box", "field": "force" },
                    { "name": "table", "obstacle": "table", "field": "force" } ] })");
    const double weight = 40.0 * 9.81;
    for (const std::uint64_t frame : {8U, 40U, 41U}) {
        run.to_frame(frame);
        const auto& body = dynamic_cast<const RigidBody<2>&>(run.world.body(0));
        EXPECT_EQ(sleeps(body.state(), 0), frame >= 40);
        const auto value = read_probes(run);
        EXPECT_NEAR(value.at("box.y"), weight, 0.01 * weight) << frame;
        EXPECT_NEAR(value.at("point.y"), weight, 0.01 * weight) << frame;
        EXPECT_NEAR(value.at("table.y"), -weight, 0.01 * weight) << frame;
        EXPECT_NEAR(value.at("turn"), 0.0, 0.01 * weight) << frame;
    }
    EXPECT_EQ(run.world.probe_columns(),
              (std::vector<std::string>{"box.x", "box.y", "turn", "point.x", "point.y", "point.z", "table.x",
                                        "table.y"}));
}

TEST(RigidProbes, wrong_joints_and_fields_are_told_with_what_there_is)
{
    const std::string error = error_of(R"({ "dimension": 2, "spacing": "2 cm",
        "bodies": [ { "name": "wheel", "type": "rigid", "shape": { "box": { "min": [0, 0], "max": [0.2, 0.2] } } },
                    { "name": "water", "type": "fluid", "shape": { "box": { "min": [1, 0], "max": [1.2, 0.2] } } } ],
        "joints": [ { "name": "axle", "type": "ball", "bodies": ["wheel"], "at": [0.1, 0.1] } ],
        "probes": [ { "name": "a", "joint": "axel", "field": "force" },
                    { "name": "b", "joint": "axle", "field": "position" },
                    { "name": "c", "body": "water", "field": "rotation" },
                    { "name": "d", "body": "wheel", "field": "rotaton" } ] })");
    EXPECT_NE(error.find("probes[0].joint: there is no joint named \"axel\""), std::string::npos) << error;
    EXPECT_NE(error.find("did you mean \"axle\"? known: axle"), std::string::npos) << error;
    EXPECT_NE(error.find("probes[1].field: a joint of this type has no field \"position\""),
              std::string::npos)
        << error;
    EXPECT_NE(error.find("allowed: force, torque"), std::string::npos) << error;
    EXPECT_NE(error.find("probes[2].field: a body has no field \"rotation\""), std::string::npos) << error;
    EXPECT_NE(error.find("did you mean \"rotation\"?"), std::string::npos) << error;
}

std::string events_scene(const std::string& events, const std::string& more = "")
{
    return R"({ "dimension": 2, "duration": 3, "frame_rate": 20, "spacing": "5 cm", "gravity": [0, 0],
        "bodies": [ { "name": "wheel", "type": "rigid", "shape": { "box": { "min": [0, 0], "max": [0.2, 0.2] } } },
                    { "name": "arm", "type": "rigid", "shape": { "box": { "min": [1, 0], "max": [1.2, 0.2] } } } ],
        "joints": [ { "name": "axle", "type": "hinge", "bodies": ["wheel"], "at": [0.1, 0.1],
                      "motor": { "speed": 2, "torque": 1000 } },
                    { "name": "rod", "type": "fixed", "bodies": ["wheel", "arm"], "at": [0.5, 0.1] } ])" +
           more + R"(, "events": )" + events + " }";
}

TEST(RigidEvents, motors_change_and_return)
{
    RunOf<2> run(
        events_scene(R"([ { "time": 1, "set": { "joints.axle.motor": { "speed": -4, "torque": 1000 } } },
                                   { "time": 1.5, "set": { "joints.axle.motor.speed": 0 } },
                                   { "time": 2, "set": { "joints.axle.motor": null } } ])"));
    const auto speed = [&](std::uint64_t frame) {
        run.to_frame(frame);
        const auto& body = dynamic_cast<const RigidBody<2>&>(run.world.body(0));
        return angular_velocity(body.system().models[0], body.state(), 0)[0];
    };
    EXPECT_NEAR(speed(19), 2.0, 0.02);
    EXPECT_NEAR(speed(29), -4.0, 0.02);
    EXPECT_NEAR(speed(39), 0.0, 0.02);
    EXPECT_NEAR(speed(50), 2.0, 0.02);
}

TEST(RigidEvents, joints_go_and_so_do_those_of_bodies_that_go)
{
    RunOf<2> run(events_scene(R"([ { "time": 1, "remove": ["rod"] }, { "time": 2, "remove": ["wheel"] } ])",
                              R"(, "probes": [ { "name": "rod", "joint": "rod", "field": "force" },
                                               { "name": "axle", "joint": "axle", "field": "position" } ])"));
    run.to_frame(19);
    EXPECT_NEAR(read_probes(run).at("axle"), 1.9, 0.05);
    run.to_frame(21);
    const Vec<2> before = run.total("arm").momentum;
    EXPECT_GT(before.norm(), 1.0);
    run.to_frame(39);
    EXPECT_LT((run.total("arm").momentum - before).norm(), 1e-12 * before.norm());
    auto value = read_probes(run);
    EXPECT_FALSE(value.contains("rod.x"));
    EXPECT_TRUE(value.contains("axle"));
    run.to_frame(45);
    value = read_probes(run);
    EXPECT_FALSE(value.contains("axle"));
    EXPECT_EQ(run.total("wheel").particles, 0U);
}

TEST(RigidEvents, what_is_gone_cannot_be_changed)
{
    const std::string error =
        error_of(events_scene(R"([ { "time": 1, "remove": ["wheel"] }, { "time": 2, "remove": ["rod"] },
                          { "time": 2.5, "set": { "joints.axle.motor.speed": 1 } },
                          { "time": 2.6, "remove": ["joints.axles"] },
                          { "time": 2.7, "set": { "joints.rod.motor": { "speed": 1, "torque": 1 } } } ])"));
    EXPECT_NE(error.find("events[1].remove[0]: it was taken away at 1 s already"), std::string::npos)
        << error;
    EXPECT_NE(error.find("events[2].set[\"joints.axle.motor.speed\"]: it was taken away at 1 s"),
              std::string::npos)
        << error;
    EXPECT_NE(error.find("events[3].remove[0]: there is no body and no obstacle and no joint named"),
              std::string::npos)
        << error;
    const std::string strong =
        error_of(events_scene(R"([ { "time": 1, "set": { "joints.axle.motor.torque": -1 } },
                                   { "time": 1, "set": { "joints.axle.at": [0, 0] } } ])"));
    EXPECT_NE(strong.find("events[0].set[\"joints.axle.motor.torque\"]: -1 N m is out of range"),
              std::string::npos)
        << strong;
    EXPECT_NE(strong.find("events cannot change this"), std::string::npos) << strong;
}

TEST(RigidEvents, friction_that_goes_lets_a_sleeping_box_slide)
{
    RunOf<2> run(
        R"({ "dimension": 2, "duration": 3, "frame_rate": 20, "spacing": "5 cm", "gravity": [3, -9.81],
        "domain": { "min": [-1, 0], "max": [9, 3] },
        "bodies": [ { "name": "box", "type": "rigid", "shape": { "box": { "min": [0, 0], "max": [0.2, 0.2] } },
                      "material": { "density": 1000, "friction": 0.8, "restitution": 0 } } ],
        "events": [ { "time": 2, "set": { "bodies.box.material.friction": 0 } } ] })");
    run.to_frame(39);
    EXPECT_EQ(run.total("box").max_speed, 0.0);
    run.to_frame(50);
    // Half a second without friction.
    EXPECT_NEAR(run.total("box").max_speed, 1.5, 0.05);
}

TEST(RigidEvents, gravity_that_turns_lifts_a_sleeping_box)
{
    RunOf<2> run(R"({ "dimension": 2, "duration": 3, "frame_rate": 20, "spacing": "5 cm",
        "domain": { "min": [0, 0], "max": [1, 9] },
        "bodies": [ { "name": "box", "type": "rigid", "shape": { "box": { "min": [0, 0], "max": [0.2, 0.2] } },
                      "material": { "density": 1000, "restitution": 0 } } ],
        "events": [ { "time": 2, "set": { "gravity": [0, 2] } } ] })");
    run.to_frame(39);
    EXPECT_EQ(run.total("box").max_speed, 0.0);
    run.to_frame(50);
    EXPECT_NEAR(run.total("box").max_speed, 1.0, 0.02);
}

/// A box of 40 kg that hangs, is carried, or is pushed.
std::string hand_scene(const std::string& hand)
{
    return R"({ "dimension": 2, "duration": 3, "frame_rate": 20, "spacing": "5 cm",
        "bodies": [ { "name": "box", "type": "rigid", "shape": { "box": { "min": [0, 0], "max": [0.2, 0.2] } },
                      "material": { "density": 1000 } } ], "hands": [ )" +
           hand + " ] }";
}

TEST(RigidHands, pull_is_a_spring_at_the_point_where_it_took_the_body)
{
    RunOf<2> run(hand_scene(R"({ "name": "h", "type": "pull", "body": "box", "at": [0.1, 0.2], "radius": 0.05,
                                 "stiffness": "4 kN/m" })"));
    run.to_frame(60);
    // It hangs by its weight lower, m g / k, and turns until its centre is below the point.
    EXPECT_NEAR(run.total("box").center[1], 0.1 - 40.0 * 9.81 / 4000.0, 1e-3);
    EXPECT_NEAR(run.total("box").center[0], 0.1, 1e-3);
}

TEST(RigidHands, hold_makes_a_point_follow_the_hand)
{
    RunOf<2> run(
        hand_scene(R"json({ "name": "h", "type": "hold", "body": "box", "at": [0, 0.2], "radius": 0.05,
        "motion": { "move": ["= 0.3*sin(3*t)", "= 0.2*t"] } })json"));
    for (std::uint64_t frame = 1; frame <= 60; ++frame) {
        run.to_frame(frame);
        const auto& body = dynamic_cast<const RigidBody<2>&>(run.world.body(0));
        const Vec<2> point = body.state().pose_of(body.system().models[0], 0).apply(Vec<2>(0, 0.2));
        const double t = run.world.time();
        EXPECT_LT((point - Vec<2>(0.3 * std::sin(3.0 * t), 0.2 + 0.2 * t)).norm(), 1e-3) << t;
    }
}

TEST(RigidHands, hold_that_begins_later_takes_the_body_where_it_is)
{
    RunOf<2> run(R"({ "dimension": 2, "duration": 3, "frame_rate": 20, "spacing": "5 cm",
        "bodies": [ { "name": "box", "type": "rigid", "shape": { "box": { "min": [0, 0], "max": [0.2, 0.2] } } } ],
        "events": [ { "time": 0.5, "set": { "hands": [ { "name": "nail", "type": "hold", "body": "box",
                                                         "at": [0.1, 0.1], "radius": 0.05 } ] } },
                    { "time": 2, "set": { "hands": [] } } ] })");
    run.to_frame(10);
    const double height = run.total("box").center[1];
    EXPECT_NEAR(height, 0.1 - 0.5 * 9.81 * 0.25, 1e-6);
    run.to_frame(40);
    // It was stopped within a few steps of a spring of 60 Hz, from about 5 m/s, and then stays.
    EXPECT_NEAR(run.total("box").center[1], height, 1e-3);
    EXPECT_LT(run.total("box").max_speed, 1e-6);
    run.to_frame(50);
    EXPECT_NEAR(run.total("box").center[1], height - 0.5 * 9.81 * 0.25, 1e-3);
}

TEST(RigidHands, push_accelerates_and_does_not_turn_what_it_covers)
{
    // Far larger than the box, with it at half its radius: 100 m/s² × ½.
    RunOf<2> run(
        R"({ "dimension": 2, "duration": 0.1, "frame_rate": 100, "spacing": "5 cm", "gravity": [0, 0],
        "bodies": [ { "name": "box", "type": "rigid", "shape": { "box": { "min": [-0.1, -0.1], "max": [0.1, 0.1] } } } ],
        "hands": [ { "name": "h", "type": "push", "at": [-50, 0], "radius": 100 } ] })");
    run.to_frame(10);
    EXPECT_NEAR(run.total("box").max_speed, 5.0, 0.02);
    const auto& body = dynamic_cast<const RigidBody<2>&>(run.world.body(0));
    EXPECT_NEAR(body.state().turned[0][0], 0.0, 1e-9);
}

TEST(RigidHands, contacts_and_joints_stay_when_a_hand_pulls_against_them)
{
    // One box is drawn into the floor, another one on a hinge farther than it reaches.
    RunOf<2> run(R"({ "dimension": 2, "duration": 2, "frame_rate": 20, "spacing": "5 cm",
        "domain": { "min": [-2, 0], "max": [3, 3] },
        "bodies": [
          { "name": "box", "type": "rigid", "shape": { "box": { "min": [0, 0], "max": [0.2, 0.2] } },
            "material": { "density": 1000 } },
          { "name": "door", "type": "rigid", "shape": { "box": { "min": [1, 1], "max": [1.5, 1.1] } },
            "material": { "density": 1000 } } ],
        "joints": [ { "name": "pin", "type": "hinge", "bodies": ["door"], "at": [1, 1.05] } ],
        "hands": [ { "name": "a", "type": "hold", "body": "box", "at": [0.1, 0.1], "radius": 0.05,
                     "motion": { "keys": [ { "time": 0, "move": [0, 0] }, { "time": 0.5, "move": [0, -0.5] } ] } },
                   { "name": "b", "type": "hold", "body": "door", "at": [1.5, 1.05], "radius": 0.05,
                     "motion": { "keys": [ { "time": 0, "move": [0, 0] }, { "time": 0.5, "move": [0.7, 0] } ] } } ] })");
    for (std::uint64_t frame = 1; frame <= 40; ++frame) {
        run.to_frame(frame);
        const auto& body = dynamic_cast<const RigidBody<2>&>(run.world.body(0));
        const Vec<2> pin = body.state().pose_of(body.system().models[1], 1).apply(Vec<2>(1, 1.05));
        EXPECT_LT((pin - Vec<2>(1, 1.05)).norm(), 0.005) << frame;
        EXPECT_GT(run.total("box").center[1], 0.1 - 0.005) << frame;
        EXPECT_LT(run.total("box").max_speed, 1.0) << frame;
    }
}

TEST(RigidHands, what_hands_joints_and_events_do_is_the_same_after_a_restart)
{
    const std::string text = events_scene(
        R"json([ { "time": 0.3, "set": { "joints.axle.motor": { "speed": -4, "torque": 100 } } },
             { "time": 0.35, "set": { "hands": [ { "name": "h", "type": "hold", "body": "arm", "at": [1.1, 0.1],
               "radius": 0.1, "motion": { "move": ["= 0.1*sin(t)", 0] } } ] } },
             { "time": 0.45, "set": { "hands": [ { "name": "h", "type": "pull", "body": "arm", "at": [1.1, 0.1],
               "radius": 0.1, "motion": { "keys": [ { "time": 0, "move": [0, 0] }, { "time": 1, "move": [1, 1] } ] } } ] } },
             { "time": 0.6, "remove": ["rod"] } ])json",
        R"(, "probes": [ { "name": "f", "joint": "axle", "field": "force", "every": "0.1 s" } ])");
    for (const std::uint64_t stop : {8U, 12U}) {
        RunOf<2> whole(text);
        whole.to_frame(stop);
        CheckpointWriter checkpoint;
        whole.world.save(checkpoint);
        const std::vector<std::byte> bytes = checkpoint.encode();
        whole.to_frame(20);
        RunOf<2> resumed(text);
        Buffer<std::byte> content(bytes.size());
        std::copy(bytes.begin(), bytes.end(), content.data());
        resumed.world.load(CheckpointReader(std::move(content), "memory"));
        resumed.to_frame(20);
        EXPECT_EQ(resumed.world.state_hash(), whole.world.state_hash());
        EXPECT_EQ(read_probes(resumed), read_probes(whole));
    }
}

TEST(RigidLive, what_is_done_in_a_sitting_is_replayed_with_the_same_bits)
{
    LiveScene live(Scene::parse(events_scene("[]", R"(, "domain": { "min": [-2, -2], "max": [3, 3] })"),
                                "a.json", ".", standard_kinds()));
    World<2>& world = *std::get<std::unique_ptr<World<2>>>(live.built().world);
    const auto json = [](const std::string& text) { return parse_document(text, "value"); };
    const auto to_frame = [&](std::uint64_t frame) {
        while (world.frame() < frame && world.advance_frame()) {}
    };
    to_frame(4);
    live.set(
        {{"hands",
          json(R"([ { "name": "h", "type": "hold", "body": "arm", "at": [1.1, 0.1], "radius": 0.1 } ])")}});
    to_frame(7);
    live.set({{"joints.axle.motor", json(R"({ "speed": 1, "torque": 50 })")}});
    const std::string ball =
        R"("type": "rigid", "material": "steel", "shape": { "sphere": { "radius": 0.1, "center": )";
    live.add_body(json("{ \"name\": \"ball\", " + ball + "[0.1, 0.6] } } }"));
    // Where the other ball is, and where the wall is.
    for (const std::string place : {"[0.1, 0.6]", "[2.99, 2]"}) try {
            live.add_body(json("{ \"name\": \"second\", " + ball + place + " } } }"));
            ADD_FAILURE() << place;
        } catch (const InputError& error) {
            const std::string what = error.what();
            EXPECT_TRUE(what.find("there is no room for it: ball is in the way") != std::string::npos ||
                        what.find("deep in a wall of the domain") != std::string::npos)
                << what;
        }
    to_frame(10);
    live.set({{"hands", json("[]")}});
    to_frame(14);
    EXPECT_EQ(world.part_names().size(), 3U);
    BuiltScene replay =
        build_scene(Scene::parse(to_text(live.recorded(".")), "b.json", ".", standard_kinds()));
    World<2>& again = *std::get<std::unique_ptr<World<2>>>(replay.world);
    while (again.frame() < 14 && again.advance_frame()) {}
    EXPECT_EQ(again.state_hash(), world.state_hash());
}

} // namespace
} // namespace phyxel::rigid_test
