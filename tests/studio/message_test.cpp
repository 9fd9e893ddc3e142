// SPDX-License-Identifier: MIT
#include "studio/server/message.h"

#include <phyxel/core/error.h>

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <variant>

namespace phyxel::studio::message_test {
namespace {

template <class Kind>
Kind parsed(std::string_view text)
{
    return std::get<Kind>(parse_message(text));
}

std::string error_of(std::string_view text)
{
    try {
        (void)parse_message(text);
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

TEST(Message, things_are_opened)
{
    EXPECT_EQ(parsed<OpenMessage>(R"({"type":"open","example":"dam_break"})").what, "dam_break");
    EXPECT_EQ(parsed<OpenMessage>(R"({"type":"open","file":"a/b.json"})").thing, OpenedThing::File);
    EXPECT_EQ(parsed<OpenMessage>(R"({"type":"open","run":"runs/x"})").thing, OpenedThing::Run);
    const auto text =
        parsed<OpenMessage>(R"({"type":"open","text":"{}","name":"mine","set":["count=3","a=b"]})");
    EXPECT_EQ(text.thing, OpenedThing::Text);
    EXPECT_EQ(text.name, "mine");
    EXPECT_EQ(text.assignments, (std::vector<std::string>{"count=3", "a=b"}));
}

TEST(Message, playing_is_controlled)
{
    EXPECT_TRUE(std::holds_alternative<PlayMessage>(parse_message(R"({"type":"play"})")));
    EXPECT_TRUE(std::holds_alternative<PauseMessage>(parse_message(R"({"type":"pause"})")));
    EXPECT_TRUE(std::holds_alternative<StepMessage>(parse_message(R"({"type":"step"})")));
    EXPECT_TRUE(std::holds_alternative<RestartMessage>(parse_message(R"({"type":"restart"})")));
    EXPECT_TRUE(std::holds_alternative<CloseMessage>(parse_message(R"({"type":"close"})")));
    EXPECT_EQ(parsed<SeekMessage>(R"({"type":"seek","frame":12})").frame, 12u);
    EXPECT_EQ(parsed<AckMessage>(R"({"type":"ack","frame":4294967295})").serial, 4294967295u);
}

TEST(Message, views_and_picks_are_of_one_client)
{
    const auto view = parsed<ViewMessage>(R"({"type":"view","color":"body","surface":false})");
    EXPECT_EQ(view.color, "body");
    EXPECT_FALSE(view.surface);
    EXPECT_TRUE(parsed<ViewMessage>(R"({"type":"view","color":"body","surface":false,"made_surface":true})")
                    .made_surface);
    EXPECT_EQ(parsed<PickMessage>(R"({"type":"pick","body":"bear","id":17})").id, 17u);
    EXPECT_EQ(parsed<PickMessage>(R"({"type":"pick","id":null})").id, std::nullopt);
    EXPECT_EQ(parsed<ValidateMessage>(R"({"type":"validate","id":1,"text":"{"})").text, "{");
    EXPECT_EQ(parsed<OpenMessage>(R"({"type":"open","checkpoint":"a.phyxel"})").thing,
              OpenedThing::Checkpoint);
    EXPECT_FALSE(parsed<RestartMessage>(R"({"type":"restart"})").as_opened);
    EXPECT_TRUE(parsed<RestartMessage>(R"({"type":"restart","as_opened":true})").as_opened);
    (void)parsed<GoOnMessage>(R"({"type":"go_on"})");
}

TEST(Message, scenes_are_touched)
{
    const auto set = parsed<SetMessage>(R"({"type":"set","path":"gravity","value":[0,0,-5]})");
    EXPECT_EQ(set.path, "gravity");
    EXPECT_EQ(set.value, Node::list({0, 0, -5}));
    const auto hand = parsed<HandMessage>(
        R"({"type":"hand","name":"grab-1","kind":"pull","body":"bear","at":[0.1,0,0.2],"radius":0.03,"to":[1,2,3],"stiffness":500})");
    EXPECT_EQ(hand.name, "grab-1");
    EXPECT_EQ(hand.to, (std::vector<double>{1, 2, 3}));
    EXPECT_EQ(hand.stiffness, 500.0);
    EXPECT_EQ(hand.strength, std::nullopt);
    const auto push = parsed<HandMessage>(
        R"({"type":"hand","name":"p","kind":"push","at":[0,0],"radius":1,"to":[0,1],"strength":-3})");
    EXPECT_EQ(push.strength, -3.0);
    EXPECT_EQ(parsed<ReleaseMessage>(R"({"type":"release","name":"grab-1"})").name, "grab-1");
    const auto hold = parsed<HandMessage>(
        R"({"type":"hand","name":"h","kind":"hold","body":"bear","id":17,"radius":1,"to":[1,2,3]})");
    EXPECT_EQ(hold.id, 17u);
    EXPECT_TRUE(hold.at.empty());
    EXPECT_EQ(parsed<HandMessage>(R"({"type":"hand","name":"p","kind":"push","radius":1,"to":[4,5]})").at,
              (std::vector<double>{4, 5}));
    const auto warm = parsed<HandMessage>(
        R"({"type":"hand","name":"w","kind":"warm","radius":0.1,"to":[4,5,6],"power":-30})");
    EXPECT_EQ(warm.power, -30.0);
    EXPECT_EQ(warm.at, (std::vector<double>{4, 5, 6}));
    EXPECT_FALSE(warm.takes_hold());
    EXPECT_EQ(push.power, std::nullopt);
    EXPECT_EQ(parsed<SetMessage>(R"({"type":"set","path":"a","value":true})").value, Node(true));
    EXPECT_TRUE(parsed<SetMessage>(R"({"type":"set","path":"a","value":null})").value.is_null());
    const auto drop = parsed<DropMessage>(
        R"({"type":"drop","name":"ball","like":"bear","shape":{"sphere":{"center":[0,0,1],"radius":0.1}}})");
    EXPECT_EQ(drop.like, "bear");
    EXPECT_TRUE(drop.velocity.empty());
    EXPECT_NE(drop.shape.find("sphere"), nullptr);
    const auto pour = parsed<PourMessage>(
        R"({"type":"pour","name":"jet","body":"water","at":[0,1],"velocity":[0,-2],"radius":0.1})");
    EXPECT_EQ(pour.velocity, (std::vector<double>{0, -2}));
    const auto save = parsed<SaveMessage>(R"({"type":"save","what":"checkpoint","name":"a"})");
    EXPECT_EQ(save.what, SavedThing::Checkpoint);
    EXPECT_EQ(save.name, "a");
}

TEST(Message, what_is_wrong_is_said_in_one_line)
{
    EXPECT_EQ(error_of(R"({"type":"seek"})"), R"(message "seek": needs "frame")");
    EXPECT_EQ(error_of(R"({"type":"play","speed":2})"), R"(message "play": unknown member "speed")");
    EXPECT_EQ(error_of(R"({"type":"ack","frame":-1})"),
              R"(message "ack": "frame" must be a whole number from 0 to 4294967295)");
    EXPECT_EQ(error_of(R"({"type":"drop","name":"a","like":"b","shape":[]})"),
              R"(message "drop": "shape" must be an object)");
    EXPECT_EQ(error_of(R"({"type":"pour","name":"a","body":"b","at":[0,1],"velocity":[0,0],"radius":1})"),
              R"(message "pour": "velocity" must not be zero)");
    EXPECT_EQ(error_of(R"({"type":"pour","name":"a","body":"b","at":[0,1],"velocity":[0,0,1],"radius":1})"),
              R"(message "pour": "at" and "velocity" differ in dimension)");
    EXPECT_EQ(error_of(R"({"type":"hand","name":"w","kind":"warm","radius":0.1,"to":[0,0]})"),
              R"(message "hand": needs "power")");
    EXPECT_EQ(error_of(R"({"type":"hand","name":"w","kind":"warm","radius":0.1,"to":[0,0],"power":"hot"})"),
              R"(message "hand": "power" must be a number of at most 1e15)");
    EXPECT_EQ(
        error_of(
            R"({"type":"hand","name":"w","kind":"warm","radius":0.1,"to":[0,0],"power":1,"strength":1})"),
        R"(message "hand": unknown member "strength")");
    EXPECT_EQ(error_of(R"({"type":"hand","name":"w","kind":"push","radius":0.1,"to":[0,0],"power":1})"),
              R"(message "hand": unknown member "power")");
    EXPECT_EQ(error_of(R"({"type":"hand","name":"w","kind":"melt","radius":0.1,"to":[0,0]})"),
              R"(message "hand": "kind" must be "pull", "hold", "push" or "warm")");
    EXPECT_NE(error_of(R"({"type":"dance"})").find(R"(unknown type "dance", allowed: open, )"),
              std::string::npos);
}

TEST(Message, rubbish_is_refused)
{
    const std::string deep = std::string(100, '[') + std::string(100, ']');
    for (
        const std::string_view text :
        {std::string_view(""),
         std::string_view("x"),
         std::string_view("[]"),
         std::string_view("{}"),
         std::string_view("null"),
         std::string_view(R"({"type":7})"),
         std::string_view(R"({"type":"play")"),
         std::string_view(R"({"type":"play"}{"type":"play"})"),
         std::string_view(R"({"type":"play","type":"pause"})"),
         std::string_view("{\"type\":\"play\0\"}", 16),
         std::string_view("\xff\xfe"),
         std::string_view(deep),
         std::string_view(R"({"type":"open"})"),
         std::string_view(R"({"type":"open","example":"a","file":"b"})"),
         std::string_view(R"({"type":"open","example":7})"),
         std::string_view(R"({"type":"open","text":"","set":"a=1"})"),
         std::string_view(R"({"type":"open","text":"","set":[1]})"),
         std::string_view(R"({"type":"seek","frame":1.5})"),
         std::string_view(R"({"type":"seek","frame":1e300})"),
         std::string_view(R"({"type":"seek","frame":"1"})"),
         std::string_view(R"({"type":"view","color":"velocity"})"),
         std::string_view(R"({"type":"pick","id":3})"),
         std::string_view(R"({"type":"pick","body":"a","id":4294967296})"),
         std::string_view(R"({"type":"set","path":"a"})"),
         std::string_view(R"({"type":"release"})"),
         std::string_view(R"({"type":"hand","name":"","kind":"push","at":[0,0],"radius":1,"to":[0,0]})"),
         std::string_view(R"({"type":"hand","name":"a","kind":"poke","at":[0,0],"radius":1,"to":[0,0]})"),
         std::string_view(R"({"type":"hand","name":"a","kind":"pull","at":[0,0],"radius":1,"to":[0,0]})"),
         std::string_view(R"({"type":"hand","name":"a","kind":"push","at":[0],"radius":1,"to":[0]})"),
         std::string_view(R"({"type":"hand","name":"a","kind":"push","at":[0,0,0],"radius":1,"to":[0,0]})"),
         std::string_view(R"({"type":"hand","name":"a","kind":"push","at":[0,"x"],"radius":1,"to":[0,0]})"),
         std::string_view(R"({"type":"hand","name":"a","kind":"push","at":[0,0],"radius":0,"to":[0,0]})"),
         std::string_view(R"({"type":"hand","name":"a","kind":"push","at":[0,1e16],"radius":1,"to":[0,0]})"),
         std::string_view(R"({"type":"hand","name":"a","kind":"hold","body":"b","radius":1,"to":[0,0]})"),
         std::string_view(
             R"({"type":"hand","name":"a","kind":"hold","body":"b","id":-1,"radius":1,"to":[0,0]})"),
         std::string_view(
             R"({"type":"hand","name":"a","kind":"hold","body":"b","id":1,"at":[0,0],"radius":1,"to":[0,0]})"),
         std::string_view(R"({"type":"hand","name":"a","kind":"push","id":1,"radius":1,"to":[0,0]})"),
         std::string_view(R"({"type":"hand","name":"a","kind":"warm","radius":1,"to":[0,0],"power":1e16})"),
         std::string_view(R"({"type":"hand","name":"a","kind":"warm","radius":1,"to":[0,0],"power":null})"),
         std::string_view(R"({"type":"hand","name":"a","kind":"warm","radius":0,"to":[0,0],"power":1})"),
         std::string_view(R"({"type":"hand","name":"a","kind":"warm","radius":1,"power":1})"),
         std::string_view(
             R"({"type":"hand","name":"a","kind":"warm","id":1,"radius":1,"to":[0,0],"power":1})"),
         std::string_view(R"({"type":"save","what":"scene","name":"a","write":1})"),
         std::string_view(R"({"type":"save","what":"all","name":"a"})")})
        EXPECT_THROW((void)parse_message(text), InputError) << text.substr(0, 100);
}

TEST(Message, sizes_are_bounded)
{
    const std::string long_name(201, 'a');
    EXPECT_THROW((void)parse_message(R"({"type":"release","name":")" + long_name + "\"}"), InputError);
    const std::string text(100000, ' ');
    EXPECT_NO_THROW((void)parse_message(R"({"type":"validate","id":1,"text":")" + text + "\"}"));
    EXPECT_THROW((void)parse_message(R"({"type":"play"})" + text), InputError);
    EXPECT_THROW((void)parse_message(std::string(max_message_size + 1, ' ')), InputError);
    // Few values whatever the length: each takes far more memory than the two bytes that it may take here.
    std::string list = R"({"type":"open","set":[0)";
    while (list.size() < 80000) list += ",0";
    EXPECT_NE(error_of(list + "]}").find("more than 32768 values"), std::string::npos);
}

} // namespace
} // namespace phyxel::studio::message_test
