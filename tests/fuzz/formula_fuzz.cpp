// SPDX-License-Identifier: MIT
// Fuzz target for formulas. The first byte chooses: the rest is the text of a formula, which is refused or
// evaluates alike after it was read again; or the rest builds a formula together with its value, which must
// come out to the bit.

#include <phyxel/core/formula.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <span>
#include <string>
#include <string_view>

namespace phyxel {
namespace {

void require(bool holds)
{
    if (!holds) __builtin_trap();
}

/// The same bits, or both not a number: a NaN may have any sign.
bool is_same(double a, double b)
{
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) ||
           (std::isnan(a) && std::isnan(b));
}

constexpr std::array<double, 4> place = {0.5, -2.25, 3e5, 1e-3};

double value_at_place(const Formula& formula)
{
    return formula.evaluate(place[0], place[1], place[2], place[3]);
}

void check_text(std::string_view text)
{
    try {
        const Formula formula(text);
        const double value = value_at_place(formula);
        require(!formula.is_number());
        const Formula again(formula.text());
        require(again == formula);
        require(is_same(value_at_place(again), value));
        for (std::size_t k = 0; k < 4; ++k) {
            std::array<double, 4> other = place;
            other[k] += 1.0;
            if (!formula.uses("xyzt"[k]))
                require(is_same(formula.evaluate(other[0], other[1], other[2], other[3]), value));
        }
    } catch (const FormulaError& error) {
        require(error.column() >= 1 && error.column() <= text.size() + 1);
    }
}

/// Grows a formula from bytes: text, value, and how tightly its outermost operation binds.
class Grower {
public:
    explicit Grower(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

    struct Grown {
        std::string text;
        double value;
        int binding; ///< 1 sum, 2 product, 3 sign, 4 power, 5 atom
    };

    Grown grow(int depth)
    {
        const int choice = depth == 0 ? next() % 6 : next() % 22;
        switch (choice) {
        case 0:
        case 1:
        case 2:
        case 3:
            return {std::string(1, "xyzt"[choice]), place[static_cast<std::size_t>(choice)], 5};
        case 4:
            return {"pi", std::numbers::pi, 5};
        case 5: {
            const int number = next();
            return {std::to_string(number), static_cast<double>(number), 5};
        }
        case 6:
        case 7: {
            const Grown a = grow(depth - 1);
            return choice == 6 ? Grown{'-' + within(a, 3), -a.value, 3}
                               : Grown{'+' + within(a, 3), a.value, 3};
        }
        case 8:
        case 9: {
            // From left to right: the right operand must bind tighter.
            const Grown a = grow(depth - 1), b = grow(depth - 1);
            if (choice == 8) return {within(a, 1) + " + " + within(b, 2), a.value + b.value, 1};
            return {within(a, 1) + " - " + within(b, 2), a.value - b.value, 1};
        }
        case 10:
        case 11: {
            const Grown a = grow(depth - 1), b = grow(depth - 1);
            if (choice == 10) return {within(a, 2) + '*' + within(b, 3), a.value * b.value, 2};
            return {within(a, 2) + '/' + within(b, 3), a.value / b.value, 2};
        }
        case 12: {
            // From right to left: the left operand must bind tighter.
            const Grown a = grow(depth - 1), b = grow(depth - 1);
            return {within(a, 5) + '^' + within(b, 3), std::pow(a.value, b.value), 4};
        }
        case 13:
        case 14: {
            const Grown a = grow(depth - 1), b = grow(depth - 1);
            const bool is_min = choice == 13;
            const double value = std::isnan(a.value) || std::isnan(b.value) ? std::nan("")
                                 : is_min                                   ? std::min(a.value, b.value)
                                                                            : std::max(a.value, b.value);
            return {(is_min ? "min(" : "max(") + a.text + ", " + b.text + ')', value, 5};
        }
        default: {
            const Grown a = grow(depth - 1);
            using Function = double (*)(double);
            constexpr std::array<std::string_view, 7> names = {"sin", "cos",  "tan", "exp",
                                                               "log", "sqrt", "abs"};
            const std::array<Function, 7> functions = {std::sin, std::cos,  std::tan, std::exp,
                                                       std::log, std::sqrt, std::abs};
            const auto k = static_cast<std::size_t>(choice - 15);
            return {std::string(names[k]) + '(' + a.text + ')', functions[k](a.value), 5};
        }
        }
    }

private:
    int next()
    {
        if (bytes_.empty()) return 0;
        const int byte = bytes_.front();
        bytes_ = bytes_.subspan(1);
        return byte;
    }

    static std::string within(const Grown& part, int binding)
    {
        return part.binding >= binding ? part.text : '(' + part.text + ')';
    }

    std::span<const std::uint8_t> bytes_;
};

void check_grown(std::span<const std::uint8_t> bytes)
{
    const Grower::Grown grown = Grower(bytes).grow(8);
    if (grown.text.size() > Formula::max_length) return;
    require(is_same(value_at_place(Formula(grown.text)), grown.value));
}

} // namespace
} // namespace phyxel

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    if (size == 0) return 0;
    if (data[0] % 2 == 0)
        phyxel::check_text({reinterpret_cast<const char*>(data + 1), size - 1});
    else
        phyxel::check_grown({data + 1, size - 1});
    return 0;
}
