// SPDX-License-Identifier: MIT
#include <phyxel/core/error.h>
#include <phyxel/core/number_text.h>
#include <phyxel/io/detail/text.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

namespace phyxel::detail {
namespace {

template <class Number, class... Format>
void append(std::string& text, Number value, Format... format)
{
    if (std::isnan(value)) {
        text += "nan"; // its sign says nothing
        return;
    }
    std::array<char, 64> buffer;
    const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, format...);
    text.append(buffer.data(), result.ptr);
}

} // namespace

std::optional<double> parse_number(std::string_view text)
{
    const bool is_negative = text.starts_with('-');
    if (is_negative || text.starts_with('+')) text.remove_prefix(1);
    NumberPrefix number = read_number(text);
    if (number.length == 0) {
        const std::string word = lower_case(text.substr(0, 9));
        if (word != "nan" && word != "inf" && word != "infinity") return std::nullopt;
        number.value = word == "nan" ? std::numeric_limits<double>::quiet_NaN()
                                     : std::numeric_limits<double>::infinity();
    } else if (number.length != text.size()) {
        return std::nullopt;
    }
    return is_negative ? -number.value : number.value;
}

std::optional<std::int64_t> parse_integer(std::string_view text)
{
    if (text.starts_with('+')) {
        text.remove_prefix(1);
        if (text.starts_with('-')) return std::nullopt;
    }
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

std::string in_quotes(std::string_view word)
{
    constexpr std::size_t max_length = 40;
    std::string result = "\"";
    for (const char c : word.substr(0, max_length)) result += c >= 0x20 && c < 0x7f ? c : '?';
    result += word.size() > max_length ? "…\"" : "\"";
    return result;
}

std::string counted(std::uint64_t count, std::string_view singular, std::string_view plural)
{
    std::string result = std::to_string(count) + " ";
    result += count == 1 ? singular : plural;
    return result;
}

void append_number(std::string& text, double value) { append(text, value); }
void append_number(std::string& text, float value) { append(text, value); }
void append_number_17(std::string& text, double value)
{
    append(text, value, std::chars_format::general, 17);
}

std::string lower_case(std::string_view text)
{
    std::string result(text);
    for (char& c : result)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return result;
}

std::string_view take_word(std::string_view& text)
{
    const auto begin = std::find_if_not(text.begin(), text.end(), is_blank);
    const auto end = std::find_if(begin, text.end(), is_blank);
    const std::string_view word(begin, end);
    text = std::string_view(end, text.end());
    return word;
}

WordReader::WordReader(std::string_view text, std::string name, std::size_t first_line)
    : text_(text),
      name_(std::move(name)),
      line_(first_line)
{
}

std::string_view WordReader::next()
{
    while (position_ < text_.size() && is_blank(text_[position_])) {
        if (text_[position_] == '\n') ++line_;
        ++position_;
    }
    const std::size_t begin = position_;
    while (position_ < text_.size() && !is_blank(text_[position_])) ++position_;
    return text_.substr(begin, position_ - begin);
}

void WordReader::skip_line()
{
    while (position_ < text_.size() && text_[position_] != '\n') ++position_;
}

void WordReader::fail(const std::string& what) const
{
    throw InputError(name_ + ":" + std::to_string(line_) + ": " + what);
}

} // namespace phyxel::detail
