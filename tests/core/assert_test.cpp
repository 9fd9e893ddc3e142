// SPDX-License-Identifier: MIT
#include <phyxel/core/assert.h>

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

namespace phyxel::assert_test {
namespace {

#if PHYXEL_ASSERTS

class Assert : public testing::Test {
protected:
    void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

using AssertDeath = Assert;

TEST_F(Assert, true_conditions_pass)
{
    const std::vector<int> values = {1, 2, 3};
    const int* pointer = values.data();
    PHYXEL_ASSERT(values.size() == 3u);
    PHYXEL_ASSERT(values.size() > 0);
    PHYXEL_ASSERT(values[0] < values[1] && values[1] < values[2]);
    PHYXEL_ASSERT(values.empty() || values.front() == 1);
    PHYXEL_ASSERT(pointer != nullptr);
    PHYXEL_ASSERT(!values.empty());
}

TEST_F(AssertDeath, a_comparison_prints_its_text_and_both_operands)
{
    const std::size_t i = 7;
    const std::size_t particle_count = 5;
    EXPECT_DEATH(PHYXEL_ASSERT(i < particle_count),
                 "assert_test.cpp:[0-9]+: assertion failed: i < particle_count\n  with 7 < 5");
}

TEST_F(AssertDeath, every_relation_is_checked)
{
    const int one = 1;
    const int two = 2;
    EXPECT_DEATH(PHYXEL_ASSERT(one == two), "with 1 == 2");
    EXPECT_DEATH(PHYXEL_ASSERT(one != one), "with 1 != 1");
    EXPECT_DEATH(PHYXEL_ASSERT(two < one), "with 2 < 1");
    EXPECT_DEATH(PHYXEL_ASSERT(two <= one), "with 2 <= 1");
    EXPECT_DEATH(PHYXEL_ASSERT(one > two), "with 1 > 2");
    EXPECT_DEATH(PHYXEL_ASSERT(one >= two), "with 1 >= 2");
}

TEST_F(AssertDeath, numbers_are_printed_with_all_their_digits)
{
    const double third = 1.0 / 3.0;
    EXPECT_DEATH(PHYXEL_ASSERT(third > 1.0), "0.33333333333333331 > 1");
}

TEST_F(AssertDeath, a_flag_and_a_joined_condition_fail_too)
{
    const bool flag = false;
    const int one = 1;
    EXPECT_DEATH(PHYXEL_ASSERT(flag), "assertion failed: flag");
    EXPECT_DEATH(PHYXEL_ASSERT(one == 1 && flag), "assertion failed: one == 1 && flag");
}

TEST_F(AssertDeath, operands_that_cannot_be_printed_are_marked)
{
    struct Opaque {
        int value;
        bool operator==(const Opaque&) const = default;
    };
    EXPECT_DEATH(PHYXEL_ASSERT(Opaque{1} == Opaque{2}), "with \\? == \\?");
}

TEST_F(Assert, operands_are_evaluated_once)
{
    int calls = 0;
    auto next = [&] { return ++calls; };
    PHYXEL_ASSERT(next() == 1);
    EXPECT_EQ(calls, 1);
}

#else

TEST(Assert, release_builds_do_not_evaluate_the_condition)
{
    int calls = 0;
    [[maybe_unused]] auto next = [&] { return ++calls; };
    PHYXEL_ASSERT(next() == 2);
    EXPECT_EQ(calls, 0);
}

#endif

} // namespace
} // namespace phyxel::assert_test
