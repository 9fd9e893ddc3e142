// SPDX-License-Identifier: MIT
#include <phyxel/core/number_text.h>
#include <phyxel/core/rng.h>

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

namespace phyxel::number_text_test {
namespace {

TEST(NumberText, ordinary_numbers_have_no_exponent)
{
    EXPECT_EQ(number_text(0.0), "0");
    EXPECT_EQ(number_text(-0.0), "-0");
    EXPECT_EQ(number_text(0.1), "0.1");
    EXPECT_EQ(number_text(-9.81), "-9.81");
    EXPECT_EQ(number_text(20000.0), "20000");
    EXPECT_EQ(number_text(0x1p53), "9007199254740992");
    EXPECT_EQ(number_text(0.0001), "0.0001");
    EXPECT_EQ(number_text(1e16), "1e+16");
    EXPECT_EQ(number_text(1e-6), "1e-06");
    EXPECT_EQ(number_text(0.1 + 0.2), "0.30000000000000004");
}

TEST(NumberText, rounding_is_to_significant_digits)
{
    EXPECT_EQ(number_text(0.1 + 0.2, 6), "0.3");
    EXPECT_EQ(number_text(1234567.0, 6), "1.23457e+06");
    EXPECT_EQ(number_text(7.0 * 0.01, 6), "0.07");
}

TEST(NumberText, what_is_not_finite_is_said_in_words)
{
    const double infinity = std::numeric_limits<double>::infinity();
    for (const double nan : {std::nan(""), -std::nan("")}) {
        EXPECT_EQ(number_text(nan), "not a number");
        EXPECT_EQ(number_text(nan, 3), "not a number");
    }
    EXPECT_EQ(number_text(infinity), "infinity");
    EXPECT_EQ(number_text(-infinity, 3), "-infinity");
}

TEST(NumberText, every_number_reads_back_as_itself)
{
    Rng rng(5);
    for (int i = 0; i < 10000; ++i) {
        const double value = std::abs(std::bit_cast<double>(rng()));
        if (!std::isfinite(value)) continue;
        const std::string text = number_text(value);
        const NumberPrefix number = read_number(text);
        EXPECT_EQ(number.length, text.size());
        EXPECT_EQ(number.value, value) << text;
    }
}

TEST(NumberText, reading_stops_where_the_number_ends)
{
    const auto length = [](std::string_view text) { return read_number(text).length; };
    EXPECT_EQ(length("12 cm"), 2u);
    EXPECT_EQ(length("12cm"), 2u);
    EXPECT_EQ(length("1.5e3m"), 5u);
    EXPECT_EQ(length("1em"), 1u);
    EXPECT_EQ(length("1e+m"), 1u);
    EXPECT_EQ(length("1.2.3"), 3u);
    EXPECT_EQ(length(".5"), 2u);
    EXPECT_EQ(length("5."), 2u);
    EXPECT_EQ(length("."), 0u);
    EXPECT_EQ(length(".e5"), 0u);
    EXPECT_EQ(length("e5"), 0u);
    EXPECT_EQ(length("-1"), 0u);
    EXPECT_EQ(length("+1"), 0u);
    EXPECT_EQ(length("inf"), 0u);
    EXPECT_EQ(length("nan"), 0u);
    EXPECT_EQ(length(""), 0u);
    EXPECT_EQ(length("0x10"), 1u);
}

TEST(NumberText, too_large_is_infinite_and_too_small_is_zero)
{
    constexpr double infinity = std::numeric_limits<double>::infinity();
    EXPECT_EQ(read_number("1e999").value, infinity);
    EXPECT_EQ(read_number("1e-999").value, 0.0);
    EXPECT_EQ(read_number("1.8e308").value, infinity);
    EXPECT_EQ(read_number("1.7e308").value, 1.7e308);
    EXPECT_EQ(read_number("5e-324").value, 5e-324);
    EXPECT_EQ(read_number("1e99999999999999999999").value, infinity);
    EXPECT_EQ(read_number("1e-99999999999999999999").value, 0.0);
    EXPECT_EQ(read_number("0e99999999999999999999").value, 0.0);
    EXPECT_EQ(read_number("1" + std::string(400, '0')).value, infinity);
    EXPECT_EQ(read_number("0." + std::string(400, '0') + "1").value, 0.0);
    EXPECT_EQ(read_number("0." + std::string(400, '0') + "1e401").value, 1.0);
    EXPECT_EQ(read_number("0." + std::string(400, '0') + "1e999").value, infinity);
    EXPECT_EQ(read_number("1" + std::string(400, '0') + "e-999").value, 0.0);
}

} // namespace
} // namespace phyxel::number_text_test
