// SPDX-License-Identifier: MIT
#include <phyxel/render/axis_ticks.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace phyxel::axis_ticks_test {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double largest = std::numeric_limits<double>::max();

/// The number that a label and the exponent of its axis stand for.
double number_of(std::string label, int exponent)
{
    const std::string minus = "\u2212";
    if (label.starts_with(minus)) label = "-" + label.substr(minus.size());
    return std::stod(label + "e" + std::to_string(exponent));
}

TEST(AxisTicks, are_round_numbers_with_the_same_decimals)
{
    const AxisTicks ticks = choose_ticks({0.03, 2.0}, {.most_ticks = 5});
    EXPECT_EQ(ticks.labels, (std::vector<std::string>{"0.5", "1.0", "1.5", "2.0"}));
    EXPECT_EQ(ticks.exponent, 0);
    EXPECT_EQ(choose_ticks({-12.0, 31.0}, {.most_ticks = 5}).labels,
              (std::vector<std::string>{"\u221210", "0", "10", "20", "30"}));
    EXPECT_EQ(choose_ticks({0.0, 15360.0}, {.most_ticks = 4}).labels,
              (std::vector<std::string>{"0", "5000", "10000", "15000"}));
}

TEST(AxisTicks, of_large_and_small_numbers_share_a_power_of_ten)
{
    const AxisTicks small = choose_ticks({1.1e-4, 2.3e-4}, {.most_ticks = 4});
    EXPECT_EQ(small.exponent, -6);
    EXPECT_EQ(small.labels, (std::vector<std::string>{"150", "200"}));
    const AxisTicks large = choose_ticks({0.0, 3.2e7}, {.most_ticks = 4});
    EXPECT_EQ(large.exponent, 6);
    EXPECT_EQ(large.labels, (std::vector<std::string>{"0", "10", "20", "30"}));
    EXPECT_EQ(axis_label("step size", "s", small.exponent), "step size (×10⁻⁶ s)");
    EXPECT_EQ(axis_label("energy", "J", 0), "energy (J)");
    EXPECT_EQ(axis_label("particles", "", 12), "particles (×10¹²)");
    EXPECT_EQ(axis_label("particles", "", 0), "particles");
}

TEST(AxisTicks, lie_in_the_range_and_say_what_they_are_for_any_numbers)
{
    const std::vector<double> numbers = {0.0,      1.0,     -1.0,     1e-3,   0.1,     123.456,
                                         1e5,      -1e9,    1e-300,   5e-324, 1e300,   largest,
                                         -largest, 999.999, 1000.001, nan,    infinite};
    for (const double min : numbers)
        for (const double max : numbers)
            for (const double margin : {0.0, 0.06})
                for (const bool from_zero : {false, true}) {
                    SCOPED_TRACE(testing::Message() << min << " to " << max << ", " << margin << from_zero);
                    const AxisTicks ticks =
                        choose_ticks({min, max}, {.margin = margin, .from_zero = from_zero});
                    ASSERT_TRUE(std::isfinite(ticks.range.min) && std::isfinite(ticks.range.max));
                    ASSERT_LT(ticks.range.min, ticks.range.max);
                    ASSERT_FALSE(ticks.values.empty());
                    ASSERT_LE(ticks.values.size(), 8u);
                    ASSERT_EQ(ticks.values.size(), ticks.labels.size());
                    EXPECT_EQ(ticks.exponent % 3, 0);
                    for (std::size_t k = 0; k < ticks.values.size(); ++k) {
                        const double share = ticks.range.fraction(ticks.values[k]);
                        EXPECT_GE(share, -1e-6);
                        EXPECT_LE(share, 1.0 + 1e-6);
                        if (k > 0) {
                            EXPECT_LT(ticks.values[k - 1], ticks.values[k]);
                            EXPECT_NE(ticks.labels[k - 1], ticks.labels[k]);
                        }
                        const double shown = number_of(ticks.labels[k], ticks.exponent);
                        EXPECT_NEAR(ticks.range.fraction(shown), share, 1e-6);
                    }
                    if (min <= max && std::isfinite(min) && std::isfinite(max)) {
                        EXPECT_LE(ticks.range.min, min);
                        EXPECT_GE(ticks.range.max, max);
                    }
                    if (from_zero) {
                        EXPECT_LE(ticks.range.min, 0.0);
                        EXPECT_GE(ticks.range.max, 0.0);
                    }
                }
}

TEST(AxisTicks, of_a_constant_have_some_room_around_it)
{
    const AxisTicks ticks = choose_ticks({5.0, 5.0});
    EXPECT_LT(ticks.range.min, 4.9);
    EXPECT_GT(ticks.range.max, 5.1);
    EXPECT_EQ(choose_ticks({15360, 15360}, {.margin = 0.06, .from_zero = true}).range.min, 0.0);
    EXPECT_EQ(choose_ticks({0, 0}, {.from_zero = true}).range.max, 1.0);
    // Numbers that differ in the ninth digit only would need labels of nine digits.
    EXPECT_GT(choose_ticks({1.0, 1.0 + 1e-9}).range.max, 1.05);
}

TEST(AxisTicks, of_things_that_can_be_counted_are_whole)
{
    const AxisTicks ticks = choose_ticks({0, 2}, {.most_ticks = 8, .whole_numbers = true});
    EXPECT_EQ(ticks.labels, (std::vector<std::string>{"0", "1", "2"}));
    EXPECT_EQ(choose_ticks({0, 0}, {.whole_numbers = true}).labels, (std::vector<std::string>{"0", "1"}));
}

TEST(AxisTicks, margins_do_not_cross_zero)
{
    EXPECT_EQ(choose_ticks({0.1, 10}, {.margin = 0.1}).range.min, 0.0);
    EXPECT_LT(choose_ticks({-0.1, 10}, {.margin = 0.1}).range.min, -1.0);
    EXPECT_EQ(choose_ticks({-10, 0}, {.margin = 0.1}).range.max, 0.0);
}

TEST(AxisTicks, ranges_are_those_of_finite_numbers)
{
    const std::vector<double> numbers = {nan, 3.0, -infinite, -1.0, infinite};
    const ValueRange range = range_of(numbers);
    EXPECT_EQ(range.min, -1.0);
    EXPECT_EQ(range.max, 3.0);
    EXPECT_GT(range_of(std::vector<double>{nan}).min, range_of(std::vector<double>{nan}).max);
}

} // namespace
} // namespace phyxel::axis_ticks_test
