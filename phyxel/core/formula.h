// SPDX-License-Identifier: MIT
// Formulas in x, y, z and t that a user writes: parsed once, evaluated for every particle.
#pragma once

#include <phyxel/core/error.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace phyxel {

/// A formula that cannot be read; the message names the column.
class FormulaError : public InputError {
public:
    FormulaError(std::size_t column, const std::string& what) : InputError(what), column_(column) {}

    /// In characters, counted from 1, in the text as it was given.
    std::size_t column() const { return column_; }

private:
    std::size_t column_;
};

/// A function of place and time, or just a number.
///
///     sum     = product { ("+" | "-") product }
///     product = sign { ("*" | "/") sign }
///     sign    = { "+" | "-" } power
///     power   = atom [ "^" sign ]                      so −2^2 = −4, 2^3^2 = 2^9, 2^-1 = ½
///     atom    = number | x | y | z | t | pi | "(" sum ")" | function "(" sum { "," sum } ")"
///
/// Functions are sin, cos, tan, exp, log (natural), sqrt, abs, and min and max of two arguments. The minus
/// sign U+2212 is one too. Values follow IEEE arithmetic and may be infinite or not a number.
class Formula {
public:
    static constexpr std::size_t max_length = 4096;
    static constexpr std::size_t max_nesting = 64;

    /// The same number everywhere.
    Formula(double number = 0.0);

    /// Reads `= 0.1*sin(4*pi*y)`, with or without the sign `=` at the front. Throws FormulaError.
    explicit Formula(std::string_view text);

    double evaluate(double x, double y, double z, double t) const;

    /// Whether the value can depend on 'x', 'y', 'z' or 't'.
    bool uses(char variable) const;

    /// Whether it was made from a number rather than from text.
    bool is_number() const { return text_.empty(); }

    /// The formula as it was written, without the sign `=` and the spaces around; empty for a number.
    const std::string& text() const { return text_; }

    bool operator==(const Formula& other) const;

private:
    enum class Variable : std::uint8_t { X, Y, Z, T };
    using Unary = double (*)(double);
    using Binary = double (*)(double, double);
    /// Of a stack machine: a number or variable is put on the stack, a function takes its arguments from it.
    using Instruction = std::variant<double, Variable, Unary, Binary>;
    struct Parser;

    std::string text_;
    std::vector<Instruction> program_;
};

} // namespace phyxel
