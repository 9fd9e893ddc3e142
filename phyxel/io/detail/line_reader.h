// SPDX-License-Identifier: MIT
// Lines of text files that know their numbers, for the readers of formats in which lines matter.
#pragma once

#include <phyxel/core/types.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace phyxel::detail {

/// Lines without their ends, comments (after "#") and continuations ("\\" at the end of a line).
class LineReader {
public:
    LineReader(std::string_view text, std::string name);

    /// False at the end of the text. The line is good until the next call.
    bool next(std::string_view& line);

    std::size_t line() const { return line_; }

    [[noreturn]] void fail(const std::string& what) const { fail_at(line_, what); }
    [[noreturn]] void fail_at(std::size_t line, const std::string& what) const;

private:
    std::string_view take_line();

    std::string_view text_;
    std::string name_;
    std::string joined_;
    std::size_t position_ = 0;
    std::size_t line_ = 0;
    std::size_t next_line_ = 1;
};

/// The three numbers that the words begin with, which lose them.
Vec<3> take_vector(std::string_view& words, const LineReader& lines);

} // namespace phyxel::detail
