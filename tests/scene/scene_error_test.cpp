// SPDX-License-Identifier: MIT
#include <phyxel/scene/scene_error.h>

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace phyxel::scene_error_test {
namespace {

const auto dam_break = std::make_shared<const std::string>("examples/scenes/dam_break.json");

TEST(SceneError, a_problem_is_one_line_with_place_path_reason_and_remedy)
{
    const Place place{dam_break, 14, 7};
    EXPECT_EQ(to_text({place, "bodies[0].material", "what is wrong", "what is allowed"}),
              "examples/scenes/dam_break.json:14:7: bodies[0].material: what is wrong, what is allowed");
    EXPECT_EQ(to_text({place, "", "what is wrong", ""}),
              "examples/scenes/dam_break.json:14:7: what is wrong");
    EXPECT_EQ(to_text({{dam_break}, "", "is a folder", ""}), "examples/scenes/dam_break.json: is a folder");
    EXPECT_EQ(to_text({{}, "spacing", "is missing", ""}), "spacing: is missing");
    EXPECT_STREQ(SceneError(place, "wrong", "right").what(),
                 "examples/scenes/dam_break.json:14:7: wrong, right");
}

TEST(SceneError, problems_come_in_the_order_of_their_places)
{
    const SceneError error({{{dam_break, 14, 7}, "", "third", ""},
                            {{dam_break, 2, 30}, "", "second", ""},
                            {{dam_break, 2, 4}, "", "first", ""}});
    EXPECT_STREQ(error.what(), "examples/scenes/dam_break.json:2:4: first\n"
                               "examples/scenes/dam_break.json:2:30: second\n"
                               "examples/scenes/dam_break.json:14:7: third");
    ASSERT_EQ(error.problems().size(), 3u);
    EXPECT_EQ(error.problems()[0].what, "first");
}

TEST(SceneError, beyond_a_hundred_problems_are_only_counted)
{
    const SceneError error(std::vector<Problem>(103, Problem{{}, "", "wrong", ""}));
    const std::string text = error.what();
    EXPECT_EQ(text.substr(text.rfind('\n')), "\nand 3 more problems");
    EXPECT_EQ(error.problems().size(), 103u);
}

} // namespace
} // namespace phyxel::scene_error_test
