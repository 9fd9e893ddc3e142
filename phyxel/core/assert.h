// SPDX-License-Identifier: MIT
// PHYXEL_ASSERT states what only a bug of ours can break. It prints both operands of a comparison and
// aborts; in release builds it is not evaluated.
#pragma once

#include <concepts>
#include <sstream>
#include <string>
#include <utility>

namespace phyxel::detail {

[[noreturn]] void assertion_failed(const char* expression, const std::string& operands, const char* file,
                                   int line);

template <class T>
std::string operand_text(const T& value)
{
    if constexpr (requires(std::ostringstream & out) { out << value; }) {
        std::ostringstream out;
        out.precision(17);
        out << value;
        return out.str();
    } else {
        return "?";
    }
}

/// Outcome of a comparison together with the text of its operands. The text is made only on failure.
struct Assertion {
    bool holds;
    std::string operands;

    explicit operator bool() const { return holds; }
};

/// Integers compare by value, as written in the source: `size > 0` mixes signs only because a template
/// parameter no longer knows that 0 was a literal.
template <class T>
inline constexpr bool is_integer =
    std::integral<T> && !std::same_as<T, bool> && !std::same_as<T, char> && !std::same_as<T, wchar_t> &&
    !std::same_as<T, char8_t> && !std::same_as<T, char16_t> && !std::same_as<T, char32_t>;
template <class Left, class Right>
inline constexpr bool are_integers = is_integer<Left>&& is_integer<Right>;

/// Takes the left operand of `AssertionStart() <= a < b`, which binds as `(AssertionStart() <= a) < b`.
template <class Left>
struct LeftOperand {
    const Left& left;

    // A condition that is no comparison, such as a flag.
    operator Assertion() const { return {static_cast<bool>(left), operand_text(left)}; }
    explicit operator bool() const { return static_cast<bool>(left); }

    template <class Right>
    Assertion operator==(const Right& right) const
    {
        if constexpr (are_integers<Left, Right>)
            return check(std::cmp_equal(left, right), " == ", right);
        else
            return check(left == right, " == ", right);
    }
    template <class Right>
    Assertion operator!=(const Right& right) const
    {
        if constexpr (are_integers<Left, Right>)
            return check(std::cmp_not_equal(left, right), " != ", right);
        else
            return check(left != right, " != ", right);
    }
    template <class Right>
    Assertion operator<(const Right& right) const
    {
        if constexpr (are_integers<Left, Right>)
            return check(std::cmp_less(left, right), " < ", right);
        else
            return check(left < right, " < ", right);
    }
    template <class Right>
    Assertion operator<=(const Right& right) const
    {
        if constexpr (are_integers<Left, Right>)
            return check(std::cmp_less_equal(left, right), " <= ", right);
        else
            return check(left <= right, " <= ", right);
    }
    template <class Right>
    Assertion operator>(const Right& right) const
    {
        if constexpr (are_integers<Left, Right>)
            return check(std::cmp_greater(left, right), " > ", right);
        else
            return check(left > right, " > ", right);
    }
    template <class Right>
    Assertion operator>=(const Right& right) const
    {
        if constexpr (are_integers<Left, Right>)
            return check(std::cmp_greater_equal(left, right), " >= ", right);
        else
            return check(left >= right, " >= ", right);
    }

private:
    template <class Right>
    Assertion check(bool holds, const char* relation, const Right& right) const
    {
        if (holds) return {true, {}};
        return {false, operand_text(left) + relation + operand_text(right)};
    }
};

struct AssertionStart {
    template <class Left>
    LeftOperand<Left> operator<=(const Left& left) const
    {
        return {left};
    }
};

/// Conditions joined by && or || arrive here as a plain bool.
inline Assertion to_assertion(bool holds) { return {holds, {}}; }
inline Assertion to_assertion(Assertion assertion) { return assertion; }
template <class Left>
Assertion to_assertion(const LeftOperand<Left>& operand)
{
    return operand;
}

} // namespace phyxel::detail

#if PHYXEL_ASSERTS
// A macro, because only the preprocessor knows the text of the expression and the line it stands on.
#define PHYXEL_ASSERT(...)                                                                                   \
    do {                                                                                                     \
        _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wparentheses\"")                   \
            const ::phyxel::detail::Assertion phyxel_assertion =                                             \
                ::phyxel::detail::to_assertion(::phyxel::detail::AssertionStart() <= __VA_ARGS__);           \
        _Pragma("GCC diagnostic pop") if (!phyxel_assertion.holds)::phyxel::detail::assertion_failed(        \
            #__VA_ARGS__, phyxel_assertion.operands, __FILE__, __LINE__);                                    \
    } while (false)
#else
#define PHYXEL_ASSERT(...) static_cast<void>(0)
#endif
