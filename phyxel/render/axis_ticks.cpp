// SPDX-License-Identifier: MIT
#include <phyxel/render/axis_ticks.h>

#include <phyxel/render/legend.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>

namespace phyxel {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double largest = std::numeric_limits<double>::max();

/// Narrower than this share of its numbers, a range would need labels of too many digits, and is drawn as if
/// its numbers were the same.
constexpr double narrowest = 1e-6;

/// A range with some width around numbers that have none.
ValueRange widened(const ValueRange& range, const AxisOptions& options)
{
    const double size = std::max(std::abs(range.min), std::abs(range.max));
    if (size == 0.0)
        return options.from_zero || options.whole_numbers ? ValueRange{0.0, 1.0} : ValueRange{-1.0, 1.0};
    const double center = 0.5 * range.min + 0.5 * range.max;
    const double half = 0.1 * size;
    return {std::max(center - half, -largest), std::min(center + half, largest)};
}

ValueRange with_margin(const ValueRange& range, const AxisOptions& options)
{
    // Half the width, so that it is a number too.
    const double margin = 2.0 * options.margin * (0.5 * range.max - 0.5 * range.min);
    ValueRange result = range;
    // What never crosses 0 should not seem to.
    if (!(range.min >= 0.0 && range.min - margin < 0.0)) result.min = std::max(range.min - margin, -largest);
    if (!(range.max <= 0.0 && range.max + margin > 0.0)) result.max = std::min(range.max + margin, largest);
    if (options.margin > 0.0 && range.min > 0.0 && range.min - margin < 0.0) result.min = 0.0;
    return result;
}

/// Multiple of 3 by whose power of ten numbers of this size are divided.
int exponent_of(double size)
{
    const int digits = static_cast<int>(std::floor(std::log10(size)));
    if (digits >= -2 && digits < 5) return 0;
    // 10^−300 is the least power that leaves doubles all their digits.
    return std::clamp(3 * static_cast<int>(std::floor(digits / 3.0)), -300, 306);
}

std::string label_of(double value, int decimals)
{
    std::array<char, 64> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), std::abs(value),
                                   std::chars_format::fixed, decimals);
    const std::string digits(text.data(), end.ptr);
    const bool is_zero = digits.find_first_not_of("0.") == std::string::npos;
    return value < 0 && !is_zero ? "\u2212" + digits : digits;
}

} // namespace

ValueRange range_of(std::span<const double> numbers)
{
    ValueRange range{infinite, -infinite};
    for (const double number : numbers) {
        if (!std::isfinite(number)) continue;
        range.min = std::min(range.min, number);
        range.max = std::max(range.max, number);
    }
    return range;
}

AxisTicks choose_ticks(const ValueRange& numbers, const AxisOptions& options)
{
    ValueRange range = numbers;
    if (!(range.min <= range.max) || !std::isfinite(range.min) || !std::isfinite(range.max))
        range = {0.0, 1.0};
    if (options.from_zero) range = {std::min(range.min, 0.0), std::max(range.max, 0.0)};
    const double size = std::max(std::abs(range.min), std::abs(range.max));
    const double half = 0.5 * range.max - 0.5 * range.min;
    // The smallest numbers of all have too few digits to be told apart.
    const bool has_width = half > 0.5 * narrowest * size && size > 1e-300;
    range = has_width ? with_margin(range, options)
                      : widened(size > 1e-300 ? range : ValueRange{0.0, 0.0}, options);

    AxisTicks ticks;
    ticks.range = range;
    ticks.exponent = exponent_of(std::max(std::abs(range.min), std::abs(range.max)));
    const double power = std::pow(10.0, ticks.exponent);
    const ValueRange scaled{range.min / power, range.max / power};
    std::vector<double> marks = round_numbers(scaled, std::max(1, options.most_ticks));
    double step = marks.size() > 1 ? marks[1] - marks[0] : scaled.max - scaled.min;
    if (options.whole_numbers && step * power < 1.0) {
        step = 1.0 / power;
        marks.clear();
        for (double mark = std::ceil(range.min); mark <= range.max; mark += 1.0)
            marks.push_back(mark / power);
    }
    const int decimals = std::clamp(static_cast<int>(-std::floor(std::log10(step) + 1e-6)), 0, 12);
    for (const double mark : marks) {
        ticks.values.push_back(mark * power);
        ticks.labels.push_back(label_of(mark, decimals));
    }
    return ticks;
}

std::string axis_label(const std::string& label, const std::string& unit, int exponent)
{
    std::string inside = unit;
    if (exponent != 0) {
        constexpr std::array<std::string_view, 10> raised = {"⁰", "¹", "²", "³", "⁴",
                                                             "⁵", "⁶", "⁷", "⁸", "⁹"};
        std::string power = exponent < 0 ? "×10⁻" : "×10";
        for (const char digit : std::to_string(std::abs(exponent)))
            power += raised[static_cast<std::size_t>(digit - '0')];
        inside = unit.empty() ? power : power + " " + unit;
    }
    if (inside.empty()) return label;
    return label.empty() ? inside : label + " (" + inside + ")";
}

} // namespace phyxel
