// SPDX-License-Identifier: MIT
#include <phyxel/core/formula.h>

#include <phyxel/core/assert.h>
#include <phyxel/core/nearest_word.h>
#include <phyxel/core/number_text.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

namespace phyxel {
namespace {

constexpr std::string_view spaces = " \t\r\n";
constexpr std::string_view minus_sign = "\u2212";

constexpr std::array<std::string_view, 14> known_names = {"x",   "y",   "z",   "t",    "pi",  "sin", "cos",
                                                          "tan", "exp", "log", "sqrt", "abs", "min", "max"};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

std::size_t name_length(std::string_view text)
{
    std::size_t length = 0;
    while (length < text.size() && (is_letter(text[length]) || is_digit(text[length]))) ++length;
    return length;
}

double negate(double a) { return -a; }
double add(double a, double b) { return a + b; }
double subtract(double a, double b) { return a - b; }
double multiply(double a, double b) { return a * b; }
double divide(double a, double b) { return a / b; }
double power_of(double a, double b) { return std::pow(a, b); }

// Unlike std::min and std::max these never lose a value that is not a number.
double smaller(double a, double b) { return std::isnan(a) || std::isnan(b) ? a + b : std::min(a, b); }
double larger(double a, double b) { return std::isnan(a) || std::isnan(b) ? a + b : std::max(a, b); }

struct UnaryName {
    std::string_view name;
    double (*function)(double);
};
const std::array<UnaryName, 7> unary_functions = {{
    {"sin", [](double a) { return std::sin(a); }},
    {"cos", [](double a) { return std::cos(a); }},
    {"tan", [](double a) { return std::tan(a); }},
    {"exp", [](double a) { return std::exp(a); }},
    {"log", [](double a) { return std::log(a); }},
    {"sqrt", [](double a) { return std::sqrt(a); }},
    {"abs", [](double a) { return std::abs(a); }},
}};

struct BinaryName {
    std::string_view name;
    double (*function)(double, double);
};
const std::array<BinaryName, 2> binary_functions = {{{"min", smaller}, {"max", larger}}};

template <class Table>
auto* find_name(const Table& functions, std::string_view name)
{
    const auto found = std::find_if(functions.begin(), functions.end(),
                                    [&](const auto& function) { return function.name == name; });
    return found == functions.end() ? nullptr : &*found;
}

constexpr std::string_view variables = "xyzt";

// A level holds at most three values while a deeper one is worked out, as 1, 2 and 3 in 1 + 2*min(3, …).
constexpr std::size_t max_stack = 3 * Formula::max_nesting + 1;

} // namespace

/// Recursive descent that writes the program as it goes.
struct Formula::Parser {
    std::string_view text;
    std::size_t at = 0;
    std::vector<Instruction> program = {};
    std::size_t nesting = 0;

    [[noreturn]] void fail(std::size_t position, const std::string& what) const
    {
        const std::string_view before = text.substr(0, position);
        const auto column = static_cast<std::size_t>(
            1 + std::count_if(before.begin(), before.end(), [](char c) { return !is_continuation(c); }));
        throw FormulaError(column, "column " + std::to_string(column) + " of the formula: " + what);
    }

    /// What stands here, for messages: a whole word or one character.
    std::string found() const
    {
        if (at >= text.size()) return "found the end";
        std::size_t length = name_length(text.substr(at));
        if (length == 0) {
            length = 1;
            while (at + length < text.size() && is_continuation(text[at + length])) ++length;
        }
        return "found \"" + std::string(text.substr(at, length)) + '"';
    }

    void skip_spaces() { at = std::min(text.find_first_not_of(spaces, at), text.size()); }

    bool take(std::string_view sign)
    {
        if (!text.substr(at).starts_with(sign)) return false;
        at += sign.size();
        skip_spaces();
        return true;
    }

    bool take_minus() { return take("-") || take(minus_sign); }

    [[noreturn]] void fail_nesting() const
    {
        fail(at, "nested too deeply, at most " + std::to_string(max_nesting) + " levels are allowed");
    }

    void sum()
    {
        product();
        while (true) {
            if (take("+")) {
                product();
                program.emplace_back(Binary(add));
            } else if (take_minus()) {
                product();
                program.emplace_back(Binary(subtract));
            } else {
                return;
            }
        }
    }

    void product()
    {
        sign();
        while (true) {
            if (take("*")) {
                sign();
                program.emplace_back(Binary(multiply));
            } else if (take("/")) {
                sign();
                program.emplace_back(Binary(divide));
            } else {
                return;
            }
        }
    }

    // Every way to go deeper leads through here, so this is where levels are counted.
    void sign()
    {
        if (++nesting > max_nesting) fail_nesting();
        if (take_minus()) {
            sign();
            program.emplace_back(Unary(negate));
        } else if (take("+")) {
            sign();
        } else {
            power();
        }
        --nesting;
    }

    void power()
    {
        atom();
        if (take("^")) {
            sign();
            program.emplace_back(Binary(power_of));
        }
    }

    void atom()
    {
        const std::size_t begin = at;
        if (take("(")) {
            sum();
            close("\")\" or an operator");
        } else if (at < text.size() && is_letter(text[at])) {
            const std::string_view name = text.substr(at, name_length(text.substr(at)));
            at += name.size();
            skip_spaces();
            named(name, begin);
        } else if (const NumberPrefix number = read_number(text.substr(at)); number.length > 0) {
            if (std::isinf(number.value))
                fail(at, std::string(text.substr(at, number.length)) +
                             " is too large, the largest number is about 1.8e308");
            at += number.length;
            skip_spaces();
            program.emplace_back(number.value);
        } else {
            fail(at, "expected a number, a variable, a function or \"(\", " + found());
        }
    }

    void close(const std::string& expected)
    {
        if (!take(")")) fail(at, "expected " + expected + ", " + found());
    }

    void named(std::string_view name, std::size_t begin)
    {
        if (name == "pi") {
            program.emplace_back(std::numbers::pi);
        } else if (name.size() == 1 && variables.find(name) != std::string_view::npos) {
            program.emplace_back(static_cast<Variable>(variables.find(name)));
        } else if (const UnaryName* unary = find_name(unary_functions, name)) {
            open(name);
            sum();
            close("\")\" after the argument of " + std::string(name));
            program.emplace_back(unary->function);
        } else if (const BinaryName* binary = find_name(binary_functions, name)) {
            open(name);
            sum();
            if (!take(","))
                fail(at, "expected \",\" and the second argument of " + std::string(name) + ", " + found());
            sum();
            close("\")\" after the second argument of " + std::string(name));
            program.emplace_back(binary->function);
        } else {
            fail(begin, "unknown name \"" + std::string(name) + "\", " + suggestion(name, known_names) +
                            "known: " + word_list(known_names));
        }
    }

    void open(std::string_view name)
    {
        if (!take("(")) fail(at, "expected \"(\" after " + std::string(name) + ", " + found());
    }
};

Formula::Formula(double number) : program_{number} {}

Formula::Formula(std::string_view text)
{
    Parser parser{.text = text};
    if (text.size() > max_length)
        parser.fail(max_length,
                    "too long, at most " + std::to_string(max_length) + " characters are allowed");
    parser.skip_spaces();
    parser.take("=");
    const std::size_t begin = parser.at;
    parser.sum();
    if (parser.at < text.size()) parser.fail(parser.at, "expected an operator or the end, " + parser.found());

    text_ = text.substr(begin);
    text_.erase(text_.find_last_not_of(spaces) + 1);
    program_ = std::move(parser.program);
}

double Formula::evaluate(double x, double y, double z, double t) const
{
    const std::array<double, 4> values = {x, y, z, t};
    std::array<double, max_stack> stack; // not filled: only what lies below `top` is ever read
    std::size_t top = 0;
    for (const Instruction& instruction : program_) {
        PHYXEL_ASSERT(top < max_stack);
        if (const double* number = std::get_if<double>(&instruction)) {
            stack[top++] = *number;
        } else if (const Variable* variable = std::get_if<Variable>(&instruction)) {
            stack[top++] = values[static_cast<std::size_t>(*variable)];
        } else if (const Unary* unary = std::get_if<Unary>(&instruction)) {
            stack[top - 1] = (*unary)(stack[top - 1]);
        } else {
            --top;
            stack[top - 1] = (*std::get_if<Binary>(&instruction))(stack[top - 1], stack[top]);
        }
    }
    PHYXEL_ASSERT(top == 1);
    return stack[0];
}

bool Formula::uses(char variable) const
{
    const std::size_t number = variables.find(variable);
    PHYXEL_ASSERT(number < variables.size());
    return std::find(program_.begin(), program_.end(), Instruction(static_cast<Variable>(number))) !=
           program_.end();
}

bool Formula::operator==(const Formula& other) const
{
    return text_ == other.text_ && program_ == other.program_;
}

} // namespace phyxel
