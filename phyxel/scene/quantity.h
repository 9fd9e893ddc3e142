// SPDX-License-Identifier: MIT
// Quantities as a user writes them: a number with a unit, such as "2 mPa s" or "9.81 m/s^2".
#pragma once

#include <phyxel/core/error.h>

#include <string>
#include <string_view>

namespace phyxel {

/// What a quantity measures: the exponents of metre, kilogram, second, kelvin and radian. Angles are counted,
/// although SI takes them for plain numbers, so that 2 Hz are not mistaken for 2 rad/s.
struct Dimension {
    int length = 0;
    int mass = 0;
    int time = 0;
    int temperature = 0;
    int angle = 0;

    bool operator==(const Dimension&) const = default;
};

/// A unit in terms of SI: a value of v is (v · 10^power · factor / divisor + offset) in base units. The parts
/// of the scale are kept apart so that "7 cm" is exactly the double 0.07, and "36 km/h" exactly 10.
struct Unit {
    int power = 0;
    double factor = 1.0;
    double divisor = 1.0;
    double offset = 0.0;
    Dimension dimension = {};

    double scale() const; ///< 10^power · factor / divisor
};

/// Reads a unit:
///
///     unit   = factor { [ "*" | "·" | "/" ] factor }             a space is a product too
///     factor = ( name | "(" unit ")" | "1" ) [ "^" integer | superscripts ]
///
/// Names are m, g, s, K, rad, Hz, N, Pa, J, W, l or L, bar with an SI prefix (a f p n µ m c d da h k M G T P
/// E; µ may be written u), and min, h, deg, rpm, °C without. °C is the only unit with an offset and stands
/// alone. Case matters. After a "/" a second factor needs brackets or another "/": "W/m K" is an error that
/// shows both readings. Throws InputError.
Unit parse_unit(std::string_view text);

/// A quantity in base units of SI.
struct Quantity {
    double value = 0.0;
    Dimension dimension = {};
    bool has_unit = false;
};

/// Reads a number and a unit, which may be absent: "1 cm", "-2.5e-3 m/s", "20 °C", "30/s". Throws InputError.
Quantity parse_quantity(std::string_view text);

/// What to say about a quantity of the wrong kind that people are likely to give.
struct UnitHint {
    std::string_view unit = {}; ///< any unit of that kind, such as "m^2/s"
    std::string_view text = {}; ///< such as "viscosity is dynamic, multiply by the density"
};

/// The value of a text that must measure the same as `unit`, which is a unit without a factor such as "m/s".
/// Throws InputError: `expected a length such as "1 cm", found a time`.
double parse_quantity_in(std::string_view text, std::string_view unit, UnitHint hint = {});

/// What is expected for a unit: `a length such as "1 cm"`, `a number`.
std::string expected_quantity(std::string_view unit);

/// What something measures: `a length`, `a number`; `a quantity in kg/(m s^4)` where there is no word for it.
std::string dimension_name(const Dimension& dimension);

/// A value in base units, written in a unit and rounded for people: 0.0123 in "cm" is `1.23 cm`.
std::string format_quantity(double value, std::string_view unit);

} // namespace phyxel
