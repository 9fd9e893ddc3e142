// SPDX-License-Identifier: MIT
#include "studio/server/hand_table.h"

#include <phyxel/core/error.h>
#include <phyxel/scene/document.h>

#include <gtest/gtest.h>

#include <string>

namespace phyxel::studio {
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
            .strength = {}};
}

HandMessage hold(const std::string& name)
{
    HandMessage hand = pull(name, 0);
    hand.kind = "hold";
    return hand;
}

std::string keys_of(const HandTable& table, double now)
{
    return to_line(*table.scene_list(now, 0.5).items().back().find("motion")->find("keys"));
}

TEST(HandTable, a_hand_goes_from_where_it_was_to_where_it_is_wanted_in_one_frame)
{
    HandTable table;
    table.move(1, pull("grab", 2));
    EXPECT_TRUE(table.is_changed());
    EXPECT_EQ(to_line(table.scene_list(1.0, 0.5)),
              R"([{ "name": "grab", "type": "pull", "body": "bear", "at": [0, 0, 1], "radius": 0.1, )"
              R"("motion": { "interpolation": "linear", "keys": [{ "time": 1, "move": [2, 0, 0] }] } }])");
    table.set_told();
    table.settle();
    table.move(1, pull("grab", 3));
    EXPECT_EQ(keys_of(table, 1.5),
              R"([{ "time": 1.5, "move": [2, 0, 0] }, { "time": 2, "move": [3, 0, 0] }])");
    // Another wish in the same frame begins where the hand still is.
    table.set_told();
    table.move(1, pull("grab", 5));
    EXPECT_EQ(keys_of(table, 1.5),
              R"([{ "time": 1.5, "move": [2, 0, 0] }, { "time": 2, "move": [5, 0, 0] }])");
    table.settle();
    EXPECT_EQ(keys_of(table, 2), R"([{ "time": 2, "move": [5, 0, 0] }])");
}

TEST(HandTable, who_goes_away_lets_go_but_what_is_fixed_stays)
{
    HandTable table;
    table.move(1, pull("a", 0));
    table.move(2, pull("b", 0));
    table.move(1, hold("c"));
    table.set_told();
    table.release_all(1);
    EXPECT_TRUE(table.is_changed());
    EXPECT_EQ(table.scene_list(0, 1).items().size(), 2u);
    table.set_told();
    table.release_all(7);
    EXPECT_FALSE(table.is_changed());
    table.release("c");
    table.release("b");
    EXPECT_TRUE(table.scene_list(0, 1).items().empty());
    EXPECT_THROW(table.release("b"), InputError);
}

TEST(HandTable, hands_of_the_scene_stay_as_they_are)
{
    const Node own = Node::list({Node::object({{"name", "crane"}})});
    HandTable table(own);
    EXPECT_THROW(table.move(1, pull("crane", 0)), InputError);
    table.move(1, pull("a", 0));
    EXPECT_EQ(table.scene_list(0, 1).items().front(), own.items().front());
    EXPECT_EQ(table.state().items().size(), 1u);
}

TEST(HandTable, there_are_not_too_many)
{
    HandTable table;
    for (std::size_t n = 0; n < max_hands; ++n) table.move(1, pull(std::to_string(n), 0));
    EXPECT_THROW(table.move(1, pull("one more", 0)), InputError);
    EXPECT_EQ(table.scene_list(0, 1).items().size(), max_hands);
    HandMessage flat = pull("0", 0);
    flat.at = flat.to = {0, 0};
    EXPECT_THROW(table.move(1, flat), InputError);
}

} // namespace
} // namespace phyxel::studio
