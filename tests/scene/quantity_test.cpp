// SPDX-License-Identifier: MIT
#include <phyxel/scene/quantity.h>

#include <gtest/gtest.h>

#include <numbers>
#include <string>

namespace phyxel::quantity_test {
namespace {

double value_of(std::string_view text) { return parse_quantity(text).value; }
Dimension dimension_of(std::string_view text) { return parse_quantity(text).dimension; }

/// The message of the error, or "no error".
std::string error_of(std::string_view text)
{
    try {
        parse_quantity(text);
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

std::string error_of(std::string_view text, std::string_view unit, UnitHint hint = {})
{
    try {
        parse_quantity_in(text, unit, hint);
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

const std::string known_units =
    "known: m, g, s, K, rad, deg, rpm, Hz, N, Pa, J, W, l, bar, min, h, °C, with SI "
    "prefixes";

TEST(Quantity, units_are_turned_into_si)
{
    EXPECT_EQ(value_of("2 m"), 2.0);
    EXPECT_EQ(value_of("2 km"), 2000.0);
    EXPECT_EQ(value_of("3 g"), 0.003);
    EXPECT_EQ(value_of("3 kg"), 3.0);
    EXPECT_EQ(value_of("5 l"), 0.005);
    EXPECT_EQ(value_of("5 L"), 0.005);
    EXPECT_EQ(value_of("5 ml"), 5e-6);
    EXPECT_EQ(value_of("1 bar"), 1e5);
    EXPECT_EQ(value_of("2 mbar"), 200.0);
    EXPECT_EQ(value_of("2 min"), 120.0);
    EXPECT_EQ(value_of("1.5 h"), 5400.0);
    EXPECT_EQ(value_of("180 deg"), std::numbers::pi);
    EXPECT_EQ(value_of("30 rpm"), std::numbers::pi);
    EXPECT_EQ(value_of("60 rpm"), 2.0 * std::numbers::pi);
    EXPECT_EQ(value_of("20 °C"), 293.15);
    EXPECT_EQ(value_of("-273.15 °C"), 0.0);
    EXPECT_EQ(value_of("2 mPa s"), 0.002);
    EXPECT_EQ(value_of("0.6 W/(m K)"), 0.6);
    EXPECT_EQ(value_of("4.2 kJ/(kg K)"), 4200.0);
    EXPECT_EQ(value_of("36 km/h"), 10.0);
    EXPECT_EQ(value_of("1 g/cm^3"), 1000.0);
    EXPECT_EQ(value_of("210 GPa"), 210e9);
    EXPECT_EQ(value_of("30 1/s"), 30.0);
    EXPECT_EQ(value_of("30/s"), 30.0);
    EXPECT_EQ(value_of("30 / min"), 0.5);
    EXPECT_EQ(value_of("0.5"), 0.5);
    EXPECT_EQ(value_of("0.5 1"), 0.5);
}

TEST(Quantity, dimensions_are_exponents_of_base_units)
{
    EXPECT_EQ(dimension_of("1 m"), (Dimension{.length = 1}));
    EXPECT_EQ(dimension_of("1 l"), (Dimension{.length = 3}));
    EXPECT_EQ(dimension_of("1 N"), (Dimension{.length = 1, .mass = 1, .time = -2}));
    EXPECT_EQ(dimension_of("1 Pa"), dimension_of("1 N/m^2"));
    EXPECT_EQ(dimension_of("1 bar"), dimension_of("1 Pa"));
    EXPECT_EQ(dimension_of("1 J"), dimension_of("1 N m"));
    EXPECT_EQ(dimension_of("1 W"), dimension_of("1 J/s"));
    EXPECT_EQ(dimension_of("1 Hz"), (Dimension{.time = -1}));
    EXPECT_EQ(dimension_of("1 rpm"), (Dimension{.time = -1, .angle = 1}));
    EXPECT_EQ(dimension_of("1 °C"), dimension_of("1 K"));
    EXPECT_EQ(dimension_of("1 Pa s"), (Dimension{.length = -1, .mass = 1, .time = -1}));
    EXPECT_EQ(dimension_of("1 W/(m K)"), (Dimension{.length = 1, .mass = 1, .time = -3, .temperature = -1}));
    EXPECT_EQ(dimension_of("1 m/m"), Dimension{});
    EXPECT_EQ(dimension_of("1"), Dimension{});
}

TEST(Quantity, prefixes_lose_no_digit)
{
    EXPECT_EQ(value_of("7 cm"), 0.07);
    EXPECT_EQ(value_of("0.7 cm"), 0.007);
    EXPECT_EQ(value_of("1.1 mm"), 0.0011);
    EXPECT_EQ(value_of("3e2 mm"), 0.3);
    EXPECT_EQ(value_of("3e-1 km"), 300.0);
    EXPECT_EQ(value_of("0.3 g/cm^3"), 300.0);
    EXPECT_EQ(value_of("1e-3 MPa"), 1000.0);
}

TEST(Quantity, all_prefixes_are_known)
{
    EXPECT_EQ(value_of("1 am"), 1e-18);
    EXPECT_EQ(value_of("1 fm"), 1e-15);
    EXPECT_EQ(value_of("1 pm"), 1e-12);
    EXPECT_EQ(value_of("1 nm"), 1e-9);
    EXPECT_EQ(value_of("1 um"), 1e-6);
    EXPECT_EQ(value_of("1 \u00b5m"), 1e-6);
    EXPECT_EQ(value_of("1 \u03bcm"), 1e-6);
    EXPECT_EQ(value_of("1 mm"), 1e-3);
    EXPECT_EQ(value_of("1 cm"), 1e-2);
    EXPECT_EQ(value_of("1 dm"), 1e-1);
    EXPECT_EQ(value_of("1 dam"), 1e1);
    EXPECT_EQ(value_of("1 hPa"), 1e2);
    EXPECT_EQ(value_of("1 kPa"), 1e3);
    EXPECT_EQ(value_of("1 MPa"), 1e6);
    EXPECT_EQ(value_of("1 GPa"), 1e9);
    EXPECT_EQ(value_of("1 TPa"), 1e12);
    EXPECT_EQ(value_of("1 PPa"), 1e15);
    EXPECT_EQ(value_of("1 EPa"), 1e18);
}

TEST(Quantity, numbers_are_written_in_many_ways)
{
    EXPECT_EQ(value_of("1cm"), 0.01);
    EXPECT_EQ(value_of("  1   cm  "), 0.01);
    EXPECT_EQ(value_of("-1.5e-2 m"), -0.015);
    EXPECT_EQ(value_of("+2 m"), 2.0);
    EXPECT_EQ(value_of("\u22122 m"), -2.0);
    EXPECT_EQ(value_of(".5 m"), 0.5);
    EXPECT_EQ(value_of("1E3 m"), 1000.0);
    EXPECT_EQ(value_of("1e3m"), 1000.0);
}

TEST(Quantity, factors_are_joined_by_spaces_stars_slashes_and_powers)
{
    EXPECT_EQ(dimension_of("1 kg*m/s^2"), dimension_of("1 N"));
    EXPECT_EQ(dimension_of("1 kg m s^-2"), dimension_of("1 N"));
    EXPECT_EQ(dimension_of("1 kg·m/s²"), dimension_of("1 N"));
    EXPECT_EQ(dimension_of("1 kg m s⁻²"), dimension_of("1 N"));
    EXPECT_EQ(dimension_of("1 kg m / s ^ 2"), dimension_of("1 N"));
    EXPECT_EQ(dimension_of("1 kg m/s/s"), dimension_of("1 N"));
    EXPECT_EQ(dimension_of("1 (kg m)/(s s)"), dimension_of("1 N"));
    EXPECT_EQ(dimension_of("1 kg (m/s)^2"), dimension_of("1 J"));
    EXPECT_EQ(dimension_of("1 W/m/K"), dimension_of("1 W/(m K)"));
    EXPECT_EQ(dimension_of("1 m^0"), Dimension{});
    EXPECT_EQ(value_of("1 cm²"), 1e-4);
    EXPECT_EQ(value_of("1 (cm^2)^-1"), 1e4);
    EXPECT_EQ(value_of("1 1/mm³"), 1e9);
    EXPECT_EQ(value_of("2 h^2"), 2.0 * 3600.0 * 3600.0);
    EXPECT_EQ(value_of("7200/h"), 2.0);
}

TEST(Quantity, a_second_factor_after_a_slash_shows_both_readings)
{
    EXPECT_EQ(error_of("0.6 W/m K"), "\"W/m K\" can be read in two ways, write \"W/(m K)\" or \"W K/m\"");
    EXPECT_EQ(error_of("0.6 W/m*K"), "\"W/m*K\" can be read in two ways, write \"W/(m K)\" or \"W K/m\"");
    EXPECT_EQ(error_of("0.6 W/m·K"), "\"W/m·K\" can be read in two ways, write \"W/(m K)\" or \"W K/m\"");
    EXPECT_EQ(error_of("4 kJ / kg K"),
              "\"kJ / kg K\" can be read in two ways, write \"kJ/(kg K)\" or \"kJ K/kg\"");
    EXPECT_EQ(error_of("1 kg m/s^2 K^-1"),
              "\"kg m/s^2 K^-1\" can be read in two ways, write \"kg m/(s^2 K^-1)\" or \"kg m K^-1/s^2\"");
    EXPECT_EQ(error_of("1 W/m/K s"),
              "\"W/m/K s\" can be read in two ways, write \"W/m/(K s)\" or \"W s/m/K\"");
    EXPECT_EQ(error_of("1/m K"), "\"/m K\" can be read in two ways, write \"/(m K)\" or \"K/m\"");
    EXPECT_EQ(error_of("1 (W/m K) s"), "\"W/m K\" can be read in two ways, write \"W/(m K)\" or \"W K/m\"");
    EXPECT_EQ(error_of("1 (W/m) K"), "no error");
}

TEST(Quantity, unknown_units_come_with_the_likely_one)
{
    EXPECT_EQ(error_of("1 cmm"), "unknown unit \"cmm\", did you mean \"cm\"? " + known_units);
    EXPECT_EQ(error_of("1 KG"), "unknown unit \"KG\", did you mean \"kg\"? " + known_units);
    EXPECT_EQ(error_of("1 PA"), "unknown unit \"PA\", did you mean \"Pa\"? " + known_units);
    EXPECT_EQ(error_of("20 C"), "unknown unit \"C\", did you mean \"°C\"? " + known_units);
    EXPECT_EQ(error_of("20 degC"), "unknown unit \"degC\", did you mean \"°C\"? " + known_units);
    EXPECT_EQ(error_of("20 °"), "unknown unit \"°\", did you mean \"deg\"? " + known_units);
    EXPECT_EQ(error_of("20 sec"), "unknown unit \"sec\", did you mean \"s\"? " + known_units);
    EXPECT_EQ(error_of("1 hr"), "unknown unit \"hr\", did you mean \"h\"? " + known_units);
    EXPECT_EQ(error_of("1 furlong"), "unknown unit \"furlong\", " + known_units);
    EXPECT_EQ(error_of("5 %"), "unknown unit \"%\", " + known_units);
    EXPECT_EQ(error_of("1 kmin"), "unknown unit \"kmin\", did you mean \"min\"? " + known_units);
    EXPECT_EQ(error_of("1 kkg"), "unknown unit \"kkg\", did you mean \"kg\"? " + known_units);
    EXPECT_EQ(error_of("1 m2"), "unknown unit \"m2\", did you mean \"m\"? " + known_units);
    EXPECT_EQ(error_of("1/2 m"), "unknown unit \"2\", " + known_units);
}

TEST(Quantity, degrees_celsius_stand_alone)
{
    const std::string alone = "°C stands alone, as in \"20 °C\"; within other units write K";
    EXPECT_EQ(error_of("1 W/(m °C)"), alone);
    EXPECT_EQ(error_of("1 °C/s"), alone);
    EXPECT_EQ(error_of("1 °C^2"), alone);
    EXPECT_EQ(error_of("1 (°C)"), alone);
    EXPECT_EQ(error_of("1 m°C"), "unknown unit \"m°C\", did you mean \"°C\"? " + known_units);
}

TEST(Quantity, what_cannot_be_read_is_quoted)
{
    EXPECT_EQ(error_of(""), "expected a number and a unit such as \"1 cm\", found \"\"");
    EXPECT_EQ(error_of("water"), "expected a number and a unit such as \"1 cm\", found \"water\"");
    EXPECT_EQ(error_of("--1 m"), "expected a number and a unit such as \"1 cm\", found \"--1 m\"");
    EXPECT_EQ(error_of("-+1 m"), "expected a number and a unit such as \"1 cm\", found \"-+1 m\"");
    EXPECT_EQ(error_of("nan m"), "expected a number and a unit such as \"1 cm\", found \"nan m\"");
    EXPECT_EQ(error_of("1,5 m"), "a comma in the number \"1,5 m\", write a point instead");
    EXPECT_EQ(error_of("1 m/"), "expected a unit at the end of \"m/\"");
    EXPECT_EQ(error_of("1 m//s"), "expected a unit, found \"/\" in \"m//s\"");
    EXPECT_EQ(error_of("1 m**s"), "expected a unit, found \"*\" in \"m**s\"");
    EXPECT_EQ(error_of("1 *m"), "expected a unit, found \"*\" in \"*m\"");
    EXPECT_EQ(error_of("1 (m"), "expected \")\" in the unit \"(m\"");
    EXPECT_EQ(error_of("1 m)"), "unexpected \")\" in the unit \"m)\"");
    EXPECT_EQ(error_of("1 ()"), "expected a unit, found \")\" in \"()\"");
    EXPECT_EQ(error_of("1 m^"), "expected a whole number as power in the unit \"m^\"");
    EXPECT_EQ(error_of("1 m^x"), "expected a whole number as power in the unit \"m^x\"");
    EXPECT_EQ(error_of("1 m^0.5"), "expected a whole number as power in the unit \"m^0.5\"");
    EXPECT_EQ(error_of("1 m⁻"), "expected a whole number as power in the unit \"m⁻\"");
    EXPECT_EQ(error_of("1 m^2^2"), "expected a unit, found \"^\" in \"m^2^2\"");
}

TEST(Quantity, everything_has_a_limit)
{
    EXPECT_EQ(error_of("1e999 m"), "\"1e999 m\" is too large");
    EXPECT_EQ(error_of("1e308 km"), "\"1e308 km\" is too large");
    EXPECT_EQ(value_of("1e309 mm"), 1e306);
    EXPECT_EQ(value_of("1e-999 m"), 0.0);
    EXPECT_EQ(value_of("0 km^99"), 0.0);
    const std::string powers = "the powers in the unit are too large, at most 99 is allowed";
    EXPECT_EQ(error_of("1 m^100"), powers);
    EXPECT_EQ(error_of("1 m^-100"), powers);
    EXPECT_EQ(error_of("1 m^99999999999999999999"), powers);
    EXPECT_EQ(error_of("1 (m^10)^10"), powers);
    EXPECT_EQ(error_of("1 m^60 m^60"), powers);
    EXPECT_EQ(error_of("1 " + std::string(200, 'm')),
              "too long for a quantity, at most 200 characters are allowed");
    EXPECT_EQ(error_of("1 " + std::string(90, '(') + "m" + std::string(90, ')')), "no error");
}

TEST(Quantity, a_wrong_dimension_names_the_one_expected)
{
    EXPECT_EQ(error_of("3 s", "m"), "expected a length such as \"1 cm\", found a time");
    EXPECT_EQ(error_of("3", "m"), "expected a length such as \"1 cm\", found a number without a unit");
    EXPECT_EQ(error_of("3 m", "1"), "expected a number, found a length");
    EXPECT_EQ(error_of("30 deg", "1"), "expected a number, found an angle");
    EXPECT_EQ(error_of("2 m", "rad"), "expected an angle such as \"30 deg\", found a length");
    EXPECT_EQ(error_of("2 Hz", "rad/s"),
              "expected an angular velocity such as \"60 rpm\", found a frequency");
    EXPECT_EQ(error_of("2 rpm", "Hz"), "expected a frequency such as \"30 Hz\", found an angular velocity");
    EXPECT_EQ(error_of("2 m", "N m"), "expected a torque such as \"1 N m\", found a length");
    EXPECT_EQ(error_of("2 m", "J"), "expected an energy such as \"1 J\", found a length");
    EXPECT_EQ(error_of("2 m", "kg m/s^2"), "expected a force such as \"1 N\", found a length");
    EXPECT_EQ(error_of("2 m", "kg/m^4"), "expected a quantity such as \"1 kg/m^4\", found a length");
    EXPECT_EQ(error_of("2 kg/(m s^4)", "m"),
              "expected a length such as \"1 cm\", found a quantity in kg/(m s^4)");
    EXPECT_EQ(error_of("2 1/m", "m"), "expected a length such as \"1 cm\", found a quantity in 1/m");
    EXPECT_EQ(error_of("2 kg^2 m", "m"), "expected a length such as \"1 cm\", found a quantity in kg^2 m");
    EXPECT_EQ(parse_quantity_in("2 cm", "m"), 0.02);
    EXPECT_EQ(error_of("fast", "s"), "expected a time such as \"1 s\", found \"fast\"");
    EXPECT_EQ(error_of("-", "1"), "expected a number, found \"-\"");
    EXPECT_EQ(parse_quantity_in("60 rpm", "rad/s"), 2.0 * std::numbers::pi);
    EXPECT_EQ(parse_quantity_in("30/s", "Hz"), 30.0);
    EXPECT_EQ(parse_quantity_in("0.3", "1"), 0.3);
}

TEST(Quantity, a_hint_explains_a_likely_mistake)
{
    const UnitHint hint = {.unit = "m^2/s", .text = "viscosity is dynamic, multiply by the density"};
    EXPECT_EQ(error_of("1 mm^2/s", "Pa s", hint), "expected a dynamic viscosity such as \"1 mPa s\", found a "
                                                  "kinematic viscosity; viscosity is dynamic, "
                                                  "multiply by the density");
    EXPECT_EQ(error_of("1 mm", "Pa s", hint),
              "expected a dynamic viscosity such as \"1 mPa s\", found a length");
    EXPECT_EQ(parse_quantity_in("1 mPa s", "Pa s", hint), 0.001);
}

TEST(Quantity, values_are_written_in_a_unit)
{
    EXPECT_EQ(format_quantity(0.0123, "cm"), "1.23 cm");
    EXPECT_EQ(format_quantity(0.07, "cm"), "7 cm");
    EXPECT_EQ(format_quantity(293.15, "°C"), "20 °C");
    EXPECT_EQ(format_quantity(0.002, "mPa s"), "2 mPa s");
    EXPECT_EQ(format_quantity(std::numbers::pi, "deg"), "180 deg");
    EXPECT_EQ(format_quantity(-9.81, "m/s^2"), "-9.81 m/s^2");
    EXPECT_EQ(format_quantity(1e-6, "1"), "1e-06");
    EXPECT_EQ(format_quantity(1.0 / 3.0, "m"), "0.333333 m");
    EXPECT_EQ(format_quantity(123456789.0, "1"), "123456789");
}

} // namespace
} // namespace phyxel::quantity_test
