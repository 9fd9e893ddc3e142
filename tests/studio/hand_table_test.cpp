// SPDX-License-Identifier: MIT
#include "studio/server/hand_table.h"

#include <phyxel/core/error.h>
#include <phyxel/scene/document.h>

#include <gtest/gtest.h>

#include <string>

namespace phyxel::studio::hand_table_test {
namespace {

HandMessage pull(const std::string& name, double x)
{
    return {.name = name,
            .kind = "pull",
            .body = "bear",
            .at = {0, 0, 1},
            .id = {},
            .to = {x, 0, 1},
            .radius = 0.1,
            .stiffness = {},
            .strength = {},
            .power = {}};
}

HandMessage warm(const std::string& name, double x)
{
    HandMessage hand = pull(name, x);
    hand.kind = "warm";
    hand.body.clear();
    hand.at = hand.to;
    hand.stiffness.reset();
    hand.power = 40.0;
    return hand;
}

HandMessage hold(const std::string& name)
{
    HandMessage hand = pull(name, 0);
    hand.kind = "hold";
    return hand;
}

std::string keys_of(const HandTable& table)
{
    return to_line(*table.scene_list().items().back().find("motion")->find("keys"));
}

double place_of(const HandTable& table, double time)
{
    return table.state(time).items().back().find("position")->items().front().number();
}

TEST(HandTable, a_hand_goes_from_where_it_is_to_where_it_is_wanted)
{
    HandTable table;
    table.move(1, pull("grab", 2), 1.0, 0.5);
    EXPECT_EQ(to_line(table.scene_list()),
              R"([{ "name": "grab", "type": "pull", "body": "bear", "at": [0, 0, 1], "radius": 0.1, )"
              R"("motion": { "interpolation": "linear", "keys": [{ "time": 1, "move": [2, 0, 0] }] } }])");
    EXPECT_EQ(place_of(table, 1.0), 2.0);
    table.move(1, pull("grab", 3), 1.5, 0.5);
    EXPECT_EQ(keys_of(table), R"([{ "time": 1.5, "move": [2, 0, 0] }, { "time": 2, "move": [3, 0, 0] }])");
    EXPECT_EQ(place_of(table, 1.25), 2.0);
    EXPECT_EQ(place_of(table, 1.75), 2.5);
    EXPECT_EQ(place_of(table, 2.5), 3.0);
    // Another wish while it moves begins where it is then.
    table.move(1, pull("grab", 5), 1.75, 0.5);
    EXPECT_EQ(keys_of(table),
              R"([{ "time": 1.75, "move": [2.5, 0, 0] }, { "time": 2.25, "move": [5, 0, 0] }])");
    table.move(1, pull("grab", 5), 9.0, 0.5);
    EXPECT_EQ(keys_of(table), R"([{ "time": 9, "move": [5, 0, 0] }])");
}

TEST(HandTable, what_warms_follows_with_its_power_and_has_no_body)
{
    HandTable table;
    table.move(1, warm("gun", 2), 1.0, 0.5);
    EXPECT_EQ(to_line(table.scene_list()),
              R"([{ "name": "gun", "type": "warm", "at": [2, 0, 1], "radius": 0.1, "power": 40, )"
              R"("motion": { "interpolation": "linear", "keys": [{ "time": 1, "move": [0, 0, 0] }] } }])");
    HandMessage hotter = warm("gun", 3);
    hotter.power = 90.0;
    table.move(1, hotter, 1.5, 0.5);
    EXPECT_EQ(table.scene_list().items().front().find("power")->number(), 90.0);
    EXPECT_EQ(keys_of(table), R"([{ "time": 1.5, "move": [-1, 0, 0] }, { "time": 2, "move": [0, 0, 0] }])");
    EXPECT_EQ(place_of(table, 1.75), 2.5);
    EXPECT_EQ(*table.state(2.0).items().front().find("kind"), Node("warm"));
    // It ends when whoever holds it goes away.
    EXPECT_TRUE(table.release_all(1));
    EXPECT_TRUE(table.scene_list().items().empty());
}

TEST(HandTable, a_hand_goes_on_while_others_move)
{
    HandTable table;
    table.move(1, pull("still", 0), 0.0, 0.5);
    table.move(1, pull("grab", 1), 0.0, 0.5);
    table.move(1, pull("grab", 2), 1.0, 0.5);
    const std::string before = keys_of(table);
    table.move(1, pull("still", 4), 1.25, 0.5);
    EXPECT_EQ(keys_of(table), before);
}

TEST(HandTable, who_goes_away_lets_go_but_what_is_fixed_stays)
{
    HandTable table;
    table.move(1, pull("a", 0), 0.0, 1.0);
    table.move(2, pull("b", 0), 0.0, 1.0);
    table.move(1, hold("c"), 0.0, 1.0);
    EXPECT_TRUE(table.release_all(1));
    EXPECT_EQ(table.scene_list().items().size(), 2u);
    EXPECT_FALSE(table.release_all(7));
    table.release("c");
    table.release("b");
    EXPECT_TRUE(table.scene_list().items().empty());
    EXPECT_THROW(table.release("b"), InputError);
}

TEST(HandTable, hands_of_the_scene_stay_as_they_are)
{
    const Node own = Node::list({Node::object({{"name", "crane"}})});
    HandTable table(own);
    EXPECT_THROW(table.move(1, pull("crane", 0), 0.0, 1.0), InputError);
    table.move(1, pull("a", 0), 0.0, 1.0);
    EXPECT_EQ(table.scene_list().items().front(), own.items().front());
    EXPECT_EQ(table.state(0.0).items().size(), 1u);
}

TEST(HandTable, there_are_not_too_many)
{
    HandTable table;
    for (std::size_t n = 0; n < max_hands; ++n) table.move(1, pull(std::to_string(n), 0), 0.0, 1.0);
    EXPECT_THROW(table.move(1, pull("one more", 0), 0.0, 1.0), InputError);
    EXPECT_EQ(table.scene_list().items().size(), max_hands);
    HandMessage flat = pull("0", 0);
    flat.at = flat.to = {0, 0};
    EXPECT_THROW(table.move(1, flat, 0.0, 1.0), InputError);
}

} // namespace
} // namespace phyxel::studio::hand_table_test
