// SPDX-License-Identifier: MIT
#include <phyxel/core/number_text.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>

namespace phyxel {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::size_t digits_at(std::string_view text, std::size_t begin)
{
    std::size_t end = begin;
    while (end < text.size() && is_digit(text[end])) ++end;
    return end - begin;
}

/// Whether a number that no double can hold is too large rather than too small: doubles reach about as far
/// from 1 in both directions, so the place of its first digit tells.
bool is_large(std::string_view number)
{
    const std::size_t mantissa_end = std::min(number.find_first_of("eE"), number.size());
    const std::string_view mantissa = number.substr(0, mantissa_end);
    long long exponent = 0;
    if (mantissa_end < number.size()) {
        std::string_view digits = number.substr(mantissa_end + 1);
        const bool is_negative = digits.front() == '-';
        if (digits.front() == '-' || digits.front() == '+') digits.remove_prefix(1);
        constexpr long long limit = 1'000'000'000'000;
        for (const char digit : digits) exponent = std::min(limit, 10 * exponent + (digit - '0'));
        if (is_negative) exponent = -exponent;
    }
    const auto point = static_cast<long long>(std::min(mantissa.find('.'), mantissa.size()));
    const auto first = static_cast<long long>(mantissa.find_first_of("123456789"));
    return point - first + exponent > 0;
}

/// In words; the sign of what is not a number says nothing.
std::string not_finite_text(double value)
{
    if (std::isnan(value)) return "not a number";
    return value > 0.0 ? "infinity" : "-infinity";
}

} // namespace

std::string number_text(double value)
{
    if (!std::isfinite(value)) return not_finite_text(value);
    const double size = std::abs(value);
    const bool is_ordinary = size == 0.0 || (size >= 1e-4 && size < 1e16);
    std::array<char, 32> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value,
                                   is_ordinary ? std::chars_format::fixed : std::chars_format::scientific);
    return {text.data(), end.ptr};
}

std::string number_text(double value, int digits)
{
    if (!std::isfinite(value)) return not_finite_text(value);
    std::array<char, 64> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general,
                                   std::clamp(digits, 1, 17));
    return {text.data(), end.ptr};
}

NumberPrefix read_number(std::string_view text)
{
    std::size_t length = digits_at(text, 0);
    std::size_t digit_count = length;
    if (length < text.size() && text[length] == '.') {
        const std::size_t fraction = digits_at(text, length + 1);
        digit_count += fraction;
        length += 1 + fraction;
    }
    if (digit_count == 0) return {};
    if (length < text.size() && (text[length] == 'e' || text[length] == 'E')) {
        std::size_t begin = length + 1;
        if (begin < text.size() && (text[begin] == '+' || text[begin] == '-')) ++begin;
        if (const std::size_t exponent = digits_at(text, begin); exponent > 0) length = begin + exponent;
    }

    double value = 0.0;
    const std::string_view number = text.substr(0, length);
    const auto result = std::from_chars(number.data(), number.data() + number.size(), value);
    if (result.ec == std::errc::result_out_of_range)
        value = is_large(number) ? std::numeric_limits<double>::infinity() : 0.0;
    return {value, length};
}

} // namespace phyxel
