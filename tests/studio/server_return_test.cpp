// SPDX-License-Identifier: MIT
// Coming back to what was begun, over real connections: checkpoints that are opened, runs that are gone on
// with, and sittings that are begun again.
#include "studio/studio_server_fixture.h"

#include <phyxel/core/state_hash.h>
#include <phyxel/io/checkpoint.h>
#include <phyxel/kinds/standard_kinds.h>
#include <phyxel/scene/document.h>
#include <phyxel/scene/scene.h>
#include <phyxel/world/run.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <variant>

namespace phyxel::studio::server_return_test {
namespace {

bool stands(const Node& state) { return *state.find("playing") == Node(false); }

double number_of(const Node& message, const char* key) { return message.find(key)->number(); }

double value_of(const Node& scene, const std::string& path)
{
    for (const Node& parameter : scene.find("parameters")->items())
        if (parameter.find("path")->text() == path) return parameter.find("value")->number();
    return -1.0;
}

const std::string stiffness = "bodies.block.material.youngs_modulus";

/// Where it comes to its end and stands still.
std::string hash_at_end(Page& page, double last_frame)
{
    const Node state =
        page.until("state", [&](const Node& s) { return stands(s) && number_of(s, "frame") == last_frame; });
    return state.is_null() ? "it does not come to its end" : path_of(state, "hash");
}

TEST_F(StudioServer, a_checkpoint_of_a_sitting_goes_on_to_the_same_bits)
{
    Page page(port());
    constexpr double last_frame = 60.0;
    page.send(R"({"type":"open","example":"jelly","set":["duration=0.6 s"]})");
    (void)page.until("scene");
    page.send(R"({"type":"set","path":")" + stiffness + R"(","value":30000})");
    (void)page.until("value");
    page.send(
        R"({"type":"hand","name":"nail","kind":"hold","body":"block","id":7,"radius":0.15,"to":[0.1,0.1,0.3]})");
    page.send(R"({"type":"drop","name":"ball","like":"block",
                  "shape":{"sphere":{"center":[0.5,0.5,1],"radius":0.12}}})");
    (void)page.until("state", [](const Node& s) { return number_of(s, "frame") >= 4.0; });
    page.send(R"({"type":"pause"})");
    const Node saved_state = page.until("state", stands);
    const double frame = number_of(saved_state, "frame");
    page.send(R"({"type":"save","what":"checkpoint","name":"moment"})");
    EXPECT_EQ(path_of(page.until("saved"), "path"), (folder / "mine/moment.phyxel").string());
    page.send(R"({"type":"play"})");
    const std::string end = hash_at_end(page, last_frame);

    page.send(R"({"type":"open","checkpoint":"moment.phyxel"})");
    const Node scene = page.until("scene");
    EXPECT_EQ(path_of(scene, "name"), "moment");
    EXPECT_EQ(path_of(scene, "kind"), "live");
    EXPECT_EQ(value_of(scene, stiffness), 3e4);
    EXPECT_EQ(scene.find("bodies")->items().size(), 2u);
    const Node opened = page.until("state");
    EXPECT_GE(number_of(opened, "frame"), frame);
    ASSERT_EQ(opened.find("hands")->items().size(), 1u);
    EXPECT_EQ(path_of(opened.find("hands")->items()[0], "name"), "nail");
    EXPECT_EQ(hash_at_end(page, last_frame), end);

    // Restart goes back to the moment, and what was fixed then can be let go.
    page.send(R"({"type":"restart"})");
    (void)page.until("scene");
    page.send(R"({"type":"release","name":"nail"})");
    const Node free = page.until("state", [](const Node& s) { return s.find("hands")->items().empty(); });
    EXPECT_GE(number_of(free, "frame"), frame);
    EXPECT_NE(hash_at_end(page, last_frame), end);
    // All of it is one scene, from the beginning.
    page.send(R"({"type":"save","what":"scene","name":"whole"})");
    const Node whole = parse_document(path_of(page.until("saved"), "text"), "whole");
    EXPECT_EQ(whole.find("bodies")->items().size(), 2u);
    EXPECT_GE(whole.find("events")->items().size(), 3u);
}

TEST_F(StudioServer, what_is_no_checkpoint_of_a_sitting_is_said_to_be_none)
{
    write(folder / "mine/rubbish.phyxel", "rubbish");
    CheckpointWriter of_run;
    of_run.add_value("world/dimension", std::int32_t(3));
    of_run.write(folder / "mine/of_run.phyxel");
    CheckpointWriter of_other;
    of_other.add_text("sitting/scene", jelly);
    of_other.add_value("world/dimension", std::int32_t(2));
    of_other.write(folder / "mine/of_other.phyxel");
    CheckpointWriter elsewhere;
    elsewhere.add_text("sitting/scene", R"({ "bodies": [ { "name": "a", "type": "solid", "material": "jelly",
        "shape": { "mesh": "../secret.obj" } } ] })");
    elsewhere.write(folder / "mine/elsewhere.phyxel");
    Page page(port());
    page.send(R"({"type":"open","example":"jelly","set":["duration=1000 s"]})");
    (void)page.until("scene");
    const auto refusal = [&](const std::string& name) {
        page.send(R"({"type":"open","checkpoint":")" + name + "\"}");
        return path_of(page.until("error"), "message");
    };
    EXPECT_NE(refusal("rubbish.phyxel").find("rubbish.phyxel"), std::string::npos);
    EXPECT_NE(refusal("of_run.phyxel").find("has no scene"), std::string::npos);
    EXPECT_NE(refusal("of_other.phyxel").find("another scene"), std::string::npos);
    EXPECT_NE(refusal("elsewhere.phyxel").find("may not read"), std::string::npos);
    EXPECT_NE(refusal("../mine/rubbish.phyxel").find("there is no checkpoint"), std::string::npos);
    page.send(R"({"type":"go_on"})");
    EXPECT_NE(path_of(page.until("error"), "message").find("only a recorded run"), std::string::npos);
    // What was shown goes on.
    EXPECT_FALSE(page.until("state", [](const Node& s) { return number_of(s, "frame") >= 3.0; }).is_null());
}

TEST_F(StudioServer, a_run_is_gone_on_with_from_its_last_state)
{
    const fs::path run_folder = folder / "mine/run";
    BuiltScene built = build_scene(Scene::read(folder / "examples/jelly.json", standard_kinds()));
    auto& world = *std::get<std::unique_ptr<World<3>>>(built.world);
    RunOptions options;
    options.folder = run_folder;
    options.manifest = to_text(Node::object({{"format", 1}, {"scene", built.resolved}}));
    options.end_frame = 9;
    (void)run(world, options);
    while (world.frame() < 20) ASSERT_TRUE(world.advance_frame());

    Page page(port());
    page.send(R"({"type":"open","run":"run"})");
    EXPECT_EQ(*page.until("scene").find("can_go_on"), Node(true));
    (void)page.until("state", [](const Node& s) { return number_of(s, "frame") >= 2.0; });
    page.send(R"({"type":"go_on"})");
    EXPECT_EQ(path_of(page.until("scene"), "kind"), "live");
    EXPECT_GE(number_of(page.until("state"), "frame"), 8.0);
    EXPECT_EQ(hash_at_end(page, 20.0), hash_text(world.state_hash()));

    fs::remove_all(run_folder / "checkpoints");
    page.send(R"({"type":"open","run":"run"})");
    EXPECT_EQ(*page.until("scene").find("can_go_on"), Node(false));
    page.send(R"({"type":"go_on"})");
    EXPECT_NE(path_of(page.until("error"), "message").find("has no checkpoint"), std::string::npos);
}

TEST_F(StudioServer, a_restart_keeps_what_parameters_were_set_to_unless_it_is_asked_not_to)
{
    Page page(port());
    page.send(open_jelly);
    const double opened = value_of(page.until("scene"), stiffness);
    page.send(R"({"type":"drop","name":"ball","like":"block",
                  "shape":{"sphere":{"center":[0.5,0.5,1],"radius":0.12}}})");
    (void)page.until("scene");
    for (const std::string& path : {stiffness, std::string("bodies.ball.material.youngs_modulus")}) {
        page.send(R"({"type":"set","path":")" + path + R"(","value":30000})");
        EXPECT_EQ(path_of(page.until("value"), "path"), path);
    }
    page.send(R"({"type":"restart"})");
    const Node again = page.until("scene");
    EXPECT_EQ(value_of(again, stiffness), 3e4);
    EXPECT_EQ(value_of(again, "bodies.ball.material.youngs_modulus"), -1.0) << "the ball is gone";
    page.send(R"({"type":"restart"})");
    EXPECT_EQ(value_of(page.until("scene"), stiffness), 3e4);
    // It is an event, as when it was done by hand.
    page.send(R"({"type":"save","what":"scene","name":"x","write":false})");
    const Node scene = parse_document(path_of(page.until("saved"), "text"), "x");
    ASSERT_EQ(scene.find("events")->items().size(), 1u);
    EXPECT_EQ(*scene.find("events")->items()[0].find("time"), Node(0));
    page.send(R"({"type":"restart","as_opened":true})");
    EXPECT_EQ(value_of(page.until("scene"), stiffness), opened);
    page.send(R"({"type":"restart"})");
    EXPECT_EQ(value_of(page.until("scene"), stiffness), opened);
}

TEST_F(StudioServer, who_comes_learns_why_what_was_named_at_the_start_is_not_there)
{
    stop();
    OpenRequest first;
    first.name = "gone";
    first.path = folder / "mine/gone.json";
    start(0, first);
    for (int visit = 0; visit < 2; ++visit) {
        Page page(port());
        EXPECT_NE(path_of(page.until("error"), "message").find("gone.json"), std::string::npos);
    }
    Page page(port());
    page.send(open_jelly);
    (void)page.until("scene");
    Page later(port());
    (void)later.until("state");
    EXPECT_EQ(std::count(later.others.begin(), later.others.end(), "error"), 0);
}

} // namespace
} // namespace phyxel::studio::server_return_test
