// SPDX-License-Identifier: MIT
#include "studio/server/nozzle_table.h"

#include <phyxel/core/error.h>
#include <phyxel/scene/document.h>

#include <gtest/gtest.h>

#include <string>

namespace phyxel::studio::nozzle_table_test {
namespace {

PourMessage jet(const std::string& name)
{
    return {.name = name, .body = "water", .at = {1, 2, 3}, .velocity = {0, 0, -2}, .radius = 0.1};
}

TEST(NozzleTable, a_nozzle_is_a_short_pipe_along_its_velocity)
{
    NozzleTable table;
    table.move(1, jet("a"), 0.5);
    EXPECT_EQ(to_line(table.scene_list()),
              R"([{ "name": "a", "body": "water", "shape": { "cylinder": { "from": [1, 2, 3.5], )"
              R"("to": [1, 2, 2.5], "radius": 0.1 } }, "velocity": [0, 0, -2] }])");
    EXPECT_EQ(
        to_line(table.state()),
        R"([{ "name": "a", "body": "water", "position": [1, 2, 3], "velocity": [0, 0, -2], "radius": 0.1 }])");
    PourMessage flat = jet("a");
    flat.at = {1, 2};
    flat.velocity = {0, 3};
    table.move(1, flat, 0.5);
    EXPECT_EQ(to_line(*table.scene_list().items().at(0).find("shape")),
              R"({ "box": { "min": [0.5, 1.9], "max": [1.5, 2.1] }, "rotate": 1.5707963267948966 })");
}

TEST(NozzleTable, who_goes_away_closes_them_and_those_of_the_scene_stay)
{
    const Node own = Node::list({Node::object({{"name", "tap"}})});
    NozzleTable table(own);
    EXPECT_THROW(table.move(1, jet("tap"), 0.1), InputError);
    table.move(1, jet("a"), 0.1);
    table.move(2, jet("b"), 0.1);
    EXPECT_TRUE(table.release_all(1));
    EXPECT_FALSE(table.release_all(1));
    EXPECT_EQ(table.scene_list().items().size(), 2u);
    EXPECT_TRUE(table.release("b"));
    EXPECT_FALSE(table.release("b"));
    EXPECT_EQ(table.scene_list(), own);
    for (std::size_t n = 0; n < max_nozzles; ++n) table.move(1, jet(std::to_string(n)), 0.1);
    EXPECT_THROW(table.move(1, jet("one more"), 0.1), InputError);
    table.move(1, jet("3"), 0.2);
    EXPECT_EQ(table.state().items().size(), max_nozzles);
}

} // namespace
} // namespace phyxel::studio::nozzle_table_test
