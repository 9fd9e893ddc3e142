// SPDX-License-Identifier: MIT
// Words and numbers in text files: the same in every locale, and with the line for the error message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace phyxel::detail {

inline std::string_view as_text(std::span<const std::byte> bytes)
{
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

inline bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f';
}

/// The number that all of the text spells, or nothing. "nan" and "inf" are numbers; what is too large for a
/// double is infinite, what is too small is 0.
std::optional<double> parse_number(std::string_view text);

std::optional<std::int64_t> parse_integer(std::string_view text);

/// The word in quotation marks, short and printable, however hostile it is.
std::string in_quotes(std::string_view word);

/// "1 vertex", "3 vertices".
std::string counted(std::uint64_t count, std::string_view singular, std::string_view plural);

/// The shortest decimal that is read back as the same number.
void append_number(std::string& text, double value);
void append_number(std::string& text, float value);

/// As printf's %.17g writes it.
void append_number_17(std::string& text, double value);

/// In lower case, with the dot; ".ply".
std::string lower_case(std::string_view text);

/// The first word of the text, which loses it; empty when there is none.
std::string_view take_word(std::string_view& text);

/// Words between blanks, over line ends, with the number of the line. Does not own the text; `name` is what
/// errors call the file.
class WordReader {
public:
    WordReader(std::string_view text, std::string name, std::size_t first_line = 1);

    /// The next word; empty at the end.
    std::string_view next();

    /// Goes on behind the end of the current line, that of the last word.
    void skip_line();

    /// Number of characters not read yet.
    std::size_t remaining() const { return text_.size() - position_; }

    /// `name:line: what`, with the line of the last word.
    [[noreturn]] void fail(const std::string& what) const;

private:
    std::string_view text_;
    std::string name_;
    std::size_t position_ = 0;
    std::size_t line_;
};

} // namespace phyxel::detail
