// SPDX-License-Identifier: MIT
#include <phyxel/core/nearest_word.h>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace phyxel::nearest_word_test {
namespace {

const std::vector<std::string_view> known = {"spacing", "gravity", "duration", "sides", "min", "max", "Pa"};

TEST(NearestWord, finds_words_with_changed_missing_extra_and_swapped_letters)
{
    EXPECT_EQ(nearest_word("spaceng", known), "spacing");
    EXPECT_EQ(nearest_word("spacng", known), "spacing");
    EXPECT_EQ(nearest_word("spaccing", known), "spacing");
    EXPECT_EQ(nearest_word("spcaing", known), "spacing");
    EXPECT_EQ(nearest_word("gravtiy", known), "gravity");
    EXPECT_EQ(nearest_word("mni", known), "min");
}

TEST(NearestWord, upper_and_lower_case_are_alike)
{
    EXPECT_EQ(nearest_word("SPACING", known), "spacing");
    EXPECT_EQ(nearest_word("pA", known), "Pa");
}

TEST(NearestWord, prefers_the_word_of_the_same_case)
{
    const std::vector<std::string_view> pressures = {"MPa", "mPa"};
    EXPECT_EQ(nearest_word("mPaa", pressures), "mPa");
    EXPECT_EQ(nearest_word("MPaa", pressures), "MPa");
}

TEST(NearestWord, the_first_of_equally_near_words_wins)
{
    const std::vector<std::string_view> words = {"bat", "cat"};
    EXPECT_EQ(nearest_word("rat", words), "bat");
}

TEST(NearestWord, nothing_is_near_a_word_that_is_altogether_different)
{
    EXPECT_EQ(nearest_word("velocity", known), "");
    EXPECT_EQ(nearest_word("a", known), "");
    EXPECT_EQ(nearest_word("", known), "");
    EXPECT_EQ(nearest_word("mix", {}), "");
    EXPECT_EQ(nearest_word(std::string(1000, 'a'), known), "");
}

TEST(NearestWord, a_suggestion_is_ready_to_stand_before_the_list)
{
    EXPECT_EQ(suggestion("spacin", known), "did you mean \"spacing\"? ");
    EXPECT_EQ(suggestion("velocity", known), "");
    EXPECT_EQ(word_list(known), "spacing, gravity, duration, sides, min, max, Pa");
    EXPECT_EQ(word_list({}), "");
}

TEST(NearestWord, of_very_many_words_only_the_first_are_listed)
{
    const std::vector<std::string_view> words(1000, "a");
    EXPECT_TRUE(word_list(words).starts_with("a, a, a"));
    EXPECT_TRUE(word_list(words).ends_with("a, a and 960 more")) << word_list(words);
}

} // namespace
} // namespace phyxel::nearest_word_test
