// SPDX-License-Identifier: MIT
#include <phyxel/scene/quantity.h>

#include <phyxel/core/assert.h>
#include <phyxel/core/nearest_word.h>
#include <phyxel/core/number_text.h>
#include <phyxel/scene/scene_error.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <numbers>
#include <optional>
#include <vector>

namespace phyxel {
namespace {

constexpr std::size_t max_length = 200;
constexpr int max_exponent = 99; ///< of a dimension; far beyond physics, far below overflow
constexpr int max_power = 4000;
constexpr std::string_view spaces = " \t\n\r";
constexpr std::string_view celsius = "°C";

struct NamedUnit {
    std::string_view name;
    bool has_prefixes;
    Unit unit;
};

// Exponents of m, kg, s, K, rad.
constexpr std::array<NamedUnit, 19> named_units = {{
    {"m", true, {.dimension = {1}}},
    {"g", true, {.power = -3, .dimension = {0, 1}}},
    {"s", true, {.dimension = {0, 0, 1}}},
    {"K", true, {.dimension = {0, 0, 0, 1}}},
    {"rad", true, {.dimension = {0, 0, 0, 0, 1}}},
    {"Hz", true, {.dimension = {0, 0, -1}}},
    {"N", true, {.dimension = {1, 1, -2}}},
    {"Pa", true, {.dimension = {-1, 1, -2}}},
    {"J", true, {.dimension = {2, 1, -2}}},
    {"W", true, {.dimension = {2, 1, -3}}},
    {"l", true, {.power = -3, .dimension = {3}}},
    {"L", true, {.power = -3, .dimension = {3}}},
    {"bar", true, {.power = 5, .dimension = {-1, 1, -2}}},
    {"min", false, {.factor = 60.0, .dimension = {0, 0, 1}}},
    {"h", false, {.factor = 3600.0, .dimension = {0, 0, 1}}},
    {"deg", false, {.factor = std::numbers::pi, .divisor = 180.0, .dimension = {0, 0, 0, 0, 1}}},
    {"rpm", false, {.factor = std::numbers::pi, .divisor = 30.0, .dimension = {0, 0, -1, 0, 1}}},
    {celsius, false, {.offset = 273.15, .dimension = {0, 0, 0, 1}}},
    {"1", false, {}},
}};

struct Prefix {
    std::string_view name;
    int power;
};

// The micro sign, the Greek letter that looks like it, and what stands for both on most keyboards.
constexpr std::array<Prefix, 18> prefixes = {{
    {"a", -18},
    {"f", -15},
    {"p", -12},
    {"n", -9},
    {"\u00b5", -6},
    {"\u03bc", -6},
    {"u", -6},
    {"m", -3},
    {"c", -2},
    {"d", -1},
    {"da", 1},
    {"h", 2},
    {"k", 3},
    {"M", 6},
    {"G", 9},
    {"T", 12},
    {"P", 15},
    {"E", 18},
}};

// What a wrong name most likely stands for.
constexpr std::array<std::array<std::string_view, 2>, 5> frequent_mistakes = {
    {{"C", celsius}, {"degC", celsius}, {"°", "deg"}, {"sec", "s"}, {"hr", "h"}}};
constexpr std::array<std::string_view, 31> usual_units = {
    "m",   "cm",  "mm",  "km",  "g", "kg", "mg", "s",  "ms", "K",  "rad", "Hz",  "kHz", "N",   "kN",   "Pa",
    "kPa", "MPa", "GPa", "mPa", "J", "kJ", "W",  "kW", "l",  "ml", "bar", "min", "deg", "rpm", celsius};

/// Kinds of quantities that have a word, with an example; the first that fits in its dimension is used, but
/// a unit of exactly this spelling comes before all others.
struct NamedKind {
    std::string_view unit;
    std::string_view name;
    std::string_view example;
};
constexpr std::array<NamedKind, 30> named_kinds = {{
    {"1", "a number", ""},
    {"m", "a length", "1 cm"},
    {"m^2", "an area", "1 cm^2"},
    {"m^3", "a volume", "1 l"},
    {"kg", "a mass", "1 kg"},
    {"s", "a time", "1 s"},
    {"K", "a temperature", "20 °C"},
    {"rad", "an angle", "30 deg"},
    {"Hz", "a frequency", "30 Hz"},
    {"rad/s", "an angular velocity", "60 rpm"},
    {"m/s", "a velocity", "1 m/s"},
    {"m/s^2", "an acceleration", "9.81 m/s^2"},
    {"kg/m^3", "a density", "1000 kg/m^3"},
    {"kg/m^2", "a mass per area", "1 kg/m^2"},
    {"kg/s", "a mass per time", "1 kg/s"},
    {"m^3/s", "a flow rate", "1 l/s"},
    {"kg m/s", "a momentum", "1 kg m/s"},
    {"N", "a force", "1 N"},
    {"N/m", "a force per length", "1 N/m"},
    {"N/m^3", "a force per volume", "1 N/m^3"},
    {"Pa", "a pressure", "1 kPa"},
    {"J", "an energy", "1 J"},
    {"N m", "a torque", "1 N m"},
    {"W", "a power", "1 W"},
    {"Pa s", "a dynamic viscosity", "1 mPa s"},
    {"m^2/s", "a kinematic viscosity", "1 mm^2/s"},
    {"J/kg", "an energy per mass", "334 kJ/kg"},
    {"J/(kg K)", "a specific heat", "4.2 kJ/(kg K)"},
    {"W/(m K)", "a thermal conductivity", "0.6 W/(m K)"},
    {"1/K", "a thermal expansion", "1e-5 1/K"},
}};

std::string_view trimmed(std::string_view text)
{
    const std::size_t begin = text.find_first_not_of(spaces);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(spaces) + 1 - begin);
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// ⁰ … ⁹ as 0 … 9 and ⁻ as −1, with the number of bytes.
struct Superscript {
    int value;
    std::size_t length;
};
std::optional<Superscript> superscript_at(std::string_view text)
{
    constexpr std::array<std::string_view, 10> digits = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    if (text.starts_with("⁻")) return Superscript{-1, std::string_view("⁻").size()};
    for (std::size_t k = 0; k < digits.size(); ++k)
        if (text.starts_with(digits[k])) return Superscript{static_cast<int>(k), digits[k].size()};
    return std::nullopt;
}

[[noreturn]] void refuse_unknown_unit(std::string_view name)
{
    std::string remedy;
    for (const auto& [wrong, right] : frequent_mistakes)
        if (name == wrong) remedy = "did you mean " + in_quotes(right) + "? ";
    if (remedy.empty()) remedy = suggestion(name, usual_units);
    throw InputError(
        "unknown unit " + in_quotes(name) + ", " + remedy +
        "known: m, g, s, K, rad, deg, rpm, Hz, N, Pa, J, W, l, bar, min, h, °C, with SI prefixes");
}

Unit unit_named(std::string_view name)
{
    for (const NamedUnit& known : named_units)
        if (name == known.name) return known.unit;
    for (const NamedUnit& known : named_units) {
        if (!known.has_prefixes || !name.ends_with(known.name)) continue;
        const std::string_view front = name.substr(0, name.size() - known.name.size());
        for (const Prefix& prefix : prefixes) {
            if (front != prefix.name) continue;
            Unit unit = known.unit;
            unit.power += prefix.power;
            return unit;
        }
    }
    refuse_unknown_unit(name);
}

void check_range(const Unit& unit)
{
    const Dimension& d = unit.dimension;
    const bool is_in_range = std::abs(unit.power) <= max_power &&
                             std::max({std::abs(d.length), std::abs(d.mass), std::abs(d.time),
                                       std::abs(d.temperature), std::abs(d.angle)}) <= max_exponent;
    if (!is_in_range) throw InputError("the powers in the unit are too large, at most 99 is allowed");
}

/// a · b^exponent. Offsets do not take part: °C never comes here.
Unit product(const Unit& a, const Unit& b, int exponent)
{
    Unit result = a;
    result.power += exponent * b.power;
    for (int k = 0; k < std::abs(exponent); ++k) {
        result.factor *= exponent > 0 ? b.factor : b.divisor;
        result.divisor *= exponent > 0 ? b.divisor : b.factor;
    }
    result.dimension.length += exponent * b.dimension.length;
    result.dimension.mass += exponent * b.dimension.mass;
    result.dimension.time += exponent * b.dimension.time;
    result.dimension.temperature += exponent * b.dimension.temperature;
    result.dimension.angle += exponent * b.dimension.angle;
    check_range(result);
    return result;
}

/// Recursive descent. A text is at most `max_length` long, which bounds the depth.
class UnitParser {
public:
    explicit UnitParser(std::string_view text) : text_(text) {}

    Unit parse()
    {
        const Unit unit = expression();
        if (!rest().empty())
            throw InputError("unexpected " + in_quotes(next()) + " in the unit " + in_quotes(text_));
        return unit;
    }

private:
    std::string_view rest() const { return text_.substr(at_); }

    std::string_view next() const
    {
        std::size_t length = 1;
        while (at_ + length < text_.size() &&
               (static_cast<unsigned char>(text_[at_ + length]) & 0xc0) == 0x80)
            ++length;
        return text_.substr(at_, length);
    }

    void skip_spaces() { at_ = std::min(text_.find_first_not_of(spaces, at_), text_.size()); }

    bool take(std::string_view sign)
    {
        skip_spaces();
        if (!rest().starts_with(sign)) return false;
        at_ += sign.size();
        return true;
    }

    Unit expression()
    {
        skip_spaces();
        const std::size_t begin = at_;
        // "/s" is short for "1/s".
        Unit unit = rest().starts_with('/') ? Unit{} : factor();
        constexpr std::size_t none = std::string_view::npos;
        std::size_t first_slash = none, last_slash = none, divisor_end = 0;
        while (true) {
            skip_spaces();
            const std::size_t here = at_;
            if (take("/")) {
                if (first_slash == none) first_slash = here;
                last_slash = here;
                unit = product(unit, factor(), -1);
                divisor_end = at_;
            } else if (rest().empty() || rest().starts_with(')')) {
                return unit;
            } else {
                if (!take("*")) take("·");
                const std::size_t second = at_;
                const Unit another = factor();
                if (last_slash != none) {
                    refuse_two_readings(piece(begin, at_), piece(begin, first_slash),
                                        piece(first_slash, last_slash), piece(last_slash + 1, divisor_end),
                                        piece(second, at_));
                }
                unit = product(unit, another, 1);
            }
        }
    }

    std::string piece(std::size_t begin, std::size_t end) const
    {
        return std::string(trimmed(text_.substr(begin, end - begin)));
    }

    /// `W/m K`: what follows the last divisor may belong below the line or above it.
    [[noreturn]] static void refuse_two_readings(const std::string& whole, const std::string& above,
                                                 const std::string& divisors, const std::string& last_divisor,
                                                 const std::string& second)
    {
        throw InputError(
            in_quotes(whole) + " can be read in two ways, write " +
            in_quotes(above + divisors + "/(" + last_divisor + ' ' + second + ')') + " or " +
            in_quotes(above + (above.empty() ? "" : " ") + second + divisors + '/' + last_divisor));
    }

    Unit factor()
    {
        skip_spaces();
        Unit unit;
        if (take("(")) {
            unit = expression();
            if (!take(")")) throw InputError("expected \")\" in the unit " + in_quotes(text_));
        } else {
            const std::string_view word = name();
            if (word.empty()) {
                throw InputError(rest().empty() ? "expected a unit at the end of " + in_quotes(text_)
                                                : "expected a unit, found " + in_quotes(next()) + " in " +
                                                      in_quotes(text_));
            }
            if (word == celsius)
                throw InputError("°C stands alone, as in \"20 °C\"; within other units write K");
            unit = unit_named(word);
        }
        return product({}, unit, exponent());
    }

    /// Letters, signs such as ° and µ, and digits behind them; or digits alone.
    std::string_view name()
    {
        const std::size_t begin = at_;
        while (at_ < text_.size() &&
               std::string_view(" \t\n\r*/^()").find(text_[at_]) == std::string_view::npos &&
               !rest().starts_with("·") && !superscript_at(rest()))
            ++at_;
        return text_.substr(begin, at_ - begin);
    }

    int exponent()
    {
        if (const auto first = superscript_at(rest())) {
            const bool is_negative = first->value < 0;
            if (is_negative) at_ += first->length;
            int value = 0;
            bool has_digits = false;
            while (const auto digit = superscript_at(rest())) {
                if (digit->value < 0) break;
                value = std::min(10 * value + digit->value, max_exponent + 1);
                has_digits = true;
                at_ += digit->length;
            }
            return checked_exponent(has_digits, is_negative ? -value : value);
        }
        if (!take("^")) return 1;
        skip_spaces();
        const bool is_negative = take("-");
        int value = 0;
        bool has_digits = false;
        for (; !rest().empty() && is_digit(rest().front()); ++at_) {
            value = std::min(10 * value + (rest().front() - '0'), max_exponent + 1);
            has_digits = true;
        }
        return checked_exponent(has_digits, is_negative ? -value : value);
    }

    int checked_exponent(bool has_digits, int value) const
    {
        if (!has_digits || rest().starts_with('.'))
            throw InputError("expected a whole number as power in the unit " + in_quotes(text_));
        if (std::abs(value) > max_exponent)
            throw InputError("the powers in the unit are too large, at most 99 is allowed");
        return value;
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

void check_length(std::string_view text)
{
    if (text.size() > max_length)
        throw InputError("too long for a quantity, at most " + std::to_string(max_length) +
                         " characters are allowed");
}

/// The number that `number` writes, times 10^power and without rounding in between: the power is added to the
/// exponent in the text.
double scaled_number(std::string_view number, int power)
{
    const std::size_t mantissa_end = std::min(number.find_first_of("eE"), number.size());
    std::string text(number.substr(0, mantissa_end));
    long exponent = power;
    if (mantissa_end < number.size()) {
        const std::string digits(number.substr(mantissa_end + 1));
        exponent += std::clamp(std::strtol(digits.c_str(), nullptr, 10), -1'000'000L, 1'000'000L);
    }
    text += 'e' + std::to_string(exponent);
    return read_number(text).value;
}

struct UnsignedText {
    bool is_negative;
    std::string_view rest;
};
UnsignedText without_sign(std::string_view text)
{
    constexpr std::string_view minus = "\u2212";
    std::string_view rest = trimmed(text);
    const bool is_negative = rest.starts_with('-') || rest.starts_with(minus);
    if (is_negative)
        rest.remove_prefix(rest.starts_with('-') ? 1 : minus.size());
    else if (rest.starts_with('+'))
        rest.remove_prefix(1);
    return {is_negative, rest};
}

const NamedKind* kind_spelled(std::string_view unit)
{
    const auto kind = std::find_if(named_kinds.begin(), named_kinds.end(),
                                   [&](const NamedKind& k) { return k.unit == unit; });
    return kind == named_kinds.end() ? nullptr : &*kind;
}

const NamedKind* kind_of(const Dimension& dimension)
{
    const auto kind = std::find_if(named_kinds.begin(), named_kinds.end(), [&](const NamedKind& k) {
        return parse_unit(k.unit).dimension == dimension;
    });
    return kind == named_kinds.end() ? nullptr : &*kind;
}

/// In base units, such as kg/(m s^2).
std::string base_unit_text(const Dimension& dimension)
{
    const std::array<std::pair<std::string_view, int>, 5> bases = {{{"kg", dimension.mass},
                                                                    {"m", dimension.length},
                                                                    {"s", dimension.time},
                                                                    {"K", dimension.temperature},
                                                                    {"rad", dimension.angle}}};
    std::string above, below;
    int below_count = 0;
    for (const auto& [name, exponent] : bases) {
        if (exponent == 0) continue;
        std::string& side = exponent > 0 ? above : below;
        below_count += exponent < 0;
        if (!side.empty()) side += ' ';
        side += name;
        if (std::abs(exponent) > 1) side += '^' + std::to_string(std::abs(exponent));
    }
    if (above.empty()) above = "1";
    if (below_count == 0) return above;
    return above + '/' + (below_count > 1 ? '(' + below + ')' : below);
}

} // namespace

double Unit::scale() const { return scaled_number("1", power) * factor / divisor; }

Unit parse_unit(std::string_view text)
{
    check_length(text);
    const std::string_view unit = trimmed(text);
    if (unit == celsius) return unit_named(celsius);
    return UnitParser(unit).parse();
}

Quantity parse_quantity(std::string_view text)
{
    check_length(text);
    const auto [is_negative, rest] = without_sign(text);
    const NumberPrefix number = read_number(rest);
    if (number.length == 0)
        throw InputError("expected a number and a unit such as \"1 cm\", found " + in_quotes(text));

    const std::string_view unit_text = trimmed(rest.substr(number.length));
    if (unit_text.size() > 1 && unit_text.front() == ',' && is_digit(unit_text[1]))
        throw InputError("a comma in the number " + in_quotes(trimmed(text)) + ", write a point instead");
    const Unit unit = unit_text.empty() ? Unit{} : parse_unit(unit_text);
    // With a few more bits in between, 60 rpm are 2π rad/s and not the number beside it.
    const long double scaled = scaled_number(rest.substr(0, number.length), unit.power);
    const auto size = static_cast<double>(scaled * unit.factor / unit.divisor);
    const double value = (is_negative ? -size : size) + unit.offset;
    if (!std::isfinite(value)) throw InputError(in_quotes(trimmed(text)) + " is too large");
    return {value, unit.dimension, !unit_text.empty()};
}

double parse_quantity_in(std::string_view text, std::string_view unit, UnitHint hint)
{
    const Unit expected = parse_unit(unit);
    PHYXEL_ASSERT(expected.power == 0 && expected.factor == expected.divisor && expected.offset == 0.0);
    check_length(text);
    if (read_number(without_sign(text).rest).length == 0)
        throw InputError("expected " + expected_quantity(unit) + ", found " + in_quotes(text));
    const Quantity quantity = parse_quantity(text);
    if (quantity.dimension == expected.dimension) return quantity.value;
    const bool is_hinted = !hint.unit.empty() && parse_unit(hint.unit).dimension == quantity.dimension;
    throw InputError("expected " + expected_quantity(unit) + ", found " +
                     (quantity.has_unit ? dimension_name(quantity.dimension) : "a number without a unit") +
                     (is_hinted ? "; " + std::string(hint.text) : ""));
}

std::string expected_quantity(std::string_view unit)
{
    const Dimension dimension = parse_unit(unit).dimension;
    const NamedKind* kind = kind_spelled(unit);
    if (kind == nullptr) kind = kind_of(dimension);
    if (kind == nullptr) return "a quantity such as " + in_quotes("1 " + std::string(unit));
    return std::string(kind->name) + (kind->example.empty() ? "" : " such as " + in_quotes(kind->example));
}

std::string dimension_name(const Dimension& dimension)
{
    const NamedKind* kind = kind_of(dimension);
    return kind != nullptr ? std::string(kind->name) : "a quantity in " + base_unit_text(dimension);
}

std::string format_quantity(double value, std::string_view unit)
{
    const Unit parsed = parse_unit(unit);
    const double in_unit = (value - parsed.offset) / parsed.scale();
    // Counts are exact; what has been measured has no more than six digits.
    const std::string number =
        in_unit == std::floor(in_unit) ? number_text(in_unit) : number_text(in_unit, 6);
    return unit == "1" ? number : number + ' ' + std::string(unit);
}

} // namespace phyxel
