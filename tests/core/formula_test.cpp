// SPDX-License-Identifier: MIT
#include <phyxel/core/formula.h>
#include <phyxel/core/rng.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <string>

namespace phyxel::formula_test {
namespace {

double value_of(std::string_view text) { return Formula(text).evaluate(0.5, -2.0, 3.0, 0.25); }

/// The message of the error, or "no error".
std::string error_of(std::string_view text)
{
    try {
        const Formula formula(text);
    } catch (const FormulaError& error) {
        return error.what();
    }
    return "no error";
}

std::string repeated(std::string_view piece, int count)
{
    std::string text;
    for (int i = 0; i < count; ++i) text += piece;
    return text;
}

TEST(Formula, numbers_have_fractions_and_exponents)
{
    EXPECT_EQ(value_of("12"), 12.0);
    EXPECT_EQ(value_of("0.25"), 0.25);
    EXPECT_EQ(value_of(".5"), 0.5);
    EXPECT_EQ(value_of("2."), 2.0);
    EXPECT_EQ(value_of("1e-3"), 1e-3);
    EXPECT_EQ(value_of("2.5E+2"), 250.0);
    EXPECT_EQ(value_of("1e-999"), 0.0);
}

TEST(Formula, variables_stand_for_place_and_time)
{
    EXPECT_EQ(value_of("x"), 0.5);
    EXPECT_EQ(value_of("y"), -2.0);
    EXPECT_EQ(value_of("z"), 3.0);
    EXPECT_EQ(value_of("t"), 0.25);
    EXPECT_EQ(value_of("pi"), std::numbers::pi);
}

TEST(Formula, products_bind_tighter_than_sums_and_both_go_from_left_to_right)
{
    EXPECT_EQ(value_of("1 + 2*3"), 7.0);
    EXPECT_EQ(value_of("(1 + 2)*3"), 9.0);
    EXPECT_EQ(value_of("10 - 4 - 3"), 3.0);
    EXPECT_EQ(value_of("16/4/2"), 2.0);
    EXPECT_EQ(value_of("2*3/4*5"), 7.5);
    EXPECT_EQ(value_of("1e16 + 1 - 1e16"), (1e16 + 1.0) - 1e16);
}

TEST(Formula, powers_go_from_right_to_left_and_bind_tighter_than_signs)
{
    EXPECT_EQ(value_of("2^3^2"), 512.0);
    EXPECT_EQ(value_of("-2^2"), -4.0);
    EXPECT_EQ(value_of("(-2)^2"), 4.0);
    EXPECT_EQ(value_of("2^-1"), 0.5);
    EXPECT_EQ(value_of("2^-1^2"), 0.5);
    EXPECT_EQ(value_of("3*2^2"), 12.0);
    EXPECT_EQ(value_of("2^2*3"), 12.0);
    EXPECT_EQ(value_of("2*-3"), -6.0);
    EXPECT_EQ(value_of("1 - -1"), 2.0);
    EXPECT_EQ(value_of("--+1"), 1.0);
    EXPECT_EQ(value_of("2 \u2212 \u22123"), 5.0);
}

TEST(Formula, functions_are_those_of_the_standard_library)
{
    EXPECT_EQ(value_of("sin(x)"), std::sin(0.5));
    EXPECT_EQ(value_of("cos(x)"), std::cos(0.5));
    EXPECT_EQ(value_of("tan(x)"), std::tan(0.5));
    EXPECT_EQ(value_of("exp(x)"), std::exp(0.5));
    EXPECT_EQ(value_of("log(x)"), std::log(0.5));
    EXPECT_EQ(value_of("sqrt(x)"), std::sqrt(0.5));
    EXPECT_EQ(value_of("abs(y)"), 2.0);
    EXPECT_EQ(value_of("min(x, y)"), -2.0);
    EXPECT_EQ(value_of("max(x, y)"), 0.5);
    EXPECT_EQ(value_of("max(min(x, y), sin(z)^2 + cos(z)^2 - 4)"),
              std::max(-2.0, std::pow(std::sin(3.0), 2) + std::pow(std::cos(3.0), 2) - 4));
}

TEST(Formula, agrees_with_the_compiler_at_random_places)
{
    const Formula formula("= 0.1*sin(4*pi*y) - x^2/(1 + abs(z)) + max(t, -t)*exp(-x*x)");
    Rng rng(3);
    for (int i = 0; i < 100; ++i) {
        const double x = rng.normal(), y = rng.normal(), z = rng.normal(), t = rng.normal();
        EXPECT_EQ(formula.evaluate(x, y, z, t), 0.1 * std::sin(4 * std::numbers::pi * y) -
                                                    std::pow(x, 2) / (1 + std::abs(z)) +
                                                    std::max(t, -t) * std::exp(-x * x));
    }
}

TEST(Formula, the_equals_sign_and_spaces_around_do_not_matter)
{
    EXPECT_EQ(value_of("= 2*x"), 1.0);
    EXPECT_EQ(value_of("=2*x"), 1.0);
    EXPECT_EQ(value_of("  =  2 * x \n"), 1.0);
    EXPECT_EQ(Formula(" =  2 * x ").text(), "2 * x");
    EXPECT_EQ(Formula("= 2*x"), Formula("2*x"));
    EXPECT_NE(Formula("= 2*x"), Formula("2*y"));
}

TEST(Formula, a_number_is_a_formula_without_text)
{
    const Formula number = 2.5;
    EXPECT_TRUE(number.is_number());
    EXPECT_EQ(number.text(), "");
    EXPECT_EQ(number.evaluate(1, 2, 3, 4), 2.5);
    EXPECT_EQ(number, Formula(2.5));
    EXPECT_NE(number, Formula(2.0));
    EXPECT_NE(number, Formula("2.5"));
    EXPECT_FALSE(Formula("2.5").is_number());
    EXPECT_EQ(Formula().evaluate(1, 2, 3, 4), 0.0);
}

TEST(Formula, knows_which_variables_it_uses)
{
    const Formula formula("sin(y) + t");
    EXPECT_FALSE(formula.uses('x'));
    EXPECT_TRUE(formula.uses('y'));
    EXPECT_FALSE(formula.uses('z'));
    EXPECT_TRUE(formula.uses('t'));
    EXPECT_FALSE(Formula("exp(pi)").uses('x'));
    EXPECT_FALSE(Formula(1.0).uses('t'));
}

TEST(Formula, values_that_are_not_finite_come_through)
{
    EXPECT_EQ(value_of("1/0"), std::numeric_limits<double>::infinity());
    EXPECT_EQ(value_of("log(0)"), -std::numeric_limits<double>::infinity());
    EXPECT_TRUE(std::isnan(value_of("sqrt(-1)")));
    EXPECT_TRUE(std::isnan(value_of("min(1, sqrt(-1))")));
    EXPECT_TRUE(std::isnan(value_of("min(sqrt(-1), 1)")));
    EXPECT_TRUE(std::isnan(value_of("max(1, sqrt(-1))")));
    EXPECT_TRUE(std::isnan(value_of("max(sqrt(-1), 1)")));
}

TEST(Formula, errors_name_the_column_and_what_was_expected)
{
    EXPECT_EQ(error_of(""), "column 1 of the formula: expected a number, a variable, a function or \"(\", "
                            "found the end");
    EXPECT_EQ(error_of("= "), "column 3 of the formula: expected a number, a variable, a function or \"(\", "
                              "found the end");
    EXPECT_EQ(error_of("= 2*/x"), "column 5 of the formula: expected a number, a variable, a function or "
                                  "\"(\", found \"/\"");
    EXPECT_EQ(error_of("2x"), "column 2 of the formula: expected an operator or the end, found \"x\"");
    EXPECT_EQ(error_of("x y2"), "column 3 of the formula: expected an operator or the end, found \"y2\"");
    EXPECT_EQ(error_of("(1 + 2"), "column 7 of the formula: expected \")\" or an operator, found the end");
    EXPECT_EQ(error_of("1)"), "column 2 of the formula: expected an operator or the end, found \")\"");
    EXPECT_EQ(error_of("sin x"), "column 5 of the formula: expected \"(\" after sin, found \"x\"");
    EXPECT_EQ(error_of("sin(x, y)"), "column 6 of the formula: expected \")\" after the argument of sin, "
                                     "found \",\"");
    EXPECT_EQ(error_of("min(x)"), "column 6 of the formula: expected \",\" and the second argument of min, "
                                  "found \")\"");
    EXPECT_EQ(error_of("max(x, y, z)"),
              "column 9 of the formula: expected \")\" after the second argument of "
              "max, found \",\"");
    EXPECT_EQ(error_of("1e999"), "column 1 of the formula: 1e999 is too large, the largest number is about "
                                 "1.8e308");
    EXPECT_EQ(error_of("1 ≤ 2"), "column 3 of the formula: expected an operator or the end, found \"≤\"");
}

TEST(Formula, unknown_names_come_with_the_nearest_known_one)
{
    EXPECT_EQ(error_of("= 0.1*sn(y)"),
              "column 7 of the formula: unknown name \"sn\", did you mean \"sin\"? known: x, y, z, t, pi, "
              "sin, cos, tan, exp, log, sqrt, abs, min, max");
    EXPECT_EQ(
        error_of("velocity"),
        "column 1 of the formula: unknown name \"velocity\", known: x, y, z, t, pi, sin, cos, tan, exp, "
        "log, sqrt, abs, min, max");
    EXPECT_EQ(error_of("X"),
              "column 1 of the formula: unknown name \"X\", did you mean \"x\"? known: x, y, z, "
              "t, pi, sin, cos, tan, exp, log, sqrt, abs, min, max");
}

TEST(Formula, columns_count_characters_not_bytes)
{
    try {
        const Formula formula("2 \u2212 \u2212 *");
        FAIL();
    } catch (const FormulaError& error) {
        EXPECT_EQ(error.column(), 7u);
    }
}

TEST(Formula, refuses_what_is_too_long_or_too_deep)
{
    EXPECT_EQ(error_of("1" + repeated("+1", 2047)), "no error");
    EXPECT_EQ(error_of("1" + repeated("+1", 2048)),
              "column 4097 of the formula: too long, at most 4096 characters are allowed");

    const std::string too_deep = "nested too deeply, at most 64 levels are allowed";
    EXPECT_EQ(error_of(repeated("(", 63) + "1" + repeated(")", 63)), "no error");
    EXPECT_EQ(error_of(repeated("(", 64) + "1" + repeated(")", 64)), "column 65 of the formula: " + too_deep);
    EXPECT_EQ(error_of(repeated("-", 63) + "1"), "no error");
    EXPECT_EQ(error_of(repeated("-", 64) + "1"), "column 65 of the formula: " + too_deep);
    EXPECT_EQ(error_of("1" + repeated("^1", 63)), "no error");
    EXPECT_EQ(error_of("1" + repeated("^1", 64)), "column 129 of the formula: " + too_deep);
}

TEST(Formula, the_deepest_formula_still_evaluates)
{
    // 1, 1 and −9 wait on each level while the next is worked out; 1 + 1·max(−9, a) − 1 = a.
    const Formula deepest(repeated("1+1*max(-9,", 62) + "1+1*2^3" + repeated(")-1", 62));
    EXPECT_EQ(deepest.evaluate(0, 0, 0, 0), 9.0);
}

} // namespace
} // namespace phyxel::formula_test
